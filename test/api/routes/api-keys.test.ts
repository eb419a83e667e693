import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { REFUSALS } from '../../../src/domain/errors.ts';
import { bare, logIn, newAdministrator, newKey, newPerson, refused, sql } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { newCompany, PLATFORM, type TestCompany, type TestService, untilAnswered } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

const PATH = '/v1/core/companies/api-keys';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const me = (key: string, companyId = company.id) =>
  service.request('GET', '/v1/core/companies/me', { headers: { 'x-api-key': key, 'x-company-id': companyId } });
const owner = () => logIn(service, company.id, company.owner);

/** A key that was made without options, and that nobody has used. */
const UNUSED = {
  is_active: true,
  role: 'OWNER',
  permissions: ['read', 'operate', 'manage_company', 'recover_access', 'manage_money', 'resolve_disputes'],
  expires_at: null,
  active_until: null,
  revoked_at: null,
  note: null,
  last_used_at: null,
};

describe('POST /v1/core/companies/api-keys', () => {
  test('returns the raw key once: a prefix and 32 alphanumerics, of which the first 8 may be shown', async () => {
    const { status, body } = await (await owner()).post(PATH, { name: ' Web shop ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'Web shop',
      key: expect.stringMatching(/^esc_t_[A-Za-z0-9]{32}$/),
      key_prefix: body.key.slice(6, 14),
      ...UNUSED,
      created_by: company.owner.id,
      created_at: expect.any(String),
    });
    expect(await me(body.key)).toMatchObject({ status: 200, body: { id: company.id } });
  });

  test('stores only a SHA-256 hash of the raw key', async () => {
    const { key, id } = await newKey(await owner());
    const [row] = await sql(service, 'select row_to_json(k)::text as whole, key_hash from api_key k where id = $1', [
      bare(id),
    ]);
    expect(row?.whole).not.toContain(key.slice(6));
    const [hash] = await sql(service, `select sha256(convert_to($1, 'UTF8')) as hash`, [key]);
    expect(row?.key_hash).toEqual(hash?.hash);
  });

  test('an API key cannot make another key', async () => {
    const refusal = await company.post(PATH, { name: 'another' });
    expect(refusal).toMatchObject(refused(401, 'unauthenticated'));
    // The cure in the table refers to this part of `detail`.
    expect(REFUSALS.unauthenticated.cure).toContain('takes no API key, send the access token of a login');
    expect(refusal.body.detail).toContain('takes no API key');
  });

  test('a key has the role of its creator: a key of an ADMIN adds managers, but removes no owner', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    const { key } = await newKey(admin);
    const headers = { 'x-api-key': key, 'x-company-id': company.id };
    const post = (path: string, body?: unknown) =>
      untilAnswered((once) =>
        service.request('POST', `/v1/core/companies/admins${path}`, {
          headers: { ...headers, 'x-idempotency-key': once },
          ...(body === undefined ? {} : { body }),
        }),
      );
    expect(await post('', { ...newPerson(), role: 'manager' })).toMatchObject({ status: 201 });
    expect(await post(`/${company.owner.id}/remove`)).toMatchObject(refused(403, 'owner_protected'));
  });

  test('an ADMIN revokes keys of administrators, and no key of the OWNER', async () => {
    const owner = await logIn(service, company.id, company.owner);
    const admin = await newAdministrator(service, company, 'admin');
    const [owners, admins] = [await newKey(owner), await newKey(admin)];
    const revoke = (id: string, by = admin) => by.post(`${PATH}/${id}/revoke`);
    expect(await revoke(owners.id)).toMatchObject(refused(403, 'owner_protected'));
    expect((await company.get(PATH)).body).toContainEqual(expect.objectContaining({ id: owners.id, is_active: true }));
    expect(await revoke(admins.id)).toMatchObject({ status: 200 });
    expect(await revoke(owners.id, owner)).toMatchObject({ status: 200 });
  });

  test('a key made for a company by the platform stays inside that company', async () => {
    const platform = await logIn(service, company.id, PLATFORM);
    const { key } = await newKey(platform);
    const other = await newCompany(service);
    expect(await me(key)).toMatchObject({ status: 200 });
    expect(await me(key, other.id)).toMatchObject(refused(403, 'company_mismatch'));
  });

  test.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a long name', { name: 'x'.repeat(256) }],
    ['control characters', { name: 'a\nb' }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await (await owner()).post(PATH, body)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('GET /v1/core/companies/api-keys', () => {
  test("lists this company's keys newest first, without anything secret", async () => {
    const mine = await newCompany(service);
    const newest = await newKey(await logIn(service, mine.id, mine.owner));
    const list = await mine.get(PATH);
    expect(list.headers.get('x-total-count')).toBe('2');
    expect(list.body).toHaveLength(2);
    expect(list.body[0]).toEqual({
      id: newest.id,
      name: 'another',
      key_prefix: newest.key.slice(6, 14),
      ...UNUSED,
      created_by: mine.owner.id,
      created_at: expect.any(String),
    });
    expect((await mine.get(`${PATH}?limit=1&offset=1`)).body[0].name).toBe('tests');
  });

  test('a MANAGER reads it', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    expect(await manager.request('GET', PATH)).toMatchObject({ status: 200 });
  });

  test.each(['limit=0', 'limit=1001', 'offset=-1'])('?%s: validation_failed', async (query) => {
    expect(await company.get(`${PATH}?${query}`)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('POST /v1/core/companies/api-keys/{id}/revoke', () => {
  test('the key is refused at once, and its record stays', async () => {
    const { key, id } = await newKey(await owner());
    expect(await company.post(`${PATH}/${id}/revoke`)).toMatchObject({ status: 200, body: { success: true } });
    expect(await me(key)).toMatchObject(refused(401, 'unauthenticated'));
    const { body: list } = await company.get(PATH);
    expect(list.find((one: { id: string }) => one.id === id)).toMatchObject({ is_active: false });
  });

  test('a request whose body comes after it is refused', async () => {
    const { key, id } = await newKey(await owner());
    const rest = Promise.withResolvers<void>();
    async function* body() {
      yield Buffer.from('{"amount":100,');
      await rest.promise;
      yield Buffer.from('"currency":"USD"}');
    }
    const deposit = fetch(`${service.url}/v1/payments/deposit`, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'x-company-id': company.id,
        'x-idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: ReadableStream.from(body()),
      duplex: 'half',
    });
    const isKnown = () => sql(service, 'select from api_key where id = $1 and last_used_at is not null', [bare(id)]);
    await eventually(async () => (await isKnown()).length === 1);
    await company.post(`${PATH}/${id}/revoke`);
    rest.resolve();
    expect((await deposit).status).toBe(401);
  });

  test('revoking again changes nothing; the bare id works too', async () => {
    const { id } = await newKey(await owner());
    await company.post(`${PATH}/${id}/revoke`);
    expect(await company.post(`${PATH}/${bare(id)}/revoke`)).toMatchObject({ status: 200, body: { success: true } });
  });
});

describe('POST /v1/core/companies/api-keys/roll', () => {
  const roll = (key: string, body: unknown) =>
    service.request('POST', `${PATH}/roll`, { headers: { 'x-api-key': key, 'x-company-id': company.id }, body });

  test('makes a new key of the same role and revokes the calling one at once', async () => {
    const { key, id } = await newKey(await owner());
    const rolled = await roll(key, { name: 'next' });
    expect(rolled).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^key_/),
        key_prefix: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
        secret_key: expect.stringMatching(/^esc_t_[A-Za-z0-9]{32}$/),
        message: expect.any(String),
      },
    });
    expect(await me(key)).toMatchObject(refused(401, 'unauthenticated'));
    expect(await me(rolled.body.secret_key)).toMatchObject({ status: 200 });
    const { body: list } = await company.get(PATH);
    expect(list.find((one: { id: string }) => one.id === id)).toMatchObject({ is_active: false });
    expect(list.find((one: { id: string }) => one.id === rolled.body.id)).toMatchObject({ name: 'next' });
    expect(await roll(rolled.body.secret_key, { name: 'and next' })).toMatchObject({ status: 201 });
  });

  test('counts as a use of the old key, not of the new one', async () => {
    const by = await owner();
    for (let count = 0; count < 4; count += 1) {
      const { key, id } = await newKey(by);
      const { body: next } = await roll(key, { name: 'next' });
      const list: { id: string; last_used_at: string | null }[] = (await company.get(PATH)).body;
      const used = (wanted: string) => list.find((one) => one.id === wanted)?.last_used_at;
      expect([used(id), used(next.id)]).toEqual([expect.any(String), null]);
    }
  });

  test('with graceSeconds the old key works until the grace period ends', async () => {
    const { key, id } = await newKey(await owner());
    expect(await roll(key, { name: 'next', graceSeconds: 3600 })).toMatchObject({ status: 201 });
    expect(await me(key)).toMatchObject({ status: 200 });
    await sql(service, 'update api_key set active_until = now() where id = $1', [bare(id)]);
    expect(await me(key)).toMatchObject(refused(401, 'unauthenticated'));
    const { body: list } = await company.get(PATH);
    expect(list.find((one: { id: string }) => one.id === id)).toMatchObject({ is_active: false });
  });

  test('a key in its grace period cannot be rolled again, and its end does not move', async () => {
    const { key, id } = await newKey(await owner());
    const { body: next } = await roll(key, { name: 'next', graceSeconds: 60 });
    const until = () => sql(service, 'select active_until from api_key where id = $1', [bare(id)]);
    const before = await until();
    expect(await roll(key, { name: 'again', graceSeconds: 86_400 })).toMatchObject(refused(409, 'wrong_state'));
    expect(await until()).toEqual(before);
    expect(await roll(next.secret_key, { name: 'again' })).toMatchObject({ status: 201 });
  });

  test('a key in its grace period may read and operate, but not administer', async () => {
    const { key } = await newKey(await owner());
    const { body: next } = await roll(key, { name: 'next', graceSeconds: 60 });
    const headers = { 'x-api-key': key, 'x-company-id': company.id };
    const { password: _, ...person } = newPerson();
    const administering: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      ['POST', '/v1/core/companies/admins', { ...person, role: 'admin' }],
      ['POST', `/v1/core/companies/admins/${company.owner.id}/remove`],
      ['POST', `${PATH}/${next.id}/revoke`],
      ['PATCH', '/v1/core/companies/me', { name: 'Other' }],
      ['POST', '/v1/webhooks', { url: 'https://shop.example/hook', events: ['*'] }],
    ];
    for (const [method, path, body] of administering)
      expect(await service.request(method, path, { headers, body })).toMatchObject(refused(403, 'forbidden'));
    expect(await me(key)).toMatchObject({ status: 200 });
    expect(await me(next.secret_key)).toMatchObject({ status: 200 });
  });

  test('the new key is listed as made by the administrator who made the first', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    const { body: next } = await roll((await newKey(admin)).key, { name: 'next' });
    const { body: list } = await company.get(PATH);
    expect(list.find((one: { id: string }) => one.id === next.id)).toMatchObject({ created_by: admin.id });
  });

  test('of two simultaneous rolls of a key, one returns a new key', async () => {
    const { key } = await newKey(await owner());
    const answers = await Promise.all([1, 2, 3, 4].map(() => roll(key, { name: 'next' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
  });

  test('an administrator rolls the key that the request names, and has made the new one', async () => {
    const [first, admin] = [await owner(), await newAdministrator(service, company, 'admin')];
    const { key, id } = (await first.post(PATH, { name: 'first', role: 'manager', note: 'shop' })).body;
    expect(await admin.post(`${PATH}/roll`, { name: 'next' })).toMatchObject(refused(400, 'api_key_required'));
    const rolled = await admin.post(`${PATH}/roll`, { id, name: 'next', graceSeconds: 60 });
    expect(rolled).toMatchObject({ status: 201 });
    for (const works of [key, rolled.body.secret_key]) expect(await me(works)).toMatchObject({ status: 200 });
    const { body: list } = await company.get(PATH);
    expect(list.find((one: { id: string }) => one.id === rolled.body.id)).toMatchObject({
      ...{ name: 'next', role: 'MANAGER', note: 'shop', created_by: admin.id },
    });
    expect(await admin.post(`${PATH}/roll`, { id, name: 'again' })).toMatchObject(refused(409, 'wrong_state'));
  });

  test('no more than may be revoked: not a key of a higher role, of another company, or that has ended', async () => {
    const [first, admin] = [await owner(), await newAdministrator(service, company, 'admin')];
    const [{ key, id }, { id: other }] = [await newKey(first), await newKey(first)];
    const body = { id, name: 'next' };
    expect(await admin.post(`${PATH}/roll`, body)).toMatchObject(refused(403, 'owner_protected'));
    expect(await roll(key, { id: other, name: 'next' })).toMatchObject(refused(403, 'forbidden'));
    const elsewhere = await newCompany(service);
    const stranger = await logIn(service, elsewhere.id, elsewhere.owner);
    expect(await stranger.post(`${PATH}/roll`, body)).toMatchObject(refused(404, 'not_found'));
    await first.post(`${PATH}/${id}/revoke`);
    expect(await first.post(`${PATH}/roll`, body)).toMatchObject(refused(409, 'wrong_state'));
  });

  test.each([
    ['no name', {}],
    ['more than a day of grace', { name: 'next', graceSeconds: 86_401 }],
    ['negative grace', { name: 'next', graceSeconds: -1 }],
    ['grace as a string', { name: 'next', graceSeconds: '60' }],
  ])('%s: validation_failed, and the key stays', async (_what, body) => {
    expect(await company.post(`${PATH}/roll`, body)).toMatchObject(refused(400, 'validation_failed'));
    expect(await me(company.apiKey)).toMatchObject({ status: 200 });
  });
});
