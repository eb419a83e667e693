import { type Command, type FieldsOf, type Happened, happens, type PublicFacts, type Typed, typed } from '../entity.ts';
import type {
  AdministratorId,
  ApiKeyId,
  CommandId,
  DisputeId,
  MilestoneId,
  NegotiationId,
  OrderRequestId,
  TransactionId,
} from '../ids.ts';
import {
  type Codec,
  cents,
  id,
  instant,
  integer,
  list,
  named,
  oneOf,
  optional,
  priceCents,
  record,
} from '../messages/codec.ts';
import { CURRENCY_CODES } from '../money.ts';
import { MAX_ASK_HOURS } from '../order-pages.ts';
import type { Instant } from '../time.ts';
import {
  type Actor,
  type CountedItem,
  ESCROW_STATUSES,
  type EscrowFees,
  type EscrowStatus,
  type EscrowTerms,
  MAX_AUTO_RELEASE_HOURS,
  MAX_BASIS_POINTS,
  MAX_EXTENSION_HOURS,
  MAX_ITEMS,
  MAX_MILESTONES,
  MAX_QUANTITY,
  type Milestone,
  type Negotiation,
  type OrderedBy,
  type OrderedItem,
  PARTIES,
  type Party,
  type PaymentChangeKind,
} from './escrow.ts';
import { FEE_PAYERS, type Shares, type SplitPlan } from './shares.ts';

/**
 * The escrow's commands and events: one row for each. Their types, the state machine, the messages of updates and signals, the
 * public types of events and the diagram of docs/architecture.md follow from the rows. After a new row, the compiler reports every other place
 * that needs one.
 */

/** `transactionId` is null if no money was held or moved. */
type PaidOut = { shares: Shares; transactionId: TransactionId | null };

/**
 * `changes`: `money` if the event pays or refunds, or if another row depends on it; `state` if it changes the escrow's row alone;
 * `nothing` if it only adds an entry to the timeline.
 */
type EventFacts = PublicFacts & { readonly changes: 'money' | 'state' | 'nothing' };

export const ESCROW_EVENTS = {
  INITIATED: happens<{
    terms: EscrowTerms;
    fees: EscrowFees | null;
    shares: Shares;
    milestones: readonly Milestone[];
    heldCents: bigint;
  }>()({ published: 'escrow.initiated', means: 'An escrow was created.', changes: 'money' }),
  FUNDED: happens<{ heldCents: bigint }>()({
    published: 'escrow.funded',
    means: "The buyer's money is held for the escrow.",
    changes: 'money',
  }),
  /** `isPartial`: with those before, the notes and receipts do not cover the order. */
  DELIVERY_NOTED: happens<{ items: readonly CountedItem[]; isPartial: boolean }>()({
    published: 'escrow.delivery_noted',
    means: 'The seller reported a delivery.',
    changes: 'state',
  }),
  GOODS_RECEIVED: happens<{ items: readonly CountedItem[]; isPartial: boolean }>()({
    published: 'escrow.goods_received',
    means: 'The buyer confirmed received goods.',
    changes: 'state',
  }),
  MILESTONE_RELEASED: happens<PaidOut & OrderedBy & { milestoneId: MilestoneId }>()({
    published: 'escrow.milestone_released',
    means: 'A milestone was paid out.',
    changes: 'money',
  }),
  FUNDS_RELEASED: happens<PaidOut & OrderedBy>()({
    published: 'escrow.released',
    means: 'The held money was paid out on request.',
    changes: 'money',
  }),
  AUTO_RELEASED: happens<PaidOut>()({
    published: 'escrow.auto_released',
    means: 'The held money was paid out on its date.',
    changes: 'money',
  }),
  RELEASE_BLOCKED: happens<{ reason: string; retryAt: Instant }>()({
    published: 'escrow.release_blocked',
    means: 'The automatic release was refused and will be tried again.',
    changes: 'state',
  }),
  AUTO_RELEASE_EXTENDED: happens<{ autoReleaseAt: Instant }>()({
    published: 'escrow.auto_release_extended',
    means: 'The date of the automatic release was moved.',
    changes: 'state',
  }),
  /** A buyer's request waits for the company's answer until `until`. */
  AUTO_RELEASE_STOPPED: happens<{ requestId: OrderRequestId; until: Instant }>()({
    published: 'escrow.auto_release_stopped',
    means: "A buyer's request holds back any automatic release until you answer it, or until it lapses.",
    changes: 'state',
  }),
  AUTO_RELEASE_RESUMED: happens<{ requestId: OrderRequestId }>()({
    published: 'escrow.auto_release_resumed',
    means: "A buyer's request was answered or lapsed, and no longer holds back the automatic release.",
    changes: 'state',
  }),
  NEGOTIATION_PROPOSED: happens<{ negotiation: Negotiation }>()({
    published: 'escrow.negotiation_proposed',
    means: 'A party proposed another division of the money.',
    changes: 'state',
  }),
  /** `settlement`: of a proposal that ended a dispute and was paid at once. Otherwise absent. */
  NEGOTIATION_ACCEPTED: happens<{ negotiationId: NegotiationId; settlement?: PaidOut }>()({
    published: 'escrow.negotiation_accepted',
    means: 'The other party accepted a proposal. In a dispute, the money was paid out as it says.',
    changes: 'money',
  }),
  NEGOTIATION_REJECTED: happens<{ negotiationId: NegotiationId }>()({
    published: 'escrow.negotiation_rejected',
    means: 'The other party rejected a proposal.',
    changes: 'state',
  }),
  NEGOTIATION_LAPSED: happens<{ negotiationId: NegotiationId }>()({
    published: 'escrow.negotiation_lapsed',
    means: 'A proposal ended without an answer.',
    changes: 'state',
  }),
  DISPUTED: happens<{ disputeId: DisputeId; openedBy: Party }>()({
    published: 'escrow.disputed',
    means: 'A party opened a dispute.',
    changes: 'state',
  }),
  EVIDENCE_ADDED: happens<OrderedBy>()({
    published: 'escrow.evidence_added',
    means: 'Evidence was added to a dispute.',
    changes: 'nothing',
  }),
  RESOLVED: happens<PaidOut & { adminId: AdministratorId; apiKeyId: ApiKeyId | null }>()({
    published: 'escrow.resolved',
    means: 'An administrator decided the dispute.',
    changes: 'money',
  }),
  CANCELLED: happens<OrderedBy & { refundCents: bigint; transactionId: TransactionId | null }>()({
    published: 'escrow.cancelled',
    means: 'The escrow was cancelled, and held money was returned.',
    changes: 'money',
  }),
  /** `change` is `refunded` if the payment was refunded at the gateway. */
  CHARGED_BACK: happens<{
    change: Exclude<PaymentChangeKind, 'chargeback_reversed'>;
    amountCents: bigint;
    transactionId: TransactionId;
  }>()({
    published: 'escrow.charged_back',
    means: 'The payment of the escrow was charged back, or refunded at the gateway.',
    changes: 'money',
  }),
  CHARGEBACK_REVERSED: happens<{ amountCents: bigint; transactionId: TransactionId }>()({
    published: 'escrow.chargeback_reversed',
    means: 'Money of a chargeback came back.',
    changes: 'money',
  }),
} as const satisfies Record<string, EventFacts & Typed<object>>;

type EventRows = typeof ESCROW_EVENTS;
export type EscrowEvent = {
  [Type in keyof EventRows]: Happened<Type, Actor, FieldsOf<EventRows[Type]>>;
}[keyof EventRows];

/** The events that change nothing but the timeline. */
type NoteType = {
  [Type in keyof EventRows]: EventRows[Type]['changes'] extends 'nothing' ? Type : never;
}[keyof EventRows];
export type NoteEvent = Extract<EscrowEvent, { type: NoteType }>;

export function isNote(event: EscrowEvent): event is NoteEvent {
  return ESCROW_EVENTS[event.type].changes === 'nothing';
}

/** Whether only the API may cause the event: it starts an escrow, or an API key ordered it. */
export function needsProof(event: { readonly type: string; readonly apiKeyId?: string | null }): boolean {
  return event.type === 'INITIATED' || (event.apiKeyId ?? null) !== null;
}

const party = oneOf(...PARTIES);
const partyOrAdmin = oneOf(...PARTIES, 'ADMIN');
const splitPlan = record<SplitPlan>({
  systemFeeCents: named('system_fee_cents', cents),
  serviceFeeCents: named('service_fee_cents', cents),
  sellerPayoutCents: named('seller_payout_cents', cents),
});
const countedItems = record({
  items: list(
    record<CountedItem>({
      itemId: id('item'),
      quantity: integer(1, MAX_QUANTITY),
      pricePerItemCents: named('price_per_item', priceCents),
    }),
    1,
    MAX_ITEMS,
  ),
});
const answer = record({ actor: party, negotiationId: id('negotiation'), milestoneId: optional(id('milestone')) });
const orderedBy = { adminId: optional(id('administrator')), apiKeyId: optional(id('apiKey')) };

const terms = record<EscrowTerms>({
  escrowId: id('escrow'),
  companyId: id('company'),
  buyerId: id('user'),
  sellerId: optional(id('user')),
  buyerAccountId: id('account'),
  sellerAccountId: id('account'),
  serviceFeeAccountId: id('account'),
  systemFeeAccountId: id('account'),
  currency: oneOf(...CURRENCY_CODES),
  totalCents: cents,
  feePayer: oneOf(...FEE_PAYERS),
  items: list(
    record<OrderedItem>({ itemId: id('item'), quantity: integer(1, MAX_QUANTITY), pricePerUnitCents: priceCents }),
    1,
    MAX_ITEMS,
  ),
  autoReleaseHours: optional(integer(1, MAX_AUTO_RELEASE_HOURS)),
});

/** The fields of the command that starts an escrow. Only the service sends it. */
export const initiation = record({
  terms,
  fees: record<EscrowFees>({
    systemFeeBasisPoints: integer(0, MAX_BASIS_POINTS),
    serviceFeeBasisPoints: integer(0, MAX_BASIS_POINTS),
    systemFeeSince: instant,
    serviceFeeSince: instant,
  }),
  splitPlan: optional(splitPlan),
  milestones: list(
    record({ milestoneId: id('milestone'), weightHundredths: integer(0, MAX_BASIS_POINTS) }),
    0,
    MAX_MILESTONES,
  ),
  /** `now`: the buyer's balance is held at once. `awaited`: a payment link will fund the escrow. */
  funding: oneOf('now', 'awaited'),
});

/** The sender of a command: a client or support; the service itself, for another entity's step; the run's own clock. */
type Sender = 'client' | 'service' | 'clock';

/**
 * `to` is the status after the command; null if the status stays, or depends on the remaining money. `event`: what the command
 * produces unless it is refused. A client's command has the codec of its messages.
 */
type CommandFacts = { readonly from: readonly EscrowStatus[]; readonly to: EscrowStatus | null } & (
  | { readonly sentBy: 'client'; readonly event: EscrowEvent['type']; readonly fields: Message }
  | { readonly sentBy: Exclude<Sender, 'client'>; readonly fields: Message | Typed<object> }
);

/** A codec, of whatever fields. */
type Message = Pick<Codec<object>, 'parse'>;

const RUNNING = ['ACTIVE', 'DELIVERY_NOTED', 'GOODS_RECEIVED'] as const;
/** In a dispute, a proposal about the whole escrow is a settlement. */
const NEGOTIABLE = [...RUNNING, 'DISPUTED'] as const;

export const ESCROW_COMMANDS = {
  initiate: { from: [], to: 'ACTIVE', sentBy: 'service', fields: initiation },
  fund: {
    from: ['PENDING'],
    to: 'ACTIVE',
    sentBy: 'service',
    fields: typed<{ depositTransactionId: TransactionId | null }>(),
  },
  'delivery-note': {
    from: RUNNING,
    to: 'DELIVERY_NOTED',
    sentBy: 'client',
    event: 'DELIVERY_NOTED',
    fields: countedItems,
  },
  'goods-received': {
    from: RUNNING,
    to: 'GOODS_RECEIVED',
    sentBy: 'client',
    event: 'GOODS_RECEIVED',
    fields: countedItems,
  },
  release: { from: RUNNING, to: 'COMPLETED', sentBy: 'client', event: 'FUNDS_RELEASED', fields: record(orderedBy) },
  'release-milestone': {
    from: RUNNING,
    to: null,
    sentBy: 'client',
    event: 'MILESTONE_RELEASED',
    fields: record({ ...orderedBy, milestoneId: id('milestone') }),
  },
  negotiate: {
    from: NEGOTIABLE,
    to: null,
    sentBy: 'client',
    event: 'NEGOTIATION_PROPOSED',
    fields: record({ actor: party, plan: named('newSplitPlan', splitPlan) }),
  },
  'adjust-milestone': {
    from: RUNNING,
    to: null,
    sentBy: 'client',
    event: 'NEGOTIATION_PROPOSED',
    fields: record({
      actor: party,
      milestoneId: id('milestone'),
      sellerPayoutCents: named('proposedSellerPayoutCents', cents),
    }),
  },
  // Accepted in a dispute, it leads to RESOLVED.
  'accept-negotiation': { from: NEGOTIABLE, to: null, sentBy: 'client', event: 'NEGOTIATION_ACCEPTED', fields: answer },
  'reject-negotiation': { from: NEGOTIABLE, to: null, sentBy: 'client', event: 'NEGOTIATION_REJECTED', fields: answer },
  'lapse-negotiation': {
    from: NEGOTIABLE,
    to: null,
    sentBy: 'clock',
    fields: typed<{ negotiationId: NegotiationId }>(),
  },
  'extend-auto-release': {
    from: RUNNING,
    to: null,
    sentBy: 'client',
    event: 'AUTO_RELEASE_EXTENDED',
    fields: record({ hours: integer(1, MAX_EXTENSION_HOURS) }),
  },
  // A buyer asks for an act that the company has to approve. The release and the request meet here, so one of them is first.
  'stop-auto-release': {
    from: RUNNING,
    to: null,
    sentBy: 'client',
    event: 'AUTO_RELEASE_STOPPED',
    fields: record({ requestId: id('orderRequest'), hours: integer(1, MAX_ASK_HOURS) }),
  },
  'resume-auto-release': {
    from: RUNNING,
    to: null,
    sentBy: 'client',
    event: 'AUTO_RELEASE_RESUMED',
    fields: record({ requestId: id('orderRequest') }),
  },
  'lapse-stop': { from: RUNNING, to: null, sentBy: 'clock', fields: typed<{ requestId: OrderRequestId }>() },
  'auto-release': { from: RUNNING, to: 'COMPLETED', sentBy: 'clock', fields: typed<object>() },
  'block-release': { from: RUNNING, to: null, sentBy: 'clock', fields: typed<{ reason: string }>() },
  dispute: { from: RUNNING, to: 'DISPUTED', sentBy: 'client', event: 'DISPUTED', fields: record({ actor: party }) },
  'add-evidence': {
    from: ['DISPUTED'],
    to: null,
    sentBy: 'client',
    event: 'EVIDENCE_ADDED',
    fields: record({ ...orderedBy, actor: partyOrAdmin }),
  },
  // From DISPUTED only by ADMIN; `decide` checks this.
  cancel: {
    from: ['PENDING', ...RUNNING, 'DISPUTED'],
    to: 'CANCELLED',
    sentBy: 'client',
    event: 'CANCELLED',
    fields: record({ ...orderedBy, actor: oneOf(...PARTIES, 'ADMIN', 'SYSTEM') }),
  },
  'admin-resolve': {
    from: ['DISPUTED'],
    to: 'RESOLVED',
    sentBy: 'client',
    event: 'RESOLVED',
    fields: record({
      plan: named('newSplitPlan', splitPlan),
      adminId: id('administrator'),
      apiKeyId: orderedBy.apiKeyId,
    }),
  },
  // The payment link has booked a change of the funding payment, possibly long after the money was paid out. The link's
  // transaction carries it out.
  'note-chargeback': {
    from: ESCROW_STATUSES,
    to: null,
    sentBy: 'service',
    fields: typed<{ change: PaymentChangeKind; amountCents: bigint; transactionId: TransactionId }>(),
  },
} as const satisfies Record<string, CommandFacts>;

type CommandRows = typeof ESCROW_COMMANDS;
export type EscrowCommandType = keyof CommandRows;
export const ESCROW_COMMAND_TYPES = Object.keys(ESCROW_COMMANDS) as readonly EscrowCommandType[]; // Object.keys loses the key types

type Fields<Type extends EscrowCommandType> = FieldsOf<CommandRows[Type]['fields']>;
export type EscrowCommand = { [Type in EscrowCommandType]: Command<Type, Fields<Type>> }[EscrowCommandType];

/** The commands of one type: `CommandOf<'release'>`. */
export type CommandOf<Type extends EscrowCommandType> = Extract<EscrowCommand, { type: Type }>;

/** The commands that `By` sends. */
export type CommandSentBy<By extends Sender> = {
  [Type in EscrowCommandType]: CommandRows[Type]['sentBy'] extends By ? Type : never;
}[EscrowCommandType];
/** All commands that a request, an update or a signal may send. */
export type MessageType = CommandSentBy<'client'>;
export const MESSAGE_TYPES = ESCROW_COMMAND_TYPES.filter(isMessageType);

function isMessageType(type: EscrowCommandType): type is MessageType {
  return ESCROW_COMMANDS[type].sentBy === 'client';
}

/** The commands that only add an entry to the timeline. */
export type NoteCommand = {
  [Type in MessageType]: CommandRows[Type]['event'] extends NoteType ? CommandOf<Type> : never;
}[MessageType];

export function isNoteCommand(command: EscrowCommand): command is NoteCommand {
  const row: CommandFacts = ESCROW_COMMANDS[command.type];
  return row.sentBy === 'client' && ESCROW_EVENTS[row.event].changes === 'nothing';
}

/** The entry of such a command has its fields. */
export function noteOf({ type, ...fields }: NoteCommand, at: Instant): NoteEvent {
  return { ...fields, type: ESCROW_COMMANDS[type].event, at } as NoteEvent; // the row pairs fields and event
}

/** The event that a client's command produces. */
export type EventOf<Type extends MessageType> = Extract<EscrowEvent, { type: CommandRows[Type]['event'] }>;

/** Whether the table allows `command` in `status`. */
export function allows(command: EscrowCommandType, status: EscrowStatus): boolean {
  const from: readonly EscrowStatus[] = ESCROW_COMMANDS[command].from;
  return from.includes(status);
}

/** The command that `raw` describes; undefined if it is invalid. A command that only an administrator may send must name one. */
export function parseCommand(type: MessageType, commandId: CommandId, raw: unknown): EscrowCommand | undefined {
  const fields = ESCROW_COMMANDS[type].fields.parse(raw);
  if (fields === undefined) return undefined;
  const command = { type, commandId, ...fields } as EscrowCommand; // the row pairs type and fields
  return isAnonymous(command) ? undefined : command;
}

/** Acting as ADMIN must name an administrator; SYSTEM is reserved for the service, for a link that ended. */
function isAnonymous(command: EscrowCommand): boolean {
  if (command.type !== 'cancel' && command.type !== 'add-evidence') return false;
  return (
    command.actor === 'SYSTEM' || (command.actor === 'ADMIN' && command.adminId === null && command.apiKeyId === null)
  );
}

/** The message with these fields. */
export function formatCommand<Type extends MessageType>(
  type: Type,
  fields: Omit<CommandOf<Type>, 'type' | 'commandId'>,
): object {
  const { format }: { readonly format: (value: never) => unknown } = ESCROW_COMMANDS[type].fields;
  return format(fields as never) as object; // the row pairs type and fields, and every codec is a record
}

/** The message that starts an escrow. */
export function formatInitiation(fields: Fields<'initiate'>): object {
  return initiation.format(fields) as object; // a record
}

export function parseInitiation(commandId: CommandId, raw: unknown): CommandOf<'initiate'> | undefined {
  const fields = initiation.parse(raw);
  return fields === undefined ? undefined : { type: 'initiate', commandId, ...fields };
}
