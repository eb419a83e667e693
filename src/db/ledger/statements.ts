import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, EscrowId, TransactionId, UserId } from '../../domain/ids.ts';
import type { TransactionType } from '../../domain/ledger/postings.ts';
import {
  type Counterparty,
  type Period,
  type Statement,
  type StatementLine,
  statementOf,
} from '../../domain/ledger/statement.ts';

/** The maximum number of entries in one statement; a longer one must be requested in parts. */
export const MAX_STATEMENT_ENTRIES = 10_000;

type LineRow = {
  id: string;
  transaction_id: TransactionId;
  amount: string;
  created_at: Date;
  type: TransactionType;
  reference: string | null;
  memo: string | null;
  escrow_id: EscrowId | null;
  withdrawal_id: TransactionId | null;
  gross: string | null;
  fee: string | null;
  tax: string | null;
  counterparty_name: string | null;
} & (
  | { counterparty_kind: 'USER'; counterparty_id: UserId }
  | { counterparty_kind: 'COMPANY'; counterparty_id: CompanyId }
  | { counterparty_kind: 'BANK_ACCOUNT' | 'EXTERNAL' | null; counterparty_id: null }
);
type Row = { opening: string; opening_held: string; closing_held: string } & (LineRow | { id: null });

/**
 * The same window, ended before the oldest posting in flight if necessary, so that its statement never changes. A window that
 * ends in the future stays unchanged, because it has not ended. A surrounding transaction may not be older than the call: it
 * must see what was committed meanwhile (read committed).
 */
export async function closedPeriod(em: EntityManager, companyId: CompanyId, { from, to }: Period): Promise<Period> {
  const [row] = await em.execute<{ until: Date; has_ended: boolean }[]>(
    'select ledger_closed_until(?) as until, ?::timestamptz <= clock_timestamp() as has_ended',
    [companyId, to],
  );
  if (row === undefined) throw new Error('the ledger did not return its closing time');
  if (!row.has_ended) return { from, to };
  const until = new Date(row.until);
  const end = until < to ? until : to;
  return { from, to: end < from ? from : end };
}

/**
 * The end of a window that has the account's last `entries` entries in it, and those of the same instant as the first of them. The
 * same window, if it has not more.
 */
export async function latestPeriod(
  em: EntityManager,
  accountId: AccountId,
  { from, to }: Period,
  entries: number,
): Promise<Period> {
  const [row] = await em.execute<{ created_at: Date }[]>(
    `select created_at from entry where account_id = ? and created_at >= ? and created_at < ?
     order by created_at desc, id desc limit 1 offset ?`,
    [accountId, from, to, entries - 1],
  );
  // A Date has no microseconds, so it may lie before the entry, never after it.
  return row === undefined
    ? { from, to }
    : { from: new Date(Math.max(from.getTime(), new Date(row.created_at).getTime())), to };
}

/**
 * The statement of one of the company's accounts, from one snapshot. Entries are in the order of their effects, and their
 * balances are computed from the opening balance. Throws `statement_too_large`.
 */
export async function readStatement(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  period: Period,
): Promise<Statement> {
  const rows = await em.execute<Row[]>(
    `with o as materialized (
       select coalesce(ledger_balance_before(?, ?, ?), 0) as opening, ledger_held_before(?, ?, ?) as opening_held,
         ledger_held_before(?, ?, ?) as closing_held)
     select o.opening::text as opening, o.opening_held::text as opening_held, o.closing_held::text as closing_held,
       l.id::text as id, l.transaction_id, l.amount::text as amount, l.created_at, l.type, l.reference, l.memo, l.escrow_id,
       l.withdrawal_id, l.gross::text as gross, l.fee::text as fee, l.tax::text as tax, l.counterparty_kind,
       l.counterparty_id, l.counterparty_name
     from o left join statement_lines(?, ?, ?, ?, ?) l on true
     order by l.id`,
    [
      ...[companyId, accountId, period.from],
      ...[companyId, accountId, period.from],
      ...[companyId, accountId, period.to],
      ...[companyId, accountId, period.from, period.to, MAX_STATEMENT_ENTRIES + 1],
    ],
  );
  if (rows.length > MAX_STATEMENT_ENTRIES)
    throw new Refusal(
      'statement_too_large',
      `the window has more than ${MAX_STATEMENT_ENTRIES} entries; ask for a shorter one`,
    );
  const [first] = rows;
  const base = {
    openingCents: BigInt(first?.opening ?? 0),
    openingHeldCents: BigInt(first?.opening_held ?? 0),
    closingHeldCents: BigInt(first?.closing_held ?? 0),
  };
  return statementOf(
    accountId,
    period,
    base,
    rows.flatMap((row) => (row.id === null ? [] : [lineOf(row)])),
  );
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
    counterparty: counterpartyOf(row),
    breakdown:
      gross === null || fee === null || tax === null
        ? null
        : { grossCents: BigInt(gross), feeCents: BigInt(fee), taxCents: BigInt(tax) },
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
