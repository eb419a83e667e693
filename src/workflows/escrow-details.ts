import type { Escrow, EscrowEvent, EscrowState } from '../domain/escrow/escrow.ts';
import { MESSAGE_TYPES } from '../domain/escrow/parse-command.ts';
import { heldCentsOf } from '../domain/escrow/shares.ts';
import { allows, isFinal } from '../domain/escrow/transitions.ts';
import { formatCents } from '../domain/money.ts';

/** What ops read in the Temporal UI. Amounts, states and times; never names or texts. */

export function describeEscrow(state: EscrowState): string {
  if (state === null) return 'Nothing has happened yet.';
  const money = [
    `held ${amount(state, state.heldCents)}`,
    `released ${amount(state, state.releasedCents)}`,
    `fees ${amount(state, state.feesCents)}`,
    `refunded ${amount(state, state.refundedCents)}`,
  ].join(', ');
  const lines = [`**${state.status}** since ${state.updatedAt}`, money, waitsFor(state)];
  for (const milestone of state.milestones)
    lines.push(
      `- milestone \`${milestone.milestoneId}\` ${milestone.status} ${amount(state, heldCentsOf(milestone.shares))}`,
    );
  for (const open of state.negotiations.filter(({ status }) => status === 'PENDING'))
    lines.push(`- proposal \`${open.negotiationId}\` by ${open.proposer} lapses at ${open.lapsesAt}`);
  return lines.join('\n\n');
}

function waitsFor(escrow: Escrow): string {
  if (isFinal(escrow.status)) return 'Final.';
  const commands = MESSAGE_TYPES.filter((type) => allows(type, escrow.status)).map((type) => `\`${type}\``);
  const automatic = escrow.autoReleaseAt === null ? '' : `; releases by itself at ${escrow.autoReleaseAt}`;
  return `Waits for ${escrow.status === 'PENDING' ? 'the buyer to pay, or ' : ''}${commands.join(', ')}${automatic}`;
}

/** One line per event in the history: `FUNDS_RELEASED 247.50 USD`. */
export function summarizeEvent(escrow: Escrow, event: EscrowEvent): string {
  const cents = centsOf(event);
  return cents === null ? event.type : `${event.type} ${amount(escrow, cents)}`;
}

function centsOf(event: EscrowEvent): bigint | null {
  switch (event.type) {
    case 'INITIATED':
    case 'FUNDED':
      return event.heldCents;
    case 'FUNDS_RELEASED':
    case 'AUTO_RELEASED':
    case 'MILESTONE_RELEASED':
    case 'RESOLVED':
      return event.shares.sellerPayoutCents;
    case 'CANCELLED':
      return event.refundCents;
    case 'NEGOTIATION_PROPOSED':
      return event.negotiation.plan.sellerPayoutCents;
    default:
      return null;
  }
}

function amount(escrow: Escrow, cents: bigint): string {
  return `${formatCents(cents)} ${escrow.terms.currency}`;
}
