import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import { type CompanyId, publicId } from '../domain/ids.ts';

/**
 * The search attributes by which ops find workflows in the Temporal UI. `migrate` registers them, the embedded server
 * starts with them. They are names and states only: search attributes are stored in clear.
 */
export const SEARCH_ATTRIBUTES = {
  EscrowCompany: 'Keyword',
  EscrowKind: 'Keyword',
  EscrowStatus: 'Keyword',
  EscrowCurrency: 'Keyword',
} as const;

export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;

const COMPANY = defineSearchAttributeKey('EscrowCompany', SearchAttributeType.KEYWORD);
const KIND = defineSearchAttributeKey('EscrowKind', SearchAttributeType.KEYWORD);
export const STATUS_ATTRIBUTE = defineSearchAttributeKey('EscrowStatus', SearchAttributeType.KEYWORD);
const CURRENCY = defineSearchAttributeKey('EscrowCurrency', SearchAttributeType.KEYWORD);

export type EntityKind = 'escrow' | 'payment-link' | 'withdrawal';

/** What a run of one of our entities is found by. */
export function attributesOf(entity: {
  readonly companyId: CompanyId;
  readonly kind: EntityKind;
  readonly status: string;
  readonly currency: string;
}): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: COMPANY, value: publicId('company', entity.companyId) },
    { key: KIND, value: entity.kind },
    { key: STATUS_ATTRIBUTE, value: entity.status },
    { key: CURRENCY, value: entity.currency },
  ]);
}
