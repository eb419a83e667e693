import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
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

export type IdempotencyKey = { readonly companyId: CompanyId; readonly operation: string; readonly key: string };

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

type ClaimRow = {
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
  const asked = claims.map(({ fingerprint, line, ...claim }) => ({
    ...keyJson(claim),
    fingerprint: fingerprint.toString('hex'),
    ...(line === undefined ? {} : { line: auditJson(line) }),
  }));
  const statement = `${select} idempotency_claims(?::jsonb, ?::interval, ?::interval) ${join}`;
  const rows = await executeBound<Row>(em, statement, [
    JSON.stringify(asked),
    LOCK,
    `${KEY_LIFETIME_HOURS} hours`,
    ...values,
  ]);
  return rowsFor(claims, rows).map((row) => {
    if (row === undefined) throw new Error('a claim has no result');
    return row;
  });
}

function outcomeOf(row: ClaimRow): ClaimResult {
  if (row.outcome === 'claimed') return { kind: 'claimed', commandId: row.command_id };
  if (row.outcome !== 'replay') return { kind: row.outcome };
  if (row.response_status === null || row.response_body === null) throw new Error('a replay without an answer');
  // The text was written by JSON.stringify, so the API makes the same text of its value.
  return { kind: 'replay', status: row.response_status, body: JSON.parse(row.response_body) };
}

/** An answered request: the response for repetitions, and the content of the audit log. `announced`: claimed with its line. */
export type Finished = { readonly answer: StoredAnswer; readonly line: AuditLine | 'announced' };

/**
 * Stores responses and writes the audit log, in one statement: both or neither. An announced line is written if the change has not
 * taken it: the command was carried out before, or there was nothing to change.
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

/**
 * Runs the work of those requests whose key was claimed in `em`'s transaction, stores the responses, and writes the audit log,
 * all in that transaction: effect, response and line are committed together, and a crash leaves none of them. `work` returns
 * results in the order of the requests. A refused request may be repeated under the same key, and has no line yet.
 */
export async function runClaimed<Item extends Once & { readonly outcome: ClaimResult }>(
  em: EntityManager,
  items: readonly Item[],
  work: (fresh: readonly (Item & { readonly commandId: CommandId })[]) => Promise<(Answer | Refusal)[]>,
): Promise<OnceOutcome[]> {
  const outcomes: OnceOutcome[] = [];
  const fresh: { readonly index: number; readonly item: Item & { readonly commandId: CommandId } }[] = [];
  for (const [index, item] of items.entries()) {
    const { outcome } = item;
    if (outcome.kind === 'claimed') fresh.push({ index, item: { ...item, commandId: outcome.commandId } });
    else outcomes[index] = outcome;
  }
  const results = await work(fresh.map(({ item }) => item));
  const finished: Finished[] = [];
  const refused: Claimed[] = [];
  for (const [at, { index, item }] of fresh.entries()) {
    const result = results[at];
    if (result === undefined) throw new Error('a request has no result');
    const claimed = { ...item.claim, commandId: item.commandId };
    if (result instanceof Refusal) {
      refused.push(claimed);
      outcomes[index] = result;
    } else {
      finished.push({ answer: { ...claimed, ...result }, line: item.auditLineOf(result) });
      outcomes[index] = { kind: 'answered', ...result };
    }
  }
  await finishAll(em, finished);
  await forgetClaims(em, refused);
  return outcomes;
}

function keyJson({ companyId, operation, key, commandId }: Claimed) {
  return { company_id: companyId, operation, key, command_id: commandId };
}
