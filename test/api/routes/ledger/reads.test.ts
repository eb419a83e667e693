import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dayIn } from '../../../../src/domain/time-zone.ts';
import { nobody, refused } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { offerLink } from '../../../support/links.ts';
import {
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
  type TestUser,
} from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
let other: TestCompany;
let buyer: TestUser;
let seller: TestUser;
/** Three escrows of 25,000 cents each: one paid out, one refunded, one held. */
let escrows: { released: string; cancelled: string; held: string };
let companyLedger: string;
/** Not today, if midnight lies between. */
let depositDay: string;
let depositedAt: Date;

beforeAll(async () => {
  service = await sharedService();
  [company, other] = [await newCompany(service), await newCompany(service)];
  await company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 250 } });
  const parties = await newParties(company, 90_000);
  ({ buyer, seller } = parties);
  const begin = async () => (await company.post('/v1/escrow/initiate', parties.escrow())).body.id;
  escrows = { released: await begin(), cancelled: await begin(), held: await begin() };
  await company.post(`/v1/escrow/${escrows.released}/release`);
  await company.post(`/v1/escrow/${escrows.cancelled}/cancel`, { actor: 'BUYER', reason: 'Changed my mind' });
  const { body: deposit } = await company.post('/v1/payments/deposit', { amount: 700, currency: 'ZIG' });
  depositDay = deposit.createdAt.slice(0, 10);
  depositedAt = new Date(deposit.createdAt);
  await company.post('/v1/payments/deposit', { userId: seller.id, amount: 300, currency: 'USD', isTransit: true });
  const { body } = await company.get('/v1/ledger/company/accounts');
  companyLedger = body[0].ledgerId;
});
afterAll(() => service.stop());

describe('GET /v1/ledger/overview/{ledgerId}', () => {
  test('of a user: accounts, their owner, and their sums per currency', async () => {
    const { status, body } = await company.get(`/v1/ledger/overview/${buyer.ledgerId}`);
    expect(status).toBe(200);
    expect(body.ledger).toEqual({
      id: buyer.ledgerId,
      name: 'User',
      user: { id: buyer.id, first_name: null, last_name: null },
    });
    expect(body.accounts.map(({ type, currency }: Record<string, string>) => `${type} ${currency}`)).toEqual([
      'USER USD',
      'USER ZIG',
    ]);
    expect(body.totals).toEqual([
      { currency: 'USD', balance: '65000', held_balance: '25000', available_balance: '40000' },
      { currency: 'ZIG', balance: '0', held_balance: '0', available_balance: '0' },
    ]);
  });

  test('of the company: no user, and the outside world is one of its accounts', async () => {
    const { body } = await company.get(`/v1/ledger/overview/${companyLedger}`);
    expect(body.ledger).toMatchObject({ id: companyLedger, user: null });
    expect(body.accounts).toHaveLength(19); // with INTERCOMPANY, which opened with the first fee
    // The users' money with the opposite sign; 625 is the company's fee, and 250 is its debt to the platform.
    expect(body.totals[0]).toMatchObject({ currency: 'USD', balance: String(-(90_000 + 300) + 625 + 250) });
    expect(body.totals[1]).toMatchObject({ currency: 'ZIG', balance: '0' });
  });

  test('refuses an id that is unknown, malformed, of another kind, or of another company', async () => {
    expect(await company.get(`/v1/ledger/overview/${nobody('ldg')}`)).toMatchObject(refused(404, 'not_found'));
    expect(await company.get('/v1/ledger/overview/x')).toMatchObject(refused(400, 'invalid_id'));
    expect(await company.get(`/v1/ledger/overview/${buyer.id}`)).toMatchObject(refused(400, 'invalid_id'));
    expect(await other.get(`/v1/ledger/overview/${buyer.ledgerId}`)).toMatchObject(refused(404, 'not_found'));
  });
});

describe('GET /v1/ledger/{ledgerId}/transactions', () => {
  const list = (ledgerId: string, query = '') => company.get(`/v1/ledger/${ledgerId}/transactions${query}`);

  test('of a buyer: deposit, holds, payment and refund, newest first, with the entries of each', async () => {
    const { status, body } = await list(buyer.ledgerId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 6, limit: 1_000, offset: 0 });
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
      'REFUND',
      'PAYMENT',
      'ESCROW_HOLD',
      'ESCROW_HOLD',
      'ESCROW_HOLD',
      'DEPOSIT',
    ]);
    const [refund, payment] = body.data;
    expect(refund).toMatchObject({ amount: '25000', status: 'COMPLETED', escrowId: escrows.cancelled, entries: [] });
    expect(payment).toMatchObject({ amount: '25000', currency: 'USD', escrowId: escrows.released, metadata: {} });
    expect(payment.entries).toHaveLength(4); // the platform's fee is another company's entry; the debt for it is here
    expect(payment.entries).toContainEqual({
      accountId: buyer.usdAccountId,
      direction: 'DEBIT',
      amount: '25000',
      balance_after: '65000',
    });
    expect(payment.entries).toContainEqual({
      accountId: seller.usdAccountId,
      direction: 'CREDIT',
      amount: '24125',
      balance_after: '24125',
    });
    expect(payment.entries).toContainEqual(
      expect.objectContaining({ direction: 'CREDIT', amount: '625', balance_after: '625' }),
    );
  });

  test('excludes transactions of other ledgers', async () => {
    const { body } = await list(seller.ledgerId);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['DEPOSIT', 'PAYMENT']);
    const own = await list(companyLedger);
    expect(own.body.data.map(({ type }: { type: string }) => type)).toEqual([
      'DEPOSIT',
      'DEPOSIT',
      'PAYMENT',
      'DEPOSIT',
    ]);
  });

  test.each([
    ['type=ESCROW_HOLD', 3],
    ['type=PAYMENT&status=COMPLETED', 1],
    ['status=COMPLETED', 6],
    ['status=FAILED', 0],
    ['endDate=2020-01-01', 0],
    ['startDate=2020-01-01', 6],
  ])('?%s: %i', async (query, total) => {
    const { body } = await list(buyer.ledgerId, `?${query}`);
    expect(body.total).toBe(total);
    expect(body.data).toHaveLength(total);
  });

  test('money in transit is found by its status', async () => {
    expect((await list(seller.ledgerId, '?status=PROCESSING')).body).toMatchObject({
      total: 1,
      data: [{ type: 'DEPOSIT', amount: '300', status: 'PROCESSING' }],
    });
  });

  test('pages follow each other without gap or overlap', async () => {
    const all = (await list(buyer.ledgerId)).body.data;
    const pages = [await list(buyer.ledgerId, '?limit=4'), await list(buyer.ledgerId, '?limit=4&offset=4')];
    expect(pages.flatMap(({ body }) => body.data)).toEqual(all);
    expect(pages[1]?.body).toMatchObject({ total: 6, limit: 4, offset: 4 });
  });

  test.each([
    'limit=0',
    'limit=1001',
    'offset=-1',
    'type=GIFT',
    'status=done',
    'startDate=x',
    'startDate=2026-02-02&endDate=2026-02-01',
  ])('?%s: validation_failed', async (query) => {
    expect(await list(buyer.ledgerId, `?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('refuses an id that is unknown, malformed, or of another company', async () => {
    expect(await list(nobody('ldg'))).toMatchObject(refused(404, 'not_found'));
    expect(await list('acc_1')).toMatchObject(refused(400, 'invalid_id'));
    expect(await other.get(`/v1/ledger/${buyer.ledgerId}/transactions`)).toMatchObject(refused(404, 'not_found'));
  });
});

describe('GET /v1/ledger/escrow/history', () => {
  test('has one entry per hold, payment and refund, newest first, with the earnings of company and platform', async () => {
    const { status, body, headers } = await company.get('/v1/ledger/escrow/history');
    expect(status).toBe(200);
    expect(headers.get('x-total-count')).toBe('5');
    expect(body.map(({ type }: { type: string }) => type)).toEqual([
      'REFUND',
      'PAYMENT',
      'ESCROW_HOLD',
      'ESCROW_HOLD',
      'ESCROW_HOLD',
    ]);
    expect(body[1]).toEqual({
      id: expect.stringMatching(/^txn_/),
      status: 'COMPLETED',
      type: 'PAYMENT',
      amount: '25000',
      currency: 'USD',
      company_revenue: '625',
      system_revenue: '250',
      total_amount: '25000',
      escrowId: escrows.released,
      created_at: expect.any(String),
      buyer: { id: buyer.id, first_name: null },
      seller: { id: seller.id, first_name: null },
    });
    for (const entry of [body[0], ...body.slice(2)])
      expect(entry).toMatchObject({ company_revenue: '0', system_revenue: '0', total_amount: '25000' });
  });

  test('names buyer and seller where they have names', async () => {
    const shop = await newCompany(service, 'Shop');
    const { buyer: customer, escrow } = await newParties(shop);
    const ana = await newUser(shop, { firstName: 'Ana', lastName: 'Moyo' });
    await shop.post('/v1/payments/deposit', { userId: ana.id, amount: 50_000, currency: 'USD' });
    const terms = { buyerId: ana.id, buyerAccountId: ana.usdAccountId, sellerId: customer.id };
    await shop.post('/v1/escrow/initiate', escrow(terms));
    const { body } = await shop.get('/v1/ledger/escrow/history');
    expect(body).toMatchObject([{ type: 'ESCROW_HOLD', buyer: { first_name: 'Ana' }, seller: { first_name: null } }]);
  });

  test('names the company as seller when it sells; its fee is revenue, and its price is not', async () => {
    const shop = await newCompany(service, 'Shop');
    await shop.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 250 } });
    const link = await offerLink(service, shop);
    const { body: opened } = await link.say('eft-pay/initiate');
    await service.sandbox.settle(opened.checkoutId, 'success');
    await eventually(async () => (await link.details()).status === 'ACCEPTED');
    await shop.post(`/v1/escrow/${link.escrowId}/release`);

    const { body } = await shop.get('/v1/ledger/escrow/history');
    const [payment, hold] = body;
    const { name } = (await shop.get('/v1/core/companies/me')).body;
    const parties = { buyer: { id: link.buyer.id, first_name: 'Bea' }, seller: { id: shop.id, first_name: name } };
    expect(hold).toMatchObject({ type: 'ESCROW_HOLD', company_revenue: '0', system_revenue: '0', ...parties });
    expect(payment).toMatchObject({ type: 'PAYMENT', company_revenue: '625', system_revenue: '250', ...parties });
    const { body: own } = await shop.get('/v1/ledger/company/accounts');
    const balanceOf = (wanted: string) =>
      own.find(({ type, currency }: Record<string, string>) => type === wanted && currency === 'USD').balance;
    expect(['COMPANY', 'SERVICE_FEE', 'CLEARING_CARD'].map(balanceOf)).toEqual(['24125', '625', '-25000']);
  });

  test('is paged and windowed, with the total of the window', async () => {
    const all = (await company.get('/v1/ledger/escrow/history')).body;
    const page = await company.get('/v1/ledger/escrow/history?limit=2&offset=1');
    expect(page.body).toEqual(all.slice(1, 3));
    expect(page.headers.get('x-total-count')).toBe('5');
    const newest = await company.get(`/v1/ledger/escrow/history?startDate=${all[1].created_at}`);
    expect(newest.body).toEqual(all.slice(0, 2));
    expect(newest.headers.get('x-total-count')).toBe('2');
    const none = await company.get('/v1/ledger/escrow/history?endDate=2020-01-01');
    expect(none.body).toEqual([]);
    expect(none.headers.get('x-total-count')).toBe('0');
  });

  test.each(['limit=0', 'limit=1001', 'startDate=x', 'startDate=2026-02-02&endDate=2026-02-01'])(
    '?%s: validation_failed',
    async (query) => {
      expect(await company.get(`/v1/ledger/escrow/history?${query}`)).toMatchObject(refused(400, 'validation_failed'));
    },
  );

  test('is empty for another company', async () => {
    const { body, headers } = await other.get('/v1/ledger/escrow/history');
    expect(body).toEqual([]);
    expect(headers.get('x-total-count')).toBe('0');
  });
});

describe('GET /v1/ledger/stats/system', () => {
  test("counts the company's own, and says how long its postings took", async () => {
    const { status, body } = await company.get('/v1/ledger/stats/system');
    expect(status).toBe(200);
    const { p50, p95, p99 } = body.postingLatencyMs;
    expect(0 < p50 && p50 <= p95 && p95 <= p99 && p99 < 10_000).toBe(true);
    const { total, last24Hours, lastMinutePerSecond } = body.transactions;
    expect(total).toBeGreaterThanOrEqual(8);
    expect(last24Hours).toBe(total);
    expect(lastMinutePerSecond).toBeLessThanOrEqual(total / 60);
    expect(body.uptimeSeconds).toBeGreaterThanOrEqual(0);
    expect(body.escrowsByStatus).toEqual({
      PENDING: 0,
      ACTIVE: 1,
      DELIVERY_NOTED: 0,
      GOODS_RECEIVED: 0,
      DISPUTED: 0,
      COMPLETED: 1,
      CANCELLED: 1,
      RESOLVED: 0,
    });
    // The INTERCOMPANY account opened with the first fee.
    expect(body).toMatchObject({ accounts: 18 + 2 * 2 + 1, users: 2 });
  });

  test('a company without postings has zeros and no latency', async () => {
    expect((await other.get('/v1/ledger/stats/system')).body).toMatchObject({
      transactions: { total: 0, last24Hours: 0, lastMinutePerSecond: 0 },
      postingLatencyMs: { p50: null, p95: null, p99: null },
      accounts: 18,
      users: 0,
    });
  });
});

describe('GET /v1/ledger/stats/cashflow', () => {
  const series = async (query: string) => (await company.get(`/v1/ledger/stats/cashflow?${query}`)).body.series;

  test('30 days by day: zeros, and the money of the day of its deposit; money in transit does not count yet', async () => {
    const { status, body } = await company.get('/v1/ledger/stats/cashflow');
    expect(status).toBe(200);
    expect(body.interval).toBe('day');
    expect(body.series.length).toBe(31 * 2);
    const isZero = ({ inflow, outflow, net }: Record<string, string>) => `${inflow} ${outflow} ${net}` === '0 0 0';
    expect(body.series.filter((one: Record<string, string>) => !isZero(one))).toEqual([
      { period: depositDay, currency: 'USD', inflow: '90000', outflow: '0', net: '90000' },
      { period: depositDay, currency: 'ZIG', inflow: '700', outflow: '0', net: '700' },
    ]);
  });

  test('by week and month, in one currency', async () => {
    const weeks = await series('interval=week&startDate=2026-01-01&endDate=2026-01-31&currency=USD');
    expect(weeks.map(({ period }: { period: string }) => period)).toEqual([
      '2025-12-29',
      '2026-01-05',
      '2026-01-12',
      '2026-01-19',
      '2026-01-26',
    ]);
    const months = await series('interval=month&startDate=2026-01-15&endDate=2026-03-01&currency=ZIG');
    expect(months).toEqual(
      ['2026-01-01', '2026-02-01', '2026-03-01'].map((period) => ({
        period,
        currency: 'ZIG',
        inflow: '0',
        outflow: '0',
        net: '0',
      })),
    );
  });

  test.each([
    'interval=year',
    'currency=EUR',
    'startDate=2026-02-02&endDate=2026-02-01',
    'startDate=1990-01-01',
    'zone=Mars/Olympus',
  ])('?%s: validation_failed', async (query) => {
    expect(await company.get(`/v1/ledger/stats/cashflow?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('by the days of a zone, each with what came in between its instants', async () => {
    for (const timeZone of ['Etc/GMT+12', 'Etc/GMT-14', 'Asia/Kathmandu']) {
      const days = await series(`currency=USD&zone=${encodeURIComponent(timeZone)}`);
      const came = days.filter(({ inflow }: { inflow: string }) => inflow !== '0');
      expect(came).toEqual([expect.objectContaining({ period: dayIn(timeZone, depositedAt), inflow: '90000' })]);
    }
    const zoned = 'zone=Africa%2FHarare&currency=ZIG';
    const periods = async (query: string) =>
      (await series(`${query}&${zoned}`)).map(({ period }: { period: string }) => period);
    expect(await periods('interval=month&startDate=2026-01-31T22:00:00Z&endDate=2026-03-01')).toEqual([
      '2026-02-01',
      '2026-03-01',
    ]);
    expect(await periods('interval=week&startDate=2026-01-01&endDate=2026-01-05T22:00:00Z')).toEqual([
      '2025-12-29',
      '2026-01-05',
    ]);
  });

  test('shows nothing of it to another company', async () => {
    const { body } = await other.get('/v1/ledger/stats/cashflow');
    expect(body.series.every(({ net }: { net: string }) => net === '0')).toBe(true);
  });
});
