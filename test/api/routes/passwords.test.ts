import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTokens } from '../../../src/api/auth/tokens.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { bare, logIn, newAdministrator, refused, sql } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { JWT_SECRET } from '../../support/keys.ts';
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
const forgot = (email: string) => post('/v1/auth/password/forgot', { email });
const reset = (token: string, newPassword: string) => post('/v1/auth/password/reset', { token, newPassword });
const tokensTo = async (email: string) => {
  const mails = await service.sandbox.mailsTo(email, /\/console\/reset\?token=/);
  return mails.map(({ text }) => /\/console\/reset\?token=(\S+)/.exec(text)?.[1] ?? '');
};

describe('a forgotten password', () => {
  test('is replaced by a link from a mail: once, whatever its case; it ends all sessions', async () => {
    const own = await newCompany(service); // its audit log has the lines of this test alone
    const person = await newAdministrator(service, own, 'manager');
    expect(await forgot(` ${person.email.toUpperCase()} `)).toMatchObject({ status: 200, body: { sent: true } });
    const [token = ''] = await tokensTo(person.email);
    const answers = await Promise.all([reset(token, 'the-next-password'), reset(token, 'another-password')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const chosen = answers[0]?.status === 200 ? 'the-next-password' : 'another-password';

    expect(await reset(token, 'a-third-password')).toMatchObject(refused(401, 'invalid_credentials'));
    expect((await person.request('GET', '/v1/core/companies/me')).status).toBe(401);
    expect(await post('/v1/auth/login', { email: person.email, password: person.password })).toMatchObject(
      refused(401, 'invalid_credentials'),
    );
    const after = await logIn(service, own.id, { email: person.email, password: chosen });
    expect((await after.request('GET', '/v1/core/companies/me')).status).toBe(200);
    await service.sandbox.mailsTo(person.email, /Your password was changed/);
    const lines = await sql(
      service,
      `select status from audit_log where company_id = $1 and operation = 'POST /v1/auth/password/reset' order by id`,
      [bare(own.id)],
    );
    expect(lines.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('gets the same answer for an address that nobody has, and no mail', async () => {
    const unknown = await forgot('nobody-at-all@test.example');
    expect(unknown).toMatchObject({ status: 200, body: { sent: true } });
    expect((await service.sandbox.control('GET', '/mails?to=nobody-at-all@test.example')).body).toEqual([]);
  });

  test('has at most five links an hour, and the answers do not tell', async () => {
    const person = await newAdministrator(service, company, 'manager');
    for (let asked = 0; asked < 8; asked += 1) expect((await forgot(person.email)).status).toBe(200);
    const [token = ''] = await tokensTo(person.email);
    expect(await reset(token, 'the-next-password')).toMatchObject({ status: 200 });
    await service.sandbox.mailsTo(person.email, /Your password was changed/); // after all of the links
    expect((await tokensTo(person.email)).length).toBeLessThanOrEqual(5);
    // A password that was changed ends the links that were sent for the one before.
    for (const other of await tokensTo(person.email))
      expect(await reset(other, 'a-third-password')).toMatchObject(refused(401, 'invalid_credentials'));
  });

  test.each<[string, (token: string) => string]>([
    ['a changed one', (token) => token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['one that is made longer', (token) => token.replace(/\.\d+\./, '.9999999999.')],
    ['one of somebody else', (token) => token.replace(/^[^.]+/, bare(company.owner.id))],
    ['no token', () => 'x'],
  ])('is not replaced with %s', async (_what, change) => {
    const person = await newAdministrator(service, company, 'manager');
    await forgot(person.email);
    const [token = ''] = await tokensTo(person.email);
    expect(await reset(change(token), 'the-next-password')).toMatchObject(refused(401, 'invalid_credentials'));
  });

  test('follows the rules of new passwords', async () => {
    const person = await newAdministrator(service, company, 'manager');
    await forgot(person.email);
    const [token = ''] = await tokensTo(person.email);
    for (const password of ['short', 'password123', person.email])
      expect(await reset(token, password)).toMatchObject(refused(400, 'validation_failed'));
    expect(await reset(token, 'the-next-password')).toMatchObject({ status: 200 });
  });
});

test('a link to reset a password expires after 30 minutes', () => {
  const { newResetToken, resetTokenFor } = createTokens(JWT_SECRET);
  const person = { id: bare(company.owner.id) as never, passwordHash: 'hash' };
  const [id, expiresAt, signature] = newResetToken(person).split('.');
  expect(Number(expiresAt) - Date.now() / 1_000).toBeLessThanOrEqual(1_800);
  expect(resetTokenFor(`${id}.${Math.floor(Date.now() / 1_000) - 1}.${signature}`)).toBeUndefined();
});

test('a login whose password was right before all sessions ended gets no session afterwards', async () => {
  const person = await newAdministrator(service, company, 'manager');
  const ended = await withClient(service.database.ownerUrl, async (client) => {
    await client.query('begin');
    await client.query('select from administrator where id = $1 for update', [bare(person.id)]);
    // Not in this transaction, whose view of the others does not change.
    const waiting = async () => {
      const text = `select count(distinct pid)::int as n from pg_locks where not granted
        and pid in (select pid from pg_stat_activity where datname = current_database())`;
      return Number((await sql(service, text))[0]?.n);
    };
    const logout = person.request('POST', '/v1/auth/logout');
    await eventually(async () => (await waiting()) >= 1);
    let isOver = false;
    const login = post('/v1/auth/login', { email: person.email, password: person.password }).finally(() => {
      isOver = true;
    });
    await eventually(async () => isOver || (await waiting()) >= 2);
    await client.query('commit');
    return Promise.all([logout, login]);
  });
  expect(ended).toMatchObject([{ status: 200 }, refused(401, 'invalid_credentials')]);
});
