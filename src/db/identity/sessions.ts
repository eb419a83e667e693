import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import type { AdministratorId, CompanyId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';
import { inTenant } from '../core/orm.ts';
import { Administrator, RefreshToken } from '../entities/tenancy.ts';

/** Refresh tokens: one family per login; each token can be used once. */

/** The data of an administrator of any company that login and refresh need. */
export type AdministratorIdentity = {
  readonly id: AdministratorId;
  readonly companyId: CompanyId;
  readonly role: Role;
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
  readonly tokenVersion: number;
};

type IdentityRecord = {
  id: AdministratorId;
  company_id: CompanyId;
  role: Role;
  password_hash: string;
  must_change_password: boolean;
  token_version: number;
};

/** The administrator with this id or e-mail address who is not removed; null if there is none. */
export async function findAdministrator(
  em: EntityManager,
  by: { id: AdministratorId } | { email: string },
): Promise<AdministratorIdentity | null> {
  const [row] = await em.execute<IdentityRecord[]>('select * from auth_administrator(?::uuid, ?::text)', [
    'id' in by ? by.id : null,
    'email' in by ? by.email : null,
  ]);
  if (row === undefined) return null;
  return {
    id: row.id,
    companyId: row.company_id,
    role: row.role,
    passwordHash: row.password_hash,
    mustChangePassword: row.must_change_password,
    tokenVersion: row.token_version,
  };
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
  | { readonly kind: 'refused' };

/**
 * Exchanges a refresh token for the next one of its family. An unknown or expired token, or one of another administrator, is
 * refused. A used token is refused, and revokes the whole family and all access tokens of the administrator, because one of the
 * two users of the token stole it.
 */
export async function rotateSession(
  orm: MikroORM,
  presented: { hash: Buffer; administratorId: AdministratorId },
  next: { hash: Buffer; lifetimeSeconds: number },
): Promise<Rotation> {
  const em = orm.em.fork();
  const [found] = await em.execute<
    { id: string; company_id: CompanyId; administrator_id: AdministratorId; family_id: string }[]
  >('select * from auth_refresh_token(?)', [presented.hash]);
  if (found === undefined || found.administrator_id !== presented.administratorId) return { kind: 'refused' };
  const administrator = await findAdministrator(em, { id: found.administrator_id });
  if (administrator === null) return { kind: 'refused' };
  return inTenant(orm, found.company_id, async (tenantEm) => {
    const now = new Date();
    const used = await tenantEm.nativeUpdate(
      RefreshToken,
      { id: found.id, usedAt: null, revokedAt: null, expiresAt: { $gt: now } },
      { usedAt: now },
    );
    if (used === 1) {
      await insertToken(tenantEm, administrator, found.family_id, next);
      return { kind: 'rotated', administrator };
    }
    const wasUsed = (await tenantEm.count(RefreshToken, { id: found.id, usedAt: { $ne: null } })) === 1;
    if (wasUsed) {
      await tenantEm.nativeUpdate(RefreshToken, { familyId: found.family_id, revokedAt: null }, { revokedAt: now });
      await endAccessTokens(tenantEm, found.administrator_id);
    }
    return { kind: 'refused' };
  });
}

/** Ends all sessions of an administrator: refresh tokens and, through the token version, access tokens. */
export async function endSessions(em: EntityManager, administratorId: AdministratorId): Promise<void> {
  await em.nativeUpdate(RefreshToken, { administratorId, revokedAt: null }, { revokedAt: new Date() });
  await endAccessTokens(em, administratorId);
}

/** Ends the access tokens of all sessions; sessions with a valid refresh token can get new ones. */
async function endAccessTokens(em: EntityManager, administratorId: AdministratorId): Promise<void> {
  await em.execute('update administrator set token_version = token_version + 1 where id = ?', [administratorId]);
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

/** Replaces a password and ends all sessions from before. */
export async function changePassword(
  em: EntityManager,
  administratorId: AdministratorId,
  passwordHash: string,
): Promise<void> {
  await em.nativeUpdate(Administrator, { id: administratorId }, { passwordHash, mustChangePassword: false });
  await endSessions(em, administratorId);
}
