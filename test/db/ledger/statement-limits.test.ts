import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inTenant } from '../../../src/db/core/orm.ts';
import { sealLedger } from '../../../src/db/ledger/sealer.ts';
import { latestPeriod, MAX_STATEMENT_ENTRIES } from '../../../src/db/ledger/statements.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import type { AccountId } from '../../../src/domain/ids.ts';
import type { Period } from '../../../src/domain/ledger/statement.ts';
import { addEntries } from '../../support/entries.ts';
import { readStatement } from '../../support/whole-statement.ts';
import { addCompany, type Books, fund, openBooks, type TestCompany } from './books.ts';
import { runLedger, spreadOverTime } from './ledger-run.ts';

/** The limits of statements: accounts that begin to append, other companies, ten thousand entries. */

const LAST = new Date('2026-03-20T10:15:00.250Z');
const HOUR_MS = 3_600_000;

let books: Books;
let company: TestCompany;
let platform: TestCompany;

beforeAll(async () => {
  books = await openBooks();
  const em = books.owner.em.fork();
  platform = await addCompany(em, { users: 0, isPlatform: true });
  company = await addCompany(em, { users: 2 });
  await runLedger(em, company, { users: 2, steps: 60, seed: 5, platform });
  await spreadOverTime(em, LAST, 157);
  await em.execute('select ledger_seal(30)');
});
afterAll(() => books.close());

const statement = (account: { id: AccountId; company: TestCompany }, period: Period) =>
  inTenant(books.api, account.company.id, (em) => readStatement(em, account.company.id, account.id, period));

describe('an account that begins to append', () => {
  test('has the same statements before, while and after', async () => {
    const em = books.owner.em.fork();
    const account = { id: company.user(0), company };
    const period = { from: new Date(LAST.getTime() - 90 * HOUR_MS), to: new Date(Date.now() + HOUR_MS) };
    const before = await statement(account, period);
    for (const appends of [true, false, true]) {
      await em.execute('update account set appends = ? where id = ?', [appends, account.id]);
      expect(await statement(account, period)).toEqual(before);
      await fund(em, company, account.id, 5n);
      await sealLedger(books.worker.em.fork());
      const after = await statement(account, period);
      expect(after.closingCents).toBe(before.closingCents + 5n);
      await em.execute('update account set appends = false where id = ?', [account.id]);
      Object.assign(before, after);
    }
  });
});

describe('accounts of other companies', () => {
  test("another company's account has no statement, for any role and any kind of account", async () => {
    const period = { from: new Date(0), to: new Date() };
    const stranger = await addCompany(books.owner.em.fork());
    const account = company.user(0);
    const asOwn = await inTenant(books.api, stranger.id, (em) => readStatement(em, stranger.id, account, period));
    expect(asOwn).toMatchObject({ openingCents: 0n, closingCents: 0n, entries: [] });
    const latest = inTenant(books.api, stranger.id, (em) => latestPeriod(em, stranger.id, account, period, 1));
    expect(await latest).toEqual(period);
    await expect(
      inTenant(books.api, stranger.id, (em) => readStatement(em, company.id, account, period)),
    ).rejects.toThrow('reading for another company');
  });

  test.each([
    ['ledger_transaction_count', "select ledger_transaction_count(?, null, array['DEPOSIT'], null, null)"],
    ['ledger_balance_before', 'select * from ledger_balance_before(?, array[gen_random_uuid()], now())'],
    ['ledger_cashflow', "select * from ledger_cashflow(?, now(), now(), 'day', null)"],
    ['posted_entries', "select * from posted_entries(?, '{}')"],
    ['unsealed_activity', 'select * from unsealed_activity(?, gen_random_uuid())'],
    ['appended_balances', "select * from appended_balances(?, array[gen_random_uuid()], '{1}')"],
    ['latest_entry_time', 'select latest_entry_time(?, gen_random_uuid(), now(), now(), 1)'],
    ['statement_outline', 'select * from statement_outline(?, gen_random_uuid(), now(), now(), 1)'],
    ['statement_lines', "select * from statement_lines(?, gen_random_uuid(), '{1}')"],
    ['unsealed_transactions', 'select * from unsealed_transactions(?)'],
  ])('%s refuses another company', async (_name, sql) => {
    await expect(inTenant(books.api, platform.id, (em) => em.execute(sql, [company.id]))).rejects.toThrow(
      /another company|permission denied/,
    );
  });
});

test(`a window of more than ${MAX_STATEMENT_ENTRIES} entries is refused, one of exactly that many is not`, async () => {
  const em = books.owner.em.fork();
  const big = await addCompany(em, { users: 1 });
  const from = new Date('2026-01-01T00:00:00Z');
  const sides = { companyId: big.id, account: big.account('COMPANY'), contra: big.account('BANK') };
  await addEntries(em, { ...sides, count: MAX_STATEMENT_ENTRIES + 1, from });
  await em.execute('analyze'); // as PostgreSQL does by itself within a minute
  const until = (seconds: number) => ({ from, to: new Date(from.getTime() + seconds * 1_000) });
  const account = { id: big.account('COMPANY'), company: big };
  expect((await statement(account, until(MAX_STATEMENT_ENTRIES))).entries).toHaveLength(MAX_STATEMENT_ENTRIES);
  const refusal = await statement(account, until(MAX_STATEMENT_ENTRIES + 1)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: 'statement_too_large' });
});
