import type { AccountId, CompanyId, EscrowId, TransactionId, UserId } from '../ids.ts';
import type { TransactionType } from './postings.ts';

/** A statement of one account: opening balance, lines, and closing balance. */

/** The other side of a line. BANK_ACCOUNT: the payee of a withdrawal. EXTERNAL: money from outside, or back to it. */
export const COUNTERPARTY_KINDS = ['USER', 'COMPANY', 'BANK_ACCOUNT', 'EXTERNAL'] as const;
export type Counterparty = {
  /** For EXTERNAL: the reference that the depositor was told to quote; null if there is none. */
  readonly name: string | null;
} & (
  | { readonly kind: 'USER'; readonly id: UserId }
  | { readonly kind: 'COMPANY'; readonly id: CompanyId }
  | { readonly kind: 'BANK_ACCOUNT' | 'EXTERNAL'; readonly id: null }
);

/** The amounts of the whole transaction that a line belongs to. The net amount is gross less fee and tax. */
export type Breakdown = {
  readonly grossCents: bigint;
  readonly feeCents: bigint;
  readonly taxCents: bigint;
  /** The fees and the tax, one by one. */
  readonly rates: readonly RatedFee[];
};

const RATED_FEES = ['SERVICE_FEE', 'SYSTEM_FEE', 'TRANSFER_TAX'] as const;
/** `basisPoints` null: agreed, decided or sent as an amount. */
export type RatedFee = {
  readonly kind: (typeof RATED_FEES)[number];
  readonly cents: bigint;
  readonly basisPoints: number | null;
};

export type StatementLine = {
  /** The entry's number in the ledger. */
  readonly id: string;
  /** The withdrawal's own id for a payout. */
  readonly transactionId: TransactionId;
  readonly type: TransactionType;
  /** Signed: a credit is positive, a debit negative. */
  readonly amountCents: bigint;
  /** The customer's reference for the transaction: a payment's or the order's. */
  readonly reference: string | null;
  /** The free note of the transaction. */
  readonly memo: string | null;
  readonly escrowId: EscrowId | null;
  /** The withdrawal that was paid or returned. */
  readonly withdrawalId: TransactionId | null;
  /** Null for another company's transaction, whose details stay hidden. */
  readonly counterparty: Counterparty | null;
  readonly breakdown: Breakdown | null;
  /** The bank's day, YYYY-MM-DD. Null while no bank statement confirms the money: the line counts from the day of its booking on. */
  readonly valueDate: string | null;
  readonly createdAt: Date;
};

export type StatementEntry = StatementLine & { readonly balanceAfterCents: bigint; readonly description: string };

/** `from` is included, `to` is not. */
export type Period = { readonly from: Date; readonly to: Date };

/** A statement without its entries. */
export type StatementTotals = Period & {
  readonly accountId: AccountId;
  readonly openingCents: bigint;
  readonly closingCents: bigint;
  /** The parts of the balances that are on hold. */
  readonly openingHeldCents: bigint;
  readonly closingHeldCents: bigint;
  readonly totalCreditsCents: bigint;
  /** Without sign. */
  readonly totalDebitsCents: bigint;
  /** How many entries are credits, and how many are debits. */
  readonly credits: number;
  readonly debits: number;
};

export type Statement = StatementTotals & {
  /** Oldest first. */
  readonly entries: readonly StatementEntry[];
};

/** The types of a line: money in, and money out. */
const TITLES = {
  DEPOSIT: ['Deposit', 'Deposit from outside'],
  ESCROW_HOLD: ['Escrow hold', 'Escrow hold'],
  PAYMENT: ['Payment received', 'Payment made'],
  REFUND: ['Refund received', 'Refund made'],
  WITHDRAWAL: ['Withdrawal', 'Withdrawal'],
  REVERSAL: ['Reversal', 'Reversal'],
  BANK_CAPTURE: ['Bank receipt', 'Bank receipt'],
  ADJUSTMENT: ['Adjustment', 'Adjustment'],
} as const satisfies Record<TransactionType, readonly [credit: string, debit: string]>;

/** Lines in the order of their effects, each with the balance after it. `balanceCents` is the balance before the first. */
export function entriesOf(balanceCents: bigint, lines: readonly StatementLine[]): StatementEntry[] {
  let balance = balanceCents;
  return lines.map((line) => {
    balance += line.amountCents;
    return { ...line, balanceAfterCents: balance, description: describe(line) };
  });
}

export function directionOf({ amountCents }: Pick<StatementLine, 'amountCents'>): 'CREDIT' | 'DEBIT' {
  return amountCents > 0n ? 'CREDIT' : 'DEBIT';
}

function describe({ type, amountCents, memo }: StatementLine): string {
  const title = TITLES[type][amountCents > 0n ? 0 : 1];
  return memo === null ? title : `${title}: ${memo}`;
}
