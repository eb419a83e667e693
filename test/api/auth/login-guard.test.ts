import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { logIn, newPerson, refused, type TestAdministrator } from '../../support/api.ts';
import { type Answer, newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** A network has five tries at a password, in whatever way it sends them. */

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const ADDRESS = '203.0.113.9';
const login = (email: string, password: string, address = ADDRESS): Promise<Answer> =>
  service.request('POST', '/v1/auth/login', {
    headers: { 'x-forwarded-for': address },
    body: { email, password },
  });
const countOf = (answers: readonly Answer[], status: number) => answers.filter((one) => one.status === status).length;

async function newAdmin(email = `${randomUUID()}@test.example`) {
  const person = { ...newPerson(), email };
  await company.post('/v1/core/companies/admins', { ...person, role: 'admin' });
  return person;
}

describe('guesses at login', () => {
  test('40 at once count as 40: five are verified', async () => {
    const { email, password } = await newAdmin();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => login(email, `guess number ${index}`)));
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([5, 35]);
    const locked = await login(email, password);
    expect(locked).toMatchObject(refused(429, 'too_many_requests'));
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  test('40 concurrent tries at an unknown e-mail get the same answers', async () => {
    const email = `${randomUUID()}@test.example`;
    const answers = await Promise.all(Array.from({ length: 40 }, () => login(email, 'not-the-password')));
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([5, 35]);
  });

  test('every spelling of the e-mail that finds the administrator counts as the same', async () => {
    const { email } = await newAdmin(`kate-${randomUUID()}@test.example`);
    const spellings = [
      email,
      email.toUpperCase(),
      `  ${email} `,
      email.replace('k', '\u212a'),
      email.replace('kate', 'KaTe'),
    ];
    const answers = [];
    for (const spelling of [...spellings, ...spellings]) answers.push(await login(spelling, 'not-the-password'));
    const tried = answers.filter(({ status }) => status !== 400);
    expect(countOf(tried, 401)).toBe(5);
    expect(countOf(tried, 429)).toBe(tried.length - 5);
  });

  test('all addresses of an IPv6 /64 network count as one', async () => {
    const { email, password } = await newAdmin();
    for (let host = 1; host <= 5; host += 1) await login(email, 'not-the-password', `2001:db8:5:6::${host}`);
    expect(await login(email, password, '2001:db8:5:6:7::1')).toMatchObject({ status: 429 });
    expect(await login(email, password, '2001:db8:5:7::1')).toMatchObject({ status: 200 });
  });

  test('from other networks do not lock the administrator out', async () => {
    const { email, password } = await newAdmin();
    for (let guess = 0; guess < 6; guess += 1) await login(email, 'not-the-password', '198.51.100.1');
    expect(await login(email, password)).toMatchObject({ status: 200 });
  });

  test('from many networks together are limited to 100', async () => {
    const { email } = await newAdmin();
    const guess = (host: number) => login(email, 'not-the-password', `192.0.2.${host}`);
    const answers: Answer[] = [];
    for (let host = 1; host <= 105; host += 15)
      answers.push(...(await Promise.all(Array.from({ length: 15 }, (_, index) => guess(host + index)))));
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([100, 5]);
  });
});

test('logging in with the right password eight times at once works, and clears the count', async () => {
  const { email, password } = await newAdmin();
  for (let guess = 0; guess < 4; guess += 1) await login(email, 'not-the-password');
  const answers = await Promise.all(Array.from({ length: 8 }, () => login(email, password)));
  expect(countOf(answers, 200)).toBe(8);
  for (let guess = 0; guess < 4; guess += 1)
    expect(await login(email, 'not-the-password')).toMatchObject({ status: 401 });
});

describe('guesses at the current password', () => {
  const change = (admin: TestAdministrator, currentPassword: string) =>
    admin.request('POST', '/v1/auth/password', {
      headers: { 'x-forwarded-for': ADDRESS },
      body: { currentPassword, newPassword: 'another-good-password' },
    });

  test('40 at once count as 40, and the right password is locked out too', async () => {
    const person = await newAdmin();
    const admin = await logIn(service, company.id, person);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => change(admin, `guess number ${index}`)));
    expect([countOf(answers, 401), countOf(answers, 429)]).toEqual([5, 35]);
    expect(await change(admin, person.password)).toMatchObject(refused(429, 'too_many_requests'));
    expect(await login(person.email, person.password)).toMatchObject(refused(429, 'too_many_requests'));
  });
});
