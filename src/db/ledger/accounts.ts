import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, CompanyId, LedgerId, UserId } from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import type { Currency } from '../../domain/money.ts';
import { type Conditions, clausesOf } from '../core/list-reader.ts';
import { FREEZES, type FreezeRow, type Freezes, freezesOf } from './account-freeze.ts';

/** An account as readers see it: its balances include credits that are not folded yet. */
export type AccountRecord = {
  readonly id: AccountId;
  readonly companyId: CompanyId;
  readonly ledgerId: LedgerId;
  readonly ledgerName: string;
  readonly userId: UserId | null;
  readonly userFirstName: string | null;
  readonly userLastName: string | null;
  readonly type: AccountType;
  readonly currency: Currency;
  readonly balanceCents: bigint;
  readonly heldCents: bigint;
  readonly isFrozen: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The filters of a search for accounts. */
type AccountFilter = {
  readonly id?: AccountId | undefined;
  readonly ledgerId?: LedgerId | undefined;
  readonly userId?: UserId | undefined;
  readonly type?: AccountType | undefined;
  readonly currency?: Currency | undefined;
  /** Only the company's own accounts, not those of its users. */
  readonly isCompanyOwned?: true | undefined;
};

export type AccountRow = {
  id: AccountId;
  company_id: CompanyId;
  ledger_id: LedgerId;
  ledger_name: string;
  user_id: UserId | null;
  first_name: string | null;
  last_name: string | null;
  type: AccountType;
  currency: Currency;
  balance: string;
  held: string;
  is_frozen: boolean;
  created_at: Date;
  updated_at: Date;
};

/** The beginning of a statement that reads accounts. */
export const ACCOUNTS = `select a.id, a.company_id, a.ledger_id, l.name as ledger_name, l.user_id, u.first_name, u.last_name, a.type, a.currency,
       (a.posted + coalesce((select sum(d.amount) from account_delta d where d.company_id = a.company_id and d.account_id = a.id), 0))::text as balance,
       a.held::text as held, a.is_frozen, a.created_at, a.updated_at
     from account a
     join ledger l on l.company_id = a.company_id and l.id = a.ledger_id
     left join app_user u on u.company_id = l.company_id and u.id = l.user_id`;

/** The company's accounts that match every part of `filter`, oldest ledger first, in the order of the chart. */
export async function findAccounts(
  em: EntityManager,
  companyId: CompanyId,
  filter: AccountFilter,
  page: { limit: number; offset: number } = { limit: 100, offset: 0 },
): Promise<AccountRecord[]> {
  const { where, values } = conditions(companyId, filter);
  const rows = await em.execute<AccountRow[]>(
    `${ACCOUNTS}
     where ${where}
     order by l.created_at, l.id, a.type, a.currency
     limit ? offset ?`,
    [...values, page.limit, page.offset],
  );
  return rows.map(accountOf);
}

export function accountOf(row: AccountRow): AccountRecord {
  return {
    id: row.id,
    companyId: row.company_id,
    ledgerId: row.ledger_id,
    ledgerName: row.ledger_name,
    userId: row.user_id,
    userFirstName: row.first_name,
    userLastName: row.last_name,
    type: row.type,
    currency: row.currency,
    balanceCents: BigInt(row.balance),
    heldCents: BigInt(row.held),
    isFrozen: row.is_frozen,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

/** The number of accounts that `findAccounts` finds without a page. */
export async function countAccounts(em: EntityManager, companyId: CompanyId, filter: AccountFilter): Promise<number> {
  const { where, values } = conditions(companyId, filter);
  const [row] = await em.execute<{ total: number }[]>(
    `select count(*)::integer as total from account a join ledger l on l.company_id = a.company_id and l.id = a.ledger_id where ${where}`,
    values,
  );
  return row?.total ?? 0;
}

/** The one account that matches, or null. */
export async function findAccount(
  em: EntityManager,
  companyId: CompanyId,
  filter: AccountFilter,
): Promise<AccountRecord | null> {
  const [account] = await findAccounts(em, companyId, filter, { limit: 1, offset: 0 });
  return account ?? null;
}

/** An account with what else decides about a payout from it. */
type PayingAccount = {
  readonly account: AccountRecord;
  readonly freezes: Freezes;
  /** Null: payouts need no cash (cash-backing.ts). */
  readonly payableCents: bigint | null;
};

/** One of the company's accounts, in one read; null if there is none. */
export async function findPayingAccount(
  em: EntityManager,
  companyId: CompanyId,
  id: AccountId,
  mustBeBacked: boolean,
): Promise<PayingAccount | null> {
  const [row] = await em.execute<(AccountRow & { payable: string | null; freezes: FreezeRow[] })[]>(
    `select a.*, (select coalesce(json_agg(f), '[]') from (${FREEZES}) f) as freezes,
       case when ?::boolean then coalesce(company_payable_cash(a.company_id, a.currency), 0)::text end as payable
     from (${ACCOUNTS} where a.company_id = ? and a.id = ?) a`,
    [companyId, id, mustBeBacked, companyId, id],
  );
  if (row === undefined) return null;
  const payableCents = row.payable === null ? null : BigInt(row.payable);
  return { account: accountOf(row), freezes: freezesOf(row.freezes), payableCents };
}

const CONDITIONS = {
  id: 'a.id = ?',
  ledgerId: 'a.ledger_id = ?',
  userId: 'l.user_id = ?',
  type: 'a.type = ?',
  currency: 'a.currency = ?',
  isCompanyOwned: '(l.user_id is null) = ?',
} as const satisfies Conditions<AccountFilter>;

function conditions(companyId: CompanyId, filter: AccountFilter) {
  const { clauses, values } = clausesOf(CONDITIONS, filter);
  return { where: ['a.company_id = ?', ...clauses].join(' and '), values: [companyId, ...values] };
}
