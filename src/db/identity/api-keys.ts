import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { ApiKeyId, CompanyId } from '../../domain/ids.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import { rowsFor } from '../core/batcher.ts';
import { textArray } from '../core/bound.ts';
import { readUntied } from '../core/orm.ts';
import type { CredentialProof } from './credential-proof.ts';

/** How requests find API keys: by their hash, or by their visible characters. */

export type FoundApiKey = {
  readonly id: ApiKeyId;
  readonly companyId: CompanyId;
  readonly role: Role;
  readonly permissions: readonly Permission[] | null;
  readonly isActive: boolean;
  readonly activeUntil: Date | null;
  readonly expiresAt: Date | null;
  /** Whether a use within the last minute is noted. */
  readonly isUseNoted: boolean;
};

export type UsedKey = Pick<FoundApiKey, 'id' | 'companyId'>;

/** Notes uses of keys. One that another transaction changes meanwhile is skipped. */
export async function noteKeyUses(em: EntityManager, used: readonly UsedKey[]): Promise<void> {
  await em.execute('select auth_api_keys_used(?::uuid[], ?::uuid[])', [
    textArray(used.map(({ companyId }) => companyId)),
    textArray(used.map(({ id }) => id)),
  ]);
}

type KeyRow = {
  ordinal: string;
  id: ApiKeyId;
  company_id: CompanyId;
  role: Role;
  permissions: Permission[] | null;
  expires_at: Date | null;
  proof: string;
  is_active: boolean;
  active_until: Date | null;
  is_use_noted: boolean;
};

/** The keys with these hashes; null where there is none, or where the row has no valid proof. */
export async function findApiKeys(
  orm: MikroORM,
  credentials: CredentialProof,
  hashes: readonly Buffer[],
): Promise<(FoundApiKey | null)[]> {
  // Concurrent requests often have the same key: it is read and verified once for all of them.
  const names = hashes.map((hash) => hash.toString('hex'));
  const distinct = [...new Set(names)];
  const rows = await readUntied(orm, (em) =>
    em.execute<KeyRow[]>('select * from auth_api_keys(?::text[])', [textArray(distinct)]),
  );
  const found = rowsFor(distinct, rows).map((row, index) => provenKey(credentials, distinct[index], row));
  const byName = new Map(distinct.map((name, index) => [name, found[index] ?? null]));
  return names.map((name) => byName.get(name) ?? null);
}

function provenKey(
  credentials: CredentialProof,
  hash: string | undefined,
  row: KeyRow | undefined,
): FoundApiKey | null {
  if (row === undefined || hash === undefined) return null;
  const expiresAt = row.expires_at === null ? null : new Date(row.expires_at);
  const claims = { id: row.id, companyId: row.company_id, role: row.role, permissions: row.permissions, expiresAt };
  if (!credentials.provesApiKey({ ...claims, keyHash: Buffer.from(hash, 'hex'), proof: row.proof })) return null;
  return {
    ...claims,
    isActive: row.is_active,
    activeUntil: row.active_until === null ? null : new Date(row.active_until),
    isUseNoted: row.is_use_noted,
  };
}

const KEY_PREFIX = /^[A-Za-z0-9]{8}$/;

export async function findApiKeyByPrefix(orm: MikroORM, keyPrefix: string) {
  if (!KEY_PREFIX.test(keyPrefix)) return null;
  const [row] = await orm.em
    .fork()
    .execute<Pick<KeyRow, 'id' | 'company_id' | 'role'>[]>('select * from auth_api_key_by_prefix(?)', [keyPrefix]);
  return row === undefined ? null : { id: row.id, companyId: row.company_id, role: row.role };
}
