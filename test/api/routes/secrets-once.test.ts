import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hiddenFields, visitorAs } from '../../console/support/visitor.ts';
import { logIn, refused, sql, type TestAdministrator } from '../../support/api.ts';
import { newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** Operations whose answer holds a secret: they act once for an idempotency key, and the secret is stored nowhere. */

let service: TestService;
let company: TestCompany;
let owner: TestAdministrator;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  owner = await logIn(service, company.id, company.owner);
});
afterAll(() => service.stop());

const KEYS = '/v1/core/companies/api-keys';
const ENDPOINTS = '/v1/webhooks';
const url = 'http://127.0.0.1:9/hook';
const send = (path: string, body: unknown, key: string) =>
  owner.request('POST', path, { body, headers: { 'x-idempotency-key': key } });
const count = async (path: string) => (await owner.request('GET', `${path}?limit=100`)).body.length as number;

/** The columns of all rows that a request with a key leaves, as text. */
async function leftovers(key: string): Promise<string> {
  const rows = await sql(service, 'select i::text as row from idempotency i where key = $1', [key]);
  const lines = await sql(service, 'select l::text as row from audit_log l where company_id = $1', [
    company.id.replace('cmp_', ''),
  ]);
  expect(rows).toHaveLength(1);
  expect(lines.length).toBeGreaterThan(0);
  return JSON.stringify([rows, lines]);
}

const CREATIONS: readonly (readonly [string, string, Record<string, unknown>, 'key' | 'secret'])[] = [
  ['an API key', KEYS, { name: 'shop server' }, 'key'],
  ['an endpoint', ENDPOINTS, { url, events: ['*'] }, 'secret'],
];

describe.each(CREATIONS)('creating %s', (_, path, body, secretField) => {
  test('with the same idempotency key again creates nothing, and names what the first request created', async () => {
    const key = randomUUID();
    const before = await count(path);
    const first = await send(path, body, key);
    expect(first).toMatchObject({ status: 201, body: { [secretField]: expect.stringMatching(/.{20}/) } });
    const again = await send(path, body, key);
    expect(again).toMatchObject(refused(409, 'already_exists'));
    expect(again.body.duplicateOf).toBe(first.body.id);
    expect(JSON.stringify(again.body)).not.toContain(first.body[secretField]);
    expect(await count(path)).toBe(before + 1);
    expect(await leftovers(key)).not.toContain(first.body[secretField]);
  });

  test('twenty times at once with one idempotency key creates one', async () => {
    const key = randomUUID();
    const before = await count(path);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(path, body, key)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    expect(await count(path)).toBe(before + 1);
  });

  test('with the same key and another body is refused', async () => {
    const key = randomUUID();
    await send(path, body, key);
    const other = { ...body, ...(path === KEYS ? { name: 'other' } : { description: 'other' }) };
    expect(await send(path, other, key)).toMatchObject(refused(422, 'idempotency_key_reused'));
  });

  test('that is refused leaves the key free', async () => {
    const key = randomUUID();
    const wrong = path === KEYS ? { name: 'k', role: 'nobody' } : { url: 'ftp://x', events: ['*'] };
    expect((await send(path, wrong, key)).status).toBe(400);
    expect((await send(path, body, key)).status).toBe(201);
  });
});

test('a new secret of an endpoint is made once for a key, so that the one before it still signs', async () => {
  const { id } = (await send(ENDPOINTS, { url, events: ['*'] }, randomUUID())).body;
  const key = randomUUID();
  const path = `${ENDPOINTS}/${id}/rotate-secret`;
  const first = await send(path, { graceSeconds: 3_600 }, key);
  expect(first.status).toBe(200);
  const secrets = () =>
    sql(service, 'select secret, previous_secret from webhook_endpoint where url = $1 order by id', [url]);
  const before = await secrets();
  expect(await send(path, { graceSeconds: 3_600 }, key)).toMatchObject(refused(409, 'already_exists'));
  expect(await secrets()).toEqual(before);
  expect(await leftovers(key)).not.toContain(first.body.secret);
});

test.each([
  ['/keys', KEYS, { do: 'make', name: 'by hand', role: 'manager' }],
  ['/webhooks/new', ENDPOINTS, { do: 'register', url, events: '*' }],
])(
  'the form %s of the console, sent twice, makes one, and says what became of the secret',
  async (page, path, typed) => {
    const visitor = await visitorAs(service, company, 'owner');
    const before = await count(path);
    const fields = { ...hiddenFields((await visitor.get(page)).text, page), ...typed };
    expect((await visitor.send(page, fields)).text).toContain('class="secret"');
    const again = await visitor.send(page, fields);
    expect(again.status).toBe(409);
    expect(again.text).toContain('This was already done, and the secret was shown');
    expect(await count(path)).toBe(before + 1);
  },
);
