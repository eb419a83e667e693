import { type EntityManager, LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../domain/errors.ts';
import type { AdministratorId, CompanyId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';
import { inTenant } from '../core/orm.ts';
import { Administrator, RefreshToken } from '../entities/tenancy.ts';
import type { AdministratorClaims, CredentialProof } from './credential-proof.ts';

/** Refresh tokens: one family per login; each token can be used once. */

/** The data of an administrator of any company that login and refresh need. The row has proven that the service wrote it. */
export type AdministratorIdentity = AdministratorClaims;

type IdentityRecord = {
  id: AdministratorId;
  company_id: CompanyId;
  role: Role;
  email: string;
  password_hash: string;
  must_change_password: boolean;
  token_version: number;
  proof: string;
};

/**
 * The administrator with this id or e-mail address who is not removed; null if there is none, or if the row has no valid proof.
 */
export async function findAdministrator(
  em: EntityManager,
  credentials: CredentialProof,
  by: { id: AdministratorId } | { email: string },
): Promise<AdministratorIdentity | null> {
  const [row] = await em.execute<IdentityRecord[]>('select * from auth_administrator(?::uuid, ?::text)', [
    'id' in by ? by.id : null,
    'email' in by ? by.email : null,
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

/** Starts a family of refresh tokens with its first one. */
export async function beginSession(
  orm: MikroORM,
  administrator: AdministratorIdentity,
  token: { hash: Buffer; lifetimeSeconds: number },
): Promise<void> {
  await inTenant(orm, administrator.companyId, (em) => insertToken(em, administrator, uuidv7(), token));
}

export type Rotation =
  | { readonly kind: 'rotated'; readonly administrator: AdministratorIdentity }
  /** The token was exchanged for `next` before, and `next` was exchanged too. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'refused' };

/**
 * Exchanges a refresh token for the next one of its family. An unknown or expired token, or one of another administrator, is
 * refused. A used token is refused, and revokes the whole family and all access tokens of the administrator, because a reused
 * token counts as stolen. An exchange that names the same `next` again is not reuse: the client lost the answer, or sent the
 * request twice.
 */
export async function rotateSession(
  orm: MikroORM,
  credentials: CredentialProof,
  presented: { hash: Buffer; administratorId: AdministratorId },
  next: { hash: Buffer; lifetimeSeconds: number },
): Promise<Rotation> {
  const em = orm.em.fork();
  const [found] = await em.execute<
    { id: string; company_id: CompanyId; administrator_id: AdministratorId; family_id: string }[]
  >('select * from auth_refresh_token(?)', [presented.hash]);
  if (found === undefined || found.administrator_id !== presented.administratorId) return { kind: 'refused' };
  const administrator = await findAdministrator(em, credentials, { id: found.administrator_id });
  if (administrator === null) return { kind: 'refused' };
  return inTenant(orm, found.company_id, async (tenantEm) => {
    const now = new Date();
    const used = await tenantEm.nativeUpdate(
      RefreshToken,
      { companyId: found.company_id, id: found.id, usedAt: null, revokedAt: null, expiresAt: { $gt: now } },
      { usedAt: now },
    );
    if (used === 1) {
      await insertToken(tenantEm, administrator, found.family_id, next);
      return { kind: 'rotated', administrator };
    }
    const repeated = await tenantEm.findOne(RefreshToken, {
      companyId: found.company_id,
      familyId: found.family_id,
      tokenHash: next.hash,
    });
    if (repeated !== null && repeated.revokedAt == null && repeated.expiresAt > now)
      return repeated.usedAt == null ? { kind: 'rotated', administrator } : { kind: 'superseded' };
    const wasUsed =
      (await tenantEm.count(RefreshToken, { companyId: found.company_id, id: found.id, usedAt: { $ne: null } })) === 1;
    if (wasUsed) {
      await tenantEm.nativeUpdate(
        RefreshToken,
        { companyId: found.company_id, familyId: found.family_id, revokedAt: null },
        { revokedAt: now },
      );
      await endAccessTokens(tenantEm, credentials, administrator);
    }
    return { kind: 'refused' };
  });
}

type AdministratorName = Pick<AdministratorIdentity, 'companyId' | 'id'>;

/** Ends all sessions of an administrator: refresh tokens and, through the token version, access tokens. */
export async function endSessions(
  em: EntityManager,
  credentials: CredentialProof,
  administrator: AdministratorName,
): Promise<void> {
  await endRefreshTokens(em, administrator);
  await endAccessTokens(em, credentials, administrator);
}

async function endRefreshTokens(
  em: EntityManager,
  { companyId, id: administratorId }: AdministratorName,
): Promise<void> {
  await em.nativeUpdate(RefreshToken, { companyId, administratorId, revokedAt: null }, { revokedAt: new Date() });
}

/**
 * Ends the access tokens of all sessions, and changes the password with them if one is given. Sessions with a valid refresh
 * token can get new access tokens. The row is checked under its lock before it is signed again: otherwise a forged row would be
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
  familyId: string,
  token: { hash: Buffer; lifetimeSeconds: number },
): Promise<void> {
  const now = new Date();
  await em.insert(RefreshToken, {
    id: uuidv7(),
    companyId: administrator.companyId,
    administratorId: administrator.id,
    familyId,
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
  await endRefreshTokens(em, administrator);
  const change = { passwordHash, mustChangePassword: false };
  await endAccessTokens(em, credentials, administrator, change, administrator.passwordHash);
}
