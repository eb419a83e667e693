import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, logIn, newAdministrator, newPerson, refused, sql, type TestAdministrator } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { newCompany, PLATFORM, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** Keys that may do less than their maker: by role, by permissions, or by expiry. */

const PATH = '/v1/core/companies/api-keys';
const DAY_MS = 24 * 3_600_000;

let service: TestService;
let company: TestCompany;
let owner: TestAdministrator;
let admin: TestAdministrator;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  owner = await logIn(service, company.id, company.owner);
  admin = await newAdministrator(service, company, 'admin');
});
afterAll(() => service.stop());

const make = (fields: object, by = owner) => by.post(PATH, { name: 'restricted', ...fields });
const withKey = (key: string, method: string, path: string, body?: object) =>
  service.request(method, path, {
    headers: { 'x-api-key': key, 'x-company-id': company.id, 'x-idempotency-key': crypto.randomUUID() },
    ...(body === undefined ? {} : { body }),
  });
const listed = async (id: string) => (await company.get(PATH)).body.find((one: { id: string }) => one.id === id);

describe('a key', () => {
  test('shows its role, permissions, expiry, note and maker in answer and list', async () => {
    const { status, body } = await make({
      role: 'manager',
      permissions: ['operate', 'read'],
      expiresInDays: 30,
      note: 'Warehouse scanner',
    });
    const shown = {
      role: 'MANAGER',
      permissions: ['read', 'operate'],
      note: 'Warehouse scanner',
      created_by: owner.id,
      last_used_at: null,
    };
    expect({ status, body }).toMatchObject({ status: 201, body: shown });
    expect((Date.parse(body.expires_at) - Date.parse(body.created_at)) / DAY_MS).toBeCloseTo(30, 3);
    expect(await listed(body.id)).toMatchObject({ ...shown, expires_at: body.expires_at });
  });

  test.each([
    ['owner', 'OWNER'],
    ['admin', 'ADMIN'],
    ['manager', 'MANAGER'],
  ])('of an OWNER may have the role %s', async (role, shown) => {
    expect(await make({ role })).toMatchObject({ status: 201, body: { role: shown } });
  });

  test('of an ADMIN has no higher role', async () => {
    expect(await make({ role: 'owner' }, admin)).toMatchObject(refused(403, 'forbidden'));
    expect(await make({ role: 'admin' }, admin)).toMatchObject({ status: 201 });
  });

  test('that the platform makes for a company has at most the role OWNER', async () => {
    const platform = await logIn(service, company.id, PLATFORM);
    expect(await make({}, platform)).toMatchObject({ status: 201, body: { role: 'OWNER' } });
    expect(await make({ permissions: ['platform'] }, platform)).toMatchObject(refused(403, 'forbidden'));
  });

  test.each([
    ['manager', ['manage_money']],
    ['admin', ['read', 'platform']],
  ])('with the role %s does not have %p', async (role, permissions) => {
    expect(await make({ role, permissions })).toMatchObject(refused(403, 'forbidden'));
  });

  test.each([
    { role: 'super_admin' },
    { role: 'OWNER' },
    { permissions: [] },
    { permissions: ['everything'] },
    { expiresAt: '2020-01-01T00:00:00Z' },
    { expiresAt: 'tomorrow' },
    { expiresAt: new Date(Date.now() + 3_651 * DAY_MS).toISOString() },
    { expiresInDays: 0 },
    { expiresInDays: 1.5 },
    { expiresAt: new Date(Date.now() + DAY_MS).toISOString(), expiresInDays: 1 },
    { note: 'x'.repeat(2_001) },
  ])('is not made with %j', async (fields) => {
    expect(await make(fields)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('permissions of a key', () => {
  test('limit it: with read alone nothing can be changed, and the refusal names the missing permission', async () => {
    const { body } = await make({ permissions: ['read'] });
    expect(await withKey(body.key, 'GET', '/v1/escrow')).toMatchObject({ status: 200 });
    const answer = await withKey(body.key, 'POST', '/v1/payments/deposit', { amount: 1, currency: 'USD' });
    expect(answer).toMatchObject(refused(403, 'forbidden'));
    expect(answer.body.detail).toContain('manage_money');
  });

  test('without resolve_disputes it cannot act as ADMIN', async () => {
    const { body } = await make({ permissions: ['read', 'operate'] });
    const cancel = { actor: 'ADMIN', reason: 'No reason' };
    const path = '/v1/escrow/01900000-0000-7000-8000-000000000001/cancel';
    expect(await withKey(body.key, 'POST', path, cancel)).toMatchObject(refused(403, 'forbidden'));
  });

  test('it neither adds nor removes an administrator with more permissions than its own', async () => {
    const { body } = await make({ permissions: ['read', 'operate', 'manage_company'] });
    const path = '/v1/core/companies/admins';
    const add = (role: string, key = body.key) => withKey(key, 'POST', path, { ...newPerson(), role });
    const remove = (id: string) => withKey(body.key, 'POST', `${path}/${id}/remove`);
    expect(await add('admin')).toMatchObject(refused(403, 'forbidden'));
    const above = await add('admin', company.apiKey);
    expect(await remove(above.body.id)).toMatchObject(refused(403, 'forbidden'));
    const made = await add('manager');
    expect(made).toMatchObject({ status: 201 });
    expect(await remove(made.body.id)).toMatchObject({ status: 200 });
  });

  test('a key without read adds and changes no webhook endpoint', async () => {
    const { body: all } = await make({ permissions: ['read', 'manage_company'] });
    const { body: blind } = await make({ permissions: ['manage_company'] });
    const endpoint = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
    const made = await withKey(all.key, 'POST', '/v1/webhooks', endpoint);
    expect(made).toMatchObject({ status: 201, body: { createdBy: all.id } });
    expect(await withKey(blind.key, 'GET', '/v1/events')).toMatchObject(refused(403, 'forbidden'));
    expect(await withKey(blind.key, 'POST', '/v1/webhooks', endpoint)).toMatchObject(refused(403, 'forbidden'));
    const path = `/v1/webhooks/${made.body.id}`;
    for (const change of [{ url: 'http://127.0.0.1:9/other' }, { events: ['*'] }, { status: 'ENABLED' }])
      expect(await withKey(blind.key, 'PATCH', path, change)).toMatchObject(refused(403, 'forbidden'));
    expect(await withKey(blind.key, 'PATCH', path, { status: 'DISABLED' })).toMatchObject({ status: 200 });
    expect(await withKey(blind.key, 'DELETE', path)).toMatchObject({ status: 200 });
  });

  test('a rolled key has the same permissions and expiry', async () => {
    const fields = { role: 'admin', permissions: ['read', 'manage_company'], expiresInDays: 3, note: 'Deployment' };
    const { body: old } = await make(fields);
    const rolled = await withKey(old.key, 'POST', `${PATH}/roll`, { name: 'next' });
    expect(rolled.status).toBe(201);
    const { role, permissions, expires_at, note } = old;
    expect(await listed(rolled.body.id)).toMatchObject({ role, permissions, expires_at, note, name: 'next' });
  });

  test('a key whose permissions were raised in the database is refused', async () => {
    const { body } = await make({ permissions: ['read'], expiresInDays: 1 });
    await sql(service, 'update api_key set permissions = null where id = $1', [bare(body.id)]);
    expect(await withKey(body.key, 'GET', '/v1/escrow')).toMatchObject(refused(401, 'unauthenticated'));
    const { body: other } = await make({ expiresInDays: 1 });
    await sql(service, "update api_key set expires_at = now() + interval '9 years' where id = $1", [bare(other.id)]);
    expect(await withKey(other.key, 'GET', '/v1/escrow')).toMatchObject(refused(401, 'unauthenticated'));
  });
});

test('an expired key is refused, and is not active', async () => {
  const { body, expiresAt } = await eventually(async () => {
    const soon = new Date(Date.now() + 2_000).toISOString();
    const made = await make({ expiresAt: soon });
    return made.body.is_active === true && { ...made, expiresAt: soon }; // a busy machine may take longer
  });
  const use = () => withKey(body.key, 'GET', '/v1/core/companies/me');
  await eventually(async () => (await use()).status === 401);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
  expect(await use()).toMatchObject(refused(401, 'unauthenticated'));
  expect(await listed(body.id)).toMatchObject({ is_active: false, expires_at: expiresAt });
});

test('the last use is shown, and is written at most once a minute', async () => {
  const { body } = await make({});
  const use = () => withKey(body.key, 'GET', '/v1/core/companies/me');
  const lastUse = async (): Promise<string | undefined> => (await listed(body.id)).last_used_at ?? undefined;
  expect(await lastUse()).toBeUndefined();
  await use();
  const first = await eventually(lastUse);
  const versions = () => sql(service, 'select xmin::text from api_key where id = $1', [bare(body.id)]);
  const before = await versions();
  for (let again = 0; again < 5; again++) await use();
  expect(await versions()).toEqual(before);
  await sql(service, "update api_key set last_used_at = now() - interval '2 minutes' where id = $1", [bare(body.id)]);
  await use();
  await eventually(async () => ((await lastUse()) ?? '') >= first);
});

test('a restricted key revokes only what may do no more than itself', async () => {
  const strong = (await make({})).body;
  const { body: janitor } = await make({ permissions: ['manage_company'] });
  const { body: other } = await make({ permissions: ['manage_company'] });
  const revoke = (id: string) => withKey(janitor.key, 'POST', `${PATH}/${id}/revoke`);
  expect(await revoke(strong.id)).toMatchObject(refused(403, 'forbidden'));
  expect(await withKey(strong.key, 'GET', PATH)).toMatchObject({ status: 200 });
  expect(await revoke(other.id)).toMatchObject({ status: 200 });
  expect(await withKey(janitor.key, 'POST', `${PATH}/roll`, { name: 'next' })).toMatchObject({ status: 201 });
});

test('a company has at most 50 active keys; revoking makes room, and rolling needs none', async () => {
  const own = await newCompany(service);
  const by = await logIn(service, own.id, own.owner);
  const made = await Promise.all(Array.from({ length: 55 }, () => make({}, by)));
  const keys = made.filter(({ status }) => status === 201).map(({ body }) => body);
  expect(keys).toHaveLength(49); // with the one of newCompany
  expect(made.find(({ status }) => status !== 201)).toMatchObject(refused(422, 'limit_reached'));
  const roll = { headers: { 'x-api-key': keys[0].key, 'x-company-id': own.id }, body: { name: 'next' } };
  expect(await service.request('POST', `${PATH}/roll`, roll)).toMatchObject({ status: 201 });
  expect(await make({}, by)).toMatchObject(refused(422, 'limit_reached'));
  expect(await by.post(`${PATH}/${keys[1].id}/revoke`)).toMatchObject({ status: 200 });
  expect(await make({}, by)).toMatchObject({ status: 201 });
});

test("an ADMIN of the platform's company cannot revoke the key of a super administrator", async () => {
  const { companyId } = service.platform;
  const chief = await logIn(service, companyId, PLATFORM);
  const person = newPerson();
  expect(await chief.post('/v1/core/companies/admins', { ...person, role: 'admin' })).toMatchObject({ status: 201 });
  const staff = await logIn(service, companyId, person);
  const { body: strong } = await make({}, chief);
  expect(strong.role).toBe('SUPER_ADMIN');
  const revoke = (by: TestAdministrator) => by.post(`${PATH}/${strong.id}/revoke`);
  expect(await revoke(staff)).toMatchObject(refused(403, 'owner_protected'));
  expect(await revoke(chief)).toMatchObject({ status: 200 });
});

test('webhook endpoints show who added them: a key or an administrator', async () => {
  const mine = await newCompany(service);
  const boss = await logIn(service, mine.id, mine.owner);
  const endpoint = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
  const { body: byOwner } = await boss.post('/v1/webhooks', endpoint);
  const { body: byKey } = await mine.post('/v1/webhooks', endpoint);
  const { body: keys } = await mine.get(PATH);
  expect([byOwner.createdBy, byKey.createdBy]).toEqual([boss.id, keys[0].id]);
  expect(await mine.get(`/v1/webhooks/${byKey.id}`)).toMatchObject({ body: { createdBy: keys[0].id } });
  const first = await mine.get('/v1/webhooks?limit=1');
  expect(first.body).toEqual([expect.objectContaining({ id: byOwner.id, createdBy: boss.id })]);
  expect(first.headers.get('x-total-count')).toBe('2');
  const next = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await mine.get(next.slice(service.url.length));
  expect(second.body).toEqual([expect.objectContaining({ id: byKey.id })]);
  expect(second.headers.get('link')).toBeNull();
  const changed = await mine.request('PATCH', `/v1/webhooks/${byOwner.id}`, { body: { description: 'Shop' } });
  expect(changed.body.createdBy).toBe(boss.id);
});
