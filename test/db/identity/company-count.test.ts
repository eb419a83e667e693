import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../../src/db/core/orm.ts';
import { addCompany, type Books, openBooks, type TestCompany } from '../ledger/books.ts';

/** Compares the statistics with counts of the rows. */

let books: Books;
let company: TestCompany;
let other: TestCompany;

beforeAll(async () => {
  books = await openBooks();
});
beforeEach(async () => {
  const em = books.owner.em.fork();
  company = await addCompany(em, { users: 2 });
  other = await addCompany(em, { users: 1 });
});
afterAll(() => books.close());

const fold = () => books.worker.em.fork().execute('select company_count_fold()');

async function told(of: TestCompany): Promise<Record<string, number>> {
  const rows = await inTenant(books.api, of.id, (em) =>
    em.execute<{ counted: string; rows: string }[]>('select * from company_counts(?)', [of.id]),
  );
  return Object.fromEntries(rows.map(({ counted, rows }) => [counted, Number(rows)]));
}

async function counted(of: TestCompany): Promise<Record<string, number>> {
  const rows = await books.owner.em.fork().execute<{ counted: string; rows: string }[]>(
    `select 'users' as counted, count(*) as rows from app_user where company_id = :id having count(*) > 0
     union all select 'accounts', count(*) from account where company_id = :id
     union all select 'escrows ' || status, count(*) from escrow where company_id = :id group by status`.replaceAll(
      ':id',
      `'${of.id}'`,
    ),
  );
  return Object.fromEntries(rows.map(({ counted, rows }) => [counted, Number(rows)]));
}

/** An escrow's row, as far as counting it goes. */
async function addEscrow(status: string): Promise<string> {
  const id = uuidv7();
  await books.owner.em.fork().execute(
    `insert into escrow (id, company_id, status, seq, buyer_id, currency, total_cents, state, created_at, updated_at)
     select ?, u.company_id, ?, 1, u.id, 'USD', 1, '{}', now(), now() from app_user u where u.company_id = ? limit 1`,
    [id, status, company.id],
  );
  return id;
}

const move = (id: string, status: string) =>
  books.owner.em.fork().execute('update escrow set status = ? where id = ?', [status, id]);

test('the counts are the same before and after the changes are added up', async () => {
  expect(await told(company)).toEqual({ users: 2, accounts: 22 });
  await fold();
  expect(await told(company)).toEqual({ users: 2, accounts: 22 });
  expect(await told(other)).toEqual({ users: 1, accounts: 20 });
});

test('the counts follow an escrow from status to status', async () => {
  const id = await addEscrow('ACTIVE');
  await fold();
  await move(id, 'DISPUTED');
  expect(await told(company)).toMatchObject({ 'escrows DISPUTED': 1 });
  expect(await told(company)).not.toHaveProperty('escrows ACTIVE');
  await move(id, 'DISPUTED');
  await fold();
  await move(id, 'RESOLVED');
  expect(await told(company)).toEqual(await counted(company));
});

test('the counts are exact while rows are added, change status and roll back, and several calls add up at once', async () => {
  const lives = Array.from({ length: 40 }, async (_, number) => {
    const id = await addEscrow('ACTIVE');
    await move(id, 'DELIVERY_NOTED');
    if (number % 2 === 0) await move(id, 'COMPLETED');
    await books.owner.em
      .fork()
      .transactional(async (em) => {
        await em.execute(`update escrow set status = 'CANCELLED' where id = ?`, [id]);
        throw new Error('taken back');
      })
      .catch(() => undefined);
  });
  const folds = Array.from({ length: 20 }, async (_, number) => {
    await lives[number];
    await fold();
  });
  await Promise.all([...lives, ...folds]);
  expect(await told(company)).toEqual(await counted(company));
  await fold();
  expect(await told(company)).toEqual(await counted(company));
  expect(await told(company)).toMatchObject({ 'escrows COMPLETED': 20, 'escrows DELIVERY_NOTED': 20 });
});

test('the API sees only its own company', async () => {
  const rows = await inTenant(books.api, company.id, (em) => em.execute('select * from company_counts(?)', [other.id]));
  expect(rows).toEqual([]);
});
