import { type AccountId, type BankEntryId, type CompanyId, idMadeBy, publicId } from '../ids.ts';
import type { Currency } from '../money.ts';
import { leg, type Posting, posting } from './postings.ts';

/** The statement of a bank account, as the bank sends it, and how its entries settle what the gateway and mobile money reported. */

export type BankStatement = {
  /** The IBAN, or the bank's own number of the account. */
  readonly account: string;
  readonly currency: Currency;
  /** The bank's id of the statement. */
  readonly number: string;
  /** Dates such as 2026-01-31, in the bank's own calendar. */
  readonly from: string;
  readonly to: string;
  readonly openingCents: bigint;
  readonly closingCents: bigint;
};

/** A part of an entry. An entry that is a batch has a part for each of its payments, any other entry has one. */
export type BankLine = {
  /** The entry: the same in whatever file it comes. */
  readonly key: string;
  /** Its place in the entry, from 1. */
  readonly part: number;
  /** As the bank writes it: a credit increases the balance of the bank account. */
  readonly direction: 'CREDIT' | 'DEBIT';
  /** Decimal cents, because lines cross a thread as JSON. */
  readonly amount: string;
  readonly date: string;
  readonly valueDate: string | null;
  /** The bank's id of the entry. */
  readonly bankReference: string | null;
  readonly endToEndId: string | null;
  /** What the payer wrote. */
  readonly reference: string | null;
  readonly isReversal: boolean;
  /** All texts by which it may be matched, in lower case. */
  readonly search: readonly string[];
};

export const BANK_MATCH_KINDS = [
  'CAPTURE',
  'PAYOUT',
  'REVERSAL',
  'INTERCOMPANY',
  'CARD_SETTLEMENT',
  'MOBILE_SETTLEMENT',
  'FEE',
] as const;
export type BankMatchKind = (typeof BANK_MATCH_KINDS)[number];
/** Matches that move money from a clearing account to the bank. */
export type ProviderSettlement = Extract<BankMatchKind, 'CARD_SETTLEMENT' | 'MOBILE_SETTLEMENT'>;
export const SETTLED_ACCOUNT = {
  CARD_SETTLEMENT: 'CLEARING_CARD',
  MOBILE_SETTLEMENT: 'CLEARING_MOBILE',
} as const satisfies Record<ProviderSettlement, string>;

/** As references are compared where money is matched: without case and outer white space. */
export function comparable(text: string): string {
  return text.trim().toLowerCase();
}

/** A payment on a clearing account, or with a negative amount what was taken back of one. */
export type Cleared = { readonly entryId: string; readonly amountCents: bigint };
type CardSettlement = { readonly grossCents: bigint; readonly upTo: string };

const BASIS = 10_000n;

/**
 * The payments that a settlement of `netCents` pays: the fewest, oldest first, whose sum exceeds it by no more than the gateway's
 * fee. Null if there are none.
 */
export function settledBy(
  oldestFirst: readonly Cleared[],
  netCents: bigint,
  maxFeeBasisPoints: number,
): CardSettlement | null {
  let grossCents = 0n;
  for (const { entryId, amountCents } of oldestFirst) {
    grossCents += amountCents;
    const feeCents = grossCents - netCents;
    if (feeCents >= 0n && feeCents * BASIS <= grossCents * BigInt(maxFeeBasisPoints))
      return { grossCents, upTo: entryId };
  }
  return null;
}

/**
 * The same for a settlement that a person confirms. It pays its own amount, whatever the fee: the payments that it reaches count
 * as settled, and a difference stays on the clearing account.
 */
export function settledByHand(oldestFirst: readonly Cleared[], netCents: bigint): string | null {
  let sum = 0n;
  let last: string | null = null;
  for (const { entryId, amountCents } of oldestFirst) {
    if (sum >= netCents) break;
    sum += amountCents;
    last = entryId;
  }
  return last;
}

type BankMovement = {
  readonly companyId: CompanyId;
  readonly entryId: BankEntryId;
  readonly bankAccountId: AccountId;
  readonly direction: BankLine['direction'];
  /** What the bank booked. */
  readonly netCents: bigint;
  /** What a settlement takes from its clearing account; null for a fee that the bank booked by itself. */
  readonly settled: { readonly clearingAccountId: AccountId; readonly grossCents: bigint } | null;
  readonly companyAccountId: AccountId;
  /** The part of a fee that the COMPANY account cannot pay. */
  readonly owed: { readonly receivableAccountId: AccountId; readonly amountCents: bigint } | null;
  readonly currency: Currency;
  readonly reference: string | null;
};

/** A settlement or a fee, which the bank's entry is the cause of. What is missing is a cost of the company. */
export function bankEntryPosting(movement: BankMovement): Posting {
  const { companyId, entryId, direction, netCents, settled, owed, currency } = movement;
  const sign = direction === 'CREDIT' ? 1n : -1n;
  const grossCents = settled?.grossCents ?? 0n;
  const feeCents = sign * (grossCents - netCents);
  const owedCents = owed?.amountCents ?? 0n;
  return posting({
    transactionId: idMadeBy('transaction', entryId),
    companyId,
    key: `bank-entry/${entryId}`,
    type: 'ADJUSTMENT',
    status: 'COMPLETED',
    amountCents: settled === null ? netCents : grossCents,
    currency,
    reference: movement.reference,
    escrowId: null,
    metadata: { bankEntryId: publicId('bankEntry', entryId), feeAmount: feeCents.toString() },
    legs: [
      { accountId: movement.bankAccountId, amountCents: -sign * netCents },
      ...(settled === null ? [] : [{ accountId: settled.clearingAccountId, amountCents: sign * grossCents }]),
      ...leg(movement.companyAccountId, owedCents - feeCents),
      ...(owed === null ? [] : leg(owed.receivableAccountId, -owedCents)),
    ],
    holds: [],
  });
}
