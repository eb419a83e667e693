import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAdministrator } from '../support/api.ts';
import { newCompany, PLATFORM, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { hiddenFields, newVisitor, type Visitor, visitorAs } from './support/visitor.ts';

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const isIn = async (visitor: Visitor) => (await visitor.get('')).status === 200;

describe('the login', () => {
  test('a page without a session leads to the login, and from there back to the page', async () => {
    const visitor = newVisitor(service);
    expect(await visitor.get('/password')).toMatchObject({ status: 303, location: '/console/login?next=%2Fpassword' });
    const { email, password } = company.owner;
    const back = await visitor.send('/login', { email, password, next: '/password' });
    expect(back).toMatchObject({ status: 303, location: '/console/password' });
    expect(await isIn(visitor)).toBe(true);
  });

  test('the cookie is HttpOnly, SameSite=Strict, for the whole host, and shows no token', async () => {
    const visitor = newVisitor(service);
    const { headers } = await visitor.logIn(company.owner);
    const [line = ''] = headers.getSetCookie();
    expect(line).toMatch(/^escrow-console=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/);
    const parts = line.split(/[=;]/)[1]?.split('.') ?? [];
    expect(parts).toHaveLength(5); // a JWE
    const readable = parts.map((part) => Buffer.from(part, 'base64url').toString('latin1')).join(' ');
    expect(readable).not.toMatch(/accessToken|refreshToken|eyJhbGci/); // the last one begins each token
  });

  test('a wrong password, an unknown address and a half-filled form are refused alike, without a cookie', async () => {
    const visitor = newVisitor(service);
    const wrong = await visitor.logIn({ email: company.owner.email, password: 'wrong-password' });
    const unknown = await visitor.logIn({ email: 'nobody@test.example', password: 'wrong-password' });
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(wrong.text.replaceAll(company.owner.email, '')).toBe(unknown.text.replaceAll('nobody@test.example', ''));
    expect(await visitor.send('/login', {})).toMatchObject({ status: 400 });
    expect(visitor.cookie).toBe('');
  });

  test.each([
    ...['//evil.example', '/\\evil.example', 'https://evil.example', '/logout'],
    ...['/../checkout/x', '/%2e%2e/checkout/x', '/..//evil.example', '/users/../../docs'],
  ])('next=%s leads nowhere else', async (next) => {
    const visitor = newVisitor(service);
    const { email, password } = company.owner;
    expect(await visitor.send('/login', { email, password, next })).toMatchObject({ location: '/console' });
  });

  test('a login renews the session, so that a cookie from before it is not the session after it', async () => {
    const visitor = await visitorAs(service, company, 'owner');
    const planted = visitor.cookie;
    const form = hiddenFields((await visitor.get('/password')).text, '/password');
    await visitor.logIn(await newAdministrator(service, company, 'manager'));
    expect(visitor.cookie).not.toBe(planted);
    // The forms of the session before belong to it alone.
    expect(await visitor.send('/password', { ...form, currentPassword: 'x' })).toMatchObject({ status: 403 });
  });

  test('a cookie that was not sealed here is not a session', async () => {
    const visitor = await visitorAs(service, company, 'owner');
    const [head = '', ...rest] = visitor.cookie.split('.');
    visitor.cookie = [head, ...rest.slice(0, -1), 'A'.repeat(22)].join('.');
    expect(await visitor.get('')).toMatchObject({ status: 303, location: '/console/login' });
  });
});

describe('without a session', () => {
  test.each<[string, Record<string, string>]>([
    ['a script', { accept: 'text/csv' }],
    ['fetch of a browser', { accept: '*/*', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    [
      'a link that downloads',
      { accept: 'text/html,*/*;q=0.8', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'navigate' },
    ],
  ])('%s gets no login page for a file', async (_who, headers) => {
    for (const path of ['/escrows/export.csv', '/ledger/accounts/acc_1/statement?format=pdf']) {
      const { status, text } = await newVisitor(service).get(path, headers);
      expect({ status, text }).toEqual({ status: 401, text: '' });
    }
  });

  test('a person who opens the address of a file is led to the login', async () => {
    const headers = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
    const location = '/console/login?next=%2Fescrows%2Fexport.csv';
    expect(await newVisitor(service).get('/escrows/export.csv', headers)).toMatchObject({ status: 303, location });
  });

  test('the script of a page leads to the login, and from there back to the page', async () => {
    const headers = { 'hx-request': 'true', 'hx-current-url': `${service.url}/console/escrows/esc_1?x=*` };
    const answer = await newVisitor(service).get('/escrows/esc_1/run', headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('hx-redirect')).toBe('/console/login?next=%2Fescrows%2Fesc_1%3Fx%3D*');
  });
});

describe('a form that is sent too late', () => {
  const person = { mobileNumber: '+263772000777', idNumber: '63-7654321-B-12', firstName: 'Rudo & Sons' };
  const users = async () => (await company.get('/v1/identity/users?q=Rudo')).body.length;
  const typed = (text: string) => {
    expect(text).toContain('value="+263772000777"');
    expect(text).toContain('value="Rudo &amp; Sons"');
  };

  test('after the end of the session, it is kept over the login, shown again, and then carried out', async () => {
    const visitor = await visitorAs(service, company, 'manager');
    const form = { ...hiddenFields((await visitor.get('/users/new')).text, '/users/new'), ...person };
    visitor.cookie = '';
    const asked = await visitor.send('/users/new', form);
    expect(asked.status).toBe(401);
    expect(asked.text).toContain('what you typed is kept');
    const login = hiddenFields(asked.text, '/login');
    const wrong = await visitor.send('/login', { ...login, email: company.owner.email, password: 'wrong-password' });
    expect(hiddenFields(wrong.text, '/login')).toEqual(login);
    const { email, password } = company.owner;
    const back = await visitor.send('/login', { ...login, email, password });
    expect(back.text).toContain('The form that you filled in was not sent');
    const shown = await visitor.send('/users/new', hiddenFields(back.text, '/users/new'));
    expect(shown.status).toBe(403);
    expect(shown.text).toContain('Nothing was done: the form was opened before you logged in.');
    typed(shown.text);
    expect(await users()).toBe(0);
    const fresh = { ...form, ...hiddenFields(shown.text, '/users/new'), ...person };
    expect(await visitor.send('/users/new', fresh)).toMatchObject({ status: 303 });
    expect(await users()).toBe(1);
  });

  test('passwords are not kept', async () => {
    const visitor = newVisitor(service);
    const answer = await visitor.send('/password', { currentPassword: 'Pistachio-Ladder-72' });
    expect(answer).toMatchObject({ status: 303, location: '/console/login' });
  });

  test('for a company that no header can name is refused, and its page is shown', async () => {
    const platform = newVisitor(service);
    await platform.logIn(PLATFORM);
    expect(await platform.get('/act-for?companyId=%D0%BA')).toMatchObject({ status: 200 });
    expect(await platform.submit('/act-for', { companyId: 'Société — 字' })).toMatchObject({ status: 403 });
  });
});

describe('a temporary password', () => {
  test('has to be changed before any page is shown', async () => {
    const { body } = await company.post('/v1/core/companies/admins', {
      firstName: 'New',
      lastName: 'Comer',
      email: `newcomer-${crypto.randomUUID()}@test.example`,
      role: 'admin',
    });
    const visitor = newVisitor(service);
    const first = await visitor.logIn({ email: body.email, password: body.temporaryPassword });
    expect(first).toMatchObject({ status: 303, location: '/console/password' });
    expect(await visitor.get('')).toMatchObject({ status: 303, location: '/console/password' });
    const differs = { currentPassword: body.temporaryPassword, newPassword: 'Pistachio-Ladder-72', repeated: 'other' };
    expect(await visitor.submit('/password', differs)).toMatchObject({ status: 422 });
    const changed = await visitor.submit('/password', { ...differs, repeated: differs.newPassword });
    expect(changed).toMatchObject({ status: 303, location: '/console' });
    expect((await visitor.get('')).text).toContain('Your password is changed.');
    expect((await visitor.get('')).text).not.toContain('Your password is changed.');
  });
});

describe('the end of a session', () => {
  test('logout ends it for every copy of the cookie', async () => {
    const visitor = await visitorAs(service, company, 'manager');
    const copy = newVisitor(service);
    copy.cookie = visitor.cookie;
    const page = await visitor.get('');
    const left = await visitor.send('/logout', hiddenFields(page.text, '/logout'));
    expect(left).toMatchObject({ status: 303, location: '/console/login' });
    expect(visitor.cookie).toBe('');
    expect(await copy.get('')).toMatchObject({ status: 303, location: '/console/login?ended=' });
  });

  test('an administrator who is removed is out with the next page', async () => {
    const person = await newAdministrator(service, company, 'manager');
    const visitor = newVisitor(service);
    await visitor.logIn(person);
    expect(await isIn(visitor)).toBe(true);
    await company.post(`/v1/core/companies/admins/${person.id}/remove`);
    expect(await visitor.get('')).toMatchObject({ status: 303, location: '/console/login?ended=' });
  });
});
