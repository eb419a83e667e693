import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId, EscrowId, TransactionId, UserId } from '../../domain/ids.ts';
import type { TransactionStatus, TransactionType } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import { textArray } from '../core/bound.ts';
import { boundsOf, createdIn, type TimeWindow } from '../core/list-reader.ts';
import { countTransactions } from '../ledger/transactions.ts';

/** The types of transactions that escrows create. */
export const ESCROW_TRANSACTION_TYPES = ['ESCROW_HOLD', 'PAYMENT', 'REFUND'] as const satisfies TransactionType[];

export type HistoryParty = { readonly id: UserId | null; readonly firstName: string | null };

export type HistoryRecord = {
  readonly id: TransactionId;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly escrowId: EscrowId;
  readonly companyRevenueCents: bigint;
  readonly systemRevenueCents: bigint;
  /** The amount of the whole escrow. */
  readonly totalCents: bigint;
  readonly buyer: HistoryParty;
  /** If the company itself sells: no id, and the company's name. */
  readonly seller: HistoryParty;
  readonly createdAt: Date;
};

type Row = {
  id: TransactionId;
  type: TransactionType;
  status: TransactionStatus;
  amount: string;
  currency: Currency;
  escrow_id: EscrowId;
  company_revenue: string;
  system_revenue: string;
  total_cents: string;
  buyer_id: UserId;
  buyer_first_name: string | null;
  seller_id: UserId | null;
  seller_first_name: string | null;
  created_at: Date;
};

/**
 * The transactions of escrows, newest first. The platform's fee is on an account that the company cannot see; the ledger's
 * `ledger_transaction_totals` returns its amount, for the company's own transactions only.
 */
export async function findEscrowHistory(
  em: EntityManager,
  companyId: CompanyId,
  window: TimeWindow,
  page: { readonly limit: number; readonly offset: number },
): Promise<HistoryRecord[]> {
  const rows = await em.execute<Row[]>(
    `with page as materialized (
       select newest.* from unnest(?::text[]) k(type) cross join lateral (
         select t.id, t.type, t.status, t.amount, t.currency, t.escrow_id, t.created_at from ledger_transaction t
         where t.company_id = ? and t.type = k.type and ${createdIn('t')}
         order by t.created_at desc, t.id desc limit ?) newest
       order by newest.created_at desc, newest.id desc limit ? offset ?
     ), revenue as (
       select transaction_id, sum(amount) filter (where account_type = 'SERVICE_FEE') as company,
         sum(amount) filter (where account_type = 'SYSTEM_FEE') as system
       from ledger_transaction_totals(?, array(select id from page)) group by transaction_id
     )
     select p.id, p.type, p.status, p.amount::text as amount, p.currency, p.escrow_id, p.created_at,
       coalesce(r.company, 0)::text as company_revenue, coalesce(r.system, 0)::text as system_revenue,
       x.total_cents::text as total_cents, x.buyer_id, b.first_name as buyer_first_name, x.seller_id,
       case when x.seller_id is null then c.name else s.first_name end as seller_first_name
     from page p
     join escrow x on x.company_id = ? and x.id = p.escrow_id
     join company c on c.id = x.company_id
     join app_user b on b.company_id = x.company_id and b.id = x.buyer_id
     left join app_user s on s.company_id = x.company_id and s.id = x.seller_id
     left join revenue r on r.transaction_id = p.id
     order by p.created_at desc, p.id desc`,
    [
      ...[textArray(ESCROW_TRANSACTION_TYPES), companyId, ...boundsOf(window), page.limit + page.offset],
      ...[page.limit, page.offset, companyId, companyId],
    ],
  );
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    status: row.status,
    amountCents: BigInt(row.amount),
    currency: row.currency,
    escrowId: row.escrow_id,
    companyRevenueCents: BigInt(row.company_revenue),
    systemRevenueCents: BigInt(row.system_revenue),
    totalCents: BigInt(row.total_cents),
    buyer: { id: row.buyer_id, firstName: row.buyer_first_name },
    seller: { id: row.seller_id, firstName: row.seller_first_name },
    createdAt: new Date(row.created_at),
  }));
}

/** The total number of entries in the history. */
export function countEscrowHistory(em: EntityManager, companyId: CompanyId, window: TimeWindow): Promise<number> {
  return countTransactions(em, companyId, null, ESCROW_TRANSACTION_TYPES, window);
}
