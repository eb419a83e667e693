import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CURRENCIES } from '../../../src/domain/money.ts';
import { addCompany, type Books, openBooks } from './books.ts';

// Each test has a database of its own, because one adds a currency.
let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

const rows = (sql: string) => books.owner.em.fork().execute<Record<string, unknown>[]>(sql);

test('the database has the currencies of the code, with the same ISO codes and decimals', async () => {
  const found = await rows('select code, iso_code as iso, decimals from currency order by code');
  const expected = Object.entries(CURRENCIES).map(([code, { iso, decimals }]) => ({ code, iso, decimals }));
  expect(found).toEqual(expected.sort((a, b) => a.code.localeCompare(b.code)));
});

test('a new currency gets an account beside every account of another currency', async () => {
  await addCompany(books.owner.em.fork());
  const shape = (currency: string) =>
    rows(
      `select ledger_id, type, may_go_negative from account where currency = '${currency}' order by ledger_id, type`,
    );
  await rows(`select add_currency('XTS', 'XTS', 2)`);
  const usd = await shape('USD');
  expect(usd.length).toBeGreaterThan(0);
  expect(await shape('XTS')).toEqual(usd);
});
