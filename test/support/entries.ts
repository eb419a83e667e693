import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, CompanyId } from '../../src/domain/ids.ts';

type Entries = {
  readonly companyId: CompanyId;
  readonly account: AccountId;
  /** The other side. */
  readonly contra: AccountId;
  readonly count: number;
  /** The time of the first entry. The others follow, one each second. */
  readonly from: Date;
  /** No posting leaves such entries. */
  readonly areTransactionsMissing?: boolean;
};

/**
 * Writes many entries of one cent, as the database's owner: two credits, a debit, and so on. Each has its own transaction, because
 * a statement reads the whole transaction of an entry.
 */
export async function addEntries(em: EntityManager, entries: Entries): Promise<void> {
  const { companyId, account, contra, count, from, areTransactionsMissing = false } = entries;
  await em.execute(
    `with made as materialized (
       select gen_random_uuid() as id, case n % 3 when 2 then -1 else 1 end as amount, ?::timestamptz + n * interval '1 second' as at
       from generate_series(0, ? - 1) n
     ), posted as (
       insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash, created_at)
       select id, ?, 'ADJUSTMENT', 'COMPLETED', 'COMPLETED', 1, 'USD', 'many/' || id, '\\x00', at from made where not ?
     )
     insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
     select m.id, leg.account, ?, leg.amount, 'USD', m.at
     from made m cross join lateral (values (?::uuid, m.amount), (?::uuid, -m.amount)) leg (account, amount)
     order by m.at`,
    [from, count, companyId, areTransactionsMissing, companyId, account, contra],
  );
}
