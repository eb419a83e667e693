import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import { RETURN_WINDOW_DAYS } from '../../domain/withdrawal/payout.ts';

export const OPEN_KINDS = ['escrow', 'payment-link', 'withdrawal'] as const;

/** An escrow, a payment link or a withdrawal that is not over, and so needs a workflow. */
export type OpenRun = {
  readonly kind: (typeof OPEN_KINDS)[number];
  readonly id: string;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
  readonly status: string;
};

type Row = {
  kind: OpenRun['kind'];
  id: string;
  company_id: CompanyId;
  currency: Currency;
  amount: string;
  status: string;
};

/**
 * The next of all companies that are open, in the order of their ids, whatever they are. `em` must be the worker's or the
 * owner's.
 */
export async function findOpenRuns(
  em: EntityManager,
  after: string | null,
  limit: number,
): Promise<readonly OpenRun[]> {
  // The conditions are written as in the partial indexes (escrow_open, …), or those would not be used.
  const rows = await em.execute<Row[]>(
    `with cursor (after) as (select coalesce(?::uuid, '00000000-0000-0000-0000-000000000000'))
     select * from (
       (select 'escrow' as kind, id, company_id, currency, total_amount as amount, status from escrow, cursor
        where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED') and id > after order by id limit ?)
       union all
       (select 'payment-link', id, company_id, currency, amount, status from payment_link, cursor
        where (status in ('PENDING', 'PROCESSING')
          or state @@ '$.attempts[*].status == "open" || $.attempts[*].status == "pending"')
          and id > after order by id limit ?)
       union all
       (select 'withdrawal', id, company_id, currency, amount, status from withdrawal, cursor
        where status = 'PROCESSING' and id > after order by id limit ?)
       union all
       (select 'withdrawal', id, company_id, currency, amount, status from withdrawal, cursor
        where status = 'COMPLETED' and updated_at > now() - make_interval(days => ?) and id > after order by id limit ?)
     ) open
     order by id limit ?`,
    [after, limit, limit, limit, RETURN_WINDOW_DAYS, limit, limit],
  );
  return rows.map((row) => ({
    kind: row.kind,
    id: row.id,
    companyId: row.company_id,
    currency: row.currency,
    amountCents: BigInt(row.amount),
    status: row.status,
  }));
}
