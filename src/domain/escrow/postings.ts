import { type CommandId, type EscrowId, type HoldId, idMadeBy, type TransactionId } from '../ids.ts';
import { leg, type Posting, posting } from '../ledger/postings.ts';
import type { Escrow, EscrowTerms } from './escrow.ts';
import { heldCentsOf, paidCents, type Shares } from './shares.ts';

/** An escrow's money is one hold on the buyer's account; both carry the same id. */
function holdOf(escrowId: EscrowId): HoldId {
  return idMadeBy('hold', escrowId);
}

/** The ids of created entities are derived from the command's id, so that repeating the command creates the same entities. */
function transactionOf(commandId: CommandId): TransactionId {
  return idMadeBy('transaction', commandId);
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

/**
 * Pays `shares` out of the hold, in one transaction: from the buyer to the seller, with the company's and the platform's fee.
 * The buyer's own share is unlocked. No posting if the shares are zero.
 */
export function payPosting(escrow: Escrow, commandId: CommandId, shares: Shares): Posting | null {
  const { terms } = escrow;
  const paid = paidCents(shares);
  const settled = heldCentsOf(shares);
  if (settled === 0n) return null;
  const hold = { holdId: holdOf(terms.escrowId), accountId: terms.buyerAccountId };
  const isLast = settled === escrow.heldCents;
  return posting({
    ...escrowPosting(terms, commandId, {
      type: paid > 0n ? 'PAYMENT' : 'REFUND',
      amountCents: paid > 0n ? paid : shares.buyerRefundCents,
    }),
    metadata: shares.buyerRefundCents > 0n ? { buyer_refund_cents: shares.buyerRefundCents.toString() } : {},
    legs: [
      ...leg(terms.buyerAccountId, -paid),
      ...leg(terms.sellerAccountId, shares.sellerPayoutCents),
      ...leg(terms.serviceFeeAccountId, shares.serviceFeeCents),
      ...leg(terms.systemFeeAccountId, shares.systemFeeCents),
    ],
    // A capture may exceed the debit of its posting: the difference is unlocked and stays on the account.
    holds: isLast
      ? [...(paid > 0n ? [{ kind: 'capture', ...hold, amountCents: paid } as const] : []), { kind: 'void', ...hold }]
      : [{ kind: 'capture', ...hold, amountCents: settled }],
  });
}

/** Unlocks everything that is still held. No posting if nothing is held. */
export function refundPosting(escrow: Escrow, commandId: CommandId): Posting | null {
  if (escrow.heldCents === 0n) return null;
  const { terms } = escrow;
  return posting({
    ...escrowPosting(terms, commandId, { type: 'REFUND', amountCents: escrow.heldCents }),
    holds: [{ kind: 'void', holdId: holdOf(terms.escrowId), accountId: terms.buyerAccountId }],
  });
}
