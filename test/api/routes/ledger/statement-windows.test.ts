import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { connect } from '../../../../src/db/core/orm.ts';
import { postToLedger } from '../../../../src/db/ledger/post.ts';
import type { AccountId, CompanyId, TransactionId } from '../../../../src/domain/ids.ts';
import { depositPosting } from '../../../../src/domain/ledger/deposits.ts';
import { bare } from '../../../support/api.ts';
import { newCompany, newUser, type TestCompany, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

/** Usually longer than a posting takes, and short enough for statements of about a hundred entries. */
const RECENT_MS = 200;
const READERS = 4;
/** The first test proves the rule with one posting. This many meet postings in all their phases. */
const WINDOWS = 40;

describe('a statement of a window that has ended', () => {
  let service: TestService;
  let company: TestCompany;
  let owner: MikroORM;
  let accountId: string;
  let bankId: string;
  beforeAll(async () => {
    service = await sharedService();
    owner = await connect({ databaseUrl: service.database.ownerUrl, poolMax: 4, applicationName: 'test' });
    company = await newCompany(service);
    const user = await newUser(company);
    accountId = user.usdAccountId;
    const { body } = await company.get('/v1/ledger/company/accounts');
    bankId = body.find((one: { type: string; currency: string }) => one.type === 'BANK' && one.currency === 'USD').id;
  });
  afterAll(async () => {
    await owner.close();
    await service.stop();
  });

  const statement = async (query = '') =>
    (await untilAnswered(() => company.get(`/v1/ledger/accounts/${accountId}/statement${query}`))).body;
  const windowOf = ({ startDate, endDate }: { startDate: string; endDate: string }) =>
    `?startDate=${startDate}&endDate=${endDate}`;

  function deposit() {
    return depositPosting({
      transactionId: uuidv7() as TransactionId, // a fresh id
      companyId: bare(company.id) as CompanyId, // as the API shows it
      accountId: bare(accountId) as AccountId,
      contraAccountId: bare(bankId) as AccountId,
      amountCents: 100n,
      currency: 'USD',
      externalReference: null,
      userReference: null,
      isTransit: false,
    });
  }

  /** Posts in a transaction that stays open. */
  async function inFlight() {
    const em = owner.em.fork();
    await em.begin();
    await postToLedger(em, [deposit()]);
    return em;
  }

  test('never changes, even if a posting was in flight when it was read', async () => {
    const posting = await inFlight();
    const first = await statement();
    await posting.commit();
    const again = await statement(windowOf(first));
    expect(again.entries).toEqual(first.entries);
    expect(again.closingBalance).toBe(first.closingBalance);
    // The posting is in the window that follows.
    const next = await statement(`?startDate=${new Date(Date.parse(first.endDate) + 1).toISOString()}`);
    expect(next).toMatchObject({ openingBalance: first.closingBalance, totalCredits: '100' });
  });

  test('ends before the oldest posting in flight if the requested end is later', async () => {
    const posting = await inFlight();
    const asked = new Date();
    const first = await statement(`?startDate=2026-01-01&endDate=${asked.toISOString()}`);
    expect(Date.parse(first.endDate)).toBeLessThan(asked.getTime());
    await posting.commit();
    expect((await statement(windowOf(first))).entries).toEqual(first.entries);
  });

  test('lastEntries begins with the entries that are asked for, and the window before has the others', async () => {
    const em = owner.em.fork();
    for (let made = 0; made < 5; made += 1) await em.transactional((inner) => postToLedger(inner, [deposit()]));
    const whole = await statement();
    const last = await statement('?lastEntries=2');
    expect(last.entries.length).toBeGreaterThanOrEqual(2);
    expect(last.entries).toEqual(whole.entries.slice(-last.entries.length));
    expect(last).toMatchObject({ startDate: last.entries[0].created_at, closingBalance: whole.closingBalance });
    const before = await statement(`?endDate=${new Date(Date.parse(last.startDate) - 1).toISOString()}`);
    expect(before.closingBalance).toBe(last.openingBalance);
    expect([...before.entries, ...last.entries]).toEqual(whole.entries);
    // The totals of the whole window, as a file has them, above the last entries.
    const { entries, ...totals } = await statement('?lastEntries=2&totals=window');
    expect(entries).toEqual(last.entries);
    expect(totals).toEqual({ ...whole, entries: undefined, endDate: totals.endDate, startDate: totals.startDate });
    // A window with fewer entries stays as it is.
    expect((await statement('?lastEntries=10000')).entries).toEqual(whole.entries);
  });

  test.each(['0', '10001', 'x', ''])('lastEntries=%s: validation_failed', async (entries) => {
    expect(await statement(`?lastEntries=${entries}`)).toMatchObject({ code: 'validation_failed' });
  });

  test('includes transactions that were answered before the request', async () => {
    for (let round = 1; round <= 20; round += 1) {
      const { body } = await company.post('/v1/payments/deposit', {
        ...{ userId: undefined, amount: 1, currency: 'USD' },
      });
      const { body: seen } = await company.get(`/v1/ledger/accounts/${body.accountId}/statement`);
      expect(seen.entries).toHaveLength(round);
    }
  });

  test('is not held up by postings of another company', async () => {
    const other = await newCompany(service);
    const posting = await inFlight();
    const { body: accounts } = await other.get('/v1/ledger/company/accounts');
    const before = Date.now();
    const { body } = await other.get(`/v1/ledger/accounts/${accounts[0].id}/statement`);
    expect(Date.parse(body.endDate)).toBeGreaterThanOrEqual(before - 1);
    await posting.rollback();
  });

  test(`does not change for ${WINDOWS} windows that end now, during postings`, async () => {
    const busy = new AbortController();
    const posting = Promise.all(
      Array.from({ length: 3 }, async () => {
        while (!busy.signal.aborted) await postToLedger(owner.em.fork(), [deposit()]);
      }),
    );
    const seen: { window: string; closing: string; count: number }[] = [];
    const readWindows = async () => {
      for (let window = 0; window < WINDOWS / READERS; ) {
        const now = await statement(`?startDate=${new Date(Date.now() - RECENT_MS).toISOString()}`);
        // On a busy machine a posting may be in flight for longer. Then no part of the window has ended.
        if (Date.parse(now.endDate) < Date.parse(now.startDate)) continue;
        window += 1;
        seen.push({ window: windowOf(now), closing: now.closingBalance, count: now.entries.length });
      }
    };
    await Promise.all(Array.from({ length: READERS }, readWindows));
    busy.abort();
    await posting;
    expect(seen).toHaveLength(WINDOWS);
    expect(seen.some(({ count }) => count > 0)).toBe(true);
    const changed: unknown[] = [];
    const readAgain = async (reader: number) => {
      for (const { window, closing, count } of seen.filter((_, index) => index % READERS === reader)) {
        const again = await statement(window);
        if (again.closingBalance !== closing || again.entries?.length !== count)
          changed.push({ window, closing, count, again: [again.closingBalance, again.entries?.length, again.code] });
      }
    };
    await Promise.all(Array.from({ length: READERS }, (_, reader) => readAgain(reader)));
    expect(changed).toEqual([]);
  });
});
