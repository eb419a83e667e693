import { type CommandId, type EscrowId, type HoldId, idMadeBy, type TransactionId } from '../ids.ts';
import { type HoldChange, leg, type Posting, posting } from '../ledger/postings.ts';
import { commandIdFrom } from '../messages/ids.ts';
import type { Escrow, EscrowTerms } from './escrow.ts';
import { addShares, NO_SHARES, paidCents, type Shares } from './shares.ts';

/** An escrow's money is one hold on the buyer's account; both carry the same id. */
function holdOf(escrowId: EscrowId): HoldId {
  return idMadeBy('hold', escrowId);
}

/** The ids of created objects are derived from the command's id, so that repeating the command creates the same objects. */
function transactionOf(commandId: CommandId): TransactionId {
  return idMadeBy('transaction', commandId);
}

/** The id of the refund beside a payment: a command's second transaction. */
function refundTransactionOf(commandId: CommandId): TransactionId {
  return transactionOf(commandIdFrom(`refund/${commandId}`));
}

function escrowPosting(terms: EscrowTerms, commandId: CommandId, fields: Pick<Posting, 'type' | 'amountCents'>) {
  return {
    transactionId: transactionOf(commandId),
    companyId: terms.companyId,
    key: `escrow/${commandId}`,
    status: 'COMPLETED',
    currency: terms.currency,
    reference: null,
    escrowId: terms.escrowId,
    metadata: {},
    legs: [],
    holds: [],
    ...fields,
  } satisfies Posting;
}

/** Locks the money on the buyer's account. Nothing moves, so there are no entries. */
export function holdPosting(terms: EscrowTerms, commandId: CommandId, heldCents: bigint): Posting {
  return posting({
    ...escrowPosting(terms, commandId, { type: 'ESCROW_HOLD', amountCents: heldCents }),
    holds: [{ kind: 'place', holdId: holdOf(terms.escrowId), accountId: terms.buyerAccountId, amountCents: heldCents }],
  });
}

/** The shares of everything that is not yet paid out or refunded. */
export function remainingShares(escrow: Escrow): Shares {
  if (escrow.milestones.length === 0) return escrow.shares;
  return escrow.milestones
    .filter((milestone) => milestone.status === 'PENDING')
    .reduce((sum, milestone) => addShares(sum, milestone.shares), NO_SHARES);
}

/**
 * Takes `shares` out of the hold: one posting pays seller and fees, and one more, the refund, unlocks the buyer's own share. So
 * holds less payments and refunds are always what is still held. The first has the id that the command makes. Shares of zero
 * have no posting.
 */
export function payPostings(escrow: Escrow, commandId: CommandId, shares: Shares): readonly Posting[] {
  const { terms } = escrow;
  const paid = paidCents(shares);
  const refund = shares.buyerRefundCents;
  const hold = { holdId: holdOf(terms.escrowId), accountId: terms.buyerAccountId };
  const closing: HoldChange[] = paid + refund === escrow.heldCents ? [{ kind: 'void', ...hold }] : [];
  const payment = posting({
    ...escrowPosting(terms, commandId, { type: 'PAYMENT', amountCents: paid }),
    legs: [
      ...leg(terms.buyerAccountId, -paid),
      ...leg(terms.sellerAccountId, shares.sellerPayoutCents),
      ...leg(terms.serviceFeeAccountId, shares.serviceFeeCents),
      ...leg(terms.systemFeeAccountId, shares.systemFeeCents),
    ],
    holds: [{ kind: 'capture', ...hold, amountCents: paid }, ...(refund === 0n ? closing : [])],
  });
  const unlocking = posting({
    ...escrowPosting(terms, commandId, { type: 'REFUND', amountCents: refund }),
    ...(paid === 0n ? {} : { transactionId: refundTransactionOf(commandId), key: `escrow/${commandId}/refund` }),
    // A capture without a debit: the money stays on the buyer's account.
    holds: closing.length > 0 ? closing : [{ kind: 'capture', ...hold, amountCents: refund }],
  });
  return [...(paid === 0n ? [] : [payment]), ...(refund === 0n ? [] : [unlocking])];
}

/** Unlocks everything that is still held. */
export function refundPostings(escrow: Escrow, commandId: CommandId): readonly Posting[] {
  return payPostings(escrow, commandId, { ...NO_SHARES, buyerRefundCents: escrow.heldCents });
}
