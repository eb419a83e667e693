import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, logIn, newAdministrator, refused, sql, type TestAdministrator } from '../../support/api.ts';
import { type Authenticator, enrol } from '../../support/authenticator.ts';
import { done, newCompany, PLATFORM, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const post = (path: string, body: unknown) => service.request('POST', path, { body });
const firstStep = async ({ email, password }: Pick<TestAdministrator, 'email' | 'password'>) =>
  (await done(post('/v1/auth/login', { email, password }))).body;
const secondStep = async (person: Pick<TestAdministrator, 'email' | 'password'>, code: string) =>
  post('/v1/auth/mfa', { mfaToken: (await firstStep(person)).mfaToken, code });
const enrolled = async (role: 'admin' | 'manager' = 'admin') => {
  const person = await newAdministrator(service, company, role);
  return { person, app: await enrol(person) };
};
const anotherOf = (code: string) => (code === '000000' ? '000001' : '000000');

describe('a second factor', () => {
  test('is set up with an app, confirmed by a code, and then part of every login', async () => {
    const person = await newAdministrator(service, company, 'manager');
    const { body } = await done(person.request('POST', '/v1/auth/totp'));
    expect(body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauthUrl: expect.stringMatching(/^otpauth:\/\/totp\/Escrow:.*secret=/),
    });
    expect(await firstStep(person)).toHaveProperty('accessToken'); // it does not count yet
    const app = await enrol(person);
    expect(app.recoveryCodes).toHaveLength(10);
    await service.sandbox.mailsTo(person.email, /second factor is needed/);
    const challenge = await firstStep(person);
    expect(challenge).toEqual({
      mfaRequired: true,
      mfaToken: expect.any(String),
      methods: ['totp', 'recovery_code'],
    });
    for (const path of ['/v1/core/companies/me', '/v1/auth/sessions'])
      expect(
        await service.request('GET', path, {
          headers: { authorization: `Bearer ${challenge.mfaToken}`, 'x-company-id': company.id },
        }),
      ).toMatchObject({ status: 401 });
    const session = await post('/v1/auth/mfa', { mfaToken: challenge.mfaToken, code: app.code() });
    expect(session).toMatchObject({ status: 200, body: { userId: person.id, hasMfa: true, mustEnrolMfa: false } });
    expect(await person.request('POST', '/v1/auth/totp')).toMatchObject(refused(409, 'wrong_state'));
  });

  test('takes each code once, recovery codes too, and also at the same time', async () => {
    const { person, app } = await enrolled();
    const code = app.code();
    const answers = await Promise.all([secondStep(person, code), secondStep(person, code), secondStep(person, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const [recovery = ''] = app.recoveryCodes;
    expect(await secondStep(person, recovery.toUpperCase().replaceAll('-', ' '))).toMatchObject({ status: 200 });
    expect(await secondStep(person, recovery)).toMatchObject(refused(401, 'invalid_credentials'));
  });

  test('counts wrong codes of an administrator over all first steps: after five, even a right one is 429', async () => {
    const { person, app } = await enrolled();
    const code = app.code();
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect(await secondStep(person, anotherOf(code))).toMatchObject(refused(401, 'invalid_credentials'));
    expect(await secondStep(person, code)).toMatchObject(refused(429, 'too_many_requests'));
    expect(await person.request('POST', '/v1/auth/totp/disable', { body: { code } })).toMatchObject({ status: 429 });
    const lines = await sql(
      service,
      `select status from audit_log where actor_id = $1 and operation = 'POST /v1/auth/mfa'`,
      [bare(person.id)],
    );
    expect(lines.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('is disabled with one of its codes', async () => {
    const { person, app } = await enrolled();
    const disable = (code: string) => person.request('POST', '/v1/auth/totp/disable', { body: { code } });
    expect(await disable(anotherOf(''))).toMatchObject(refused(401, 'invalid_credentials'));
    expect(await disable(app.code())).toMatchObject({ status: 200, body: { enabled: false } });
    expect(await firstStep(person)).toHaveProperty('accessToken');
    expect(await disable('123456')).toMatchObject(refused(401, 'invalid_credentials'));
  });

  test('stays when the password is reset', async () => {
    const { person } = await enrolled();
    await post('/v1/auth/password/forgot', { email: person.email });
    const [mail] = await service.sandbox.mailsTo(person.email, /token=/);
    const token = /token=(\S+)/.exec(mail?.text ?? '')?.[1];
    await done(post('/v1/auth/password/reset', { token, newPassword: 'the-next-password' }));
    expect(await firstStep({ ...person, password: 'the-next-password' })).toMatchObject({ mfaRequired: true });
  });
});

describe('an operation by which money leaves, or a credential is made', () => {
  const MOVES: readonly (readonly [method: string, path: () => string, body: object | null])[] = [
    ['POST', () => '/v1/core/companies/api-keys', { name: 'with a code' }],
    ['POST', () => `/v1/core/companies/admins/${company.owner.id}/remove`, null],
    ['POST', () => '/v1/treasury/withdraw', { amount: 1 }],
    ['POST', () => `/v1/treasury/withdrawals/${company.owner.id.replace('adm', 'txn')}/resume`, null],
    ['PATCH', () => `/v1/ledger/${company.owner.id.replace('adm', 'ldg')}/bank-details`, {}],
    ['POST', () => `/v1/core/companies/api-keys/${company.owner.id.replace('adm', 'key')}/revoke`, null],
    ['PATCH', () => '/v1/core/companies/me', { order_pages: { acts: { payout: 'direct' } } }],
    ['PATCH', () => '/v1/core/companies/me', { order_pages: { acts: { payout_details: 'direct' } } }],
  ];
  let person: TestAdministrator;
  let app: Authenticator;
  beforeAll(async () => {
    ({ person, app } = await enrolled());
  });

  const send = ([method, path, body]: (typeof MOVES)[number], headers: Record<string, string> = {}) =>
    person.request(method, path(), {
      headers: { 'x-idempotency-key': `mfa-${Math.random()}`, ...headers },
      ...(body === null ? {} : { body }),
    });

  test.each(MOVES)('%s %s needs a code of who has a second factor', async (...move) => {
    expect(await send(move)).toMatchObject(refused(403, 'mfa_required'));
  });

  test('takes no wrong code', async () => {
    for (const move of MOVES.slice(0, 2))
      expect(await send(move, { 'x-mfa-code': 'not-a-code' })).toMatchObject(refused(403, 'mfa_required'));
  });

  test('takes a code for ten minutes in its session, and in no other', async () => {
    const { person: one, app: ones } = await enrolled();
    const make = (by: TestAdministrator, code: string) =>
      by.request('POST', '/v1/core/companies/api-keys', { body: { name: 'k' }, headers: { 'x-mfa-code': code } });
    const code = ones.code();
    expect(await make(one, code)).toMatchObject({ status: 201 });
    expect(await make(one, code)).toMatchObject({ status: 201 });
    const session = await done(secondStep(one, ones.recoveryCodes[0] ?? ''));
    const other: TestAdministrator = {
      ...one,
      request: (method, path, options = {}) =>
        service.request(method, path, {
          ...options,
          headers: {
            authorization: `Bearer ${session.body.accessToken}`,
            'x-company-id': company.id,
            ...options.headers,
          },
        }),
    };
    expect(await make(other, code)).toMatchObject(refused(403, 'mfa_required'));
    expect(await make(other, ones.recoveryCodes[0] ?? '')).toMatchObject({ status: 201 }); // with which it began
    await sql(service, `update session set factor_at = factor_at - interval '10 minutes' where administrator_id = $1`, [
      bare(one.id),
    ]);
    expect(await make(one, code)).toMatchObject(refused(403, 'mfa_required'));
  });

  test('takes a fresh code of requests at the same time, and counts none of them as wrong', async () => {
    const { person: one, app: ones } = await enrolled();
    const make = (code: string) =>
      one.request('POST', '/v1/core/companies/api-keys', { body: { name: 'k' }, headers: { 'x-mfa-code': code } });
    for (const code of [ones.code(), ones.recoveryCodes[0] ?? '']) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => make(code)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
    }
    const wrong = await Promise.all(Array.from({ length: 8 }, (_, guess) => make(`wrong-${guess}`)));
    expect(wrong.map(({ status }) => status).sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
  });

  test('needs no code from API keys, or from people without a second factor', async () => {
    const plain = await newAdministrator(service, company, 'admin');
    expect(await plain.post('/v1/core/companies/api-keys', { name: 'k' })).toMatchObject({ status: 201 });
    expect(await company.post('/v1/core/companies/admins/adm_x/remove')).toMatchObject({ status: 400 });
    expect(app.recoveryCodes).toHaveLength(10);
  });
});

describe('require_mfa', () => {
  test('leaves who has no second factor only the password, logging out and enrolling; keys go on', async () => {
    const strict = await newCompany(service);
    const owner = await logIn(service, strict.id, strict.owner);
    const set = await owner.request('PATCH', '/v1/core/companies/me', { body: { require_mfa: true } });
    expect(set).toMatchObject({ status: 200, body: { require_mfa: true } });
    expect(await owner.request('GET', '/v1/core/companies/me')).toMatchObject(refused(403, 'mfa_required'));
    expect(await owner.request('GET', '/v1/auth/sessions')).toMatchObject(refused(403, 'mfa_required'));
    expect(await firstStep(strict.owner)).toMatchObject({ hasMfa: false, mustEnrolMfa: true });
    expect((await strict.request('GET', '/v1/core/companies/me')).status).toBe(200); // with the API key
    await enrol(owner);
    expect((await owner.request('GET', '/v1/core/companies/me')).status).toBe(200);
  });
});

describe('POST /v1/core/companies/admins/:id/reset-mfa', () => {
  const reset = (by: Pick<TestAdministrator, 'request'>, id: string, companyId = company.id) =>
    by.request('POST', `/v1/core/companies/admins/${id}/reset-mfa`, { headers: { 'x-company-id': companyId } });

  test('is for owners, and for owners themselves the platform: with a mail and an audit line', async () => {
    const other = await newCompany(service);
    const owner = await logIn(service, other.id, other.owner);
    const lost = await newAdministrator(service, other, 'admin');
    const admin = await newAdministrator(service, other, 'admin');
    await enrol(lost);
    expect(await reset(admin, lost.id, other.id)).toMatchObject(refused(403, 'forbidden'));
    expect(await reset(owner, lost.id, other.id)).toMatchObject({ status: 200, body: { success: true, id: lost.id } });
    expect(await firstStep(lost)).toHaveProperty('accessToken');
    expect((await lost.request('GET', '/v1/core/companies/me')).status).toBe(401);
    await service.sandbox.mailsTo(lost.email, /took your second factor away/);
    const lines = await sql(
      service,
      `select actor_id, status from audit_log where operation like '%reset-mfa' and resource = $1`,
      [lost.id],
    );
    expect(lines).toContainEqual({ actor_id: bare(owner.id), status: 200 });

    await enrol(owner);
    expect(await reset(owner, owner.id, other.id)).toMatchObject(refused(403, 'mfa_required'));
    expect(await other.request('POST', `/v1/core/companies/admins/${owner.id}/reset-mfa`)).toMatchObject(
      refused(403, 'owner_protected'),
    );
    const platform = await logIn(service, service.platform.companyId, PLATFORM);
    expect(await reset(platform, owner.id, other.id)).toMatchObject({ status: 200 });
    expect(await firstStep(other.owner)).toHaveProperty('accessToken');
  });
});

describe('sessions', () => {
  test('are listed with device and last use, and each can be ended at once', async () => {
    const person = await newAdministrator(service, company, 'manager');
    const session = await service.request('POST', '/v1/auth/login', {
      body: { email: person.email, password: person.password },
      headers: { 'user-agent': 'Phone/1.0' },
    });
    const headers = { authorization: `Bearer ${session.body.accessToken}`, 'x-company-id': company.id };
    const list = await person.request('GET', '/v1/auth/sessions');
    expect(list).toMatchObject({
      status: 200,
      body: [
        { userAgent: 'Phone/1.0', current: false, ip: expect.any(String), createdAt: expect.any(String) },
        { current: true, lastUsedAt: expect.any(String) },
      ],
    });
    const [phone, own] = list.body;
    const stranger = await newAdministrator(service, company, 'manager');
    expect(await stranger.request('DELETE', `/v1/auth/sessions/${phone.id}`)).toMatchObject(refused(404, 'not_found'));
    expect(await person.request('DELETE', `/v1/auth/sessions/${phone.id}`)).toMatchObject({
      status: 200,
      body: { success: true, id: phone.id },
    });
    expect((await service.request('GET', '/v1/core/companies/me', { headers })).status).toBe(401);
    const { refreshToken, userId } = session.body;
    expect(await post('/v1/auth/refresh', { refreshToken, userId })).toMatchObject({ status: 401 });
    expect((await person.request('GET', '/v1/auth/sessions')).body.map(({ id }: { id: string }) => id)).toEqual([
      own.id,
    ]);
    expect(await person.request('DELETE', `/v1/auth/sessions/${phone.id}`)).toMatchObject({ status: 404 });
  });

  test('and keys are told of by mail: a login to its person, a key to the owners', async () => {
    const person = await newAdministrator(service, company, 'admin');
    expect((await service.sandbox.mailsTo(person.email, /New login/))[0]?.text).toContain('127.0.0.1');
    await done(person.post('/v1/core/companies/api-keys', { name: 'told of' }));
    await service.sandbox.mailsTo(company.owner.email, /The key "told of"/);
  });
});
