import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import type { AccountId, CompanyId, LedgerId, UserId } from '../../domain/ids.ts';
import { ACCOUNT_TYPES, type AccountType } from '../../domain/ledger/accounts.ts';
import { CURRENCY_CODES, type Currency } from '../../domain/money.ts';

type OpenedAccount = { readonly id: AccountId; readonly type: AccountType; readonly currency: Currency };
export type OpenedLedger = { readonly ledgerId: LedgerId; readonly accounts: readonly OpenedAccount[] };

/** Opens a company's own ledger with all its accounts; the platform's company also gets SYSTEM_FEE. Once per company. */
export async function openCompanyLedger(
  em: EntityManager,
  company: { readonly companyId: CompanyId; readonly name: string; readonly isPlatform: boolean },
): Promise<OpenedLedger> {
  const kinds = company.isPlatform ? ['company', 'platform'] : ['company'];
  return openLedger(em, { companyId: company.companyId, userId: null, name: company.name }, kinds);
}

/** Opens a user's ledger with one account for each currency. Once per user. */
export async function openUserLedger(
  em: EntityManager,
  user: { readonly companyId: CompanyId; readonly userId: UserId; readonly name: string },
): Promise<OpenedLedger> {
  return openLedger(em, user, ['user']);
}

async function openLedger(
  em: EntityManager,
  owner: { readonly companyId: CompanyId; readonly userId: UserId | null; readonly name: string },
  kinds: readonly string[],
): Promise<OpenedLedger> {
  const ledgerId = newId<LedgerId>();
  const accounts = accountTypesOf(kinds).flatMap((type) =>
    CURRENCY_CODES.map((currency) => ({ id: newId<AccountId>(), type, currency })),
  );
  await em.execute('insert into ledger (id, company_id, user_id, name) values (?, ?, ?, ?)', [
    ledgerId,
    owner.companyId,
    owner.userId,
    owner.name,
  ]);
  const rows = accounts.map((account) => ({
    ...account,
    may_go_negative: ACCOUNT_TYPES[account.type].mayGoNegative,
    appends: ACCOUNT_TYPES[account.type].appends,
  }));
  await em.execute(
    `insert into account (id, company_id, ledger_id, type, currency, may_go_negative, appends)
     select id, ?, ?, type, currency, may_go_negative, appends from jsonb_to_recordset(?::jsonb)
       as a(id uuid, type text, currency text, may_go_negative boolean, appends boolean)`,
    [owner.companyId, ledgerId, JSON.stringify(rows)],
  );
  return { ledgerId, accounts };
}

function accountTypesOf(kinds: readonly string[]): AccountType[] {
  const types = Object.keys(ACCOUNT_TYPES) as AccountType[]; // the keys of a constant object are exactly those of its type
  return types.filter((type) => kinds.includes(ACCOUNT_TYPES[type].ledger));
}

function newId<T extends string>(): T {
  return uuidv7() as T; // a new id of this kind
}
