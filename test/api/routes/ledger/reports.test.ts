import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bare, refused, sql } from '../../../support/api.ts';
import { beginEscrow, splitPlan } from '../../../support/escrows.ts';
import { newCompany, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

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
  at = new Date().toISOString();
  await later();
});
afterAll(() => service.stop());

/** A moment passes, so that what follows is after `at`. */
async function later(): Promise<void> {
  await sql(service, 'select pg_sleep(0.01)');
}

const REPORTS = [
  'ledger/reports/trial-balance?',
  'ledger/reports/liabilities?limit=100&',
  'treasury/receivables?',
] as const;
const fileOf = async (path: string) => {
  const { status, body } = await company.get(`/v1/${path}`);
  return `${status} ${typeof body === 'string' ? body : JSON.stringify(body)}`;
};
const reportsAt = async () => {
  const instants = REPORTS.flatMap((path) =>
    ['json', 'csv', 'pdf'].map((format) => `${path}at=${at}&format=${format}`),
  );
  const period = ['json', 'csv', 'pdf'].map(
    (format) => `ledger/reports/revenue?from=2020-01-01&to=${at}&format=${format}`,
  );
  return Promise.all([...instants, ...period].map(fileOf));
};

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

test('the same instant has the same bytes after later payments, a chargeback and a reversal', async () => {
  const before = await reportsAt();
  expect(before.every((file) => file.startsWith('200 '))).toBe(true);
  const { path, seller } = await beginEscrow(company);
  await company.post(`${path}/release`);
  const { body: deposit } = await company.post('/v1/payments/deposit', {
    userId: seller.id,
    amount: 90_000,
    currency: 'USD',
  });
  await company.post('/v1/treasury/withdraw', {
    ...{ accountId: seller.usdAccountId, amount: 80_000, externalReference: 'w1', bank_name: 'Bank', branch_code: '1' },
    ...{ account_number: '1234567', account_name: 'Tariro Moyo' },
  });
  await company.post(`/v1/payments/transaction/${deposit.id}/reverse`, { reason: 'Charged back', isChargeback: true });
  const { body: bounced } = await company.post('/v1/payments/deposit', {
    userId: seller.id,
    amount: 5,
    currency: 'ZIG',
  });
  await company.post(`/v1/payments/transaction/${bounced.id}/reverse`, { reason: 'It bounced' });
  const now = (await company.get('/v1/treasury/receivables')).body;
  expect(BigInt(now.totals[0].remaining_amount)).toBeGreaterThan(0n);
  expect((await company.get(`/v1/treasury/receivables?at=${at}`)).body).toMatchObject({ at, total: 0, totals: [] });
  expect(await reportsAt()).toEqual(before);
});

test.each(['ledger/reports/trial-balance', 'ledger/reports/liabilities', 'treasury/receivables'])(
  '%s of the future: validation_failed',
  async (path) => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect(await company.get(`/v1/${path}?at=${tomorrow}`)).toMatchObject(refused(400, 'validation_failed'));
  },
);
