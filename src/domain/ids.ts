/**
 * Identifiers. Inside the service an id is a bare UUIDv7 (PostgreSQL `uuid`); outside it has the prefix of its kind, as in
 * `esc_0190…`. `publicId` and `parseId` convert between the forms, at the edges only.
 */

declare const brand: unique symbol;
/** A string type that other kinds of strings cannot be assigned to. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Every kind of identifier and the prefix that clients see. */
export const ID_PREFIX = {
  company: 'cmp',
  administrator: 'adm',
  apiKey: 'key',
  user: 'usr',
  account: 'acc',
  ledger: 'ldg',
  transaction: 'txn',
  escrow: 'esc',
  item: 'itm',
  milestone: 'mst',
  negotiation: 'neg',
  dispute: 'dsp',
  orderRequest: 'req',
  orderMessage: 'msg',
  institution: 'inst',
  paymentLink: 'pay',
  hold: 'hld',
  document: 'doc',
  event: 'evt',
  webhook: 'whe',
  delivery: 'whd',
  bankStatement: 'bst',
  bankEntry: 'bke',
  session: 'ses',
  work: 'wrk',
} as const;

export type IdKind = keyof typeof ID_PREFIX;
export type Id<K extends IdKind> = Branded<K>;
export type CompanyId = Id<'company'>;
export type AdministratorId = Id<'administrator'>;
export type ApiKeyId = Id<'apiKey'>;
export type UserId = Id<'user'>;
export type AccountId = Id<'account'>;
export type LedgerId = Id<'ledger'>;
export type TransactionId = Id<'transaction'>;
export type EscrowId = Id<'escrow'>;
export type ItemId = Id<'item'>;
export type MilestoneId = Id<'milestone'>;
export type NegotiationId = Id<'negotiation'>;
export type DisputeId = Id<'dispute'>;
export type OrderRequestId = Id<'orderRequest'>;
export type OrderMessageId = Id<'orderMessage'>;
export type HoldId = Id<'hold'>;
export type InstitutionId = Id<'institution'>;
export type DocumentId = Id<'document'>;
export type EventId = Id<'event'>;
export type WebhookId = Id<'webhook'>;
export type DeliveryId = Id<'delivery'>;
export type BankStatementId = Id<'bankStatement'>;
export type BankEntryId = Id<'bankEntry'>;
export type SessionId = Id<'session'>;
/** Identifies one command permanently: the update's id, the event's key, the ledger's key. */
export type CommandId = Branded<'command'>;

/**
 * The id of the `kind` object that is created by the object with the id `maker`. What a command creates has the command's id, and
 * what that creates in turn (a hold, a deposit) has the same id. A repeated command therefore creates the same objects
 * (docs/adr/0007).
 */
export function idMadeBy<Kind extends IdKind | 'attempt'>(_kind: Kind, maker: Branded<string>): Branded<Kind> {
  return sameUuid(maker);
}

/** The command that created the object with this id. */
export function commandThatMade(made: Branded<string>): CommandId {
  return sameUuid(made);
}

/** The same UUID as the id of another kind. */
function sameUuid<Name extends string>(id: Branded<string>): Branded<Name> {
  return id as string as Branded<Name>; // ids are plain strings; the two functions above say which kinds share one
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` is a bare UUID in any letter case. */
export function isUuid(text: string): boolean {
  return UUID.test(text.toLowerCase());
}

/** Before all ids: the start of a walk in the order of ids. */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** The key of a tenant's row. Rows of all companies are read in the order of these keys. */
export type RowKey = { readonly companyId: string; readonly id: string };
export const BEFORE_ALL_ROWS: RowKey = { companyId: BEFORE_ALL_IDS, id: BEFORE_ALL_IDS };

/** The form clients see: `esc_0190…`. */
export function publicId(kind: IdKind, id: string): string {
  return `${ID_PREFIX[kind]}_${id}`;
}

/** `publicId` for an optional id. */
export function publicIdOrNull(kind: IdKind, id: string | null): string | null {
  return id === null ? null : publicId(kind, id);
}

/** The bare id of a prefixed or bare form; `undefined` for a wrong prefix or an invalid UUID. */
export function parseId<K extends IdKind>(kind: K, text: string): Id<K> | undefined {
  const prefix = `${ID_PREFIX[kind]}_`;
  const bare = (text.startsWith(prefix) ? text.slice(prefix.length) : text).toLowerCase();
  return isUuid(bare) ? (bare as Id<K>) : undefined; // the only place where a string becomes an id
}
