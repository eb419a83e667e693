import { DriverException, type EntityManager } from '@mikro-orm/postgresql';
import { isRefusalCode, Refusal } from '../../domain/errors.ts';
import type { AccountId, TransactionId } from '../../domain/ids.ts';
import {
  type HoldChange,
  type Posting,
  type PostingRefusal,
  type PostingResult,
  TRANSACTION_TYPES,
} from '../../domain/ledger/postings.ts';
import { ledgerPostingSeconds, ledgerPostings, startAtZero } from '../../observability/metrics.ts';
import { executeBound } from '../core/bound.ts';
import type { Origin } from '../core/source.ts';

const OUTCOMES = ['posted', 'duplicate', 'refused'] satisfies PostingResult['kind'][];
startAtZero(ledgerPostings, { type: TRANSACTION_TYPES, outcome: OUTCOMES });

/** Thrown when the key of a posting is repeated with other content. Nothing of the call was posted. */
export class LedgerKeyConflict extends Error {
  override readonly name = 'LedgerKeyConflict';
}

/** The SQLSTATE with which `ledger_post` reports it. */
export const KEY_CONFLICT = 'LG001';

/** The maximum number of postings in one call of `ledger_post`. */
export const MAX_POSTINGS = 1_000;

type OutcomeRow = {
  kind: PostingResult['kind'];
  transaction_id: TransactionId;
  created_at_ms: string;
  code: PostingRefusal | null;
  account_id: AccountId | null;
  available: string | null;
  requested: string | null;
};

/**
 * Posts in the given order, in one round trip and in `em`'s transaction if it has one. Returns one outcome for each posting. A
 * refused posting fails alone and leaves no trace. At most `MAX_POSTINGS` at once. Each call takes its locks in order, but two calls
 * in one transaction take them in two rounds and can deadlock (PostgreSQL then aborts one of them). So a second call may lock only
 * accounts that the first has locked: a card payment's deposit locks the buyer's account, and then the escrow holds money on it.
 *
 * Throws `LedgerKeyConflict`, and PostgreSQL's own errors for input that a correct caller never sends (see `ledger_post`).
 */
export async function postToLedger(em: EntityManager, postings: readonly Posting[]): Promise<PostingResult[]> {
  if (postings.length === 0) return [];
  if (postings.length > MAX_POSTINGS) throw new RangeError(`at most ${MAX_POSTINGS} postings at once`);
  const stopwatch = ledgerPostingSeconds.startTimer();
  const rows = await post(em, JSON.stringify(postings.map((posting) => postingToJson(posting))));
  stopwatch();
  const outcomes = rows.map((row, index) => toOutcome(row, postings[index]));
  outcomes.forEach(({ kind }, index) => {
    ledgerPostings.inc({ type: postings[index]?.type, outcome: kind });
  });
  return outcomes;
}

async function post(em: EntityManager, postings: string): Promise<OutcomeRow[]> {
  try {
    return await executeBound<OutcomeRow>(
      em,
      `select kind, transaction_id, floor(extract(epoch from created_at) * 1000)::bigint as created_at_ms, code, account_id,
         available::text as available, requested::text as requested
       from ledger_post(?::jsonb)`,
      [postings],
    );
  } catch (error) {
    if (error instanceof DriverException && error.code === KEY_CONFLICT) {
      throw new LedgerKeyConflict(error.message, { cause: error });
    }
    throw error;
  }
}

/**
 * A posting in the form of `ledger_post`. `origin` is for the event of a deposit; absent: that of the transaction. Amounts are strings: JSON numbers would lose cents beyond
 * 2^53.
 */
export function postingToJson(posting: Posting, origin?: Origin): Record<string, unknown> {
  return {
    id: posting.transactionId,
    company_id: posting.companyId,
    key: posting.key,
    type: posting.type,
    status: posting.status,
    amount: posting.amountCents.toString(),
    currency: posting.currency,
    reference: posting.reference,
    escrow_id: posting.escrowId,
    metadata: posting.metadata,
    legs: posting.legs.map((leg) => ({ account_id: leg.accountId, amount: leg.amountCents.toString() })),
    holds: posting.holds.map(holdToJson),
    ...(origin === undefined ? {} : { request_id: origin.requestId, source: origin.source }),
  };
}

function holdToJson(change: HoldChange): Record<string, unknown> {
  const amount = change.kind === 'void' ? null : change.amountCents.toString();
  return { kind: change.kind, hold_id: change.holdId, account_id: change.accountId, amount };
}

function toOutcome(row: OutcomeRow, posting: Posting | undefined): PostingResult {
  if (row.kind === 'refused') {
    if (row.code === null) throw new Error('a refusal without a code');
    const { available, requested } = row;
    const details =
      available === null || requested === null || posting === undefined
        ? {}
        : { details: { available, requested, currency: posting.currency } };
    return { kind: 'refused', code: row.code, accountId: row.account_id, ...details };
  }
  return { kind: row.kind, transactionId: row.transaction_id, createdAt: new Date(Number(row.created_at_ms)) };
}

/** Posts all of them, or throws the first refusal. */
export async function postAll(em: EntityManager, postings: readonly Posting[]): Promise<void> {
  for (const outcome of await postToLedger(em, postings)) {
    if (outcome.kind !== 'refused') continue;
    if (!isRefusalCode(outcome.code)) throw new Error(`the ledger refused a posting: ${outcome.code}`);
    throw new Refusal(outcome.code, undefined, { details: outcome.details });
  }
}
