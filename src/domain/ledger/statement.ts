import type { AccountId, TransactionId } from '../ids.ts';
import type { TransactionType } from './postings.ts';

/** A statement of one account: opening balance, lines, and closing balance. */

export type StatementLine = {
  /** The entry's number in the ledger. */
  readonly id: string;
  readonly transactionId: TransactionId;
  readonly type: TransactionType;
  /** Signed: a credit is positive, a debit negative. */
  readonly amountCents: bigint;
  /** The customer's reference for the transaction: a payment's or the order's. */
  readonly reference: string | null;
  /** The free note of the transaction. */
  readonly memo: string | null;
  readonly createdAt: Date;
};

export type StatementEntry = StatementLine & { readonly balanceAfterCents: bigint; readonly description: string };

/** `from` is included, `to` is not. */
export type Period = { readonly from: Date; readonly to: Date };

export type Statement = Period & {
  readonly accountId: AccountId;
  readonly openingCents: bigint;
  readonly closingCents: bigint;
  readonly totalCreditsCents: bigint;
  /** Without sign. */
  readonly totalDebitsCents: bigint;
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

/** Adds up lines that are in the order of their effects. */
export function statementOf(
  accountId: AccountId,
  { from, to }: Period,
  openingCents: bigint,
  lines: readonly StatementLine[],
): Statement {
  let balance = openingCents;
  let credits = 0n;
  let debits = 0n;
  const entries = lines.map((line) => {
    balance += line.amountCents;
    if (line.amountCents > 0n) credits += line.amountCents;
    else debits -= line.amountCents;
    return { ...line, balanceAfterCents: balance, description: describe(line) };
  });
  return {
    accountId,
    from,
    to,
    openingCents,
    closingCents: balance,
    totalCreditsCents: credits,
    totalDebitsCents: debits,
    entries,
  };
}

export function directionOf({ amountCents }: Pick<StatementLine, 'amountCents'>): 'CREDIT' | 'DEBIT' {
  return amountCents > 0n ? 'CREDIT' : 'DEBIT';
}

function describe({ type, amountCents, memo }: StatementLine): string {
  const title = TITLES[type][amountCents > 0n ? 0 : 1];
  return memo === null ? title : `${title}: ${memo}`;
}
