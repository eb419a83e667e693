import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTenant } from '../../../src/db/core/orm.ts';
import { listLedgerTransactions } from '../../../src/db/ledger/transactions.ts';
import type { LedgerId } from '../../../src/domain/ids.ts';
import { addCompany, type Books, openBooks, type TestCompany } from './books.ts';

/** Reads of a company that has grown since the statistics were collected. No read may look at all of its rows for each row of the answer. */

const ROWS = 20_000;
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
