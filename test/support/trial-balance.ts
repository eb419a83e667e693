import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../src/domain/ids.ts';

/** A sum of a company's balances or entries in one currency that is not zero. */
export type Imbalance = {
  readonly company_id: CompanyId;
  readonly currency: string;
  readonly of: 'balances' | 'entries';
  readonly cents: string;
};

/** The imbalances of one company, or of all (null), in one snapshot. INTERCOMPANY accounts are included. */
export function imbalances(em: EntityManager, companyId: CompanyId | null): Promise<Imbalance[]> {
  return em.execute<Imbalance[]>(
    `with own as (
       select a.* from account a where ?::uuid is null or a.company_id = ?
     ), summand as (
       select o.company_id, o.currency, 'balances' as of,
         o.posted + coalesce((select sum(d.amount) from account_delta d where d.account_id = o.id), 0) as cents
       from own o
       union all
       select o.company_id, e.currency, 'entries', e.amount from own o join entry e on e.account_id = o.id
     )
     select company_id, currency, of, sum(cents)::text as cents from summand group by 1, 2, 3 having sum(cents) <> 0`,
    [companyId, companyId],
  );
}
