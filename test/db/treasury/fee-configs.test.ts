import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTenant } from '../../../src/db/core/orm.ts';
import { findFeeConfigs, MAX_FEE_CONFIGS } from '../../../src/db/treasury/fee-configs.ts';
import { addCompany, type Books, openBooks } from '../ledger/books.ts';

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

test('a list of more rates than its limit leaves out the oldest, of whatever kind', async () => {
  const { id } = await addCompany(books.owner.em.fork());
  const rates = (kind: string, rows: number, newest: string) =>
    books.owner.em.fork().execute(
      `insert into fee_config (company_id, kind, currency, basis_points, effective_from)
       select ?, ?, 'USD', n, ?::timestamptz - make_interval(days => n) from generate_series(1, ?) n`,
      [id, kind, newest, rows],
    );
  await rates('SERVICE_FEE', MAX_FEE_CONFIGS, '2020-01-01T00:00:00Z');
  await rates('TRANSFER_TAX', 3, '2020-01-01T12:00:00Z');
  const found = await inTenant(books.api, id, (em) => findFeeConfigs(em, id));
  expect(found).toHaveLength(MAX_FEE_CONFIGS);
  const of = (kind: string) => found.filter((rate) => rate.kind === kind).map(({ basisPoints }) => basisPoints);
  expect(of('TRANSFER_TAX')).toEqual([1, 2, 3]);
  expect(of('SERVICE_FEE')).toEqual(Array.from({ length: MAX_FEE_CONFIGS - 3 }, (_, index) => index + 1));
});
