import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { logIn, sql } from '../../support/api.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** Operations that change rows alone: once for an idempotency key, whatever has happened since. */

let service: TestService;
let company: TestCompany;
let user: { id: string; usdAccountId: string };
let endpointId: string;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  user = await newUser(company);
  endpointId = (await company.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] })).body.id;
});
afterAll(() => service?.stop());

type Method = 'POST' | 'PATCH';
/** With a platform key, for the company. */
const send = (method: Method, path: string, body: unknown, key?: string) =>
  service.request(method, path, {
    headers: {
      'x-api-key': service.platform.apiKey,
      'x-company-id': company.id,
      ...(key === undefined ? {} : { 'x-idempotency-key': key }),
    },
    body,
  });

const CHANGES: readonly {
  readonly name: string;
  readonly method: Method;
  readonly path: () => string;
  readonly change: object;
  readonly undo: object;
  readonly read: () => string;
  readonly undone: object;
}[] = [
  {
    name: 'approving an identity',
    method: 'POST',
    path: () => `/v1/identity/admin/users/${user.id}/approve`,
    change: { approved: true },
    undo: { approved: false },
    read: () => `/v1/identity/users/${user.id}`,
    undone: { kycLevel: 1 },
  },
  {
    name: 'blacklisting a user',
    method: 'POST',
    path: () => `/v1/identity/admin/users/${user.id}/status`,
    change: { status: 'BLACKLISTED', reason: 'a test' },
    undo: { status: 'CLEAR' },
    read: () => `/v1/identity/users/${user.id}`,
    undone: { identityStatus: 'CLEAR' },
  },
  {
    name: 'freezing an account',
    method: 'PATCH',
    path: () => `/v1/ledger/accounts/${user.usdAccountId}`,
    change: { is_frozen: true, reason: 'a check' },
    undo: { is_frozen: false, reason: 'checked' },
    read: () => `/v1/ledger/accounts/${user.usdAccountId}`,
    undone: { is_frozen: false },
  },
  {
    name: 'changing the settings of the company',
    method: 'PATCH',
    path: () => '/v1/core/companies/me',
    change: { service_fee_basis_points: 350 },
    undo: { service_fee_basis_points: 200 },
    read: () => '/v1/core/companies/me',
    undone: { service_fee_basis_points: 200 },
  },
  {
    name: 'changing the fee of the platform',
    method: 'PATCH',
    path: () => `/v1/core/companies/${company.id}`,
    change: { system_fee_basis_points: 350 },
    undo: { system_fee_basis_points: 200 },
    read: () => '/v1/core/companies/me',
    undone: { system_fee_basis_points: 200 },
  },
  {
    name: 'disabling an endpoint',
    method: 'PATCH',
    path: () => `/v1/webhooks/${endpointId}`,
    change: { status: 'DISABLED' },
    undo: { status: 'ENABLED' },
    read: () => `/v1/webhooks/${endpointId}`,
    undone: { status: 'ENABLED' },
  },
];

describe.each(CHANGES)('$name', ({ method, path, change, undo, read, undone }) => {
  test('with the same idempotency key again gets the first answer and changes nothing', async () => {
    const key = randomUUID();
    const first = await send(method, path(), change, key);
    expect(first.status).toBe(200);
    expect(await send(method, path(), undo)).toMatchObject({ status: 200 });
    const again = await send(method, path(), change, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await company.get(read())).body).toMatchObject(undone);
  });

  test('with another content under the same key is refused', async () => {
    const key = randomUUID();
    await send(method, path(), change, key);
    expect(await send(method, path(), undo, key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    await send(method, path(), undo);
  });

  test('eight times at once with one idempotency key happens once', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(method, path(), change, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    await send(method, path(), undo);
  });
});

test('a password that the caller chose for an administrator leaves no trace with the idempotency key', async () => {
  const owner = await logIn(service, company.id, company.owner);
  const add = (key: string, password: string) =>
    owner.request('POST', '/v1/core/companies/admins', {
      headers: { 'x-idempotency-key': key },
      body: { firstName: 'A', lastName: 'B', email: 'a.b@test.example', role: 'manager', password },
    });
  const key = randomUUID();
  const first = await add(key, 'a long enough password');
  expect(first.status).toBe(201);
  const digests = () =>
    sql(service, `select encode(fingerprint, 'hex') as digest from idempotency where key = $1`, [key]);
  const before = await digests();
  // The digest is the same for another password: nothing can be guessed from it.
  expect(await add(key, 'another long password')).toMatchObject({ status: 201, body: first.body });
  expect(await digests()).toEqual(before);
});
