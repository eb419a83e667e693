import { type Command, type FieldsOf, type Happened, happens, type PublicFacts, type Typed, typed } from '../entity.ts';
import type { EscrowCommand } from '../escrow/commands.ts';
import type { PaymentChangeKind } from '../escrow/escrow.ts';
import type { AccountId, Branded, CompanyId, EscrowId, Id, TransactionId, UserId } from '../ids.ts';
import { type Codec, flag, internalId, record } from '../messages/codec.ts';
import type { Currency } from '../money.ts';
import type { Instant } from '../time.ts';

/**
 * A payment link: a request to pay for an escrow that waits for its money. Its events and the escrow's are written together, so
 * there is never a paid link without a funded escrow. Phone numbers, names and the link's hash are rows, never here.
 */

export const LINK_STATUSES = ['PENDING', 'PROCESSING', 'ACCEPTED', 'REJECTED', 'EXPIRED'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/**
 * The sender of a command: the API alone, because it has read the company's rows or verified the payer; anybody who can send a
 * message; the service itself, for another entity's step; the link's run, by its clock or after a provider's answer.
 */
type LinkSender = 'api' | 'anybody' | 'service' | 'run';

/** `to` null: the status stays. */
type Place = { readonly from: readonly LinkStatus[]; readonly to: LinkStatus | null; readonly sentBy: LinkSender };

const attemptId = internalId<'attempt'>();
const nothing = record<object>({});
const always = { from: LINK_STATUSES, to: null } as const;
const byRun = <Fields>() => ({ ...always, sentBy: 'run', fields: typed<Fields>() }) as const;

/** The commands: one row for each, with its place in the state machine, its sender, and its fields or the codec of its messages. */
export const LINK_COMMANDS = {
  create: {
    from: [],
    to: 'PENDING',
    sentBy: 'api',
    fields: typed<{ terms: LinkTerms; escrow: Extract<EscrowCommand, { type: 'initiate' }> }>(),
  },
  // The company takes the payment back. `isForced`: even if the buyer's balance does not cover it.
  'take-back': { ...always, sentBy: 'api', fields: record({ attemptId, isForced: flag }) },
  // An attempt has the id of the command that starts it.
  'open-checkout': { from: ['PENDING'], to: null, sentBy: 'api', fields: nothing },
  'start-charge': { from: ['PENDING'], to: 'PROCESSING', sentBy: 'api', fields: nothing },
  'pay-from-balance': { from: ['PENDING'], to: 'ACCEPTED', sentBy: 'api', fields: nothing },
  reject: { from: ['PENDING'], to: 'REJECTED', sentBy: 'anybody', fields: nothing },
  // A link does not expire while a payment is in progress: the attempt ends first, at the latest when it lapses.
  expire: { from: ['PENDING'], to: 'EXPIRED', sentBy: 'run', fields: nothing },
  'close-with-escrow': { from: ['PENDING', 'PROCESSING'], to: 'REJECTED', sentBy: 'service', fields: nothing },
  // Reports from providers are recorded at any time: money that arrived is never lost. `isLate`: the escrow takes it no longer.
  'settle-attempt': byRun<{ attemptId: AttemptId; outcome: AttemptOutcome; isLate: boolean }>(),
  'settle-refund': byRun<{ attemptId: AttemptId; outcome: 'refunded' | 'refused' }>(),
  // The gateway reports a change of a payment that succeeded.
  'settle-change': byRun<{ attemptId: AttemptId } & PaymentChange & { changeId: string }>(),
  'postpone-poll': byRun<{ attemptId: AttemptId }>(),
  // The check moves to `askAt`, unless an earlier one is planned: to the time at which the gateway accepts a request, or to a later one
  // after a check that got no answer. The name is stored with the event of this command.
  'hasten-poll': byRun<{ attemptId: AttemptId; askAt: Instant }>(),
  // Ask the provider, then settle or postpone: this command is never decided as it is.
  'check-attempt': { ...always, sentBy: 'anybody', fields: record({ attemptId }) },
} as const satisfies Record<string, Place & { fields: Pick<Codec<object>, 'parse'> | Typed<object> }>;

type CommandRows = typeof LINK_COMMANDS;
type LinkCommandType = keyof CommandRows;
export type LinkCommand = {
  [Type in LinkCommandType]: Command<Type, FieldsOf<CommandRows[Type]['fields']>>;
}[LinkCommandType];

/** All commands that an update or a signal to an existing link may send. */
export type LinkMessageType = {
  [Type in LinkCommandType]: CommandRows[Type]['sentBy'] extends 'api' | 'anybody' ? Type : never;
}[Exclude<LinkCommandType, 'create'>];

/** Whether the table allows `command` in `status`. */
export function allows(command: LinkCommandType, status: LinkStatus): boolean {
  const from: readonly LinkStatus[] = LINK_COMMANDS[command].from;
  return from.includes(status);
}

export type AttemptId = Branded<'attempt'>;
export const ATTEMPT_KINDS = ['card', 'mobile_money'] as const;
export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

/**
 * One attempt to pay from outside. `open`: a card form that was not submitted yet. `pending`: the payment is in progress. The
 * other statuses are final.
 */
export type Attempt = {
  readonly attemptId: AttemptId;
  readonly kind: AttemptKind;
  readonly status: 'open' | 'pending' | 'succeeded' | 'declined' | 'lapsed';
  readonly startedAt: Instant;
  /**
   * The time of the next planned status check. Null once the attempt has ended. A notification about a declined form sets it
   * again: the buyer may have paid in the form after all. After a card payment, it is the next check for chargebacks and refunds.
   */
  readonly pollAt: Instant | null;
  readonly polls: number;
  /**
   * Set if the money is to be refunded to its source. `refused`: the provider does not refund it, so it stays on the buyer's
   * balance.
   */
  readonly refund: 'due' | 'done' | 'refused' | null;
  /** What happened to the payment after it succeeded: chargebacks, refunds, and chargebacks that were reversed. */
  readonly changes: readonly PaymentChange[];
  /** The part of the payment that is booked as taken back. It follows from `changes`, independent of their order. */
  readonly takenBackCents: bigint;
};

/** A change of a payment, as the gateway reports it. `changeId`: the gateway's id; null for a change that was booked by hand. */
export type PaymentChange = {
  readonly changeId: string | null;
  readonly change: PaymentChangeKind;
  readonly amountCents: bigint;
};

export type LinkTerms = {
  readonly linkId: Id<'paymentLink'>;
  readonly escrowId: EscrowId;
  readonly companyId: CompanyId;
  readonly buyerId: UserId;
  readonly buyerAccountId: AccountId;
  /** The contra accounts for money from outside. */
  readonly clearingAccountIds: Readonly<Record<AttemptKind, AccountId>>;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly expiresAt: Instant;
};

export type PaymentLink = {
  readonly terms: LinkTerms;
  readonly status: LinkStatus;
  readonly seq: number;
  /** All attempts, at most `MAX_ATTEMPTS`: money may still arrive from a declined attempt. */
  readonly attempts: readonly Attempt[];
  /** The transaction in the response of an accepted link: the deposit from outside, or the hold on the buyer's balance. */
  readonly transactionId: TransactionId | null;
  /** The escrow was cancelled before the link was paid: money that still arrives is refunded to its source. */
  readonly isCancelled: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** A provider's answer about an attempt. `mismatched`: its amount or reference differs from ours. */
export const ATTEMPT_OUTCOMES = ['succeeded', 'pending', 'declined', 'lapsed', 'mismatched'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

type Changed = { attemptId: AttemptId; change: PaymentChange };

export const LINK_EVENTS = {
  CREATED: happens<{ terms: LinkTerms }>()({ published: 'payment_link.created', means: 'A payment link was created.' }),
  CHECKOUT_OPENED: happens<{ attempt: Attempt }>()({
    published: 'payment_link.checkout_opened',
    means: 'The buyer opened a card form.',
  }),
  CHARGE_STARTED: happens<{ attempt: Attempt }>()({
    published: 'payment_link.charge_started',
    means: 'The buyer was asked to approve a mobile-money charge.',
  }),
  PAYMENT_PENDING: happens<{ attemptId: AttemptId; pollAt: Instant }>()({ published: null }),
  PAYMENT_DECLINED: happens<{ attemptId: AttemptId }>()({
    published: 'payment_link.payment_declined',
    means: 'A payment was declined.',
  }),
  CHECKOUT_LAPSED: happens<{ attemptId: AttemptId }>()({
    published: 'payment_link.checkout_lapsed',
    means: 'An attempt to pay ended without a payment.',
  }),
  PAYMENT_MISMATCHED: happens<{ attemptId: AttemptId }>()({
    published: 'payment_link.payment_mismatched',
    means: 'A payment came with another amount or reference.',
  }),
  /** Paid from balance: `attemptId` is null. */
  ACCEPTED: happens<{ attemptId: AttemptId | null; transactionId: TransactionId }>()({
    published: 'payment_link.accepted',
    means: 'The link was paid.',
  }),
  LATE_MONEY: happens<{ attemptId: AttemptId; transactionId: TransactionId; isRefundDue: boolean }>()({
    published: 'payment_link.late_money',
    means: 'Money came that the escrow no longer takes.',
  }),
  /** `transactionId`: the reversal. */
  REFUNDED: happens<{ attemptId: AttemptId; transactionId: TransactionId }>()({
    published: 'payment_link.refunded',
    means: 'Late money was refunded.',
  }),
  /** `transactionId`: the posting that makes the money available to the buyer. */
  REFUND_REFUSED: happens<{ attemptId: AttemptId; transactionId: TransactionId }>()({
    published: 'payment_link.refund_refused',
    means: 'A refund was refused, so the money stays on the balance of the buyer.',
  }),
  /** A chargeback, a refund, or the company's own reversal. `transactionId`: the reversal. */
  TAKEN_BACK: happens<Changed & { amountCents: bigint; transactionId: TransactionId }>()({
    published: 'payment_link.taken_back',
    means: 'A payment was charged back, refunded at the gateway or reversed.',
  }),
  /** A chargeback was reversed. `transactionId`: the posting that credits the money again. */
  BROUGHT_BACK: happens<Changed & { amountCents: bigint; transactionId: TransactionId }>()({
    published: 'payment_link.brought_back',
    means: 'Money of a chargeback came back.',
  }),
  /** The change is known, and moves no money: it was booked by hand, or another change outweighs it. */
  CHANGE_NOTED: happens<Changed>()({ published: null }),
  /** `pollAt` null: the attempt has ended, and there are no further checks. */
  POLL_POSTPONED: happens<{ attemptId: AttemptId; pollAt: Instant | null }>()({ published: null }),
  POLL_HASTENED: happens<{ attemptId: AttemptId; pollAt: Instant }>()({ published: null }),
  REJECTED: happens<object>()({ published: 'payment_link.rejected', means: 'The link was rejected or closed.' }),
  EXPIRED: happens<object>()({ published: 'payment_link.expired', means: 'The link expired unpaid.' }),
} as const satisfies Record<string, PublicFacts & Typed<object>>;

type EventRows = typeof LINK_EVENTS;
export type LinkEvent = {
  [Type in keyof EventRows]: Happened<Type, 'COMPANY' | 'BUYER' | 'SYSTEM', FieldsOf<EventRows[Type]>>;
}[keyof EventRows];

/** What an event shows of its command. */
type Origin = {
  readonly type: string;
  readonly attemptId?: string | null;
  readonly change?: { readonly changeId: string | null };
};

/** Whether an event follows from the command, for each command that only the API sends. */
const IS_EVENT_OF: Readonly<Record<CommandOfApi, (event: Origin) => boolean>> = {
  create: ({ type }) => type === 'CREATED',
  'open-checkout': ({ type }) => type === 'CHECKOUT_OPENED',
  'start-charge': ({ type }) => type === 'CHARGE_STARTED',
  'pay-from-balance': ({ type, attemptId }) => type === 'ACCEPTED' && attemptId === null,
  // A change that the gateway reported has its id.
  'take-back': ({ change }) => change?.changeId === null,
};
type CommandOfApi = {
  [Type in LinkCommandType]: CommandRows[Type]['sentBy'] extends 'api' ? Type : never;
}[LinkCommandType];

/** Whether only the API may cause the event. */
export function linkNeedsProof(event: Origin): boolean {
  return Object.values(IS_EVENT_OF).some((isEventOf) => isEventOf(event));
}

export const LINK_LIFETIME_HOURS = 24;
export const MAX_LINK_LIFETIME_HOURS = 720;
/** A phone that has not approved a prompt by then is not asked any longer, and the buyer can pay another way. */
export const PROMPT_LIFETIME_MINUTES = 10;
export const MAX_ATTEMPTS = 20;
/** The status requests that a card gateway accepts for one checkout in a minute. 210-payment-links.sql has this number less one. */
export const GATEWAY_REQUESTS_PER_MINUTE = 2;
/** Chargebacks, their reversals and refunds of one payment. A card scheme allows a handful. */
export const MAX_CHANGES = 50;
/** A gateway's checkout is valid for thirty minutes; five more cover payments in progress at its end. */
export const CHECKOUT_POLL_MINUTES = 35;
/** After this time a provider without a result is not asked any more; its notifications are still processed. */
export const ATTEMPT_LIFETIME_HOURS = 7 * 24;
/** The delays between the first status checks of a pending attempt: short at first, then longer. */
export const POLL_DELAYS_SECONDS = {
  mobile_money: [2, 2, 2, 2, 3, 3, 4, 5, 10, 30, 60, 300, 900],
  card: [60, 60, 120, 300, 900],
} as const satisfies Record<AttemptKind, readonly number[]>;
/** The delay between all later checks. */
export const LAST_POLL_DELAY_SECONDS = 3_600;

export function isLinkFinal(status: LinkStatus): boolean {
  return status === 'ACCEPTED' || status === 'REJECTED' || status === 'EXPIRED';
}

/** Attempts with a planned status check. */
export function awaited(link: PaymentLink): readonly Attempt[] {
  return link.attempts.filter(({ pollAt }) => pollAt !== null);
}

/** Attempts without a final result. */
export function unsettled(link: PaymentLink): readonly Attempt[] {
  return link.attempts.filter(({ status }) => status === 'open' || status === 'pending');
}

/** The status for readers: a link past its deadline is expired, whether or not a worker has recorded it. */
export function shownStatus(link: { status: LinkStatus; expiresAt: Date }, now: Date): LinkStatus {
  return link.status === 'PENDING' && now >= link.expiresAt ? 'EXPIRED' : link.status;
}

/**
 * Our reference at the gateway, which requires 8 to 16 alphanumerics: the end of the attempt's UUIDv7, which is its random
 * part.
 */
export function merchantReferenceOf(attemptId: string): string {
  return attemptId.replaceAll('-', '').slice(-16);
}
