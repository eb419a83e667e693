import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { PERMISSION_NAMES } from '../../../src/domain/roles.ts';
import { logIn, newAdministrator, newKey } from '../../support/api.ts';
import { JWT_SECRET } from '../../support/keys.ts';
import { type Answer, done, PLATFORM, type TestService, untilAnswered } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';
import { ACCESS, LOGOUT, MEANING, NEEDS, type Permission } from './access-table.ts';
import { newWebhook, newWorld, pathOf, requestOf, type Sent, type World } from './access-world.ts';

/**
 * Every operation × every kind of credential × own and foreign ids. The expectations follow from the table in
 * access-table.ts. The list of operations comes from the service's own description, so none is missing.
 */

type Headers = Readonly<Record<string, string>>;
type Outcomes = Record<string, string>;

let service: TestService;
let ours: World;
let theirs: World;
let operations: string[];
let described: Map<
  string,
  { readonly security?: object[]; readonly 'x-roles'?: string[]; readonly 'x-permission'?: string }
>;

beforeAll(async () => {
  service = await sharedService();
  [ours, theirs] = await Promise.all([
    newWorld(service, 'Zanzibar', 8_877_661),
    newWorld(service, 'Timbuktu', 7_654_321),
  ]);
  const { body } = await service.request('GET', '/openapi.json');
  described = new Map(
    Object.entries<Record<string, object>>(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
  operations = [...described.keys()].filter((name) => name !== LOGOUT).concat(LOGOUT);
});
afterAll(() => service.stop());

const permissionOf = (operation: string): Permission | undefined => new Map(Object.entries(ACCESS)).get(operation);
const rolesOf = (operation: string): readonly string[] => MEANING[permissionOf(operation) ?? 'every role'];
const isPublic = (operation: string) => rolesOf(operation).length === 0;
const isRead = (operation: string) => operation.startsWith('GET ');
const hasId = (operation: string) => operation.includes('{');
/** Only the platform calls these. They name another company in the path, or list the companies. */
const NAMES_ANY_COMPANY = [
  'PATCH /v1/core/companies/{id}',
  'GET /v1/platform/companies',
  'GET /v1/platform/state',
  'GET /v1/treasury/intercompany',
  'POST /v1/treasury/intercompany/{companyId}/settle',
];
const guarded = () => operations.filter((operation) => !isPublic(operation));

function send(operation: string, ids: World['ids'], headers: Headers, sent: Sent): Promise<Answer> {
  const [method = '', pattern = ''] = operation.split(' ');
  const key = { 'x-idempotency-key': randomUUID() };
  return service.request(method, pathOf(pattern, ids), { headers: { ...key, ...headers }, ...sent });
}

/** The problem codes of the access checks. Any other answer means that the request passed them. */
const WALLS = ['unauthenticated', 'company_mismatch', 'password_change_required', 'forbidden', 'not_found'];
const PASSED = 'past the walls';
const outcomeOf = ({ status, body }: Answer) =>
  status >= 400 && WALLS.includes(body.code) ? `${status} ${body.code}` : PASSED;

/** Calls the operations one after the other. Operation → outcome. */
async function call(
  which: readonly string[],
  request: (operation: string) => Promise<Answer>,
  tell: (answer: Answer, operation: string) => string = outcomeOf,
): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  for (const operation of which) outcomes[operation] = tell(await request(operation), operation);
  return outcomes;
}
/** The same for requests without effect, several at a time. */
async function callTogether(
  which: readonly string[],
  request: (operation: string) => Promise<Answer>,
  tell: (answer: Answer, operation: string) => string = outcomeOf,
): Promise<Outcomes> {
  const lane = (first: number) => which.filter((_operation, index) => index % AT_ONCE === first);
  const lanes = Array.from({ length: AT_ONCE }, (_, first) => call(lane(first), request, tell));
  return Object.assign({}, ...(await Promise.all(lanes)));
}
const AT_ONCE = 8;
const expectedFor = (which: readonly string[], tell: (operation: string) => string): Outcomes =>
  Object.fromEntries(which.map((operation) => [operation, tell(operation)]));

const bearer = (token: string, companyId: string): Headers => ({
  authorization: `Bearer ${token}`,
  'x-company-id': companyId,
});
/** A request without effect: only the access check that answers matters. */
const harmless = (operation: string): Sent => (isRead(operation) ? {} : { body: {} });

describe('the table', () => {
  test('has a row for every operation, and no other', () => {
    expect(operations.toSorted()).toEqual(Object.keys(ACCESS).toSorted());
  });

  test('agrees with the description: x-roles and accepted credentials', () => {
    const said = Object.fromEntries(
      [...described].map(([operation, { security, 'x-roles': roles = [] }]) => [operation, { roles, security }]),
    );
    const meant = Object.fromEntries(
      operations.map((operation) => {
        const isToken = permissionOf(operation)?.endsWith('with a token');
        const security = isPublic(operation) ? [] : isToken ? [{ bearer: [] }] : [{ apiKey: [] }, { bearer: [] }];
        return [operation, { roles: rolesOf(operation), security }];
      }),
    );
    expect(said).toEqual(meant);
  });
});

/** Everything that looks like an id in the company's own responses. Only the banks are shared by all companies. */
async function idsSeenBy(world: World): Promise<Set<string>> {
  const { body: banks } = await service.request('GET', '/v1/identity/financial-institutions');
  const shared = new Set(JSON.stringify(banks).match(UUID));
  const seen = new Set<string>();
  for (const operation of guarded().filter(isRead)) {
    if (!rolesOf(operation).includes('OWNER')) continue;
    const headers = bearer(world.company.owner.token, world.company.id);
    const answer = await untilAnswered(() => send(operation, world.ids, headers, {}));
    expect([operation, answer.status]).toEqual([operation, 200]);
    for (const id of JSON.stringify(answer.body).match(UUID) ?? []) if (!shared.has(id)) seen.add(id);
  }
  return seen;
}
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

describe("another tenant's things", () => {
  let secrets: readonly string[];
  beforeAll(async () => {
    secrets = [...(await idsSeenBy(theirs)), ...theirs.secrets];
    expect(secrets.length).toBeGreaterThan(40); // else the test would prove little
  });

  /** The other company's ids in an answer. Our own audit log contains only the ids that our requests named. */
  const leaksIn = ({ body }: Answer, operation: string): string[] => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const known = operation === 'GET /v1/core/audit-log' ? JSON.stringify(theirs.ids) : '';
    return secrets.filter((secret) => text.includes(secret) && !known.includes(secret));
  };

  test.each(['MANAGER', 'ADMIN', 'OWNER', 'SUPER_ADMIN'])(
    'are invisible to a %s who acts for another company: no id opens them, and no answer contains them',
    async (role) => {
      const headers = bearer(await tokenOf(role, ours), ours.company.id);
      const which = guarded().filter((operation) => !NAMES_ANY_COMPANY.includes(operation));
      const leaks: Record<string, string[]> = {};
      const outcomes = await call(which, async (operation) => {
        const answer = await send(operation, theirs.ids, headers, requestOf(operation, theirs.ids));
        const found = leaksIn(answer, operation);
        if (found.length > 0) leaks[operation] = found;
        return answer;
      });
      expect(leaks).toEqual({});
      expect(outcomes).toMatchObject(
        expectedFor(
          which.filter((operation) => hasId(operation) || !rolesOf(operation).includes(role)),
          (operation) => (rolesOf(operation).includes(role) ? '404 not_found' : '403 forbidden'),
        ),
      );
    },
  );

  test('are refused in a body as if they did not exist', async () => {
    const headers = bearer(await tokenOf('OWNER', ours), ours.company.id);
    const naming = guarded().filter(
      (operation) => !hasId(operation) && JSON.stringify(requestOf(operation, theirs.ids)).match(UUID_OF_KIND),
    );
    expect(naming.length).toBeGreaterThanOrEqual(4);
    for (const operation of naming) {
      const unknown = Object.fromEntries(Object.keys(theirs.ids).map((name) => [name, randomUUID()]));
      const [foreign, absent] = [
        await send(operation, theirs.ids, headers, requestOf(operation, theirs.ids)),
        await send(operation, theirs.ids, headers, requestOf(operation, unknown)),
      ];
      expect([
        operation,
        foreign.status >= 400,
        foreign.status,
        foreign.body.code,
        leaksIn(foreign, operation),
      ]).toEqual([operation, true, absent.status, absent.body.code, []]);
    }
  });
  const UUID_OF_KIND = /"(usr|acc|adm)_/;

  test("cannot be reached with the other company's x-company-id: 403 company_mismatch", async () => {
    const headers = bearer(await tokenOf('OWNER', ours), theirs.company.id);
    const key = { 'x-api-key': ours.company.apiKey, 'x-company-id': theirs.company.id };
    const byKey = guarded().filter((operation) => !permissionOf(operation)?.endsWith('with a token'));
    const mismatch = () => '403 company_mismatch';
    const asTold = (credential: Headers) => (operation: string) =>
      send(operation, theirs.ids, credential, harmless(operation));
    expect(await callTogether(guarded(), asTold(headers))).toEqual(expectedFor(guarded(), mismatch));
    expect(await callTogether(byKey, asTold(key))).toEqual(expectedFor(byKey, mismatch));
  });
});

async function tokenOf(role: string, { company, manager, admin }: World): Promise<string> {
  const people: Readonly<Record<string, { email: string; password: string }>> = {
    MANAGER: manager,
    ADMIN: admin,
    OWNER: company.owner,
    SUPER_ADMIN: PLATFORM,
  };
  return (await logIn(service, company.id, people[role] ?? company.owner)).token;
}

describe('credentials that do not work', () => {
  /** The owner's token with another signature or another expiry. */
  const tokenWith = async (secret: string, expiresAt: string) =>
    new SignJWT(decodeJwt(await tokenOf('OWNER', ours)))
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(expiresAt)
      .sign(new TextEncoder().encode(secret));

  const broken: Record<string, () => Promise<Headers>> = {
    none: async () => ({}),
    'a revoked key': async () => {
      const { id, key } = await newKey(await logIn(service, ours.company.id, ours.admin)); // other tests log them out
      await done(ours.company.post(`/v1/core/companies/api-keys/${id}/revoke`));
      return { 'x-api-key': key };
    },
    "a removed administrator's token": async () => {
      const removed = await newAdministrator(service, ours.company, 'admin');
      await ours.company.post(`/v1/core/companies/admins/${removed.id}/remove`);
      return { authorization: `Bearer ${removed.token}` };
    },
    'an expired token': async () => ({ authorization: `Bearer ${await tokenWith(JWT_SECRET, '-1 seconds')}` }),
    'a forged token': async () => ({ authorization: `Bearer ${await tokenWith(`${JWT_SECRET}!`, '900 seconds')}` }),
  };

  test('a token of the same form without a fault is accepted', async () => {
    const headers = bearer(await tokenWith(JWT_SECRET, '900 seconds'), ours.company.id);
    expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 200 });
  });

  const sure = (operation: string, headers: Headers) =>
    untilAnswered(() => send(operation, ours.ids, headers, harmless(operation)));
  const open = () => operations.filter(isPublic);
  const status = ({ status: answered, body }: Answer) => `${answered} ${body.code ?? ''}`;
  let usual: Outcomes;
  beforeAll(async () => {
    usual = await callTogether(open(), (operation) => sure(operation, {}), status);
  });

  test.each(['none', 'a revoked key', "a removed administrator's token", 'an expired token', 'a forged token'])(
    '%s: 401 in every guarded operation; public operations answer as usual',
    async (name) => {
      const credential = { ...(await broken[name]?.()), 'x-company-id': ours.company.id };
      const asTold = (operation: string) => sure(operation, credential);
      expect(await callTogether(guarded(), asTold)).toEqual(expectedFor(guarded(), () => '401 unauthenticated'));
      expect(await callTogether(open(), asTold, status)).toEqual(usual);
    },
  );
});

/** An operation that deletes gets a resource of its own, because other operations need the rest. A session is the caller's. */
async function withSpare(operation: string, role: string): Promise<World['ids']> {
  const spares: Readonly<Record<string, () => Promise<World['ids']>>> = {
    'DELETE /v1/webhooks/{id}': async () => ({ webhook: await newWebhook(ours.company) }),
    'DELETE /v1/auth/sessions/{id}': async () => ({ session: await newSession(role) }),
    'POST /v1/core/companies/admins/{id}/remove': async () => ({ administrator: await newSpareAdministrator() }),
  };
  return { ...ours.ids, ...(await spares[operation]?.()) };
}

async function newSession(role: string): Promise<string> {
  const headers = bearer(await tokenOf(role, ours), ours.company.id);
  const { body } = await service.request('GET', '/v1/auth/sessions', { headers });
  return body.find(({ current }: { current: boolean }) => current).id;
}

async function newSpareAdministrator(): Promise<string> {
  const { body } = requestOf('POST /v1/core/companies/admins', ours.ids);
  return (await done(ours.company.post('/v1/core/companies/admins', body))).body.id;
}

describe('restricted keys', () => {
  const grantable = PERMISSION_NAMES.filter((name) => name !== 'platform');
  const needed = (operation: string) => NEEDS.find(([pattern]) => pattern.test(operation))?.[1];
  const byKey = () => guarded().filter((operation) => !permissionOf(operation)?.endsWith('with a token'));

  test('the description names the permission of every operation', () => {
    const said = Object.fromEntries([...described].map(([name, operation]) => [name, operation['x-permission']]));
    const meant = Object.fromEntries(
      operations.map((operation) => [operation, isPublic(operation) ? undefined : needed(operation)]),
    );
    expect(said).toEqual(meant);
  });

  /** A key of the OWNER that has these permissions alone. */
  const keyWith = async (permissions: readonly string[]): Promise<Headers> => {
    const owner = await logIn(service, ours.company.id, ours.company.owner);
    const { key } = await newKey(owner, { permissions });
    return { 'x-api-key': key, 'x-company-id': ours.company.id };
  };
  // Rolling a key ends it.
  const needing = (isMeant: (permission: string) => boolean) =>
    byKey().filter(
      (operation) => operation !== 'POST /v1/core/companies/api-keys/roll' && isMeant(needed(operation) ?? ''),
    );

  /** So each operation needs this permission, and no other. */
  test.each(grantable)(
    'with only %s a key may call the operations that need it, and with all others it may not',
    async (permission) => {
      const which = needing((one) => one === permission);
      const without = await keyWith(grantable.filter((one) => one !== permission));
      const refusedTo = (operation: string) => send(operation, ours.ids, without, harmless(operation));
      expect(await callTogether(which, refusedTo)).toEqual(expectedFor(which, () => '403 forbidden'));
      const only = await keyWith([permission]);
      // The key may remove no administrator with more rights than its own; to remove the OWNER is refused with another code.
      const ids = async (operation: string) => ({
        ...(await withSpare(operation, 'OWNER')),
        administrator: ours.company.owner.id,
      });
      const asTold = async (operation: string) => send(operation, await ids(operation), only, harmless(operation));
      expect(await call(which, asTold)).toEqual(expectedFor(which, () => PASSED));
    },
  );

  test('with all of them a key may not call the operations of the platform', async () => {
    const which = needing((one) => !grantable.some((permission) => permission === one));
    const all = await keyWith(grantable);
    const refusedTo = (operation: string) => send(operation, ours.ids, all, harmless(operation));
    expect(which.length).toBeGreaterThan(0);
    expect(await callTogether(which, refusedTo)).toEqual(expectedFor(which, () => '403 forbidden'));
  });
});

describe('roles, with their own ids', () => {
  test.each(['MANAGER', 'ADMIN', 'OWNER', 'SUPER_ADMIN'])('%s', async (role) => {
    const headers = bearer(await tokenOf(role, ours), ours.company.id);
    const asTold = async (operation: string) =>
      send(operation, await withSpare(operation, role), headers, harmless(operation));
    const tell = (operation: string) => (rolesOf(operation).includes(role) ? PASSED : '403 forbidden');
    expect(await call(guarded(), asTold)).toEqual(expectedFor(guarded(), tell));
  });

  test('a resource that is 404 for others exists for its owner', async () => {
    const headers = bearer(await tokenOf('OWNER', ours), ours.company.id);
    const which = guarded().filter((operation) => hasId(operation) && rolesOf(operation).includes('OWNER'));
    const asTold = async (operation: string) =>
      send(operation, await withSpare(operation, 'OWNER'), headers, requestOf(operation, ours.ids));
    expect(await call(which, asTold)).toEqual(expectedFor(which, () => PASSED));
  });
});
