import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import type { BankLine } from '../../domain/ledger/bank-statement.ts';
import type { Currency } from '../../domain/money.ts';
import { mapInTurns } from '../../turns/turns.ts';

/** The bank beside the books at an instant: their balances, and what only one of them has. */

type BankPosition = {
  readonly account: string | null;
  readonly currency: Currency;
  readonly bankCents: bigint;
  readonly bookCents: bigint;
};

type OpenItem = {
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

/** All open items of a side in a currency, whatever page of them was read. */
type OpenTotal = {
  readonly currency: Currency;
  readonly side: OpenItem['side'];
  readonly count: number;
  /** Credits less debits. */
  readonly cents: bigint;
};

export type Reconciliation = {
  readonly accounts: readonly BankPosition[];
  /** A page of them, oldest first. */
  readonly open: readonly OpenItem[];
  readonly totals: readonly OpenTotal[];
  readonly clearing: readonly { readonly type: string; readonly currency: Currency; readonly cents: bigint }[];
};

type Bank = { readonly account: string; readonly currency: Currency; readonly bank: string };
type Book = { readonly type: string; readonly currency: Currency; readonly cents: string };
type Item = Omit<OpenItem, 'amountCents' | 'ageDays'> & { readonly amount: string; readonly age: number };
type Total = Omit<OpenTotal, 'cents'> & { readonly cents: string };

/**
 * Compares the bank's statements with the books at an instant: statements of days that began before it, the entries until their
 * ends, and what was posted before it. Days are those of the company's zone. The difference of all accounts of a currency equals the
 * sum of its open items: on the side of the bank, entries without a movement in the books by then, and a balance that no entry
 * explains; on the side of the books, movements on BANK that no entry confirms by then.
 */
export async function readReconciliation(
  em: EntityManager,
  companyId: CompanyId,
  at: Date,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Reconciliation> {
  const [found] = await em.execute<{ banks: Bank[]; books: Book[]; items: string; totals: Total[] }[]>(RECONCILIATION, [
    ...[at, companyId, limit, offset],
  ]);
  if (found === undefined) throw new Error('the reconciliation was not read');
  const { banks, books, items, totals } = found;
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
    open: await mapInTurns(items === '' ? [] : items.split('\n'), (json) => {
      const { amount, age, ...item }: Item = JSON.parse(json);
      return { ...item, amountCents: BigInt(amount), ageDays: age };
    }),
    totals: totals.map(({ cents: sum, ...total }) => ({ ...total, cents: BigInt(sum) })),
    clearing: books
      .filter(({ type }) => type !== 'BANK')
      .map(({ type, currency, cents: left }) => ({ type, currency, cents: BigInt(left) })),
  };
}

/** One statement, so that nothing changes between its parts. Values: the instant, the company, the page of the items. */
export const RECONCILIATION = `
  with asked as materialized (
    select ?::timestamptz as at, c.id as company_id, c.time_zone as zone from company c where c.id = ?
  ), latest as materialized (
    select distinct on (s.account, s.currency) s.*, s.to_date::timestamp at time zone asked.zone as began
    from asked join bank_statement s on s.company_id = asked.company_id
    where s.to_date::timestamp at time zone asked.zone < asked.at
    order by s.account, s.currency, s.to_date desc, s.created_at desc
  ), counted as materialized (
    select e.*, e.date::timestamp at time zone asked.zone as began
    from asked cross join latest s
    join bank_entry e on e.company_id = s.company_id and e.account = s.account and e.currency = s.currency and e.date <= s.to_date
  ), item as (
    select 'BANK' as side, case when e.is_reversal then 'REVERSAL' else 'ENTRY' end as kind, e.id, e.direction,
      coalesce(e.reference, e.end_to_end_id, e.bank_reference) as reference, e.amount_cents::numeric as amount, e.currency,
      e.date, floor(extract(epoch from asked.at - e.began) / 86400)::integer as age, e.created_at as posted
    from asked cross join counted e
    -- Hashed whatever statistics the planner has: a file may have been read just now.
    where e.id not in (
      select m.entry_id from asked join bank_match m on m.company_id = asked.company_id
      where m.transaction_id not in (
        select l.transaction_id from asked join account a on a.company_id = asked.company_id and a.type = 'BANK'
          join entry l on l.company_id = a.company_id and l.account_id = a.id
        where l.created_at >= asked.at))
    union all
    -- What the entries do not explain: from before the first statement, or of a statement that is missing.
    select 'BANK', 'BALANCE', b.id, case when b.rest > 0 then 'CREDIT' else 'DEBIT' end, b.account, abs(b.rest), b.currency,
      b.to_date, floor(extract(epoch from asked.at - b.began) / 86400)::integer, b.created_at
    from asked cross join (
      select s.*, s.closing_cents - coalesce((
        select sum(case e.direction when 'CREDIT' then e.amount_cents else -e.amount_cents end) from counted e
        where e.account = s.account and e.currency = s.currency), 0) as rest
      from latest s) b
    where b.rest <> 0
    union all
    select 'BOOKS', case when t.type = 'BANK_CAPTURE' then 'CAPTURE' when t.key like 'withdrawal/%' then 'PAYOUT'
        when t.key like 'intercompany/%' then 'INTERCOMPANY' when t.type = 'REVERSAL' then 'REVERSAL'
        when m.kind is not null then m.kind else 'OTHER' end,
      shown_transaction(t.id, t.key), case when l.amount < 0 then 'CREDIT' else 'DEBIT' end,
      coalesce(t.reference, (
        select w.external_reference from withdrawal w where w.company_id = t.company_id and w.id = withdrawal_of_key(t.key))),
      abs(l.amount), l.currency, (l.created_at at time zone 'UTC')::date,
      floor(extract(epoch from asked.at - l.created_at) / 86400)::integer, l.created_at
    from asked
    join account a on a.company_id = asked.company_id and a.type = 'BANK'
    join entry l on l.company_id = a.company_id and l.account_id = a.id
    join ledger_transaction t on t.company_id = l.company_id and t.id = l.transaction_id
    left join bank_match m on m.company_id = l.company_id and m.transaction_id = l.transaction_id
    where l.created_at < asked.at and (m.entry_id is null or not exists (
      select from bank_entry e join latest s on s.account = e.account and s.currency = e.currency and e.date <= s.to_date
      where e.company_id = m.company_id and e.id = m.entry_id))
  )
  select coalesce((
      select json_agg(json_build_object('account', s.account, 'currency', s.currency, 'bank', s.closing_cents::text)
        order by s.currency, s.account)
      from latest s), '[]') as banks,
    coalesce((
      select json_agg(json_build_object('type', a.type, 'currency', a.currency,
        'cents', (-b.balance)::text) order by a.currency, a.type)
      from ledger_balance_before(asked.company_id, array(
        select a.id from account a where a.company_id = asked.company_id and (a.type = 'BANK' or a.type like 'CLEARING%')), asked.at) b
      join account a on a.company_id = asked.company_id and a.id = b.account_id), '[]') as books,
    coalesce((
      -- A line for each, because thousands of them are not parsed in one turn of the event loop.
      select string_agg(json_build_object('side', o.side, 'kind', o.kind, 'id', o.id, 'direction', o.direction,
        'reference', o.reference, 'amount', o.amount::text, 'currency', o.currency, 'date', o.date::text, 'age', o.age)::text, chr(10)
        order by o.date, o.posted, o.id)
      from (select * from item order by date, posted, id limit ? offset ?) o), '') as items,
    coalesce((
      select json_agg(json_build_object('currency', o.currency, 'side', o.side, 'count', o.count, 'cents', o.cents::text)
        order by o.currency, o.side)
      from (select currency, side, count(*)::integer as count,
          sum(case direction when 'CREDIT' then amount else -amount end) as cents
        from item group by currency, side) o), '[]') as totals
  from asked`;
