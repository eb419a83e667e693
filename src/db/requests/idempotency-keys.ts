import type { EntityManager } from '@mikro-orm/postgresql';
import type { Refusal } from '../../domain/errors.ts';
import type { CommandId, CompanyId } from '../../domain/ids.ts';
import { rowsFor } from '../core/batcher.ts';
import { executeBound } from '../core/bound.ts';
import { type AuditLine, auditJson } from './audit-log.ts';

/**
 * Idempotency keys of clients: a key is claimed before the work, and repetitions receive the stored response. Each function
 * handles many requests in one call, and runs in `em`'s transaction if it has one.
 */

/** How long the work of a claimed key may take before another request may take it over. */
const LOCK = '60 seconds';
export const KEY_LIFETIME_HOURS = 24;
export const CLAIM_LIMITS = [LOCK, `${KEY_LIFETIME_HOURS} hours`] as const;

type IdempotencyKey = { readonly companyId: CompanyId; readonly operation: string; readonly key: string };

export type Claim = IdempotencyKey & {
  readonly fingerprint: Buffer;
  /** The command id for the work, if this is the first claim of the key. */
  readonly commandId: CommandId;
  /** Announced if the key is claimed, for work that others write under the command's id. */
  readonly line?: AuditLine;
};

export type Answer = { readonly status: number; readonly body: unknown };

/** The reasons for which a claim is not granted. */
export type Unclaimed =
  | ({ readonly kind: 'replay' } & Answer)
  | { readonly kind: 'reused' }
  | { readonly kind: 'in_progress' };

export type ClaimResult =
  /** The caller does the work, under this command id: its own, or that of an earlier attempt that never ended. */
  { readonly kind: 'claimed'; readonly commandId: CommandId } | Unclaimed;

export type Claimed = IdempotencyKey & { readonly commandId: CommandId };

type StoredAnswer = Claimed & Answer;

/** The result of an idempotent request: refused, answered now, or not granted. */
export type OnceOutcome = Refusal | ({ readonly kind: 'answered' } & Answer) | Unclaimed;

export type ClaimRow = {
  ordinal: string;
  outcome: ClaimResult['kind'];
  command_id: CommandId;
  response_status: number | null;
  response_body: string | null;
};

export async function claimKeys(em: EntityManager, claims: readonly Claim[]): Promise<ClaimResult[]> {
  return (await askForKeys<ClaimRow>(em, claims, 'select * from')).map(outcomeOf);
}

/** Rows that the call which claims the keys reads too: at most one for each claim, with its ordinal. */
export type JoinedLookup = { readonly rows: string; readonly values: readonly string[] };

/** Claims keys and reads other rows, in one round trip. `found` is null if there is no such row. */
export async function claimKeysWithLookup<Row>(
  em: EntityManager,
  claims: readonly Claim[],
  { rows, values }: JoinedLookup,
): Promise<{ readonly outcome: ClaimResult; readonly found: Row | null }[]> {
  const answers = await askForKeys<ClaimRow & { found: Row | null }>(
    em,
    claims,
    'select claim.*, to_jsonb(joined) as found from',
    `claim left join ${rows} joined using (ordinal)`,
    values,
  );
  return answers.map((answer) => ({ outcome: outcomeOf(answer), found: answer.found }));
}

async function askForKeys<Row extends ClaimRow>(
  em: EntityManager,
  claims: readonly Claim[],
  select: string,
  join = '',
  values: readonly string[] = [],
): Promise<Row[]> {
  const statement = `${select} idempotency_claims(?::jsonb, ?::interval, ?::interval) ${join}`;
  const rows = await executeBound<Row>(em, statement, [
    JSON.stringify(claims.map(claimJson)),
    ...CLAIM_LIMITS,
    ...values,
  ]);
  return rowsFor(claims, rows).map((row) => {
    if (row === undefined) throw new Error('a claim has no result');
    return row;
  });
}

type UnclaimedRow = ClaimRow & { readonly outcome: Unclaimed['kind'] };

export function outcomeOf(row: UnclaimedRow): Unclaimed;
export function outcomeOf(row: ClaimRow): ClaimResult;
export function outcomeOf(row: ClaimRow): ClaimResult {
  if (row.outcome === 'claimed') return { kind: 'claimed', commandId: row.command_id };
  if (row.outcome !== 'replay') return { kind: row.outcome };
  if (row.response_status === null || row.response_body === null) throw new Error('a replay without an answer');
  // The text was written by JSON.stringify, so the API makes the same text of its value.
  return { kind: 'replay', status: row.response_status, body: JSON.parse(row.response_body) };
}

/** An answered request: the response for repetitions, and the content of the audit log. `announced`: claimed with its line. */
export type Finished = { readonly answer: StoredAnswer; readonly line: AuditLine | 'announced' };

/**
 * Stores responses and writes the audit log, in one statement: both or neither. A response that is stored already stays
 * (402-erased-repetitions.sql). An announced line is written if the change has not taken it: the command was carried out before, or
 * there was nothing to change.
 */
export async function finishAll(em: EntityManager, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return;
  const answers = finished.map(({ answer: { status, body, ...key } }) => ({
    ...keyJson(key),
    status,
    body: JSON.stringify(body),
  }));
  const lines = finished.flatMap(({ line }) => (line === 'announced' ? [] : [auditJson(line)]));
  const announced = finished.flatMap(({ line, answer }) => (line === 'announced' ? [keyJson(answer)] : []));
  await executeBound(em, 'select idempotency_finishes(?::jsonb), audit_writes(?::jsonb), audit_announced(?::jsonb)', [
    JSON.stringify(answers),
    JSON.stringify(lines),
    JSON.stringify(announced),
  ]);
}

/** Releases claims, as if they had never been made. */
export async function forgetClaims(em: EntityManager, claims: readonly Claimed[]): Promise<void> {
  if (claims.length === 0) return;
  await em.execute('select idempotency_forget(?::jsonb)', [JSON.stringify(claims.map(keyJson))]);
}

/** Releases a claim whose work may have had an effect: a retry resumes the same command at once. */
export async function unlockClaim(em: EntityManager, { companyId, operation, key, commandId }: Claimed): Promise<void> {
  await em.execute('select idempotency_unlock(?, ?, ?, ?)', [companyId, operation, key, commandId]);
}

/** An idempotent request: its key, and the content of its line in the audit log. */
export type Once = { readonly claim: Claim; readonly auditLineOf: (answer: Answer) => AuditLine };

/** A claim in the form of `idempotency_claims`. */
export function claimJson({ fingerprint, line, ...claim }: Claim) {
  return {
    ...keyJson(claim),
    fingerprint: fingerprint.toString('hex'),
    ...(line === undefined ? {} : { line: auditJson(line) }),
  };
}

function keyJson({ companyId, operation, key, commandId }: Claimed) {
  return { company_id: companyId, operation, key, command_id: commandId };
}
