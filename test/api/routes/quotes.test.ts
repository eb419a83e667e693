import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAdministrator, nobody, refused } from '../../support/api.ts';
import { newCompany, newParties, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';
import { asked, companyAccount } from '../../support/treasury.ts';

let service: TestService;
let company: TestCompany;
let parties: Awaited<ReturnType<typeof newParties>>;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  await company.post('/v1/treasury/seed-configs');
  await company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 133 } });
  parties = await newParties(company, 10_000_000);
});
afterAll(() => service.stop());

describe('POST /v1/escrow/quote', () => {
  const milestones = [33.33, 33.33, 33.34].map((percentage) => ({ percentage }));
  const splitPlan = { system_fee_cents: 7, service_fee_cents: 3, seller_payout_cents: 9_989 };

  test.each([
    ['by default', {}],
    ['fees on top', { feePayer: 'BUYER' }],
    ['milestones', { milestones }],
    ['milestones with fees on top', { milestones, feePayer: 'BUYER' }],
    ['a split plan', { splitPlan }],
  ])('states what the escrow then holds and pays: %s', async (_what, agreed) => {
    const amount = 9_999;
    const quoted = await company.post('/v1/escrow/quote', { amount, currency: 'USD', ...agreed });
    expect(quoted.status).toBe(200);

    const titled = 'milestones' in agreed ? { milestones: milestones.map((one) => ({ ...one, title: 'A part' })) } : {};
    const items = [{ name: 'Maize', quantity: 1, pricePerUnit: amount }];
    const initiated = await company.post('/v1/escrow/initiate', parties.escrow({ items, ...agreed, ...titled }));
    const { body: escrow } = await company.get(`/v1/escrow/${initiated.body.id}`);
    expect(quoted.body).toEqual({
      amount: escrow.totalAmount,
      currency: 'USD',
      feePayer: escrow.feePayer,
      heldAmount: escrow.heldAmount,
      sellerPayout: escrow.splitPlan.seller_payout_cents,
      systemFee: escrow.splitPlan.system_fee_cents,
      serviceFee: escrow.splitPlan.service_fee_cents,
      milestones: escrow.milestones.map(
        ({ percentage, amount, sellerPayout, systemFee, serviceFee }: Record<string, unknown>) => ({
          percentage,
          amount,
          sellerPayout,
          systemFee,
          serviceFee,
        }),
      ),
    });
  });

  test.each([
    ['a split plan of another sum', { splitPlan: { ...splitPlan, system_fee_cents: 8 } }, 422, 'split_mismatch'],
    ['milestones that total 99', { milestones: [{ percentage: 99 }] }, 422, 'milestones_must_total_100'],
    ['half a cent', { amount: 0.5 }, 400, 'validation_failed'],
  ])('refuses what the escrow would refuse: %s', async (_what, change, status, code) => {
    const quoted = await company.post('/v1/escrow/quote', { amount: 9_999, currency: 'USD', ...change });
    expect(quoted).toMatchObject(refused(status, code));
  });

  test('holds nothing', async () => {
    const { buyer } = await newParties(company); // withdrawals of other tests may end meanwhile
    const held = async () => (await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`)).body.held_balance;
    const before = await held();
    await company.post('/v1/escrow/quote', { amount: 9_999, currency: 'USD' });
    expect(await held()).toBe(before);
  });
});

describe('POST /v1/treasury/quote', () => {
  test.each([1, 25, 9_999])('states the tax that a withdrawal of %s cents is then charged', async (amount) => {
    const accountId = parties.buyer.usdAccountId;
    const { body: account } = await company.get(`/v1/ledger/accounts/${accountId}`);
    const quoted = await company.post('/v1/treasury/quote', { accountId, amount });
    const withdrawn = await company.post('/v1/treasury/withdraw', asked(accountId, amount));
    expect(withdrawn.status).toBe(201);
    expect(quoted).toMatchObject({
      status: 200,
      body: {
        amount: withdrawn.body.amount,
        taxAmount: withdrawn.body.taxAmount,
        totalAmount: String(amount + Number(withdrawn.body.taxAmount)),
        available_balance: account.available_balance,
        currency: 'USD',
      },
    });
  });

  test('has the same refusals as the withdrawal', async () => {
    const suspense = await companyAccount(company, 'SUSPENSE');
    const quote = (accountId: string) => company.post('/v1/treasury/quote', { accountId, amount: 1 });
    expect(await quote(suspense.id)).toMatchObject(refused(422, 'account_not_owned'));
    expect(await quote(nobody('acc'))).toMatchObject(refused(404, 'not_found'));
    const manager = await newAdministrator(service, company, 'manager');
    const body = { accountId: parties.buyer.usdAccountId, amount: 1 };
    expect(await manager.post('/v1/treasury/quote', body)).toMatchObject(refused(403, 'forbidden'));
  });
});
