import type { CommandId } from '../ids.ts';
import { type Id, type IdKind, parseId } from '../ids.ts';
import {
  type CommandOf,
  type CountedItem,
  type EscrowCommand,
  MAX_EXTENSION_HOURS,
  MAX_ITEMS,
  MAX_QUANTITY,
  PARTIES,
} from './escrow.ts';
import type { SplitPlan } from './shares.ts';

/**
 * Reads commands from what updates and signals carry. A signal typed by hand in the Temporal UI skips every wall of the
 * API, so nothing is believed here: what does not fit gives `undefined`. Ids may carry their prefix; amounts are decimal
 * strings or integers.
 */

type Parser<T> = (raw: unknown) => T | undefined;
type Fields<Type extends EscrowCommand['type']> = Omit<CommandOf<Type>, 'type' | 'commandId'>;

const id =
  <K extends IdKind>(kind: K): Parser<Id<K>> =>
  (raw) =>
    typeof raw === 'string' ? parseId(kind, raw) : undefined;

const cents: Parser<bigint> = (raw) => {
  if (typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0) return BigInt(raw);
  return typeof raw === 'string' && /^\d{1,19}$/.test(raw) ? BigInt(raw) : undefined;
};

const integer =
  (least: number, most: number): Parser<number> =>
  (raw) =>
    typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most ? raw : undefined;

const oneOf =
  <const T extends string>(...values: readonly T[]): Parser<T> =>
  (raw) =>
    values.find((value) => value === raw);

/** Absent and null are null. */
const optional =
  <T>(parser: Parser<T>): Parser<T | null> =>
  (raw) =>
    raw === undefined || raw === null ? null : parser(raw);

const list =
  <T>(parser: Parser<T>, most: number): Parser<readonly T[]> =>
  (raw) => {
    if (!Array.isArray(raw) || raw.length > most) return undefined;
    const parsed = raw.map(parser).filter((element) => element !== undefined);
    return parsed.length === raw.length ? parsed : undefined;
  };

function record<T extends object>(parsers: { readonly [Key in keyof T]-?: Parser<T[Key]> }): Parser<T> {
  return (raw) => {
    if (typeof raw !== 'object' || raw === null) return undefined;
    const fields: Partial<T> = {};
    for (const key of Object.keys(parsers) as (keyof T)[]) {
      // Object.keys forgets the keys' type
      const value = parsers[key]((raw as Record<PropertyKey, unknown>)[key]); // any object can be read by key
      if (value === undefined) return undefined;
      fields[key] = value;
    }
    return fields as T; // every key of T was set
  };
}

const party = oneOf(...PARTIES);
const plan: Parser<SplitPlan> = record<SplitPlan>({
  systemFeeCents: cents,
  serviceFeeCents: cents,
  sellerPayoutCents: cents,
});
const countedItems = list(
  record<CountedItem>({ itemId: id('item'), quantity: integer(1, MAX_QUANTITY), pricePerItemCents: cents }),
  MAX_ITEMS,
);
const answer = record<Fields<'accept-negotiation'>>({
  actor: party,
  negotiationId: id('negotiation'),
  milestoneId: optional(id('milestone')),
});
const nothing: Parser<object> = () => ({});

/**
 * Every command that an update or a signal may bring, and what it carries. `initiate` and `fund` come from our own code
 * only, the rest that is missing from the workflow's timers.
 */
export const MESSAGE_FIELDS = {
  'delivery-note': record<Fields<'delivery-note'>>({ items: countedItems }),
  'goods-received': record<Fields<'goods-received'>>({ items: countedItems }),
  release: nothing,
  'release-milestone': record<Fields<'release-milestone'>>({ milestoneId: id('milestone') }),
  negotiate: record<Fields<'negotiate'>>({ actor: party, plan }),
  'adjust-milestone': record<Fields<'adjust-milestone'>>({
    actor: party,
    milestoneId: id('milestone'),
    sellerPayoutCents: cents,
  }),
  'accept-negotiation': answer,
  'reject-negotiation': answer,
  'extend-auto-release': record<Fields<'extend-auto-release'>>({ hours: integer(1, MAX_EXTENSION_HOURS) }),
  dispute: record<Fields<'dispute'>>({ actor: party }),
  'add-evidence': record<Fields<'add-evidence'>>({ actor: oneOf(...PARTIES, 'ADMIN') }),
  cancel: record<Fields<'cancel'>>({ actor: oneOf(...PARTIES, 'ADMIN'), adminId: optional(id('administrator')) }),
  'admin-resolve': record<Fields<'admin-resolve'>>({ plan, adminId: id('administrator') }),
} as const satisfies { readonly [Type in EscrowCommand['type']]?: Parser<object> };

export type MessageType = keyof typeof MESSAGE_FIELDS;
export const MESSAGE_TYPES = Object.keys(MESSAGE_FIELDS) as readonly MessageType[]; // Object.keys forgets the keys' type

/** The command that `raw` describes, or `undefined` where it does not fit. */
export function parseCommand(type: MessageType, commandId: CommandId, raw: unknown): EscrowCommand | undefined {
  const fields = MESSAGE_FIELDS[type](raw);
  return fields === undefined ? undefined : ({ type, commandId, ...fields } as EscrowCommand); // the table pairs type and fields
}

/**
 * The same for a signal. Nobody has checked who sends it, so what only an administrator may do has to name the administrator,
 * whose role is checked when it is carried out.
 */
export function parseSignal(type: MessageType, commandId: CommandId, raw: unknown): EscrowCommand | undefined {
  const command = parseCommand(type, commandId, raw);
  const isAnonymous = command?.type === 'cancel' && command.actor === 'ADMIN' && command.adminId === null;
  return isAnonymous ? undefined : command;
}
