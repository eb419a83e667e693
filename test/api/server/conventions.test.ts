import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, newAdministrator, newKey, nobody, refused, type TestAdministrator } from '../../support/api.ts';
import { newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';
import { together } from '../../support/together.ts';

/** Rules for all operations. The list of operations comes from the service's OpenAPI description. */

let service: TestService;
let company: TestCompany;
let other: TestCompany;
let manager: TestAdministrator;
let operations: Operation[];

type Operation = {
  readonly method: string;
  readonly path: string;
  readonly needsKey: boolean;
  /** The roles that pass the role check. */
  readonly roles: readonly string[];
  readonly takesKey: boolean;
  readonly takes: 'json' | 'files' | 'nothing';
};

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  other = await newCompany(service);
  manager = await newAdministrator(service, company, 'manager');
  operations = await describedOperations();
});
afterAll(() => service.stop());

async function describedOperations(): Promise<Operation[]> {
  const { body } = await service.request('GET', '/openapi.json');
  return Object.entries<Record<string, Description>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      // Malformed ids, so a request that passes all access checks fails at the next check.
      path: path.replace(/\{\w+\}/g, 'malformed'),
      needsKey: (described.parameters ?? []).some(({ name, required }) => name === 'x-idempotency-key' && required),
      roles: described['x-roles'] ?? [],
      takesKey: (described.security ?? []).some((scheme) => 'apiKey' in scheme),
      takes: bodyOf(described),
    })),
  );
}

type Description = {
  readonly parameters?: { name: string; required?: boolean }[];
  readonly security?: Record<string, string[]>[];
  readonly requestBody?: { readonly content: Record<string, unknown> };
  readonly 'x-roles'?: string[];
};

function bodyOf({ requestBody }: Description): Operation['takes'] {
  if (requestBody === undefined) return 'nothing';
  return 'application/json' in requestBody.content ? 'json' : 'files';
}

const guarded = () => operations.filter(({ roles }) => roles.length > 0);
const credential = (operation: Operation, of: TestCompany): Record<string, string> =>
  operation.takesKey ? { 'x-api-key': of.apiKey } : { authorization: `Bearer ${of.owner.token}` };
const send = ({ method, path }: Operation, headers: Record<string, string>) =>
  service.request(method, path, { headers });

describe('the access checks of every operation with a credential, in this order', () => {
  test('there are operations to check', () => {
    expect(guarded().length).toBeGreaterThanOrEqual(28);
  });

  test('without a credential: 401, before any other check', async () => {
    await together(guarded(), async (operation) => {
      const answer = await send(operation, {});
      expect([operation.path, answer]).toMatchObject([operation.path, refused(401, 'unauthenticated')]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    });
  });

  test('with an invalid key or token: 401', async () => {
    await together(guarded(), async (operation) => {
      for (const [name, value] of [
        ['x-api-key', `esc_t_${'A'.repeat(32)}`],
        ['authorization', 'Bearer abc'],
      ] as const)
        expect([operation.path, await send(operation, { [name]: value, 'x-company-id': company.id })]).toMatchObject([
          operation.path,
          refused(401, 'unauthenticated'),
        ]);
    });
  });

  test('without x-company-id: 400 missing_header', async () => {
    await together(guarded(), async (operation) => {
      expect([operation.path, await send(operation, credential(operation, company))]).toMatchObject([
        operation.path,
        refused(400, 'missing_header'),
      ]);
    });
  });

  test("with another company's x-company-id: 403 company_mismatch", async () => {
    await together(guarded(), async (operation) => {
      expect([
        operation.path,
        await send(operation, { ...credential(operation, company), 'x-company-id': other.id }),
      ]).toMatchObject([operation.path, refused(403, 'company_mismatch')]);
    });
  });

  test('with a role that is not permitted: 403 forbidden, before keys, ids and bodies are checked', async () => {
    const closed = guarded().filter(({ roles }) => !roles.includes('MANAGER'));
    expect(closed.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/v1/core/companies/admins',
        '/v1/core/companies/admins/malformed/remove',
        '/v1/core/companies/api-keys',
        '/v1/core/companies/api-keys/malformed/revoke',
        '/v1/core/companies/api-keys/roll',
      ]),
    );
    await together(closed, async (operation) => {
      expect([
        operation.path,
        await send(operation, { authorization: `Bearer ${manager.token}`, 'x-company-id': company.id }),
      ]).toMatchObject([operation.path, refused(403, 'forbidden')]);
    });
  });

  test('without a required x-idempotency-key: 400 missing_header, before ids and bodies are checked', async () => {
    const keyed = guarded().filter(({ needsKey, roles }) => needsKey && roles.includes('OWNER'));
    expect(keyed.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/v1/payments/deposit', '/v1/escrow/malformed/release']),
    );
    await together(keyed, async (operation) => {
      expect([
        operation.path,
        await send(operation, { ...credential(operation, company), 'x-company-id': company.id }),
      ]).toMatchObject([operation.path, refused(400, 'missing_header')]);
    });
  });

  test('after the access checks: 400 for malformed ids and bodies', async () => {
    const checked = guarded().filter(
      ({ roles, path, takes }) =>
        roles.includes('OWNER') && (takes === 'json' || (takes === 'nothing' && path.includes('malformed'))),
    );
    await together(checked, async (operation) => {
      const headers = { 'x-company-id': company.id, 'x-idempotency-key': randomUUID() };
      const answer = await service.request(operation.method, operation.path, {
        headers: { ...credential(operation, company), ...headers },
        ...(operation.takes === 'json' ? { body: [] } : {}),
      });
      expect([operation.path, answer.status]).toEqual([operation.path, 400]);
      expect(['invalid_id', 'validation_failed']).toContain(answer.body.code);
    });
  });
});

describe('roles', () => {
  test('a MANAGER may read lists of keys and administrators, and operate', async () => {
    for (const path of ['/v1/core/companies/admins', '/v1/core/companies/api-keys', '/v1/core/companies/me'])
      expect(await manager.request('GET', path)).toMatchObject({ status: 200 });
  });

  test('an ADMIN may manage the company, by token and by a key of their own', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    const { key, id } = await newKey(admin);
    const headers = { 'x-api-key': key, 'x-company-id': company.id };
    const revoked = await service.request('POST', `/v1/core/companies/api-keys/${id}/revoke`, { headers });
    expect(revoked).toMatchObject({ status: 200 });
  });

  test('a key takes precedence over a bearer token, so an invalid key is refused beside a valid token', async () => {
    const headers = { authorization: `Bearer ${company.owner.token}`, 'x-company-id': company.id };
    expect(
      await service.request('GET', '/v1/core/companies/me', { headers: { ...headers, 'x-api-key': 'no-such-key' } }),
    ).toMatchObject(refused(401, 'unauthenticated'));
  });
});

describe('problems', () => {
  test('are application/problem+json, with every field of RFC 9457 and our own', async () => {
    const { status, headers, body } = await company.get('/v1/escrow/malformed');
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toEqual({
      type: expect.stringContaining('invalid_id'),
      title: expect.any(String),
      status: 400,
      detail: expect.any(String),
      instance: expect.stringContaining(body.requestId),
      code: 'invalid_id',
      requestId: headers.get('x-request-id'),
      errors: [{ path: 'id', message: expect.stringContaining('esc_') }],
    });
  });

  test('name every field that is wrong', async () => {
    const { body } = await company.post('/v1/payments/deposit', { amount: -5, currency: 'EUR' });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['amount', 'currency']);
  });

  test('a method that a path does not have is 405 for everybody, and Allow lists those that it has', async () => {
    const { body } = await service.request('GET', '/openapi.json');
    const paths = Object.entries<Record<string, object>>(body.paths);
    expect(paths.length).toBeGreaterThan(60);
    for (const [template, operations] of paths) {
      const has = Object.keys(operations).map((method) => method.toUpperCase());
      const [wrong = ''] = ['DELETE', 'PUT', 'PATCH', 'GET', 'POST'].filter((method) => !has.includes(method));
      const path = template.replace(/\{\w+\}/g, 'x');
      const answer = await service.request(wrong, path, wrong === 'GET' ? {} : { rawBody: '{' });
      expect({ path, ...answer }).toMatchObject({ path, ...refused(405, 'method_not_allowed') });
      const allowed = answer.headers.get('allow')?.split(', ') ?? [];
      expect([path, allowed.filter((method) => method !== 'HEAD').sort()]).toEqual([path, has.sort()]);
    }
    expect((await fetch(`${service.url}/health`, { method: 'HEAD' })).status).toBe(200);
  });

  test('an unknown operation is 404 not_found', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['GET', '/v2/escrow'],
    ] as const)
      expect(await company.request(method, path)).toMatchObject(refused(404, 'not_found'));
  });
});

describe('X-Request-Id', () => {
  test.each(['order-4711-a', 'b'.repeat(128), '7', 'shop.example:42', 'q1+/x=='])(
    'a sane one is echoed: %s',
    async (id) => {
      const headers = { 'x-request-id': id };
      expect((await company.request('GET', '/v1/core/companies/me', { headers })).headers.get('x-request-id')).toBe(id);
      const refusal = await service.request('GET', '/v1/escrow', { headers });
      expect(refusal.body.requestId).toBe(id);
    },
  );

  test.each(['', 'with space inside', 'c'.repeat(129), '<script>alert(1)</script>'])(
    'instead of %p we make one',
    async (id) => {
      const { headers } = await service.request('GET', '/health', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('bodies', () => {
  const deposit = (options: { rawBody?: string; headers?: Record<string, string> }) =>
    company.request('POST', '/v1/payments/deposit', {
      ...options,
      headers: { 'x-idempotency-key': randomUUID(), ...options.headers },
    });
  const valid = '{"amount":1,"currency":"USD"}';

  test.each(['{', '', '{"amount":1,}', "{'amount':1}", 'undefined', '{"amount":NaN}'])(
    'invalid JSON, %p: invalid_json',
    async (rawBody) => {
      const headers = { 'content-type': 'application/json' };
      expect(await deposit({ rawBody, headers })).toMatchObject(refused(400, 'invalid_json'));
    },
  );

  test.each(['null', '[]', '"text"', '1'])('JSON that is not an object, %s: validation_failed', async (rawBody) => {
    expect(await deposit({ rawBody })).toMatchObject(refused(400, 'validation_failed'));
  });

  test('no body at all: validation_failed', async () => {
    expect(await deposit({})).toMatchObject(refused(400, 'validation_failed'));
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonp'])(
    '%s: 415',
    async (type) => {
      expect(await deposit({ rawBody: valid, headers: { 'content-type': type } })).toMatchObject(
        refused(415, 'unsupported_media_type'),
      );
    },
  );

  test.each([
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-type': 'application/json;charset="iso-8859-1"' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'identity, br' }],
    [{ 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': 'gzip' }],
  ])('a body in another encoding, %j: 415', async (headers) => {
    expect(await deposit({ rawBody: valid, headers })).toMatchObject(refused(415, 'unsupported_media_type'));
  });

  test('a body whose encoding is identity is JSON', async () => {
    const headers = { 'content-type': 'application/json; charset="UTF-8"', 'content-encoding': 'identity' };
    expect(await deposit({ rawBody: valid, headers })).toMatchObject({ status: 201 });
  });

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.shop+json'])(
    '%s is JSON',
    async (type) => {
      expect(await deposit({ rawBody: valid, headers: { 'content-type': type } })).toMatchObject({ status: 201 });
    },
  );

  test('over 64 KiB: 413, whether the length was announced or not', async () => {
    const rawBody = JSON.stringify({ amount: 1, currency: 'USD', padding: 'x'.repeat(65_536) });
    expect(await deposit({ rawBody })).toMatchObject(refused(413, 'payload_too_large'));
    const streamed = await fetch(`${service.url}/v1/payments/deposit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': company.apiKey, 'x-company-id': company.id },
      body: new Blob([rawBody]).stream(),
      duplex: 'half',
    });
    expect(streamed.status).toBe(413);
    expect(await streamed.json()).toMatchObject({ code: 'payload_too_large' });
  });

  test('a body just under 64 KiB is read; one with items may have 512 KiB', async () => {
    const headers = { prefer: 'handling=lenient' };
    const rawBody = JSON.stringify({ amount: 1, currency: 'USD', padding: 'x'.repeat(65_000) });
    expect(await deposit({ rawBody, headers })).toMatchObject({ status: 201 });
    const order = JSON.stringify({ padding: 'x'.repeat(524_000) });
    const answer = await company.request('POST', '/v1/escrow/initiate', { rawBody: order });
    expect(answer).toMatchObject(refused(400, 'validation_failed'));
  });

  test('bytes that are not UTF-8: invalid_json, and validation_failed in a form', async () => {
    const latin = { 'x-api-key': company.apiKey, 'x-company-id': company.id, 'x-idempotency-key': randomUUID() };
    const send = async (path: string, type: string, text: string) => {
      const body = Buffer.from(text, 'latin1');
      const headers = { ...latin, 'content-type': type };
      const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
      return [answer.status, await answer.json()];
    };
    const json = '{"amount":1,"currency":"USD","userReference":"Jos\xe9"}';
    expect(await send('/v1/payments/deposit', 'application/json', json)).toMatchObject([400, { code: 'invalid_json' }]);
    const field = (name: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = `${field('mobileNumber', '+263771000009')}${field('idNumber', '9')}${field('firstName', 'Jos\xe9')}--b--\r\n`;
    expect(await send('/v1/identity/users', 'multipart/form-data; boundary=b', form)).toMatchObject([
      400,
      { code: 'validation_failed' },
    ]);
  });

  test('a body that would take long to parse or to validate is refused before that', async () => {
    const path = '/v1/escrow/esc_01900000-0000-7000-8000-000000000001/delivery-note';
    const send = (rawBody: string) => company.request('POST', path, { rawBody });
    expect(await send('['.repeat(500_000))).toMatchObject(refused(400, 'invalid_json'));
    expect(await send(`{${'"a":1,'.repeat(80_000)}"b":1}`)).toMatchObject(refused(400, 'invalid_json'));
    const items = (count: number) => `{"items":[${'0,'.repeat(count)}0]}`;
    expect(await send(items(250_000))).toMatchObject(refused(400, 'invalid_json'));
    const refusal = await send(items(10_000));
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.errors).toEqual([{ path: 'items', message: 'items must have at most 100 entries' }]);
  });
});

describe('tenants', () => {
  test("a super administrator's operation on an unknown company: 404, not a failure", async () => {
    const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': nobody('cmp'), 'x-idempotency-key': 'a' };
    const body = { amount: 1, currency: 'USD' };
    expect(await service.request('POST', '/v1/payments/deposit', { headers, body })).toMatchObject(
      refused(404, 'not_found'),
    );
  });

  test('a super administrator may act for any company', async () => {
    const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': bare(other.id) };
    const { body } = await service.request('GET', '/v1/core/companies/admins', { headers });
    expect(body).toMatchObject([{ id: other.owner.id }]);
  });

  test('no operation allows browsers of other origins by default', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const answer = await company.request('GET', '/v1/core/companies/me', { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test.each([
  ['POST', '/v1/payments/eft-pay/initiate', 'paymentSlug'],
  ['POST', '/v1/payments/reject-payment', 'paymentSlug'],
  ['POST', '/v1/auth/login', 'password'],
  ['POST', '/v1/auth/refresh', 'refreshToken'],
])('%s %s answers 4xx to text that PostgreSQL rejects', async (method, path, field) => {
  const known = { email: 'nobody@market.example', password: 'x', refreshToken: 'x', userId: company.owner.id };
  for (const unkeepable of ['\0', 'a\0b', '\\\0', '\ud800']) {
    const { status } = await service.request(method, path, { body: { ...known, [field]: unkeepable } });
    expect([400, 401, 404]).toContain(status);
  }
});

test('a path with text that PostgreSQL rejects is answered 4xx', async () => {
  for (const path of ['/v1/payments/link-details/%00', '/checkout/%00', '/v1/payments/link-details/a%5C%00'])
    expect([400, 404]).toContain((await service.request('GET', path)).status);
});
