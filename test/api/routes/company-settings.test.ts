import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAdministrator, nobody, refused } from '../../support/api.ts';
import { newCompany, newParties, newUser, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

const ME = '/v1/core/companies/me';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const patch = (body: unknown, of: TestCompany = company) => of.request('PATCH', ME, { body });
const asPlatform = (path: string, body: unknown, companyId = service.platform.companyId) =>
  service.request('PATCH', path, {
    headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': companyId },
    body,
  });

describe('PATCH /v1/core/companies/me', () => {
  test('changes the sent fields, keeps the others, and clears those sent as null', async () => {
    const own = await newCompany(service);
    const seller = await newUser(own);
    const { body: before } = await own.get(ME);
    const changes = {
      name: ' Mbare Musika ',
      service_fee_basis_points: 250,
      auto_release_hours: 48,
      default_seller_id: seller.id,
    };
    const changed = { ...before, ...changes, name: 'Mbare Musika' };
    expect(await patch(changes, own)).toMatchObject({ status: 200, body: changed });
    expect(await patch({}, own)).toMatchObject({ status: 200, body: changed });
    expect((await own.get(ME)).body).toEqual(changed);
    const off = { auto_release_hours: null, default_seller_id: null };
    expect((await patch(off, own)).body).toEqual({ ...changed, ...off });
  });

  test('a new fee applies to new escrows, not to open ones', async () => {
    const own = await newCompany(service);
    const first = await newParties(own);
    const running = await own.post('/v1/escrow/initiate', first.escrow());
    const read = async () => (await own.get(`/v1/escrow/${running.body.id}`)).body;
    const before = await read();
    expect(before.fees).toMatchObject({ system_fee_basis_points: 100, service_fee_basis_points: 0 });
    await patch({ service_fee_basis_points: 200 }, own);
    expect(await read()).toEqual(before);
    const second = await newParties(own);
    const fresh = await own.post('/v1/escrow/initiate', second.escrow());
    const { fees } = (await own.get(`/v1/escrow/${fresh.body.id}`)).body;
    expect(fees.service_fee_basis_points).toBe(200);
    expect(Date.parse(fees.service_fee_since)).toBeGreaterThan(Date.parse(before.fees.service_fee_since));
    const release = async (id: string) => (await own.post(`/v1/escrow/${id}/release`)).body;
    expect(await release(running.body.id)).toMatchObject({ serviceFee: '0', systemFee: '250', sellerPayout: '24750' });
    expect(await release(fresh.body.id)).toMatchObject({ serviceFee: '500', systemFee: '250', sellerPayout: '24250' });
    expect((await read()).fees).toEqual(before.fees);
  });

  test('ignores the fee of the platform, the slug and the id', async () => {
    const { body: before } = await company.get(ME);
    const sent = { system_fee_basis_points: 0, slug: 'mine', id: nobody('cmp'), is_platform: true };
    expect(await patch(sent)).toMatchObject({ status: 200, body: before });
  });

  test.each([
    ['a fee above half', { service_fee_basis_points: 5_001 }],
    ['a fee below nothing', { service_fee_basis_points: -1 }],
    ['a fraction of a basis point', { service_fee_basis_points: 1.5 }],
    ['a fee of null', { service_fee_basis_points: null }],
    ['an empty name', { name: '  ' }],
    ['no hours', { auto_release_hours: 0 }],
    ['more hours than a year has', { auto_release_hours: 8_761 }],
    ['an id of another kind', { default_seller_id: nobody('acc') }],
  ])('%s: validation_failed, and nothing changes', async (_what, body) => {
    const { body: before } = await company.get(ME);
    expect(await patch(body)).toMatchObject(refused(400, 'validation_failed'));
    expect((await company.get(ME)).body).toEqual(before);
  });

  test('a default seller is a user of the company', async () => {
    const stranger = await newUser(await newCompany(service));
    for (const id of [stranger.id, nobody('usr')])
      expect(await patch({ default_seller_id: id })).toMatchObject(refused(422, 'unknown_user'));
  });

  test('administrators may, managers and strangers may not', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    const manager = await newAdministrator(service, company, 'manager');
    const body = { auto_release_hours: 24 };
    expect(await admin.request('PATCH', ME, { body })).toMatchObject({ status: 200 });
    expect(await manager.request('PATCH', ME, { body })).toMatchObject(refused(403, 'forbidden'));
    expect(await service.request('PATCH', ME, { body })).toMatchObject(refused(401, 'unauthenticated'));
  });
});

describe('PATCH /v1/core/companies/:id', () => {
  test("sets the platform's fee of any company for new escrows", async () => {
    const own = await newCompany(service);
    expect(await asPlatform(`/v1/core/companies/${own.id}`, { system_fee_basis_points: 300 })).toMatchObject({
      status: 200,
      body: { id: own.id, system_fee_basis_points: 300, service_fee_basis_points: 0 },
    });
    const { escrow } = await newParties(own);
    const { body } = await own.post('/v1/escrow/initiate', escrow());
    expect((await own.post(`/v1/escrow/${body.id}/release`)).body).toMatchObject({ systemFee: '750' });
  });

  test('is 404 for an unknown company, and 400 for an invalid id or fee', async () => {
    const fee = { system_fee_basis_points: 300 };
    expect(await asPlatform(`/v1/core/companies/${nobody('cmp')}`, fee)).toMatchObject(refused(404, 'not_found'));
    expect(await asPlatform(`/v1/core/companies/${nobody('usr')}`, fee)).toMatchObject(refused(400, 'invalid_id'));
    for (const body of [{}, { system_fee_basis_points: 5_001 }, { system_fee_basis_points: '300' }])
      expect(await asPlatform(`/v1/core/companies/${company.id}`, body)).toMatchObject(
        refused(400, 'validation_failed'),
      );
  });

  test("is for super administrators only, even for the caller's own company", async () => {
    const body = { system_fee_basis_points: 0 };
    expect(await company.request('PATCH', `/v1/core/companies/${company.id}`, { body })).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect(await service.request('PATCH', `/v1/core/companies/${company.id}`, { body })).toMatchObject(
      refused(401, 'unauthenticated'),
    );
  });
});
