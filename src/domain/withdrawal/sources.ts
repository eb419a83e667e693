import type { RefusalCode } from '../errors.ts';
import type { AccountType } from '../ledger/accounts.ts';
import { fee } from '../money.ts';
import type { Role } from '../roles.ts';

/**
 * The accounts from which money may be withdrawn, as one table. All other accounts hold nobody's own money: unassigned
 * receipts, and contra accounts.
 */
const WITHDRAWAL_SOURCES = {
  USER: { isTaxed: true, roles: null },
  COMPANY: { isTaxed: true, roles: null },
  SERVICE_FEE: { isTaxed: false, roles: null },
  TAX: { isTaxed: false, roles: null },
  SYSTEM_FEE: { isTaxed: true, roles: ['SUPER_ADMIN'] },
} as const satisfies {
  /** `roles` null: every role that may withdraw. */
  [Type in AccountType]?: { readonly isTaxed: boolean; readonly roles: readonly Role[] | null };
};

type Source = { readonly isTaxed: boolean; readonly roles: readonly Role[] | null };

function sourceOf(type: AccountType): Source | undefined {
  const sources: { readonly [Type in AccountType]?: Source } = WITHDRAWAL_SOURCES;
  return sources[type];
}

/** Why `role` may not withdraw from such an account; null if it may. */
export function sourceRefusal(type: AccountType, role: Role): RefusalCode | null {
  const source = sourceOf(type);
  if (source === undefined) return 'account_not_owned';
  return source.roles === null || source.roles.includes(role) ? null : 'forbidden';
}

/**
 * The transfer tax on a withdrawal of `amountCents`, half a cent rounded up. It is charged on top. A null rate means that no tax
 * is due.
 */
export function transferTaxCents(type: AccountType, amountCents: bigint, rateBasisPoints: number | null): bigint {
  return sourceOf(type)?.isTaxed && rateBasisPoints !== null ? fee(amountCents, rateBasisPoints) : 0n;
}
