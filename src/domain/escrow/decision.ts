import { type Refused, refuse } from '../entity.ts';
import type { AdministratorId, MilestoneId, UserId } from '../ids.ts';
import type { Posting } from '../ledger/postings.ts';
import type { Instant } from '../time.ts';
import type { EscrowCommand, EscrowEvent } from './commands.ts';
import type { Escrow, Milestone } from './escrow.ts';

/** The type of a decision, and how it is built. */

/** Conditions that only the database can check when the event is written. */
export type Check =
  | { readonly kind: 'user_not_blacklisted'; readonly userId: UserId }
  | { readonly kind: 'may_resolve_disputes'; readonly adminId: AdministratorId };

export type Accepted = {
  readonly kind: 'accepted';
  readonly event: EscrowEvent;
  readonly postings: readonly Posting[];
  readonly checks: readonly Check[];
};
export type Decision = Accepted | Refused;

export function milestoneOf(escrow: Escrow, milestoneId: MilestoneId): Milestone | Refused {
  const milestone = escrow.milestones.find((candidate) => candidate.milestoneId === milestoneId);
  return milestone ?? refuse('not_found', 'the escrow has no such milestone');
}

export function pendingMilestone(escrow: Escrow, milestoneId: MilestoneId): Milestone | Refused {
  const milestone = milestoneOf(escrow, milestoneId);
  if ('code' in milestone) return milestone;
  if (milestone.status !== 'PENDING') return refuse('wrong_state', `the milestone is ${milestone.status}`);
  return milestone;
}

export function notBlacklisted(buyerId: UserId | null, sellerId: UserId | null): Check[] {
  return [buyerId, sellerId].flatMap((userId) =>
    userId === null ? [] : [{ kind: 'user_not_blacklisted' as const, userId }],
  );
}

export function happened(command: EscrowCommand, now: Instant) {
  return { commandId: command.commandId, at: now };
}

export function accept(event: EscrowEvent, postings: readonly Posting[] = [], checks: readonly Check[] = []): Accepted {
  return { kind: 'accepted', event, postings, checks };
}
