import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { logIn, newAdministrator, newPerson, refused, sql, type TestAdministrator } from '../../support/api.ts';
import { newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const post = (path: string, body: unknown) => service.request('POST', path, { body });
const refresh = (refreshToken: string, userId: string) => post('/v1/auth/refresh', { refreshToken, userId });
const isWelcome = async ({ request }: Pick<TestAdministrator, 'request'>) =>
  (await request('GET', '/v1/core/companies/me')).status === 200;

describe('POST /v1/auth/login', () => {
  test('returns a pair of tokens, their lifetime and the administrator', async () => {
    const answer = await post('/v1/auth/login', { email: company.owner.email, password: company.owner.password });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        userId: expect.stringMatching(/^adm_/),
        companyId: company.id,
        role: 'OWNER',
        mustChangePassword: false,
        expiresIn: 900,
      },
    });
  });

  test('letter case and surrounding spaces of the e-mail do not matter', async () => {
    const email = `  ${company.owner.email.toUpperCase()} `;
    expect(await post('/v1/auth/login', { email, password: company.owner.password })).toMatchObject({ status: 200 });
  });

  test('a wrong password and an unknown e-mail are refused in the same words', async () => {
    const wrong = await post('/v1/auth/login', { email: company.owner.email, password: 'not-the-password' });
    const unknown = await post('/v1/auth/login', { email: 'nobody@test.example', password: 'not-the-password' });
    expect(wrong).toMatchObject(refused(401, 'invalid_credentials'));
    expect(unknown).toMatchObject(refused(401, 'invalid_credentials'));
    expect(unknown.body.detail).toBe(wrong.body.detail);
  });

  test('letter case and spaces of the password matter', async () => {
    for (const password of [company.owner.password.toUpperCase(), ` ${company.owner.password}`])
      expect(await post('/v1/auth/login', { email: company.owner.email, password })).toMatchObject(
        refused(401, 'invalid_credentials'),
      );
  });

  test.each([
    ['no e-mail', { password: 'a-good-password' }],
    ['no password', { email: 'a@test.example' }],
    ['a number for a password', { email: 'a@test.example', password: 1234567890 }],
    ['control characters', { email: 'a\u0000@test.example', password: 'a-good-password' }],
    ['a password without end', { email: 'a@test.example', password: 'x'.repeat(256) }],
    ['an array', []],
    ['null', null],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await post('/v1/auth/login', body)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('access tokens', () => {
  test.each([
    ['no scheme', (token: string) => token],
    ['another scheme', (token: string) => `Basic ${token}`],
    ['a changed signature', (token: string) => `Bearer ${token.slice(0, -4)}AAAA`],
    [
      'no signature, and alg none',
      (token: string) => `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1] ?? ''}.`,
    ],
    ['a refresh token', () => 'Bearer not-an-access-token'],
  ])('%s: 401, with the same message as for any invalid credential', async (_what, header) => {
    const answer = await service.request('GET', '/v1/core/companies/me', {
      headers: { authorization: header(company.owner.token), 'x-company-id': company.id },
    });
    expect(answer).toMatchObject(refused(401, 'unauthenticated'));
    const without = await service.request('GET', '/v1/core/companies/me');
    expect(without.body.detail).toBe(answer.body.detail);
  });
});

describe('POST /v1/auth/refresh', () => {
  test('swaps a refresh token for the next pair, and both new ones work', async () => {
    const admin = await newAdministrator(service, company, 'manager');
    const second = await refresh(admin.refreshToken, admin.id);
    expect(second).toMatchObject({
      status: 200,
      body: { userId: admin.id, companyId: company.id, role: 'MANAGER', mustChangePassword: false, expiresIn: 900 },
    });
    expect(second.body.refreshToken).not.toBe(admin.refreshToken);
    const headers = { authorization: `Bearer ${second.body.accessToken}`, 'x-company-id': company.id };
    expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 200 });
    expect(await refresh(second.body.refreshToken, admin.id)).toMatchObject({ status: 200 });
  });

  test('a token used twice ends its whole family and every access token, and no other family', async () => {
    const admin = await newAdministrator(service, company, 'manager');
    const other = await logIn(service, company.id, admin);
    const second = await refresh(admin.refreshToken, admin.id);
    expect(await refresh(admin.refreshToken, admin.id)).toMatchObject(refused(401, 'invalid_refresh_token'));
    expect(await refresh(second.body.refreshToken, admin.id)).toMatchObject(refused(401, 'invalid_refresh_token'));
    const stolen = { authorization: `Bearer ${second.body.accessToken}`, 'x-company-id': company.id };
    expect(await service.request('GET', '/v1/core/companies/me', { headers: stolen })).toMatchObject({ status: 401 });
    expect(await isWelcome(admin)).toBe(false);
    expect(await refresh(other.refreshToken, admin.id)).toMatchObject({ status: 200 });
  });

  test('at most one of two simultaneous uses succeeds', async () => {
    const admin = await newAdministrator(service, company, 'manager');
    const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(admin.refreshToken, admin.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
  });

  describe('with an idempotency key', () => {
    const repeat = (refreshToken: string, userId: string, key: string) =>
      service.request('POST', '/v1/auth/refresh', {
        body: { refreshToken, userId },
        headers: { 'x-idempotency-key': key },
      });

    test('all of several exchanges at the same moment get the same next token, and working access tokens', async () => {
      const admin = await newAdministrator(service, company, 'manager');
      const answers = await Promise.all([1, 2, 3, 4].map(() => repeat(admin.refreshToken, admin.id, 'same')));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
      for (const { body } of answers) {
        const headers = { authorization: `Bearer ${body.accessToken}`, 'x-company-id': company.id };
        expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 200 });
      }
      expect(await refresh(answers[0]?.body.refreshToken, admin.id)).toMatchObject({ status: 200 });
    });

    test.each([
      ['another key', 'other'],
      ['an exchange without a key', undefined],
    ])('%s for a used token ends the session', async (_what, key) => {
      const admin = await newAdministrator(service, company, 'manager');
      const next = await repeat(admin.refreshToken, admin.id, 'first');
      const again = await (key === undefined
        ? refresh(admin.refreshToken, admin.id)
        : repeat(admin.refreshToken, admin.id, key));
      expect(again).toMatchObject(refused(401, 'invalid_refresh_token'));
      expect(await refresh(next.body.refreshToken, admin.id)).toMatchObject(refused(401, 'invalid_refresh_token'));
    });

    test('a repetition gets the latest token, if all exchanges since then had its key', async () => {
      const admin = await newAdministrator(service, company, 'manager');
      const second = await repeat(admin.refreshToken, admin.id, 'same');
      const third = await repeat(second.body.refreshToken, admin.id, 'same');
      const late = await repeat(admin.refreshToken, admin.id, 'same');
      expect(late).toMatchObject({ status: 200, body: { refreshToken: third.body.refreshToken } });
      const headers = { authorization: `Bearer ${late.body.accessToken}`, 'x-company-id': company.id };
      expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 200 });
      // Without the key it is a theft, and ends everything.
      expect(await refresh(second.body.refreshToken, admin.id)).toMatchObject({ status: 401 });
      expect(await repeat(admin.refreshToken, admin.id, 'same')).toMatchObject({ status: 401 });
      expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 401 });
    });

    test('a repetition after the next token was used without the key ends the session', async () => {
      const admin = await newAdministrator(service, company, 'manager');
      const next = await repeat(admin.refreshToken, admin.id, 'first');
      const afterNext = await refresh(next.body.refreshToken, admin.id);
      expect(await repeat(admin.refreshToken, admin.id, 'first')).toMatchObject(refused(401, 'invalid_refresh_token'));
      expect(await refresh(afterNext.body.refreshToken, admin.id)).toMatchObject(refused(401, 'invalid_refresh_token'));
    });
  });

  test("another administrator's userId is refused, and the token stays valid", async () => {
    const admin = await newAdministrator(service, company, 'manager');
    expect(await refresh(admin.refreshToken, company.owner.id)).toMatchObject(refused(401, 'invalid_refresh_token'));
    expect(await refresh(admin.refreshToken, admin.id)).toMatchObject({ status: 200 });
  });

  test('an expired and an unknown token are refused in the same words', async () => {
    const admin = await newAdministrator(service, company, 'manager');
    await sql(service, `update refresh_token set expires_at = now() where administrator_id = $1`, [admin.id.slice(4)]);
    const expired = await refresh(admin.refreshToken, admin.id);
    const unknown = await refresh('no-such-token', admin.id);
    expect(expired).toMatchObject(refused(401, 'invalid_refresh_token'));
    expect(unknown).toMatchObject(refused(401, 'invalid_refresh_token'));
    expect(unknown.body.detail).toBe(expired.body.detail);
  });

  test.each([
    ['no token', { userId: 'adm_01900000-0000-7000-8000-000000000001' }],
    ['no userId', { refreshToken: 'something' }],
    ['an id of another kind', { refreshToken: 'x', userId: 'usr_01900000-0000-7000-8000-000000000001' }],
    ['an id that is none', { refreshToken: 'x', userId: 'somebody' }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await post('/v1/auth/refresh', body)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('a temporary password', () => {
  async function newcomer() {
    const { password: _ours, ...person } = newPerson();
    const { body } = await company.post('/v1/core/companies/admins', { ...person, role: 'admin' });
    return logIn(service, company.id, { email: person.email, password: body.temporaryPassword });
  }

  test('reads; all else says how it is changed first', async () => {
    const admin = await newcomer();
    expect((await admin.request('GET', '/v1/core/companies/me')).status).toBe(200);
    for (const path of ['/v1/core/companies/api-keys', '/v1/auth/logout'])
      expect(await admin.request('POST', path, { body: { name: 'key' } })).toMatchObject({
        status: 403,
        body: { code: 'password_change_required', detail: expect.stringContaining('POST /v1/auth/password') },
      });
    const changed = await admin.post('/v1/auth/password', {
      currentPassword: admin.password,
      newPassword: 'a-password-of-my-own',
    });
    expect(changed).toMatchObject({ status: 200, body: { mustChangePassword: false, userId: admin.id } });
    const headers = { authorization: `Bearer ${changed.body.accessToken}`, 'x-company-id': company.id };
    expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 200 });
  });

  test('is reported at login and at refresh', async () => {
    const admin = await newcomer();
    const session = await post('/v1/auth/login', { email: admin.email, password: admin.password });
    expect(session.body.mustChangePassword).toBe(true);
    const refreshed = await refresh(session.body.refreshToken, admin.id);
    expect(refreshed.body.mustChangePassword).toBe(true);
  });
});

describe('POST /v1/auth/password', () => {
  test('ends every session and invalidates the old password', async () => {
    const admin = await newAdministrator(service, company, 'manager');
    const elsewhere = await logIn(service, company.id, admin);
    const body = { currentPassword: admin.password, newPassword: 'another-password' };
    const changed = await admin.post('/v1/auth/password', body);
    expect(changed.status).toBe(200);
    expect(await isWelcome(admin)).toBe(false);
    expect(await isWelcome(elsewhere)).toBe(false);
    expect(await refresh(elsewhere.refreshToken, admin.id)).toMatchObject(refused(401, 'invalid_refresh_token'));
    expect(await refresh(changed.body.refreshToken, admin.id)).toMatchObject({ status: 200 });
    expect(await post('/v1/auth/login', admin)).toMatchObject(refused(401, 'invalid_credentials'));
    expect(await post('/v1/auth/login', { email: admin.email, password: 'another-password' })).toMatchObject({
      status: 200,
    });
  });

  test("refuses the administrator's own e-mail address as the new password", async () => {
    const admin = await newAdministrator(service, company, 'manager');
    const body = { currentPassword: admin.password, newPassword: admin.email };
    const answer = await admin.request('POST', '/v1/auth/password', { body });
    expect(answer).toMatchObject(refused(400, 'validation_failed'));
    expect(answer.body.errors).toMatchObject([{ path: 'newPassword' }]);
  });

  test('needs the current password', async () => {
    const admin = await newAdministrator(service, company, 'manager');
    const body = { currentPassword: 'not-the-password', newPassword: 'another-password' };
    expect(await admin.post('/v1/auth/password', body)).toMatchObject(refused(401, 'invalid_credentials'));
    expect(await isWelcome(admin)).toBe(true);
  });

  test.each([
    ['too short', { currentPassword: 'a-good-password', newPassword: 'too-short' }],
    ['blank', { currentPassword: 'a-good-password', newPassword: '            ' }],
    ['common', { currentPassword: 'a-good-password', newPassword: 'password123' }],
    ['common in capitals', { currentPassword: 'a-good-password', newPassword: 'QWERTYUIOP' }],
    ['the same again', { currentPassword: 'a-good-password', newPassword: 'a-good-password' }],
    ['none', { currentPassword: 'a-good-password' }],
    ['without the current one', { newPassword: 'another-password' }],
  ])('%s: validation_failed', async (_what, body) => {
    const admin = await newAdministrator(service, company, 'manager');
    expect(await admin.post('/v1/auth/password', body)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('an API key has no password to change', async () => {
    const body = { currentPassword: company.owner.password, newPassword: 'another-password' };
    expect(await company.post('/v1/auth/password', body)).toMatchObject(refused(401, 'unauthenticated'));
  });
});

describe('POST /v1/auth/logout', () => {
  test("ends only the caller's sessions, at once", async () => {
    const [admin, colleague] = [
      await newAdministrator(service, company, 'manager'),
      await newAdministrator(service, company, 'manager'),
    ];
    expect(await admin.post('/v1/auth/logout')).toMatchObject({ status: 200, body: { success: true } });
    expect(await isWelcome(admin)).toBe(false);
    expect(await refresh(admin.refreshToken, admin.id)).toMatchObject(refused(401, 'invalid_refresh_token'));
    expect(await isWelcome(colleague)).toBe(true);
    expect(await isWelcome(await logIn(service, company.id, admin))).toBe(true);
  });

  test('an API key has no session to end', async () => {
    expect(await company.post('/v1/auth/logout')).toMatchObject(refused(401, 'unauthenticated'));
  });

  test('an API key in the place of a token is refused, and the answer names its header', async () => {
    const headers = { 'x-company-id': company.id, authorization: `Bearer ${company.apiKey}` };
    const answer = await service.request('GET', '/v1/core/companies/me', { headers });
    expect(answer).toMatchObject(refused(401, 'unauthenticated'));
    expect(answer.body.detail).toMatch(/x-api-key/);
  });
});
