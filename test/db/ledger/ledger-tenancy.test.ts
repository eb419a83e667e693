import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inTenant } from '../../../src/db/core/orm.ts';
import { findDerivedMismatches } from '../../../src/db/ledger/audit/derived.ts';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import { sealLedger } from '../../../src/db/ledger/sealer.ts';
import {
  addCompany,
  type Books,
  fund,
  move,
  newHoldId,
  newPosting,
  openBooks,
  readBalances,
  type TestCompany,
  verdict,
  verifyBooks,
} from './books.ts';

let books: Books;
let first: TestCompany;
let second: TestCompany;
let platform: TestCompany;
/** The first company's, with a fee for the platform. */
let sale: ReturnType<typeof newPosting>;

beforeAll(async () => {
  books = await openBooks();
  const em = books.owner.em.fork();
  platform = await addCompany(em, { isPlatform: true, users: 0 });
  first = await addCompany(em);
  second = await addCompany(em);
  const entryCount = 1_100; // enough for a checkpoint
  for (const company of [first, second]) {
    const own = company.account('COMPANY');
    await fund(em, company, company.user(0), 100n);
    const deposit = () => newPosting(company, { legs: move(company.account('BANK'), own, 1n) });
    await postToLedger(em, Array.from({ length: 600 }, deposit));
    await postToLedger(em, Array.from({ length: entryCount - 600 }, deposit));
    await postToLedger(em, [
      newPosting(company, {
        holds: [{ kind: 'place', holdId: newHoldId(), accountId: company.user(0), amountCents: 1n }],
      }),
    ]);
  }
  await em.execute(`insert into balance_checkpoint select id, company_id, 1, 0 from account where type = 'COMPANY'`);
  await sealLedger(books.worker.em.fork());
  for (const company of [first, second]) {
    const legs = move(company.account('BANK'), company.account('COMPANY'), 1n);
    await postToLedger(em, [newPosting(company, { legs })]); // leaves a delta
  }
  const legs = [...move(first.user(0), first.user(1), 50n), ...move(first.user(0), platform.account('SYSTEM_FEE'), 2n)];
  sale = newPosting(first, { legs });
  await postToLedger(em, [sale]);
});
afterAll(() => books.close());

const TABLES = [
  'ledger',
  'account',
  'account_delta',
  'ledger_transaction',
  'entry',
  'hold',
  'block',
  'sealed_balance',
  'balance_checkpoint',
];

describe("the API's role, with no condition in its query,", () => {
  test.each(TABLES)('sees its own rows of %s and no others', async (table) => {
    const rows = await inTenant(books.api, first.id, (em) =>
      em.execute(`select company_id, count(*)::integer as count from ${table} group by company_id`),
    );
    expect(rows).toEqual([{ company_id: first.id, count: expect.any(Number) }]);
  });

  test.each(TABLES)('sees no row of %s before its company is set', async (table) => {
    expect(await books.api.em.fork().execute(`select * from ${table}`)).toEqual([]);
  });

  test('cannot read the progress of the sealer, and cannot seal', async () => {
    await expect(books.api.em.fork().execute('select * from seal_progress')).rejects.toThrow('permission denied');
    await expect(sealLedger(books.api.em.fork())).rejects.toThrow('permission denied');
  });
});

describe("the API's role", () => {
  test('posts for its own company only', async () => {
    const legs = move(first.user(0), first.user(1), 1n);
    const post = (company: TestCompany) =>
      inTenant(books.api, company.id, (em) => postToLedger(em, [newPosting(first, { legs })]));
    expect((await post(first)).map(verdict)).toEqual(['posted']);
    await expect(post(second)).rejects.toThrow('posting for another company');
    await expect(postToLedger(books.api.em.fork(), [newPosting(first, { legs })])).rejects.toThrow(
      'posting for another company',
    );
  });

  test("cannot read another company's balances", async () => {
    const asked = [first.user(0), second.user(0), platform.account('SYSTEM_FEE')];
    const found = await inTenant(books.api, first.id, (em) => readBalances(em, asked));
    expect([...found.keys()]).toEqual([first.user(0)]);
  });

  test.each([
    `update account set posted = 1`,
    `update account set held = 0`,
    `update account set may_go_negative = true`,
    `insert into account select * from account`,
    `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
     select transaction_id, account_id, company_id, amount, currency, created_at from entry`,
    `update entry set amount = 1`,
    `delete from entry`,
    `delete from ledger_transaction`,
    `update ledger_transaction set amount = 1`,
    `update hold set remaining = 0`,
    `delete from account_delta`,
    `update block set hash = ''`,
    `delete from balance_checkpoint`,
  ])('may not: %s', async (statement) => {
    const attempt = inTenant(books.api, first.id, (em) => em.execute(statement));
    await expect(attempt).rejects.toThrow('permission denied');
  });

  test("may freeze its own company's accounts only, with a record of each", async () => {
    const frozen = () =>
      books.owner.em
        .fork()
        .execute('select distinct company_id, is_frozen from account where not may_go_negative order by 2');
    const others = [second, platform].map(({ id }) => ({ company_id: id, is_frozen: false }));
    const actorId = randomUUID();
    await books.owner.em.fork().execute(
      `insert into administrator (id, company_id, first_name, last_name, email, password_hash, proof, role, created_at)
       values (?, ?, 'A', 'B', 'a@test.example', 'x', 'x.x', 'OWNER', now())`,
      [actorId, first.id],
    );
    const set = (isFrozen: boolean) =>
      inTenant(books.api, first.id, (em) =>
        em.execute(
          `with changed as (
             update account set is_frozen = ? where not may_go_negative returning id, company_id, is_frozen
           )
           insert into account_freeze (id, company_id, account_id, is_frozen, reason, actor_kind, actor_id, actor_role, created_at)
           select gen_random_uuid(), company_id, id, is_frozen, 'review', 'administrator', ?, 'OWNER', clock_timestamp() from changed`,
          [isFrozen, actorId],
        ),
      );
    const onlyOwn = [...others, { company_id: first.id, is_frozen: true }];
    await set(true);
    expect(await frozen()).toHaveLength(3);
    expect(await frozen()).toEqual(expect.arrayContaining(onlyOwn));
    const alone = inTenant(books.api, first.id, (em) => em.execute('update account set is_frozen = false'));
    await expect(alone).rejects.toThrow('has no record of its unfreezing');
    expect(await frozen()).toEqual(expect.arrayContaining(onlyOwn));
    await set(false);
    expect(await frozen()).not.toContainEqual(expect.objectContaining({ is_frozen: true }));
  });

  test("can read the platform's fee of its own transactions, but not the platform's entry", async () => {
    const seen = await inTenant(books.api, first.id, async (em) => ({
      entries: await em.execute('select amount from entry where transaction_id = ? order by id', [sale.transactionId]),
      totals: await em.execute(
        'select account_type, amount from ledger_transaction_totals(?, array[?]::uuid[]) order by account_type',
        [first.id, sale.transactionId],
      ),
    }));
    expect(seen.entries).toEqual([{ amount: '-50' }, { amount: '50' }, { amount: '-2' }, { amount: '2' }]);
    expect(seen.totals).toEqual([
      { account_type: 'INTERCOMPANY', amount: '0' },
      { account_type: 'SYSTEM_FEE', amount: '2' },
      { account_type: 'USER', amount: '-2' },
    ]);
    const pried = await inTenant(books.api, second.id, (em) =>
      em.execute('select * from ledger_transaction_totals(?, array[?]::uuid[])', [first.id, sale.transactionId]),
    );
    expect(pried).toEqual([]);
  });

  test("sees the platform's fee account as the platform, with the fees of every company", async () => {
    const fee = platform.account('SYSTEM_FEE');
    const rows = await inTenant(books.api, platform.id, (em) =>
      em.execute('select amount, transaction_id from entry where account_id = ?', [fee]),
    );
    expect(rows).toEqual([{ amount: '2', transaction_id: sale.transactionId }]);
  });
});

test('ids are unique within a company: transactions and holds of two companies with one id stay apart', async () => {
  const own = await openBooks();
  try {
    const em = own.owner.em.fork();
    const fee = (await addCompany(em, { isPlatform: true, users: 0 })).account('SYSTEM_FEE');
    const companies = [await addCompany(em), await addCompany(em), await addCompany(em)];
    for (const company of companies.slice(0, 2)) await fund(em, company, company.user(0), 100n);
    const { transactionId } = newPosting(companies[0] as TestCompany, {});
    const holdId = newHoldId();
    const postings = companies.map((company) =>
      newPosting(company, {
        transactionId,
        legs: [...move(company.user(0), company.user(1), 50n), ...move(company.user(0), fee, 2n)],
        holds: [{ kind: 'place', holdId, accountId: company.user(0), amountCents: 10n }],
      }),
    );
    const outcomes = await postToLedger(em, postings); // the third company has no money
    expect(outcomes.map(verdict)).toEqual(['posted', 'posted', 'insufficient_funds']);
    await em.execute(`update ledger_transaction set status = 'REVERSED' where company_id = ? and id = ?`, [
      companies[0]?.id,
      transactionId,
    ]);
    await sealLedger(own.worker.em.fork());
    await sealLedger(own.worker.em.fork());
    expect((await verifyBooks(own.owner.em.fork(), null)).mismatches).toEqual([]);
    expect((await verifyBooks(own.owner.em.fork(), null, { isNewOnly: true })).mismatches).toEqual([]);
    expect(await findDerivedMismatches(own.owner.em.fork(), null)).toEqual([]);
  } finally {
    await own.close();
  }
});
