import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inTenant } from '../../../src/db/core/orm.ts';
import { sealLedger } from '../../../src/db/ledger/sealer.ts';
import { readCashflow } from '../../../src/db/ledger/stats.ts';
import {
  countTransactions,
  listLedgerTransactions,
  type TransactionFilter,
} from '../../../src/db/ledger/transactions.ts';
import type { AccountId, LedgerId, TransactionId } from '../../../src/domain/ids.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../../src/domain/ledger/postings.ts';
import type { Period } from '../../../src/domain/ledger/statement.ts';
import { readStatement } from '../../support/whole-statement.ts';
import { addCompany, type Books, openBooks, type TestCompany } from './books.ts';
import { random, runLedger, spreadOverTime } from './ledger-run.ts';

/**
 * Compares reads with sums over the plain rows: with nothing, some and everything sealed. The run covers
 * 40 days, so windows contain whole days and hours of the sealer's sums, and parts of hours.
 */

const USERS = 4;
const STEPS = 240;
const MINUTES_APART = 157;
const LAST = new Date('2026-03-20T10:15:00.250Z');
const HOUR_MS = 3_600_000;

let books: Books;
let company: TestCompany;
let platform: TestCompany;

type Entry = {
  id: bigint;
  account: AccountId;
  transaction: TransactionId;
  amount: bigint;
  after: bigint | null;
  at: number;
};
type Transaction = { id: TransactionId; type: string; status: string; at: number; ledgers: string[] };
let entries: Entry[];
let transactions: Transaction[];
let holdChanges: { account: AccountId; amount: bigint; at: number }[];
let accounts: { id: AccountId; ledger: LedgerId; type: string; company: TestCompany; appends: boolean }[];

beforeAll(async () => {
  books = await openBooks();
  const em = books.owner.em.fork();
  platform = await addCompany(em, { users: 0, isPlatform: true });
  company = await addCompany(em, { users: USERS });
  await runLedger(em, company, { users: USERS, steps: STEPS, seed: 7, platform });
  await spreadOverTime(em, LAST, MINUTES_APART);
  await em.execute(`update ledger_transaction set status = 'REVERSED' where id in
    (select id from ledger_transaction where type = 'PAYMENT' order by position limit 5)`);
  await readPlainRows();
});
afterAll(() => books.close());

async function readPlainRows() {
  const em = books.owner.em.fork();
  const ms = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8 as at`;
  const rawEntries = await em.execute<
    {
      id: string;
      account_id: AccountId;
      transaction_id: TransactionId;
      amount: string;
      balance_after: string | null;
      at: number;
    }[]
  >(`select id, account_id, transaction_id, amount, balance_after, ${ms('created_at')} from entry order by id`);
  entries = rawEntries.map((row) => ({
    id: BigInt(row.id),
    account: row.account_id,
    transaction: row.transaction_id,
    amount: BigInt(row.amount),
    after: row.balance_after === null ? null : BigInt(row.balance_after),
    at: row.at,
  }));
  const rawChanges = await em.execute<{ account_id: AccountId; amount_cents: string; at: number }[]>(
    `select account_id, amount_cents, ${ms('created_at')} from hold_change order by id`,
  );
  holdChanges = rawChanges.map((row) => ({ account: row.account_id, amount: BigInt(row.amount_cents), at: row.at }));
  const rawAccounts = await em.execute<
    { id: AccountId; ledger_id: LedgerId; type: string; company_id: string; appends: boolean }[]
  >('select id, ledger_id, type, company_id, appends from account');
  accounts = rawAccounts.map((row) => ({
    id: row.id,
    ledger: row.ledger_id,
    type: row.type,
    company: row.company_id === company.id ? company : platform,
    appends: row.appends,
  }));
  transactions = await em.execute<Transaction[]>(
    `select t.id, t.type, t.status, ${ms('t.created_at')}, array(
       select distinct a.ledger_id::text from account a where a.id in (
         select account_id from entry where transaction_id = t.id
         union select account_id from hold where id = t.escrow_id)) as ledgers
     from ledger_transaction t order by t.created_at desc, t.id desc`,
  );
}

const companyOf = (account: AccountId) => accounts.find(({ id }) => id === account)?.company;
const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const heldBefore = (account: AccountId, until: Date) =>
  sum(holdChanges.filter((one) => one.account === account && one.at < until.getTime()).map(({ amount }) => amount));
const statement = (account: { id: AccountId; company: TestCompany }, period: Period) =>
  inTenant(books.api, account.company.id, (em) => readStatement(em, account.company.id, account.id, period));

/** Windows that begin and end on days, on hours, and on the millisecond of an entry. */
function windows(count: number, seed: number): Period[] {
  const below = random(seed);
  const first = entries[0]?.at ?? 0;
  const spanMs = LAST.getTime() - first + HOUR_MS;
  const instant = () => {
    const at = first - HOUR_MS / 2 + below(spanMs);
    const choices = [at, at - (at % HOUR_MS), at - (at % (24 * HOUR_MS)), entries[below(entries.length)]?.at ?? at];
    return choices[below(choices.length)] ?? at;
  };
  return Array.from({ length: count }, () => {
    const [from = 0, to = 0] = [instant(), instant()].sort((a, b) => a - b);
    return { from: new Date(from), to: new Date(to + 1) };
  });
}

describe.each([
  ['nothing is sealed', async () => undefined],
  ['a part is sealed', () => seal(100)],
  ['all is sealed', () => sealLedger(books.worker.em.fork())],
  [
    'posting went on after it',
    () => runLedger(books.owner.em.fork(), company, { users: USERS, steps: 30, seed: 3, platform }),
  ],
])('while %s', (_when, prepare) => {
  beforeAll(async () => {
    await prepare();
    await readPlainRows();
  });

  test('opening balance, credits, debits and closing balance of every account are the sums of its entries', async () => {
    for (const account of accounts)
      for (const period of windows(4, account.id.charCodeAt(35))) {
        const own = entries.filter((entry) => entry.account === account.id);
        const inside = own.filter(({ at }) => at >= period.from.getTime() && at < period.to.getTime());
        const amounts = inside.map(({ amount }) => amount);
        const opening = sum(own.filter(({ at }) => at < period.from.getTime()).map(({ amount }) => amount));
        const found = await statement(account, period);
        expect(found).toMatchObject({
          openingCents: opening,
          totalCreditsCents: sum(amounts.filter((amount) => amount > 0n)),
          totalDebitsCents: -sum(amounts.filter((amount) => amount < 0n)),
          closingCents: opening + sum(amounts),
          openingHeldCents: heldBefore(account.id, period.from),
          closingHeldCents: heldBefore(account.id, period.to),
        });
        expect(found.entries.map(({ id }) => id)).toEqual(inside.map(({ id }) => String(id)));
        expect(found.openingCents + found.totalCreditsCents - found.totalDebitsCents).toBe(found.closingCents);
      }
  });

  test('running balances are the stored ones, and on appending accounts the computed ones', async () => {
    const everything = { from: new Date(0), to: new Date(Date.now() + HOUR_MS) };
    for (const account of accounts) {
      const found = await statement(account, everything);
      let balance = 0n;
      const expected = entries
        .filter((entry) => entry.account === account.id)
        .map((entry) => {
          balance += entry.amount;
          expect(entry.after).toBe(account.appends ? null : balance);
          return balance;
        });
      expect(found.entries.map((entry) => entry.balanceAfterCents)).toEqual(expected);
    }
  });

  test('a ledger lists each transaction that touched it once, newest first, in pages, with an exact total', async () => {
    const below = random(11);
    const owned = accounts.filter((account) => account.company === company);
    for (const ledger of new Set(owned.map((account) => account.ledger)))
      for (const period of [undefined, ...windows(4, below(1_000))])
        for (const filter of filtersOf(below, period)) {
          const expected = transactions.filter((row) => row.ledgers.includes(ledger) && matches(row, filter));
          const page = { limit: 7, offset: below(Math.max(1, expected.length - 3)) };
          const { records: found, total } = await inTenant(books.api, company.id, (em) =>
            listLedgerTransactions(em, company.id, ledger, filter, page),
          );
          expect(total).toBe(expected.length);
          expect(found.map(({ id }) => id)).toEqual(
            expected.slice(page.offset, page.offset + page.limit).map(({ id }) => id),
          );
        }
  });

  test('listed entries have the balance after them', async () => {
    const ledger = accounts.find(({ type, company: owner }) => type === 'BANK' && owner === company)
      ?.ledger as LedgerId;
    const { records: found } = await inTenant(books.api, company.id, (em) =>
      listLedgerTransactions(em, company.id, ledger, {}, { limit: 100, offset: 20 }),
    );
    for (const { id, entries: listed } of found) {
      const visible = entries.filter((entry) => entry.transaction === id && companyOf(entry.account) === company);
      const expected = visible.map((entry) => ({
        accountId: entry.account,
        amountCents: entry.amount,
        balanceAfterCents: sum(
          entries.filter((each) => each.account === entry.account && each.id <= entry.id).map(({ amount }) => amount),
        ),
      }));
      expect(listed).toEqual(expected);
    }
    expect(found.length).toBeGreaterThan(50);
  });

  test("the platform's ledger lists its fees, without the texts of the other company's transactions", async () => {
    const fee = accounts.find(({ id }) => id === platform.account('SYSTEM_FEE'));
    const expected = transactions.filter((row) => row.ledgers.includes(fee?.ledger ?? ''));
    const { records: found, total } = await inTenant(books.api, platform.id, (em) =>
      listLedgerTransactions(em, platform.id, fee?.ledger as LedgerId, {}, { limit: 3, offset: 0 }),
    );
    expect(total).toBe(expected.length);
    for (const row of found) {
      expect(row).toMatchObject({ type: 'PAYMENT', reference: null, escrowId: null, metadata: {} });
      expect(row.entries).toEqual([
        expect.objectContaining({ accountId: fee?.id, amountCents: row.amountCents }),
        // The other company's debt for it.
        expect.objectContaining({ amountCents: -row.amountCents }),
      ]);
    }
  });

  test('the count of a company by type and window is exact', async () => {
    for (const { from, to } of windows(12, 5)) {
      const types = ['ESCROW_HOLD', 'PAYMENT', 'REFUND'] as const;
      const total = await inTenant(books.api, company.id, (em) =>
        countTransactions(em, company.id, null, types, { startDate: from, endDate: to }),
      );
      const expected = transactions.filter((row) =>
        types.some((type) => matches(row, { type, startDate: from, endDate: to })),
      );
      expect(total).toBe(expected.length);
    }
  });

  test.each(['day', 'week', 'month'] as const)(
    'cashflow per %s equals the movements of the bank account',
    async (interval) => {
      const bank = company.account('BANK');
      for (const { from, to } of windows(4, interval.length)) {
        const series = await inTenant(books.api, company.id, (em) =>
          readCashflow(em, company.id, { from, to, interval, currency: null }),
        );
        const inside = entries.filter(
          ({ account, at }) => account === bank && at >= from.getTime() && at < to.getTime(),
        );
        const total = (pick: 'inflowCents' | 'outflowCents') => sum(series.map((row) => row[pick]));
        expect(total('inflowCents')).toBe(-sum(inside.filter(({ amount }) => amount < 0n).map(({ amount }) => amount)));
        expect(total('outflowCents')).toBe(0n);
        expect(new Set(series.map(({ period }) => period)).size * 2).toBe(series.length);
        const firstDay = from.toISOString().slice(0, 10);
        expect(series[0]?.period.localeCompare(firstDay)).toBeLessThanOrEqual(0);
      }
    },
  );
});

async function seal(transactionsAtMost: number): Promise<void> {
  await books.worker.em.fork().execute('select ledger_seal(?)', [transactionsAtMost]);
}

function filtersOf(below: (limit: number) => number, period: Period | undefined): TransactionFilter[] {
  const window = period === undefined ? {} : { startDate: period.from, endDate: period.to };
  return [
    window,
    { ...window, status: 'COMPLETED' },
    { ...window, status: 'REVERSED' },
    { ...window, type: TRANSACTION_TYPES[below(4)], status: TRANSACTION_STATUSES[2 + 2 * below(2)] },
  ];
}

function matches({ type, status, at }: Transaction, filter: TransactionFilter): boolean {
  return (
    (filter.type === undefined || type === filter.type) &&
    (filter.status === undefined || status === filter.status) &&
    (filter.startDate === undefined || at >= filter.startDate.getTime()) &&
    (filter.endDate === undefined || at < filter.endDate.getTime())
  );
}
