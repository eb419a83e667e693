import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { CommandId, CompanyId } from '../../domain/ids.ts';
import { answersTo } from '../core/batcher.ts';
import { type AuditLine, auditJson } from './audit-log.ts';

/**
 * Keys that clients send so that a request is done once: claimed before its work, and answered again with what was stored after it.
 * All of it for many requests in one call, and in `em`'s transaction if it has one.
 */

/** How long whoever has claimed a key may work before another may take over. */
const LOCK = '60 seconds';
const LIFETIME = '24 hours';

export type IdempotencyKey = { readonly companyId: CompanyId; readonly operation: string; readonly key: string };

export type Claim = IdempotencyKey & {
  readonly fingerprint: Buffer;
  /** Reserved for the work, if this is the first claim of the key. */
  readonly commandId: CommandId;
};

export type Answer = { readonly status: number; readonly body: unknown };

/** Why a claim is not the caller's to work on. */
export type Unclaimed =
  | ({ readonly kind: 'replay' } & Answer)
  | { readonly kind: 'reused' }
  | { readonly kind: 'in_progress' };

export type ClaimOutcome =
  /** The work is the caller's, under this command's id: its own, or that of a try before which never ended. */
  { readonly kind: 'claimed'; readonly commandId: CommandId } | Unclaimed;

export type Claimed = IdempotencyKey & { readonly commandId: CommandId };

type StoredAnswer = Claimed & Answer;

/** What became of a request that was done once: refused, answered now, or not the caller's to do. */
export type OnceOutcome = Refusal | ({ readonly kind: 'answered' } & Answer) | Unclaimed;

type ClaimRow = {
  ordinal: string;
  outcome: ClaimOutcome['kind'];
  command_id: CommandId;
  response_status: number | null;
  response_body: unknown;
};

export async function claimKeys(em: EntityManager, claims: readonly Claim[]): Promise<ClaimOutcome[]> {
  return (await askForKeys<ClaimRow>(em, claims, 'select * from')).map(outcomeOf);
}

/** Rows that are asked for in the same call as keys are claimed: at most one for each claim, with its ordinal. */
export type JoinedLookup = { readonly rows: string; readonly values: readonly unknown[] };

/** Claims keys and asks for something else, in one round trip. `found` is null where there is no such row. */
export async function claimKeysWithLookup<Row>(
  em: EntityManager,
  claims: readonly Claim[],
  { rows, values }: JoinedLookup,
): Promise<{ readonly outcome: ClaimOutcome; readonly found: Row | null }[]> {
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
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const asked = claims.map(({ fingerprint, ...claim }) => ({
    ...keyJson(claim),
    fingerprint: fingerprint.toString('hex'),
  }));
  const rows = await em.execute<Row[]>(`${select} idempotency_claims(?::jsonb, ?::interval, ?::interval) ${join}`, [
    JSON.stringify(asked),
    LOCK,
    LIFETIME,
    ...values,
  ]);
  return answersTo(claims, rows).map((row) => {
    if (row === undefined) throw new Error('a claim was not answered');
    return row;
  });
}

function outcomeOf(row: ClaimRow): ClaimOutcome {
  if (row.outcome === 'claimed') return { kind: 'claimed', commandId: row.command_id };
  if (row.outcome !== 'replay') return { kind: row.outcome };
  if (row.response_status === null) throw new Error('a replay without a status');
  return { kind: 'replay', status: row.response_status, body: row.response_body };
}

/** A request that was answered: what a repetition is told, and what the audit log says. */
export type Finished = { readonly answer: StoredAnswer; readonly line: AuditLine };

/** Stores answers and writes the audit log, in one statement: both, or neither. */
export async function finishAll(em: EntityManager, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return;
  const answers = finished.map(({ answer: { status, body, ...key } }) => ({ ...keyJson(key), status, body }));
  const lines = finished.map(({ line }) => auditJson(line));
  await em.execute('select idempotency_finishes(?::jsonb), audit_writes(?::jsonb)', [
    JSON.stringify(answers),
    JSON.stringify(lines),
  ]);
}

/** Gives claims back, as if they had never been made. */
export async function forgetClaims(em: EntityManager, claims: readonly Claimed[]): Promise<void> {
  if (claims.length === 0) return;
  await em.execute('select idempotency_forget(?::jsonb)', [JSON.stringify(claims.map(keyJson))]);
}

/** Gives a claim back whose work may have had an effect: a retry takes up the same command, at once. */
export async function unlockClaim(em: EntityManager, { companyId, operation, key, commandId }: Claimed): Promise<void> {
  await em.execute('select idempotency_unlock(?, ?, ?, ?)', [companyId, operation, key, commandId]);
}

/** A request that is done once: its key, and what the audit log says of it. */
export type Once = { readonly claim: Claim; readonly auditLineOf: (answer: Answer) => AuditLine };

/**
 * Has the work of those requests done whose key was claimed in `em`'s transaction, stores its answers, and writes the audit log, all in
 * that transaction: where the effect is, the answer and the line are, and a crash leaves none of them. `work` answers in the
 * order it was asked; what it refuses, may be asked again under the same key, and has no line yet.
 */
export async function carryOutClaimed<Item extends Once & { readonly outcome: ClaimOutcome }>(
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
    if (result === undefined) throw new Error('a request was not answered');
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
