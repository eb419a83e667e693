import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, sql } from '../../../support/api.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

/** The fees of a new escrow of 100.00 for platform and company. */
async function feesOfNewEscrow(owner: TestCompany) {
  const [buyer, seller] = [await newUser(owner), await newUser(owner)];
  await owner.post('/v1/payments/deposit', { userId: buyer.id, amount: 20_000, currency: 'USD' });
  const { body } = await owner.post('/v1/escrow/initiate', {
    buyerId: buyer.id,
    sellerId: seller.id,
    buyerAccountId: buyer.usdAccountId,
    items: [{ name: 'Goods', quantity: 1, pricePerUnit: 10_000 }],
    externalReference: randomUUID(),
  });
  const { splitPlan } = (await owner.get(`/v1/escrow/${body.id}`)).body;
  return [splitPlan.system_fee_cents, splitPlan.service_fee_cents];
}

const ofKind = (body: { configs: { kind: string }[] }, kind: string) => body.configs.filter((one) => one.kind === kind);

describe('POST /v1/treasury/seed-configs', () => {
  test('seeds transfer tax and both fees per currency once, for any first caller', async () => {
    const owner = await newCompany(service);
    const answers = await Promise.all([1, 2, 3].map(() => owner.post('/v1/treasury/seed-configs')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.seeded, 0)).toBe(6);
    expect((await owner.post('/v1/treasury/seed-configs')).body).toEqual({
      message: expect.any(String),
      seeded: 0,
      skipped: 6,
    });
    const { body } = await owner.get('/v1/treasury/configs');
    expect(body).toMatchObject({ system_fee_basis_points: 100, service_fee_basis_points: 0 });
    for (const [kind, usd, zig] of [
      ['TRANSFER_TAX', 200, 150],
      ['SYSTEM_FEE', 100, 100],
      ['SERVICE_FEE', 0, 0],
    ] as const)
      expect(ofKind(body, kind)).toMatchObject([
        { currency: 'USD', basis_points: usd, effective_from: expect.any(String) },
        { currency: 'ZIG', basis_points: zig, effective_from: expect.any(String) },
      ]);
  });

  test('seeds the current fees of the company', async () => {
    const owner = await newCompany(service);
    await owner.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 250 } });
    expect((await owner.post('/v1/treasury/seed-configs')).body).toMatchObject({ seeded: 4, skipped: 2 });
    expect(ofKind((await owner.get('/v1/treasury/configs')).body, 'SERVICE_FEE')).toMatchObject([
      { basis_points: 250 },
      { basis_points: 250 },
    ]);
  });
});

describe('a new escrow', () => {
  test('uses the fees that are in force: from the start, as seeded, and as changed', async () => {
    const owner = await newCompany(service);
    expect(await feesOfNewEscrow(owner)).toEqual(['100', '0']);
    await owner.post('/v1/treasury/seed-configs');
    expect(await feesOfNewEscrow(owner)).toEqual(['100', '0']);

    await owner.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 300 } });
    await service.request('PATCH', `/v1/core/companies/${owner.id}`, {
      headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': owner.id },
      body: { system_fee_basis_points: 150 },
    });
    expect(await feesOfNewEscrow(owner)).toEqual(['150', '300']);
    const { body } = await owner.get('/v1/treasury/configs');
    expect(body).toMatchObject({ system_fee_basis_points: 150, service_fee_basis_points: 300 });
    expect(ofKind(body, 'SERVICE_FEE').map((one) => one)).toMatchObject([
      { currency: 'USD', basis_points: 300 },
      { currency: 'USD', basis_points: 0 },
      { currency: 'ZIG', basis_points: 300 },
      { currency: 'ZIG', basis_points: 0 },
    ]);
  });

  test('does not use a fee that has not begun', async () => {
    const owner = await newCompany(service);
    await sql(
      service,
      `insert into fee_config (company_id, kind, currency, basis_points, effective_from)
       values ($1, 'SYSTEM_FEE', 'USD', 500, now() + interval '1 hour'), ($1, 'SERVICE_FEE', 'USD', 70, now())`,
      [bare(owner.id)],
    );
    expect(await feesOfNewEscrow(owner)).toEqual(['100', '70']);
  });
});
