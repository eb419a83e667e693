import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, newAdministrator, newKey, nobody, refused, sql } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { newCompany, newUser, startService, type TestCompany, type TestService } from '../../../support/service.ts';

let service: TestService;
let company: TestCompany;
let other: TestCompany;
/** A user with 10,000 cents of a company that taxes withdrawals. What is refused leaves them as they are. */
let taxed: Awaited<ReturnType<typeof newHolder>>;

beforeAll(async () => {
  service = await startService();
  company = await newCompany(service);
  other = await newCompany(service);
  taxed = await newHolder({ isTaxed: true });
});
afterAll(() => service.stop());

const BANK = {
  bank_name: 'CBZ & Söhne',
  branch_code: '6101',
  account_number: '01234567890123',
  account_name: 'T. Moyo',
};
const asked = (accountId: string, amount: number, fields: Record<string, unknown> = {}) => ({
  accountId,
  amount,
  externalReference: `payout-${randomUUID()}`,
  ...BANK,
  ...fields,
});

/** A user of a company of their own, which taxes withdrawals at the default rates if `isTaxed`. */
async function newHolder({ balance = 10_000, isTaxed = false } = {}) {
  const owner = await newCompany(service);
  if (isTaxed) await owner.post('/v1/treasury/seed-configs');
  const user = await newUser(owner);
  await owner.post('/v1/payments/deposit', { userId: user.id, amount: balance, currency: 'USD' });
  const account = async () => (await owner.get(`/v1/ledger/accounts/${user.usdAccountId}`)).body;
  return { company: owner, user, accountId: user.usdAccountId, account };
}

const companyAccount = async (of: TestCompany, type: string, currency = 'USD') =>
  (await of.get('/v1/ledger/company/accounts')).body.find(
    (account: { type: string; currency: string }) => account.type === type && account.currency === currency,
  );
const withdrawalOf = async (of: TestCompany, id: string) => (await of.get(`/v1/treasury/withdrawals/${id}`)).body;
const ended = (of: TestCompany, id: string) =>
  eventually(async () => {
    const found = await withdrawalOf(of, id);
    return found.status !== 'PROCESSING' && found;
  });

describe('POST /v1/treasury/withdraw', () => {
  test('holds amount and tax at once, and takes them when the bank has paid', async () => {
    const holder = await newHolder({ isTaxed: true });
    await service.sandbox.control('POST', '/payouts', { outcome: 'manual' });
    const body = asked(holder.accountId, 9_804);
    const answer = await holder.company.post('/v1/treasury/withdraw', body);
    expect(answer).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^txn_/),
        status: 'PROCESSING',
        amount: '9804',
        taxAmount: '196',
        reference: body.externalReference,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    });
    expect(await holder.account()).toMatchObject({ balance: '10000', held_balance: '10000', available_balance: '0' });
    const path = `/v1/payments/transaction/${answer.body.id}`;
    expect((await holder.company.get(path)).body).toMatchObject({ type: 'WITHDRAWAL', status: 'PROCESSING' });

    await service.sandbox.control('POST', '/payouts', { outcome: 'settled', reference: body.externalReference });
    await service.sandbox.control('POST', '/payouts', { outcome: 'settled' });
    expect(await ended(holder.company, answer.body.id)).toMatchObject({ status: 'COMPLETED', failure_reason: null });
    expect(await holder.account()).toMatchObject({ balance: '0', held_balance: '0' });
    expect(await companyAccount(holder.company, 'TAX')).toMatchObject({ balance: '196' });
    expect(await companyAccount(holder.company, 'BANK')).toMatchObject({ balance: '-196' });
    expect((await holder.company.get(path)).body).toMatchObject({
      amount: '9804',
      status: 'COMPLETED',
      reference: body.externalReference,
    });
  });

  test('gives all of it back when the bank refuses', async () => {
    const holder = await newHolder({ isTaxed: true });
    const body = asked(holder.accountId, 5_000);
    await service.sandbox.control('POST', '/payouts', { outcome: 'rejected', reference: body.externalReference });
    const { body: made } = await holder.company.post('/v1/treasury/withdraw', body);
    expect(await ended(holder.company, made.id)).toMatchObject({ status: 'FAILED', failure_reason: 'AC04' });
    expect(await holder.account()).toMatchObject({ balance: '10000', held_balance: '0' });
    expect((await holder.company.get(`/v1/payments/transaction/${made.id}`)).body).toMatchObject({ status: 'FAILED' });
  });

  test('with the same key again gets the first answer, and pays once', async () => {
    const holder = await newHolder();
    const [body, key] = [asked(holder.accountId, 1_000), randomUUID()];
    const first = await holder.company.post('/v1/treasury/withdraw', body, key);
    const again = await holder.company.post('/v1/treasury/withdraw', body, key);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await ended(holder.company, first.body.id);
    expect(await holder.account()).toMatchObject({ balance: '9000', held_balance: '0' });
  });

  test.each([
    ['SERVICE_FEE', '0'],
    ['TAX', '0'],
    ['COMPANY', '20'],
  ])('from %s is taxed with %s cents of 1000', async (type, taxAmount) => {
    const { company: owner } = taxed;
    const account = await companyAccount(owner, type);
    await fundByHand(owner, bare(account.id), 2_000);
    const answer = await owner.post('/v1/treasury/withdraw', asked(account.id, 1_000));
    expect(answer).toMatchObject({ status: 201, body: { taxAmount } });
  });

  test('takes no tax where no rate was seeded, or none has begun', async () => {
    const holder = await newHolder();
    await sql(
      service,
      `insert into fee_config (company_id, kind, currency, basis_points, effective_from)
       values ($1, 'TRANSFER_TAX', 'USD', 500, now() + interval '1 hour')`,
      [bare(holder.company.id)],
    );
    expect(await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1_000))).toMatchObject({
      status: 201,
      body: { taxAmount: '0' },
    });
  });

  test('takes the rate that is in force, not the one before', async () => {
    const holder = await newHolder({ isTaxed: true });
    await sql(
      service,
      `insert into fee_config (company_id, kind, currency, basis_points, effective_from)
       values ($1, 'TRANSFER_TAX', 'USD', 500, clock_timestamp())`,
      [bare(holder.company.id)],
    );
    expect(await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1_000))).toMatchObject({
      status: 201,
      body: { taxAmount: '50' },
    });
  });

  test('keeps the account number for the bank alone: encrypted at rest, masked in answers', async () => {
    const holder = await newHolder();
    const { body: made } = await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1_000));
    expect(await ended(holder.company, made.id)).toMatchObject({ ...BANK, account_number: '**********0123' });
    const [row] = await sql(service, 'select account_number from payout_destination where id = $1', [bare(made.id)]);
    expect(JSON.stringify(row)).not.toContain(BANK.account_number);
    const { body: paid } = await service.sandbox.control('GET', '/payouts');
    expect(paid).toContainEqual(
      expect.objectContaining({ reference: made.reference, creditorAccount: BANK.account_number, amount: '10.00' }),
    );
  });

  describe('is refused, and leaves nothing', () => {
    const leftovers = async (reference: string) =>
      sql(service, 'select 1 from payout_destination where external_reference = $1', [reference]);

    test.each([
      ['more than there is, with the tax', { amount: 9_805 }, 422, 'insufficient_funds'],
      ['an account nobody has', { accountId: nobody('acc') }, 404, 'not_found'],
      ['an id of another kind', { accountId: nobody('usr') }, 400, 'validation_failed'],
      ['no cents', { amount: 0 }, 400, 'validation_failed'],
      ['a fraction of a cent', { amount: 10.5 }, 400, 'validation_failed'],
      ['no reference', { externalReference: '' }, 400, 'validation_failed'],
      ['no account number', { account_number: undefined }, 400, 'validation_failed'],
      ['a longer account number than any bank has', { account_number: '1'.repeat(35) }, 400, 'validation_failed'],
    ])('%s', async (_what, fields, status, code) => {
      const body = asked(taxed.accountId, 100, fields);
      expect(await taxed.company.post('/v1/treasury/withdraw', body)).toMatchObject(refused(status, code));
      expect(await leftovers(String(body.externalReference))).toEqual([]);
      expect(await taxed.account()).toMatchObject({ balance: '10000', held_balance: '0' });
    });

    test('a reference that is taken, before what the account lacks', async () => {
      const holder = await newHolder();
      const body = asked(holder.accountId, 10_000);
      expect(await holder.company.post('/v1/treasury/withdraw', body)).toMatchObject({ status: 201 });
      expect(await holder.company.post('/v1/treasury/withdraw', body)).toMatchObject(
        refused(409, 'duplicate_reference'),
      );
    });

    test('no idempotency key', async () => {
      const answer = await taxed.company.request('POST', '/v1/treasury/withdraw', { body: asked(taxed.accountId, 1) });
      expect(answer).toMatchObject(refused(400, 'missing_header'));
    });

    test('a frozen account', async () => {
      const holder = await newHolder();
      await holder.company.request('PATCH', `/v1/ledger/accounts/${holder.accountId}`, {
        body: { is_frozen: true, reason: 'A court order' },
      });
      expect(await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1))).toMatchObject(
        refused(422, 'account_frozen'),
      );
    });

    test('a blacklisted user', async () => {
      const holder = await newHolder();
      await sql(service, `update app_user set identity_status = 'BLACKLISTED' where id = $1`, [bare(holder.user.id)]);
      expect(await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1))).toMatchObject(
        refused(403, 'user_blacklisted'),
      );
    });

    test.each(['SUSPENSE', 'TRANSIT', 'BANK'])('money of %s, which is nobody’s own', async (type) => {
      const account = await companyAccount(company, type);
      expect(await company.post('/v1/treasury/withdraw', asked(account.id, 1))).toMatchObject(
        refused(422, 'account_not_owned'),
      );
    });
  });

  test("the platform's revenue is the platform's to withdraw", async () => {
    const platform = (method: string, path: string, body?: unknown) =>
      service.request(method, path, {
        headers: {
          'x-api-key': service.platform.apiKey,
          'x-company-id': service.platform.companyId,
          'x-idempotency-key': randomUUID(),
        },
        ...(body === undefined ? {} : { body }),
      });
    const { body: accounts } = await platform('GET', '/v1/ledger/company/accounts');
    const account = accounts.find(
      ({ type, currency }: { type: string; currency: string }) => type === 'SYSTEM_FEE' && currency === 'USD',
    );
    expect(await platform('POST', '/v1/treasury/withdraw', asked(account.id, 1))).toMatchObject(
      refused(422, 'insufficient_funds'),
    );
    expect(await company.post('/v1/treasury/withdraw', asked(account.id, 1))).toMatchObject(refused(404, 'not_found'));
  });
});

describe('GET /v1/treasury/withdrawals', () => {
  test('lists those of the company, newest first, by status', async () => {
    const holder = await newHolder();
    const made: string[] = [];
    for (const _one of [1, 2, 3])
      made.push((await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 10))).body.id);
    await Promise.all(made.map((id) => ended(holder.company, id)));
    const { body } = await holder.company.get('/v1/treasury/withdrawals?limit=2');
    expect(body).toMatchObject({ total: 3, data: [{ id: made[2] }, { id: made[1] }] });
    const list = async (status: string) => (await holder.company.get(`/v1/treasury/withdrawals?status=${status}`)).body;
    expect(await list('COMPLETED')).toMatchObject({ total: 3 });
    expect(await list('FAILED')).toEqual({ data: [], total: 0 });
    expect((await holder.company.get('/v1/treasury/withdrawals?status=PENDING')).status).toBe(400);
    expect((await holder.company.get('/v1/treasury/withdrawals?limit=101')).status).toBe(400);
  });

  test('says what happened to one', async () => {
    const holder = await newHolder();
    const { body: made } = await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 10));
    const { timeline } = await ended(holder.company, made.id);
    expect(timeline.map(({ event }: { event: string }) => event)).toEqual(['REQUESTED', 'SUBMITTED', 'SETTLED']);
    expect(await company.get(`/v1/treasury/withdrawals/${made.id}`)).toMatchObject(refused(404, 'not_found'));
  });
});

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

  test('goes to the user whose reference it carries, as often as it comes', async () => {
    const customReference = `cust-${randomUUID()}`;
    const user = await newUser(company, { customReference });
    for (const _month of [1, 2])
      expect((await capture(company, customReference)).body.matchedTo).toEqual({ kind: 'USER', id: user.id });
  });

  test('waits in SUSPENSE until it is assigned, which is listed, done once, and found', async () => {
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

describe('POST /v1/payments/transaction/:id/reverse', () => {
  test('takes a deposit back that bounced, and says so in both transactions', async () => {
    const holder = await newHolder();
    const { body: deposit } = await holder.company.post('/v1/payments/deposit', {
      userId: holder.user.id,
      amount: 4_000,
      currency: 'USD',
    });
    const path = `/v1/payments/transaction/${deposit.id}/reverse`;
    expect(await holder.company.post(path, { reason: 'The cheque bounced' })).toMatchObject({
      status: 200,
      body: {
        type: 'REVERSAL',
        amount: '4000',
        status: 'COMPLETED',
        metadata: { reverses: deposit.id, reason: 'The cheque bounced' },
        reverses: { id: deposit.id, status: 'REVERSED' },
      },
    });
    expect(await holder.account()).toMatchObject({ balance: '10000' });
    expect(await holder.company.post(path, { reason: 'Again' })).toMatchObject(refused(409, 'wrong_state'));
  });

  test('finds the money gone: nothing changes', async () => {
    const holder = await newHolder({ balance: 1 });
    const { body: deposit } = await holder.company.post('/v1/payments/deposit', {
      userId: holder.user.id,
      amount: 4_000,
      currency: 'USD',
    });
    await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 2_000));
    const path = `/v1/payments/transaction/${deposit.id}/reverse`;
    expect(await holder.company.post(path, { reason: 'Late' })).toMatchObject(refused(422, 'insufficient_funds'));
    expect((await holder.company.get(`/v1/payments/transaction/${deposit.id}`)).body.status).toBe('COMPLETED');
  });

  test('is refused for what is no receipt, what is not there, and what has no reason', async () => {
    const holder = await newHolder();
    const { body: made } = await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1));
    const reverse = (id: string, body: unknown) => holder.company.post(`/v1/payments/transaction/${id}/reverse`, body);
    expect(await reverse(made.id, { reason: 'x' })).toMatchObject(refused(409, 'wrong_state'));
    expect(await reverse(nobody('txn'), { reason: 'x' })).toMatchObject(refused(404, 'not_found'));
    expect(await reverse(made.id, {})).toMatchObject(refused(400, 'validation_failed'));
  });
});

describe('fee configuration', () => {
  test('is seeded once, by whoever comes first', async () => {
    const owner = other;
    const answers = await Promise.all([1, 2, 3].map(() => owner.post('/v1/treasury/seed-configs')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const total = answers.reduce((sum, { body }) => sum + body.seeded, 0);
    expect(total).toBe(2);
    expect((await owner.post('/v1/treasury/seed-configs')).body).toEqual({
      message: expect.any(String),
      seeded: 0,
      skipped: 2,
    });
    expect((await owner.get('/v1/treasury/configs')).body).toMatchObject({
      system_fee_basis_points: 100,
      configs: [
        { kind: 'TRANSFER_TAX', currency: 'USD', basis_points: 200 },
        { kind: 'TRANSFER_TAX', currency: 'ZIG', basis_points: 150 },
      ],
    });
  });
});

describe('security', () => {
  const someTransaction = 'txn_01900000-0000-7000-8000-000000000001';
  const OPERATIONS: readonly [method: 'GET' | 'POST', path: string, needs: 'money' | 'read'][] = [
    ['POST', '/v1/treasury/withdraw', 'money'],
    ['POST', '/v1/treasury/bank/capture', 'money'],
    ['POST', `/v1/treasury/captures/${someTransaction}/assign`, 'money'],
    ['POST', `/v1/payments/transaction/${someTransaction}/reverse`, 'money'],
    ['POST', '/v1/treasury/seed-configs', 'money'],
    ['GET', '/v1/treasury/withdrawals', 'read'],
    ['GET', '/v1/treasury/captures', 'read'],
    ['GET', '/v1/treasury/configs', 'read'],
  ];

  test.each(OPERATIONS)('%s %s needs a credential, for the company it names', async (method, path) => {
    expect(await service.request(method, path)).toMatchObject(refused(401, 'unauthenticated'));
    const headers = { 'x-api-key': company.apiKey, 'x-company-id': other.id };
    expect(await service.request(method, path, { headers })).toMatchObject(refused(403, 'company_mismatch'));
  });

  test('a manager reads, and moves no money', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    for (const [method, path, needs] of OPERATIONS) {
      const answer = await manager.request(method, path);
      if (needs === 'read') expect(answer.status).toBe(200);
      else expect(answer).toMatchObject(refused(403, 'forbidden'));
    }
  });

  test('an administrator and their key may', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    const { key } = await newKey(admin);
    const headers = { 'x-api-key': key, 'x-company-id': company.id, 'x-idempotency-key': randomUUID() };
    const body = { amount: 1, currency: 'USD', reference: 'by key' };
    expect(await service.request('POST', '/v1/treasury/bank/capture', { headers, body })).toMatchObject({
      status: 201,
    });
  });

  test("another company's receipts, deposits and accounts are not there", async () => {
    const stranger = await newUser(other);
    const { body: captured } = await taxed.company.post('/v1/treasury/bank/capture', {
      amount: 5,
      currency: 'USD',
      reference: 'ours',
    });
    const by = other;
    expect(await by.post('/v1/treasury/withdraw', asked(taxed.accountId, 1))).toMatchObject(refused(404, 'not_found'));
    expect(await by.post(`/v1/treasury/captures/${captured.id}/assign`, { userId: stranger.id })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(await by.post(`/v1/payments/transaction/${captured.id}/reverse`, { reason: 'x' })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect((await by.get('/v1/treasury/captures')).body).toEqual({ data: [], total: 0 });
  });
});

test('the books balance after all of it', async () => {
  const answer = await service.request('GET', '/v1/ledger/verify-ledger-integrity', {
    headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': service.platform.companyId },
  });
  expect(answer.body).toMatchObject({ ok: true, mismatches: [] });
});

/** Money on an account that no operation credits directly. */
async function fundByHand(of: TestCompany, accountId: string, amountCents: number): Promise<void> {
  const bank = await companyAccount(of, 'BANK');
  const id = randomUUID();
  const posting = {
    id,
    company_id: bare(of.id),
    key: `deposit/${id}`,
    type: 'ADJUSTMENT',
    status: 'COMPLETED',
    amount: String(amountCents),
    currency: 'USD',
    reference: null,
    escrow_id: null,
    metadata: {},
    legs: [
      { account_id: bare(bank.id), amount: String(-amountCents) },
      { account_id: accountId, amount: String(amountCents) },
    ],
    holds: [],
  };
  const [outcome] = await sql(service, 'select kind from ledger_post($1::jsonb)', [JSON.stringify([posting])]);
  expect(outcome).toEqual({ kind: 'posted' });
  // The request that an audit looks for.
  await sql(
    service,
    `insert into audit_log (company_id, actor_kind, actor_id, actor_role, operation, resource, status, request_id)
     values ($1, 'api_key', gen_random_uuid(), 'OWNER', 'POST /v1/payments/deposit', $2, 201, 'by hand')`,
    [bare(of.id), `txn_${id}`],
  );
}
