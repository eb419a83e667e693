/**
 * Identifiers. Inside the service an id is a bare UUIDv7 (PostgreSQL `uuid`); outside it carries the prefix of its kind,
 * as in `esc_0190…`. The prefixed form is made and taken apart at the edges only, by `publicId` and `parseId`.
 */

declare const brand: unique symbol;
/** A string that only its own kind of function accepts. */
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
  institution: 'inst',
  paymentLink: 'pay',
  hold: 'hld',
  document: 'doc',
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
export type HoldId = Id<'hold'>;
export type InstitutionId = Id<'institution'>;
export type DocumentId = Id<'document'>;
/** Names one command for ever: the update's id, the event's key, the ledger's key. */
export type CommandId = Branded<'command'>;

/**
 * The id of `kind` that something with the id `maker` makes. What a command makes takes the command's id, and what that makes
 * in turn (a hold, a deposit) keeps it: the same command carried out again makes the same thing (docs/adr/0007).
 */
export function idMadeBy<Kind extends IdKind | 'attempt'>(_kind: Kind, maker: Branded<string>): Branded<Kind> {
  return sameUuid(maker);
}

/** The command that made what has this id. */
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

/** The form clients see: `esc_0190…`. */
export function publicId(kind: IdKind, id: string): string {
  return `${ID_PREFIX[kind]}_${id}`;
}

/** `publicId` for what may be absent. */
export function publicIdOrNull(kind: IdKind, id: string | null): string | null {
  return id === null ? null : publicId(kind, id);
}

/** The bare id of a prefixed or bare form; `undefined` for a wrong prefix or anything that is no UUID. */
export function parseId<K extends IdKind>(kind: K, text: string): Id<K> | undefined {
  const prefix = `${ID_PREFIX[kind]}_`;
  const bare = (text.startsWith(prefix) ? text.slice(prefix.length) : text).toLowerCase();
  return isUuid(bare) ? (bare as Id<K>) : undefined; // the one place where a string becomes an id
}
