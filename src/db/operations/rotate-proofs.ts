import type { MikroORM } from '@mikro-orm/postgresql';
import { BEFORE_ALL_ROWS, type RowKey } from '../../domain/ids.ts';
import type { AdministratorClaims, ApiKeyClaims, CredentialProof } from '../identity/credential-proof.ts';
import { MAX_PASSES, ROTATION_BATCH_ROWS } from './rotate-keys.ts';

type ProofRotation = {
  readonly table: 'administrator' | 'api_key';
  readonly rotated: number;
  /** The rows that the service did not write. They stay as they are, and their credentials are refused. */
  readonly unproven: number;
};

type Table<Claims> = {
  readonly name: ProofRotation['table'];
  /** The columns of the claims, and the rows that can still be a credential. */
  readonly columns: string;
  readonly isWorking: string;
  readonly isProven: (row: Claims & { proof: string }) => boolean;
  readonly proofOf: (row: Claims) => string;
};

type Batch = {
  readonly rotated: number;
  readonly unproven: number;
  readonly last: RowKey | undefined;
};

/**
 * Signs the rows of administrators and API keys with the current key, if their proof is valid. May be interrupted, run again, and
 * run while the service works. Throws if valid rows with other keys keep appearing.
 */
export async function rotateProofs(orm: MikroORM, credentials: CredentialProof): Promise<readonly ProofRotation[]> {
  const administrators: Table<AdministratorClaims> = {
    name: 'administrator',
    columns: `id, company_id as "companyId", role, email, password_hash as "passwordHash",
      must_change_password as "mustChangePassword", token_version as "tokenVersion", totp_enabled as "totpEnabled",
      recovery_hashes as "recoveryHashes", factor_version as "factorVersion"`,
    isWorking: 'removed_at is null',
    isProven: (row) => credentials.provesAdministrator(row),
    proofOf: (row) => credentials.ofAdministrator(row),
  };
  const apiKeys: Table<ApiKeyClaims> = {
    name: 'api_key',
    columns: 'id, company_id as "companyId", role, permissions, expires_at as "expiresAt", key_hash as "keyHash"',
    isWorking: 'is_active',
    isProven: (row) => credentials.provesApiKey(row),
    proofOf: (row) => credentials.ofApiKey(row),
  };
  return [
    await rotateTable(orm, administrators, credentials.currentKeyId),
    await rotateTable(orm, apiKeys, credentials.currentKeyId),
  ];
}

async function rotateTable<Claims extends RowKey>(
  orm: MikroORM,
  table: Table<Claims>,
  keyId: string,
): Promise<ProofRotation> {
  let rotated = 0;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    let found = 0;
    let unproven = 0;
    for (let after: RowKey | undefined = BEFORE_ALL_ROWS; after !== undefined; ) {
      const batch: Batch = await rotateBatch(orm, table, keyId, after);
      found += batch.rotated;
      unproven += batch.unproven;
      after = batch.last;
    }
    rotated += found;
    if (found === 0) return { table: table.name, rotated, unproven };
  }
  throw new Error(`${table.name} keeps getting rows with other keys. Restart processes that still use an old key.`);
}

async function rotateBatch<Claims extends RowKey>(
  orm: MikroORM,
  { name, columns, isWorking, isProven, proofOf }: Table<Claims>,
  keyId: string,
  after: RowKey,
): Promise<Batch> {
  return orm.em.fork().transactional(async (em) => {
    const rows = await em.execute<(Claims & { proof: string })[]>(
      `select ${columns}, proof from ${name}
       where (company_id, id) > (?, ?) and split_part(proof, '.', 1) <> ? and ${isWorking}
       order by company_id, id limit ? for update`,
      [after.companyId, after.id, keyId, ROTATION_BATCH_ROWS],
    );
    const proven = rows.filter(isProven);
    await em.execute(
      `update ${name} t set proof = c.proof from jsonb_to_recordset(?::jsonb) as c (company_id uuid, id uuid, proof text)
       where t.company_id = c.company_id and t.id = c.id`,
      [JSON.stringify(proven.map((row) => ({ company_id: row.companyId, id: row.id, proof: proofOf(row) })))],
    );
    const last = rows.length < ROTATION_BATCH_ROWS ? undefined : rows.at(-1);
    return { rotated: proven.length, unproven: rows.length - proven.length, last };
  });
}
