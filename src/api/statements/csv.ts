import { csvOf, spreadsheetText } from '../../csv/csv.ts';
import { publicId } from '../../domain/ids.ts';
import { directionOf } from '../../domain/ledger/statement.ts';
import { lastInstant, type StatementDocument } from './document.ts';

/** RFC 4180. Amounts are integer cents, as everywhere in the interface; `record` is the type of a line. */
const COLUMNS = [
  'record',
  'created_at',
  'entry_id',
  'transaction_id',
  'type',
  'direction',
  'amount_cents',
  'balance_after_cents',
  'currency',
  'reference',
  'description',
] as const;
type Line = { readonly [Column in (typeof COLUMNS)[number]]?: string };

export const csvStatement = (document: StatementDocument): ReadableStream => csvOf(lines(document), COLUMNS);

function* lines({ statement, account }: StatementDocument): Generator<Line> {
  const { currency } = account;
  const closesAt = lastInstant(statement).toISOString();
  yield {
    record: 'OPENING_BALANCE',
    created_at: statement.from.toISOString(),
    balance_after_cents: statement.openingCents.toString(),
    currency,
  };
  for (const entry of statement.entries) {
    yield {
      record: 'ENTRY',
      created_at: entry.createdAt.toISOString(),
      entry_id: entry.id,
      transaction_id: publicId('transaction', entry.transactionId),
      type: entry.type,
      direction: directionOf(entry),
      amount_cents: (entry.amountCents < 0n ? -entry.amountCents : entry.amountCents).toString(),
      balance_after_cents: entry.balanceAfterCents.toString(),
      currency,
      reference: spreadsheetText(entry.reference ?? ''),
      description: spreadsheetText(entry.description),
    };
  }
  yield {
    record: 'TOTAL_CREDITS',
    created_at: closesAt,
    amount_cents: statement.totalCreditsCents.toString(),
    currency,
  };
  yield { record: 'TOTAL_DEBITS', created_at: closesAt, amount_cents: statement.totalDebitsCents.toString(), currency };
  yield {
    record: 'CLOSING_BALANCE',
    created_at: closesAt,
    balance_after_cents: statement.closingCents.toString(),
    currency,
  };
}
