import { type Refused, refuse } from '../entity.ts';
import { amountDetails } from '../errors.ts';
import { idMadeBy, type MilestoneId, type NegotiationId } from '../ids.ts';
import { addHours, type Instant } from '../time.ts';
import type { CommandOf } from './commands.ts';
import { accept, type Decision, happened, notBlacklisted, pendingMilestone } from './decision.ts';
import { type Escrow, NEGOTIATION_LIFETIME_HOURS, type Negotiation } from './escrow.ts';
import { payPostings } from './postings.ts';
import { heldCentsOf, paidCents, type Shares, type SplitPlan, sharesOf } from './shares.ts';

/** Proposals for another split, of the held money or of one milestone, and the answers to them. */

export function negotiate(escrow: Escrow, command: CommandOf<'negotiate'>, now: Instant): Decision {
  if (paidCents(command.plan) > escrow.heldCents) return refuseExcess(escrow, command.plan, escrow.heldCents);
  return propose(escrow, command, now, null, command.plan);
}

export function adjustMilestone(escrow: Escrow, command: CommandOf<'adjust-milestone'>, now: Instant): Decision {
  const milestone = pendingMilestone(escrow, command.milestoneId);
  if ('code' in milestone) return milestone;
  const fees = { ...withoutRefund(milestone.shares), sellerPayoutCents: 0n };
  const plan = { ...fees, sellerPayoutCents: command.sellerPayoutCents };
  const mostCents = heldCentsOf(milestone.shares) - paidCents(fees);
  if (command.sellerPayoutCents > mostCents)
    return refuse(
      'split_exceeds_held',
      "the payout exceeds the milestone's amount less its fees",
      amountDetails(mostCents, command.sellerPayoutCents, escrow.terms.currency),
    );
  return propose(escrow, command, now, command.milestoneId, plan);
}

/** The refusal of a plan that pays out more than `heldCents`. */
export function refuseExcess({ terms }: Escrow, plan: SplitPlan, heldCents: bigint): Refused {
  return refuse(
    'split_exceeds_held',
    `the plan exceeds the ${heldCents} cents that are held`,
    amountDetails(heldCents, paidCents(plan), terms.currency),
  );
}

function propose(
  escrow: Escrow,
  command: CommandOf<'negotiate' | 'adjust-milestone'>,
  now: Instant,
  milestoneId: MilestoneId | null,
  plan: SplitPlan,
): Decision {
  if (escrow.negotiations.some((open) => open.milestoneId === milestoneId && isOpen(open, now)))
    return refuse('negotiation_pending', 'another proposal is waiting for an answer');
  return accept({
    ...happened(command, now),
    type: 'NEGOTIATION_PROPOSED',
    actor: command.actor,
    negotiation: {
      negotiationId: idMadeBy('negotiation', command.commandId),
      milestoneId,
      proposer: command.actor,
      plan,
      status: 'PENDING',
      lapsesAt: addHours(now, NEGOTIATION_LIFETIME_HOURS),
    },
  });
}

export function acceptNegotiation(escrow: Escrow, command: CommandOf<'accept-negotiation'>, now: Instant): Decision {
  const negotiation = openNegotiation(escrow, command, now);
  if ('code' in negotiation) return negotiation;
  if (negotiation.proposer === command.actor) return refuse('own_proposal', 'the proposer cannot accept the proposal');
  const milestone = escrow.milestones.find(({ milestoneId }) => milestoneId === command.milestoneId);
  const heldCents = milestone === undefined ? escrow.heldCents : heldCentsOf(milestone.shares);
  if (paidCents(negotiation.plan) > heldCents) return refuseExcess(escrow, negotiation.plan, heldCents);
  const accepted = {
    ...happened(command, now),
    type: 'NEGOTIATION_ACCEPTED',
    actor: command.actor,
    negotiationId: command.negotiationId,
  } as const;
  if (escrow.status !== 'DISPUTED') return accept(accepted);
  const shares = sharesOf(negotiation.plan, heldCents);
  const postings = payPostings(escrow, command.commandId, shares);
  const settlement = { shares, transactionId: postings[0]?.transactionId ?? null };
  return accept({ ...accepted, settlement }, postings, notBlacklisted(null, escrow.terms.sellerId));
}

export function rejectNegotiation(escrow: Escrow, command: CommandOf<'reject-negotiation'>, now: Instant): Decision {
  const negotiation = openNegotiation(escrow, command, now);
  if ('code' in negotiation) return negotiation;
  return accept({
    ...happened(command, now),
    type: 'NEGOTIATION_REJECTED',
    actor: command.actor,
    negotiationId: command.negotiationId,
  });
}

export function lapseNegotiation(escrow: Escrow, command: CommandOf<'lapse-negotiation'>, now: Instant): Decision {
  const negotiation = escrow.negotiations.find(({ negotiationId }) => negotiationId === command.negotiationId);
  if (negotiation?.status !== 'PENDING' || now < negotiation.lapsesAt)
    return refuse('wrong_state', 'the proposal is not open, or has not expired yet');
  return accept({
    ...happened(command, now),
    type: 'NEGOTIATION_LAPSED',
    actor: 'SYSTEM',
    negotiationId: command.negotiationId,
  });
}

type Target = { readonly negotiationId: NegotiationId; readonly milestoneId: MilestoneId | null };

export function negotiationOf(escrow: Escrow, { negotiationId, milestoneId }: Target): Negotiation | Refused {
  const negotiation = escrow.negotiations.find(
    (candidate) => candidate.negotiationId === negotiationId && candidate.milestoneId === milestoneId,
  );
  return negotiation ?? refuse('not_found', 'negotiation not found');
}

function openNegotiation(escrow: Escrow, target: Target, now: Instant): Negotiation | Refused {
  const negotiation = negotiationOf(escrow, target);
  if ('code' in negotiation || isOpen(negotiation, now)) return negotiation;
  return refuse(
    'wrong_state',
    `the negotiation is ${negotiation.status === 'PENDING' ? 'LAPSED' : negotiation.status}`,
  );
}

/** An expired proposal is closed, whether or not its timer has fired. */
function isOpen(negotiation: Negotiation, now: Instant): boolean {
  return negotiation.status === 'PENDING' && now < negotiation.lapsesAt;
}

function withoutRefund({ systemFeeCents, serviceFeeCents, sellerPayoutCents }: Shares): SplitPlan {
  return { systemFeeCents, serviceFeeCents, sellerPayoutCents };
}
