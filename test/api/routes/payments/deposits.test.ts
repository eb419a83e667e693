import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../../../src/sandbox/stack/postgres-client.ts';
import { bare, newAdministrator, nobody, refused } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

const PATH = '/v1/payments/deposit';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const deposit = (body: Record<string, unknown>, by: Pick<TestCompany, 'post'> = company) =>
  by.post(PATH, { amount: 1_000, currency: 'USD', ...body });
const balanceOf = async (accountId: string) => {
  const { body } = await company.get(`/v1/ledger/accounts/${accountId}`);
  return [body.balance, body.held_balance, body.available_balance];
};
const companyAccount = async (type: string, currency = 'USD') => {
  const { body } = await company.get('/v1/ledger/company/accounts');
  return body.find((one: { type: string; currency: string }) => one.type === type && one.currency === currency);
};

describe('POST /v1/payments/deposit', () => {
  test('credits the user, and answers the transaction', async () => {
    const user = await newUser(company);
    const { status, body } = await deposit({
      userId: user.id,
      amount: 25_050,
      externalReference: ' bank-1 ',
      userReference: 'thanks',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^txn_[0-9a-f-]{36}$/),
      type: 'DEPOSIT',
      amount: '25050',
      currency: 'USD',
      status: 'COMPLETED',
      reference: 'bank-1',
      escrowId: null,
      metadata: { userReference: 'thanks' },
      accountId: user.usdAccountId,
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
    });
    expect(await balanceOf(user.usdAccountId)).toEqual(['25050', '0', '25050']);
  });

  test('is in the audit log once per request: carried out, repeated, refused', async () => {
    const mine = await newCompany(service);
    const key = randomUUID();
    const { body: done } = await mine.post(PATH, { amount: 5, currency: 'USD' }, key);
    await mine.post(PATH, { amount: 5, currency: 'USD' }, key);
    await deposit({ userId: nobody('usr') }, mine);
    const { body } = await mine.get('/v1/core/audit-log?limit=3');
    const line = { operation: 'POST /v1/payments/deposit', actor: { kind: 'api_key' } };
    expect(body.data).toMatchObject([
      { ...line, status: 422, resource: null },
      { ...line, status: 201, resource: done.id },
      { ...line, status: 201, resource: done.id },
    ]);
  });

  test('is refused to a manager, and nothing is credited', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    const user = await newUser(company);
    expect(await deposit({ userId: user.id }, manager)).toMatchObject(refused(403, 'forbidden'));
    expect(await balanceOf(user.usdAccountId)).toEqual(['0', '0', '0']);
  });

  test('goes to the account of its currency', async () => {
    const user = await newUser(company);
    const { body } = await deposit({ userId: bare(user.id), currency: 'ZIG' });
    expect(body.accountId).not.toBe(user.usdAccountId);
    expect(await balanceOf(body.accountId)).toEqual(['1000', '0', '1000']);
    expect(await balanceOf(user.usdAccountId)).toEqual(['0', '0', '0']);
  });

  test("without a user goes to the company's own account", async () => {
    const before = await companyAccount('COMPANY');
    const { body } = await deposit({ amount: 7 });
    expect(body.accountId).toBe(before.id);
    expect(await balanceOf(before.id)).toEqual([
      String(Number(before.balance) + 7),
      '0',
      String(Number(before.balance) + 7),
    ]);
  });

  test.each(['userReference', 'externalReference'])(
    'without a user goes to the user whose customReference equals the %s',
    async (field) => {
      const customReference = `CUSTOM-${randomUUID()}`;
      const user = await newUser(company, { customReference });
      expect(await deposit({ [field]: customReference })).toMatchObject({
        status: 201,
        body: { accountId: user.usdAccountId },
      });
    },
  );

  test("a customReference of another company's user is not matched", async () => {
    const customReference = `CUSTOM-${randomUUID()}`;
    await newUser(await newCompany(service), { customReference });
    const { id } = await companyAccount('COMPANY');
    expect(await deposit({ userReference: customReference })).toMatchObject({ status: 201, body: { accountId: id } });
  });

  test('a userId takes precedence over a customReference', async () => {
    const customReference = `CUSTOM-${randomUUID()}`;
    await newUser(company, { customReference });
    const user = await newUser(company);
    expect(await deposit({ userId: user.id, userReference: customReference })).toMatchObject({
      body: { accountId: user.usdAccountId },
    });
  });

  test('in transit counts in the balance, cannot be spent, and is PROCESSING', async () => {
    const user = await newUser(company);
    expect(await deposit({ userId: user.id, amount: 500, isTransit: true })).toMatchObject({
      status: 201,
      body: { status: 'PROCESSING', type: 'DEPOSIT', amount: '500' },
    });
    expect(await balanceOf(user.usdAccountId)).toEqual(['500', '500', '0']);
  });

  test.each([false, true])('to a frozen account is credited like other money, in transit: %s', async (isTransit) => {
    const user = await newUser(company);
    const path = `/v1/ledger/accounts/${user.usdAccountId}`;
    await company.request('PATCH', path, { body: { is_frozen: true, reason: 'Under review' } });
    const externalReference = `frozen-${randomUUID()}`;
    expect(await deposit({ userId: user.id, externalReference, isTransit })).toMatchObject({ status: 201 });
    if (isTransit) {
      const receipt = { amount: 1_000, currency: 'USD', reference: externalReference };
      await company.post('/v1/treasury/bank/capture', receipt);
    }
    expect(await balanceOf(user.usdAccountId)).toEqual(['1000', '0', '1000']);
  });

  test('an external reference can be used once, for any user and any amount', async () => {
    const externalReference = `bank-${randomUUID()}`;
    const [user, another] = [await newUser(company), await newUser(company)];
    expect(await deposit({ userId: user.id, externalReference })).toMatchObject({ status: 201 });
    for (const body of [{ userId: user.id }, { userId: user.id, amount: 2_000 }, { userId: another.id }, {}])
      expect(await deposit({ ...body, externalReference })).toMatchObject(refused(409, 'duplicate_reference'));
    expect(await balanceOf(user.usdAccountId)).toEqual(['1000', '0', '1000']);
    const other = await newCompany(service);
    expect(await deposit({ externalReference }, other)).toMatchObject({ status: 201 });
  });

  test('sent ten times at once with one reference is credited once', async () => {
    const user = await newUser(company);
    const externalReference = `bank-${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => deposit({ userId: user.id, externalReference })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'duplicate_reference')).toHaveLength(9);
    expect(await balanceOf(user.usdAccountId)).toEqual(['1000', '0', '1000']);
  });

  test('of a company whose accounts are locked do not hold up those of other companies', async () => {
    const [stuck, free] = [await newCompany(service), await newCompany(service)];
    const user = await newUser(stuck);
    await withClient(service.database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('select 1 from account where id = $1 for update', [bare(user.usdAccountId)]);
      const waiting = deposit({ userId: user.id }, stuck);
      await eventually(async () => {
        const { rows } = await client.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`);
        return rows.length > 0;
      });
      for (const _round of [1, 2, 3]) expect(await deposit({}, free)).toMatchObject({ status: 201 });
      await client.query('rollback');
      expect(await waiting).toMatchObject({ status: 201 });
    });
  });

  test('beside one with a taken reference are first answers, each with one line in the audit log', async () => {
    const mine = await newCompany(service);
    const externalReference = randomUUID();
    await deposit({ externalReference }, mine);
    const [taken, ...others] = await Promise.all([
      deposit({ externalReference, amount: 7 }, mine),
      ...Array.from({ length: 20 }, () => deposit({}, mine)),
    ]);
    expect(taken).toMatchObject(refused(409, 'duplicate_reference'));
    expect(others.filter(({ headers }) => headers.get('idempotent-replayed') !== null)).toEqual([]);
    const { body: log } = await mine.get('/v1/core/audit-log?operation=POST%20%2Fv1%2Fpayments%2Fdeposit&limit=100');
    expect(log.data.filter(({ status }: { status: number }) => status === 201)).toHaveLength(21);
  });

  test("an unknown user and another company's are refused, and nothing is credited", async () => {
    const stranger = await newUser(await newCompany(service));
    const before = await companyAccount('COMPANY');
    for (const userId of [nobody('usr'), stranger.id])
      expect(await deposit({ userId })).toMatchObject(refused(422, 'unknown_user'));
    expect((await companyAccount('COMPANY')).balance).toBe(before.balance);
  });

  test('carries the largest amount to the cent', async () => {
    const user = await newUser(company);
    const amount = Number.MAX_SAFE_INTEGER;
    await deposit({ userId: user.id, amount });
    await deposit({ userId: user.id, amount });
    expect((await balanceOf(user.usdAccountId))[0]).toBe('18014398509481982');
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['zero', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['a fraction', { amount: 10.5 }],
    ['an amount as text', { amount: '1000' }],
    ['more than JSON carries exactly', { amount: Number.MAX_SAFE_INTEGER + 1 }],
    ['no currency', { currency: undefined }],
    ['an unknown currency', { currency: 'EUR' }],
    ['a currency in small letters', { currency: 'usd' }],
    ['an id of another kind', { userId: 'acc_01900000-0000-7000-8000-000000000001' }],
    ['an id that is none', { userId: 'somebody' }],
    ['an empty reference', { externalReference: ' ' }],
    ['a long reference', { externalReference: 'x'.repeat(256) }],
    ['control characters', { userReference: 'a\tb' }],
    ['isTransit as text', { isTransit: 'true' }],
  ])('%s: validation_failed', async (_what, fields) => {
    expect(await deposit(fields)).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('GET /v1/payments/transaction/{id}', () => {
  test('returns the same answer as the deposit', async () => {
    const { body: made } = await deposit({ userReference: 'memo' });
    const { accountId: _account, ...transaction } = made;
    for (const id of [made.id, bare(made.id)])
      expect(await company.get(`/v1/payments/transaction/${id}`)).toMatchObject({ status: 200, body: transaction });
  });
});
