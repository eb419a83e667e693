import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { BankEntryId, BankStatementId, CompanyId, TransactionId } from '../../domain/ids.ts';
import type { BankLine, BankMatchKind, BankStatement } from '../../domain/ledger/bank-statement.ts';
import type { Currency } from '../../domain/money.ts';
import { createListReader, type Listed, type Page } from '../core/list-reader.ts';
import { cents, looked, orNull, type RecordOf, readModel, time, value } from '../core/read-model.ts';

/** The bank's statements and their entries. */

/** An entry `e` that nothing in the books explains yet. `offset 0` keeps this a look into an index for each entry. */
export const IS_OPEN =
  'not exists (select from bank_match m where m.company_id = e.company_id and m.entry_id = e.id offset 0)';

const STATEMENT = readModel({
  id: value<BankStatementId>('s.id'),
  account: value<string>('s.account'),
  currency: value<Currency>('s.currency'),
  number: value<string>('s.number'),
  from: value<string>('s.from_date::text'),
  to: value<string>('s.to_date::text'),
  openingCents: cents('s.opening_cents'),
  closingCents: cents('s.closing_cents'),
  entries: value<number>('s.entries'),
  duplicates: value<number>('s.duplicates'),
  /** Entries of which a part is not matched. */
  open: value<number>(
    `(select count(distinct e.entry_key)::integer from bank_entry e
      where e.company_id = s.company_id and e.statement_id = s.id and ${IS_OPEN})`,
  ),
  createdAt: time('s.created_at'),
});
export type BankStatementRecord = RecordOf<typeof STATEMENT>;

type StatementFilter = { readonly id?: BankStatementId | undefined; readonly account?: string | undefined };
export const BANK_STATEMENT_SORTS = { createdAt: { column: 's.created_at', kind: 'time' } } as const;

const STATEMENTS = createListReader<StatementFilter, BankStatementRecord, keyof typeof BANK_STATEMENT_SORTS>({
  table: 'bank_statement',
  alias: 's',
  ...STATEMENT,
  conditions: { id: 's.id = ?', account: 's.account = ?' },
  sorts: BANK_STATEMENT_SORTS,
  defaultOrder: { by: 'createdAt', isDescending: true },
});
export const { list: listBankStatements } = STATEMENTS;

/** Throws `not_found`. */
export async function findBankStatement(
  em: EntityManager,
  companyId: CompanyId,
  id: BankStatementId,
): Promise<BankStatementRecord> {
  const [found] = await STATEMENTS.find(em, companyId, { id }, { limit: 1, offset: 0 });
  if (found === undefined) throw new Refusal('not_found', 'statement not found');
  return found;
}

const ENTRY = readModel({
  id: value<BankEntryId>('e.id'),
  statementId: value<BankStatementId>('e.statement_id'),
  account: value<string>('e.account'),
  currency: value<Currency>('e.currency'),
  direction: value<BankLine['direction']>('e.direction'),
  amountCents: cents('e.amount_cents'),
  date: value<string>('e.date::text'),
  valueDate: value<string | null>('e.value_date::text'),
  bankReference: value<string | null>('e.bank_reference'),
  endToEndId: value<string | null>('e.end_to_end_id'),
  reference: value<string | null>('e.reference'),
  isReversal: value<boolean>('e.is_reversal'),
  match: orNull(value<BankMatchKind>('m.kind')),
  /** As clients know it: of a payout, the withdrawal's. */
  matchedId: value<TransactionId | null>('shown_transaction(t.id, t.key)'),
  matchedAt: orNull(time('m.created_at')),
});
export type BankEntryRecord = RecordOf<typeof ENTRY>;

type EntryFilter = {
  readonly id?: BankEntryId | undefined;
  readonly statementId?: BankStatementId | undefined;
  readonly isOpen?: boolean | undefined;
};
const ENTRIES = createListReader<EntryFilter, BankEntryRecord, 'createdAt'>({
  table: 'bank_entry',
  alias: 'e',
  ...ENTRY,
  joins: `${looked('left join', 'bank_match', 'm', 'm.company_id = e.company_id and m.entry_id = e.id')}
    ${looked('left join', 'ledger_transaction', 't', 't.company_id = m.company_id and t.id = m.transaction_id')}`,
  conditions: { id: 'e.id = ?', statementId: 'e.statement_id = ?', isOpen: `(${IS_OPEN}) = ?` },
  sorts: { createdAt: { column: 'e.created_at', kind: 'time' } },
  defaultOrder: { by: 'createdAt', isDescending: false },
});

export function listBankEntries(
  em: EntityManager,
  companyId: CompanyId,
  filter: EntryFilter,
  page: Page<'createdAt'>,
): Promise<Listed<BankEntryRecord>> {
  return ENTRIES.list(em, companyId, filter, page);
}

/** Throws `not_found`. */
export async function findBankEntry(
  em: EntityManager,
  companyId: CompanyId,
  id: BankEntryId,
): Promise<BankEntryRecord> {
  const [found] = await ENTRIES.find(em, companyId, { id }, { limit: 1, offset: 0 });
  if (found === undefined) throw new Refusal('not_found', 'entry not found');
  return found;
}

export type NewBankStatement = {
  readonly id: BankStatementId;
  readonly companyId: CompanyId;
  readonly statement: BankStatement;
  /** JSON of the keys of the entries, each once, in parts. */
  readonly keys: readonly Uint8Array[];
  /** JSON of `BankLine[]`, in parts. */
  readonly lines: readonly Uint8Array[];
  readonly entries: number;
};

const utf8 = new TextDecoder();

/** Whether a `line` has the key of no entry of another statement. Hashed, because PostgreSQL may have no statistics of new entries. */
const IS_NEW = `key not in (
  select e.entry_key from bank_entry e
  where e.company_id = ? and e.account = ? and e.entry_key = any(array(select key from line)) and e.statement_id <> ?)`;

/** Stores a statement with the entries that are new; in the caller's transaction, which has the lock of the bank. */
export async function storeBankStatement(em: EntityManager, added: NewBankStatement): Promise<void> {
  const { id, companyId, statement, keys, lines, entries } = added;
  const { account, currency, number, from, to, openingCents, closingCents } = statement;
  let fresh = 0;
  for (const part of keys) {
    const [row] = await em.execute<{ entries: number }[]>(
      `with line as materialized (select key from jsonb_array_elements_text(?::jsonb) as l(key))
       select count(*)::integer as entries from line where ${IS_NEW}`,
      [utf8.decode(part), companyId, account, id],
    );
    fresh += row?.entries ?? 0;
  }
  await em.execute(
    `insert into bank_statement (id, company_id, account, currency, number, from_date, to_date, opening_cents, closing_cents,
       entries, duplicates)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[id, companyId, account, currency, number, from, to, openingCents.toString(), closingCents.toString()],
      ...[entries, entries - fresh],
    ],
  );
  for (const part of lines)
    await em.execute(
      `with line as materialized (
         select l.*
         from rows from (jsonb_to_recordset(?::jsonb) as (key text, part integer, direction text, amount bigint, date date,
           "valueDate" date, "bankReference" text, "endToEndId" text, reference text, "isReversal" boolean, search jsonb))
           with ordinality as l(key, part, direction, amount, date, value_date, bank_reference, end_to_end_id, reference, is_reversal,
             search, place)
       )
       insert into bank_entry (id, company_id, statement_id, account, currency, entry_key, part, direction, amount_cents, date,
         value_date, bank_reference, end_to_end_id, reference, is_reversal, search)
       select gen_random_uuid(), ?, ?, ?, ?, key, part, direction, amount, date, value_date, bank_reference,
         end_to_end_id, reference, is_reversal, array(select jsonb_array_elements_text(search))
       from line
       -- All parts or none: the bank may state the payments of a batch in one of its files only.
       where ${IS_NEW}
       order by place -- entries have the order of the file
       on conflict (company_id, account, entry_key, part) do nothing`,
      [utf8.decode(part), companyId, id, account, currency, companyId, account, id],
    );
}
