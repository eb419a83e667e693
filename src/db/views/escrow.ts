import { piecesOf } from '../../domain/escrow/deliveries.ts';
import type { EscrowFees, Milestone, Negotiation, OrderedItem } from '../../domain/escrow/escrow.ts';
import { heldCentsOf, type Shares, type SplitPlan } from '../../domain/escrow/shares.ts';
import { publicId, publicIdOrNull } from '../../domain/ids.ts';
import { integerCents } from '../../domain/money.ts';
import type { CommandContent } from '../entities/escrow.ts';
import type { EscrowRecord, EscrowSummaryRecord } from '../escrow/escrows.ts';

/** The public form of escrows, in responses and in events. */

export function splitPlanView(plan: SplitPlan) {
  return {
    system_fee_cents: plan.systemFeeCents.toString(),
    service_fee_cents: plan.serviceFeeCents.toString(),
    seller_payout_cents: plan.sellerPayoutCents.toString(),
  };
}

export function finalSplitView(shares: Shares) {
  return { ...splitPlanView(shares), buyer_refund_cents: shares.buyerRefundCents.toString() };
}

function negotiationView(negotiation: Negotiation) {
  return {
    id: publicId('negotiation', negotiation.negotiationId),
    status: negotiation.status,
    proposedBy: negotiation.proposer,
    milestoneId: publicIdOrNull('milestone', negotiation.milestoneId),
    splitPlan: splitPlanView(negotiation.plan),
    expiresAt: negotiation.lapsesAt,
  };
}

/** Items with their stored texts. */
export function itemsView(items: readonly OrderedItem[], content: CommandContent) {
  return items.map((item) => {
    const words = content.items?.find(({ itemId }) => itemId === item.itemId);
    return {
      id: publicId('item', item.itemId),
      name: words?.name ?? null,
      description: words?.description ?? null,
      quantity: item.quantity,
      pricePerUnit: integerCents(item.pricePerUnitCents),
    };
  });
}

/** What was ordered of a milestone, with its stored texts. */
export function milestoneWords(
  { milestoneId, weightHundredths }: Pick<Milestone, 'milestoneId' | 'weightHundredths'>,
  content: CommandContent,
) {
  const words = content.milestones?.find((one) => one.milestoneId === milestoneId);
  return {
    id: publicId('milestone', milestoneId),
    title: words?.title ?? null,
    description: words?.description ?? null,
    percentage: weightHundredths / 100,
  };
}

export function escrowSummary(record: EscrowSummaryRecord) {
  const { companyId, buyerId, sellerId } = record;
  return {
    id: publicId('escrow', record.id),
    status: record.status,
    externalReference: record.externalReference,
    totalAmount: record.totalCents.toString(),
    currency: record.currency,
    buyer: { id: publicId('user', buyerId), name: record.buyerName },
    seller: {
      id: sellerId === null ? publicId('company', companyId) : publicId('user', sellerId),
      name: record.sellerName,
    },
    createdAt: record.createdAt.toISOString(),
  };
}

function feesView(fees: EscrowFees) {
  return {
    system_fee_basis_points: fees.systemFeeBasisPoints,
    service_fee_basis_points: fees.serviceFeeBasisPoints,
    system_fee_since: fees.systemFeeSince,
    service_fee_since: fees.serviceFeeSince,
  };
}

export function escrowView(record: EscrowRecord) {
  const { state, content } = record;
  const { terms } = state;
  const openOf = (milestoneId: string | null) => {
    const open = state.negotiations.find((one) => one.status === 'PENDING' && one.milestoneId === milestoneId);
    return open === undefined ? null : negotiationView(open);
  };
  const milestoneView = (milestone: Milestone) => {
    return {
      ...milestoneWords(milestone, content),
      amount: heldCentsOf(milestone.shares).toString(),
      status: milestone.status,
      sellerPayout: milestone.shares.sellerPayoutCents.toString(),
      systemFee: milestone.shares.systemFeeCents.toString(),
      serviceFee: milestone.shares.serviceFeeCents.toString(),
      buyerRefund: milestone.shares.buyerRefundCents.toString(),
      openNegotiation: openOf(milestone.milestoneId),
    };
  };
  return {
    ...escrowSummary({ ...record, ...terms }),
    externalInvoiceNumber: record.externalInvoiceNumber,
    feePayer: terms.feePayer,
    splitPlan: splitPlanView(state.shares),
    heldAmount: state.heldCents.toString(),
    releasedAmount: state.releasedCents.toString(),
    refundedAmount: state.refundedCents.toString(),
    chargedBackAmount: state.chargedBackCents.toString(),
    fees: state.fees === null ? null : feesView(state.fees),
    buyerAccountId: publicId('account', terms.buyerAccountId),
    sellerAccountId: publicId('account', terms.sellerAccountId),
    milestones: state.milestones.map(milestoneView),
    items: itemsView(terms.items, content).map((item, index) => ({
      ...item,
      receivedQuantity: piecesOf(state.deliveries.received, terms.items[index]?.itemId),
    })),
    openNegotiation: openOf(null),
    dispute:
      state.dispute === null
        ? null
        : {
            id: publicId('dispute', state.dispute.disputeId),
            openedBy: state.dispute.openedBy,
            openedAt: state.dispute.openedAt,
          },
    autoReleaseAt: state.autoReleaseAt,
    releaseBlockedBy: state.blockedBy,
    updatedAt: record.updatedAt.toISOString(),
    version: state.seq,
  };
}
