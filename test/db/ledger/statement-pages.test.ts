import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../../src/db/core/orm.ts';
import { openStatement, pagesOf } from '../../../src/db/ledger/statements.ts';
import type { AccountId } from '../../../src/domain/ids.ts';
import type { StatementEntry } from '../../../src/domain/ledger/statement.ts';
import { addEntries } from '../../support/entries.ts';
import { readStatement } from '../../support/whole-statement.ts';
import { addCompany, type Books, fund, openBooks, type TestCompany } from './books.ts';

/** A statement is opened with its totals, and its entries are read in pages. */

const ENTRIES = 440;
/** The amount of an entry that a test posts later. The others have another. */
const LATER_CENTS = 5n;
const FROM = new Date('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;

let books: Books;
let company: TestCompany;

beforeAll(async () => {
  books = await openBooks();
  const em = books.owner.em.fork();
  company = await addCompany(em);
  // One account that appends, and one that does not.
  for (const account of [company.account('COMPANY'), company.user(0)])
    await addEntries(em, { ...sides(account), count: ENTRIES, from: FROM });
});
afterAll(() => books.close());

const tenant = <T>(work: (em: EntityManager) => Promise<T>) => inTenant(books.api, company.id, work);
const sides = (account: AccountId) => ({ companyId: company.id, account, contra: company.account('BANK') });
const period = () => ({ from: FROM, to: new Date(Date.now() + HOUR_MS) });
const open = (account: AccountId) => tenant((em) => openStatement(em, company.id, account, period()));

/** The pages, and how many reads each of them took. */
async function readPages(opened: Awaited<ReturnType<typeof open>>) {
  let reads = 0;
  const counted = <T>(work: (em: EntityManager) => Promise<T>) => {
    reads += 1;
    return tenant(work);
  };
  const readsAt: number[] = [];
  const entries: StatementEntry[] = [];
  for await (const page of pagesOf(opened, company.id, counted)) {
    readsAt.push(reads);
    entries.push(...page);
  }
  return { entries, readsAt };
}

describe.each([
  ['an account that appends', () => company.account('COMPANY')],
  ['an account that stores its balances', () => company.user(0)],
])('the pages of %s', (_which, account) => {
  test('are the entries of the whole statement, and each is read when it is asked for', async () => {
    const opened = await open(account());
    const { entries, readsAt } = await readPages(opened);
    expect(readsAt).toEqual([0, 1, 2]);
    const whole = await tenant((em) => readStatement(em, company.id, account(), period()));
    expect(whole.entries).toEqual(entries);
    expect(entries.filter(({ amountCents }) => amountCents !== LATER_CENTS)).toHaveLength(ENTRIES);
    expect(entries.map(({ id }) => id)).toEqual(opened.entryIds);
    expect(entries.at(-1)?.balanceAfterCents).toBe(opened.totals.closingCents);
    const isCredit = ({ amountCents }: StatementEntry) => amountCents > 0n;
    expect(opened.totals).toMatchObject({
      credits: entries.filter(isCredit).length,
      debits: entries.filter((entry) => !isCredit(entry)).length,
    });
  });

  test('have no entry that was posted after the statement was opened', async () => {
    const opened = await open(account());
    await fund(books.owner.em.fork(), company, account(), LATER_CENTS);
    const { entries } = await readPages(opened);
    expect(entries.map(({ id }) => id)).toEqual(opened.entryIds);
    const { totals } = await open(account());
    expect(totals.closingCents).toBe(opened.totals.closingCents + LATER_CENTS);
  });

  test('end with an error if the ledger lacks the transaction of an entry, after the pages before it', async () => {
    const em = books.owner.em.fork();
    await em.begin();
    await addEntries(em, { ...sides(account()), count: 1, from: new Date(), areTransactionsMissing: true });
    const opened = await openStatement(em, company.id, account(), period());
    const pages = pagesOf(opened, company.id, (work) => work(em));
    let read = 0;
    const readAll = async () => {
      for await (const page of pages) read += page.length;
    };
    const ended = await readAll().catch((error: unknown) => error);
    await em.rollback();
    expect(ended).toEqual(new Error('1 entries of a statement have no transaction'));
    expect(read).toBe(400); // all pages but the last
  });

  test('end with an error if they do not lead to the closing balance', async () => {
    const { totals, ...opened } = await open(account());
    const wrong = { ...opened, totals: { ...totals, closingCents: totals.closingCents + 1n } };
    await expect(readPages(wrong)).rejects.toThrow('do not add up to its closing balance');
  });
});
