import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, logIn, newAdministrator, nobody, refused, sql } from '../../../support/api.ts';
import {
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
  type TestUser,
  untilAnswered,
} from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

const PATH = '/v1/escrow/initiate';

let service: TestService;
let company: TestCompany;
let buyer: TestUser;
let seller: TestUser;
let escrow: Awaited<ReturnType<typeof newParties>>['escrow'];

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  ({ buyer, seller, escrow } = await newParties(company, 1_000_000));
});
afterAll(() => service.stop());

const initiate = (fields: Record<string, unknown> = {}) => company.post(PATH, escrow(fields));
const detailOf = async (id: string) => (await company.get(`/v1/escrow/${id}`)).body;
const accountOf = async (user: TestUser, currency: string, of = company): Promise<{ id: string; balance: string }> =>
  (await of.get(`/v1/ledger/user/${user.id}/accounts`)).body.find(
    (one: { currency: string }) => one.currency === currency,
  );
const item = (quantity: number, pricePerUnit: number) => ({ name: 'Maize', quantity, pricePerUnit });

describe('POST /v1/escrow/initiate', () => {
  test('holds the sum of the items, and answers the escrow ACTIVE', async () => {
    const parties = await newParties(company, 100_000);
    const { status, body } = await company.post(
      PATH,
      parties.escrow({ items: [item(3, 1_999), { ...item(1, 3), description: 'a bag' }] }),
    );
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^esc_[0-9a-f-]{36}$/),
      status: 'ACTIVE',
      totalAmount: '6000',
      currency: 'USD',
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      items: (await detailOf(body.id)).items.map(({ receivedQuantity, ...ordered }: Record<string, unknown>) => {
        expect(receivedQuantity).toBe(0);
        return ordered;
      }),
      milestones: [],
      orderPages: null,
    });
    expect(await accountOf(parties.buyer, 'USD')).toMatchObject({
      balance: '100000',
      held_balance: '6000',
      available_balance: '94000',
    });
  });

  test('answers the milestones with their ids, in the order of the request', async () => {
    const milestones = [
      { title: 'Foundation', percentage: 33.34 },
      { title: 'Roof', description: 'With tiles', percentage: 66.66 },
    ];
    const { body } = await initiate({ milestones });
    const read: { milestones: Record<string, unknown>[] } = await detailOf(body.id);
    const ordered = read.milestones.map(({ id, title, description, percentage }) => ({
      id,
      title,
      description,
      percentage,
    }));
    expect(ordered).toMatchObject(milestones);
    expect(body.milestones).toEqual(ordered);
  });

  test('takes bare ids, and the seller account by name', async () => {
    const account = await accountOf(seller, 'USD');
    const { body, status } = await initiate({
      buyerId: bare(buyer.id),
      sellerId: bare(seller.id).toUpperCase(),
      buyerAccountId: bare(buyer.usdAccountId),
      sellerAccountId: account.id,
    });
    expect(status).toBe(201);
    expect(await detailOf(body.id)).toMatchObject({
      buyer: { id: buyer.id },
      seller: { id: seller.id },
      buyerAccountId: buyer.usdAccountId,
      sellerAccountId: account.id,
    });
  });

  test.each([
    ['the seller by default', {}, '10050', ['101', '0', '9949']],
    ['the seller', { feePayer: 'SELLER' }, '10050', ['101', '0', '9949']],
    ['the buyer, on top', { feePayer: 'BUYER' }, '10151', ['101', '0', '10050']],
  ])('the fee is paid by %s, half a cent rounded up', async (_who, fields, held, [system, service_, payout]) => {
    const { body } = await initiate({ items: [item(1, 10_050)], ...fields });
    expect(body.totalAmount).toBe('10050');
    expect(await detailOf(body.id)).toMatchObject({
      heldAmount: held,
      feePayer: 'feePayer' in fields ? fields.feePayer : 'SELLER',
      splitPlan: { system_fee_cents: system, service_fee_cents: service_, seller_payout_cents: payout },
    });
  });

  test('a split plan that sums to the total is paid, even if a part is zero', async () => {
    const splitPlan = { system_fee_cents: 0, service_fee_cents: 500, seller_payout_cents: 24_500 };
    const { body, status } = await initiate({ splitPlan });
    expect(status).toBe(201);
    expect((await detailOf(body.id)).splitPlan).toEqual({
      system_fee_cents: '0',
      service_fee_cents: '500',
      seller_payout_cents: '24500',
    });
  });

  test('milestones divide all of it to the cent', async () => {
    const { body, status } = await initiate({
      items: [item(1, 10_001)],
      milestones: [
        { title: ' Foundation ', percentage: 33.33, description: 'dug' },
        { title: 'Walls', percentage: 33.33 },
        { title: 'Roof', percentage: 33.34 },
      ],
    });
    expect(status).toBe(201);
    const { milestones, heldAmount } = await detailOf(body.id);
    expect(milestones).toHaveLength(3);
    expect(milestones[0]).toMatchObject({
      id: expect.stringMatching(/^mst_/),
      title: 'Foundation',
      description: 'dug',
      percentage: 33.33,
      status: 'PENDING',
    });
    const total = milestones.reduce((sum: number, { amount }: { amount: string }) => sum + Number(amount), 0);
    expect([total, heldAmount]).toEqual([10_001, '10001']);
  });

  test('a MANAGER may begin escrows', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    expect(await manager.post(PATH, escrow())).toMatchObject({ status: 201 });
  });

  test('fields that the service sets are refused, and ignored if the client asks for that', async () => {
    const { escrow: order } = await newParties(company);
    const body = { ...order(), status: 'COMPLETED', totalAmount: 1, currency: 'ZIG' };
    expect(await company.post(PATH, body)).toMatchObject(refused(400, 'validation_failed'));
    const headers = { prefer: 'handling=lenient' };
    expect(await company.request('POST', PATH, { body, headers })).toMatchObject({
      status: 201,
      body: { status: 'ACTIVE', totalAmount: '25000', currency: 'USD' },
    });
  });
});

describe('a refused escrow', () => {
  test('stores nothing: no escrow, no hold, and its reference stays free', async () => {
    const parties = await newParties(company, 24_999);
    const externalReference = `order-${randomUUID()}`;
    expect(await company.post(PATH, parties.escrow({ externalReference }))).toMatchObject(
      refused(422, 'insufficient_funds', { available: '24999', requested: '25000' }),
    );
    expect((await company.get(`/v1/escrow?externalReference=${externalReference}`)).body.total).toBe(0);
    expect(await accountOf(parties.buyer, 'USD')).toMatchObject({ balance: '24999', held_balance: '0' });
    await company.post('/v1/payments/deposit', { userId: parties.buyer.id, amount: 1, currency: 'USD' });
    expect(await company.post(PATH, parties.escrow({ externalReference }))).toMatchObject({ status: 201 });
  });

  test('money that is already held, or in transit, cannot be used', async () => {
    const parties = await newParties(company, 40_000);
    await company.post('/v1/payments/deposit', {
      userId: parties.buyer.id,
      amount: 90_000,
      currency: 'USD',
      isTransit: true,
    });
    expect(await company.post(PATH, parties.escrow())).toMatchObject({ status: 201 });
    expect(await company.post(PATH, parties.escrow())).toMatchObject(refused(422, 'insufficient_funds'));
  });

  test("the buyer's balance must also cover the buyer's fee", async () => {
    const parties = await newParties(company, 25_000);
    expect(await company.post(PATH, parties.escrow({ feePayer: 'BUYER' }))).toMatchObject(
      refused(422, 'insufficient_funds', { available: '25000', requested: '25250' }),
    );
    expect(await company.post(PATH, parties.escrow())).toMatchObject({ status: 201 });
  });

  test('tells the balance only to keys that may read it', async () => {
    const parties = await newParties(company, 100);
    const owner = await logIn(service, company.id, company.owner);
    const withKey = async (permissions: readonly string[]) => {
      const { body } = await owner.post('/v1/core/companies/api-keys', { name: 'Orders', permissions });
      const headers = { 'x-api-key': body.key, 'x-company-id': company.id };
      const order = parties.escrow();
      return untilAnswered((key) =>
        service.request('POST', PATH, { headers: { ...headers, 'x-idempotency-key': key }, body: order }),
      );
    };
    const reader = await withKey(['read', 'operate']);
    expect(reader).toMatchObject(refused(422, 'insufficient_funds', { available: '100', requested: '25000' }));
    const blind = await withKey(['operate']);
    expect(blind).toMatchObject(refused(422, 'insufficient_funds'));
    expect(blind.body).not.toHaveProperty('details');
  });

  test('of two concurrent escrows over the same money, one succeeds', async () => {
    const parties = await newParties(company, 30_000);
    const answers = await Promise.all([1, 2].map(() => company.post(PATH, parties.escrow())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  test('buyer and seller must be different users', async () => {
    expect(await initiate({ sellerId: buyer.id })).toMatchObject(refused(422, 'same_party'));
    expect(await initiate({ sellerId: bare(buyer.id) })).toMatchObject(refused(422, 'same_party'));
  });

  test('an unknown party, or one of another company: unknown_user', async () => {
    const stranger = await newUser(await newCompany(service));
    for (const id of [nobody('usr'), stranger.id]) {
      expect(await initiate({ sellerId: id })).toMatchObject(refused(422, 'unknown_user'));
      expect(await initiate({ buyerId: id })).toMatchObject(refused(422, 'unknown_user'));
    }
  });

  test('an unknown account, or one of the other party, the company or another tenant: account_not_owned', async () => {
    const stranger = await newParties(await newCompany(service));
    const [ownAccount] = (await company.get('/v1/ledger/company/accounts')).body;
    for (const id of [nobody('acc'), seller.usdAccountId, ownAccount.id, stranger.buyer.usdAccountId])
      expect(await initiate({ buyerAccountId: id })).toMatchObject(refused(422, 'account_not_owned'));
    for (const id of [nobody('acc'), buyer.usdAccountId, ownAccount.id, stranger.seller.usdAccountId])
      expect(await initiate({ sellerAccountId: id })).toMatchObject(refused(422, 'account_not_owned'));
  });

  test('accounts of two currencies: currency_mismatch', async () => {
    const zig = await accountOf(seller, 'ZIG');
    expect(await initiate({ sellerAccountId: zig.id })).toMatchObject(refused(422, 'currency_mismatch'));
  });

  test('a split plan with another sum: split_mismatch', async () => {
    for (const seller_payout_cents of [24_749, 24_751])
      expect(
        await initiate({ splitPlan: { system_fee_cents: 250, service_fee_cents: 0, seller_payout_cents } }),
      ).toMatchObject(
        refused(422, 'split_mismatch', { available: '25000', requested: `${250 + seller_payout_cents}` }),
      );
  });

  test.each([[[50, 49.99]], [[50, 50.01]], [[100, 100]], [[0]]])(
    'milestones of %j percent: milestones_must_total_100',
    async (percentages) => {
      const milestones = percentages.map((percentage) => ({ title: 'Part', percentage }));
      expect(await initiate({ milestones })).toMatchObject(refused(422, 'milestones_must_total_100'));
    },
  );

  test('an external reference is in use in its company until its escrow is cancelled', async () => {
    const externalReference = `order-${randomUUID()}`;
    const first = await initiate({ externalReference });
    expect(await initiate({ externalReference: ` ${externalReference} ` })).toMatchObject(
      refused(409, 'duplicate_reference'),
    );
    const other = await newCompany(service);
    const theirs = await newParties(other);
    expect(await other.post(PATH, theirs.escrow({ externalReference }))).toMatchObject({ status: 201 });
    await company.post(`/v1/escrow/${first.body.id}/cancel`, { actor: 'BUYER', reason: 'again' });
    expect(await initiate({ externalReference })).toMatchObject({ status: 201 });
  });

  test('a completed escrow keeps its reference', async () => {
    const externalReference = `order-${randomUUID()}`;
    const { body } = await initiate({ externalReference });
    await company.post(`/v1/escrow/${body.id}/release`);
    expect(await initiate({ externalReference })).toMatchObject(refused(409, 'duplicate_reference'));
  });

  test('a total beyond the ledger maximum: amount_too_large', async () => {
    const most = item(1_000_000, Number.MAX_SAFE_INTEGER);
    expect(await initiate({ items: [most, most] })).toMatchObject(refused(422, 'amount_too_large'));
  });

  test('a blacklisted buyer or seller: 403 user_blacklisted', async () => {
    const [bad, good] = [await newParties(company), await newParties(company)];
    await sql(service, `update app_user set identity_status = 'BLACKLISTED' where id = $1`, [bare(bad.buyer.id)]);
    expect(await company.post(PATH, bad.escrow())).toMatchObject(refused(403, 'user_blacklisted'));
    expect(await company.post(PATH, good.escrow({ sellerId: bad.buyer.id }))).toMatchObject(
      refused(403, 'user_blacklisted'),
    );
  });

  test('a frozen buyer account: 422 account_frozen; a frozen seller account may still receive', async () => {
    const parties = await newParties(company);
    const freeze = (user: TestUser) =>
      sql(service, 'update account set is_frozen = true where id = $1', [bare(user.usdAccountId)]);
    await freeze(parties.seller);
    expect(await company.post(PATH, parties.escrow())).toMatchObject({ status: 201 });
    await freeze(parties.buyer);
    expect(await company.post(PATH, parties.escrow())).toMatchObject(refused(422, 'account_frozen'));
  });
});

describe('a malformed request', () => {
  const milestone = (fields: Record<string, unknown>) => ({
    milestones: [{ title: 'All', percentage: 100, ...fields }],
  });
  test.each([
    ['no buyerId', { buyerId: undefined }],
    ['no sellerId', { sellerId: undefined }],
    ['no buyerAccountId', { buyerAccountId: undefined }],
    ['a buyerId of another kind', { buyerId: 'acc_01900000-0000-7000-8000-000000000001' }],
    ['an account id that is none', { sellerAccountId: 'main' }],
    ['no externalReference', { externalReference: undefined }],
    ['an empty externalReference', { externalReference: '  ' }],
    ['a long invoice number', { externalInvoiceNumber: 'x'.repeat(256) }],
    ['no items', { items: undefined }],
    ['an empty list of items', { items: [] }],
    ['101 items', { items: Array.from({ length: 101 }, () => item(1, 1)) }],
    ['an item without a name', { items: [{ quantity: 1, pricePerUnit: 1 }] }],
    ['control characters in a name', { items: [{ ...item(1, 1), name: 'a\u001bb' }] }],
    ['a description of 256 characters', { items: [{ ...item(1, 1), description: 'x'.repeat(256) }] }],
    ['no quantity of an item', { items: [item(0, 1)] }],
    ['half an item', { items: [item(0.5, 1)] }],
    ['more than a million of an item', { items: [item(1_000_001, 1)] }],
    ['an item for nothing', { items: [item(1, 0)] }],
    ['a price as text', { items: [{ name: 'Maize', quantity: 1, pricePerUnit: '100' }] }],
    ['a price past what JSON carries', { items: [item(1, Number.MAX_SAFE_INTEGER + 1)] }],
    ['an unknown feePayer', { feePayer: 'COMPANY' }],
    ['a split plan with a part missing', { splitPlan: { system_fee_cents: 0, service_fee_cents: 0 } }],
    [
      'a negative part of a split plan',
      { splitPlan: { system_fee_cents: -1, service_fee_cents: 0, seller_payout_cents: 25_001 } },
    ],
    [
      'a split plan in text',
      { splitPlan: { system_fee_cents: '0', service_fee_cents: 0, seller_payout_cents: 25_000 } },
    ],
    ['a milestone without a title', milestone({ title: undefined })],
    ['a percentage of three decimals', milestone({ percentage: 33.333 })],
    ['a negative percentage', milestone({ percentage: -1 })],
    ['a percentage over 100', milestone({ percentage: 100.01 })],
    ['51 milestones', { milestones: Array.from({ length: 51 }, () => ({ title: 'Part', percentage: 1 })) }],
    ['autoReleaseHours with milestones', { ...milestone({}), autoReleaseHours: 24 }],
    ['no hour of autoReleaseHours', { autoReleaseHours: 0 }],
  ])('%s: validation_failed', async (_what, fields) => {
    expect(await initiate(fields)).toMatchObject(refused(400, 'validation_failed'));
  });
});
