import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import type { AccountId, CompanyId } from '../../domain/ids.ts';
import { ACCOUNT_TYPES } from '../../domain/ledger/accounts.ts';
import type { Currency } from '../../domain/money.ts';
import { companyAccount } from './own-accounts.ts';

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
