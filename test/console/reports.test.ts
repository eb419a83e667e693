import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dayAfter, dayIn, startOfDay } from '../../src/domain/time-zone.ts';
import { beginEscrow } from '../support/escrows.ts';
import { newCompany, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { type Visitor, visitorAs } from './support/visitor.ts';

/** The page of the reports that close a month, and its files. */

const ZONE = 'Pacific/Kiritimati'; // 14 hours ahead of UTC
let service: TestService;
let company: TestCompany;
let manager: Visitor;
const today = dayIn(ZONE, new Date());
const tomorrow = dayAfter(today);

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Closing');
  await company.request('PATCH', '/v1/core/companies/me', {
    body: { time_zone: ZONE, service_fee_basis_points: 250 },
  });
  const { path, seller } = await beginEscrow(company);
  await company.post(`${path}/release`);
  const { body } = await company.post('/v1/payments/deposit', { userId: seller.id, amount: 700, currency: 'ZIG' });
  await company.post(`/v1/payments/transaction/${body.id}/reverse`, { reason: 'Charged back', isChargeback: true });
  manager = await visitorAs(service, company, 'manager');
});
afterAll(() => service?.stop());

const textOf = async (query: string) => {
  const { status, text } = await manager.get(`/reports?${query}`);
  expect(status).toBe(200);
  return text.replace(/<[^>]*>/g, '\n').replace(/\s*\n\s*/g, '\n');
};

test.each([
  ['trial-balance', ['Trial balance', 'Service fee\nUSD\n1\n0.00\n6.25', 'Total\nUSD\n1,000.00\n1,000.00']],
  ['liabilities', ['Liabilities to users', 'USD\n750.00\n0.00\n750.00', 'Total\nUSD\n991.25\n0.00\n991.25']],
  [
    `revenue&from=${today}&to=${today}`,
    ['Revenue', 'Service fee\nUSD\n2.50 %\n1\n250.00\n6.25', 'System fee\nUSD\nTotal'],
  ],
  ['receivables', ['Receivables', 'Nothing to report']],
])('?report=%s shows its lines and sums', async (query, expected) => {
  const text = await textOf(`report=${query}`);
  for (const part of expected) expect(text).toContain(part);
});

test('days are those of the zone: a period includes its last day, and an instant is the beginning of its day', async () => {
  expect(await textOf(`report=revenue&from=${today}&to=${today}`)).toContain('6.25');
  expect(await textOf(`report=revenue&to=${dayAfter(today, -1)}`)).toContain('Nothing to report');
  expect(await textOf(`report=trial-balance&at=${today}`)).toContain('Nothing to report');
  const future = await manager.get(`/reports?report=trial-balance&at=${tomorrow}`);
  expect(future.status).toBe(400);
});

test.each(['trial-balance', 'liabilities', 'revenue', 'receivables'])(
  'the files of %s are those of the API',
  async (report) => {
    const path = report === 'receivables' ? '/v1/treasury/receivables' : `/v1/ledger/reports/${report}`;
    const first = startOfDay(today, ZONE);
    const query = report === 'revenue' ? `from=${startOfDay(dayAfter(today, -7), ZONE)}&to=${first}` : `at=${first}`;
    const typed = report === 'revenue' ? `from=${dayAfter(today, -7)}&to=${dayAfter(today, -1)}` : `at=${today}`;
    for (const format of ['csv', 'pdf']) {
      const file = await manager.get(`/reports/file?report=${report}&${typed}&currency=USD&format=${format}`);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="[a-z-]+${today}\\.${format}"$`),
      );
      const answer = await fetch(`${service.url}${path}?${query}&currency=USD&format=${format}`, {
        headers: { 'x-api-key': company.apiKey, 'x-company-id': company.id },
      });
      expect(file.text).toBe(await answer.text());
    }
  },
);

test('the form keeps what was asked for, and the buttons of files send it', async () => {
  const { text } = await manager.get(`/reports?report=revenue&from=${today}&to=${today}&currency=ZIG`);
  expect(text).toContain(`name="from" type="date" autocomplete="off" value="${today}"`);
  expect(text).toContain('<option value="ZIG" selected>');
  expect(text).toMatch(/<input type="hidden" name="report" value="revenue">/);
  expect(text).toContain('form="report" name="format" value="csv" formaction="/console/reports/file"');
  expect(await textOf(`report=revenue&from=${today}&to=${today}&currency=ZIG`)).toContain('Nothing to report');
});
