import type { RefusalDetails } from '../errors.ts';
import type { AccountId, CompanyId, EscrowId, HoldId, TransactionId } from '../ids.ts';
import { type Currency, sumCents } from '../money.ts';

/**
 * A posting is one ledger transaction: balanced legs, and its changes to holds. It is a plain value; the database's posting
 * function (called in db/ledger/post.ts) applies it in one round trip, or refuses it as a whole.
 */

export const TRANSACTION_TYPES = [
  'DEPOSIT',
  'ESCROW_HOLD',
  'PAYMENT',
  'REFUND',
  'WITHDRAWAL',
  'REVERSAL',
  'BANK_CAPTURE',
  'ADJUSTMENT',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const TRANSACTION_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REVERSED', 'CANCELLED'] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** A positive amount credits the account, a negative one debits it. Balance = credits − debits. */
export type Leg = { readonly accountId: AccountId; readonly amountCents: bigint };

/**
 * Two-phase money. `place` locks an amount; `capture` uses part of the lock for a debit leg of the same posting; `void` unlocks
 * the rest and closes the hold.
 */
export type HoldChange =
  | { readonly kind: 'place'; readonly holdId: HoldId; readonly accountId: AccountId; readonly amountCents: bigint }
  | { readonly kind: 'capture'; readonly holdId: HoldId; readonly accountId: AccountId; readonly amountCents: bigint }
  | { readonly kind: 'void'; readonly holdId: HoldId; readonly accountId: AccountId };

export type Posting = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  /** Exactly-once: a second posting of a company with the same key and content changes nothing. */
  readonly key: string;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly reference: string | null;
  readonly escrowId: EscrowId | null;
  /** Visible to clients as the transaction's `metadata`. Ignored when two postings are compared. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly legs: readonly Leg[];
  readonly holds: readonly HoldChange[];
};

/** Why the ledger refuses a posting; a refused posting leaves no trace. */
const POSTING_REFUSALS = [
  'insufficient_funds',
  'account_frozen',
  'currency_mismatch',
  'hold_not_open',
  'hold_exceeded',
  'unknown_account',
  'amount_too_large',
] as const;
export type PostingRefusal = (typeof POSTING_REFUSALS)[number];

export type PostingResult =
  | { readonly kind: 'posted'; readonly transactionId: TransactionId; readonly createdAt: Date }
  /** The same key and content was posted before; `transactionId` is the id of that posting. */
  | { readonly kind: 'duplicate'; readonly transactionId: TransactionId; readonly createdAt: Date }
  | {
      readonly kind: 'refused';
      readonly code: PostingRefusal;
      readonly accountId: AccountId | null;
      /**
       * With `insufficient_funds`: the available balance of the account before the posting, and by how much the posting would
       * have changed it. Absent where an intermediate sum is beyond what an account can hold.
       */
      readonly details?: RefusalDetails | undefined;
    };

/** Builds a posting and asserts its invariants: balanced, zero-free, positive. Throws if one is violated. */
export function posting(fields: Posting): Posting {
  if (sumCents(fields.legs.map((leg) => leg.amountCents)) !== 0n) throw new Error(`unbalanced posting ${fields.key}`);
  if (fields.legs.some((leg) => leg.amountCents === 0n)) throw new Error(`empty leg in posting ${fields.key}`);
  if (fields.amountCents < 0n) throw new Error(`negative posting ${fields.key}`);
  return fields;
}

/** A leg, or none if the amount is zero: fees and payouts of zero create no entry. */
export function leg(accountId: AccountId, amountCents: bigint): Leg[] {
  return amountCents === 0n ? [] : [{ accountId, amountCents }];
}
