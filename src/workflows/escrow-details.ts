import type { Escrow, EscrowEvent, EscrowState, Negotiation } from '../domain/escrow/escrow.ts';
import { MESSAGE_TYPES, type MessageType } from '../domain/escrow/parse-command.ts';
import { heldCentsOf } from '../domain/escrow/shares.ts';
import { allows, isFinal } from '../domain/escrow/transitions.ts';
import { publicId } from '../domain/ids.ts';
import { formatAmount } from '../domain/money.ts';

/** What ops read in the Temporal UI. Amounts, states and times; never names or texts. */

/** The UI makes room for every line, but not for the second half of one that is too long. */
const COMMANDS_PER_LINE = 4;

export function describeEscrow(state: EscrowState): string {
  if (state === null) return 'Nothing has happened yet.';
  const money = [
    `held ${formatAmount(state.heldCents, state.terms.currency)}`,
    `released ${formatAmount(state.releasedCents, state.terms.currency)}`,
    `fees ${formatAmount(state.feesCents, state.terms.currency)}`,
    `refunded ${formatAmount(state.refundedCents, state.terms.currency)}`,
  ].join(', ');
  const lines = [`**${state.status}** since ${state.updatedAt}`, `${amount(state, state.terms.totalCents)}: ${money}`];
  if (state.autoReleaseAt !== null) lines.push(`Releases by itself at ${state.autoReleaseAt}`);
  for (const { negotiationId, milestoneId, proposer, lapsesAt } of pendingProposals(state)) {
    const target = milestoneId === null ? '' : ` for \`${publicId('milestone', milestoneId)}\``;
    lines.push(`Proposal of ${proposer} until ${lapsesAt}`, `\`${publicId('negotiation', negotiationId)}\`${target}`);
  }
  for (const { milestoneId, status, shares } of state.milestones)
    lines.push(`- ${status} ${amount(state, heldCentsOf(shares))} \`${publicId('milestone', milestoneId)}\``);
  lines.push(waitsFor(state));
  return lines.join('\n\n');
}

function waitsFor(escrow: Escrow): string {
  if (isFinal(escrow.status)) return 'Final.';
  const commands = MESSAGE_TYPES.filter((type) => allows(type, escrow.status) && hasTarget(escrow, type));
  const buyer = escrow.status === 'PENDING' ? 'the buyer to pay, or ' : '';
  const quoted = commands.map((type) => `\`${type}\``);
  const rows = Array.from({ length: Math.ceil(quoted.length / COMMANDS_PER_LINE) }, (_row, index) =>
    quoted.slice(index * COMMANDS_PER_LINE, (index + 1) * COMMANDS_PER_LINE).join(', '),
  );
  return `Waits for ${buyer}${rows.join(',\n\n')}`;
}

/** Whether there is anything that the command could be about. */
function hasTarget(escrow: Escrow, type: MessageType): boolean {
  switch (type) {
    case 'release-milestone':
    case 'adjust-milestone':
      return escrow.milestones.length > 0;
    case 'accept-negotiation':
    case 'reject-negotiation':
      return pendingProposals(escrow).length > 0;
    case 'extend-auto-release':
      return escrow.autoReleaseAt !== null && !escrow.autoReleaseExtended;
    default:
      return true;
  }
}

function pendingProposals(escrow: Escrow): readonly Negotiation[] {
  return escrow.negotiations.filter(({ status }) => status === 'PENDING');
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
  return `${formatAmount(cents, escrow.terms.currency)} ${escrow.terms.currency}`;
}
