import { type Command, type FieldsOf, type Happened, happens, type PublicFacts, type Typed, typed } from '../entity.ts';
import type { OrderedBy } from '../escrow/escrow.ts';
import type { AccountId, AdministratorId, CompanyId, TransactionId, UserId } from '../ids.ts';
import type { Currency } from '../money.ts';
import type { Instant } from '../time.ts';
import type { PayoutConcern } from './bank-reports.ts';

/**
 * The withdrawal's types. Bank details and references are not included: they are a row under the withdrawal's id
 * (`payout_destination`), so that no workflow payload contains them.
 */

/** The terms of the request. They never change. */
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
  /** The amount that the bank pays out. */
  readonly amountCents: bigint;
  /** The tax that is withheld on top of it. */
  readonly taxCents: bigint;
};

/**
 * The source of the tax refund for a returned payment: the TAX account, or a receivable if its balance is insufficient or it is
 * frozen.
 */
export type TaxFrom = 'TAX' | 'RECEIVABLE';

export type Withdrawal = {
  readonly terms: WithdrawalTerms;
  readonly status: WithdrawalStatus;
  /** The number of events that led to this state. */
  readonly seq: number;
  /** The time at which the bank confirmed the instruction; null before. */
  readonly submittedAt: Instant | null;
  /** The attempt that the bank accepted; null if it has not named one. */
  readonly acceptedAttempt: number | null;
  readonly settledAt: Instant | null;
  /** The latest transaction that moved the money; null before the first. */
  readonly settlementId: TransactionId | null;
  /** How many times the bank has paid. More than once only if it later paid what it had refused or returned. */
  readonly settlements: number;
  /** The receivable for tax that the TAX account could not return; null if there is none. A later payment settles it. */
  readonly owedTaxId: TransactionId | null;
  /** The status in which the money was first given back; null if it never was. */
  readonly firstEnd: 'FAILED' | 'REVERSED' | 'CANCELLED' | null;
  /** The bank's own time of the verdict that the status follows; null before the first, and if the bank gave none. */
  readonly verdictAt: Instant | null;
  /** Why a person should check the withdrawal; null if there is no reason. */
  readonly concern: PayoutConcern | null;
  /** The bank's reason code, if it rejected or returned the payment. */
  readonly reason: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** Null: no event yet. */
export type WithdrawalState = Withdrawal | null;

/** The outcome of a payment, as the bank reported it or as an operator read it in the bank's statement. */
export type PayoutOutcome =
  | { readonly isPaid: true; readonly saidAt: Instant | null }
  | { readonly isPaid: false; readonly saidAt: Instant | null; readonly reason: string };

/** `adminId`: the operator who books it by hand; null if the bank itself reported it. */
type VerdictFields = { saidAt: Instant | null; adminId: AdministratorId | null };

/** Messages that are converted to other commands before they are decided: by a check at the bank, or from the state. */
export type WithdrawalQuestion =
  /** Check with the bank. `mayResend`: a person allows the payment to be sent again. */
  | Command<'check-payout', { mayResend: boolean }>
  /** An operator books the outcome. */
  | Command<'book-outcome', { outcome: PayoutOutcome; adminId: AdministratorId }>;

type MoneyMoved = VerdictFields & { transactionId: TransactionId };

export const WITHDRAWAL_EVENTS = {
  REQUESTED: happens<{ terms: WithdrawalTerms }>()({
    published: 'withdrawal.requested',
    means: 'A withdrawal was requested.',
  }),
  SUBMITTED: happens<{ attempt: number | null }>()({
    published: 'withdrawal.submitted',
    means: 'The bank took the payment instruction.',
  }),
  REVIEW_NEEDED: happens<{ concern: PayoutConcern }>()({
    published: 'withdrawal.review_needed',
    means: 'A person has to look at the withdrawal.',
  }),
  RESUMED: happens<OrderedBy>()({
    published: 'withdrawal.resumed',
    means: 'A payment that was held back goes to the bank after all.',
  }),
  CANCELLED: happens<OrderedBy & { transactionId: TransactionId }>()({
    published: 'withdrawal.cancelled',
    means: 'The withdrawal was cancelled before the bank had it, and the money was given back.',
  }),
  SETTLED: happens<MoneyMoved>()({ published: 'withdrawal.completed', means: 'The bank paid the money out.' }),
  REJECTED: happens<MoneyMoved & { reason: string }>()({
    published: 'withdrawal.failed',
    means: 'The bank refused the payment, and the money was given back.',
  }),
  RETURNED: happens<MoneyMoved & { reason: string; taxFrom: TaxFrom }>()({
    published: 'withdrawal.returned',
    means: 'The bank returned a payment, and the money was given back.',
  }),
  /**
   * `owedTaxId`: the receivable that the tax of this payment settles. What the account could not pay is a receivable with the id
   * of this transaction.
   */
  SETTLED_LATE: happens<MoneyMoved & { owedTaxId: TransactionId | null }>()({
    published: 'withdrawal.settled_late',
    means: 'The bank paid after the money was given back.',
  }),
} as const satisfies Record<string, PublicFacts & Typed<object>>;

type EventRows = typeof WITHDRAWAL_EVENTS;
export type WithdrawalEvent = {
  [Type in keyof EventRows]: Happened<Type, 'COMPANY' | 'BANK' | 'SYSTEM' | 'ADMIN', FieldsOf<EventRows[Type]>>;
}[keyof EventRows];

/** Whether only the API may cause the event: it has read the company's rows, or an API key ordered it. */
export function withdrawalNeedsProof(event: { readonly type: string; readonly apiKeyId?: string | null }): boolean {
  return event.type === 'REQUESTED' || (event.apiKeyId ?? null) !== null;
}

/** The held amount, and the amount that leaves the account: the withdrawal and its tax. */
export function debitCents({ amountCents, taxCents }: Pick<WithdrawalTerms, 'amountCents' | 'taxCents'>): bigint {
  return amountCents + taxCents;
}

export const WITHDRAWAL_STATUSES = ['PROCESSING', 'COMPLETED', 'FAILED', 'REVERSED', 'CANCELLED'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** The commands: one row for each. `to` is the status after it; null if the status stays. `decide` enforces the table, and a test is generated from it. */
export const WITHDRAWAL_COMMANDS = {
  request: { from: [], to: 'PROCESSING', fields: typed<{ terms: WithdrawalTerms }>() },
  submit: { from: ['PROCESSING'], to: null, fields: typed<{ attempt: number | null }>() },
  flag: { from: ['PROCESSING', 'COMPLETED'], to: null, fields: typed<{ concern: PayoutConcern }>() },
  // Sends a payment that was held back, once its reason is gone.
  resume: { from: ['PROCESSING'], to: null, fields: typed<OrderedBy>() },
  // Gives the money back, unless the payment was handed to the bank.
  cancel: { from: ['PROCESSING'], to: 'CANCELLED', fields: typed<OrderedBy>() },
  settle: { from: ['PROCESSING'], to: 'COMPLETED', fields: typed<VerdictFields>() },
  reject: { from: ['PROCESSING'], to: 'FAILED', fields: typed<VerdictFields & { reason: string }>() },
  return: {
    from: ['COMPLETED'],
    to: 'REVERSED',
    fields: typed<VerdictFields & { reason: string; taxFrom: TaxFrom }>(),
  },
  // The bank paid after the money was given back.
  'settle-late': { from: ['FAILED', 'REVERSED', 'CANCELLED'], to: 'COMPLETED', fields: typed<VerdictFields>() },
} as const satisfies Record<string, CommandFacts>;
type CommandFacts = {
  readonly from: readonly WithdrawalStatus[];
  readonly to: WithdrawalStatus | null;
  readonly fields: Typed<object>;
};

type CommandRows = typeof WITHDRAWAL_COMMANDS;
export type WithdrawalCommandType = keyof CommandRows;
export type WithdrawalCommand =
  | WithdrawalQuestion
  | { [Type in WithdrawalCommandType]: Command<Type, FieldsOf<CommandRows[Type]['fields']>> }[WithdrawalCommandType];

/** Whether the table allows `command` in `status`. No status is final: a bank may change its decision. */
export function allows(command: WithdrawalCommandType, status: WithdrawalStatus): boolean {
  const from: readonly WithdrawalStatus[] = WITHDRAWAL_COMMANDS[command].from;
  return from.includes(status);
}
