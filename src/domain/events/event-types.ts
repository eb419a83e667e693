import type { PublicFacts } from '../entity.ts';
import { ESCROW_EVENTS } from '../escrow/commands.ts';
import type { IdKind } from '../ids.ts';
import { LINK_EVENTS } from '../payment-link/link.ts';
import { WITHDRAWAL_EVENTS } from '../withdrawal/withdrawal.ts';

/**
 * The events that a company can read: one row for each type. The documentation, the description of the interface and the
 * database's facts are matched with this table.
 */

/** The version of the events' form. A version only ever gains fields and types. */
export const EVENT_API_VERSION = '1';

/** The kinds of objects that events are about, and the kind of their ids. */
export const EVENT_OBJECTS = {
  escrow: 'escrow',
  order_request: 'orderRequest',
  order_message: 'orderMessage',
  payment_link: 'paymentLink',
  withdrawal: 'transaction',
  deposit: 'transaction',
  capture: 'transaction',
  user: 'user',
  account: 'account',
  bank_details: 'ledger',
  company: 'company',
  api_key: 'apiKey',
  administrator: 'administrator',
  webhook_endpoint: 'webhook',
} as const satisfies Record<string, IdKind>;
export type EventObject = keyof typeof EVENT_OBJECTS;
// Object.keys loses the key types.
export const EVENT_OBJECT_NAMES = Object.keys(EVENT_OBJECTS) as [EventObject, ...EventObject[]];

/** `change`: the name that the database gives to the change of the object (340-events.sql). */
type EventTypeRow = { readonly object: EventObject; readonly change: string; readonly means: string };

/** The public types of the events of an escrow, a link or a withdrawal, from their rows. */
function typesOf<const Kind extends EventObject, const Rows extends Readonly<Record<string, PublicFacts>>>(
  object: Kind,
  rows: Rows,
) {
  const types = Object.entries(rows).flatMap(([change, facts]) =>
    facts.published === null ? [] : [[facts.published, { object, change, means: facts.means }] as const],
  );
  // Object.fromEntries loses the names.
  return Object.fromEntries(types) as {
    readonly [Change in keyof Rows & string as Extract<Rows[Change]['published'], string>]: {
      readonly object: Kind;
      readonly change: Change;
      readonly means: string;
    };
  };
}

export const EVENT_TYPES = {
  ...typesOf('escrow', ESCROW_EVENTS),
  ...typesOf('payment_link', LINK_EVENTS),
  ...typesOf('withdrawal', WITHDRAWAL_EVENTS),

  'order_request.created': {
    object: 'order_request',
    change: 'CREATED',
    means: 'A party asked on the order page for something that you approve or refuse.',
  },
  'order_request.approved': { object: 'order_request', change: 'APPROVED', means: 'A request was approved and done.' },
  'order_request.refused': { object: 'order_request', change: 'REFUSED', means: 'A request was refused.' },
  'order_request.lapsed': { object: 'order_request', change: 'LAPSED', means: 'A request ended without an answer.' },

  'order_message.due': {
    object: 'order_message',
    change: 'DUE',
    means: 'A party is to be told about its order, by the service or by you.',
  },

  'deposit.received': { object: 'deposit', change: 'RECEIVED', means: 'Money was deposited, settled or in transit.' },
  'deposit.settled': { object: 'deposit', change: 'COMPLETED', means: 'The money of a deposit in transit arrived.' },
  'deposit.failed': { object: 'deposit', change: 'FAILED', means: 'The money of a deposit in transit did not arrive.' },
  'deposit.reversed': { object: 'deposit', change: 'REVERSED', means: 'A settled deposit was reversed.' },
  'deposit.reinstated': {
    object: 'deposit',
    change: 'REINSTATED',
    means: 'Money of a reversed deposit came back, because its chargeback was reversed.',
  },

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
  'user.updated': { object: 'user', change: 'UPDATED', means: 'Details of a user were changed.' },
  'user.erased': { object: 'user', change: 'ERASED', means: 'A person was erased. Ids and amounts stay.' },
  'user.document_changed': { object: 'user', change: 'DOCUMENT', means: 'The identity document of a user was stored.' },

  'account.frozen': { object: 'account', change: 'FROZEN', means: 'An account was frozen.' },
  'account.unfrozen': { object: 'account', change: 'UNFROZEN', means: 'An account was unfrozen.' },

  'bank_details.changed': {
    object: 'bank_details',
    change: 'CHANGED',
    means: 'The default bank details of a ledger were changed.',
  },

  'company.updated': { object: 'company', change: 'UPDATED', means: 'Settings of the company were changed.' },

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
