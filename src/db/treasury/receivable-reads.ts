import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, CompanyId, EscrowId, TransactionId, UserId } from '../../domain/ids.ts';
import type { ReceivableId, ReceivableReason } from '../../domain/ledger/receivables.ts';
import type { Currency } from '../../domain/money.ts';
import { createListReader, type SortColumn, type TimeFilter } from '../core/list-reader.ts';
import { cents, looked, type RecordOf, readModel, time, value } from '../core/read-model.ts';

/** Receivables as readers see them. */

export const RECEIVABLE_STATUSES = ['OPEN', 'SETTLED'] as const;
type ReceivableStatus = (typeof RECEIVABLE_STATUSES)[number];
const STATUS = "case when r.remaining_cents > 0 then 'OPEN' else 'SETTLED' end";

type ReceivableFilter = TimeFilter & {
  readonly id?: ReceivableId | undefined;
  readonly status?: readonly ReceivableStatus[] | undefined;
  readonly escrowId?: EscrowId | undefined;
  readonly currency?: Currency | undefined;
};

export const RECEIVABLE_SORTS = {
  createdAt: { column: 'r.created_at', kind: 'time' },
} as const satisfies Record<string, SortColumn>;

const RECEIVABLE = readModel({
  id: value<ReceivableId>('r.id'),
  reason: value<ReceivableReason>('r.reason'),
  status: value<ReceivableStatus>(STATUS),
  accountId: value<AccountId>('r.account_id'),
  /** Null: an account of the company itself owes it. */
  userId: value<UserId | null>('l.user_id'),
  currency: value<Currency>('r.currency'),
  amountCents: cents('r.amount_cents'),
  remainingCents: cents('r.remaining_cents'),
  collectedCents: cents('r.collected_cents'),
  writtenOffCents: cents('r.written_off_cents'),
  depositId: value<TransactionId | null>('r.deposit_id'),
  escrowId: value<EscrowId | null>('r.escrow_id'),
  createdAt: time('r.created_at'),
});
export type ReceivableRecord = RecordOf<typeof RECEIVABLE>;

const READER = createListReader<ReceivableFilter, ReceivableRecord, keyof typeof RECEIVABLE_SORTS>({
  table: 'receivable_balance',
  alias: 'r',
  ...RECEIVABLE,
  joins: `${looked('join', 'account', 'a', 'a.company_id = r.company_id and a.id = r.account_id')}
    ${looked('join', 'ledger', 'l', 'l.company_id = a.company_id and l.id = a.ledger_id')}`,
  conditions: {
    id: 'r.id = ?',
    status: `${STATUS} = any(?::text[])`,
    escrowId: 'r.escrow_id = ?',
    currency: 'r.currency = ?',
    createdFrom: 'r.created_at >= ?',
    createdTo: 'r.created_at < ?',
    updatedSince: `r.created_at >= ? or exists (
      select from receivable_settlement s
      where s.company_id = r.company_id and s.receivable_id = r.id and s.created_at >= ?)`,
  },
  sorts: RECEIVABLE_SORTS,
  defaultOrder: { by: 'createdAt', isDescending: true },
});

/** For the rest of `em`'s transaction, receivables are read as they were right before an instant. */
export async function readReceivablesAt(em: EntityManager, at: Date): Promise<void> {
  await em.execute(`select set_config('app.report_at', ?, true)`, [at.toISOString()]);
}

/** What is owed in all, by currency, or in one of them. */
export async function sumReceivables(
  em: EntityManager,
  companyId: CompanyId,
  currency?: Currency,
): Promise<{ readonly currency: Currency; readonly remainingCents: bigint }[]> {
  const rows = await em.execute<{ currency: Currency; remaining: string }[]>(
    `select currency, sum(remaining_cents)::text as remaining from receivable_balance
     where company_id = ? and currency = coalesce(?, currency)
     group by currency having sum(remaining_cents) > 0 order by currency`,
    [companyId, currency ?? null],
  );
  return rows.map(({ currency: code, remaining }) => ({ currency: code, remainingCents: BigInt(remaining) }));
}

/** The company's matching receivables, newest first unless the page has another order. */
export const { list: listReceivables } = READER;

export async function findReceivable(
  em: EntityManager,
  companyId: CompanyId,
  id: ReceivableId,
): Promise<ReceivableRecord | null> {
  const [found] = await READER.find(em, companyId, { id }, { limit: 1, offset: 0 });
  return found ?? null;
}
