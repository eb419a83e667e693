import type { IdKind } from '../ids.ts';

/**
 * The events that a company can read: one row for each type. The documentation, the description of the interface and the
 * database's facts are matched with this table.
 */

/** The version of the events' form. A version only ever gains fields and types. */
export const EVENT_API_VERSION = '1';

/** The kinds of objects that events are about, and the kind of their ids. */
export const EVENT_OBJECTS = {
  escrow: 'escrow',
  payment_link: 'paymentLink',
  withdrawal: 'transaction',
  deposit: 'transaction',
  capture: 'transaction',
  user: 'user',
  account: 'account',
  api_key: 'apiKey',
  administrator: 'administrator',
  webhook_endpoint: 'webhook',
} as const satisfies Record<string, IdKind>;
export type EventObject = keyof typeof EVENT_OBJECTS;
// Object.keys loses the key types.
export const EVENT_OBJECT_NAMES = Object.keys(EVENT_OBJECTS) as [EventObject, ...EventObject[]];

/** `change`: the name that the database gives to the change of the object (340-events.sql). */
type EventTypeRow = { readonly object: EventObject; readonly change: string; readonly means: string };

export const EVENT_TYPES = {
  'escrow.initiated': { object: 'escrow', change: 'INITIATED', means: 'An escrow was created.' },
  'escrow.funded': { object: 'escrow', change: 'FUNDED', means: "The buyer's money is held for the escrow." },
  'escrow.delivery_noted': { object: 'escrow', change: 'DELIVERY_NOTED', means: 'The seller reported a delivery.' },
  'escrow.goods_received': { object: 'escrow', change: 'GOODS_RECEIVED', means: 'The buyer confirmed received goods.' },
  'escrow.milestone_released': { object: 'escrow', change: 'MILESTONE_RELEASED', means: 'A milestone was paid out.' },
  'escrow.released': { object: 'escrow', change: 'FUNDS_RELEASED', means: 'The held money was paid out on request.' },
  'escrow.auto_released': {
    object: 'escrow',
    change: 'AUTO_RELEASED',
    means: 'The held money was paid out on its date.',
  },
  'escrow.release_blocked': {
    object: 'escrow',
    change: 'RELEASE_BLOCKED',
    means: 'The automatic release was refused and will be tried again.',
  },
  'escrow.auto_release_extended': {
    object: 'escrow',
    change: 'AUTO_RELEASE_EXTENDED',
    means: 'The date of the automatic release was moved.',
  },
  'escrow.negotiation_proposed': {
    object: 'escrow',
    change: 'NEGOTIATION_PROPOSED',
    means: 'A party proposed another division of the money.',
  },
  'escrow.negotiation_accepted': {
    object: 'escrow',
    change: 'NEGOTIATION_ACCEPTED',
    means: 'The other party accepted a proposal.',
  },
  'escrow.negotiation_rejected': {
    object: 'escrow',
    change: 'NEGOTIATION_REJECTED',
    means: 'The other party rejected a proposal.',
  },
  'escrow.negotiation_lapsed': {
    object: 'escrow',
    change: 'NEGOTIATION_LAPSED',
    means: 'A proposal ended without an answer.',
  },
  'escrow.disputed': { object: 'escrow', change: 'DISPUTED', means: 'A party opened a dispute.' },
  'escrow.evidence_added': { object: 'escrow', change: 'EVIDENCE_ADDED', means: 'Evidence was added to a dispute.' },
  'escrow.resolved': { object: 'escrow', change: 'RESOLVED', means: 'An administrator decided the dispute.' },
  'escrow.cancelled': {
    object: 'escrow',
    change: 'CANCELLED',
    means: 'The escrow was cancelled, and held money was returned.',
  },
  'escrow.charged_back': {
    object: 'escrow',
    change: 'CHARGED_BACK',
    means: 'The payment of the escrow was charged back, or refunded at the gateway.',
  },
  'escrow.chargeback_reversed': {
    object: 'escrow',
    change: 'CHARGEBACK_REVERSED',
    means: 'Money of a chargeback came back.',
  },

  'payment_link.created': { object: 'payment_link', change: 'CREATED', means: 'A payment link was created.' },
  'payment_link.checkout_opened': {
    object: 'payment_link',
    change: 'CHECKOUT_OPENED',
    means: 'The buyer opened a card form.',
  },
  'payment_link.charge_started': {
    object: 'payment_link',
    change: 'CHARGE_STARTED',
    means: 'The buyer was asked to approve a mobile-money charge.',
  },
  'payment_link.payment_declined': {
    object: 'payment_link',
    change: 'PAYMENT_DECLINED',
    means: 'A payment was declined.',
  },
  'payment_link.checkout_lapsed': {
    object: 'payment_link',
    change: 'CHECKOUT_LAPSED',
    means: 'An attempt to pay ended without a payment.',
  },
  'payment_link.payment_mismatched': {
    object: 'payment_link',
    change: 'PAYMENT_MISMATCHED',
    means: 'A payment came with another amount or reference.',
  },
  'payment_link.accepted': { object: 'payment_link', change: 'ACCEPTED', means: 'The link was paid.' },
  'payment_link.late_money': {
    object: 'payment_link',
    change: 'LATE_MONEY',
    means: 'Money came that the escrow no longer takes.',
  },
  'payment_link.refunded': { object: 'payment_link', change: 'REFUNDED', means: 'Late money was refunded.' },
  'payment_link.refund_refused': {
    object: 'payment_link',
    change: 'REFUND_REFUSED',
    means: 'A refund was refused, so the money stays on the balance of the buyer.',
  },
  'payment_link.taken_back': {
    object: 'payment_link',
    change: 'TAKEN_BACK',
    means: 'A payment was charged back, refunded at the gateway or reversed.',
  },
  'payment_link.brought_back': {
    object: 'payment_link',
    change: 'BROUGHT_BACK',
    means: 'Money of a chargeback came back.',
  },
  'payment_link.rejected': { object: 'payment_link', change: 'REJECTED', means: 'The link was rejected or closed.' },
  'payment_link.expired': { object: 'payment_link', change: 'EXPIRED', means: 'The link expired unpaid.' },

  'withdrawal.requested': { object: 'withdrawal', change: 'REQUESTED', means: 'A withdrawal was requested.' },
  'withdrawal.submitted': {
    object: 'withdrawal',
    change: 'SUBMITTED',
    means: 'The bank took the payment instruction.',
  },
  'withdrawal.review_needed': {
    object: 'withdrawal',
    change: 'REVIEW_NEEDED',
    means: 'A person has to look at the withdrawal.',
  },
  'withdrawal.completed': { object: 'withdrawal', change: 'SETTLED', means: 'The bank paid the money out.' },
  'withdrawal.failed': {
    object: 'withdrawal',
    change: 'REJECTED',
    means: 'The bank refused the payment, and the money was given back.',
  },
  'withdrawal.returned': {
    object: 'withdrawal',
    change: 'RETURNED',
    means: 'The bank returned a payment, and the money was given back.',
  },
  'withdrawal.settled_late': {
    object: 'withdrawal',
    change: 'SETTLED_LATE',
    means: 'The bank paid after the money was given back.',
  },

  'deposit.received': { object: 'deposit', change: 'RECEIVED', means: 'Money was deposited, settled or in transit.' },
  'deposit.settled': { object: 'deposit', change: 'COMPLETED', means: 'The money of a deposit in transit arrived.' },
  'deposit.failed': { object: 'deposit', change: 'FAILED', means: 'The money of a deposit in transit did not arrive.' },
  'deposit.reversed': { object: 'deposit', change: 'REVERSED', means: 'A settled deposit was reversed.' },

  'capture.received': { object: 'capture', change: 'RECEIVED', means: 'The bank reported a receipt.' },
  'capture.assigned': { object: 'capture', change: 'ASSIGNED', means: 'A receipt in suspense was assigned to a user.' },
  'capture.reversed': { object: 'capture', change: 'REVERSED', means: 'The bank withdrew a receipt.' },

  'user.created': { object: 'user', change: 'CREATED', means: 'A user was registered.' },
  'user.approved': { object: 'user', change: 'APPROVED', means: 'A person verified the identity of a user.' },
  'user.approval_withdrawn': {
    object: 'user',
    change: 'APPROVAL_WITHDRAWN',
    means: 'A user is no longer approved, on request or because the evidence changed.',
  },
  'user.blacklisted': { object: 'user', change: 'BLACKLISTED', means: 'A user was blacklisted.' },
  'user.cleared': { object: 'user', change: 'CLEARED', means: 'A user was taken off the blacklist.' },
  'user.document_changed': { object: 'user', change: 'DOCUMENT', means: 'The identity document of a user was stored.' },

  'account.frozen': { object: 'account', change: 'FROZEN', means: 'An account was frozen.' },
  'account.unfrozen': { object: 'account', change: 'UNFROZEN', means: 'An account was unfrozen.' },

  'api_key.created': { object: 'api_key', change: 'CREATED', means: 'An API key was made.' },
  'api_key.rolled': {
    object: 'api_key',
    change: 'ROLLED',
    means: 'An API key was replaced and ends after its grace period.',
  },
  'api_key.revoked': { object: 'api_key', change: 'REVOKED', means: 'An API key was revoked.' },

  'administrator.added': { object: 'administrator', change: 'ADDED', means: 'An administrator was added.' },
  'administrator.removed': { object: 'administrator', change: 'REMOVED', means: 'An administrator was removed.' },

  'webhook_endpoint.disabled': {
    object: 'webhook_endpoint',
    change: 'DISABLED',
    means: 'A webhook endpoint was disabled, on request or because its receiver failed.',
  },
  'webhook_endpoint.enabled': {
    object: 'webhook_endpoint',
    change: 'ENABLED',
    means: 'A webhook endpoint was enabled again.',
  },
} as const satisfies Record<string, EventTypeRow>;

export type EventType = keyof typeof EVENT_TYPES;
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]]; // Object.keys loses the key types

const TYPE_OF_CHANGE: ReadonlyMap<string, EventType> = new Map(
  EVENT_TYPE_NAMES.map((type) => [`${EVENT_TYPES[type].object} ${EVENT_TYPES[type].change}`, type]),
);

/** The type of the event for a change; undefined for an unknown change, which the sealer sets aside. */
export function typeOfChange(object: EventObject, change: string): EventType | undefined {
  return TYPE_OF_CHANGE.get(`${object} ${change}`);
}

/** Events are readable for this time. */
export const EVENT_RETENTION_DAYS = 90;
