import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, TransactionId } from '../../domain/ids.ts';
import type { TransactionType } from '../../domain/ledger/postings.ts';
import { type Period, type Statement, statementOf } from '../../domain/ledger/statement.ts';

/** The maximum number of entries in one statement; a longer one must be requested in parts. */
export const MAX_STATEMENT_ENTRIES = 10_000;

type Row = { opening: string } & (
  | {
      id: string;
      transaction_id: TransactionId;
      amount: string;
      created_at: Date;
      type: TransactionType;
      reference: string | null;
      memo: string | null;
    }
  | { id: null }
);

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
    `with o as materialized (select coalesce(ledger_balance_before(?, ?, ?), 0) as opening)
     select o.opening::text as opening, l.id::text as id, l.transaction_id, l.amount::text as amount, l.created_at, l.type,
       l.reference, l.memo
     from o left join statement_lines(?, ?, ?, ?, ?) l on true
     order by l.id`,
    [
      ...[companyId, accountId, period.from],
      ...[companyId, accountId, period.from, period.to, MAX_STATEMENT_ENTRIES + 1],
    ],
  );
  if (rows.length > MAX_STATEMENT_ENTRIES)
    throw new Refusal(
      'statement_too_large',
      `the window has more than ${MAX_STATEMENT_ENTRIES} entries; ask for a shorter one`,
    );
  const lines = rows.flatMap((row) =>
    row.id === null
      ? []
      : [
          {
            id: row.id,
            transactionId: row.transaction_id,
            type: row.type,
            amountCents: BigInt(row.amount),
            reference: row.reference,
            memo: row.memo,
            createdAt: new Date(row.created_at),
          },
        ],
  );
  return statementOf(accountId, period, BigInt(rows[0]?.opening ?? 0), lines);
}
