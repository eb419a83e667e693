import type { MikroORM } from '@mikro-orm/postgresql';
import type { ApiKeyId, CommandId, CompanyId } from '../domain/ids.ts';
import type { Role } from '../domain/roles.ts';
import { Batcher, type BatcherOptions } from './batcher.ts';

/** What every request asks of the database, asked for all who ask at the same time (batcher.ts). */

const BATCH: BatcherOptions = { maxItems: 100, maxInFlight: 2 };
/** How long whoever has claimed a key may work before another may take over. */
const LOCK = '60 seconds';
const LIFETIME = '24 hours';

export type FoundApiKey = {
  readonly id: ApiKeyId;
  readonly companyId: CompanyId;
  readonly role: Role;
  readonly isActive: boolean;
  readonly activeUntil: Date | null;
};

export type IdempotencyKey = { readonly companyId: CompanyId; readonly operation: string; readonly key: string };

export type Claim = IdempotencyKey & {
  readonly fingerprint: Buffer;
  /** Reserved for the work, if this is the first claim of the key. */
  readonly commandId: CommandId;
};

export type ClaimOutcome =
  /** The work is the caller's, under this command's id: its own, or that of a try before which never ended. */
  | { readonly kind: 'claimed'; readonly commandId: CommandId }
  | { readonly kind: 'replay'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'reused' }
  | { readonly kind: 'in_progress' };

export type StoredAnswer = IdempotencyKey & {
  readonly commandId: CommandId;
  readonly status: number;
  readonly body: unknown;
};

export type AuditLine = {
  readonly companyId: CompanyId;
  readonly actorKind: 'api_key' | 'administrator';
  readonly actorId: string;
  readonly actorRole: Role;
  readonly operation: string;
  readonly resource: string | null;
  readonly status: number;
  readonly ip: string;
  readonly requestId: string;
};

export type RequestStore = {
  /** The key with this hash; null where there is none. Whether it still works is the caller's to see. */
  readonly findApiKey: (keyHash: Buffer) => Promise<FoundApiKey | null>;
  readonly claim: (claim: Claim) => Promise<ClaimOutcome>;
  readonly finish: (answer: StoredAnswer) => Promise<void>;
  /** Gives a claim back. `mayHaveHappened`: the row stays, so that a retry resumes the same command. */
  readonly release: (key: IdempotencyKey, commandId: CommandId, mayHaveHappened: boolean) => Promise<void>;
  readonly audit: (line: AuditLine) => Promise<void>;
};

export function createRequestStore(orm: MikroORM): RequestStore {
  const keys = new Batcher((hashes: readonly Buffer[]) => findApiKeys(orm, hashes), BATCH);
  const claims = new Batcher((items: readonly Claim[]) => claimAll(orm, items), BATCH);
  const answers = new Batcher((items: readonly StoredAnswer[]) => finishAll(orm, items), BATCH);
  const lines = new Batcher((items: readonly AuditLine[]) => auditAll(orm, items), BATCH);
  return {
    findApiKey: (keyHash) => keys.submit(keyHash),
    claim: (claim) => claims.submit(claim),
    finish: (answer) => answers.submit(answer),
    audit: (line) => lines.submit(line),
    async release({ companyId, operation, key }, commandId, mayHaveHappened) {
      const row = [companyId, operation, key, commandId, mayHaveHappened];
      await orm.em.fork().execute('select idempotency_release(?, ?, ?, ?, ?)', row);
    },
  };
}

type KeyRow = {
  ordinal: string;
  id: ApiKeyId;
  company_id: CompanyId;
  role: Role;
  is_active: boolean;
  active_until: Date | null;
};

async function findApiKeys(orm: MikroORM, hashes: readonly Buffer[]): Promise<(FoundApiKey | null)[]> {
  const rows = await orm.em
    .fork()
    .execute<KeyRow[]>('select * from auth_api_keys(?::text[])', [
      `{${hashes.map((hash) => hash.toString('hex')).join(',')}}`,
    ]);
  const found = new Map(rows.map((row) => [Number(row.ordinal), row]));
  return hashes.map((_, index) => {
    const row = found.get(index + 1);
    if (row === undefined) return null;
    return {
      id: row.id,
      companyId: row.company_id,
      role: row.role,
      isActive: row.is_active,
      activeUntil: row.active_until === null ? null : new Date(row.active_until),
    };
  });
}

type ClaimRow = {
  ordinal: string;
  outcome: ClaimOutcome['kind'];
  command_id: CommandId;
  response_status: number | null;
  response_body: unknown;
};

async function claimAll(orm: MikroORM, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  const asked = claims.map(({ companyId, operation, key, fingerprint, commandId }) => ({
    company_id: companyId,
    operation,
    key,
    fingerprint: fingerprint.toString('hex'),
    command_id: commandId,
  }));
  const rows = await orm.em
    .fork()
    .execute<ClaimRow[]>('select * from idempotency_claims(?::jsonb, ?::interval, ?::interval)', [
      JSON.stringify(asked),
      LOCK,
      LIFETIME,
    ]);
  const found = new Map(rows.map((row) => [Number(row.ordinal), row]));
  return claims.map((_, index) => {
    const row = found.get(index + 1);
    if (row === undefined) throw new Error('a claim was not answered');
    if (row.outcome === 'claimed') return { kind: 'claimed', commandId: row.command_id };
    if (row.outcome !== 'replay') return { kind: row.outcome };
    if (row.response_status === null) throw new Error('a replay without a status');
    return { kind: 'replay', status: row.response_status, body: row.response_body };
  });
}

async function finishAll(orm: MikroORM, answers: readonly StoredAnswer[]): Promise<undefined[]> {
  const rows = answers.map(({ companyId, operation, key, commandId, status, body }) => ({
    company_id: companyId,
    operation,
    key,
    command_id: commandId,
    status,
    body,
  }));
  await orm.em.fork().execute('select idempotency_finishes(?::jsonb)', [JSON.stringify(rows)]);
  return answers.map(() => undefined);
}

async function auditAll(orm: MikroORM, lines: readonly AuditLine[]): Promise<undefined[]> {
  const rows = lines.map((line) => ({
    company_id: line.companyId,
    actor_kind: line.actorKind,
    actor_id: line.actorId,
    actor_role: line.actorRole,
    operation: line.operation,
    resource: line.resource,
    status: line.status,
    ip: line.ip,
    request_id: line.requestId,
  }));
  await orm.em.fork().execute('select audit_writes(?::jsonb)', [JSON.stringify(rows)]);
  return lines.map(() => undefined);
}
