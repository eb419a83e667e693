import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { logIn, newAdministrator, newKey, nobody, refused, type TestAdministrator } from '../../support/api.ts';
import {
  type Answer,
  newCompany,
  newParties,
  PLATFORM,
  type TestCompany,
  type TestService,
  untilAnswered,
} from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/**
 * A request acts as its credential. `actor: ADMIN` needs a credential that may act as ADMIN, and an `adminId` must be the caller's
 * own, except for a platform administrator and for an API key, which belongs to no person: it names an administrator of its own
 * company, and is recorded with the step.
 */

/** Every operation whose body names an administrator, or can state that one acts. */
const NAMES_AN_ADMINISTRATOR = ['POST /v1/escrow/{id}/admin-resolve', 'POST /v1/treasury/withdrawals/{id}/outcome'];
/** Its `adminId` is the administrator who will decide, not the one who acts. */
const NAMES_AN_ASSIGNEE = ['POST /v1/escrow/{id}/dispute/assign'];
const MAY_ACT_AS_ADMIN = ['POST /v1/escrow/{id}/cancel', 'POST /v1/escrow/{id}/dispute/evidence'];

let service: TestService;
let company: TestCompany;
let owner: TestAdministrator;
let admin: TestAdministrator;
let manager: TestAdministrator;
let platform: TestAdministrator;
let adminsKey: { readonly id: string; readonly key: string };

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  owner = await logIn(service, company.id, company.owner);
  [admin, manager] = [
    await newAdministrator(service, company, 'admin'),
    await newAdministrator(service, company, 'manager'),
  ];
  platform = await logIn(service, company.id, PLATFORM);
  adminsKey = await newKey(admin);
});
afterAll(() => service.stop());

type Bodies = {
  readonly body: { readonly anyOf?: object[]; readonly properties?: Record<string, { enum?: string[] }> };
};
type Description = {
  readonly paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: { $ref?: string } }> } }>
  >;
  readonly components: { readonly schemas: Record<string, Bodies['body']> };
};

test('the operations of this test are those of the description', async () => {
  const { body } = await service.request('GET', '/openapi.json');
  const { paths, components }: Description = body;
  const found = { adminId: [] as string[], actor: [] as string[] };
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const name = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
      const properties = components.schemas[name]?.properties ?? {};
      if ('adminId' in properties) found.adminId.push(`${method.toUpperCase()} ${path}`);
      if (properties.actor?.enum?.includes('ADMIN')) found.actor.push(`${method.toUpperCase()} ${path}`);
    }
  expect(found.adminId.toSorted()).toEqual([...NAMES_AN_ADMINISTRATOR, ...NAMES_AN_ASSIGNEE].toSorted());
  expect(found.actor.toSorted()).toEqual(MAY_ACT_AS_ADMIN.toSorted());
});

const PLAN = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 10_000 };
type Post = (path: string, body: object) => Promise<Answer>;
const callers: Readonly<Record<string, () => Post>> = {
  'the owner': () => owner.post,
  'an administrator': () => admin.post,
  'a manager': () => manager.post,
  'a platform administrator': () => platform.post,
  'an API key': () => withKey(adminsKey.key),
  "the platform's API key": () => withKey(service.platform.apiKey),
};
const withKey =
  (key: string): Post =>
  (path, body) =>
    untilAnswered((once) =>
      service.request('POST', path, {
        headers: { 'x-api-key': key, 'x-company-id': company.id, 'x-idempotency-key': once },
        body,
      }),
    );
const postOf = (caller: string): Post => {
  const post = callers[caller];
  if (post === undefined) throw new Error(`there is no caller ${caller}`);
  return post();
};

/** The person that a request names → the id. */
const named: Readonly<Record<string, () => Promise<string | undefined>>> = {
  nobody: async () => undefined,
  'the owner': async () => owner.id,
  'an administrator': async () => admin.id,
  'a manager': async () => manager.id,
  'a platform administrator': async () => platform.id,
  'an administrator of another company': async () => (await newCompany(service)).owner.id,
  'a removed administrator': async () => {
    const removed = await newAdministrator(service, company, 'admin');
    await company.post(`/v1/core/companies/admins/${removed.id}/remove`);
    return removed.id;
  },
  'an id that nobody has': async () => nobody('adm'),
};

async function disputed(): Promise<string> {
  const { escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow());
  await company.post(`/v1/escrow/${body.id}/dispute`, { actor: 'BUYER', reason: 'Nothing arrived' });
  return `/v1/escrow/${body.id}`;
}
const lastEntry = async (path: string) => (await company.get(`${path}/timeline`)).body.at(-1);

describe('POST /v1/escrow/{id}/admin-resolve', () => {
  const resolve = async (caller: string, name: string) => {
    const path = await disputed();
    const adminId = await named[name]?.();
    return { path, adminId, answer: await postOf(caller)(`${path}/admin-resolve`, { newSplitPlan: PLAN, adminId }) };
  };

  test.each([
    ['the owner', 'the owner'],
    ['an administrator', 'an administrator'],
    ['a platform administrator', 'a platform administrator'],
    ['a platform administrator', 'the owner'],
    ['an API key', 'the owner'],
    ["the platform's API key", 'a platform administrator'],
  ])('%s names %s: the event has that administrator', async (caller, name) => {
    const { path, adminId, answer } = await resolve(caller, name);
    expect(answer).toMatchObject({ status: 200, body: { status: 'RESOLVED' } });
    expect(await lastEntry(path)).toMatchObject({ event: 'RESOLVED', actor: 'ADMIN', details: { adminId } });
  });

  test('an API key is in the event beside the administrator that it names', async () => {
    const { path } = await resolve('an API key', 'the owner');
    expect(await lastEntry(path)).toMatchObject({ details: { adminId: owner.id, apiKeyId: adminsKey.id } });
  });

  test.each([
    ['the owner', 'nobody', 400, 'validation_failed'],
    ['an API key', 'nobody', 400, 'validation_failed'],
    ['the owner', 'an administrator', 403, 'forbidden'],
    ['an administrator', 'the owner', 403, 'forbidden'],
    ['an administrator', 'a platform administrator', 403, 'forbidden'],
    ['an administrator', 'an id that nobody has', 403, 'forbidden'],
    ['a manager', 'a manager', 403, 'forbidden'],
    ['a manager', 'the owner', 403, 'forbidden'],
    ['a platform administrator', 'an administrator of another company', 422, 'unknown_admin'],
    ['a platform administrator', 'a manager', 403, 'forbidden'],
    ['an API key', 'an administrator of another company', 422, 'unknown_admin'],
    ['an API key', 'a platform administrator', 422, 'unknown_admin'],
    ["the platform's API key", 'the owner', 422, 'unknown_admin'],
    ["the platform's API key", 'an administrator of another company', 422, 'unknown_admin'],
    ['an API key', 'a removed administrator', 422, 'unknown_admin'],
    ['an API key', 'an id that nobody has', 422, 'unknown_admin'],
    ['an API key', 'a manager', 403, 'forbidden'],
  ])('%s names %s: %i %s', async (caller, name, status, code) => {
    const { path, answer } = await resolve(caller, name);
    expect(answer).toMatchObject(refused(status, code));
    expect((await company.get(path)).body).toMatchObject({ status: 'DISPUTED' });
  });
});

describe('POST /v1/treasury/withdrawals/{id}/outcome', () => {
  const path = () => `/v1/treasury/withdrawals/${nobody('txn')}/outcome`;
  const book = async (caller: string, name: string) =>
    postOf(caller)(path(), { outcome: 'PAID', adminId: await named[name]?.() });

  test.each([
    ['the owner', 'the owner', 403, 'forbidden'],
    ['an administrator', 'a platform administrator', 403, 'forbidden'],
    ['an API key', 'a platform administrator', 403, 'forbidden'],
    ['a platform administrator', 'nobody', 400, 'validation_failed'],
    ["the platform's API key", 'nobody', 400, 'validation_failed'],
    ['a platform administrator', 'a platform administrator', 404, 'not_found'],
    ["the platform's API key", 'a platform administrator', 404, 'not_found'],
  ])('%s names %s: %i %s', async (caller, name, status, code) => {
    expect(await book(caller, name)).toMatchObject(refused(status, code));
  });
});

describe('actor: ADMIN', () => {
  const steps = {
    cancel: { body: { actor: 'ADMIN', reason: 'fraud' }, event: 'CANCELLED' },
    'dispute/evidence': { body: { actor: 'ADMIN', note: 'A photo' }, event: 'EVIDENCE_ADDED' },
  } as const;

  test.each(['cancel', 'dispute/evidence'] as const)('%s: a manager may not act as ADMIN', async (step) => {
    const path = await disputed();
    expect(await manager.post(`${path}/${step}`, steps[step].body)).toMatchObject(refused(403, 'forbidden'));
  });

  test.each([
    ['cancel', 'the owner'],
    ['cancel', 'an administrator'],
    ['cancel', 'a platform administrator'],
    ['cancel', 'an API key'],
    ['dispute/evidence', 'the owner'],
    ['dispute/evidence', 'an API key'],
  ] as const)(
    '%s by %s is recorded with the credential, and an adminId in the body is ignored',
    async (step, caller) => {
      const path = await disputed();
      const { body, event } = steps[step];
      const answer = await postOf(caller)(`${path}/${step}`, { ...body, adminId: nobody('adm') });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-ignored-fields')).toBe('adminId');
      const ids: Record<string, object> = {
        'the owner': { adminId: owner.id },
        'an administrator': { adminId: admin.id },
        'a platform administrator': { adminId: platform.id },
        'an API key': { apiKeyId: adminsKey.id },
      };
      expect(await lastEntry(path)).toMatchObject({ event, actor: 'ADMIN', details: ids[caller] ?? {} });
    },
  );
});

describe('a release', () => {
  test.each([
    ['an API key', () => ({ orderedBy: 'COMPANY', apiKeyId: adminsKey.id })],
    ['an administrator', () => ({ orderedBy: 'ADMIN', adminId: admin.id })],
    ['a platform administrator', () => ({ orderedBy: 'ADMIN', adminId: platform.id })],
  ])('by %s is recorded with its credential', async (caller, details) => {
    const { escrow } = await newParties(company);
    const { body } = await company.post('/v1/escrow/initiate', escrow());
    expect(await postOf(caller)(`/v1/escrow/${body.id}/release`, {})).toMatchObject({ status: 200 });
    expect(await lastEntry(`/v1/escrow/${body.id}`)).toMatchObject({ event: 'FUNDS_RELEASED', details: details() });
  });
});
