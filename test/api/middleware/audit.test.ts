import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_AUDITED_GUESSES } from '../../../src/db/requests/audit-log.ts';
import { MAX_UNKNOWN_LOGINS, MAX_UNKNOWN_LOGINS_FROM_ANYWHERE } from '../../../src/db/requests/unknown-logins.ts';
import { publicId } from '../../../src/domain/ids.ts';
import { bare, newAdministrator, newKey, sql, type TestAdministrator } from '../../support/api.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** Refused requests are in the audit log, too. */

let service: TestService;
let company: TestCompany;
let other: TestCompany;
let manager: TestAdministrator;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  other = await newCompany(service);
  manager = await newAdministrator(service, company, 'manager');
});
afterAll(() => service.stop());

const FROM = { 'x-forwarded-for': '203.0.113.77' };
const refresh = (refreshToken: string, userId: string) =>
  service.request('POST', '/v1/auth/refresh', { headers: FROM, body: { refreshToken, userId } });
const ofPlatform = (path: string) =>
  service.request('GET', path, {
    headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': publicId('company', service.platform.companyId) },
  });
/** The latest line of the company. */
async function latest(who: TestCompany = company) {
  return (await who.get('/v1/core/audit-log?limit=1')).body.data[0];
}

describe('a refusal', () => {
  test('by role is recorded with the caller', async () => {
    await manager.request('POST', '/v1/payments/deposit', { headers: FROM, body: {} });
    expect(await latest()).toMatchObject({
      actor: { kind: 'administrator', id: manager.id, role: 'MANAGER' },
      operation: 'POST /v1/payments/deposit',
      status: 403,
      ip: '203.0.113.77',
    });
  });

  test.each(['GET', 'POST'])("by company is written in the credential's company, for %s too", async (method) => {
    const path = method === 'GET' ? '/v1/identity/users' : '/v1/escrow/initiate';
    await company.request(method, path, {
      headers: { ...FROM, 'x-company-id': other.id },
      ...(method === 'GET' ? {} : { body: {} }),
    });
    expect(await latest()).toMatchObject({
      actor: { kind: 'api_key', role: 'OWNER' },
      operation: `${method} ${path}`,
      status: 403,
      ip: '203.0.113.77',
    });
    expect(JSON.stringify((await other.get('/v1/core/audit-log')).body)).not.toContain('203.0.113.77');
  });

  test('of a key that was revoked, and of one that only begins like a known one, is written', async () => {
    const { id, key } = await newKey(await newAdministrator(service, company, 'admin'));
    await company.post(`/v1/core/companies/api-keys/${id}/revoke`);
    for (const used of [key, `${key.slice(0, 14)}${'x'.repeat(24)}`]) {
      const headers = {
        ...FROM,
        'x-api-key': used,
        'x-company-id': company.id,
        'x-request-id': `try-${used.slice(-4)}`,
      };
      expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 401 });
      expect(await latest()).toMatchObject({
        actor: { kind: 'api_key', id },
        operation: 'GET /v1/core/companies/me',
        status: 401,
        ip: '203.0.113.77',
        requestId: `try-${used.slice(-4)}`,
      });
    }
  });

  test("of a removed administrator's login, tokens and sessions is written", async () => {
    const removed = await newAdministrator(service, company, 'manager');
    await company.post(`/v1/core/companies/admins/${removed.id}/remove`);
    const { email, password } = removed;
    const attempts: readonly (readonly [operation: string, send: () => Promise<unknown>])[] = [
      [
        'POST /v1/auth/login',
        () => service.request('POST', '/v1/auth/login', { headers: FROM, body: { email, password } }),
      ],
      ['GET /v1/core/companies/me', () => removed.request('GET', '/v1/core/companies/me', { headers: FROM })],
      ['POST /v1/auth/refresh', () => refresh(removed.refreshToken, removed.id)],
    ];
    for (const [operation, send] of attempts) {
      expect(await send()).toMatchObject({ status: 401 });
      expect(await latest()).toMatchObject({
        actor: { kind: 'administrator', id: removed.id, role: 'MANAGER' },
        operation,
        status: 401,
        ip: '203.0.113.77',
      });
    }
  });

  test.each([
    ['that was used before, which ends the sessions', (used: string) => used],
    ['that is unknown', () => 'not-a-token'],
  ])('of a refresh token %s is written', async (_what, tokenOf) => {
    const admin = await newAdministrator(service, company, 'manager');
    expect(await refresh(admin.refreshToken, admin.id)).toMatchObject({ status: 200 });
    expect(await refresh(tokenOf(admin.refreshToken), admin.id)).toMatchObject({ status: 401 });
    expect(await latest()).toMatchObject({
      actor: { kind: 'administrator', id: admin.id, role: 'MANAGER' },
      operation: 'POST /v1/auth/refresh',
      status: 401,
      ip: '203.0.113.77',
    });
  });

  test('of a login is written, with the address and without the password', async () => {
    const body = { email: manager.email.toUpperCase(), password: 'not-the-password' };
    await service.request('POST', '/v1/auth/login', { headers: FROM, body });
    expect(await latest()).toMatchObject({
      actor: { kind: 'administrator', id: manager.id, role: 'MANAGER' },
      operation: 'POST /v1/auth/login',
      resource: null,
      status: 401,
      ip: '203.0.113.77',
    });
    for (let guess = 0; guess < 5; guess += 1) await service.request('POST', '/v1/auth/login', { headers: FROM, body });
    expect(await latest()).toMatchObject({ operation: 'POST /v1/auth/login', status: 429 });
    expect(JSON.stringify((await company.get('/v1/core/audit-log')).body)).not.toContain(body.password);
  });

  test("of a login with an unknown e-mail is in the platform's log, with the address and a keyed hash", async () => {
    const from = { 'x-forwarded-for': '203.0.113.91' };
    const tryAs = (email: string) =>
      service.request('POST', '/v1/auth/login', { headers: from, body: { email, password: 'not-the-password' } });
    const lines = async () =>
      (await ofPlatform('/v1/core/audit-log?limit=100')).body.data.filter(
        ({ ip }: { ip: string }) => ip === from['x-forwarded-for'],
      );
    await tryAs('Stranger@test.example');
    await tryAs('stranger@TEST.example');
    await tryAs('other@test.example');
    const [third, second, first] = await lines();
    expect(first).toMatchObject({
      actor: { kind: 'unknown', id: null, role: null },
      operation: 'POST /v1/auth/login',
      resource: expect.stringMatching(/^email:[\w.-]{40,}$/),
      status: 401,
      requestId: expect.any(String),
    });
    expect(second.resource).toBe(first.resource);
    expect(third.resource).not.toBe(first.resource);
    expect(JSON.stringify(await lines())).not.toMatch(/stranger|not-the-password/i);
    expect(first.resource).not.toContain(createHash('sha256').update('stranger@test.example').digest('base64url'));
    for (let guess = 0; guess < 5; guess += 1) await tryAs('stranger@test.example');
    expect((await lines())[0]).toMatchObject({ resource: first.resource, status: 429 });
    expect(JSON.stringify((await company.get('/v1/core/audit-log')).body)).not.toContain('unknown');
  });

  test('guesses at a known administrator and a known key write a bounded number of lines', async () => {
    const known = await newAdministrator(service, company, 'admin');
    const { id: keyId, key } = await newKey(known);
    const lines = async (id: string) =>
      (await company.get(`/v1/core/audit-log?limit=100&actorId=${id}`)).body.data.filter(
        ({ status }: { status: number }) => status === 401,
      ).length;
    const guesses = [
      { id: known.id, send: () => refresh('no-token', known.id) },
      {
        id: keyId,
        send: () =>
          service.request('GET', '/v1/core/companies/me', {
            headers: { 'x-api-key': `${key.slice(0, 14)}${'x'.repeat(24)}`, 'x-company-id': company.id },
          }),
      },
    ];
    for (const { id, send } of guesses) {
      await send();
      await sql(service, `update login_try set tries = $1 where key = sha256(convert_to($2, 'UTF8'))`, [
        MAX_AUDITED_GUESSES - 1,
        `guesses ${bare(id)} 401`,
      ]);
      await send();
      await send();
      expect([id, await lines(id)]).toEqual([id, 2]);
    }
    // Wrong passwords are limited already, and each has a line.
    await service.request('POST', '/v1/auth/login', { body: { email: known.email, password: 'not-the-password' } });
    expect(await lines(known.id)).toBe(3);
  });

  test('guesses with unknown e-mails write a bounded number of lines, from a network and in all', async () => {
    const written = async (condition: string) => {
      const [row] = await sql(
        service,
        `select count(*)::integer as lines from audit_log where actor_kind = 'unknown' ${condition}`,
      );
      return row?.lines;
    };
    const guess = (network: number, email: number) =>
      service.request('POST', '/v1/auth/login', {
        headers: { 'x-forwarded-for': `198.51.100.${network}` },
        body: { email: `guess-${email}@test.example`, password: 'not-the-password' },
      });
    for (let email = 0; email < MAX_UNKNOWN_LOGINS + 3; email += 1)
      expect(await guess(1, email)).toMatchObject({ status: 401 });
    expect(await written("and ip = '198.51.100.1'")).toBe(MAX_UNKNOWN_LOGINS);
    await sql(service, `update login_try set tries = $1 where key = sha256('unknown logins')`, [
      MAX_UNKNOWN_LOGINS_FROM_ANYWHERE - 1,
    ]);
    await guess(2, 1);
    await guess(3, 1);
    expect(await written("and ip in ('198.51.100.2', '198.51.100.3')")).toBe(1);
    await sql(service, `update login_try set expires_at = now()`);
    await guess(3, 1);
    expect(await written("and ip in ('198.51.100.2', '198.51.100.3')")).toBe(2);
  });

  test('of a token with too low a role is written for a malformed path', async () => {
    await manager.request('POST', '/v1/core/companies/admins/%00/remove', { headers: FROM });
    expect(await latest()).toMatchObject({
      operation: 'POST /v1/core/companies/admins/{id}/remove',
      resource: null,
      status: 403,
    });
  });
});

test.each(['%00', 'a%0Ab', '%ED%A0%80', '%zz', 'x'.repeat(300), '63-7391846Q58'])(
  'a request whose path names %s, which is no id, is written without it: nothing takes a person out of the log again',
  async (named) => {
    const before = (await company.get('/v1/core/audit-log')).body.total;
    const answer = await company.post(`/v1/core/companies/admins/${named}/remove`);
    expect(answer.status).toBe(400);
    expect(await latest()).toMatchObject({
      operation: 'POST /v1/core/companies/admins/{id}/remove',
      resource: null,
      status: 400,
    });
    expect((await company.get('/v1/core/audit-log')).body.total).toBe(before + 1);
  },
);

describe('a change whose line cannot be written', () => {
  const CONSTRAINT = 'test_refuses_lines';
  /** While `work` runs, the audit log refuses the company's lines. */
  async function withoutLog<T>(who: TestCompany, work: () => Promise<T>): Promise<T> {
    await sql(
      service,
      `alter table audit_log add constraint ${CONSTRAINT} check (company_id <> '${bare(who.id)}' or status >= 400) not valid`,
    );
    try {
      return await work();
    } finally {
      await sql(service, `alter table audit_log drop constraint ${CONSTRAINT}`);
    }
  }

  test('does not happen, and fails visibly', async () => {
    const shop = await newCompany(service);
    const user = await newUser(shop);
    const ledgerId = (await shop.get(`/v1/identity/users/${user.id}/ledger`)).body.ledgerId;
    const bank = { bank_name: 'Bank', branch_code: '1', account_number: '123456', account_name: 'Ana' };
    const read = async () => ({
      bank: (await shop.get(`/v1/ledger/${ledgerId}/bank-details`)).body,
      me: (await shop.get('/v1/core/companies/me')).body,
      user: (await shop.get(`/v1/identity/users/${user.id}`)).body,
      captures: (await shop.get('/v1/treasury/captures')).body,
      account: (await shop.get(`/v1/ledger/accounts/${user.usdAccountId}`)).body,
      keys: (await shop.get('/v1/core/companies/api-keys')).body.length,
      users: (await shop.get('/v1/identity/users')).body.length,
      webhooks: (await shop.get('/v1/webhooks')).body.total,
      clock: (await shop.get('/v1/sandbox/clock')).body.hoursAhead,
    });
    const before = await read();
    const changes = [
      ['PATCH', `/v1/ledger/${ledgerId}/bank-details`, bank],
      ['PATCH', '/v1/core/companies/me', { name: 'Other' }],
      ['POST', `/v1/identity/users/${user.id}/link-id`, { idNumber: '63-999999 A 11' }],
      ['POST', '/v1/treasury/bank/capture', { amount: 100, currency: 'USD', reference: 'R1' }],
      ['PATCH', `/v1/ledger/accounts/${user.usdAccountId}`, { is_frozen: true, reason: 'Court order' }],
      ['POST', '/v1/identity/users', { mobileNumber: '+263772555019', idNumber: '63-999998 A 11' }],
      ['POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] }],
      ['POST', '/v1/sandbox/clock', { advanceHours: 1 }],
      ['POST', '/v1/core/companies/api-keys/roll', { name: 'next' }],
    ] as const;
    const failed = await withoutLog(shop, async () => {
      const answers = [];
      for (const [method, path, body] of changes)
        answers.push([
          path,
          (await (method === 'POST' ? shop.post(path, body) : shop.request(method, path, { body }))).status >= 500,
        ] as const);
      return answers;
    });
    expect(failed).toEqual(changes.map(([, path]) => [path, true]));
    expect(await read()).toEqual(before);
  });
});
