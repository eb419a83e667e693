import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { logIn, newAdministrator, refused, type TestAdministrator } from '../../../support/api.ts';
import { newCompany, newParties, PLATFORM, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
let admin: TestAdministrator;
let manager: TestAdministrator;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  [admin, manager] = [
    await newAdministrator(service, company, 'admin'),
    await newAdministrator(service, company, 'manager'),
  ];
});
afterAll(() => service.stop());

/** An escrow whose buyer disputes it. */
async function disputed(of: TestCompany, pricePerUnit = 12_500): Promise<string> {
  const { escrow } = await newParties(of);
  const { body } = await of.post(
    '/v1/escrow/initiate',
    escrow({ items: [{ name: 'Maize', quantity: 2, pricePerUnit }] }),
  );
  await of.post(`/v1/escrow/${body.id}/dispute`, { actor: 'BUYER', reason: `It is wet: ${pricePerUnit}.` });
  return body.id;
}
const decide = (id: string, adminId: string, reason?: string) =>
  company.post(`/v1/escrow/${id}/admin-resolve`, {
    adminId,
    newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 1_000 },
    ...(reason === undefined ? {} : { reason }),
  });

describe('GET /v1/escrow/disputes', () => {
  test('lists open disputes by age and by amount, with who opened them and why', async () => {
    const own = await newCompany(service);
    const [small, large, middle] = [await disputed(own, 100), await disputed(own, 30_000), await disputed(own, 2_000)];
    const ids = async (query: string) =>
      (await own.get(`/v1/escrow/disputes${query}`)).body.data.map((row: { escrowId: string }) => row.escrowId);
    expect(await ids('')).toEqual([small, large, middle]);
    expect(await ids('?sort=-amount')).toEqual([large, middle, small]);
    const first = await own.get('/v1/escrow/disputes?sort=-amount&limit=1');
    expect(first.body).toMatchObject({
      total: 3,
      data: [
        { escrowId: large, openedBy: 'BUYER', reason: 'It is wet: 30000.', heldAmount: '60000', assignedTo: null },
      ],
    });
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
    expect(await ids(`?sort=-amount&cursor=${cursor}`)).toEqual([middle, small]);
    expect(await ids('?currency=ZIG')).toEqual([]);
  });

  test('a decided dispute leaves the list and can still be read', async () => {
    const id = await disputed(company);
    await decide(id, admin.id, 'Both are a little right.');
    const { body } = await company.get('/v1/escrow/disputes?limit=100');
    expect(body.data.map((row: { escrowId: string }) => row.escrowId)).not.toContain(id);
    expect(await company.get(`/v1/escrow/${id}/dispute`)).toMatchObject({ status: 200, body: { escrowId: id } });
  });
});

describe('assignment', () => {
  test('can be made to an administrator who may decide, changed, and removed', async () => {
    const [id, own] = [await disputed(company), await newAdministrator(service, company, 'admin')];
    const path = `/v1/escrow/${id}/dispute/assign`;
    expect(await own.post(path, { adminId: own.id })).toMatchObject({
      status: 200,
      body: { assignedTo: { adminId: own.id, name: expect.any(String) } },
    });
    const { body: mine } = await company.get(`/v1/escrow/disputes?limit=100&assignedTo=${own.id}`);
    expect(mine.data.map((row: { escrowId: string }) => row.escrowId)).toEqual([id]);
    const { body: free } = await company.get('/v1/escrow/disputes?limit=100&isAssigned=false');
    expect(free.data.map((row: { escrowId: string }) => row.escrowId)).not.toContain(id);
    expect(await own.post(path, { adminId: company.owner.id })).toMatchObject({
      body: { assignedTo: { adminId: company.owner.id } },
    });
    expect(await own.post(path, { adminId: null })).toMatchObject({ status: 200, body: { assignedTo: null } });
  });

  test('is refused if the caller knows another assignee than there is', async () => {
    const id = await disputed(company);
    const path = `/v1/escrow/${id}/dispute/assign`;
    const [one, other] = [admin.id, company.owner.id];
    const sent = [one, other, one, other].map((adminId) => admin.post(path, { adminId, knownAdminId: null }));
    const answers = await Promise.all(sent);
    const { assignedTo } = (await company.get(`/v1/escrow/${id}/dispute`)).body;
    for (const [index, answer] of answers.entries())
      if ([one, other][index % 2] === assignedTo.adminId) expect(answer.status).toBe(200);
      else expect(answer).toMatchObject(refused(409, 'wrong_state'));
    const loser = assignedTo.adminId === one ? other : one;
    expect(await admin.post(path, { adminId: null, knownAdminId: loser })).toMatchObject(refused(409, 'wrong_state'));
    expect(await admin.post(path, { adminId: loser, knownAdminId: assignedTo.adminId })).toMatchObject({
      status: 200,
      body: { assignedTo: { adminId: loser } },
    });
  });

  test('is possible only to administrators of the company whose role permits a decision', async () => {
    const id = await disputed(company);
    const stranger = await newAdministrator(service, await newCompany(service), 'admin');
    for (const adminId of [manager.id, stranger.id])
      expect(await admin.post(`/v1/escrow/${id}/dispute/assign`, { adminId })).toMatchObject(
        refused(422, 'unknown_admin'),
      );
    expect(await manager.post(`/v1/escrow/${id}/dispute/assign`, { adminId: admin.id })).toMatchObject(
      refused(403, 'forbidden'),
    );
  });

  test('an administrator of the platform can assign a dispute to themselves', async () => {
    const id = await disputed(company);
    const login = await service.request('POST', '/v1/auth/login', { body: PLATFORM });
    const platform = await logIn(service, company.id, PLATFORM);
    expect(await platform.post(`/v1/escrow/${id}/dispute/assign`, { adminId: login.body.userId })).toMatchObject({
      status: 200,
      body: { assignedTo: { adminId: login.body.userId, name: null } },
    });
  });

  test('is refused after the decision', async () => {
    const id = await disputed(company);
    await decide(id, admin.id);
    expect(await admin.post(`/v1/escrow/${id}/dispute/assign`, { adminId: admin.id })).toMatchObject(
      refused(409, 'wrong_state'),
    );
  });
});

describe('internal notes', () => {
  test('are kept in order with their authors, once for each idempotency key', async () => {
    const id = await disputed(company);
    const path = `/v1/escrow/${id}/dispute/notes`;
    await manager.post(path, { note: 'Called the buyer.' });
    const key = 'the-same-key';
    await company.post(path, { note: 'From the shop.' }, key);
    const again = await company.post(path, { note: 'From the shop.' }, key);
    expect(again.body.notes).toEqual([
      { text: 'Called the buyer.', adminId: manager.id, authorName: expect.any(String), at: expect.any(String) },
      { text: 'From the shop.', adminId: null, authorName: null, at: expect.any(String) },
    ]);
    const { body: timeline } = await company.get(`/v1/escrow/${id}/timeline`);
    expect(JSON.stringify(timeline)).not.toContain('Called the buyer.');
  });

  test('an escrow without a dispute has none', async () => {
    const { escrow } = await newParties(company);
    const { body } = await company.post('/v1/escrow/initiate', escrow());
    expect(await company.post(`/v1/escrow/${body.id}/dispute/notes`, { note: 'x' })).toMatchObject(
      refused(409, 'wrong_state'),
    );
    expect(await company.get(`/v1/escrow/${body.id}/dispute`)).toMatchObject(refused(409, 'wrong_state'));
  });
});

test('the reason of a decision is in the timeline', async () => {
  const id = await disputed(company);
  expect(await decide(id, admin.id, 'The bags were wet.')).toMatchObject({ status: 200 });
  const { body } = await company.get(`/v1/escrow/${id}/timeline`);
  expect(body.at(-1)).toMatchObject({ event: 'RESOLVED', details: { reason: 'The bags were wet.' } });
});

describe('GET /v1/ledger/stats/position', () => {
  test('shows available, held and transit money separately, and the age of open escrows', async () => {
    const own = await newCompany(service);
    const { buyer, escrow } = await newParties(own, 100_000);
    await own.post('/v1/escrow/initiate', escrow());
    await disputed(own, 1_000);
    await own.post('/v1/payments/deposit', { userId: buyer.id, amount: 7_000, currency: 'USD', isTransit: true });
    const { body } = await own.get('/v1/ledger/stats/position');
    const held = 25_000 + 2_000;
    expect(body.money).toContainEqual({
      currency: 'USD',
      available: String(200_000 - held),
      held: String(held),
      inTransit: '7000',
      payouts: { count: 0, amount: '0' },
    });
    expect(body.openEscrows).toEqual(
      expect.arrayContaining([
        { currency: 'USD', status: 'ACTIVE', age: 'UP_TO_1_DAY', count: 1, heldAmount: '25000' },
        { currency: 'USD', status: 'DISPUTED', age: 'UP_TO_1_DAY', count: 1, heldAmount: '2000' },
      ]),
    );
  });
});
