import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import { sealLedger } from '../../../src/db/ledger/sealer.ts';
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

/** The companies and currencies whose accounts do not sum to zero, in one snapshot. */
function unbalanced() {
  return books.owner.em.fork().execute(
    `select a.company_id, a.currency, sum(a.posted + coalesce(d.amount, 0)) as off
     from account a left join (select account_id, sum(amount) as amount from account_delta group by 1) d on d.account_id = a.id
     group by 1, 2 having sum(a.posted + coalesce(d.amount, 0)) <> 0`,
  );
}

function sale(company: TestCompany, feeCents: bigint) {
  const [buyer, seller] = [company.user(0), company.user(1)];
  return newPosting(company, {
    legs: [...move(buyer, seller, 100n), ...move(buyer, platform.account('SYSTEM_FEE'), feeCents)],
  });
}

test("the platform's fee is owed by the company, and the platform is owed it", async () => {
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
