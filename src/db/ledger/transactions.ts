import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, CompanyId, EscrowId, LedgerId, TransactionId } from '../../domain/ids.ts';
import { TRANSACTION_TYPES, type TransactionStatus, type TransactionType } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import { mapInTurns } from '../../turns/turns.ts';
import { textArray } from '../core/bound.ts';
import {
  boundsOf,
  createdIn,
  createdSort,
  type Listed,
  type Page as ListPage,
  NEWEST_FIRST,
  pageOf,
  sortKey,
  type TimeWindow,
  withOneMore,
} from '../core/list-reader.ts';

export type TransactionRecord = {
  readonly id: TransactionId;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly reference: string | null;
  readonly escrowId: EscrowId | null;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: Date;
};

type EntryRecord = {
  readonly accountId: AccountId;
  /** Signed: a credit is positive, a debit negative. */
  readonly amountCents: bigint;
  readonly balanceAfterCents: bigint;
};

export type LedgerTransaction = TransactionRecord & { readonly entries: readonly EntryRecord[] };

export type TransactionFilter = TimeWindow & {
  readonly type?: TransactionType | undefined;
  readonly status?: TransactionStatus | undefined;
};

type Row = {
  id: TransactionId;
  type: TransactionType;
  status: TransactionStatus;
  amount: string;
  currency: Currency;
  reference: string | null;
  escrow_id: EscrowId | null;
  metadata: Record<string, unknown>;
  created_at: Date;
};

export const TRANSACTION_SORTS = createdSort('a');
type Page = ListPage<keyof typeof TRANSACTION_SORTS>;

type RowWithEntries = Row & { list_key: string } & {
  entries: { account_id: AccountId; amount: string; balance_after: string }[];
};

export async function findTransaction(
  em: EntityManager,
  companyId: CompanyId,
  id: TransactionId,
): Promise<TransactionRecord | null> {
  const [row] = await em.execute<Row[]>(
    `select t.id, t.type, t.status, t.amount::text as amount, t.currency, t.reference, t.escrow_id, shown_metadata(t) as metadata,
       t.created_at
     from ledger_transaction t where t.company_id = ? and t.id = ?`,
    [companyId, id],
  );
  return row === undefined ? null : toRecord(row);
}

/** Whether the company has a transaction with that id. */
export async function isPosted(
  em: EntityManager,
  companyId: CompanyId,
  transactionId: TransactionId,
): Promise<boolean> {
  const rows = await em.execute<unknown[]>('select 1 from ledger_transaction where company_id = ? and id = ?', [
    companyId,
    transactionId,
  ]);
  return rows.length > 0;
}

/**
 * The transactions that touched a ledger of the company, by an entry or by a hold, newest first, each with its entries on the
 * company's accounts. A payout is one transaction with the withdrawal's id: it has the entries of its settlement. A platform fee
 * belongs to another company's transaction, of which only the fee is returned. With their number, and the position of the next
 * page.
 */
export async function listLedgerTransactions(
  em: EntityManager,
  companyId: CompanyId,
  ledgerId: LedgerId,
  filter: TransactionFilter,
  page: Page,
): Promise<Listed<LedgerTransaction>> {
  const found = await readPage(em, companyId, ledgerId, filter, withOneMore(page));
  const total = await countLedgerTransactions(em, companyId, ledgerId, filter);
  const { shown, next } = pageOf(found, page, ({ list_key: key, id }) => ({ key, id }));
  return { records: await mapInTurns(shown, withEntries), total, next };
}

async function readPage(
  em: EntityManager,
  companyId: CompanyId,
  ledgerId: LedgerId,
  filter: TransactionFilter,
  page: Page,
): Promise<RowWithEntries[]> {
  const chosen = isUnfinished(filter.status) ? unfinishedPage : activityPage;
  const { sql, values } = chosen(companyId, ledgerId, filter, page);
  const { direction } = orderOf(page);
  return em.execute<RowWithEntries[]>(
    `with page as materialized (select ?::uuid as company_id, found.* from (${sql}) found),
     -- Lateral, with the company of the row: a company that is younger than the statistics would be taken for one without rows.
     part as materialized (
       select id as shown_id, id from page
       union all
       select shown_transaction(t.id, t.key), t.id
       from page p cross join lateral unnest(settlement_keys(p.id)) k(key)
       cross join lateral (
         select * from ledger_transaction t where t.company_id = p.company_id and t.key = k.key offset 0) t
       where p.type = 'WITHDRAWAL'
     ), leg as materialized (
       select p.shown_id, e.id, e.account_id, e.amount, e.currency, e.balance_after
       from part p join posted_entries(?, array(select distinct id from part)) e on e.transaction_id = p.id
     ), appended as (
       select * from appended_balances(?, array(select l.account_id from leg l where l.balance_after is null order by l.id),
         array(select l.id from leg l where l.balance_after is null order by l.id))
     ), own as (
       select l.shown_id, sum(l.amount) filter (where l.amount > 0) as amount, min(l.currency) as currency,
         jsonb_agg(jsonb_build_object('account_id', l.account_id, 'amount', l.amount::text,
           'balance_after', coalesce(l.balance_after, a.balance)::text) order by l.id) as entries
       from leg l left join appended a on a.entry_id = l.id group by l.shown_id
     )
     select p.id, p.type, coalesce(t.status, 'COMPLETED') as status, coalesce(t.amount, own.amount)::text as amount,
       coalesce(t.currency, own.currency) as currency, t.reference, t.escrow_id, coalesce(shown_metadata(t), '{}') as metadata,
       p.created_at, ${sortKey('time').read('p.created_at')} as list_key, coalesce(own.entries, '[]') as entries
     from page p
     left join lateral (select * from ledger_transaction t where t.company_id = p.company_id and t.id = p.id offset 0) t on true
     left join own on own.shown_id = p.id
     order by p.created_at ${direction}, p.id ${direction}`,
    [companyId, ...values, companyId, companyId],
  );
}

function withEntries(row: RowWithEntries): LedgerTransaction {
  return {
    ...toRecord(row),
    entries: row.entries.map((entry) => ({
      accountId: entry.account_id,
      amountCents: BigInt(entry.amount),
      balanceAfterCents: BigInt(entry.balance_after),
    })),
  };
}

/**
 * The total number of transactions. The number of COMPLETED ones is the total minus the others, because the others are few and
 * have an index. A status can change, so daily sums cannot count it.
 */
async function countLedgerTransactions(
  em: EntityManager,
  companyId: CompanyId,
  ledgerId: LedgerId,
  filter: TransactionFilter,
): Promise<number> {
  if (isUnfinished(filter.status)) return countUnfinished(em, companyId, ledgerId, filter);
  const all = await countTransactions(em, companyId, ledgerId, typesOf(filter), filter);
  return filter.status === undefined ? all : all - (await countUnfinished(em, companyId, ledgerId, filter));
}

/** The number of transactions of these types: of the company (`ledgerId` null), or on one of its ledgers. */
export async function countTransactions(
  em: EntityManager,
  companyId: CompanyId,
  ledgerId: LedgerId | null,
  types: readonly TransactionType[],
  window: TimeWindow,
): Promise<number> {
  const [row] = await em.execute<{ total: string }[]>('select ledger_transaction_count(?, ?, ?, ?, ?) as total', [
    companyId,
    ledgerId,
    textArray(types),
    ...boundsOf(window),
  ]);
  return Number(row?.total ?? 0);
}

/** Whether the ledger belongs to the company. */
export async function hasLedger(em: EntityManager, companyId: CompanyId, ledgerId: LedgerId): Promise<boolean> {
  const rows = await em.execute('select 1 from ledger where company_id = ? and id = ?', [companyId, ledgerId]);
  return rows.length > 0;
}

function isUnfinished(status: TransactionStatus | undefined): boolean {
  return status !== undefined && status !== 'COMPLETED';
}

function typesOf(filter: TransactionFilter): readonly TransactionType[] {
  return filter.type === undefined ? TRANSACTION_TYPES : [filter.type];
}

type Statement = { readonly sql: string; readonly values: readonly unknown[] };

/** The direction of a page's order, and the condition that a row comes after the previous page. Newest first by default. */
function orderOf({ order = NEWEST_FIRST, after }: Page) {
  const direction = order.isDescending ? 'desc' : 'asc';
  return {
    direction,
    follows: (alias: string, id: string) =>
      after === undefined
        ? 'true'
        : `(${alias}.created_at, ${alias}.${id}) ${order.isDescending ? '<' : '>'} (${sortKey('time').bind}, ?::uuid)`,
    afterValues: after === undefined ? [] : [after.key, after.id],
  };
}

/**
 * Reads the first transactions of each type from the index, and takes the first of them; then the transactions that are in no
 * block yet.
 */
function activityPage(companyId: CompanyId, ledgerId: LedgerId, filter: TransactionFilter, page: Page): Statement {
  const { status } = filter;
  const { direction, follows, afterValues } = orderOf(page);
  const isFinished = (id: string) =>
    status === undefined
      ? 'true'
      : `not exists (
          select from ledger_transaction t where t.company_id = ? and t.id = ${id} and t.status <> 'COMPLETED')`;
  const finishedValues = status === undefined ? [] : [companyId];
  const sql = `
    select * from (
      (select newest.id, k.type, newest.created_at from unnest(?::text[]) k(type) cross join lateral (
         select a.transaction_id as id, a.created_at from ledger_activity a
         where a.company_id = ? and a.ledger_id = ? and a.type = k.type and ${createdIn('a')}
          and ${follows('a', 'transaction_id')}
           and ${isFinished('a.transaction_id')}
         order by a.created_at ${direction}, a.transaction_id ${direction} limit ?) newest)
      union all
      select u.transaction_id, u.type, u.created_at from unsealed_activity(?, ?) u
      where u.type = any (?::text[]) and ${createdIn('u')} and ${follows('u', 'transaction_id')}
        and ${isFinished('u.transaction_id')}
    ) found
    order by created_at ${direction}, id ${direction} limit ? offset ?`;
  const types = textArray(typesOf(filter));
  return {
    sql,
    values: [
      ...[types, companyId, ledgerId, ...boundsOf(filter), ...afterValues, ...finishedValues],
      ...[page.limit + page.offset, companyId, ledgerId, types, ...boundsOf(filter), ...afterValues, ...finishedValues],
      ...[page.limit, page.offset],
    ],
  };
}

/**
 * Transactions that are not COMPLETED are few and have an index of their own; each is checked for whether it touched the
 * ledger.
 */
function unfinishedPage(companyId: CompanyId, ledgerId: LedgerId, filter: TransactionFilter, page: Page): Statement {
  const { where, values } = unfinished(companyId, ledgerId, filter);
  const { direction, follows, afterValues } = orderOf(page);
  return {
    sql: `select t.id, t.type, t.created_at from ledger_transaction t where ${where} and ${follows('t', 'id')}
          order by t.created_at ${direction}, t.id ${direction} limit ? offset ?`,
    values: [...values, ...afterValues, page.limit, page.offset],
  };
}

async function countUnfinished(
  em: EntityManager,
  companyId: CompanyId,
  ledgerId: LedgerId,
  filter: TransactionFilter,
): Promise<number> {
  const { where, values } = unfinished(companyId, ledgerId, filter);
  const [row] = await em.execute<{ total: number }[]>(
    `select count(*)::integer as total from ledger_transaction t where ${where}`,
    values,
  );
  return row?.total ?? 0;
}

const UNFINISHED = [
  'PENDING',
  'PROCESSING',
  'FAILED',
  'REVERSED',
  'CANCELLED',
] as const satisfies readonly TransactionStatus[];

function unfinished(companyId: CompanyId, ledgerId: LedgerId, filter: TransactionFilter) {
  const statuses = isUnfinished(filter.status) ? UNFINISHED.filter((status) => status === filter.status) : UNFINISHED;
  return {
    where: `t.company_id = ? and t.id = shown_transaction(t.id, t.key) and t.status <> 'COMPLETED'
      and t.status = any (?::text[]) and t.type = any (?::text[])
      and ${createdIn('t')} and exists (
        select from account a where a.company_id = t.company_id and a.ledger_id = ? and a.id in (
          select e.account_id from entry e where e.company_id = t.company_id and e.transaction_id = t.id
          union all select e.account_id from unnest(settlement_keys(t.id)) k(key)
            cross join lateral (
              select m.id from ledger_transaction m where m.company_id = t.company_id and m.key = k.key offset 0) m
            join entry e on e.company_id = t.company_id and e.transaction_id = m.id
            where t.type = 'WITHDRAWAL'
          union all select h.account_id from hold h where h.company_id = t.company_id and h.transaction_id = t.id
          union all select h.account_id from hold h where h.company_id = t.company_id and h.id = t.escrow_id))`,
    values: [companyId, textArray(statuses), textArray(typesOf(filter)), ...boundsOf(filter), ledgerId],
  };
}

function toRecord(row: Row): TransactionRecord {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    amountCents: BigInt(row.amount),
    currency: row.currency,
    reference: row.reference,
    escrowId: row.escrow_id,
    metadata: row.metadata,
    createdAt: new Date(row.created_at),
  };
}

/**
 * Changes a transaction's status, its only mutable field; the database allows forward changes only. Setting the same status
 * again has no effect.
 */
export async function setTransactionStatus(
  em: EntityManager,
  companyId: CompanyId,
  id: TransactionId,
  status: TransactionStatus,
): Promise<void> {
  await em.execute('update ledger_transaction set status = ? where company_id = ? and id = ? and status <> ?', [
    status,
    companyId,
    id,
    status,
  ]);
}
