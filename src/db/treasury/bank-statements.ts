import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { BankEntryId, BankStatementId, CompanyId, TransactionId } from '../../domain/ids.ts';
import {
  type BankLine,
  type BankMatchKind,
  type BankStatement,
  bankEntryPosting,
  type Cleared,
  SETTLED_ACCOUNT,
  type SettlementKind,
  settledBy,
  settledByHand,
} from '../../domain/ledger/bank-statement.ts';
import type { Currency } from '../../domain/money.ts';
import { DAY_MS } from '../../domain/time.ts';
import { violatedUnique } from '../core/constraints.ts';
import { createListReader, type Listed, type Page } from '../core/list-reader.ts';
import { cents, orNull, type RecordOf, readModel, time, value } from '../core/read-model.ts';
import { Company } from '../entities/tenancy.ts';
import { availableCents, companyAccounts } from '../ledger/own-accounts.ts';
import { postAll } from '../ledger/post-all.ts';
import { receivableAccount } from '../ledger/receivable.ts';
import { lockReceivables, recordReceivable } from './receivables.ts';

/** The bank's statements, and what their entries confirm in the books. 248-bank-statements.sql matches entries to captures and payouts. */

/** A day of the bank counts at instants after its beginning. */
const ENTRY_IS_BEFORE = `e.date::timestamp at time zone 'UTC' < ?`;
const STATEMENT_IS_BEFORE = `to_date::timestamp at time zone 'UTC' < ?`;
const OPEN = 'not exists (select from bank_match m where m.company_id = e.company_id and m.entry_id = e.id)';

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
      where e.company_id = s.company_id and e.statement_id = s.id and ${OPEN})`,
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
  joins: `left join bank_match m on m.company_id = e.company_id and m.entry_id = e.id
    left join ledger_transaction t on t.company_id = m.company_id and t.id = m.transaction_id`,
  conditions: { id: 'e.id = ?', statementId: 'e.statement_id = ?', isOpen: `(${OPEN}) = ?` },
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

async function findBankEntry(em: EntityManager, companyId: CompanyId, id: BankEntryId): Promise<BankEntryRecord> {
  const [found] = await ENTRIES.find(em, companyId, { id }, { limit: 1, offset: 0 });
  if (found === undefined) throw new Refusal('not_found', 'entry not found');
  return found;
}

export type NewBankStatement = {
  readonly id: BankStatementId;
  readonly companyId: CompanyId;
  readonly statement: BankStatement;
  /** JSON of `BankLine[]`. */
  readonly lines: string;
  readonly entries: number;
};

/** Stores a statement with the entries that are new, and matches them; in the caller's transaction. */
export async function addBankStatement(em: EntityManager, added: NewBankStatement): Promise<BankStatementRecord> {
  const { id, companyId, statement, lines, entries } = added;
  await lockBank(em, companyId);
  const { account, currency, number, from, to, openingCents, closingCents } = statement;
  const [fresh] = await em.execute<{ entries: number }[]>(
    `select count(distinct l.key)::integer as entries from jsonb_to_recordset(?::jsonb) as l(key text)
     where not exists (select from bank_entry e where e.company_id = ? and e.account = ? and e.entry_key = l.key)`,
    [lines, companyId, account],
  );
  await em.execute(
    `insert into bank_statement (id, company_id, account, currency, number, from_date, to_date, opening_cents, closing_cents,
       entries, duplicates)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[id, companyId, account, currency, number, from, to, openingCents.toString(), closingCents.toString()],
      ...[entries, entries - (fresh?.entries ?? 0)],
    ],
  );
  await em.execute(
    `insert into bank_entry (id, company_id, statement_id, account, currency, entry_key, part, direction, amount_cents, date,
       value_date, bank_reference, end_to_end_id, reference, is_reversal, search)
     select gen_random_uuid(), ?, ?, ?, ?, l.key, l.part, l.direction, l.amount, l.date, l."valueDate", l."bankReference",
       l."endToEndId", l.reference, l."isReversal", array(select jsonb_array_elements_text(l.search))
     from jsonb_to_recordset(?::jsonb) as l(key text, part integer, direction text, amount bigint, date date, "valueDate" date,
       "bankReference" text, "endToEndId" text, reference text, "isReversal" boolean, search jsonb)
     on conflict (company_id, account, entry_key, part) do nothing`,
    [companyId, id, account, currency, lines],
  );
  await settleNamed(em, companyId, id);
  await em.execute('select bank_match_statement(?, ?)', [companyId, id]);
  return findBankStatement(em, companyId, id);
}

/** Statements and matches by hand of one company take turns. Settlements are posted before other matches: they lock accounts. */
async function lockBank(em: EntityManager, companyId: CompanyId): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`bank/${companyId}`]);
}

type ToSettle = Pick<BankEntryRecord, 'id' | 'currency' | 'direction' | 'amountCents' | 'reference'>;

/** Settles the clearing accounts by the entries that name the gateway or mobile money in one of their texts. */
async function settleNamed(em: EntityManager, companyId: CompanyId, statementId: BankStatementId): Promise<void> {
  const company = await em.findOneOrFail(Company, { id: companyId });
  for (const [kind, reference] of [
    ['CARD_SETTLEMENT', company.settlementCardReference],
    ['MOBILE_SETTLEMENT', company.settlementMobileReference],
  ] as const) {
    if (reference == null) continue;
    const rows = await em.execute<(Omit<ToSettle, 'amountCents'> & { amount: string })[]>(
      `select e.id, e.currency, e.direction, e.amount_cents::text as amount, e.reference from bank_entry e
       where e.company_id = ? and e.statement_id = ? and ${OPEN}
         and exists (select from unnest(e.search) s(words) where position(lower(btrim(?)) in s.words) > 0)
       order by e.date, e.created_at, e.id`,
      [companyId, statementId, reference],
    );
    for (const { amount, ...row } of rows) {
      const entry = { ...row, amountCents: BigInt(amount) };
      const settled = await settledOf(em, companyId, kind, entry, company.settlementFeeBasisPoints);
      if (settled !== null) await book(em, companyId, kind, entry, settled);
    }
  }
}

type Settled = { readonly grossCents: bigint; readonly upTo: string | null };

/** Null: the payments on the clearing account do not explain the amount. */
async function settledOf(
  em: EntityManager,
  companyId: CompanyId,
  kind: SettlementKind,
  { currency, direction, amountCents }: ToSettle,
  maxFeeBasisPoints: number,
): Promise<Settled | null> {
  const payments = await clearedOf(em, companyId, kind, currency);
  if (direction === 'CREDIT') return settledBy(payments, amountCents, maxFeeBasisPoints);
  // The gateway takes back what was charged back, no less and no more.
  const owed = payments.map(({ entryId, amountCents: one }) => ({ entryId, amountCents: -one }));
  return settledBy(owed, amountCents, 0);
}

const MAX_CLEARED = 10_000;

/** The payments on a clearing account that no settlement has paid yet, oldest first. */
async function clearedOf(
  em: EntityManager,
  companyId: CompanyId,
  kind: SettlementKind,
  currency: Currency,
): Promise<Cleared[]> {
  const rows = await em.execute<{ id: string; amount: string }[]>(
    `select l.id::text as id, (-l.amount)::text as amount
     from account a join entry l on l.company_id = a.company_id and l.account_id = a.id
     where a.company_id = ? and a.type = ? and a.currency = ?
       and l.id > coalesce((
         select max(m.settled_up_to) from bank_match m join bank_entry e on e.company_id = m.company_id and e.id = m.entry_id
         where m.company_id = a.company_id and m.kind = ? and m.settled_up_to is not null and e.currency = a.currency), 0)
       and not exists (
         select from bank_match m where m.company_id = l.company_id and m.transaction_id = l.transaction_id)
     order by l.id limit ?`,
    [companyId, SETTLED_ACCOUNT[kind], currency, kind, MAX_CLEARED],
  );
  return rows.map(({ id, amount }) => ({ entryId: id, amountCents: BigInt(amount) }));
}

/** Posts a settlement or a fee, and matches the entry with it. A fee that COMPANY cannot pay becomes a receivable. */
async function book(
  em: EntityManager,
  companyId: CompanyId,
  kind: SettlementKind | 'FEE',
  entry: ToSettle,
  settled: Settled | null,
): Promise<void> {
  const { id: entryId, currency, direction, amountCents: netCents, reference } = entry;
  const costCents =
    settled === null
      ? direction === 'DEBIT'
        ? netCents
        : 0n
      : direction === 'CREDIT'
        ? settled.grossCents - netCents
        : 0n;
  if (costCents > 0n) await lockReceivables(em, companyId);
  const own = await companyAccounts(em, companyId, ['BANK', 'COMPANY', 'CLEARING_CARD', 'CLEARING_MOBILE'], currency);
  const coveredCents = costCents > 0n ? await availableCents(em, companyId, own.COMPANY) : 0n;
  const owedCents = costCents > coveredCents ? costCents - coveredCents : 0n;
  const receivableAccountId = owedCents === 0n ? null : await receivableAccount(em, companyId, currency);
  const posting = bankEntryPosting({
    ...{ companyId, entryId, direction, netCents, currency, reference },
    bankAccountId: own.BANK,
    companyAccountId: own.COMPANY,
    settled:
      settled === null || kind === 'FEE'
        ? null
        : { clearingAccountId: own[SETTLED_ACCOUNT[kind]], grossCents: settled.grossCents },
    owed: receivableAccountId === null ? null : { receivableAccountId, amountCents: owedCents },
  });
  await postAll(em, [posting]);
  if (owedCents > 0n)
    await recordReceivable(em, {
      ...{ receivableId: posting.transactionId, companyId, accountId: own.COMPANY, currency },
      ...{ reason: 'FEE', amountCents: owedCents, depositId: null, escrowId: null },
    });
  await insertMatch(em, companyId, entryId, kind, posting.transactionId, settled?.upTo ?? null);
}

async function insertMatch(
  em: EntityManager,
  companyId: CompanyId,
  entryId: BankEntryId,
  kind: BankMatchKind,
  transactionId: TransactionId,
  upTo: string | null = null,
): Promise<void> {
  await em.execute(
    'insert into bank_match (entry_id, company_id, kind, transaction_id, settled_up_to) values (?, ?, ?, ?, ?)',
    [entryId, companyId, kind, transactionId, upTo],
  );
}

export type MatchRequest = {
  readonly companyId: CompanyId;
  readonly entryId: BankEntryId;
} & ({ readonly kind: 'CAPTURE' | 'PAYOUT'; readonly id: TransactionId } | { readonly kind: SettlementKind | 'FEE' });

/**
 * Matches an open entry by hand, in the caller's transaction. Throws `not_found`, and `wrong_state` if the entry is matched, or if
 * no open movement of that capture or payout has its direction, amount and currency.
 */
export async function matchBankEntry(em: EntityManager, request: MatchRequest): Promise<BankEntryRecord> {
  const { companyId, entryId, kind } = request;
  await lockBank(em, companyId);
  const entry = await findBankEntry(em, companyId, entryId);
  if (entry.match !== null) throw new Refusal('wrong_state', 'the entry is matched');
  try {
    if (kind === 'CAPTURE' || kind === 'PAYOUT')
      await insertMatch(em, companyId, entryId, kind, await movementOf(em, entry, request));
    else if (kind === 'FEE') await book(em, companyId, kind, entry, null);
    else {
      const upTo = settledByHand(await clearedOf(em, companyId, kind, entry.currency), entry.amountCents);
      await book(em, companyId, kind, entry, { grossCents: entry.amountCents, upTo });
    }
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error;
    throw new Refusal('wrong_state', 'the entry was matched meanwhile');
  }
  return findBankEntry(em, companyId, entryId);
}

/** The transaction of a capture or a payout that moved the entry's money on BANK, and that no entry confirms yet. */
async function movementOf(
  em: EntityManager,
  { direction, amountCents, currency }: BankEntryRecord,
  { companyId, kind, id }: Extract<MatchRequest, { kind: 'CAPTURE' | 'PAYOUT' }>,
): Promise<TransactionId> {
  const signed = direction === 'CREDIT' ? -amountCents : amountCents;
  const named =
    kind === 'CAPTURE'
      ? 'select c.id from bank_capture c where c.company_id = ? and c.id = ?'
      : `select (v.data ->> 'transactionId')::uuid from withdrawal_event v where v.company_id = ? and v.withdrawal_id = ?`;
  const [found] = await em.execute<{ id: TransactionId }[]>(
    `select t.id from ledger_transaction t
       join entry l on l.company_id = t.company_id and l.transaction_id = t.id
       join account a on a.company_id = l.company_id and a.id = l.account_id and a.type = 'BANK'
     where t.company_id = ? and t.currency = ? and t.id in (${named}) and l.amount = ?
       and not exists (select from bank_match m where m.company_id = t.company_id and m.transaction_id = t.id)
     order by t.position limit 1`,
    [companyId, currency, companyId, id, signed.toString()],
  );
  if (found === undefined)
    throw new Refusal(
      'wrong_state',
      `no open ${kind === 'CAPTURE' ? 'capture' : 'payout'} has this id, direction and amount`,
    );
  return found.id;
}

// Reconciliation

export type BankPosition = {
  readonly account: string | null;
  readonly currency: Currency;
  readonly bankCents: bigint;
  readonly bookCents: bigint;
};

export type OpenItem = {
  readonly side: 'BANK' | 'BOOKS';
  readonly kind: string;
  readonly id: string;
  readonly direction: BankLine['direction'];
  readonly reference: string | null;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly date: string;
  readonly ageDays: number;
};

export type Reconciliation = {
  readonly accounts: readonly BankPosition[];
  readonly open: readonly OpenItem[];
  readonly clearing: readonly { readonly type: string; readonly currency: Currency; readonly cents: bigint }[];
};

/** Open items of one reconciliation; more are counted in the accounts' differences, and not listed. */
const MAX_OPEN_ITEMS = 10_000;

/**
 * Compares the bank's statements with the books at an instant: statements and entries of days before it, and what was posted
 * before it. The difference of all accounts of a currency equals the sum of its open items: on the side of the bank, entries
 * without a movement in the books by then, and a balance that no entry explains; on the side of the books, movements on BANK that
 * no entry confirms by then.
 */
export async function readReconciliation(em: EntityManager, companyId: CompanyId, at: Date): Promise<Reconciliation> {
  const banks = await em.execute<
    { account: string; currency: Currency; bank: string; moved: string; id: string; to: string }[]
  >(
    `select s.account, s.currency, s.closing_cents::text as bank, s.id, s.to_date::text as to,
       coalesce((select sum(case e.direction when 'CREDIT' then e.amount_cents else -e.amount_cents end) from bank_entry e
         where e.company_id = s.company_id and e.account = s.account and e.currency = s.currency and ${ENTRY_IS_BEFORE}), 0)::text as moved
     from (
       select distinct on (account, currency) * from bank_statement
       where company_id = ? and ${STATEMENT_IS_BEFORE} order by account, currency, to_date desc, created_at desc
     ) s order by s.currency, s.account`,
    [at, companyId, at],
  );
  const books = await em.execute<{ type: string; currency: Currency; cents: string }[]>(
    `select a.type, a.currency, (-coalesce(ledger_balance_before(a.company_id, a.id, ?), 0))::text as cents from account a
     where a.company_id = ? and (a.type = 'BANK' or a.type like 'CLEARING%') order by a.currency, a.type`,
    [at, companyId],
  );
  const rows = await em.execute<
    (Omit<OpenItem, 'amountCents' | 'ageDays'> & { amount: string; age: number; posted: Date })[]
  >(`select * from (${OPEN_AT_THE_BANK} union all ${OPEN_IN_THE_BOOKS}) o order by o.date, o.posted, o.id limit ?`, [
    ...[at, companyId, at, at],
    ...[at, companyId, at, at],
    MAX_OPEN_ITEMS,
  ]);
  const items = rows.map(
    ({ amount, age, posted: _posted, ...row }): OpenItem => ({ ...row, amountCents: BigInt(amount), ageDays: age }),
  );
  const accounts = books
    .filter(({ type }) => type === 'BANK')
    .flatMap(({ currency, cents: book }): BankPosition[] => {
      const own = banks.filter((one) => one.currency === currency);
      const bankCents = own.reduce((sum, { bank }) => sum + BigInt(bank), 0n);
      if (own.length === 0 && BigInt(book) === 0n) return [];
      // The books have one BANK account in a currency, whatever accounts the company has at banks.
      const account = own.length === 0 ? null : own.map((one) => one.account).join(', ');
      return [{ account, currency, bankCents, bookCents: BigInt(book) }];
    });
  return {
    accounts,
    open: [...banks.flatMap((bank) => unexplained(bank, at)), ...items],
    clearing: books
      .filter(({ type }) => type !== 'BANK')
      .map(({ type, currency, cents: left }) => ({ type, currency, cents: BigInt(left) })),
  };
}

/** The balance at the bank that its entries do not explain: from before the first statement, or of a statement that is missing. */
function unexplained(
  {
    bank,
    moved,
    currency,
    id,
    account,
    to,
  }: { bank: string; moved: string; currency: Currency; id: string; account: string; to: string },
  at: Date,
): OpenItem[] {
  const restCents = BigInt(bank) - BigInt(moved);
  if (restCents === 0n) return [];
  return [
    {
      ...{ side: 'BANK', kind: 'BALANCE', id, reference: account, currency, date: to },
      direction: restCents > 0n ? 'CREDIT' : 'DEBIT',
      amountCents: restCents > 0n ? restCents : -restCents,
      ageDays: Math.floor((at.getTime() - Date.parse(to)) / DAY_MS),
    },
  ];
}

/** Values: the instant, the company, the instant twice. */
const OPEN_AT_THE_BANK = `
  select 'BANK' as side, case when e.is_reversal then 'REVERSAL' else 'ENTRY' end as kind, e.id::text as id, e.direction,
    coalesce(e.reference, e.end_to_end_id, e.bank_reference) as reference, e.amount_cents::text as amount, e.currency,
    e.date::text as date, floor(extract(epoch from ?::timestamptz - e.date::timestamp at time zone 'UTC') / 86400)::integer as age, e.created_at as posted
  from bank_entry e
  left join bank_match m on m.company_id = e.company_id and m.entry_id = e.id
  left join ledger_transaction t on t.company_id = m.company_id and t.id = m.transaction_id
  where e.company_id = ? and ${ENTRY_IS_BEFORE} and (m.entry_id is null or t.created_at >= ?)`;

/** The same. */
const OPEN_IN_THE_BOOKS = `
  select 'BOOKS', case when t.type = 'BANK_CAPTURE' then 'CAPTURE' when t.key like 'withdrawal/%' then 'PAYOUT'
      when t.key like 'intercompany/%' then 'INTERCOMPANY' when t.type = 'REVERSAL' then 'REVERSAL'
      when m.kind is not null then m.kind else 'OTHER' end,
    shown_transaction(t.id, t.key)::text, case when l.amount < 0 then 'CREDIT' else 'DEBIT' end,
    coalesce(t.reference, (select w.external_reference from withdrawal w where w.company_id = t.company_id and w.id = withdrawal_of_key(t.key))),
    abs(l.amount)::text, l.currency, (l.created_at at time zone 'UTC')::date::text, floor(extract(epoch from ?::timestamptz - l.created_at) / 86400)::integer, l.created_at
  from account a
  join entry l on l.company_id = a.company_id and l.account_id = a.id
  join ledger_transaction t on t.company_id = l.company_id and t.id = l.transaction_id
  left join bank_match m on m.company_id = l.company_id and m.transaction_id = l.transaction_id
  left join bank_entry e on e.company_id = m.company_id and e.id = m.entry_id
  where a.company_id = ? and a.type = 'BANK' and l.created_at < ?
    and (m.entry_id is null or not (${ENTRY_IS_BEFORE}))`;
