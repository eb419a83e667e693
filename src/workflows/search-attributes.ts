import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import type { EntityKind } from '../domain/entity.ts';
import { type CompanyId, publicId } from '../domain/ids.ts';

/**
 * The search attributes by which operators filter workflows in the Temporal UI. `migrate` registers them, and the embedded server
 * starts with them. They hold ids, states and numbers only: Temporal stores search attributes in plain text. A server whose
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
  EscrowLastEvent: 'Keyword',
  EscrowAttention: 'KeywordList',
} as const;

export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;

const { KEYWORD, INT, DATETIME, KEYWORD_LIST } = SearchAttributeType;

export const COMPANY_ATTRIBUTE = defineSearchAttributeKey('EscrowCompany', KEYWORD);
const KIND = defineSearchAttributeKey('EscrowKind', KEYWORD);
const CURRENCY = defineSearchAttributeKey('EscrowCurrency', KEYWORD);

/** The search attributes that a run sets itself. */
export const RUN_ATTRIBUTES = {
  /** The entity's status; absent while it does not exist. */
  status: defineSearchAttributeKey('EscrowStatus', KEYWORD),
  /** The latest event that changed one of these attributes or had no waiting caller: `RESOLVED 200.00 USD`. */
  lastEvent: defineSearchAttributeKey('EscrowLastEvent', KEYWORD),
  /** The next deadline; absent if there is none. */
  deadline: defineSearchAttributeKey('EscrowDeadline', DATETIME),
  /** In cents: the total of an escrow, the amount of a link, or the payout of a withdrawal. */
  amount: defineSearchAttributeKey('EscrowAmount', INT),
  buyer: defineSearchAttributeKey('EscrowBuyer', KEYWORD),
  seller: defineSearchAttributeKey('EscrowSeller', KEYWORD),
  /** Why a person should check the entity; absent if there is no reason. */
  attention: defineSearchAttributeKey('EscrowAttention', KEYWORD_LIST),
} as const;

/** The search attribute of runs that serve a company and no entity. */
export function companyAttribute(companyId: CompanyId): TypedSearchAttributes {
  return new TypedSearchAttributes([{ key: COMPANY_ATTRIBUTE, value: publicId('company', companyId) }]);
}

/** The search attributes of a run before it has read its row. There is no status: the entity may still be refused. */
export function attributesOf(entity: {
  readonly companyId: CompanyId;
  readonly kind: EntityKind;
  readonly currency: string;
}): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: COMPANY_ATTRIBUTE, value: publicId('company', entity.companyId) },
    { key: KIND, value: entity.kind },
    { key: CURRENCY, value: entity.currency },
  ]);
}
