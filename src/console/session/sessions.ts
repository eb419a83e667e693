import type { Context } from 'hono';
import { ApiProblem, type Caller, type Dispatch } from '../api-client.ts';
import type { ConsoleEnv, ConsoleSettings } from '../page.ts';
import { createSeal, createSessionCookie, type SessionCookie } from './cookie.ts';
import { createRenewal } from './renewal.ts';
import { isOver, isTooOld, needsRenewal, type Session } from './session.ts';

/** The sessions of requests: opened from the cookie, ended when idle, with an access token that is still valid. */

export type ConsoleOptions = {
  readonly dispatch: Dispatch;
  /** The key of session cookies is derived from it. The same for all API processes. */
  readonly secret: string;
  readonly baseUrl: string;
  readonly idleTimeoutMs: number;
  readonly maxFormBytes: number;
  readonly settings: ConsoleSettings;
  readonly now?: () => Date;
};

type Found =
  | { readonly kind: 'session'; readonly session: Session; readonly isChanged: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'over'; readonly session: Session };

export type Sessions = SessionCookie & {
  readonly of: (c: Context<ConsoleEnv>, activity: { readonly isBackground: boolean }) => Promise<Found>;
  readonly callerOf: (c: Context<ConsoleEnv>) => Caller;
  /**
   * The access token of a session that was just opened, renewed whenever it ends during the work of one request: an export can take
   * an hour. The browser keeps its cookie, whose refresh token leads to the latest one (POST /v1/auth/refresh).
   */
  readonly accessTokensOf: (c: Context<ConsoleEnv>, session: Session) => () => Promise<string>;
  readonly now: () => Date;
};

/** The cookie is written again when its time of last use is older than this. */
const SEEN_STEP_MS = 60_000;

export function createSessions(options: ConsoleOptions): Sessions {
  const { dispatch, idleTimeoutMs, now = () => new Date() } = options;
  const cookie = createSessionCookie(createSeal(options.secret), options.baseUrl.startsWith('https:'));
  const renew = createRenewal();
  const callerOf = (c: Context<ConsoleEnv>): Caller => ({
    dispatch,
    env: c.env,
    requestId: c.var.requestId,
    forwardedFor: c.req.header('x-forwarded-for'),
    userAgent: c.req.header('user-agent'),
  });
  return {
    ...cookie,
    callerOf,
    now,
    accessTokensOf(c, opened) {
      let latest = opened;
      return async () => {
        const nowMs = now().getTime();
        if (!needsRenewal(latest, nowMs)) return latest.accessToken;
        const renewed = isTooOld(latest, nowMs) ? null : await renew(callerOf(c), latest, nowMs);
        if (renewed === null) throw sessionEnded();
        latest = renewed;
        return latest.accessToken;
      };
    },
    async of(c, { isBackground }) {
      const nowMs = now().getTime();
      const session = await cookie.read(c);
      if (session === null) return { kind: 'none' };
      if (isOver(session, idleTimeoutMs, nowMs)) return { kind: 'over', session };
      const isSeen = !isBackground && nowMs - session.seenAtMs > SEEN_STEP_MS;
      const seen = isSeen ? { ...session, seenAtMs: nowMs } : session;
      if (!needsRenewal(session, nowMs)) return { kind: 'session', session: seen, isChanged: isSeen };
      const renewed = await renew(callerOf(c), seen, nowMs);
      return renewed === null ? { kind: 'over', session } : { kind: 'session', session: renewed, isChanged: true };
    },
  };
}

function sessionEnded(): ApiProblem {
  return new ApiProblem({ status: 401, code: 'unauthenticated', detail: 'the session has ended' });
}

/** Whether the API refused the session's token: it was revoked, or the administrator was removed. */
export function isSessionRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'unauthenticated';
}
