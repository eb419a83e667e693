import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTenant } from '../../../src/db/core/orm.ts';
import { receivableAccount } from '../../../src/db/ledger/own-accounts.ts';
import { addCompany, type Books, openBooks, type TestCompany } from './books.ts';

let books: Books;
let company: TestCompany;
beforeAll(async () => {
  books = await openBooks();
  company = await addCompany(books.owner.em.fork());
});
afterAll(() => books.close());

test('a RECEIVABLE account is opened when it is first needed, once per currency', async () => {
  const open = (currency: 'USD' | 'ZIG') =>
    inTenant(books.api, company.id, (em) => receivableAccount(em, company.id, currency));
  const [first, atTheSameTime, other] = await Promise.all([open('USD'), open('USD'), open('ZIG')]);
  expect(atTheSameTime).toBe(first);
  expect(other).not.toBe(first);
  expect(await open('USD')).toBe(first);
  const rows = await books.owner.em
    .fork()
    .execute('select id, may_go_negative, appends from account where company_id = ? and type = ? order by currency', [
      company.id,
      'RECEIVABLE',
    ]);
  expect(rows).toEqual([
    { id: first, may_go_negative: true, appends: true },
    { id: other, may_go_negative: true, appends: true },
  ]);
});
