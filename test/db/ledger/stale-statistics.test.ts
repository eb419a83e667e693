import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTenant } from '../../../src/db/core/orm.ts';
import { listLedgerTransactions } from '../../../src/db/ledger/transactions.ts';
import { listBankEntries } from '../../../src/db/treasury/bank-statements.ts';
import type { LedgerId } from '../../../src/domain/ids.ts';
import { addCompany, type Books, openBooks, type TestCompany } from './books.ts';

/** Reads of a company that has grown since the statistics were collected. No read may look at all of its rows for each row of the answer. */

const ROWS = 20_000;
const MATCHES = 5_000;
const CALLS = 200;
const LIMIT_MS = 1_000;

let books: Books;
let company: TestCompany;

beforeAll(async () => {
  books = await openBooks();
  company = await addCompany(books.owner.em.fork(), { users: 1 });
  await books.owner.em.fork().execute('analyze');
});
afterAll(() => books.close());

test('a page of payouts looks up their settlements', async () => {
  const em = books.owner.em.fork();
  await em.execute(
    `insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash)
     select uuidv7(), ?, case when n > 100 then 'DEPOSIT' else 'WITHDRAWAL' end, 'COMPLETED', 'COMPLETED', 1, 'USD', 'test/' || n, '\\x'
     from generate_series(1, ?) n`,
    [company.id, ROWS],
  );
  const [{ id } = { id: '' as LedgerId }] = await em.execute<{ id: LedgerId }[]>(
    'select ledger_id as id from account where company_id = ? and id = ?',
    [company.id, company.user(0)],
  );
  await em.execute(
    `insert into ledger_activity (ledger_id, company_id, type, created_at, transaction_id)
     select ?, company_id, type, created_at, id from ledger_transaction where company_id = ? and type = 'WITHDRAWAL'`,
    [id, company.id],
  );
  await em.execute('update seal_progress set final_position = (select max(position) from ledger_transaction)');
  const startedAt = performance.now();
  const { records } = await inTenant(books.api, company.id, (tenant) =>
    listLedgerTransactions(tenant, company.id, id, {}, { limit: 100, offset: 0 }),
  );
  expect(records).toHaveLength(100);
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

test('the lines of a statement look up the other side of their transactions', async () => {
  const em = books.owner.em.fork();
  await em.execute(
    `insert into entry (transaction_id, account_id, company_id, amount, currency, balance_after, created_at)
     select t.id, leg.account, t.company_id, leg.amount, t.currency, 0, t.created_at
     from ledger_transaction t cross join (values (?::uuid, -1), (?::uuid, 1)) leg(account, amount)
     where t.company_id = ? and t.type = 'DEPOSIT'`,
    [company.account('BANK'), company.user(0), company.id],
  );
  const startedAt = performance.now();
  const lines = await em.execute(
    `select l.counterparty_kind from statement_lines(?, ?, array(select id from entry where account_id = ? order by id limit 1000)) l`,
    [company.id, company.user(0), company.user(0)],
  );
  expect(lines).toHaveLength(1_000);
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

test('a page of bank entries looks up their matches', async () => {
  const em = books.owner.em.fork();
  await em.execute(
    `with statement as (
       insert into bank_statement (id, company_id, account, currency, number, from_date, to_date, opening_cents, closing_cents, entries, duplicates)
       values (uuidv7(), ?, 'A', 'USD', '1', '2026-01-01', '2026-01-01', 0, 0, 1, 0) returning id
     )
     insert into bank_entry (id, company_id, statement_id, account, currency, entry_key, part, direction, amount_cents, date, is_reversal, search)
     select uuidv7(), ?, id, 'A', 'USD', n::text, 1, 'CREDIT', 1, '2026-01-01', false, '{}' from statement, generate_series(1, ?) n`,
    [company.id, company.id, MATCHES],
  );
  await em.execute(
    `insert into bank_match (entry_id, company_id, kind, transaction_id)
     select e.id, ?, 'CAPTURE', t.id
     from (select id, row_number() over () as n from bank_entry where company_id = ?) e
     join (select id, row_number() over () as n from ledger_transaction where company_id = ?) t using (n)`,
    [company.id, company.id, company.id],
  );
  const startedAt = performance.now();
  const { records } = await inTenant(books.api, company.id, (tenant) =>
    listBankEntries(tenant, company.id, {}, { limit: 1_000, offset: 0 }),
  );
  expect(records.filter(({ match }) => match === 'CAPTURE')).toHaveLength(1_000);
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

test('what is held on many accounts is added up', async () => {
  const em = books.owner.em.fork();
  await em.execute(
    `insert into hold_change (transaction_id, hold_id, account_id, company_id, kind, amount_cents)
     select gen_random_uuid(), gen_random_uuid(), md5((n / 2)::text)::uuid, ?, 'place', 1 from generate_series(1, ?) n`,
    [company.id, ROWS],
  );
  const startedAt = performance.now();
  const held = await em.execute(
    `select sum(h.held)::integer as cents
     from ledger_held_before(?, array(select distinct account_id from hold_change where company_id = ?), clock_timestamp()) h`,
    [company.id, company.id],
  );
  expect(held).toEqual([{ cents: ROWS }]);
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

test('requests that end together find their keys among those of a busy hour', async () => {
  const em = books.owner.em.fork();
  const claim = (count: number, isAnswered: boolean) =>
    em.execute(
      `insert into idempotency (company_id, operation, key, fingerprint, command_id, locked_until, expires_at, response_status)
       select ?, 'test', gen_random_uuid(), '', gen_random_uuid(), now(), now() + interval '1 day', ${isAnswered ? 200 : null}
       from generate_series(1, ?) returning company_id, operation, key, command_id, 201 as status, '{}' as body`,
      [company.id, count],
    );
  await em.begin();
  try {
    // The session plans the statement while there are few keys.
    await claim(300, true);
    for (let call = 0; call < 10; call += 1)
      await em.execute('select idempotency_finishes(?::jsonb)', [JSON.stringify(await claim(1, false))]);
    await claim(ROWS, true);
    const asked = await claim(CALLS, false);
    const startedAt = performance.now();
    for (const one of asked) await em.execute('select idempotency_finishes(?::jsonb)', [JSON.stringify([one])]);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
    const [left] = await em.execute('select count(*)::integer as keys from idempotency where response_status is null');
    expect(left).toEqual({ keys: 0 });
  } finally {
    await em.rollback();
  }
});
