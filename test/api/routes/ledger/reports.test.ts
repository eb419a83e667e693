import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { extractText, getDocumentProxy } from 'unpdf';
import { withClient } from '../../../../src/sandbox/stack/postgres-client.ts';
import { bare, refused, sql } from '../../../support/api.ts';
import { beginEscrow, splitPlan } from '../../../support/escrows.ts';
import { expectSameReportsAfter, filesOf, instant, postings, REPORTS_AT } from '../../../support/reports.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, newHolder } from '../../../support/treasury.ts';

/** A month is closed with reports at an instant. They never change, and they sum to what the statements say. */

let service: TestService;
let company: TestCompany;
/** The instant at which the month ends. */
let at: string;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  await company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 250 } });
  const released = await beginEscrow(company);
  await company.post(`${released.path}/release`);
  const planned = await beginEscrow(company, { splitPlan: splitPlan(100, 200, 24_700) });
  await company.post(`${planned.path}/release`);
  const open = await beginEscrow(company);
  const { body: deposit } = await company.post('/v1/payments/deposit', {
    ...{ userId: open.seller.id, amount: 700, currency: 'ZIG', externalReference: 'spent' },
  });
  await company.post(`/v1/payments/transaction/${deposit.id}/reverse`, { reason: 'Charged back', isChargeback: true });
  at = await instant(service);
});
afterAll(() => service.stop());

test('debit and credit are equal in each currency, and equal the balances of the accounts', async () => {
  const { body } = await company.get(`/v1/ledger/reports/trial-balance?at=${at}`);
  expect(body.totals.map(({ currency }: { currency: string }) => currency)).toEqual(['USD']);
  for (const { debit, credit } of body.totals) expect(debit).toBe(credit);
  const lines = new Map(body.lines.map((line: Record<string, string>) => [`${line.type} ${line.currency}`, line]));
  expect(lines.get('SERVICE_FEE USD')).toMatchObject({ accounts: 1, debit: '0', credit: '825' });
  const accounts = await sql(service, 'select id, type, currency from account where company_id = $1', [
    bare(company.id),
  ]);
  const closing = new Map<string, bigint>();
  for (const { id, type, currency } of accounts) {
    const { body: statement } = await company.get(`/v1/ledger/accounts/acc_${id}/statement?endDate=${at}`);
    const key = `${type} ${currency}`;
    closing.set(key, (closing.get(key) ?? 0n) + BigInt(statement.closingBalance));
  }
  for (const [key, cents] of closing) {
    const line = lines.get(key) as { debit: string; credit: string } | undefined;
    expect([key, BigInt(line?.credit ?? 0) - BigInt(line?.debit ?? 0)]).toEqual([key, cents]);
  }
});

test('liabilities are the balances of users, held and available', async () => {
  const { body } = await company.get(`/v1/ledger/reports/liabilities?at=${at}`);
  expect(body).toMatchObject({ at, total: 5, limit: 20, offset: 0 });
  const held = body.data.filter((line: { held: string }) => line.held !== '0');
  expect(held).toMatchObject([{ currency: 'USD', balance: '100000', held: '25000', available: '75000' }]);
  const sum = (field: string) =>
    body.data.reduce((total: bigint, line: Record<string, string>) => total + BigInt(line[field] ?? 0), 0n);
  expect(body.totals).toEqual([
    { currency: 'USD', balance: String(sum('balance')), held: '25000', available: String(sum('available')) },
  ]);
});

test('revenue has a line for each rate, and one without a rate for what plans set', async () => {
  const { body } = await company.get(`/v1/ledger/reports/revenue?from=2020-01-01&to=${at}`);
  expect(body.lines).toEqual([
    { kind: 'SERVICE_FEE', currency: 'USD', basis_points: 250, count: 1, base: '25000', amount: '625' },
    { kind: 'SERVICE_FEE', currency: 'USD', basis_points: null, count: 1, base: '25000', amount: '200' },
    { kind: 'SYSTEM_FEE', currency: 'USD', basis_points: 100, count: 1, base: '25000', amount: '250' },
    { kind: 'SYSTEM_FEE', currency: 'USD', basis_points: null, count: 1, base: '25000', amount: '100' },
  ]);
  expect(body.totals).toEqual([
    { kind: 'SYSTEM_FEE', currency: 'USD', amount: '350' },
    { kind: 'SERVICE_FEE', currency: 'USD', amount: '825' },
  ]);
});

test('the same instant has the same bytes after hundreds of later payments, a chargeback and a reversal', async () => {
  await expectSameReportsAfter(service, company, at, 300);
});

test.each(REPORTS_AT)('%s of the future: validation_failed', async (path) => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  expect(await company.get(`/v1/${path}?at=${tomorrow}`)).toMatchObject(refused(400, 'validation_failed'));
});

test('a report has the lines and sums of one currency, if it is asked for one', async () => {
  const of = await newCompany(service);
  const user = await newUser(of);
  for (const currency of ['USD', 'ZIG'])
    await of.post('/v1/payments/deposit', { userId: user.id, amount: 900, currency });
  for (const path of [...REPORTS_AT, 'ledger/reports/revenue']) {
    const linesOf = async (query: string) => {
      const { body } = await of.get(`/v1/${path}${query}`);
      return [...(body.lines ?? body.data), ...body.totals];
    };
    const all = await linesOf('');
    expect(await linesOf('?currency=ZIG')).toEqual(all.filter(({ currency }) => currency === 'ZIG'));
    expect(await of.get(`/v1/${path}?currency=EUR`)).toMatchObject(refused(400, 'validation_failed'));
  }
  expect((await of.get('/v1/ledger/reports/liabilities?currency=ZIG')).body.totals).toHaveLength(1);
});

test('a PDF shows its instants in the time zone of the company, and a CSV file in UTC', async () => {
  const of = await newCompany(service);
  const user = await newUser(of);
  await of.request('PATCH', '/v1/core/companies/me', { body: { time_zone: 'Africa/Harare' } });
  const { body } = await of.post('/v1/payments/deposit', { userId: user.id, amount: 900, currency: 'USD' });
  await of.post('/v1/treasury/withdraw', asked(user.usdAccountId, 900));
  await of.post(`/v1/payments/transaction/${body.id}/reverse`, { reason: 'Charged back', isChargeback: true });
  const now = await instant(service);
  const files = await filesOf(service, of, now);
  const pdf = files.find((file) => file.startsWith('treasury/receivables') && file.includes('%PDF')) ?? '';
  const { text } = await extractText(
    await getDocumentProxy(Uint8Array.from(Buffer.from(pdf.slice(pdf.indexOf('%PDF')), 'latin1'))),
    {
      mergePages: true,
    },
  );
  const harare = new Date(Date.parse(now) + 2 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
  expect(text).toContain(`${harare}:${now.slice(17, 19)} Africa/Harare (${now})`);
  expect(text.match(new RegExp(`${harare.slice(0, 13)}:`, 'g'))).toHaveLength(2);
  const csv = files.find((file) => file.startsWith('treasury/receivables') && file.includes('record,currency')) ?? '';
  expect(csv).toContain(`,${now.slice(0, 14)}`);
});

describe('a posting that commits late', () => {
  test('belongs to the report of an instant after it began, which waits for it', async () => {
    const { company: of, accountId } = await newHolder(service, { balance: 1_000 });
    const liabilities = async (query = '') => (await of.get(`/v1/ledger/reports/liabilities${query}`)).body;
    const {
      late,
      early,
      at: after,
    } = await withClient(service.database.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query('select count(*) from ledger_post($1::jsonb)', [await postings(of, accountId, 1, 500)]);
      const end = await instant(service);
      let isAnswered = false;
      const asked = filesOf(service, of, end).finally(() => {
        isAnswered = true;
      });
      // Without an instant, a report is of the last one of which all is known, and is answered at once.
      const now = await liabilities();
      expect(isAnswered).toBe(false);
      await client.query('commit');
      return { late: await asked, early: now, at: end };
    });
    expect((await liabilities(`?at=${after}`)).totals).toMatchObject([{ balance: '1500' }]);
    expect(await filesOf(service, of, after)).toEqual(late);
    expect(early.totals).toMatchObject([{ balance: '1000' }]);
    expect(await liabilities(`?at=${early.at}`)).toEqual(early);
  });
});
