import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, UserId } from '../../domain/ids.ts';
import { ACCOUNT_TYPES, type AccountType } from '../../domain/ledger/accounts.ts';
import type { Currency } from '../../domain/money.ts';
import type { AttemptKind } from '../../domain/payment-link/link.ts';
import { textArray } from '../core/bound.ts';

/** The accounts of a company and of its users, by owner, type and currency, for postings. */

/** A company's own account. Its values are the company, the type and the currency. */
const COMPANY_ACCOUNT = 'account a where a.company_id = ? and a.type = ? and a.currency = ?';
/** A user's account. Its values are the currency, the company and the user. */
const USER_ACCOUNT = `ledger l join account a on a.company_id = l.company_id and a.ledger_id = l.id and a.type = 'USER' and a.currency = ?
  where l.company_id = ? and l.user_id = ?`;

/** The company's own account of a type in a currency. */
export async function companyAccount(
  em: EntityManager,
  companyId: CompanyId,
  type: AccountType,
  currency: Currency,
): Promise<AccountId> {
  const [row] = await em.execute<{ id: AccountId }[]>(`select a.id from ${COMPANY_ACCOUNT}`, [
    companyId,
    type,
    currency,
  ]);
  if (row === undefined) throw new Error(`the company has no ${type} account`);
  return row.id;
}

/** The company's own accounts of these types in a currency. */
export async function companyAccounts<Type extends AccountType>(
  em: EntityManager,
  companyId: CompanyId,
  types: readonly Type[],
  currency: Currency,
): Promise<Readonly<Record<Type, AccountId>>> {
  const rows = await em.execute<{ type: Type; id: AccountId }[]>(
    'select type, id from account where company_id = ? and type = any(?::text[]) and currency = ?',
    [companyId, textArray(types), currency],
  );
  if (rows.length !== types.length) throw new Error(`the company lacks one of the accounts ${types.join(', ')}`);
  return Object.fromEntries(rows.map(({ type, id }) => [type, id])) as Record<Type, AccountId>; // a company has one of each
}

/** The account of one of the company's users in a currency; null if the company has no such user. */
export async function findUserAccount(
  em: EntityManager,
  companyId: CompanyId,
  userId: UserId,
  currency: Currency,
): Promise<AccountId | null> {
  const [row] = await em.execute<{ id: AccountId }[]>(`select a.id from ${USER_ACCOUNT}`, [
    currency,
    companyId,
    userId,
  ]);
  return row?.id ?? null;
}

/** The accounts for money from and to the outside. Throws `unknown_user`. */
export async function findFundingAccounts(
  em: EntityManager,
  companyId: CompanyId,
  buyerId: UserId,
  currency: Currency,
): Promise<{
  buyerAccountId: AccountId;
  companyAccountId: AccountId;
  clearingAccountIds: Readonly<Record<AttemptKind, AccountId>>;
}> {
  const buyerAccountId = await findUserAccount(em, companyId, buyerId, currency);
  if (buyerAccountId === null) throw new Refusal('unknown_user');
  const own = await companyAccounts(em, companyId, ['COMPANY', 'CLEARING_CARD', 'CLEARING_MOBILE'], currency);
  return {
    buyerAccountId,
    companyAccountId: own.COMPANY,
    clearingAccountIds: { card: own.CLEARING_CARD, mobile_money: own.CLEARING_MOBILE },
  };
}

/**
 * What an account can pay now, in cents; 0 if it is frozen. The account stays locked until the end of the transaction, so that
 * its balance cannot drop in between.
 */
export async function availableCents(em: EntityManager, companyId: CompanyId, accountId: AccountId): Promise<bigint> {
  await em.execute('select 1 from account where company_id = ? and id = ? for no key update', [companyId, accountId]);
  const [account] = await em.execute<{ available: string }[]>(
    `select case when a.is_frozen then '0' else (a.posted - a.held
       + coalesce((select sum(d.amount) from account_delta d where d.company_id = a.company_id and d.account_id = a.id), 0))::text end as available
     from account a where a.company_id = ? and a.id = ?`,
    [companyId, accountId],
  );
  const cents = BigInt(account?.available ?? 0);
  return cents > 0n ? cents : 0n;
}

/** The company's RECEIVABLE account in a currency, in the caller's transaction. It is opened when it is first needed. */
export async function receivableAccount(
  em: EntityManager,
  companyId: CompanyId,
  currency: Currency,
): Promise<AccountId> {
  const { mayGoNegative, appends } = ACCOUNT_TYPES.RECEIVABLE;
  await em.execute(
    `insert into account (id, company_id, ledger_id, type, currency, may_go_negative, appends)
     select ?, l.company_id, l.id, 'RECEIVABLE', ?, ?, ? from ledger l where l.company_id = ? and l.user_id is null
       and not exists (select from account a
         where a.company_id = l.company_id and a.ledger_id = l.id and a.type = 'RECEIVABLE' and a.currency = ?)
     on conflict (company_id, ledger_id, type, currency) do nothing`,
    [uuidv7(), currency, mayGoNegative, appends, companyId, currency],
  );
  return companyAccount(em, companyId, 'RECEIVABLE', currency);
}
