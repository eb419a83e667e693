import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CURRENCY_CODES } from '../../../../src/domain/money.ts';
import { bare, newAdministrator, refused, sql } from '../../../support/api.ts';
import { nextMobileNumber } from '../../../support/mobile-numbers.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

const PATH = '/v1/identity/users';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const asked = (fields: Record<string, unknown> = {}) => ({
  mobileNumber: nextMobileNumber(),
  idNumber: '63-1234567A00',
  ...fields,
});
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);

describe('POST /v1/identity/users', () => {
  test('registers a user at level 1, CLEAR, with a ledger and one account per currency at once', async () => {
    const sent = asked({ firstName: 'Tendai', lastName: 'Ncube' });
    const { status, body } = await company.post(PATH, sent);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-f-]{36}$/),
      mobileNumber: sent.mobileNumber,
      firstName: 'Tendai',
      lastName: 'Ncube',
      kycLevel: 1,
      identityStatus: 'CLEAR',
      blacklistMatch: null,
      createdAt: expect.any(String),
      ledgerId: expect.stringMatching(/^ldg_/),
      accounts: CURRENCY_CODES.map((currency) => ({ id: expect.stringMatching(/^acc_/), currency })),
    });
    expect(await company.get(`/v1/ledger/accounts/${body.accounts[0].id}`)).toMatchObject({
      status: 200,
      body: { type: 'USER', currency: 'USD', balance: '0' },
    });
  });

  test('keeps everything that was sent, trimmed', async () => {
    const { body } = await company.post(
      PATH,
      asked({
        idNumber: ' 63-7654321B11 ',
        firstName: ' Rudo ',
        email: ' rudo@test.example ',
        metadata: { tier: 'gold', nested: { list: [1, 'two', null] } },
        customReference: ' RUDO-1 ',
      }),
    );
    expect(await company.get(`${PATH}/${body.id}`)).toMatchObject({
      status: 200,
      body: {
        idNumber: '63-7654321B11',
        firstName: 'Rudo',
        lastName: null,
        email: 'rudo@test.example',
        metadata: { tier: 'gold', nested: { list: [1, 'two', null] } },
        customReference: 'RUDO-1',
      },
    });
  });

  test('spaces and dashes in the number are dropped, so the same number is the same user', async () => {
    const number = nextMobileNumber();
    const spaced = ` ${number.slice(0, 4)} ${number.slice(4, 8)}-${number.slice(8)} `;
    expect(await company.post(PATH, asked({ mobileNumber: spaced }))).toMatchObject({
      status: 201,
      body: { mobileNumber: number },
    });
    expect(await company.post(PATH, asked({ mobileNumber: number }))).toMatchObject(refused(409, 'already_exists'));
  });

  test('number and custom reference are unique within the company, and free in another', async () => {
    const other = await newCompany(service);
    const sent = asked({ customReference: `REF-${randomUUID()}` });
    expect(await company.post(PATH, sent)).toMatchObject({ status: 201 });
    expect(await company.post(PATH, { ...sent, customReference: undefined })).toMatchObject(
      refused(409, 'already_exists'),
    );
    expect(await company.post(PATH, { ...sent, mobileNumber: nextMobileNumber() })).toMatchObject(
      refused(409, 'already_exists'),
    );
    expect(await other.post(PATH, sent)).toMatchObject({ status: 201 });
  });

  test('two simultaneous registrations of one number make one user', async () => {
    const sent = asked();
    const answers = await Promise.all([1, 2, 3, 4].map(() => company.post(PATH, sent)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('a MANAGER may register users', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    expect(await manager.post(PATH, asked())).toMatchObject({ status: 201 });
  });

  test('unknown fields and fields that the service sets are ignored', async () => {
    const answer = await company.post(PATH, asked({ kycLevel: 2, identityStatus: 'BLACKLISTED', favourite: 'red' }));
    expect(answer).toMatchObject({ status: 201, body: { kycLevel: 1, identityStatus: 'CLEAR' } });
  });

  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
  test.each([
    ['no number', { mobileNumber: undefined }],
    ['a number that no region has', { mobileNumber: '99912345' }],
    ['7 digits', { mobileNumber: '+1234567' }],
    ['16 digits', { mobileNumber: '+1234567890123456' }],
    ['letters in the number', { mobileNumber: '+26377CALLME' }],
    ['a number as a number', { mobileNumber: 263_771_234_567 }],
    ['no idNumber', { idNumber: undefined }],
    ['an empty idNumber', { idNumber: ' ' }],
    ['control characters', { firstName: 'a\u0000b' }],
    ['256 characters', { lastName: 'x'.repeat(256) }],
    ['an e-mail that is none', { email: 'rudo' }],
    ['metadata as a list', { metadata: [1] }],
    ['metadata as text', { metadata: '{}' }],
    ['more than 16 KiB of metadata', { metadata: { a: 'x'.repeat(16_384) } }],
    ['NUL in metadata', { metadata: { a: 'x\u0000y' } }],
    ['half a surrogate pair in metadata', { metadata: { '\ud800': 1 } }],
  ])('%s: validation_failed', async (_what, fields) => {
    expect(await company.post(PATH, asked(fields))).toMatchObject(refused(400, 'validation_failed'));
  });

  test('metadata that is nested without end is refused without a crash', async () => {
    expect(await company.post(PATH, asked({ metadata: nested(1_000) }))).toMatchObject(refused(400, 'invalid_json'));
    const form = new FormData();
    for (const [name, value] of Object.entries(asked())) form.set(name, String(value));
    form.set('metadata', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`);
    const answer = await company.request('POST', PATH, { form });
    expect(answer).toMatchObject(refused(400, 'validation_failed'));
    expect(answer.body.detail).toBe('metadata must be JSON');
  });
});

describe('GET /v1/identity/users', () => {
  test("lists this company's users newest first, with the public fields only", async () => {
    const mine = await newCompany(service);
    const [first, second] = [await newUser(mine), await newUser(mine, { firstName: 'Rudo' })];
    const list = await mine.get(PATH);
    expect(list.status).toBe(200);
    expect(list.headers.get('x-total-count')).toBe('2');
    expect(idsOf(list.body)).toEqual([second.id, first.id]);
    expect(list.body[0]).toEqual({
      id: second.id,
      mobileNumber: expect.any(String),
      firstName: 'Rudo',
      lastName: null,
      kycLevel: 1,
      identityStatus: 'CLEAR',
      blacklistMatch: null,
      createdAt: expect.any(String),
    });
    const page = await mine.get(`${PATH}?limit=1&offset=1`);
    expect(idsOf(page.body)).toEqual([first.id]);
    expect(page.headers.get('x-total-count')).toBe('2');
    expect((await mine.get(`${PATH}?offset=5`)).body).toEqual([]);
  });

  test('is searched by words of the name and the number, and by the custom reference', async () => {
    const mine = await newCompany(service);
    const rudo = await newUser(mine, { firstName: 'Rudo', lastName: 'Chikomo', customReference: 'shop-7' });
    const other = await newUser(mine, { firstName: 'Rudo', lastName: 'Banda' });
    const found = async (query: Record<string, string>) =>
      idsOf((await mine.get(`${PATH}?${new URLSearchParams(query)}`)).body);
    expect(await found({ q: 'rudo' })).toEqual([other.id, rudo.id]);
    expect(await found({ q: 'chik rudo' })).toEqual([rudo.id]);
    expect(await found({ q: `rudo ${other.mobileNumber.slice(-6)}` })).toEqual([other.id]);
    expect(await found({ q: 'rudo nobody' })).toEqual([]);
    expect(await found({ customReference: 'shop-7' })).toEqual([rudo.id]);
    expect(await found({ customReference: 'shop' })).toEqual([]);
  });

  test.each(['limit=0', 'limit=1001', 'limit=1e1', 'offset=-1', 'offset=9999999999'])(
    '?%s: validation_failed',
    async (query) => {
      expect(await company.get(`${PATH}?${query}`)).toMatchObject(refused(400, 'validation_failed'));
    },
  );
});

describe.each([
  ['GET /v1/identity/users/{id}', (id: string) => `${PATH}/${id}`],
  ['GET /v1/identity/users/{id}/ledger', (id: string) => `${PATH}/${id}/ledger`],
  ['GET /v1/ledger/user/{userId}/accounts', (id: string) => `/v1/ledger/user/${id}/accounts`],
])('%s', (_operation, path) => {
  test('takes the id with its prefix, without it, and in capitals', async () => {
    const { id } = await newUser(company);
    const answer = await company.get(path(id));
    expect(answer.status).toBe(200);
    for (const form of [bare(id), bare(id).toUpperCase()])
      expect(await company.get(path(form))).toMatchObject({ status: 200, body: answer.body });
  });

  test.each(['adm_01900000-0000-7000-8000-000000000001', 'usr_1', 'someone', '%F0%9F%A6%8A', 'usr_usr_'])(
    'the id %s: invalid_id',
    async (id) => {
      expect(await company.get(path(id))).toMatchObject(refused(400, 'invalid_id'));
    },
  );
});

describe('one user', () => {
  test('has every field, null where empty', async () => {
    const { id } = await newUser(company);
    expect((await company.get(`${PATH}/${id}`)).body).toEqual({
      id,
      mobileNumber: expect.any(String),
      idNumber: expect.stringMatching(/^63-\d{7}A00$/),
      blacklistMatch: null,
      firstName: null,
      lastName: null,
      email: null,
      kycLevel: 1,
      identityStatus: 'CLEAR',
      identityStatusReason: null,
      documentUrl: null,
      isDocumentDeleted: false,
      metadata: {},
      customReference: null,
      bankAccount: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      erasedAt: null,
    });
  });

  test('shows that the user is blacklisted', async () => {
    const { id } = await newUser(company);
    await sql(service, `update app_user set identity_status = 'BLACKLISTED' where id = $1`, [bare(id)]);
    expect((await company.get(`${PATH}/${id}`)).body.identityStatus).toBe('BLACKLISTED');
  });

  test('every operation returns the same ledger and accounts', async () => {
    const { id, ledgerId, usdAccountId } = await newUser(company);
    const { body } = await company.get(`${PATH}/${id}/ledger`);
    expect(body).toMatchObject({ ledgerId, userId: id });
    expect(body.accounts[0]).toMatchObject({ id: usdAccountId, ledgerId, currency: 'USD', balance: '0' });
    expect((await company.get(`/v1/ledger/user/${id}/accounts`)).body).toEqual(body.accounts);
  });
});
