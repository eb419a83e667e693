import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CURRENCY_CODES } from '../../../src/domain/money.ts';
import { refused } from '../../support/api.ts';
import { newCompany, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** How operations treat names and values that are not in their description. */

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const DEPOSIT = '/v1/payments/deposit';
const valid = { amount: 100, currency: 'USD' };
const deposit = (body: unknown, headers: Record<string, string> = {}) =>
  company.request('POST', DEPOSIT, { body, headers: { 'x-idempotency-key': randomUUID(), ...headers } });

const institution = async () => {
  await company.post('/v1/identity/financial-institutions/seed');
  return (await company.get('/v1/identity/financial-institutions')).body[0].id;
};
const rename = (body: unknown) => company.request('PATCH', '/v1/core/companies/me', { body });

const MONEY = [
  ...['createDeposit', 'createPaymentLink', 'initiateEscrow', 'releaseEscrow', 'proposeSplit', 'resolveDispute'],
  ...['proposeMilestonePayout', 'createWithdrawal', 'captureReceipt', 'assignCapture', 'reverseDeposit'],
  ...['settleReceivable', 'settleIntercompanyDebt', 'setBankDetails'],
];

describe('a body that is required', () => {
  const settings = '/v1/core/companies/me'; // every field of this body is optional

  test('is 400 if it is missing', async () => {
    expect(await company.request('PATCH', settings)).toMatchObject(refused(400, 'validation_failed'));
    const headers = { 'content-type': 'application/json' };
    expect((await company.request('PATCH', settings, { headers, rawBody: '' })).status).toBe(400);
    expect(await company.request('PATCH', settings, { body: {} })).toMatchObject({ status: 200 });
  });

  test('is 415 without a Content-Type, and is not ignored', async () => {
    const response = await fetch(`${service.url}${settings}`, {
      method: 'PATCH',
      headers: { 'x-api-key': company.apiKey, 'x-company-id': company.id },
      body: new Blob([JSON.stringify({ name: 'Another' })]), // fetch sends no Content-Type with it
    });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect([response.status, await response.json()]).toMatchObject([415, { code: 'unsupported_media_type' }]);
  });
});

describe('unknown body fields', () => {
  test('are accepted, and named in X-Ignored-Fields', async () => {
    const answer = await rename({ name: 'Market', colour: 'red', Name: 5 });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ignored-fields')).toBe('colour, Name');
  });

  test('where money is decided they are 400, naming the nearest field, at any depth', async () => {
    const answer = await deposit({ ammount: 5, currency: 'USD', colour: 'red' });
    expect(answer).toMatchObject(refused(400, 'validation_failed'));
    expect(answer.body.errors).toEqual([
      { path: 'ammount', message: 'ammount is not a field of this request; the nearest one is amount' },
      { path: 'colour', message: expect.stringMatching(/^colour is not a field of this request; the nearest one is /) },
      { path: 'amount', message: 'amount is required' },
    ]);
    const link = { items: [{ name: 'a', qty: 1 }], splitPlan: { fee: 1 } };
    const { body } = await company.post('/v1/payments/generate-escrow-payment-link', link);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['items.0.qty', 'splitPlan.fee']),
    );
  });

  test('the description names the operations that refuse them', async () => {
    const { body } = await service.request('GET', '/openapi.json');
    const rules = Object.values<Record<string, { operationId: string; 'x-unknown-fields'?: unknown }>>(body.paths)
      .flatMap((methods) => Object.values(methods))
      .filter((operation) => operation['x-unknown-fields'] !== undefined);
    expect(Object.fromEntries(rules.map((one) => [one.operationId, one['x-unknown-fields']]))).toMatchObject({
      ...Object.fromEntries(MONEY.map((name) => [name, 'refused'])),
      createUser: { refusedWith: 'bankAccount' },
    });
  });

  test('a user is registered with an unknown field, but not with a bank account too', async () => {
    const user = { mobileNumber: '+263771000003', idNumber: '63-3', nickname: 'Ada' };
    const institutionId = await institution();
    const bankAccount = { institutionId, accountNumber: '1' };
    expect(await company.post('/v1/identity/users', { ...user, bankAccount })).toMatchObject(
      refused(400, 'validation_failed'),
    );
    expect(await company.post('/v1/identity/users', user)).toMatchObject({ status: 201 });
  });

  test.each(['bank_account', 'BankAccount', 'bankAcount'])('a user is not registered with %s', async (name) => {
    const user = { mobileNumber: '+263771000006', idNumber: '63-6', [name]: { accountNumber: '1' } };
    const refusal = await company.post('/v1/identity/users', user);
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.detail).toBe(`${name} is not a field of this request; the nearest one is bankAccount`);
  });

  test.each(['bankAccount.institutionId', 'bankAccount[0][institutionId]', 'bank_account[institutionId]'])(
    'a form does not register a user with %s',
    async (name) => {
      const form = new FormData();
      form.set('mobileNumber', '+263771000007');
      form.set('idNumber', '63-7');
      form.set(name, await institution());
      const refusal = await company.request('POST', '/v1/identity/users', { form });
      expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    },
  );

  test('nested ones too, by their path', async () => {
    const bankAccount = { institutionId: 'malformed', accountNumber: '1' };
    const refusal = await company.post('/v1/identity/users', { bankAccount });
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    const slug = `market-${randomUUID()}`;
    const admin = { firstName: 'A', lastName: 'B', email: `${slug}@test.example`, password: 'long-enough', age: 7 };
    const answer = await service.request('POST', '/v1/core/companies', { body: { name: 'Market', slug, admin } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBe('admin.age');
  });

  test.each([
    'POST /v1/identity/financial-institutions/seed',
    'POST /v1/treasury/seed-configs',
    'DELETE /v1/core/companies/me/logo',
  ])('are treated alike where an operation takes no body: %s', async (operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const send = (rawBody: string | undefined, headers: Record<string, string> = {}) =>
      company.request(method, path, { ...(rawBody === undefined ? {} : { rawBody }), headers });
    const headers = { 'content-type': 'application/json' };
    for (const answer of [await send(undefined), await send('', headers), await send('{}', headers)])
      expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([200, null]);
    const named = await send('{"colour":1}', headers);
    expect([named.status, named.headers.get('x-ignored-fields')]).toEqual([200, 'colour']);
    const strict = await send('{"colour":1}', { ...headers, prefer: 'handling=strict' });
    expect(strict).toMatchObject(refused(400, 'validation_failed'));
    expect(await send('{"colour":', headers)).toMatchObject(refused(400, 'invalid_json'));
  });

  test('an answer to a request with known fields only has no such header', async () => {
    expect((await deposit(valid)).headers.get('x-ignored-fields')).toBeNull();
  });

  test('names that no header can carry are percent-encoded', async () => {
    const { status, headers } = await rename({ name: 'Market', 'a, b': 1, 'größe\r\nX-Evil: 1': 2 });
    expect(status).toBe(200);
    expect(headers.get('x-ignored-fields')).toBe('a%2C%20b, gr%C3%B6%C3%9Fe%0D%0AX-Evil:%201');
    expect(headers.get('x-evil')).toBeNull();
  });

  test.each(['handling=strict', 'respond-async, handling=strict', 'Handling="strict"; x=1'])(
    'with Prefer: %s they are 400, naming the nearest field',
    async (prefer) => {
      const answer = await deposit({ ...valid, ammount: 5 }, { prefer });
      expect(answer).toMatchObject(refused(400, 'validation_failed'));
      expect(answer.body.errors).toEqual([
        { path: 'ammount', message: 'ammount is not a field of this request; the nearest one is amount' },
      ]);
    },
  );

  test('with Prefer: handling=strict a request of known fields is done, and the preference is confirmed', async () => {
    const answer = await deposit(valid, { prefer: 'handling=strict' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('preference-applied')).toBe('handling=strict');
  });

  test('with Prefer: handling=lenient they are accepted where money is decided too, and named', async () => {
    const answer = await deposit({ ...valid, colour: 1 }, { prefer: 'handling=lenient' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBe('colour');
    expect(answer.headers.get('preference-applied')).toBe('handling=lenient');
  });

  test('long and numerous names are not repeated in full, neither in a problem nor in a header', async () => {
    const names = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}${'ü'.repeat(500)}`, 1]));
    const refusal = await deposit({ ...valid, ...names });
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(JSON.stringify(refusal.body).length).toBeLessThan(10_000);
    const answer = await rename({ name: 'Market', ...names });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ignored-fields')?.length).toBeLessThan(2_100);
  });

  test('a form may spell the fields of an object one by one', async () => {
    const institutionId = await institution();
    const form = new FormData();
    form.set('mobileNumber', '+263771000004');
    form.set('idNumber', '63-4');
    form.set('bankAccount[institutionId]', institutionId);
    form.set('bankAccount[accountNumber]', '0123');
    form.set('metadata[tier]', 'gold');
    form.set('metadata[shop-id]', '7');
    const { status, body } = await company.request('POST', '/v1/identity/users', { form });
    expect(status).toBe(201);
    expect((await company.get(`/v1/identity/users/${body.id}`)).body).toMatchObject({
      metadata: { tier: 'gold', 'shop-id': '7' },
    });
    form.set('mobileNumber', '+263771000005');
    form.set('bankAccount[acountNumber]', '0123');
    const refusal = await company.request('POST', '/v1/identity/users', { form });
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.detail).toBe(
      'bankAccount.acountNumber is not a field of this request; the nearest one is accountNumber',
    );
  });

  test('in a form they are named too, also those of JSON inside the form', async () => {
    const form = new FormData();
    form.set('mobileNumber', '+263771000001');
    form.set('idNumber', '63-1');
    form.set('nickname', 'Ada');
    const answer = await company.request('POST', '/v1/identity/users', { form });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBe('nickname');
  });
});

describe('unknown query parameters', () => {
  test.each([
    ['/v1/escrow?statsu=ACTIVE', 'statsu is not a parameter of this operation; the nearest one is status'],
    ['/v1/identity/users?limt=5', 'limt is not a parameter of this operation; the nearest one is limit'],
    ['/v1/core/companies/me?verbose=1', 'verbose is not a parameter of this operation, which takes none'],
  ])('GET %s: 400, "%s"', async (path, message) => {
    const answer = await company.get(path);
    expect(answer).toMatchObject(refused(400, 'validation_failed'));
    expect(answer.body.detail).toBe(message);
  });

  test('are refused on commands too, after the checks of credential and role', async () => {
    const answer = await company.post(`${DEPOSIT}?dryRun=true`, valid);
    expect(answer).toMatchObject(refused(400, 'validation_failed'));
    expect(await service.request('GET', '/v1/escrow?statsu=1')).toMatchObject(refused(401, 'unauthenticated'));
    expect(await company.request('POST', `${DEPOSIT}?dryRun=true`, { body: valid })).toMatchObject(
      refused(400, 'missing_header'),
    );
  });

  test('a malformed id in the path is reported first', async () => {
    expect(await company.get('/v1/escrow/malformed?a=1')).toMatchObject(refused(400, 'invalid_id'));
  });

  test('bytes that are not UTF-8 are refused, and not replaced', async () => {
    const found = (reference: string) => company.get(`/v1/escrow?externalReference=${reference}`);
    for (const bytes of ['%FF', 'a%C3', '%ED%A0%80', '%C3%A9%fe'])
      expect(await found(bytes)).toMatchObject(refused(400, 'validation_failed'));
    for (const text of ['%C3%A9', 'a+b', '100%', '%zz']) expect(await found(text)).toMatchObject({ status: 200 });
  });

  test('a callback is answered with any query in its address', async () => {
    const answer = await service.request('POST', '/v1/payments/eft-pay/webhook?from=gateway', { body: {} });
    expect(answer).toMatchObject({ status: 200, body: { status: 'OK' } });
  });
});

test.each([
  ['/v1/auth/login', { email: 'a@example.com', password: 'a\u0007b' }],
  ['/v1/auth/refresh', { refreshToken: 'a\u0000b', userId: randomUUID() }],
  ['/v1/auth/mfa', { mfaToken: 'a\nb', code: '123456' }],
  ['/v1/auth/password/reset', { token: 'token', newPassword: 'long enough\u0007and more' }],
  ['/v1/payments/reject-payment', { paymentSlug: 'a\u007fb' }],
  ['/v1/payments/accept-payment', { paymentSlug: 'a', messagingNumber: '+263771234567', otp: '12\t3456' }],
  ['/v1/payments/accept-payment', { paymentSlug: 'a', phoneNumber: '+26377\u00851234567' }],
])('control characters are 400 in every text: %s %j', async (path, body) => {
  const answer = await service.request('POST', path, { body });
  expect(answer).toMatchObject(refused(400, 'validation_failed'));
  expect(answer.body.detail).toContain('must not contain control characters');
});

describe('validation messages are sentences for people', () => {
  const messageOf = async (body: unknown) => (await deposit(body)).body.errors[0].message;

  test.each([0, -1, 1.5, '100', null, true, [1]])('amount %p', async (amount) => {
    expect(await messageOf({ ...valid, amount })).toBe('amount must be a whole number of cents, at least 1');
  });

  test.each<[string, unknown, string]>([
    ['amount', undefined, 'amount is required'],
    ['amount', 2 ** 53, 'amount must be at most 9,007,199,254,740,991 cents'],
    ['currency', 'XTS', `currency must be one of ${CURRENCY_CODES.join(', ')}`],
    ['externalReference', '', 'externalReference must not be empty'],
    ['externalReference', 'x'.repeat(256), 'externalReference must have at most 255 characters'],
    ['externalReference', 5, 'externalReference must be text'],
    ['isTransit', 'yes', 'isTransit must be true or false'],
    ['userId', 'cmp_1', 'userId must be a UUID or usr_ followed by one'],
  ])('%s %p: %s', async (field, value, message) => {
    expect(await messageOf({ ...valid, [field]: value })).toBe(message);
  });

  test('an invalid address, where a rule about its parts would fail', async () => {
    const terms = await company.request('PATCH', '/v1/core/companies/me', { body: { terms_url: 'no address' } });
    expect(terms).toMatchObject(refused(400, 'validation_failed'));
    expect(terms.body.detail).toBe('terms_url must be an https URL');
    const evidence = { actor: 'BUYER', note: 'a', documentUrl: 'https://[' };
    const path = '/v1/escrow/esc_01900000-0000-7000-8000-000000000001/dispute/evidence';
    expect(await company.post(path, evidence)).toMatchObject(refused(400, 'validation_failed'));
  });

  test('a field with two equal complaints is named once', async () => {
    expect((await deposit({ ...valid, amount: 2 ** 53 })).body.errors).toHaveLength(1);
  });

  test.each([
    [['escrow.realeased'], 'events.0 is not one of the known values; the nearest one is escrow.released'],
    [['*', 'ping'], 'events.1 is not one of the known values'],
  ])('of a long list of values only the nearest is named: %p', async (events, message) => {
    const { body } = await company.post('/v1/webhooks', { url: 'https://shop.example/hook', events });
    expect(body.errors).toEqual([{ path: message.split(' ')[0], message }]);
  });

  test.each([
    ['/v1/events?type=user.craeted', 'type is not one of the known values; the nearest one is user.created'],
    ['/v1/escrow?limit=many', 'limit must be a whole number'],
    ['/v1/escrow?limit=0', 'limit must be at least 1'],
    [
      '/v1/escrow?startDate=yesterday',
      'startDate must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:30:00Z',
    ],
    [
      '/v1/escrow?startDate=2026-01-31T09:30:00',
      'startDate must carry Z or an offset, such as 2026-01-31T09:30:00Z: a time without one is another instant in each time zone',
    ],
    ['/v1/escrow?startDate=2026-02-01&endDate=2026-01-01', 'startDate must not be after endDate'],
  ])('%s: %s', async (path, message) => {
    expect((await company.get(path)).body.detail).toBe(message);
  });

  test('a body that is not an object', async () => {
    expect((await deposit([])).body.detail).toBe('the body must be an object');
  });

  test('no message is the validator’s default, for any request', async () => {
    const { body } = await service.request('GET', '/openapi.json');
    const paths = Object.entries<Record<string, { requestBody?: unknown; security?: unknown[] }>>(body.paths);
    const posts = paths.flatMap(([path, { post }]) => (post?.requestBody === undefined ? [] : [path]));
    expect(posts.length).toBeGreaterThan(20);
    let messages = 0;
    for (const path of posts) {
      const address = path.replace(/\{(\w+)\}/g, () => randomUUID());
      const bodies = [{}, { items: [{}], admin: {}, bankAccount: {} }, []];
      for (const answer of await Promise.all(bodies.map((sent) => company.post(address, sent))))
        for (const { message } of answer.body.errors ?? []) {
          expect([path, message]).toEqual([path, expect.stringMatching(/^(the body|[\w.-]+) (is|must|has) /)]);
          messages += 1;
        }
    }
    expect(messages).toBeGreaterThan(100);
  });
});
