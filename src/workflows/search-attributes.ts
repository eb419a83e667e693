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
