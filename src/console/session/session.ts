import type { Role } from '../../domain/roles.ts';

/** An administrator's session with the console. It is kept in a sealed cookie: the server stores nothing. */

export type Tone = 'good' | 'bad' | 'info';
/** A message that the next page shows once. */
type Flash = { readonly tone: Tone; readonly text: string };

export type Session = {
  /** Random, new at every login. CSRF tokens and the keys of token refreshes are derived from it. */
  readonly id: string;
  readonly accessToken: string;
  readonly accessExpiresAtMs: number;
  readonly refreshToken: string;
  readonly administratorId: string;
  readonly email: string;
  readonly role: Role;
  /** The administrator's own company. */
  readonly homeCompanyId: string;
  /** The company whose data the pages show. Only platform staff can choose another than their own. */
  readonly companyId: string;
  /** The name of that company, if it is not the administrator's own. */
  readonly companyName: string | null;
  readonly mustChangePassword: boolean;
  /** Whether the administrator has a second factor, and whether one is required and missing. */
  readonly hasMfa: boolean;
  readonly mustEnrolMfa: boolean;
  /** The last code of it, which stands for ten minutes. */
  readonly mfaCode: { readonly code: string; readonly atMs: number } | null;
  readonly startedAtMs: number;
  /** The time of the last page that the administrator asked for. */
  readonly seenAtMs: number;
  readonly flash: Flash | null;
};

/** The fields of a session that login, refresh and password change answer. */
export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly userId: string;
  readonly expiresIn: number;
  readonly companyId: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
  readonly hasMfa: boolean;
  readonly mustEnrolMfa: boolean;
};

/** After this time an administrator logs in again, however active the session was. */
const MAX_SESSION_MS = 12 * 3_600_000;
/** An access token is renewed this long before its end, so that it is valid for the requests of a page. */
const RENEW_BEFORE_END_MS = 60_000;

/** `code`: of the second factor with which the administrator logged in. */
export function startSession(
  tokens: Tokens,
  person: { id: string; email: string; nowMs: number; code?: string | null },
): Session {
  const { id, email, nowMs, code = null } = person;
  return withTokens(
    {
      id,
      email,
      administratorId: tokens.userId,
      homeCompanyId: tokens.companyId,
      companyId: tokens.companyId,
      companyName: null,
      startedAtMs: nowMs,
      seenAtMs: nowMs,
      mfaCode: code === null ? null : { code, atMs: nowMs },
      flash: null,
    },
    tokens,
    nowMs,
  );
}

type Untokened = Omit<
  Session,
  | 'accessToken'
  | 'accessExpiresAtMs'
  | 'refreshToken'
  | 'administratorId'
  | 'role'
  | 'mustChangePassword'
  | 'hasMfa'
  | 'mustEnrolMfa'
> & { readonly administratorId: string };

/** The same session with new tokens. */
export function withTokens(session: Untokened, tokens: Tokens, nowMs: number): Session {
  return {
    ...session,
    accessToken: tokens.accessToken,
    accessExpiresAtMs: nowMs + tokens.expiresIn * 1_000,
    refreshToken: tokens.refreshToken,
    role: tokens.role,
    mustChangePassword: tokens.mustChangePassword,
    hasMfa: tokens.hasMfa,
    mustEnrolMfa: tokens.mustEnrolMfa,
  };
}

export function isOver(session: Session, idleTimeoutMs: number, nowMs: number): boolean {
  return nowMs - session.seenAtMs > idleTimeoutMs || isTooOld(session, nowMs);
}

/** Whether the login was too long ago, idle or not. */
export function isTooOld(session: Session, nowMs: number): boolean {
  return nowMs - session.startedAtMs > MAX_SESSION_MS;
}

export function needsRenewal(session: Session, nowMs: number): boolean {
  return nowMs > session.accessExpiresAtMs - RENEW_BEFORE_END_MS;
}
