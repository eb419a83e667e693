import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, CompanyId, EscrowId, TransactionId, UserId } from '../../domain/ids.ts';
import type { ReceivableId, ReceivableReason } from '../../domain/ledger/receivables.ts';
import type { Currency } from '../../domain/money.ts';
import { createListReader, type SortColumn, type TimeFilter } from '../core/list-reader.ts';

/** Receivables as readers see them. */

export const RECEIVABLE_STATUSES = ['OPEN', 'SETTLED'] as const;
export type ReceivableStatus = (typeof RECEIVABLE_STATUSES)[number];

export type ReceivableRecord = {
  readonly id: ReceivableId;
  readonly reason: ReceivableReason;
  readonly status: ReceivableStatus;
  readonly accountId: AccountId;
  /** Null: an account of the company itself owes it. */
  readonly userId: UserId | null;
  readonly currency: Currency;
  readonly amountCents: bigint;
  readonly remainingCents: bigint;
  readonly collectedCents: bigint;
  readonly writtenOffCents: bigint;
  readonly depositId: TransactionId | null;
  readonly escrowId: EscrowId | null;
  readonly createdAt: Date;
};

type Row = {
  id: ReceivableId;
  reason: ReceivableReason;
  account_id: AccountId;
  user_id: UserId | null;
  currency: Currency;
  amount: string;
  remaining_cents: string;
  collected_cents: string;
  written_off_cents: string;
  deposit_id: TransactionId | null;
  escrow_id: EscrowId | null;
  created_at: Date;
};

export type ReceivableFilter = TimeFilter & {
  readonly id?: ReceivableId | undefined;
  readonly status?: readonly ReceivableStatus[] | undefined;
  readonly escrowId?: EscrowId | undefined;
};

export const RECEIVABLE_SORTS = {
  createdAt: { column: 'r.created_at', kind: 'time' },
} as const satisfies Record<string, SortColumn>;

const READER = createListReader<ReceivableFilter, Row, ReceivableRecord, keyof typeof RECEIVABLE_SORTS>({
  table: 'receivable_balance',
  alias: 'r',
  columns: `r.id, r.reason, r.account_id, l.user_id, r.currency, r.amount_cents::text as amount,
    r.remaining_cents::text as remaining_cents,
    r.collected_cents::text as collected_cents, r.written_off_cents::text as written_off_cents,
    r.deposit_id, r.escrow_id, r.created_at`,
  joins: 'join account a on a.id = r.account_id join ledger l on l.id = a.ledger_id',
  conditions: {
    id: 'r.id = ?',
    status: "case when r.remaining_cents > 0 then 'OPEN' else 'SETTLED' end = any(?::text[])",
    escrowId: 'r.escrow_id = ?',
    createdFrom: 'r.created_at >= ?',
    createdTo: 'r.created_at < ?',
    updatedSince: `r.created_at >= ? or exists (
      select from receivable_settlement s where s.receivable_id = r.id and s.created_at >= ?)`,
  },
  sorts: RECEIVABLE_SORTS,
  defaultOrder: { by: 'createdAt', isDescending: true },
  toRecord: (row) => ({
    id: row.id,
    reason: row.reason,
    status: BigInt(row.remaining_cents) > 0n ? 'OPEN' : 'SETTLED',
    accountId: row.account_id,
    userId: row.user_id,
    currency: row.currency,
    amountCents: BigInt(row.amount),
    remainingCents: BigInt(row.remaining_cents),
    collectedCents: BigInt(row.collected_cents),
    writtenOffCents: BigInt(row.written_off_cents),
    depositId: row.deposit_id,
    escrowId: row.escrow_id,
    createdAt: new Date(row.created_at),
  }),
});

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
