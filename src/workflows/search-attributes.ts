import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { type CompanyId, publicId } from '../domain/ids.ts';

/**
 * The search attributes that ops filter workflows by in the Temporal UI. `migrate` registers them, and the embedded server
 * starts with them. They hold ids, states and numbers only: Temporal stores search attributes in clear. A server whose
 * visibility store is an SQL database takes ten Keyword attributes per namespace, and three of every other type.
 */
export const SEARCH_ATTRIBUTES = {
  EscrowCompany: 'Keyword',
  EscrowKind: 'Keyword',
  EscrowStatus: 'Keyword',
  EscrowCurrency: 'Keyword',
  EscrowBuyer: 'Keyword',
  EscrowSeller: 'Keyword',
  EscrowAmount: 'Int',
  EscrowDeadline: 'Datetime',
  EscrowSeq: 'Int',
  EscrowLastEvent: 'Keyword',
  EscrowAttention: 'KeywordList',
} as const;

export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;

const { KEYWORD, INT, DATETIME, KEYWORD_LIST } = SearchAttributeType;

const COMPANY = defineSearchAttributeKey('EscrowCompany', KEYWORD);
const KIND = defineSearchAttributeKey('EscrowKind', KEYWORD);
const CURRENCY = defineSearchAttributeKey('EscrowCurrency', KEYWORD);

/** The attributes that a run sets itself. */
export const RUN_ATTRIBUTES = {
  /** How the entity stands; absent while it does not exist. */
  status: defineSearchAttributeKey('EscrowStatus', KEYWORD),
  /** How many events the run knows of: fewer than its row has, and the run is behind. */
  seq: defineSearchAttributeKey('EscrowSeq', INT),
  /** The latest event with its amount: `RESOLVED 200.00 USD`. */
  lastEvent: defineSearchAttributeKey('EscrowLastEvent', KEYWORD),
  /** When something happens by itself; absent where nothing will. */
  deadline: defineSearchAttributeKey('EscrowDeadline', DATETIME),
  /** Cents: the total of an escrow, what a link asks for, what a withdrawal pays out. */
  amount: defineSearchAttributeKey('EscrowAmount', INT),
  buyer: defineSearchAttributeKey('EscrowBuyer', KEYWORD),
  seller: defineSearchAttributeKey('EscrowSeller', KEYWORD),
  /** Why a person should look at it; absent where nobody need. */
  attention: defineSearchAttributeKey('EscrowAttention', KEYWORD_LIST),
} as const;

export type EntityKind = 'escrow' | 'payment-link' | 'withdrawal';

/** What a run is found by before it has read its row. It has no status: the entity may still be refused. */
export function attributesOf(entity: {
  readonly companyId: CompanyId;
  readonly kind: EntityKind;
  readonly currency: string;
}): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: COMPANY, value: publicId('company', entity.companyId) },
    { key: KIND, value: entity.kind },
    { key: CURRENCY, value: entity.currency },
  ]);
}
