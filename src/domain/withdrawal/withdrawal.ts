import type { Command, Happened as EntityHappened } from '../entity.ts';
import type { AccountId, AdministratorId, CompanyId, TransactionId, UserId } from '../ids.ts';
import type { Currency } from '../money.ts';
import type { Instant } from '../time.ts';
import type { PayoutConcern } from './bank-reports.ts';
import type { WithdrawalStatus } from './transitions.ts';

/**
 * The withdrawal's vocabulary. Bank details and references are not here: they are a row under the withdrawal's id
 * (`payout_destination`), so that no workflow payload carries them.
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
  readonly receivableAccountId: AccountId;
  readonly currency: Currency;
  /** What the bank pays out. */
  readonly amountCents: bigint;
  /** Withheld on top of it. */
  readonly taxCents: bigint;
};

/** Who bears a payment that the bank made after its money was given back: the account, or a receivable where that is short. */
export type PaidFrom = 'ACCOUNT' | 'RECEIVABLE';
/** What gives the tax on a returned payment back: the TAX account, or a receivable where that is short or frozen. */
export type TaxFrom = 'TAX' | 'RECEIVABLE';

export type Withdrawal = {
  readonly terms: WithdrawalTerms;
  readonly status: WithdrawalStatus;
  /** How many events made this state. */
  readonly seq: number;
  /** When the bank confirmed that it has the instruction; null while that is not known. */
  readonly submittedAt: Instant | null;
  /** Which attempt the bank accepted; null while it has not said so. */
  readonly acceptedAttempt: number | null;
  readonly settledAt: Instant | null;
  /** The transaction that moved the money the last time; null before. */
  readonly settlementId: TransactionId | null;
  /** How many times the bank has paid. More than once only where it paid after all what it had refused or returned. */
  readonly settlements: number;
  readonly paidFrom: PaidFrom;
  /** How the first verdict ended: the first transaction's status stays so, whatever follows. Null while it can change. */
  readonly firstEnd: 'FAILED' | 'REVERSED' | null;
  /** The bank's own time of the verdict that the status follows; null before the first, and where the bank gave none. */
  readonly verdictAt: Instant | null;
  /** Why a person should look at it; null where nothing is odd. */
  readonly concern: PayoutConcern | null;
  /** The bank's reason code, where it rejected or returned the payment. */
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Null: nothing has happened yet. */
export type WithdrawalState = Withdrawal | null;

/** What became of a payment, by the bank's word or by an operator who has read the bank's statement. */
export type PayoutOutcome =
  | { readonly isPaid: true; readonly saidAt: Instant | null }
  | { readonly isPaid: false; readonly saidAt: Instant | null; readonly reason: string };

/** `adminId`: the operator who books it by hand; null where the bank itself said it. */
type VerdictFields = { saidAt: Instant | null; adminId: AdministratorId | null };

/** What becomes one of the other commands before it is decided: by asking the bank, or by the state as it is. */
export type WithdrawalQuestion =
  /** Ask the bank. `mayResend`: a person allows the payment to be sent again. */
  | Command<'check-payout', { mayResend: boolean }>
  /** An operator says what the bank did. */
  | Command<'book-outcome', { outcome: PayoutOutcome; adminId: AdministratorId }>;

export type WithdrawalCommand =
  | Command<'request', { terms: WithdrawalTerms }>
  | WithdrawalQuestion
  | Command<'submit', { attempt: number | null }>
  | Command<'flag', { concern: PayoutConcern }>
  | Command<'settle', VerdictFields>
  | Command<'reject', VerdictFields & { reason: string }>
  | Command<'return', VerdictFields & { reason: string; taxFrom: TaxFrom }>
  /** The bank paid after the money was given back. */
  | Command<'settle-late', VerdictFields & { paidFrom: PaidFrom }>;

type Happened<Type extends string, Fields = unknown> = EntityHappened<
  Type,
  'COMPANY' | 'BANK' | 'SYSTEM' | 'ADMIN',
  Fields
>;

type MoneyMoved = VerdictFields & { transactionId: TransactionId };

export type WithdrawalEvent =
  | Happened<'REQUESTED', { terms: WithdrawalTerms }>
  | Happened<'SUBMITTED', { attempt: number | null }>
  | Happened<'REVIEW_NEEDED', { concern: PayoutConcern }>
  | Happened<'SETTLED', MoneyMoved>
  | Happened<'REJECTED', MoneyMoved & { reason: string }>
  | Happened<'RETURNED', MoneyMoved & { reason: string; taxFrom: TaxFrom }>
  | Happened<'SETTLED_LATE', MoneyMoved & { paidFrom: PaidFrom }>;

/** What is held, and what leaves the account: the amount and the tax on it. */
export function debitCents({ amountCents, taxCents }: Pick<WithdrawalTerms, 'amountCents' | 'taxCents'>): bigint {
  return amountCents + taxCents;
}
