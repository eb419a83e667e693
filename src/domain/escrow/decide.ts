import { type Refused, refuse } from '../entity.ts';
import { amountDetails, assertNever } from '../errors.ts';
import { type AdministratorId, idMadeBy, type OrderRequestId, publicId } from '../ids.ts';
import type { Posting } from '../ledger/postings.ts';
import { addHours, type Instant } from '../time.ts';
import {
  allows,
  type CommandOf,
  type EscrowCommand,
  type EscrowEvent,
  isNoteCommand,
  type NoteCommand,
  noteOf,
} from './commands.ts';
import {
  accept,
  type Check,
  type Decision,
  happened,
  milestoneOf,
  notBlacklisted,
  pendingMilestone,
} from './decision.ts';
import { counting, coversOrder } from './deliveries.ts';
import {
  type Actor,
  type CountedItem,
  type Escrow,
  type EscrowState,
  MAX_RELEASE_STOPS,
  type OrderedBy,
  type OrderedItem,
  type Pieces,
  RELEASE_RETRY_HOURS,
  type ReleaseStop,
} from './escrow.ts';
import {
  acceptNegotiation,
  adjustMilestone,
  lapseNegotiation,
  negotiate,
  negotiationOf,
  refuseExcess,
  rejectNegotiation,
} from './negotiation.ts';
import { holdPosting, payPostings, refundPostings, remainingShares } from './postings.ts';
import { priceOf } from './price.ts';
import { heldCentsOf, paidCents, type Shares, sharesOf } from './shares.ts';

/**
 * Decides `command` in `state` at `now`: one event with its postings, or a refusal. Pure: the clock and all ids are arguments,
 * so deciding the same command again gives the same event.
 */
export function decide(state: EscrowState, command: EscrowCommand, now: Instant): Decision {
  if (command.type === 'initiate')
    return state === null ? initiate(command, now) : refuse('already_exists', 'the escrow exists already');
  if (state === null) return refuse('not_found', 'escrow not found');
  const missing = missingTarget(state, command);
  if (missing !== null) return missing;
  if (!allows(command.type, state.status)) return refuseState(command.type, state);
  if (isNoteCommand(command)) return accept(noteOf(command, now), [], administratorCheck(command));
  return decideOn(state, command, now);
}

type Deciding = Exclude<EscrowCommand, NoteCommand | { type: 'initiate' }>;

function decideOn(escrow: Escrow, command: Deciding, now: Instant): Decision {
  switch (command.type) {
    case 'fund':
      return fund(escrow, command, now);
    case 'delivery-note':
      return (
        refuseUnorderedItems(escrow, command.items) ??
        accept({ ...counted(escrow, command, now), type: 'DELIVERY_NOTED', actor: 'SELLER' })
      );
    case 'goods-received':
      return (
        refuseUnorderedItems(escrow, command.items, escrow.deliveries.received) ??
        refuseOtherPrice(escrow, command.items) ??
        accept({ ...counted(escrow, command, now), type: 'GOODS_RECEIVED', actor: 'BUYER' })
      );
    case 'release':
      return releaseAll(escrow, command, now, { type: 'FUNDS_RELEASED', ...orderedBy(command) });
    case 'auto-release':
      return refuseEarlyRelease(escrow, now) ?? releaseAll(escrow, command, now, { type: 'AUTO_RELEASED' });
    case 'block-release':
      return (
        refuseEarlyRelease(escrow, now) ??
        accept({
          ...happened(command, now),
          type: 'RELEASE_BLOCKED',
          actor: 'SYSTEM',
          reason: command.reason,
          retryAt: addHours(now, RELEASE_RETRY_HOURS),
        })
      );
    case 'extend-auto-release':
      return extendAutoRelease(escrow, command, now);
    case 'stop-auto-release':
      return stopAutoRelease(escrow, command, now);
    case 'resume-auto-release':
      return resumeAutoRelease(escrow, command, now, 'COMPANY');
    case 'lapse-stop':
      return refuseEarlyResumption(escrow, command, now) ?? resumeAutoRelease(escrow, command, now, 'SYSTEM');
    case 'release-milestone':
      return releaseMilestone(escrow, command, now);
    case 'negotiate':
      return negotiate(escrow, command, now);
    case 'adjust-milestone':
      return adjustMilestone(escrow, command, now);
    case 'accept-negotiation':
      return acceptNegotiation(escrow, command, now);
    case 'reject-negotiation':
      return rejectNegotiation(escrow, command, now);
    case 'lapse-negotiation':
      return lapseNegotiation(escrow, command, now);
    case 'dispute':
      return accept({
        ...happened(command, now),
        type: 'DISPUTED',
        actor: command.actor,
        disputeId: idMadeBy('dispute', command.commandId),
        openedBy: command.actor,
      });
    case 'cancel':
      return cancel(escrow, command, now);
    case 'admin-resolve':
      return resolve(escrow, command, now);
    case 'note-chargeback':
      return noteChargeback(command, now);
    default:
      return assertNever(command);
  }
}

function initiate(command: CommandOf<'initiate'>, now: Instant): Decision {
  const { terms, splitPlan, milestones } = command;
  if (terms.sellerId === terms.buyerId) return refuse('same_party', 'buyer and seller are the same user');
  const price = priceOf({
    totalCents: terms.totalCents,
    currency: terms.currency,
    fees: command.fees,
    feePayer: terms.feePayer,
    splitPlan,
    weightsBasisPoints: milestones.map((milestone) => milestone.weightHundredths),
  });
  if (price.kind === 'refused') return price;
  const { dueCents, shares, parts } = price;
  const isFundedNow = command.funding === 'now';
  return accept(
    {
      ...happened(command, now),
      type: 'INITIATED',
      actor: 'COMPANY',
      terms,
      fees: splitPlan === null ? command.fees : null,
      shares,
      milestones: milestones.map((milestone, index) => ({
        ...milestone,
        status: 'PENDING',
        shares: partAt(parts, index),
      })),
      heldCents: isFundedNow ? dueCents : 0n,
    },
    isFundedNow ? [holdPosting(terms, command.commandId, dueCents)] : [],
    notBlacklisted(terms.buyerId, terms.sellerId),
  );
}

function fund(escrow: Escrow, command: CommandOf<'fund'>, now: Instant): Decision {
  const heldCents = heldCentsOf(escrow.shares);
  return accept(
    { ...happened(command, now), type: 'FUNDED', actor: 'BUYER', heldCents },
    [holdPosting(escrow.terms, command.commandId, heldCents)],
    notBlacklisted(escrow.terms.buyerId, escrow.terms.sellerId),
  );
}

function releaseAll(
  escrow: Escrow,
  command: CommandOf<'release' | 'auto-release'>,
  now: Instant,
  released: ({ type: 'FUNDS_RELEASED' } & OrderedBy) | { type: 'AUTO_RELEASED' },
): Decision {
  const shares = remainingShares(escrow);
  return pay(escrow, command, shares, (transactionId) => ({
    ...happened(command, now),
    ...released,
    actor: 'SYSTEM',
    shares,
    transactionId,
  }));
}

/** Refuses a command that needs a due automatic release if none is due. Another command may have moved the release meanwhile. */
function refuseEarlyRelease(escrow: Escrow, now: Instant): Refused | null {
  const isDue = escrow.autoReleaseAt !== null && now >= escrow.autoReleaseAt;
  return isDue ? null : refuse('wrong_state', 'no automatic release is due');
}

function releaseMilestone(escrow: Escrow, command: CommandOf<'release-milestone'>, now: Instant): Decision {
  const milestone = pendingMilestone(escrow, command.milestoneId);
  if ('code' in milestone) return milestone;
  const { shares, milestoneId } = milestone;
  return pay(escrow, command, shares, (transactionId) => ({
    ...happened(command, now),
    type: 'MILESTONE_RELEASED',
    ...orderedBy(command),
    actor: 'SYSTEM',
    milestoneId,
    shares,
    transactionId,
  }));
}

function extendAutoRelease(escrow: Escrow, command: CommandOf<'extend-auto-release'>, now: Instant): Decision {
  if (escrow.autoReleaseAt === null) return refuse('wrong_state', 'no automatic release is planned');
  if (escrow.autoReleaseExtended) return refuse('wrong_state', 'the automatic release was already extended');
  return accept({
    ...happened(command, now),
    type: 'AUTO_RELEASE_EXTENDED',
    actor: 'BUYER',
    autoReleaseAt: addHours(escrow.autoReleaseAt, command.hours),
  });
}

function stopAutoRelease(escrow: Escrow, command: CommandOf<'stop-auto-release'>, now: Instant): Decision {
  const { requestId, hours } = command;
  if (stopOf(escrow, requestId) !== undefined) return refuse('already_exists', 'the request stops the release already');
  if ((escrow.stopped?.by.length ?? 0) >= MAX_RELEASE_STOPS)
    return refuse('limit_reached', `at most ${MAX_RELEASE_STOPS} requests stop a release`);
  const until = addHours(now, hours);
  return accept({ ...happened(command, now), type: 'AUTO_RELEASE_STOPPED', actor: 'BUYER', requestId, until });
}

function resumeAutoRelease(
  escrow: Escrow,
  command: CommandOf<'resume-auto-release' | 'lapse-stop'>,
  now: Instant,
  actor: 'COMPANY' | 'SYSTEM',
): Decision {
  const { requestId } = command;
  if (stopOf(escrow, requestId) === undefined) return refuse('wrong_state', 'the request does not stop the release');
  return accept({ ...happened(command, now), type: 'AUTO_RELEASE_RESUMED', actor, requestId });
}

function refuseEarlyResumption(escrow: Escrow, { requestId }: CommandOf<'lapse-stop'>, now: Instant): Refused | null {
  const stop = stopOf(escrow, requestId);
  return stop !== undefined && now < stop.until ? refuse('wrong_state', 'the request has not lapsed') : null;
}

function stopOf({ stopped }: Escrow, requestId: OrderRequestId): ReleaseStop | undefined {
  return stopped?.by.find((stop) => stop.requestId === requestId);
}

function cancel(escrow: Escrow, command: CommandOf<'cancel'>, now: Instant): Decision {
  if (escrow.status === 'DISPUTED' && command.actor !== 'ADMIN')
    return refuse(
      'wrong_state',
      'only an administrator can cancel a disputed escrow. The parties may add evidence (dispute/evidence) or agree on a split ' +
        '(negotiate); else an administrator decides (admin-resolve)',
    );
  if (command.actor === 'BUYER' && escrow.milestones.some(({ status }) => status === 'RELEASED'))
    return refuse('wrong_state', 'a milestone was released: only the seller or an administrator can cancel the rest');
  const refund = refundPostings(escrow, command.commandId);
  const event = {
    ...happened(command, now),
    type: 'CANCELLED',
    actor: command.actor,
    ...orderedBy(command),
    refundCents: escrow.heldCents,
    transactionId: refund[0]?.transactionId ?? null,
  } as const;
  return accept(event, refund, administratorCheck(command));
}

type ActedBy = { readonly actor: Actor; readonly adminId?: AdministratorId | null };

/**
 * An administrator is checked when the event is written. For an API key the API has checked the permission and signed the
 * message.
 */
function administratorCheck({ actor, adminId = null }: ActedBy): readonly Check[] {
  return actor === 'ADMIN' && adminId !== null ? [{ kind: 'may_resolve_disputes', adminId }] : [];
}

function resolve(escrow: Escrow, command: CommandOf<'admin-resolve'>, now: Instant): Decision {
  if (paidCents(command.plan) > escrow.heldCents) return refuseExcess(escrow, command.plan, escrow.heldCents);
  const shares = sharesOf(command.plan, escrow.heldCents);
  const postings = payPostings(escrow, command.commandId, shares);
  return accept(
    {
      ...happened(command, now),
      type: 'RESOLVED',
      actor: 'ADMIN',
      ...orderedBy(command),
      adminId: command.adminId,
      shares,
      transactionId: postings[0]?.transactionId ?? null,
    },
    postings,
    [{ kind: 'may_resolve_disputes', adminId: command.adminId }],
  );
}

function noteChargeback(command: CommandOf<'note-chargeback'>, now: Instant): Decision {
  const { change, amountCents, transactionId } = command;
  const noted = { ...happened(command, now), actor: 'SYSTEM', amountCents, transactionId } as const;
  return accept(
    change === 'chargeback_reversed'
      ? { ...noted, type: 'CHARGEBACK_REVERSED' }
      : { ...noted, type: 'CHARGED_BACK', change },
  );
}

function pay(
  escrow: Escrow,
  command: EscrowCommand,
  shares: Shares,
  eventOf: (transactionId: Posting['transactionId'] | null) => EscrowEvent,
): Decision {
  const postings = payPostings(escrow, command.commandId, shares);
  const event = eventOf(postings[0]?.transactionId ?? null);
  return accept(event, postings, notBlacklisted(null, escrow.terms.sellerId));
}

function counted(escrow: Escrow, command: CommandOf<'delivery-note' | 'goods-received'>, now: Instant) {
  const { items } = command;
  const isPartial = !coversOrder(escrow.terms.items, counting(escrow, command.type, items));
  return { ...happened(command, now), items, isPartial };
}

/** Refuses a receipt whose prices differ from the order's. */
function refuseOtherPrice(escrow: Escrow, items: readonly CountedItem[]): Refused | null {
  for (const { itemId, pricePerItemCents } of items) {
    const ordered = escrow.terms.items.find((item) => item.itemId === itemId);
    if (ordered !== undefined && ordered.pricePerUnitCents !== pricePerItemCents)
      return refuse(
        'price_mismatch',
        `item ${publicId('item', itemId)} was ordered at ${ordered.pricePerUnitCents} cents a piece`,
        amountDetails(ordered.pricePerUnitCents, pricePerItemCents, escrow.terms.currency),
      );
  }
  return null;
}

function orderedBy({ adminId, apiKeyId }: OrderedBy): OrderedBy {
  return { adminId, apiKeyId };
}

/** Refuses items that were not ordered, or quantities that with those `before` are above the ordered ones. */
function refuseUnorderedItems(
  escrow: Escrow,
  items: readonly CountedItem[],
  before: readonly Pieces[] = [],
): Refused | null {
  const ordered = new Map<string, OrderedItem>(escrow.terms.items.map((item) => [item.itemId, item]));
  const counted = new Map<string, number>(before.map(({ itemId, quantity }) => [itemId, quantity]));
  for (const { itemId, quantity } of items) {
    const item = ordered.get(itemId);
    if (item === undefined) return refuse('unknown_item', `the escrow has no item ${publicId('item', itemId)}`);
    const total = (counted.get(itemId) ?? 0) + quantity;
    if (total > item.quantity)
      return refuse(
        'quantity_exceeds_order',
        `${total} of item ${publicId('item', itemId)} exceeds the ${item.quantity} ordered`,
      );
    counted.set(itemId, total);
  }
  return null;
}

/** Checks that what a command names exists, before the state is considered. */
function missingTarget(escrow: Escrow, command: EscrowCommand): Refused | null {
  if ('milestoneId' in command && command.milestoneId !== null) {
    const milestone = milestoneOf(escrow, command.milestoneId);
    if ('code' in milestone) return milestone;
  }
  if (command.type !== 'accept-negotiation' && command.type !== 'reject-negotiation') return null;
  const negotiation = negotiationOf(escrow, command);
  return 'code' in negotiation ? negotiation : null;
}

function partAt(parts: readonly Shares[], index: number): Shares {
  const part = parts[index];
  if (part === undefined) throw new Error(`no share for milestone ${index}`);
  return part;
}

function refuseState(command: EscrowCommand['type'], escrow: Escrow): Refused {
  return refuse('wrong_state', `${command} is not possible while the escrow is ${escrow.status}`);
}
