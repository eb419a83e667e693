import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../domain/errors.ts';
import type { CommandId, CompanyId } from '../domain/ids.ts';
import { type AuditLine, writeAuditLines } from './audit-log.ts';
import { answersTo } from './batcher.ts';

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

export type StoredAnswer = Claimed & Answer;

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
  const asked = claims.map(({ fingerprint, ...claim }) => ({
    ...keyJson(claim),
    fingerprint: fingerprint.toString('hex'),
  }));
  const rows = await em.execute<ClaimRow[]>('select * from idempotency_claims(?::jsonb, ?::interval, ?::interval)', [
    JSON.stringify(asked),
    LOCK,
    LIFETIME,
  ]);
  return answersTo(claims, rows).map((row) => {
    if (row === undefined) throw new Error('a claim was not answered');
    if (row.outcome === 'claimed') return { kind: 'claimed', commandId: row.command_id };
    if (row.outcome !== 'replay') return { kind: row.outcome };
    if (row.response_status === null) throw new Error('a replay without a status');
    return { kind: 'replay', status: row.response_status, body: row.response_body };
  });
}

export async function storeAnswers(em: EntityManager, answers: readonly StoredAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map(({ status, body, ...key }) => ({ ...keyJson(key), status, body }));
  await em.execute('select idempotency_finishes(?::jsonb)', [JSON.stringify(rows)]);
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
 * Claims keys, has the work of those that are new done, stores its answers, and writes the audit log, all in `em`'s transaction:
 * where the effect is, the answer and the line are, and a crash leaves none of them. `work` answers in the order it was
 * asked; what it refuses, may be asked again under the same key, and has no line yet.
 */
export async function onceAll<Item extends Once>(
  em: EntityManager,
  items: readonly Item[],
  work: (fresh: readonly (Item & { readonly commandId: CommandId })[]) => Promise<(Answer | Refusal)[]>,
): Promise<OnceOutcome[]> {
  const outcomes: OnceOutcome[] = [];
  const fresh: { readonly index: number; readonly item: Item & { readonly commandId: CommandId } }[] = [];
  const claims = await claimKeys(
    em,
    items.map(({ claim }) => claim),
  );
  for (const [index, item] of items.entries()) {
    const outcome = claims[index] as ClaimOutcome; // as many as items
    if (outcome.kind === 'claimed') fresh.push({ index, item: { ...item, commandId: outcome.commandId } });
    else outcomes[index] = outcome;
  }
  const results = await work(fresh.map(({ item }) => item));
  const answered: StoredAnswer[] = [];
  const lines: AuditLine[] = [];
  const refused: Claimed[] = [];
  for (const [at, { index, item }] of fresh.entries()) {
    const result = results[at];
    if (result === undefined) throw new Error('a request was not answered');
    const claimed = { ...item.claim, commandId: item.commandId };
    if (result instanceof Refusal) {
      refused.push(claimed);
      outcomes[index] = result;
    } else {
      answered.push({ ...claimed, ...result });
      lines.push(item.auditLineOf(result));
      outcomes[index] = { kind: 'answered', ...result };
    }
  }
  await storeAnswers(em, answered);
  await writeAuditLines(em, lines);
  await forgetClaims(em, refused);
  return outcomes;
}

function keyJson({ companyId, operation, key, commandId }: Claimed) {
  return { company_id: companyId, operation, key, command_id: commandId };
}
