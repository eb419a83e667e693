import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nobody, refused } from '../../../support/api.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { companyAccount } from '../../../support/treasury.ts';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

describe('POST /v1/treasury/bank/capture', () => {
  const capture = (of: TestCompany, reference: string, fields: Record<string, unknown> = {}) =>
    of.post('/v1/treasury/bank/capture', { amount: 700, currency: 'USD', reference, ...fields });

  test('settles the deposit in transit that it equals', async () => {
    const user = await newUser(company);
    const externalReference = `ref-${randomUUID()}`;
    const { body: deposit } = await company.post('/v1/payments/deposit', {
      userId: user.id,
      amount: 700,
      currency: 'USD',
      externalReference,
      isTransit: true,
    });
    const answer = await capture(company, externalReference);
    expect(answer).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^txn_/),
        type: 'BANK_CAPTURE',
        amount: '700',
        currency: 'USD',
        reference: externalReference,
        status: 'COMPLETED',
        matchedTo: { kind: 'TRANSIT_DEPOSIT', id: deposit.id },
        possibleDuplicateOf: null,
        created_at: expect.any(String),
      },
    });
    expect((await company.get(`/v1/payments/transaction/${deposit.id}`)).body.status).toBe('COMPLETED');
    expect((await company.get(`/v1/ledger/accounts/${user.usdAccountId}`)).body).toMatchObject({
      balance: '700',
      available_balance: '700',
    });
    expect((await capture(company, externalReference)).body).toMatchObject({
      matchedTo: { kind: 'SUSPENSE' },
      possibleDuplicateOf: deposit.id,
    });
  });

  test('is credited to the user with its reference, each time', async () => {
    const customReference = `cust-${randomUUID()}`;
    const user = await newUser(company, { customReference });
    for (const _month of [1, 2])
      expect((await capture(company, customReference)).body.matchedTo).toEqual({ kind: 'USER', id: user.id });
  });

  test('waits in SUSPENSE, where the list shows it, until it is assigned once', async () => {
    const [user, suspense] = [await newUser(company), await companyAccount(company, 'SUSPENSE')];
    const { body: captured } = await capture(company, 'nobody knows');
    expect(captured.matchedTo).toEqual({ kind: 'SUSPENSE', id: suspense.id });
    const waiting = await company.get('/v1/treasury/captures?matchedTo=SUSPENSE');
    expect(waiting.body.data).toContainEqual(captured);

    const path = `/v1/treasury/captures/${captured.id}/assign`;
    expect(await company.post(path, { userId: nobody('usr') })).toMatchObject(refused(422, 'unknown_user'));
    expect(await company.post(path, { userId: user.id })).toMatchObject({
      status: 200,
      body: { id: captured.id, matchedTo: { kind: 'USER', id: user.id } },
    });
    expect(await company.post(path, { userId: user.id })).toMatchObject(refused(409, 'wrong_state'));
    expect((await company.get(`/v1/ledger/accounts/${user.usdAccountId}`)).body).toMatchObject({ balance: '700' });
    const missing = `/v1/treasury/captures/${nobody('txn')}/assign`;
    expect(await company.post(missing, { userId: user.id })).toMatchObject(refused(404, 'not_found'));
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['an amount in a string', { amount: '700' }],
    ['another currency', { currency: 'EUR' }],
    ['no reference', { reference: ' ' }],
  ])('is refused with %s', async (_what, fields) => {
    expect(await capture(company, 'x', fields)).toMatchObject(refused(400, 'validation_failed'));
  });
});
