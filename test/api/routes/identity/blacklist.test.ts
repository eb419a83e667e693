import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_MATCHES_PER_DAY } from '../../../../src/db/identity/blacklist.ts';
import { refused } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { offerLink } from '../../../support/links.ts';
import { nextMobileNumber } from '../../../support/mobile-numbers.ts';
import {
  companyClient,
  done,
  idNumberOf,
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
} from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, newHolder } from '../../../support/treasury.ts';

/** A person is blacklisted, in all companies, by what the status operation saw, and nobody else. */

let service: TestService;
let first: TestCompany;
let other: TestCompany;
let mobileNumber: string;
let idNumber: string;

beforeAll(async () => {
  service = await sharedService();
  first = await newCompany(service);
});
afterAll(() => service.stop());
/** What a company finds is counted, so the one that finds is new. */
beforeEach(async () => {
  other = await newCompany(service);
  mobileNumber = nextMobileNumber();
  idNumber = idNumberOf(mobileNumber);
});

const platformIn = (of: TestCompany) => companyClient(service, { ...of, apiKey: service.platform.apiKey });
const setStatus = async (of: TestCompany, id: string, status: 'CLEAR' | 'BLACKLISTED') =>
  (await done(platformIn(of).post(`/v1/identity/admin/users/${id}/status`, { status }))).body;
const create = async (of: TestCompany, fields: Record<string, unknown>) =>
  (await done(of.post('/v1/identity/users', { mobileNumber: nextMobileNumber(), ...fields }))).body;
const read = async (of: TestCompany, id: string) => (await of.get(`/v1/identity/users/${id}`)).body;
const unique = () => idNumberOf(nextMobileNumber());

/** A row of the person in the first company, blacklisted. */
async function blacklisted(fields: Record<string, unknown> = {}) {
  const { id } = await create(first, { mobileNumber, idNumber, ...fields });
  await setStatus(first, id, 'BLACKLISTED');
  return id as string;
}

async function newBankAccount() {
  const institutionId: string = (await service.request('GET', '/v1/identity/financial-institutions')).body[0].id;
  return { institutionId, accountNumber: `77${mobileNumber.slice(-8)}` };
}

/** The id that a public checkout returns. */
async function registered(fields: Record<string, unknown> = {}): Promise<string> {
  const body = { mobileNumber: nextMobileNumber(), idNumber: unique(), ...fields };
  return (await done(service.request('POST', '/v1/payments/register-checkout-user', { body }))).body.userId;
}

const order = { amount: 500, currency: 'USD', items: [{ name: 'Goods', quantity: 1, pricePerUnit: 500 }] };
const generate = (of: TestCompany, buyerId: string) =>
  of.post('/v1/payments/generate-escrow-payment-link', { buyerId, ...order });

/** What the platform sees. */
async function concerns() {
  const platform = { ...first, id: service.platform.companyId, apiKey: service.platform.apiKey };
  return (await companyClient(service, platform).get('/v1/platform/state')).body.concerns;
}

describe('a blacklisted person', () => {
  test('is refused in another company under a new phone, however the id number is written', async () => {
    await blacklisted();
    const written = ` ${idNumber.toLowerCase().replace('-', ' ')}-`;
    const user = await create(other, { idNumber: written });
    expect(user).toMatchObject({ identityStatus: 'BLACKLISTED', blacklistMatch: null });
    for (const tricky of [`${idNumber.slice(0, 4)}\u200b${idNumber.slice(4)}`, idNumber.replace('1', '١')])
      expect(await create(await newCompany(service), { idNumber: tricky })).toMatchObject({
        identityStatus: 'BLACKLISTED',
      });
    expect(await read(other, user.id)).toMatchObject({ identityStatus: 'BLACKLISTED' });
    expect((await other.get('/v1/identity/users')).body[0]).toMatchObject({ identityStatus: 'BLACKLISTED' });
    const found = await platformIn(other).get('/v1/identity/admin/users?status=BLACKLISTED');
    expect(found.body).toMatchObject({ total: 1, data: [{ id: user.id, kycStatus: 'BLACKLISTED' }] });
    expect((await platformIn(other).get('/v1/identity/admin/users?status=PENDING')).body.total).toBe(0);
  });

  test('can be neither buyer nor seller, and takes no payment', async () => {
    await blacklisted();
    const { seller, escrow } = await newParties(other);
    const { body: running } = await other.post('/v1/escrow/initiate', escrow());
    const link = await offerLink(service, other);
    await other.post(`/v1/identity/users/${seller.id}/link-id`, { idNumber });
    await other.post(`/v1/identity/users/${link.buyer.id}/link-id`, { idNumber });
    expect(await other.post('/v1/escrow/initiate', escrow())).toMatchObject(refused(403, 'user_blacklisted'));
    expect(await other.post(`/v1/escrow/${running.id}/release`)).toMatchObject(refused(403, 'user_blacklisted'));
    expect(await link.say('eft-pay/initiate')).toMatchObject(refused(403, 'user_blacklisted'));
  });

  test('is refused under the same phone with the national 0', async () => {
    await blacklisted();
    const withZero = mobileNumber.replace('+263', '+2630');
    const user = await create(other, { mobileNumber: withZero, idNumber: unique() });
    expect(user).toMatchObject({ mobileNumber: withZero, identityStatus: 'BLACKLISTED' });
  });

  test('stays so after the erasure of the row, and can be set free after it', async () => {
    const row = await blacklisted();
    await done(first.post(`/v1/identity/users/${row}/erase`, { reason: 'the person asked' }));
    const { id } = await create(other, { idNumber });
    expect(await read(other, id)).toMatchObject({ identityStatus: 'BLACKLISTED' });
    await setStatus(first, row, 'CLEAR');
    expect(await read(other, id)).toMatchObject({ identityStatus: 'CLEAR' });
    expect(
      await platformIn(first).post(`/v1/identity/admin/users/${row}/status`, { status: 'BLACKLISTED' }),
    ).toMatchObject(refused(409, 'wrong_state'));
  });

  test('cannot withdraw in another company under the same phone', async () => {
    const { company, accountId } = await newHolder(service, { user: { mobileNumber } });
    const { id } = await create(first, { mobileNumber, idNumber: unique() });
    await setStatus(first, id, 'BLACKLISTED');
    expect(await company.post('/v1/treasury/withdraw', asked(accountId, 1_000))).toMatchObject(
      refused(403, 'user_blacklisted'),
    );
  });

  test('is free again when the last of the rows that were blacklisted is CLEAR', async () => {
    const one = await blacklisted();
    const second = await create(other, { idNumber });
    await setStatus(other, second.id, 'BLACKLISTED');
    const third = await newCompany(service);
    const matching = await create(third, { idNumber });
    expect(await setStatus(first, one, 'CLEAR')).toMatchObject({ identityStatus: 'BLACKLISTED' });
    expect(await read(third, matching.id)).toMatchObject({ identityStatus: 'BLACKLISTED' });
    expect(await setStatus(other, second.id, 'CLEAR')).toMatchObject({ identityStatus: 'CLEAR' });
    for (const [of, id] of [
      [first, one],
      [third, matching.id],
    ] as const)
      expect(await read(of, id)).toMatchObject({ identityStatus: 'CLEAR' });
  });

  test('is found by the platform by the id number, and listed as a concern', async () => {
    await blacklisted();
    const { id } = await create(other, { idNumber, firstName: 'Nomsa' });
    const found = await platformIn(other).get(`/v1/identity/admin/users?search=${idNumber.toLowerCase()}`);
    expect(found.body.data.map((user: { id: string }) => user.id)).toEqual([id]);
    expect(await concerns()).toContainEqual(
      expect.objectContaining({ kind: 'BLACKLISTED_PERSON', objectId: id, companyId: other.id }),
    );
  });
});

describe('nobody is blacklisted', () => {
  test('by a row that only matches', async () => {
    await blacklisted();
    const matching = await create(other, { idNumber });
    const { id } = await create(first, { mobileNumber: matching.mobileNumber, idNumber: unique() });
    expect(await read(first, id)).toMatchObject({ identityStatus: 'CLEAR' });
  });

  test('by what a company writes into a blacklisted row afterwards', async () => {
    const row = await blacklisted();
    const victim = unique();
    await done(first.post(`/v1/identity/users/${row}/link-id`, { idNumber: victim }));
    const { id } = await create(other, { idNumber: victim });
    expect(await read(other, id)).toMatchObject({ identityStatus: 'CLEAR' });
  });

  test('by an id number that was typed at a checkout, until a company enters it', async () => {
    await blacklisted();
    const link = await offerLink(service, other);
    const register = (typed: string) => registered({ idNumber: typed, paymentSlug: link.hash });
    const userId = await register(idNumber);
    expect(await read(other, userId)).toMatchObject({ identityStatus: 'CLEAR' });

    const victim = unique();
    const attacker = await register(victim);
    await setStatus(other, attacker, 'BLACKLISTED');
    const { id } = await create(first, { idNumber: victim });
    expect(await read(first, id)).toMatchObject({ identityStatus: 'CLEAR' });

    await done(other.post(`/v1/identity/users/${userId}/link-id`, { idNumber }));
    expect(await read(other, userId)).toMatchObject({ identityStatus: 'BLACKLISTED' });
  });

  test('by the same bank account alone, which is shown', async () => {
    const bankAccount = await newBankAccount();
    await blacklisted({ bankAccount });
    const user = await create(other, {
      idNumber: unique(),
      bankAccount: { ...bankAccount, accountNumber: ` ${bankAccount.accountNumber}` },
    });
    expect(user).toMatchObject({ identityStatus: 'CLEAR', blacklistMatch: { kind: 'BANK_ACCOUNT' } });
    expect((await newUser(other)).id).not.toBe(user.id);
  });
});

test(`a company that has found ${MAX_MATCHES_PER_DAY} blacklisted persons in a day enters nobody else that day`, async () => {
  await blacklisted();
  const free = (await newUser(other)).id;
  for (let found = 0; found < MAX_MATCHES_PER_DAY; found += 1) await create(other, { idNumber });
  const limited = refused(429, 'too_many_requests');
  for (const tried of [idNumber, unique()])
    expect(await other.post('/v1/identity/users', { mobileNumber: nextMobileNumber(), idNumber: tried })).toMatchObject(
      limited,
    );
  expect(await other.post(`/v1/identity/users/${free}/link-id`, { idNumber: unique() })).toMatchObject(limited);
  expect(await concerns()).toContainEqual(
    expect.objectContaining({ kind: 'MANY_BLACKLISTED', objectId: other.id, companyId: other.id }),
  );
  expect(await create(first, { idNumber: unique() })).toMatchObject({ identityStatus: 'CLEAR' });
});

test('requests at the same time find no more blacklisted persons than one after the other', async () => {
  await blacklisted();
  for (let found = 2; found < MAX_MATCHES_PER_DAY; found += 1) await create(other, { idNumber });
  const enter = () => other.post('/v1/identity/users', { mobileNumber: nextMobileNumber(), idNumber });
  const answers = await Promise.all(Array.from({ length: 12 }, enter));
  expect(answers.map(({ status }) => status).filter((status) => status !== 429)).toEqual([201, 201]);
});

test('a registration that a company uses and a bank account that it enters count too, and only once', async () => {
  const bankAccount = await newBankAccount();
  await blacklisted({ bankAccount });
  const { buyer: known, escrow } = await newParties(other);
  const buyerId = await registered({ mobileNumber });
  for (const _ of ['first use', 'second use'])
    expect(await generate(other, buyerId)).toMatchObject(refused(403, 'user_blacklisted'));
  const matching = await create(other, { idNumber: unique(), bankAccount });
  await done(other.post(`/v1/identity/users/${matching.id}/link-id`, { idNumber: unique() }));
  for (let found = 3; found <= MAX_MATCHES_PER_DAY; found += 1)
    await create(other, { idNumber: unique(), bankAccount });

  const limited = refused(429, 'too_many_requests');
  const clean = await registered();
  const money = { amount: 5, currency: 'USD' };
  for (const answer of [
    await other.post('/v1/identity/users', { mobileNumber: nextMobileNumber(), idNumber: unique(), bankAccount }),
    await generate(other, clean),
    await other.post('/v1/escrow/initiate', escrow({ sellerId: clean })),
    await other.post('/v1/payments/deposit', { userId: clean, ...money }),
  ])
    expect(answer).toMatchObject(limited);
  expect(await generate(other, buyerId)).toMatchObject(refused(403, 'user_blacklisted'));
  expect(await other.post('/v1/payments/deposit', { userId: known.id, ...money })).toMatchObject({ status: 201 });
  expect(await generate(first, clean)).toMatchObject({ status: 201 });
});

test('people who register blacklisted persons at links block no company, and make no more users than a company may find', async () => {
  const link = await offerLink(service, other);
  const typed = Array.from({ length: MAX_MATCHES_PER_DAY + 1 }, nextMobileNumber);
  for (const each of typed) {
    const { id } = await create(first, { mobileNumber: each, idNumber: unique() });
    await setStatus(first, id, 'BLACKLISTED');
  }
  const register = (each: string) => registered({ mobileNumber: each, paymentSlug: link.hash });
  const last = typed.pop() ?? '';
  await Promise.all(typed.map(register));
  const search = '/v1/identity/admin/users?status=BLACKLISTED';
  await eventually(async () => (await platformIn(other).get(search)).body.total === MAX_MATCHES_PER_DAY);

  for (const each of [last, nextMobileNumber()]) {
    const id = await register(each);
    expect(await other.get(`/v1/identity/users/${id}`)).toMatchObject(refused(404, 'not_found'));
    expect((await generate(other, id)).status).toBe(each === last ? 403 : 201);
  }
  expect(await create(other, { idNumber: unique() })).toMatchObject({ identityStatus: 'CLEAR' });
});
