import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, logIn, newAdministrator, newKey, newPerson, nobody, refused } from '../../support/api.ts';
import { newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

const PATH = '/v1/core/companies/admins';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

describe('GET /v1/core/companies/admins', () => {
  test('lists the administrators of this company only, the owner first, never a password', async () => {
    const [mine, other] = [await newCompany(service), await newCompany(service)];
    const manager = await newAdministrator(service, mine, 'manager');
    await newAdministrator(service, other, 'manager');
    const list = await mine.get(PATH);
    expect(list.status).toBe(200);
    expect(list.headers.get('x-total-count')).toBe('2');
    expect(list.body).toEqual([
      {
        id: mine.owner.id,
        firstName: 'Olive',
        lastName: 'Owner',
        email: mine.owner.email,
        role: 'OWNER',
        has_mfa: false,
        created_at: expect.any(String),
      },
      expect.objectContaining({ id: manager.id, role: 'MANAGER', email: manager.email }),
    ]);
  });

  test('limit and offset page through it, and X-Total-Count counts all', async () => {
    const mine = await newCompany(service);
    const manager = await newAdministrator(service, mine, 'manager');
    const page = await mine.get(`${PATH}?limit=1&offset=1`);
    expect(page.body.map(({ id }: { id: string }) => id)).toEqual([manager.id]);
    expect(page.headers.get('x-total-count')).toBe('2');
  });

  test.each(['limit=0', 'limit=1001', 'limit=ten', 'limit=', 'limit=1.5', 'offset=-1', 'limit=1&limit=2'])(
    '?%s: validation_failed',
    async (query) => {
      expect(await company.get(`${PATH}?${query}`)).toMatchObject(refused(400, 'validation_failed'));
    },
  );
});

describe('POST /v1/core/companies/admins', () => {
  test.each([
    ['admin', 'ADMIN'],
    ['manager', 'MANAGER'],
  ])('adds a person as %s, answers the role %s, and the password works', async (role, answered) => {
    const person = newPerson();
    const added = await company.post(PATH, { ...person, role });
    expect(added).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^adm_/), firstName: 'Ada', lastName: 'Moyo', role: answered },
    });
    expect(added.body).not.toHaveProperty('temporaryPassword');
    expect(JSON.stringify(added.body)).not.toContain(person.password);
    expect((await logIn(service, company.id, person)).id).toBe(added.body.id);
  });

  test('without a password returns a new temporary one each time', async () => {
    const { password: _first, ...one } = newPerson();
    const { password: _second, ...two } = newPerson();
    const [first, second] = [
      await company.post(PATH, { ...one, role: 'admin' }),
      await company.post(PATH, { ...two, role: 'admin', password: null }),
    ];
    expect(first.body.temporaryPassword.length).toBeGreaterThanOrEqual(10);
    expect(second.body.temporaryPassword).not.toBe(first.body.temporaryPassword);
    const session = await service.request('POST', '/v1/auth/login', {
      body: { email: one.email, password: first.body.temporaryPassword },
    });
    expect(session).toMatchObject({ status: 200, body: { mustChangePassword: true } });
  });

  test('an e-mail in use anywhere on the platform is refused', async () => {
    const other = await newCompany(service);
    for (const email of [company.owner.email, other.owner.email, other.owner.email.toUpperCase()])
      expect(await company.post(PATH, { ...newPerson(), email, role: 'admin' })).toMatchObject(
        refused(409, 'already_exists'),
      );
  });

  test.each([
    ['no role', { role: undefined }],
    ['the role of an owner', { role: 'owner' }],
    ['a super administrator', { role: 'SUPER_ADMIN' }],
    ['a role in capitals', { role: 'ADMIN' }],
    ['no first name', { firstName: undefined }],
    ['an empty last name', { lastName: ' ' }],
    ['an e-mail that is none', { email: 'nobody@' }],
    ['a short password', { password: 'short' }],
  ])('%s: validation_failed', async (_what, fields) => {
    expect(await company.post(PATH, { ...newPerson(), role: 'admin', ...fields })).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});

describe('POST /v1/core/companies/admins/{id}/remove', () => {
  const remove = (id: string, by: Pick<TestCompany, 'post'> = company) => by.post(`${PATH}/${id}/remove`);

  test('removes the administrator from the list, and invalidates their tokens and password at once', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    expect(await remove(admin.id)).toMatchObject({
      status: 200,
      body: { success: true, id: admin.id, revokedApiKeys: [] },
    });
    expect(await admin.request('GET', '/v1/core/companies/me')).toMatchObject(refused(401, 'unauthenticated'));
    const refresh = { refreshToken: admin.refreshToken, userId: admin.id };
    expect(await service.request('POST', '/v1/auth/refresh', { body: refresh })).toMatchObject(
      refused(401, 'invalid_refresh_token'),
    );
    expect(await service.request('POST', '/v1/auth/login', { body: admin })).toMatchObject(
      refused(401, 'invalid_credentials'),
    );
    const { body: list } = await company.get(PATH);
    expect(list.map(({ id }: { id: string }) => id)).not.toContain(admin.id);
  });

  test('revokes and lists the keys that the administrator made, rolled ones included; other keys stay', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    const [plain, rolled, revoked] = [await newKey(admin), await newKey(admin), await newKey(admin)];
    const by = (key: string) => ({ headers: { 'x-api-key': key, 'x-company-id': company.id } });
    const works = async (key: string) =>
      (await service.request('GET', '/v1/core/companies/me', by(key))).status === 200;
    const { body: next } = await service.request('POST', '/v1/core/companies/api-keys/roll', {
      ...by(rolled.key),
      body: { name: 'next', graceSeconds: 60 },
    });
    await company.post(`/v1/core/companies/api-keys/${revoked.id}/revoke`);
    const { body } = await remove(admin.id);
    expect(body.revokedApiKeys).toEqual([plain.id, rolled.id, next.id]);
    for (const key of [plain.key, rolled.key, next.secret_key]) expect(await works(key)).toBe(false);
    expect(await works(company.apiKey)).toBe(true);
  });

  test('also revokes a key that is created at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const admin = await newAdministrator(service, company, 'admin');
      const [made] = await Promise.all([
        Promise.all([1, 2, 3].map(() => admin.post('/v1/core/companies/api-keys', { name: 'late' }))),
        remove(admin.id),
      ]);
      for (const { status, body } of made) {
        if (status !== 201) continue;
        const headers = { 'x-api-key': body.key, 'x-company-id': company.id };
        expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 401 });
      }
    }
  });

  test('accepts the bare id and frees the e-mail', async () => {
    const admin = await newAdministrator(service, company, 'manager');
    expect(await remove(bare(admin.id))).toMatchObject({ status: 200 });
    const again = await company.post(PATH, { ...newPerson(), email: admin.email, role: 'manager' });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(admin.id);
  });

  test('the owner is protected, from an ADMIN and from the owner alike', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    expect(await remove(company.owner.id, admin)).toMatchObject(refused(403, 'owner_protected'));
    expect(await remove(company.owner.id)).toMatchObject(refused(403, 'owner_protected'));
  });

  test('a removed, foreign or unknown administrator is 404', async () => {
    const other = await newCompany(service);
    const [gone, stranger] = [
      await newAdministrator(service, company, 'manager'),
      await newAdministrator(service, other, 'manager'),
    ];
    await remove(gone.id);
    for (const id of [gone.id, stranger.id, other.owner.id, nobody('adm')])
      expect(await remove(id)).toMatchObject(refused(404, 'not_found'));
    expect(await stranger.request('GET', '/v1/core/companies/me')).toMatchObject({ status: 200 });
  });
});
