import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, newAdministrator, nobody, refused, sql } from '../../../support/api.ts';
import { newCompany, newParties, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
/** With three escrows: the first cancelled, the second released, the third active. */
let company: TestCompany;
let ids: string[];
let parties: Awaited<ReturnType<typeof newParties>>;
let others: Awaited<ReturnType<typeof newParties>>;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  [parties, others] = [await newParties(company), await newParties(company)];
  ids = [];
  for (const order of [parties.escrow(), others.escrow(), parties.escrow({ externalReference: 'order-3' })])
    ids.push((await company.post('/v1/escrow/initiate', order)).body.id);
  await company.post(`/v1/escrow/${ids[0]}/cancel`, { actor: 'SELLER', reason: 'sold out' });
  await company.post(`/v1/escrow/${ids[1]}/release`);
  // They are days apart, so that date ranges can select them.
  for (const [index, at] of ['2026-03-01T10:00:00Z', '2026-03-02T23:59:59.500Z', '2026-03-03T00:00:00Z'].entries())
    await sql(service, 'update escrow set created_at = $1 where id = $2', [at, bare(ids[index] ?? '')]);
});
afterAll(() => service.stop());

const list = (query = '') => company.get(`/v1/escrow${query}`);
/** The positions of those of the three that a list contains. */
const found = async (query: string) => {
  const { body } = await list(query);
  return [body.data.map(({ id }: { id: string }) => ids.indexOf(id)), body.total];
};

describe('GET /v1/escrow', () => {
  test('lists newest first, each with parties and amount', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.total).toBe(3);
    expect(body.data[0]).toEqual({
      id: ids[2],
      status: 'ACTIVE',
      externalReference: 'order-3',
      totalAmount: '25000',
      currency: 'USD',
      buyer: { id: parties.buyer.id, name: null },
      seller: { id: parties.seller.id, name: null },
      createdAt: '2026-03-03T00:00:00.000Z',
    });
    expect(await found('')).toEqual([[2, 1, 0], 3]);
  });

  test.each([
    ['?status=ACTIVE', [2]],
    ['?status=COMPLETED', [1]],
    ['?status=CANCELLED', [0]],
    ['?status=DISPUTED', []],
    ['?externalReference=order-3', [2]],
    ['?externalReference=%20order-3%20', [2]],
    ['?externalReference=ORDER-3', []],
    ['?startDate=2026-03-02', [2, 1]],
    ['?endDate=2026-03-02', [1, 0]],
    ['?startDate=2026-03-02&endDate=2026-03-02', [1]],
    ['?startDate=2026-03-02T23:59:59.501Z', [2]],
    ['?endDate=2026-03-02T23:59:59.500Z', [1, 0]],
    ['?startDate=2026-03-03T02:00:00%2B02:00', [2]],
    ['?startDate=2026-03-03T00:00:00Z&endDate=2026-03-03T00:00:00Z', [2]],
    ['?startDate=0001-01-01&endDate=9999-12-31', [2, 1, 0]],
    ['?startDate=0000-01-01', [2, 1, 0]],
    ['?startDate=2026-03-02&status=CANCELLED', []],
  ])('%s finds %j', async (query, expected) => {
    expect(await found(query)).toEqual([expected, expected.length]);
  });

  test('filters by buyer and seller, with any form of the id', async () => {
    expect(await found(`?buyerId=${parties.buyer.id}`)).toEqual([[2, 0], 2]);
    expect(await found(`?sellerId=${bare(others.seller.id)}`)).toEqual([[1], 1]);
    expect(await found(`?buyerId=${parties.seller.id}`)).toEqual([[], 0]);
    expect(await found(`?buyerId=${nobody('usr')}`)).toEqual([[], 0]);
  });

  test('limit and offset select a page; total counts all', async () => {
    expect(await found('?limit=1')).toEqual([[2], 3]);
    expect(await found('?limit=2&offset=1')).toEqual([[1, 0], 3]);
    expect(await found('?offset=3')).toEqual([[], 3]);
  });

  test('shows no escrow of another company', async () => {
    const other = await newCompany(service);
    expect((await other.get('/v1/escrow')).body).toEqual({ data: [], total: 0, limit: 20, offset: 0 });
    expect((await other.get(`/v1/escrow?buyerId=${parties.buyer.id}`)).body.total).toBe(0);
  });

  test.each([
    'status=active',
    'status=ALL',
    'status=',
    'buyerId=somebody',
    'buyerId=acc_01900000-0000-7000-8000-000000000001',
    'startDate=yesterday',
    'startDate=2026-02-30',
    'startDate=2026-03-01T10:00:00',
    'endDate=20260301',
    'startDate=2026-03-02&endDate=2026-03-01',
    'limit=0',
    'limit=101',
    'limit=1.0',
    'offset=-1',
    'externalReference=',
  ])('?%s: validation_failed', async (query) => {
    expect(await list(`?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('GET /v1/escrow/active', () => {
  test('lists whole escrows that are ACTIVE, and counts them', async () => {
    const answer = await company.get('/v1/escrow/active');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-total-count')).toBe('1');
    expect(answer.body).toEqual([(await company.get(`/v1/escrow/${ids[2]}`)).body]);
    const page = await company.get('/v1/escrow/active?offset=1&limit=1');
    expect(page.body).toEqual([]);
    expect(page.headers.get('x-total-count')).toBe('1');
  });

  test.each(['limit=0', 'limit=1001', 'offset=-1'])('?%s: validation_failed', async (query) => {
    expect(await company.get(`/v1/escrow/active?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('GET /v1/escrow/{id}', () => {
  test('answers every field, null or empty where there is nothing', async () => {
    const { status, body } = await company.get(`/v1/escrow/${ids[2]}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: ids[2],
      status: 'ACTIVE',
      externalReference: 'order-3',
      externalInvoiceNumber: null,
      totalAmount: '25000',
      currency: 'USD',
      feePayer: 'SELLER',
      splitPlan: { system_fee_cents: '250', service_fee_cents: '0', seller_payout_cents: '24750' },
      heldAmount: '25000',
      releasedAmount: '0',
      refundedAmount: '0',
      chargedBackAmount: '0',
      fees: {
        system_fee_basis_points: 100,
        service_fee_basis_points: 0,
        system_fee_since: expect.any(String),
        service_fee_since: expect.any(String),
      },
      buyer: { id: parties.buyer.id, name: null },
      seller: { id: parties.seller.id, name: null },
      buyerAccountId: parties.buyer.usdAccountId,
      sellerAccountId: parties.seller.usdAccountId,
      milestones: [],
      items: [
        {
          id: expect.stringMatching(/^itm_/),
          name: 'Maize, 50 kg',
          description: null,
          quantity: 2,
          pricePerUnit: 12_500,
          receivedQuantity: 0,
        },
      ],
      openNegotiation: null,
      dispute: null,
      autoReleaseAt: null,
      releaseBlockedBy: null,
      createdAt: '2026-03-03T00:00:00.000Z',
      updatedAt: expect.any(String),
      version: 1,
    });
  });

  test('shows the final amounts of an ended escrow', async () => {
    expect((await company.get(`/v1/escrow/${ids[0]}`)).body).toMatchObject({
      status: 'CANCELLED',
      heldAmount: '0',
      releasedAmount: '0',
      refundedAmount: '25000',
    });
    expect((await company.get(`/v1/escrow/${ids[1]}`)).body).toMatchObject({
      status: 'COMPLETED',
      heldAmount: '0',
      refundedAmount: '0',
    });
  });
});

describe('GET /v1/escrow/{id}/timeline', () => {
  test('lists the events in order with actor, time and notes', async () => {
    const { status, body } = await company.get(`/v1/escrow/${ids[0]}/timeline`);
    expect(status).toBe(200);
    expect(body).toEqual([
      { event: 'INITIATED', actor: 'COMPANY', source: 'API', at: expect.any(String), details: expect.any(Object) },
      {
        event: 'CANCELLED',
        actor: 'SELLER',
        source: 'API',
        at: expect.any(String),
        details: expect.objectContaining({ reason: 'sold out' }),
      },
    ]);
  });
});

describe.each(['', '/timeline'])('GET /v1/escrow/{id}%s', (suffix) => {
  test('takes the id with its prefix, without it, and in capitals', async () => {
    const id = ids[0] ?? '';
    const { body } = await company.get(`/v1/escrow/${id}${suffix}`);
    for (const form of [bare(id), bare(id).toUpperCase()])
      expect(await company.get(`/v1/escrow/${form}${suffix}`)).toMatchObject({ status: 200, body });
  });

  test('a MANAGER reads it', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    expect(await manager.request('GET', `/v1/escrow/${ids[0]}${suffix}`)).toMatchObject({ status: 200 });
  });
});
