import { assertNever } from '../errors.ts';
import type { MilestoneId } from '../ids.ts';
import { addHours, type Instant } from '../time.ts';
import { type EscrowEvent, isNote, type NoteEvent } from './commands.ts';
import { counting, NO_DELIVERIES } from './deliveries.ts';
import {
  type Escrow,
  type EscrowState,
  type EscrowStatus,
  isFinal,
  MAX_CLOSED_NEGOTIATIONS,
  type Milestone,
  type Negotiation,
  type ReleaseStop,
} from './escrow.ts';
import { remainingShares } from './postings.ts';
import { addShares, allocateShares, heldCentsOf, NO_SHARES, type Shares, sharesOf } from './shares.ts';

/** The state after one more event. Pure and total: every event that was ever stored must still fold. */
export function evolve(state: EscrowState, event: EscrowEvent): Escrow {
  if (event.type === 'INITIATED') return initiated(event);
  if (state === null) throw new Error(`the first event is ${event.type}, not INITIATED`);
  const before = withoutStop(state);
  const applied = isNote(event) ? before : apply(before, event);
  const isReplanned = event.type !== 'RELEASE_BLOCKED' && applied.autoReleaseAt !== before.autoReleaseAt;
  const next = {
    ...applied,
    blockedBy: isReplanned ? null : applied.blockedBy,
    seq: state.seq + 1,
    updatedAt: event.at,
  };
  if (isFinal(next.status) || event.type === 'DISPUTED') return lapseOpenNegotiations(next);
  return withStops(next, stopsAfter(state.stopped?.by ?? [], event));
}

/** The escrow as if nothing stopped its automatic release. */
function withoutStop(escrow: Escrow): Escrow {
  const { stopped, ...rest } = escrow;
  return stopped === undefined ? escrow : { ...rest, autoReleaseAt: stopped.autoReleaseAt };
}

function withStops(escrow: Escrow, by: readonly ReleaseStop[]): Escrow {
  if (by.length === 0) return escrow;
  return { ...escrow, autoReleaseAt: null, stopped: { by, autoReleaseAt: escrow.autoReleaseAt } };
}

function stopsAfter(before: readonly ReleaseStop[], event: EscrowEvent): readonly ReleaseStop[] {
  if (event.type === 'AUTO_RELEASE_STOPPED') return [...before, { requestId: event.requestId, until: event.until }];
  return event.type === 'AUTO_RELEASE_RESUMED'
    ? before.filter(({ requestId }) => requestId !== event.requestId)
    : before;
}

function initiated(event: Extract<EscrowEvent, { type: 'INITIATED' }>): Escrow {
  return {
    terms: event.terms,
    status: event.heldCents === 0n ? 'PENDING' : 'ACTIVE',
    seq: 1,
    heldCents: event.heldCents,
    releasedCents: 0n,
    feesCents: 0n,
    refundedCents: 0n,
    chargedBackCents: 0n,
    fees: event.fees,
    shares: event.shares,
    milestones: event.milestones,
    negotiations: [],
    dispute: null,
    deliveries: NO_DELIVERIES,
    autoReleaseAt: null,
    autoReleaseExtended: false,
    blockedBy: null,
    createdAt: event.at,
    updatedAt: event.at,
  };
}

function apply(escrow: Escrow, event: Exclude<EscrowEvent, NoteEvent | { type: 'INITIATED' }>): Escrow {
  switch (event.type) {
    case 'FUNDED':
      return { ...escrow, status: 'ACTIVE', heldCents: event.heldCents };
    case 'DELIVERY_NOTED':
    case 'GOODS_RECEIVED':
      return {
        ...escrow,
        status: event.type,
        deliveries: counting(escrow, event.type, event.items),
        // A receipt that leaves pieces missing stops the clock, and so it does not run during a note that leaves some.
        autoReleaseAt: event.isPartial ? null : autoReleaseAfter(escrow, event.at),
      };
    case 'MILESTONE_RELEASED': {
      const milestones = escrow.milestones.map((milestone) =>
        milestone.milestoneId === event.milestoneId ? { ...milestone, status: 'RELEASED' as const } : milestone,
      );
      const wasLast = milestones.every((milestone) => milestone.status !== 'PENDING');
      const paid = settle({ ...escrow, milestones }, event.shares, wasLast ? 'COMPLETED' : escrow.status);
      return lapseOpenNegotiations(paid, (negotiation) => negotiation.milestoneId === event.milestoneId);
    }
    case 'FUNDS_RELEASED':
    case 'AUTO_RELEASED':
      return settle(
        closeMilestones(escrow, () => 'RELEASED'),
        event.shares,
        'COMPLETED',
      );
    case 'RELEASE_BLOCKED':
      return { ...escrow, autoReleaseAt: event.retryAt, blockedBy: event.reason };
    case 'AUTO_RELEASE_EXTENDED':
      return { ...escrow, autoReleaseAt: event.autoReleaseAt, autoReleaseExtended: true };
    case 'AUTO_RELEASE_STOPPED':
    case 'AUTO_RELEASE_RESUMED':
      return escrow; // `evolve` counts what stops it
    case 'NEGOTIATION_PROPOSED':
      return withProposal(escrow, event.negotiation);
    case 'NEGOTIATION_ACCEPTED': {
      const accepted = escrow.negotiations.find(({ negotiationId }) => negotiationId === event.negotiationId);
      if (accepted === undefined) throw new Error(`negotiation ${event.negotiationId} has no proposal`);
      const closed = closeNegotiation(escrow, event.negotiationId, 'ACCEPTED');
      return event.settlement === undefined ? withPlan(closed, accepted) : resolved(closed, event.settlement.shares);
    }
    case 'NEGOTIATION_REJECTED':
      return closeNegotiation(escrow, event.negotiationId, 'REJECTED');
    case 'NEGOTIATION_LAPSED':
      return closeNegotiation(escrow, event.negotiationId, 'LAPSED');
    case 'DISPUTED':
      return {
        ...escrow,
        status: 'DISPUTED',
        dispute: { disputeId: event.disputeId, openedBy: event.openedBy, openedAt: event.at },
        autoReleaseAt: null,
      };
    case 'RESOLVED':
      return resolved(escrow, event.shares);
    case 'CANCELLED': {
      const refund = { ...NO_SHARES, buyerRefundCents: event.refundCents };
      return settle(
        closeMilestones(escrow, () => 'REFUNDED'),
        refund,
        'CANCELLED',
      );
    }
    case 'CHARGED_BACK':
      return { ...escrow, chargedBackCents: escrow.chargedBackCents + event.amountCents };
    case 'CHARGEBACK_REVERSED':
      return { ...escrow, chargedBackCents: escrow.chargedBackCents - event.amountCents };
    default:
      return assertNever(event);
  }
}

/**
 * What the next releases pay to whom, where it is more than the seller's price less the fees: both parties agreed on another division, or
 * the order had one from the start. Null while a release is not possible.
 */
export function agreedShares(escrow: Escrow): Shares | null {
  if (isFinal(escrow.status) || escrow.status === 'PENDING' || escrow.status === 'DISPUTED') return null;
  const shares = remainingShares(escrow);
  return isAgreed(escrow) || shares.buyerRefundCents > 0n || shares.sellerPayoutCents === 0n ? shares : null;
}

/** Whether the parties agreed on a division of what is still held. */
export function isAgreed({ milestones, negotiations }: Escrow): boolean {
  const isOpen = (target: MilestoneId | null) =>
    target === null || milestones.some((one) => one.milestoneId === target && one.status === 'PENDING');
  return negotiations.some((one) => one.status === 'ACCEPTED' && isOpen(one.milestoneId));
}

/** A dispute ends, and all that is held is divided. */
function resolved(escrow: Escrow, shares: Shares): Escrow {
  const closed = closeMilestones(withShares(escrow, shares), (milestone) =>
    milestone.shares.sellerPayoutCents > 0n ? 'RELEASED' : 'REFUNDED',
  );
  return settle(closed, shares, 'RESOLVED');
}

function settle(escrow: Escrow, shares: Shares, status: EscrowStatus): Escrow {
  return {
    ...escrow,
    status,
    heldCents: escrow.heldCents - heldCentsOf(shares),
    releasedCents: escrow.releasedCents + shares.sellerPayoutCents,
    feesCents: escrow.feesCents + shares.systemFeeCents + shares.serviceFeeCents,
    refundedCents: escrow.refundedCents + shares.buyerRefundCents,
    autoReleaseAt: isFinal(status) ? null : escrow.autoReleaseAt,
  };
}

/**
 * Counted from the latest note or receipt, but never earlier than the current date: a seller's note must not undo the buyer's
 * extension.
 */
function autoReleaseAfter({ terms, autoReleaseAt }: Escrow, at: Instant): Instant | null {
  if (terms.autoReleaseHours === null) return null;
  const counted = addHours(at, terms.autoReleaseHours);
  return autoReleaseAt !== null && autoReleaseAt > counted ? autoReleaseAt : counted;
}

/** Divides new shares of the held money over the pending milestones, by their weights. */
function withShares(escrow: Escrow, shares: Shares): Escrow {
  const pending = escrow.milestones.filter((milestone) => milestone.status === 'PENDING');
  const parts = allocateShares(
    shares,
    pending.map((milestone) => BigInt(milestone.weightHundredths)),
  );
  return withMilestones({ ...escrow, shares }, (milestone) => {
    const part = parts[pending.indexOf(milestone)];
    return part === undefined ? milestone : { ...milestone, shares: part };
  });
}

function withPlan(escrow: Escrow, negotiation: Negotiation): Escrow {
  const { milestoneId, plan } = negotiation;
  if (milestoneId === null) return rebaseProposals(withShares(escrow, sharesOf(plan, escrow.heldCents)));
  return withMilestones(escrow, (milestone) =>
    milestone.milestoneId === milestoneId
      ? { ...milestone, shares: sharesOf(plan, heldCentsOf(milestone.shares)) }
      : milestone,
  );
}

/**
 * An accepted plan sets new fees. An open proposal concerns only a milestone's payout, so it takes over the milestone's new
 * fees.
 */
function rebaseProposals(escrow: Escrow): Escrow {
  const negotiations = escrow.negotiations.map((negotiation) => {
    const milestone = escrow.milestones.find(({ milestoneId }) => milestoneId === negotiation.milestoneId);
    if (milestone === undefined || negotiation.status !== 'PENDING') return negotiation;
    const { systemFeeCents, serviceFeeCents } = milestone.shares;
    return { ...negotiation, plan: { ...negotiation.plan, systemFeeCents, serviceFeeCents } };
  });
  return { ...escrow, negotiations };
}

/** Changes milestones and keeps the invariant of `shares`: it is the sum of the milestones' shares. */
function withMilestones(escrow: Escrow, change: (milestone: Milestone) => Milestone): Escrow {
  if (escrow.milestones.length === 0) return escrow;
  const milestones = escrow.milestones.map(change);
  return { ...escrow, milestones, shares: milestones.reduce((sum, { shares }) => addShares(sum, shares), NO_SHARES) };
}

function closeMilestones(escrow: Escrow, statusOf: (milestone: Milestone) => 'RELEASED' | 'REFUNDED'): Escrow {
  const milestones = escrow.milestones.map((milestone) =>
    milestone.status === 'PENDING' ? { ...milestone, status: statusOf(milestone) } : milestone,
  );
  return { ...escrow, milestones };
}

/** An earlier proposal for the same target has expired: its timer had not fired yet. */
function withProposal(escrow: Escrow, negotiation: Negotiation): Escrow {
  const cleared = lapseOpenNegotiations(escrow, ({ milestoneId }) => milestoneId === negotiation.milestoneId);
  return { ...cleared, negotiations: [...cleared.negotiations, negotiation] };
}

function closeNegotiation(escrow: Escrow, negotiationId: string, status: Negotiation['status']): Escrow {
  const negotiations = escrow.negotiations.map((negotiation) =>
    negotiation.negotiationId === negotiationId ? { ...negotiation, status } : negotiation,
  );
  return { ...escrow, negotiations: bounded(negotiations) };
}

function lapseOpenNegotiations(escrow: Escrow, concerns: (negotiation: Negotiation) => boolean = () => true): Escrow {
  const negotiations = escrow.negotiations.map((negotiation) =>
    negotiation.status === 'PENDING' && concerns(negotiation)
      ? { ...negotiation, status: 'LAPSED' as const }
      : negotiation,
  );
  return { ...escrow, negotiations: bounded(negotiations) };
}

/** Limits the state's size over a long life: the oldest closed negotiations are dropped. */
function bounded(negotiations: readonly Negotiation[]): readonly Negotiation[] {
  let surplus = negotiations.filter(({ status }) => status !== 'PENDING').length - MAX_CLOSED_NEGOTIATIONS;
  return negotiations.filter(({ status }) => status === 'PENDING' || surplus-- <= 0);
}
