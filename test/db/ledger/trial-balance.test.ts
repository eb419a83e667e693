import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../../src/db/core/orm.ts';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import { sealLedger } from '../../../src/db/ledger/sealer.ts';
import { imbalances } from '../../support/trial-balance.ts';
import { addCompany, type Books, fund, move, newPosting, openBooks, type TestCompany, verifyBooks } from './books.ts';

/** The books of each company balance by themselves at any instant: debts between companies are on accounts of both. */

let books: Books;
let platform: TestCompany;
let companies: TestCompany[];
beforeAll(async () => {
  books = await openBooks(8);
  const em = books.owner.em.fork();
  platform = await addCompany(em, { users: 1, isPlatform: true });
  companies = await Promise.all([1, 2, 3].map(() => addCompany(books.owner.em.fork(), { users: 2 })));
  for (const company of companies) await fund(em, company, company.user(0), 1_000_000n);
});
afterAll(() => books.close());

const unbalanced = () => imbalances(books.owner.em.fork(), null);

function sale(company: TestCompany, feeCents: bigint) {
  const [buyer, seller] = [company.user(0), company.user(1)];
  return newPosting(company, {
    legs: [...move(buyer, seller, 100n), ...move(buyer, platform.account('SYSTEM_FEE'), feeCents)],
  });
}

test("the platform's fee is a debt of the company and a claim of the platform", async () => {
  const [company] = companies;
  if (company === undefined) throw new Error('no company');
  const sales = [sale(company, 7n), sale(company, 5n)];
  await postToLedger(books.owner.em.fork(), sales);
  const rows = await books.owner.em.fork().execute(
    `select e.company_id, sum(e.amount)::text as balance from entry e join account a on a.id = e.account_id
     where a.type = 'INTERCOMPANY' and e.transaction_id in (?, ?) group by 1 order by 2`,
    sales.map(({ transactionId }) => transactionId),
  );
  expect(rows).toEqual([
    { company_id: platform.id, balance: '-12' },
    { company_id: company.id, balance: '12' },
  ]);
  expect(await unbalanced()).toEqual([]);
});

test('the trial balance of every company is zero at any instant, while they post and the sealer folds', async () => {
  const done = new AbortController();
  const posting = companies.map(async (company) => {
    for (let round = 0; round < 40; round += 1)
      await postToLedger(books.owner.em.fork(), [sale(company, 3n), sale(company, 1n)]);
  });
  const sealing = (async () => {
    while (!done.signal.aborted) await sealLedger(books.worker.em.fork());
  })();
  const looks: unknown[] = [];
  const looking = (async () => {
    while (!done.signal.aborted) looks.push(...(await unbalanced()));
  })();
  await Promise.all(posting);
  done.abort();
  await Promise.all([sealing, looking]);
  expect(looks).toEqual([]);
  expect(await unbalanced()).toEqual([]);
  expect(await verifyBooks(books.worker.em.fork(), null)).toMatchObject({ ok: true, mismatches: [] });
});

test('a changed balance and a changed entry are both found', async () => {
  const superuser = await connect({ databaseUrl: books.database.superuserUrl, poolMax: 1, applicationName: 'test' });
  const em = superuser.em.fork();
  await em.begin();
  const [company] = companies;
  if (company === undefined) throw new Error('no company');
  await em.execute('set local session_replication_role = replica');
  await em.execute('update account set posted = posted + 3 where id = ?', [company.user(0)]);
  await em.execute('update entry set amount = amount + 2 where id = (select max(id) from entry where account_id = ?)', [
    company.user(0),
  ]);
  const found = await imbalances(em, company.id);
  await em.rollback();
  await superuser.close();
  const of = { company_id: company.id, currency: 'USD' };
  expect(found).toHaveLength(2);
  expect(found).toEqual(
    expect.arrayContaining([
      { ...of, of: 'balances', cents: '3' },
      { ...of, of: 'entries', cents: '2' },
    ]),
  );
});

test('entries that balance only across companies are refused', async () => {
  const [first, second] = companies;
  const em = books.owner.em.fork();
  await expect(
    em.execute(
      `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       values (gen_random_uuid(), ?, ?, -1, 'USD', now()), (gen_random_uuid(), ?, ?, 1, 'USD', now())`,
      [first?.account('COMPANY'), first?.id, second?.account('COMPANY'), second?.id],
    ),
  ).rejects.toThrow('not balanced');
});
