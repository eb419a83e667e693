import { type AccountId, type CompanyId, type EscrowId, type HoldId, publicId, type TransactionId } from '../ids.ts';
import { type Currency, minCents } from '../money.ts';
import { leg, type Posting, posting } from './postings.ts';

/** What others owe the company: the RECEIVABLE account is debited when a debt arises, and credited when it is settled. */

/** A debt has the id of the transaction that booked it. */
export type ReceivableId = TransactionId;

export const RECEIVABLE_REASONS = ['CHARGEBACK', 'REFUND', 'PAYOUT', 'TAX', 'FEE'] as const;
export type ReceivableReason = (typeof RECEIVABLE_REASONS)[number];

/** How a part of a debt was settled; `REPAID` and `RECOVERED` give such a part back. */
const SETTLEMENT_KINDS = ['COLLECTED', 'WRITTEN_OFF', 'REVERSED', 'REPAID', 'RECOVERED'] as const;
export type SettlementKind = (typeof SETTLEMENT_KINDS)[number];

export type Debt = {
  readonly receivableId: ReceivableId;
  /** The account that owes the money. */
  readonly accountId: AccountId;
  readonly remainingCents: bigint;
  /** What the company has written off of it, and not recovered. */
  readonly writtenOffCents: bigint;
};

/** A part of a debt. */
export type Part = { readonly receivableId: ReceivableId; readonly amountCents: bigint };

/** Divides `amountCents` over debts in their order; what is left over is not in the result. */
export function partsOf(
  debts: readonly Debt[],
  amountCents: bigint,
  limitOf: (debt: Debt) => bigint = ({ remainingCents }) => remainingCents,
): readonly Part[] {
  let leftCents = amountCents;
  return debts.flatMap((debt) => {
    const part = minCents(limitOf(debt), leftCents);
    leftCents -= part;
    return part > 0n ? [{ receivableId: debt.receivableId, amountCents: part }] : [];
  });
}

type Settlement = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly receivableId: ReceivableId;
  readonly receivableAccountId: AccountId;
  /** The account that pays: the one that owes it, or COMPANY for a write-off. */
  readonly payerAccountId: AccountId;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly escrowId: EscrowId | null;
  /** The hold from which the money comes, if it is refunded from there. */
  readonly holdId: HoldId | null;
};

/** Settles a part of a debt. The key names the transaction: a debt can be settled in many parts. */
export function debtSettlementPosting(settlement: Settlement): Posting {
  const { transactionId, receivableId, payerAccountId, amountCents, holdId } = settlement;
  return posting({
    transactionId,
    companyId: settlement.companyId,
    key: `receivable/${receivableId}/${transactionId}`,
    type: 'ADJUSTMENT',
    status: 'COMPLETED',
    amountCents,
    currency: settlement.currency,
    reference: null,
    escrowId: settlement.escrowId,
    metadata: { receivableId: publicId('transaction', receivableId) },
    legs: [
      { accountId: payerAccountId, amountCents: -amountCents },
      { accountId: settlement.receivableAccountId, amountCents },
    ],
    holds: holdId === null ? [] : [{ kind: 'capture', holdId, accountId: payerAccountId, amountCents }],
  });
}

/** Gives settled parts of a debt back, because the debt itself was taken back. */
export function repaymentPosting(
  repayment: Pick<Settlement, 'transactionId' | 'companyId' | 'receivableId' | 'receivableAccountId' | 'currency'> & {
    readonly accountId: AccountId;
    readonly collectedCents: bigint;
    readonly companyAccountId: AccountId;
    readonly writtenOffCents: bigint;
  },
): Posting {
  const { transactionId, receivableId, collectedCents, writtenOffCents } = repayment;
  return posting({
    transactionId,
    companyId: repayment.companyId,
    key: `receivable/${receivableId}/${transactionId}`,
    type: 'ADJUSTMENT',
    status: 'COMPLETED',
    amountCents: collectedCents + writtenOffCents,
    currency: repayment.currency,
    reference: null,
    escrowId: null,
    metadata: { receivableId: publicId('transaction', receivableId) },
    legs: [
      { accountId: repayment.receivableAccountId, amountCents: -(collectedCents + writtenOffCents) },
      ...leg(repayment.accountId, collectedCents),
      ...leg(repayment.companyAccountId, writtenOffCents),
    ],
    holds: [],
  });
}
