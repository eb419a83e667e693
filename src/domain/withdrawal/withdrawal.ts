import type { Command, Happened as EntityHappened } from '../entity.ts';
import type { AccountId, CompanyId, TransactionId, UserId } from '../ids.ts';
import type { Currency } from '../money.ts';
import type { Instant } from '../time.ts';
import type { WithdrawalStatus } from './transitions.ts';

/**
 * The withdrawal's vocabulary. Bank details and references are not here: they are a row under the withdrawal's id
 * (`payout_destination`), so that no payload carries them.
 */

/** What was asked for. Nothing here ever changes. */
export type WithdrawalTerms = {
  /** Also the id of the ledger transaction that clients see, and of the hold on the account. */
  readonly withdrawalId: TransactionId;
  readonly companyId: CompanyId;
  readonly accountId: AccountId;
  /** Null: the money is the company's own. */
  readonly userId: UserId | null;
  readonly bankAccountId: AccountId;
  readonly taxAccountId: AccountId;
  readonly currency: Currency;
  /** What the bank pays out. */
  readonly amountCents: bigint;
  /** Withheld on top of it. */
  readonly taxCents: bigint;
};

export type Withdrawal = {
  readonly terms: WithdrawalTerms;
  readonly status: WithdrawalStatus;
  /** How many events made this state. */
  readonly seq: number;
  /** When the bank confirmed that it has the instruction; null while that is not known. */
  readonly submittedAt: Instant | null;
  readonly settledAt: Instant | null;
  /** The transaction that moved the money; null before. */
  readonly settlementId: TransactionId | null;
  /** The bank's reason code, where it rejected or returned the payment. */
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Null: nothing has happened yet. */
export type WithdrawalState = Withdrawal | null;

export type WithdrawalCommand =
  | Command<'request', { terms: WithdrawalTerms }>
  /** Ask the bank. What it says becomes one of the commands below; `mayResend`: a person says to send the payment again. */
  | Command<'check-payout', { mayResend: boolean }>
  | Command<'submit'>
  | Command<'settle'>
  | Command<'reject', { reason: string }>
  /** `isTaxReturned` false: the tax account no longer covers it, and the amount comes back alone. */
  | Command<'return', { reason: string; isTaxReturned: boolean }>;

type Happened<Type extends string, Fields = unknown> = EntityHappened<Type, 'COMPANY' | 'BANK' | 'SYSTEM', Fields>;

export type WithdrawalEvent =
  | Happened<'REQUESTED', { terms: WithdrawalTerms }>
  | Happened<'SUBMITTED'>
  | Happened<'SETTLED', { transactionId: TransactionId }>
  | Happened<'REJECTED', { reason: string; transactionId: TransactionId }>
  | Happened<'RETURNED', { reason: string; transactionId: TransactionId; taxCents: bigint }>;

/** What is held, and what leaves the account: the amount and the tax on it. */
export function debitCents({ amountCents, taxCents }: Pick<WithdrawalTerms, 'amountCents' | 'taxCents'>): bigint {
  return amountCents + taxCents;
}
