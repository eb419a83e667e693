import { type EntityManager, LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../domain/errors.ts';
import type { AdministratorId, CompanyId, SessionId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';
import { inTenant } from '../core/orm.ts';
import { Administrator, RefreshToken, Session } from '../entities/tenancy.ts';
import type { AdministratorClaims, CredentialProof } from './credential-proof.ts';

/** Sessions: one for each login, with a chain of refresh tokens, each of which can be used once. */

/** The data of an administrator of any company that login and refresh need. The row has proven that the service wrote it. */
export type AdministratorIdentity = AdministratorClaims & {
  /** Whether the company requires a second factor of its administrators. */
  readonly isFactorRequired: boolean;
  /** Of the session that was asked for. */
  readonly isSessionOpen: boolean;
  readonly isSessionNoted: boolean;
};

type IdentityRecord = {
  id: AdministratorId;
  company_id: CompanyId;
  role: Role;
  email: string;
  password_hash: string;
  must_change_password: boolean;
  token_version: number;
  totp_enabled: boolean;
  recovery_hashes: string[];
  factor_version: number;
  proof: string;
  is_factor_required: boolean;
  is_session_open: boolean;
  is_session_noted: boolean | null;
};

/**
 * The administrator with this id or e-mail address who is not removed; null if there is none, if the row has no valid proof, or if
 * the session is not theirs.
 */
export async function findAdministrator(
  em: EntityManager,
  credentials: CredentialProof,
  by: { id: AdministratorId; sessionId?: SessionId } | { email: string },
): Promise<AdministratorIdentity | null> {
  const [row] = await em.execute<IdentityRecord[]>('select * from auth_administrator(?::uuid, ?::text, ?::uuid)', [
    'id' in by ? by.id : null,
    'email' in by ? by.email : null,
    'id' in by ? (by.sessionId ?? null) : null,
  ]);
  if (row === undefined) return null;
  const administrator = {
    id: row.id,
    companyId: row.company_id,
    role: row.role,
    email: row.email,
    passwordHash: row.password_hash,
    mustChangePassword: row.must_change_password,
    tokenVersion: row.token_version,
    totpEnabled: row.totp_enabled,
    recoveryHashes: row.recovery_hashes,
    factorVersion: row.factor_version,
    isFactorRequired: row.is_factor_required,
    isSessionOpen: row.is_session_open,
    isSessionNoted: row.is_session_noted ?? false,
  };
  return credentials.provesAdministrator({ ...administrator, proof: row.proof }) ? administrator : null;
}

/** What the audit log says about an administrator. */
export type AuditedAdministrator = Pick<AdministratorIdentity, 'id' | 'companyId' | 'role'>;

/** The administrator with this id or e-mail address who was removed last; null if there is none. For the audit log only. */
export async function findFormerAdministrator(
  em: EntityManager,
  by: { id: AdministratorId } | { email: string },
): Promise<AuditedAdministrator | null> {
  const [row] = await em.execute<Pick<IdentityRecord, 'id' | 'company_id' | 'role'>[]>(
    'select * from auth_former_administrator(?::uuid, ?::text)',
    ['id' in by ? by.id : null, 'email' in by ? by.email : null],
  );
  return row === undefined ? null : { id: row.id, companyId: row.company_id, role: row.role };
}

type NewSession = {
  readonly id: SessionId;
  readonly ip: string;
  readonly userAgent: string | null;
  /** The code of the second factor with which it begins. */
  readonly factor: AcceptedFactor | null;
};

/** That a code was accepted. `proof` is the service's code over the session, the code and the time. */
export type AcceptedFactor = { readonly at: Date; readonly proof: string };

type NewToken = { readonly hash: Buffer; readonly lifetimeSeconds: number };

/**
 * Throws `invalid_credentials` if the administrator has been removed, has got another password, or has had all sessions ended since the
 * identity was read. That cannot happen until the transaction ends, either: the sessions that end then include one that begins now.
 */
export async function assertUnchanged(
  em: EntityManager,
  { companyId, id, tokenVersion }: AdministratorIdentity,
): Promise<void> {
  const lockMode = LockMode.PESSIMISTIC_READ;
  const row = await em.findOne(Administrator, { companyId, id, removedAt: null }, { lockMode });
  if (row?.tokenVersion !== tokenVersion) throw new Refusal('invalid_credentials', 'log in again');
}

/** Starts a session with its first refresh token. */
export async function beginSession(
  em: EntityManager,
  administrator: AdministratorIdentity,
  { id, ip, userAgent, factor }: NewSession,
  token: NewToken,
): Promise<void> {
  const { companyId, id: administratorId } = administrator;
  const now = new Date();
  await em.insert(Session, {
    ...{ id, companyId, administratorId, ip, userAgent, lastUsedAt: now, createdAt: now },
    ...(factor === null ? {} : { factorAt: factor.at, factorProof: factor.proof }),
  });
  await insertToken(em, administrator, id, token);
}

type Rotation =
  | { readonly kind: 'rotated'; readonly administrator: AdministratorIdentity; readonly sessionId: SessionId }
  /** The token was exchanged for `next` before, and `next` was exchanged too. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'refused' };

/**
 * Exchanges a refresh token for the next one of its session. An unknown or expired token, or one of another administrator or of a
 * session that ended, is refused. A used token is refused, and ends the session and all access tokens of the administrator, because
 * a reused token counts as stolen. An exchange that names the same `next` again is not reuse: the client lost the answer, or sent
 * the request twice. `record` runs in the transaction of an exchange.
 */
export async function rotateSession(
  orm: MikroORM,
  credentials: CredentialProof,
  presented: { hash: Buffer; administratorId: AdministratorId },
  next: NewToken,
  record: (em: EntityManager, administrator: AdministratorIdentity) => Promise<void>,
): Promise<Rotation> {
  const em = orm.em.fork();
  const [found] = await em.execute<
    { id: string; company_id: CompanyId; administrator_id: AdministratorId; session_id: SessionId }[]
  >('select * from auth_refresh_token(?)', [presented.hash]);
  if (found === undefined || found.administrator_id !== presented.administratorId) return { kind: 'refused' };
  const administrator = await findAdministrator(em, credentials, { id: found.administrator_id });
  if (administrator === null) return { kind: 'refused' };
  const { company_id: companyId, session_id: sessionId } = found;
  return inTenant(orm, companyId, async (tenantEm) => {
    const now = new Date();
    // Locks the session until the exchange is done.
    const open = await tenantEm.nativeUpdate(Session, { companyId, id: sessionId, endedAt: null }, { lastUsedAt: now });
    if (open === 0) return { kind: 'refused' };
    const used = await tenantEm.nativeUpdate(
      RefreshToken,
      { companyId, id: found.id, usedAt: null, expiresAt: { $gt: now } },
      { usedAt: now },
    );
    if (used === 1) {
      await insertToken(tenantEm, administrator, sessionId, next);
      await record(tenantEm, administrator);
      return { kind: 'rotated', administrator, sessionId };
    }
    const repeated = await tenantEm.findOne(RefreshToken, { companyId, sessionId, tokenHash: next.hash });
    if (repeated !== null && repeated.expiresAt > now)
      return repeated.usedAt == null ? { kind: 'rotated', administrator, sessionId } : { kind: 'superseded' };
    if ((await tenantEm.count(RefreshToken, { companyId, id: found.id, usedAt: { $ne: null } })) === 1) {
      await tenantEm.nativeUpdate(Session, { companyId, id: sessionId }, { endedAt: now });
      await endAccessTokens(tenantEm, credentials, administrator);
    }
    return { kind: 'refused' };
  });
}

/** The open sessions of an administrator, the latest used first. Those that nobody can go on with are left out. */
export async function listSessions(em: EntityManager, { companyId, id }: AdministratorName): Promise<Session[]> {
  const usable = { companyId, administratorId: id, endedAt: null };
  const rows = await em.find(Session, usable, { orderBy: { lastUsedAt: 'desc', id: 'desc' }, limit: MAX_SESSIONS });
  const live = await em.find(
    RefreshToken,
    { companyId, sessionId: rows.map((row) => row.id), usedAt: null, expiresAt: { $gt: new Date() } },
    { fields: ['sessionId'] },
  );
  const ids = new Set(live.map(({ sessionId }) => sessionId));
  return rows.filter((row) => ids.has(row.id));
}

/** Ends one session of the administrator, with its access tokens. Throws `not_found`. */
export async function endSession(
  em: EntityManager,
  { companyId, id: administratorId }: AdministratorName,
  sessionId: SessionId,
): Promise<void> {
  const session = { companyId, administratorId, id: sessionId, endedAt: null };
  const ended = await em.nativeUpdate(Session, session, { endedAt: new Date() });
  if (ended === 0) throw new Refusal('not_found', 'session not found');
}

/** Notes that an access token of the session was used, at most once a minute. */
export async function noteSessionUse(em: EntityManager, companyId: CompanyId, sessionId: SessionId): Promise<void> {
  await em.execute('select auth_session_used(?, ?)', [companyId, sessionId]);
}

/** More than a person has. The rest is found by ending these. */
const MAX_SESSIONS = 100;

export type AdministratorName = Pick<AdministratorIdentity, 'companyId' | 'id'>;

/** Ends all sessions of an administrator and, through the token version, all access tokens. */
export async function endSessions(
  em: EntityManager,
  credentials: CredentialProof,
  administrator: AdministratorName,
): Promise<void> {
  await endAllSessions(em, administrator);
  await endAccessTokens(em, credentials, administrator);
  await endAllSessions(em, administrator); // of logins for whose end the line before waited
}

async function endAllSessions(em: EntityManager, { companyId, id: administratorId }: AdministratorName): Promise<void> {
  await em.nativeUpdate(Session, { companyId, administratorId, endedAt: null }, { endedAt: new Date() });
}

/**
 * Ends the access tokens of all sessions, and changes the password with them if one is given. `knownHash`: of the password that the
 * caller has proven to know. Sessions that are open can get new access tokens. The row is checked under its lock before it is signed again: otherwise a forged row would be
 * signed. Throws `unauthenticated`.
 */
async function endAccessTokens(
  em: EntityManager,
  credentials: CredentialProof,
  { companyId, id }: AdministratorName,
  change: { readonly passwordHash?: string; readonly mustChangePassword?: boolean } = {},
  knownHash: string | null = null,
): Promise<void> {
  const row = await em.findOne(
    Administrator,
    { companyId, id, removedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (row === null || !credentials.provesAdministrator(row)) throw new Refusal('unauthenticated');
  if (knownHash !== null && row.passwordHash !== knownHash) throw new Refusal('invalid_credentials');
  em.assign(row, { ...change, tokenVersion: row.tokenVersion + 1 });
  em.assign(row, { proof: credentials.ofAdministrator(row) });
  await em.flush();
}

async function insertToken(
  em: EntityManager,
  administrator: AdministratorIdentity,
  sessionId: SessionId,
  token: NewToken,
): Promise<void> {
  const now = new Date();
  await em.insert(RefreshToken, {
    id: uuidv7(),
    companyId: administrator.companyId,
    administratorId: administrator.id,
    sessionId,
    tokenHash: token.hash,
    expiresAt: new Date(now.getTime() + token.lifetimeSeconds * 1000),
    createdAt: now,
  });
}

/**
 * Replaces the password that the caller has proven to know, and ends all sessions from before. Throws `invalid_credentials` if
 * another request has replaced it first: a link that resets a password works once.
 */
export async function changePassword(
  em: EntityManager,
  credentials: CredentialProof,
  administrator: AdministratorIdentity,
  passwordHash: string,
): Promise<void> {
  await endAllSessions(em, administrator);
  const change = { passwordHash, mustChangePassword: false };
  await endAccessTokens(em, credentials, administrator, change, administrator.passwordHash);
  await endAllSessions(em, administrator); // of logins for whose end the line before waited
}
