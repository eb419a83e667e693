import { assertNever } from '../../domain/errors.ts';
import { allows, type EscrowEvent, isNote, MESSAGE_TYPES, type MessageType } from '../../domain/escrow/commands.ts';
import { type Escrow, type EscrowState, isFinal, type Negotiation } from '../../domain/escrow/escrow.ts';
import { heldCentsOf } from '../../domain/escrow/shares.ts';
import { publicId } from '../../domain/ids.ts';
import { toWire } from '../../domain/messages/wire.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Display } from '../run/served-entity.ts';

/** The description of an escrow for operators in the Temporal UI. Amounts, states, ids and times; never names or texts. */
export const escrowDisplay: Display<Escrow, EscrowEvent> = {
  describe,
  request,
  eventLine,
  facts: ({ terms, blockedBy, chargedBackCents }) => ({
    amountCents: terms.totalCents,
    buyer: publicId('user', terms.buyerId),
    // Without a seller, the company sells into its own account.
    seller: terms.sellerId === null ? publicId('company', terms.companyId) : publicId('user', terms.sellerId),
    attention: [...(blockedBy === null ? [] : ['release_blocked']), ...(chargedBackCents > 0n ? ['charged_back'] : [])],
  }),
  waitingFor: commandsOf,
  result: ({ terms, heldCents, releasedCents, feesCents, refundedCents }) =>
    toWire({ currency: terms.currency, heldCents, releasedCents, feesCents, refundedCents }),
};

/** The UI shows every line, but truncates a line that is too long. */
const COMMANDS_PER_LINE = 4;

function describe(state: EscrowState): readonly string[] {
  if (state === null) return ['Nothing has happened yet.'];
  const { terms } = state;
  const money = [
    `held ${formatAmount(state.heldCents, terms.currency)}`,
    `released ${formatAmount(state.releasedCents, terms.currency)}`,
    `fees ${formatAmount(state.feesCents, terms.currency)}`,
    `refunded ${formatAmount(state.refundedCents, terms.currency)}`,
  ].join(', ');
  const paragraphs = [
    `Escrow of ${amount(state, terms.totalCents)} \`${publicId('escrow', terms.escrowId)}\``,
    `**${state.status}** since ${state.updatedAt}`,
    money,
    `Buyer \`${publicId('user', terms.buyerId)}\``,
    terms.sellerId === null ? 'The company sells.' : `Seller \`${publicId('user', terms.sellerId)}\``,
  ];
  if (state.chargedBackCents > 0n) paragraphs.push(`**charged back: ${amount(state, state.chargedBackCents)}**`);
  if (state.blockedBy !== null) paragraphs.push(`**blocked: ${state.blockedBy}**`);
  const whatIsDue = state.blockedBy === null ? 'Releases by itself' : 'The release is tried again';
  if (state.autoReleaseAt !== null) paragraphs.push(`${whatIsDue} at ${state.autoReleaseAt}`);
  for (const { requestId, until } of state.stopped?.by ?? [])
    paragraphs.push(
      `The request \`${publicId('orderRequest', requestId)}\` stops the automatic release until ${until}`,
    );
  for (const { negotiationId, milestoneId, proposer, lapsesAt } of pendingProposals(state)) {
    const target = milestoneId === null ? '' : ` for \`${publicId('milestone', milestoneId)}\``;
    paragraphs.push(
      `Proposal of ${proposer} until ${lapsesAt}`,
      `\`${publicId('negotiation', negotiationId)}\`${target}`,
    );
  }
  for (const { milestoneId, status, shares } of state.milestones)
    paragraphs.push(`- ${status} ${amount(state, heldCentsOf(shares))} \`${publicId('milestone', milestoneId)}\``);
  paragraphs.push(...waitsFor(state));
  return paragraphs;
}

function waitsFor(escrow: Escrow): readonly string[] {
  if (isFinal(escrow.status)) return ['Final.'];
  const quoted = commandsOf(escrow).map((type) => `\`${type}\``);
  const rows = Array.from({ length: Math.ceil(quoted.length / COMMANDS_PER_LINE) }, (_row, index) =>
    quoted.slice(index * COMMANDS_PER_LINE, (index + 1) * COMMANDS_PER_LINE).join(', '),
  );
  const [first = '', ...rest] = rows;
  return [`Waits for ${first}`, ...rest];
}

/** The commands that the escrow accepts now. `fund` comes from its payment link. */
function commandsOf(escrow: Escrow): readonly string[] {
  const commands = MESSAGE_TYPES.filter((type) => allows(type, escrow.status) && (HAS_TARGET[type]?.(escrow) ?? true));
  return allows('fund', escrow.status) ? ['fund', ...commands] : commands;
}

const hasMilestones = ({ milestones }: Escrow) => milestones.length > 0;
const hasProposal = (escrow: Escrow) => pendingProposals(escrow).length > 0;

/** Whether the object of the command exists, for commands about a part of the escrow. */
const HAS_TARGET: { readonly [Type in MessageType]?: (escrow: Escrow) => boolean } = {
  'release-milestone': hasMilestones,
  'adjust-milestone': hasMilestones,
  'accept-negotiation': hasProposal,
  'reject-negotiation': hasProposal,
  'resume-auto-release': ({ stopped }) => stopped !== undefined,
  'extend-auto-release': (escrow) => escrow.autoReleaseAt !== null && !escrow.autoReleaseExtended,
};

function pendingProposals(escrow: Escrow): readonly Negotiation[] {
  return escrow.negotiations.filter(({ status }) => status === 'PENDING');
}

/** The event as one line: `FUNDS_RELEASED 247.50 USD`. */
function eventLine(escrow: Escrow, event: EscrowEvent): string {
  const cents = centsOf(event);
  return cents === null ? event.type : `${event.type} ${amount(escrow, cents)}`;
}

/** The database step as one line: `release 247.50 USD to the seller`. */
function request(escrow: Escrow, event: EscrowEvent): string {
  if (isNote(event)) return `note: ${event.type.toLowerCase().replaceAll('_', ' ')}`;
  const money = (cents: bigint) => amount(escrow, cents);
  switch (event.type) {
    case 'INITIATED':
      return event.heldCents > 0n
        ? `hold ${money(event.heldCents)}`
        : `open an escrow of ${money(event.terms.totalCents)}`;
    case 'FUNDED':
      return `hold ${money(event.heldCents)}`;
    case 'DELIVERY_NOTED':
      return 'note the delivery';
    case 'GOODS_RECEIVED':
      return 'note the receipt';
    case 'FUNDS_RELEASED':
    case 'MILESTONE_RELEASED':
      return `release ${money(event.shares.sellerPayoutCents)} to the seller`;
    case 'AUTO_RELEASED':
      return `release ${money(event.shares.sellerPayoutCents)} to the seller, because it is due`;
    case 'RESOLVED':
      return `resolve ${money(event.shares.sellerPayoutCents)} to the seller`;
    case 'CANCELLED':
      return `cancel, ${money(event.refundCents)} back to the buyer`;
    case 'RELEASE_BLOCKED':
      return `note that the release is blocked: ${event.reason}`;
    case 'AUTO_RELEASE_EXTENDED':
      return `move the automatic release to ${event.autoReleaseAt}`;
    case 'AUTO_RELEASE_STOPPED':
      return `stop the automatic release until ${event.until}`;
    case 'AUTO_RELEASE_RESUMED':
      return 'plan the automatic release again';
    case 'NEGOTIATION_PROPOSED':
      return `propose ${money(event.negotiation.plan.sellerPayoutCents)} to the seller`;
    case 'NEGOTIATION_ACCEPTED':
      return event.settlement === undefined
        ? 'accept the proposal'
        : `settle the dispute, ${money(event.settlement.shares.sellerPayoutCents)} to the seller`;
    case 'NEGOTIATION_REJECTED':
      return 'reject the proposal';
    case 'NEGOTIATION_LAPSED':
      return 'let the proposal lapse';
    case 'DISPUTED':
      return 'open a dispute';
    case 'CHARGED_BACK':
      return `note that ${money(event.amountCents)} of the payment was ${event.change.replace('_', ' ')}`;
    case 'CHARGEBACK_REVERSED':
      return `note that ${money(event.amountCents)} of the payment came back`;
    default:
      return assertNever(event);
  }
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
    case 'CHARGED_BACK':
    case 'CHARGEBACK_REVERSED':
      return event.amountCents;
    case 'NEGOTIATION_PROPOSED':
      return event.negotiation.plan.sellerPayoutCents;
    default:
      return null;
  }
}

function amount(escrow: Escrow, cents: bigint): string {
  return `${formatAmount(cents, escrow.terms.currency)} ${escrow.terms.currency}`;
}
