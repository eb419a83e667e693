import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAdministrator, nobody, refused, sql } from '../../../support/api.ts';
import { documentForm, pdf } from '../../../support/documents.ts';
import { nextMobileNumber } from '../../../support/mobile-numbers.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

const USERS = '/v1/identity/admin/users';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const asPlatform = (method: string, path: string, body?: unknown, of: TestCompany = company) =>
  service.request(method, path, {
    headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': of.id },
    ...(body === undefined ? {} : { body }),
  });
const approve = (id: string, body?: unknown) => asPlatform('POST', `${USERS}/${id}/approve`, body);
const setStatus = (id: string, status: unknown) => asPlatform('POST', `${USERS}/${id}/status`, { status });

describe('GET /v1/identity/admin/users', () => {
  let market: TestCompany;
  const people = new Map<string, string>();
  beforeAll(async () => {
    market = await newCompany(service);
    for (const [firstName, lastName] of [
      ['Tendai', 'Ncube'],
      ['Rudo', 'Moyo'],
      ['Tatenda', 'Moyo'],
      ['100%', 'Under_score'],
    ] as const)
      people.set(firstName, (await newUser(market, { firstName, lastName })).id);
    people.set('number', (await newUser(market, { mobileNumber: '+263 77-987-6543' })).id);
    await asPlatform('POST', `${USERS}/${people.get('Rudo')}/approve`, {}, market);
    await asPlatform('POST', `${USERS}/${people.get('Tatenda')}/approve`, {}, market);
    await asPlatform('POST', `${USERS}/${people.get('Tatenda')}/status`, { status: 'BLACKLISTED' }, market);
  });
  const list = (query = '') => asPlatform('GET', `${USERS}${query}`, undefined, market);
  const found = async (query: string) => {
    const { body } = await list(query);
    return [...people].filter(([, id]) => body.data.some((row: { id: string }) => row.id === id)).map(([name]) => name);
  };

  test("shows a company's users with their KYC status, newest first", async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 5, page: 1, limit: 20 });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([...people.values()].toReversed());
    expect(body.data.find(({ id }: { id: string }) => id === people.get('Rudo'))).toEqual({
      id: people.get('Rudo'),
      mobileNumber: expect.any(String),
      documentUrl: null,
      firstName: 'Rudo',
      lastName: 'Moyo',
      email: null,
      identityStatusReason: null,
      kycLevel: 2,
      identityStatus: 'CLEAR',
      blacklistMatch: null,
      kycStatus: 'APPROVED',
      changedSinceApproval: [],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test('counts pages from 1', async () => {
    const [first, second] = [await list('?limit=3'), await list('?limit=3&page=2')];
    expect(first.body).toMatchObject({ total: 5, page: 1, limit: 3 });
    expect(second.body).toMatchObject({ total: 5, page: 2, limit: 3 });
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...people.values()].toReversed());
    expect((await list('?page=9')).body).toMatchObject({ data: [], total: 5, page: 9 });
  });

  test.each([
    ['?status=ALL', ['Tendai', 'Rudo', 'Tatenda', '100%', 'number']],
    ['?status=PENDING', ['Tendai', '100%', 'number']],
    ['?status=APPROVED', ['Rudo']],
    ['?status=BLACKLISTED', ['Tatenda']],
    ['?search=tend', ['Tendai', 'Tatenda']],
    ['?search=MOYO', ['Rudo', 'Tatenda']],
    ['?search=rudo%20moyo', ['Rudo']],
    ['?search=moyo%20rudo', ['Rudo']],
    ['?search=rudo%20ncube', []],
    ['?search=987', ['number']],
    ['?search=077987', ['number']],
    ['?search=0026377987', ['number']],
    ['?search=%2B26377987', ['number']],
    ['?search=%25', ['100%']],
    ['?search=_', ['100%']],
    [`?search=${encodeURIComponent("' or 1=1 --")}`, []],
    ['?search=moyo&status=BLACKLISTED', ['Tatenda']],
  ])('%s finds %j', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  test.each(['?page=0', '?page=x', '?limit=0', '?limit=101', '?status=CLEAR', `?search=${'x'.repeat(256)}`])(
    '%s is 400',
    async (query) => {
      expect(await list(query)).toMatchObject(refused(400, 'validation_failed'));
    },
  );
});

describe('POST /v1/identity/admin/users/:id/approve', () => {
  test('approves what was reviewed: a user who changed since is refused', async () => {
    const { id } = await newUser(company);
    const { body: page } = await asPlatform('GET', `${USERS}?limit=100`);
    const reviewed = page.data.find((one: { id: string }) => one.id === id).updatedAt;
    await company.post(`/v1/identity/users/${id}/link-id`, { idNumber: '63-9999999Z99' });
    expect(await approve(id, { reviewed })).toMatchObject(refused(409, 'wrong_state'));
    const { body: user } = await company.get(`/v1/identity/users/${id}`);
    expect(user.kycLevel).toBe(1);
    const { body: again } = await asPlatform('GET', `${USERS}?limit=100`);
    const current = again.data.find((one: { id: string }) => one.id === id).updatedAt;
    expect(await approve(id, { reviewed: current })).toMatchObject({ status: 200, body: { kycLevel: 2 } });
  });

  test('approves without a body, revokes and approves again', async () => {
    const { id } = await newUser(company);
    const levelOf = async () => (await company.get(`/v1/identity/users/${id}`)).body.kycLevel;
    expect(await approve(id)).toMatchObject({ status: 200, body: { userId: id, kycLevel: 2, approved: true } });
    expect(await levelOf()).toBe(2);
    expect(await approve(id, { approved: false })).toMatchObject({
      body: { userId: id, kycLevel: 1, approved: false },
    });
    expect(await levelOf()).toBe(1);
    expect(await approve(id, {})).toMatchObject({ body: { kycLevel: 2, approved: true } });
    expect(await approve(id, { approved: true })).toMatchObject({ body: { kycLevel: 2 } });
  });

  test('is 404 for unknown users and users of other companies, 400 for a value that is not a boolean', async () => {
    const stranger = await newUser(await newCompany(service));
    for (const id of [nobody('usr'), stranger.id]) expect(await approve(id)).toMatchObject(refused(404, 'not_found'));
    expect(await approve(stranger.id, { approved: 'yes' })).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('POST /v1/identity/admin/users/:id/status', () => {
  test('blacklists, and clears', async () => {
    const { id } = await newUser(company);
    expect(await setStatus(id, 'BLACKLISTED')).toMatchObject({
      status: 200,
      body: { userId: id, identityStatus: 'BLACKLISTED' },
    });
    expect((await company.get(`/v1/identity/users/${id}`)).body.identityStatus).toBe('BLACKLISTED');
    expect(await setStatus(id, 'CLEAR')).toMatchObject({ body: { identityStatus: 'CLEAR' } });
  });

  test('keeps the reason, which the next change replaces', async () => {
    const { id } = await newUser(company);
    const reason = 'Two people complained about goods that never came.';
    const answer = await asPlatform('POST', `${USERS}/${id}/status`, { status: 'BLACKLISTED', reason });
    expect(answer).toMatchObject({ status: 200, body: { reason } });
    expect((await company.get(`/v1/identity/users/${id}`)).body.identityStatusReason).toBe(reason);
    expect(await setStatus(id, 'CLEAR')).toMatchObject({ body: { reason: null } });
    expect((await company.get(`/v1/identity/users/${id}`)).body.identityStatusReason).toBeNull();
  });

  test.each([['PENDING'], ['clear'], [null], [undefined]])('%j is 400', async (status) => {
    const { id } = await newUser(company);
    expect(await setStatus(id, status)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('is 404 for unknown users and for users of other companies', async () => {
    const stranger = await newUser(await newCompany(service));
    for (const id of [nobody('usr'), stranger.id])
      expect(await setStatus(id, 'CLEAR')).toMatchObject(refused(404, 'not_found'));
  });
});

test.each([
  ['GET', USERS],
  ['POST', `${USERS}/${nobody('usr')}/approve`],
  ['POST', `${USERS}/${nobody('usr')}/status`],
])('%s %s is for super administrators only', async (method, path) => {
  const manager = await newAdministrator(service, company, 'manager');
  const body = method === 'POST' ? { body: { status: 'CLEAR' } } : {};
  expect(await company.request(method, path, body)).toMatchObject(refused(403, 'forbidden'));
  expect(await manager.request(method, path, body)).toMatchObject(refused(403, 'forbidden'));
  expect(await service.request(method, path, body)).toMatchObject(refused(401, 'unauthenticated'));
});

describe('POST /v1/identity/users/:id/link-id', () => {
  const link = (id: string, body: unknown, of: TestCompany = company) =>
    of.post(`/v1/identity/users/${id}/link-id`, body);

  test('sets the national id and the reference that deposits find the user by', async () => {
    const { id, usdAccountId } = await newUser(company);
    const customReference = `REF-${randomUUID()}`;
    expect(await link(id, { idNumber: ' 08-7654321Z42 ', customReference })).toMatchObject({
      status: 200,
      body: { userId: id, kycLevel: 1, idLinked: true },
    });
    expect((await company.get(`/v1/identity/users/${id}`)).body).toMatchObject({
      idNumber: '08-7654321Z42',
      customReference,
    });
    const deposit = { amount: 700, currency: 'USD', userReference: customReference };
    expect(await company.post('/v1/payments/deposit', deposit)).toMatchObject({ body: { accountId: usdAccountId } });
  });

  test('keeps fields that were not sent', async () => {
    const { id } = await newUser(company, { customReference: 'KEPT' });
    await link(id, { idNumber: '1' });
    expect((await company.get(`/v1/identity/users/${id}`)).body).toMatchObject({
      idNumber: '1',
      customReference: 'KEPT',
    });
  });

  /** The user in the platform's list. */
  const shown = async (id: string) => {
    const { body } = await asPlatform('GET', `${USERS}?limit=100`);
    const { kycLevel, kycStatus, changedSinceApproval } = body.data.find((user: { id: string }) => user.id === id);
    return [kycLevel, kycStatus, changedSinceApproval];
  };
  const uploadTo = (id: string, text: string) =>
    company.request('POST', `/v1/identity/users/${id}/document`, { form: documentForm(pdf(text)) });

  test('another id number ends an approval, and the platform sees the changed fields until it reviews them', async () => {
    const { id } = await newUser(company, { idNumber: 'before' });
    await approve(id);
    expect(await link(id, { idNumber: 'before', customReference: `REF-${randomUUID()}` })).toMatchObject({
      body: { kycLevel: 2, idLinked: true },
    });
    expect(await shown(id)).toEqual([2, 'APPROVED', []]);
    expect(await link(id, { idNumber: 'after' })).toMatchObject({ body: { kycLevel: 1, idLinked: true } });
    expect(await shown(id)).toEqual([1, 'PENDING', ['ID_NUMBER']]);
    await approve(id);
    expect(await shown(id)).toEqual([2, 'APPROVED', []]);
  });

  test('another document ends an approval too; the same one again changes nothing', async () => {
    const { id } = await newUser(company);
    await uploadTo(id, 'first');
    expect(await shown(id)).toEqual([1, 'PENDING', []]);
    await approve(id);
    await uploadTo(id, 'first');
    expect(await shown(id)).toEqual([2, 'APPROVED', []]);
    await uploadTo(id, 'second');
    expect(await shown(id)).toEqual([1, 'PENDING', ['DOCUMENT']]);
    await link(id, { idNumber: 'another' });
    expect(await shown(id)).toEqual([1, 'PENDING', ['ID_NUMBER', 'DOCUMENT']]);
  });

  test('a user who was never approved has no changed fields', async () => {
    const { id } = await newUser(company);
    await link(id, { idNumber: 'another' });
    await uploadTo(id, 'first');
    expect(await shown(id)).toEqual([1, 'PENDING', []]);
  });

  test('a reference that is in use is 409 and nothing changes', async () => {
    await newUser(company, { customReference: 'TAKEN' });
    const { id } = await newUser(company, { idNumber: 'before' });
    expect(await link(id, { idNumber: 'after', customReference: 'TAKEN' })).toMatchObject(
      refused(409, 'already_exists'),
    );
    expect((await company.get(`/v1/identity/users/${id}`)).body).toMatchObject({ idNumber: 'before' });
  });

  test('is 404 for other companies, 400 without an id number, 401 without a credential', async () => {
    const { id } = await newUser(company);
    const body = { idNumber: '1' };
    expect(await link(id, body, await newCompany(service))).toMatchObject(refused(404, 'not_found'));
    expect(await link(nobody('usr'), body)).toMatchObject(refused(404, 'not_found'));
    for (const wrong of [{}, { idNumber: '' }, { idNumber: 5 }, { idNumber: 'x'.repeat(65) }])
      expect(await link(id, wrong)).toMatchObject(refused(400, 'validation_failed'));
    expect(await service.request('POST', `/v1/identity/users/${id}/link-id`, { body })).toMatchObject(
      refused(401, 'unauthenticated'),
    );
  });
});

describe('financial institutions', () => {
  const PATH = '/v1/identity/financial-institutions';

  test('are there from the start, public and the same for all; seeding adds what is missing', async () => {
    const [first, second] = [await newCompany(service), await newCompany(service)];
    expect(await first.post(`${PATH}/seed`)).toMatchObject({ status: 200, body: { seeded: 0, skipped: 14 } });
    await sql(service, "delete from financial_institution where code = 'FMBZZWHX'");
    expect(await second.post(`${PATH}/seed`)).toMatchObject({ status: 200, body: { seeded: 1, skipped: 13 } });
    const { body } = await service.request('GET', PATH);
    expect(body).toHaveLength(14);
    for (const bank of body)
      expect(bank).toEqual({
        id: expect.stringMatching(/^inst_[0-9a-f-]{36}$/),
        name: expect.any(String),
        code: expect.stringMatching(/^[A-Z]{4}ZW[A-Z0-9]{2}$/),
        branchCodes: [],
      });
    expect((await second.get(PATH)).body).toEqual(body);
  });

  test('cannot be seeded by managers or strangers', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    expect(await manager.post(`${PATH}/seed`)).toMatchObject(refused(403, 'forbidden'));
    expect(await service.request('POST', `${PATH}/seed`)).toMatchObject(refused(401, 'unauthenticated'));
  });

  test('a bank account must be at one of them', async () => {
    await company.post(`${PATH}/seed`);
    const [bank] = (await company.get(PATH)).body;
    const bankAccount = { institutionId: bank.id, accountNumber: '4567890123', accountName: 'R Moyo' };
    const { id } = await newUser(company, { bankAccount });
    expect((await company.get(`/v1/identity/users/${id}`)).body.bankAccount).toEqual({
      ...bankAccount,
      branchName: null,
      branchCode: null,
    });
    const asked = (account: unknown) =>
      company.post('/v1/identity/users', {
        mobileNumber: nextMobileNumber(),
        idNumber: randomUUID(),
        bankAccount: account,
      });
    expect(await asked({ ...bankAccount, institutionId: nobody('inst') })).toMatchObject(
      refused(422, 'unknown_institution'),
    );
    for (const wrong of [{}, { institutionId: bank.id }, { ...bankAccount, institutionId: 'CBZ' }, 'CBZ', []])
      expect(await asked(wrong)).toMatchObject(refused(400, 'validation_failed'));
  });
});
