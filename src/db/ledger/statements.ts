import type { EntityManager } from '@mikro-orm/postgresql';
import { refusedFor } from '../../domain/errors.ts';
import type { AccountId, CompanyId, EscrowId, TransactionId, UserId } from '../../domain/ids.ts';
import type { TransactionType } from '../../domain/ledger/postings.ts';
import {
  type Counterparty,
  entriesOf,
  type Period,
  type RatedFee,
  type StatementEntry,
  type StatementLine,
  type StatementTotals,
} from '../../domain/ledger/statement.ts';
import { textArray } from '../core/bound.ts';
import { ACCOUNTS, type AccountRecord, type AccountRow, accountOf } from './accounts.ts';

/** The maximum number of entries in one statement; a longer one must be requested in parts. */
export const MAX_STATEMENT_ENTRIES = 10_000;
/** The number of entries that are read at once. More hold up other requests: 1,000 in one turn take some 30 ms. */
const ENTRIES_PER_PAGE = 200;

type LineRow = {
  id: string;
  transaction_id: TransactionId;
  amount: string;
  created_at: string;
  type: TransactionType;
  reference: string | null;
  memo: string | null;
  escrow_id: EscrowId | null;
  withdrawal_id: TransactionId | null;
  value_date: string | null;
  gross: string | null;
  fee: string | null;
  tax: string | null;
  rates: { kind: RatedFee['kind']; cents: string; basisPoints: number | null }[] | null;
  counterparty_name: string | null;
} & (
  | { counterparty_kind: 'USER'; counterparty_id: UserId }
  | { counterparty_kind: 'COMPANY'; counterparty_id: CompanyId }
  | { counterparty_kind: 'BANK_ACCOUNT' | 'EXTERNAL' | null; counterparty_id: null }
);
type OpenRow = {
  account: AccountRow | null;
  lines: LineRow[];
  opening: string;
  opening_held: string;
  closing_held: string;
  entry_ids: string;
  credits: string;
  debits: string;
  credit_count: number;
};

/** `until`: no posting of the company with an earlier time can appear any more. `at`: when that was read, by the database's clock. */
export type Closing = { readonly until: Date; readonly at: Date };

/** The closings of companies, on the primary, which alone knows the postings in flight. */
export async function readClosings(em: EntityManager, companyIds: readonly CompanyId[]): Promise<Closing[]> {
  const rows = await em.execute<{ until: Date; at: Date }[]>(
    'select until, at from ledgers_closed_until(?::uuid[]) order by ordinal',
    [textArray(companyIds)],
  );
  return rows.map(({ until, at }) => ({ until: new Date(until), at: new Date(at) }));
}

/**
 * The same window, ended before the oldest posting in flight if necessary, so that its statement never changes. If the window would
 * begin later than that, it is empty and lies before that posting. A window that ends in the future stays unchanged, because it has
 * not ended. The statement must be read after the closing, and not in an older transaction: it must see what was committed meanwhile.
 */
export function closedPeriod({ until, at }: Closing, { from, to }: Period): Period {
  if (to > at) return { from, to };
  const end = until < to ? until : to;
  return { from: end < from ? end : from, to: end };
}

/**
 * Shortens a period to the account's last `entries` entries, and any others of the same instant as the first of them. Returns the
 * period unchanged if it has no more.
 */
export async function latestPeriod(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  { from, to }: Period,
  entries: number,
): Promise<Period> {
  const [row] = await em.execute<{ first: Date | null }[]>('select latest_entry_time(?, ?, ?, ?, ?) as first', [
    ...[companyId, accountId, from, to, entries],
  ]);
  const first = row?.first ?? null;
  // A Date has no microseconds, so it may lie before the entry, never after it.
  return first === null ? { from, to } : { from: new Date(Math.max(from.getTime(), new Date(first).getTime())), to };
}

/**
 * The lines of the first entries of `s`, in the order of their effects, as one value: rows take the API four times as long.
 */
const LINES = `(select coalesce(json_agg(l), '[]') from (
    select id::text as id, transaction_id, amount::text as amount, created_at, type, reference, memo, escrow_id, withdrawal_id,
      value_date::text as value_date, gross::text as gross, fee::text as fee, tax::text as tax, rates, counterparty_kind, counterparty_id,
      counterparty_name
    from statement_lines(?, ?, s.entry_ids[1:${ENTRIES_PER_PAGE}]) order by statement_lines.id) l) as lines`;

/** A statement of which the totals and the first page of entries are read. The entries themselves never change. */
export type OpenStatement = {
  /** Null: the company has no such account. */
  readonly account: AccountRecord | null;
  readonly totals: StatementTotals;
  /** Of all entries, in the order of their effects. */
  readonly entryIds: readonly string[];
  readonly firstPage: readonly StatementEntry[];
};

/** Reads with a transaction of its own, or with the caller's. */
type Read = <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>;

/** Opens the statement of one of the company's accounts, in one read, so that all is from one snapshot. Throws `statement_too_large`. */
export async function openStatement(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  period: Period,
): Promise<OpenStatement> {
  const [row] = await em.execute<OpenRow[]>(
    `select (select to_json(a) from (${ACCOUNTS} where a.company_id = ? and a.id = ?) a) as account, ${LINES},
       coalesce((select balance from ledger_balance_before(?, array[?]::uuid[], ?)), 0)::text as opening,
       (select held from ledger_held_before(?, array[?]::uuid[], ?))::text as opening_held,
       (select held from ledger_held_before(?, array[?]::uuid[], ?))::text as closing_held, array_to_string(s.entry_ids, ',') as entry_ids,
       s.credits::text as credits, s.debits::text as debits, s.credit_count
     from statement_outline(?, ?, ?, ?, ?) s`,
    [
      ...[companyId, accountId],
      ...[companyId, accountId],
      ...[companyId, accountId, period.from],
      ...[companyId, accountId, period.from],
      ...[companyId, accountId, period.to],
      ...[companyId, accountId, period.from, period.to, MAX_STATEMENT_ENTRIES + 1],
    ],
  );
  if (row === undefined) throw new Error('the ledger did not return the totals of the statement');
  const entryIds = row.entry_ids === '' ? [] : row.entry_ids.split(',');
  if (entryIds.length > MAX_STATEMENT_ENTRIES)
    throw refusedFor('statement_too_large', { code: 'window_too_long', value: String(MAX_STATEMENT_ENTRIES) });
  const [openingCents, credits, debits] = [BigInt(row.opening), BigInt(row.credits), BigInt(row.debits)];
  const totals: StatementTotals = {
    accountId,
    ...period,
    openingCents,
    closingCents: openingCents + credits - debits,
    openingHeldCents: BigInt(row.opening_held),
    closingHeldCents: BigInt(row.closing_held),
    totalCreditsCents: credits,
    totalDebitsCents: debits,
    credits: row.credit_count,
    debits: entryIds.length - row.credit_count,
  };
  const lines = linesOf(row.lines, entryIds.slice(0, ENTRIES_PER_PAGE));
  const account = row.account === null ? null : accountOf(row.account);
  return { account, totals, entryIds, firstPage: entriesOf(openingCents, lines) };
}

/**
 * All entries of an open statement, in pages. A page is read when it is asked for. Throws if the entries do not add up to the
 * closing balance, so an incomplete file never looks complete.
 */
export async function* pagesOf(
  { totals, entryIds, firstPage }: OpenStatement,
  companyId: CompanyId,
  read: Read,
): AsyncGenerator<readonly StatementEntry[]> {
  let page = firstPage;
  let balance = totals.openingCents;
  for (let at = 0; at < entryIds.length; ) {
    yield page;
    balance = page.at(-1)?.balanceAfterCents ?? balance;
    at += page.length;
    const ids = entryIds.slice(at, at + ENTRIES_PER_PAGE);
    if (ids.length > 0) page = entriesOf(balance, await read((em) => readLines(em, companyId, totals.accountId, ids)));
  }
  if (balance !== totals.closingCents)
    throw new Error('the entries of a statement do not add up to its closing balance');
}

/** The lines with these ids, which are in the order of their effects. Throws if the ledger does not have all of them. */
async function readLines(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  ids: readonly string[],
): Promise<StatementLine[]> {
  const [row] = await em.execute<{ lines: LineRow[] }[]>(`select ${LINES} from (select ?::bigint[] as entry_ids) s`, [
    ...[companyId, accountId, `{${ids.join(',')}}`],
  ]);
  return linesOf(row?.lines ?? [], ids);
}

function linesOf(rows: readonly LineRow[], ids: readonly string[]): StatementLine[] {
  if (rows.length !== ids.length)
    throw new Error(`${ids.length - rows.length} entries of a statement have no transaction`);
  return rows.map(lineOf);
}

function lineOf(row: LineRow): StatementLine {
  const { gross, fee, tax } = row;
  return {
    id: row.id,
    transactionId: row.transaction_id,
    type: row.type,
    amountCents: BigInt(row.amount),
    reference: row.reference,
    memo: row.memo,
    escrowId: row.escrow_id,
    withdrawalId: row.withdrawal_id,
    valueDate: row.value_date,
    counterparty: counterpartyOf(row),
    breakdown:
      gross === null || fee === null || tax === null
        ? null
        : {
            ...{ grossCents: BigInt(gross), feeCents: BigInt(fee), taxCents: BigInt(tax) },
            rates: (row.rates ?? []).map(({ cents, ...rate }) => ({ ...rate, cents: BigInt(cents) })),
          },
    createdAt: new Date(row.created_at),
  };
}

function counterpartyOf(row: LineRow): Counterparty | null {
  const { counterparty_name: name } = row;
  switch (row.counterparty_kind) {
    case null:
      return null;
    case 'USER':
      return { kind: 'USER', id: row.counterparty_id, name };
    case 'COMPANY':
      return { kind: 'COMPANY', id: row.counterparty_id, name };
    case 'BANK_ACCOUNT':
    case 'EXTERNAL':
      return { kind: row.counterparty_kind, id: null, name };
  }
}
