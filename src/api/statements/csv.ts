import { csvOf, spreadsheetText } from '../../csv/csv.ts';
import { directionOf, type StatementEntry } from '../../domain/ledger/statement.ts';
import type { Currency } from '../../domain/money.ts';
import { mapInTurns } from '../../turns/turns.ts';
import { type EntryPages, lastInstant, publicIdsOf, type StatementHead } from './document.ts';

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
  'held_cents',
  'counterparty_kind',
  'counterparty_id',
  'counterparty_name',
  'gross_cents',
  'fee_cents',
  'tax_cents',
  'escrow_id',
  'withdrawal_id',
  'end_to_end_id',
] as const;
type Line = { readonly [Column in (typeof COLUMNS)[number]]?: string };

export const csvStatement = (head: StatementHead, pages: EntryPages): ReadableStream =>
  csvOf(linePages(head, pages), COLUMNS);

async function* linePages({ statement, account }: StatementHead, pages: EntryPages): AsyncGenerator<Line[]> {
  const { currency } = account;
  const closesAt = lastInstant(statement).toISOString();
  const total = (record: string, cents: bigint): Line => ({
    record,
    created_at: closesAt,
    amount_cents: cents.toString(),
    currency,
  });
  yield [
    {
      record: 'OPENING_BALANCE',
      created_at: statement.from.toISOString(),
      balance_after_cents: statement.openingCents.toString(),
      currency,
      held_cents: statement.openingHeldCents.toString(),
    },
  ];
  for await (const page of pages) yield await mapInTurns(page, (entry) => entryLine(entry, currency));
  yield [
    total('TOTAL_CREDITS', statement.totalCreditsCents),
    total('TOTAL_DEBITS', statement.totalDebitsCents),
    {
      record: 'CLOSING_BALANCE',
      created_at: closesAt,
      balance_after_cents: statement.closingCents.toString(),
      currency,
      held_cents: statement.closingHeldCents.toString(),
    },
  ];
}

function entryLine(entry: StatementEntry, currency: Currency): Line {
  const { counterparty, breakdown } = entry;
  const ids = publicIdsOf(entry);
  return {
    record: 'ENTRY',
    created_at: entry.createdAt.toISOString(),
    entry_id: entry.id,
    transaction_id: ids.transactionId,
    type: entry.type,
    direction: directionOf(entry),
    amount_cents: (entry.amountCents < 0n ? -entry.amountCents : entry.amountCents).toString(),
    balance_after_cents: entry.balanceAfterCents.toString(),
    currency,
    reference: spreadsheetText(entry.reference ?? ''),
    description: spreadsheetText(entry.description),
    counterparty_kind: counterparty?.kind ?? '',
    counterparty_id: ids.counterpartyId ?? '',
    counterparty_name: spreadsheetText(counterparty?.name ?? ''),
    gross_cents: breakdown?.grossCents.toString() ?? '',
    fee_cents: breakdown?.feeCents.toString() ?? '',
    tax_cents: breakdown?.taxCents.toString() ?? '',
    escrow_id: ids.escrowId ?? '',
    withdrawal_id: ids.withdrawalId ?? '',
    end_to_end_id: ids.endToEndId ?? '',
  };
}
