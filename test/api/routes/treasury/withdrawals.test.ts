import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, nobody, refused, sql } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { newCompany, type TestCompany, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import {
  asked,
  BANK,
  companyAccount,
  ended,
  fundByHand,
  newHolder,
  newUndecidedPayout,
} from '../../../support/treasury.ts';

let service: TestService;
let company: TestCompany;
/** A user with 10,000 cents of a company that taxes withdrawals. Refused requests do not change them. */
let taxed: Awaited<ReturnType<typeof newHolder>>;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  taxed = await newHolder(service, { isTaxed: true });
});
afterAll(() => service.stop());

describe('POST /v1/treasury/withdraw', () => {
  test.concurrent('holds amount and tax at once, and takes them when the bank has paid', async () => {
    const holder = await newHolder(service, { isTaxed: true });
    const body = asked(holder.accountId, 9_804);
    await service.sandbox.control('POST', '/payouts', { outcome: 'manual', reference: body.externalReference });
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
    expect(await ended(holder.company, answer.body.id)).toMatchObject({ status: 'COMPLETED', failure_reason: null });
    expect(await holder.account()).toMatchObject({ balance: '0', held_balance: '0' });
    expect(await companyAccount(holder.company, 'TAX')).toMatchObject({ balance: '196' });
    expect(await companyAccount(holder.company, 'BANK')).toMatchObject({ balance: '9804' });
    expect((await holder.company.get(path)).body).toMatchObject({
      amount: '9804',
      status: 'COMPLETED',
      reference: body.externalReference,
    });
  });

  test.concurrent('returns all of it if the bank refuses', async () => {
    const holder = await newHolder(service, { isTaxed: true });
    const body = asked(holder.accountId, 5_000);
    await service.sandbox.control('POST', '/payouts', { outcome: 'rejected', reference: body.externalReference });
    const { body: made } = await holder.company.post('/v1/treasury/withdraw', body);
    expect(await ended(holder.company, made.id)).toMatchObject({
      status: 'FAILED',
      failure_reason: 'AC04',
      failure_description: 'The account is closed.',
    });
    expect(await holder.account()).toMatchObject({ balance: '10000', held_balance: '0' });
    expect((await holder.company.get(`/v1/payments/transaction/${made.id}`)).body).toMatchObject({ status: 'FAILED' });
  });

  test.concurrent('has in the sandbox the outcome that the prefix of its reference selects', async () => {
    const holder = await newHolder(service);
    const begin = async (start: string) => {
      const externalReference = `${start}-${randomUUID()}`;
      const { body } = await holder.company.post(
        '/v1/treasury/withdraw',
        asked(holder.accountId, 1_000, { externalReference }),
      );
      return { id: body.id, externalReference };
    };
    const [rejected, waiting, returned] = [
      await begin('sandbox-rejected'),
      await begin('sandbox-manual'),
      await begin('sandbox-returned'),
    ];
    expect(await ended(holder.company, rejected.id)).toMatchObject({ status: 'FAILED', failure_reason: 'AC04' });
    expect(await ended(holder.company, returned.id)).toMatchObject({ status: 'COMPLETED' });
    const stateOf = async ({ externalReference }: { externalReference: string }) =>
      (await service.sandbox.control('GET', '/payouts')).body.find(
        ({ reference }: { reference: string }) => reference === externalReference,
      ).state;
    await eventually(async () => (await stateOf(returned)) === 'returned');
    await holder.company.post('/v1/sandbox/clock', { advanceHours: 2 });
    const read = async ({ id }: { id: string }) => (await holder.company.get(`/v1/treasury/withdrawals/${id}`)).body;
    const reversed = await eventually(async () => {
      const found = await read(returned);
      return found.status === 'REVERSED' && found;
    });
    expect(reversed).toMatchObject({ failure_reason: 'AC06' });
    expect(await read(waiting)).toMatchObject({ status: 'PROCESSING' });
  });

  test.concurrent('with the same key again gets the first answer, and pays once', async () => {
    const holder = await newHolder(service);
    const [body, key] = [asked(holder.accountId, 1_000), randomUUID()];
    const first = await untilAnswered(() => holder.company.post('/v1/treasury/withdraw', body, key));
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
    await fundByHand(service, owner, bare(account.id), 2_000);
    const answer = await owner.post('/v1/treasury/withdraw', asked(account.id, 1_000));
    expect(answer).toMatchObject({ status: 201, body: { taxAmount } });
  });

  test.concurrent('takes no tax if no rate was seeded, or none is in force yet', async () => {
    const holder = await newHolder(service);
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

  test.concurrent('takes the rate that is in force, not the one before', async () => {
    const holder = await newHolder(service, { isTaxed: true });
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

  test.concurrent('shows the account number to the bank only: encrypted at rest, masked in responses', async () => {
    const holder = await newHolder(service);
    const { body: made } = await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1_000));
    expect(await ended(holder.company, made.id)).toMatchObject({ ...BANK, account_number: '**********0123' });
    const [row] = await sql(service, 'select account_number from payout_destination where id = $1', [bare(made.id)]);
    expect(JSON.stringify(row)).not.toContain(BANK.account_number);
    const { body: paid } = await service.sandbox.control('GET', '/payouts');
    expect(paid).toContainEqual(
      expect.objectContaining({ reference: made.reference, creditorAccount: BANK.account_number, amount: '10.00' }),
    );
  });

  describe('without bank fields', () => {
    const withoutBank = (accountId: string) => ({
      accountId,
      amount: 1_000,
      externalReference: `payout-${randomUUID()}`,
    });
    const DEFAULTS = {
      bank_name: 'Stanbic',
      branch_code: '3120',
      account_number: '998877665544',
      account_name: 'R. Ncube',
    };
    const setDefaults = (holder: Awaited<ReturnType<typeof newHolder>>, ledgerId: string, body: object = DEFAULTS) =>
      holder.company.request('PATCH', `/v1/ledger/${ledgerId}/bank-details`, { body });

    test.concurrent("goes to the default bank details of the account's ledger", async () => {
      const holder = await newHolder(service);
      const { ledgerId } = await holder.account();
      await setDefaults(holder, ledgerId);
      const { status, body: made } = await holder.company.post('/v1/treasury/withdraw', withoutBank(holder.accountId));
      expect(status).toBe(201);
      expect(await ended(holder.company, made.id)).toMatchObject({ ...DEFAULTS, account_number: '********5544' });
      const { body: paid } = await service.sandbox.control('GET', '/payouts');
      expect(paid).toContainEqual(
        expect.objectContaining({ reference: made.reference, creditorAccount: DEFAULTS.account_number }),
      );
    });

    test.concurrent("goes to the user's bank account if the ledger has no details", async () => {
      await company.post('/v1/identity/financial-institutions/seed');
      const [bank] = (await service.request('GET', '/v1/identity/financial-institutions')).body;
      const bankAccount = { institutionId: bank.id, accountNumber: '4455667788', accountName: 'T. Moyo' };
      const holder = await newHolder(service, { user: { bankAccount } });
      const { body: made } = await holder.company.post('/v1/treasury/withdraw', withoutBank(holder.accountId));
      expect(await ended(holder.company, made.id)).toMatchObject({
        bank_name: bank.name,
        branch_code: bank.code,
        account_number: '******7788',
        account_name: 'T. Moyo',
      });
    });

    test.concurrent('is 400 for all four fields if both are missing, and stores nothing', async () => {
      const holder = await newHolder(service);
      const refusal = await holder.company.post('/v1/treasury/withdraw', withoutBank(holder.accountId));
      expect(refusal).toMatchObject(refused(400, 'validation_failed'));
      const paths = refusal.body.errors.map(({ path }: { path: string }) => path);
      expect(paths.toSorted()).toEqual(Object.keys(DEFAULTS).toSorted());
      expect(await holder.account()).toMatchObject({ held_balance: '0' });
    });

    test.concurrent('is read back masked', async () => {
      const holder = await newHolder(service);
      const { ledgerId } = await holder.account();
      const path = `/v1/ledger/${ledgerId}/bank-details`;
      expect(await holder.company.get(path)).toMatchObject({ status: 200, body: { ledgerId, account_number: null } });
      expect(await setDefaults(holder, ledgerId, { ...DEFAULTS, account_number: '1'.repeat(35) })).toMatchObject(
        refused(400, 'validation_failed'),
      );
      expect(await setDefaults(holder, ledgerId)).toMatchObject({ status: 200, body: { ledgerId, ...DEFAULTS } });
      expect(await holder.company.get(path)).toMatchObject({
        status: 200,
        body: { ledgerId, ...DEFAULTS, account_number: '********5544', updated_at: expect.any(String) },
      });
      expect(await company.get(path)).toMatchObject(refused(404, 'not_found'));
    });
  });

  describe('is refused, and stores nothing', () => {
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

    test('an amount above the balance, with the amounts', async () => {
      expect(await taxed.company.post('/v1/treasury/withdraw', asked(taxed.accountId, 9_805))).toMatchObject(
        refused(422, 'insufficient_funds', { available: '10000', requested: '10001' }),
      );
    });

    test('a reference in use, before an insufficient balance', async () => {
      const holder = await newHolder(service);
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
      const holder = await newHolder(service);
      await holder.company.request('PATCH', `/v1/ledger/accounts/${holder.accountId}`, {
        body: { is_frozen: true, reason: 'A court order' },
      });
      expect(await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1))).toMatchObject(
        refused(422, 'account_frozen'),
      );
    });

    test('a blacklisted user', async () => {
      const holder = await newHolder(service);
      await sql(service, `update app_user set identity_status = 'BLACKLISTED' where id = $1`, [bare(holder.user.id)]);
      expect(await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1))).toMatchObject(
        refused(403, 'user_blacklisted'),
      );
    });

    test.each(['SUSPENSE', 'TRANSIT', 'BANK'])('money of %s, which belongs to no owner', async (type) => {
      const account = await companyAccount(company, type);
      expect(await company.post('/v1/treasury/withdraw', asked(account.id, 1))).toMatchObject(
        refused(422, 'account_not_owned'),
      );
    });
  });

  test("only the platform can withdraw the platform's revenue", async () => {
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
    const withdraw = () =>
      platform('POST', '/v1/treasury/withdraw', asked(account.id, Number(account.available_balance) + 1));
    expect(await untilAnswered(withdraw)).toMatchObject(refused(422, 'insufficient_funds'));
    expect(await company.post('/v1/treasury/withdraw', asked(account.id, 1))).toMatchObject(refused(404, 'not_found'));
  });
});

describe('GET /v1/treasury/withdrawals', () => {
  test.concurrent('finds a withdrawal by its reference', async () => {
    const holder = await newHolder(service);
    const withdraw = (externalReference: string) =>
      holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 10, { externalReference }));
    const { body } = await withdraw('payout-1');
    await withdraw('payout-2');
    const found = async (reference: string) =>
      (await holder.company.get(`/v1/treasury/withdrawals?externalReference=${reference}`)).body;
    expect(await found('payout-1')).toMatchObject({ total: 1, data: [{ id: body.id }] });
    expect(await found('payout')).toEqual({ data: [], total: 0, limit: 20, offset: 0 });
  });

  test.concurrent('lists those of the company, newest first, by status', async () => {
    const holder = await newHolder(service);
    const made: string[] = [];
    for (const _one of [1, 2, 3])
      made.push((await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 10))).body.id);
    await Promise.all(made.map((id) => ended(holder.company, id)));
    const { body } = await holder.company.get('/v1/treasury/withdrawals?limit=2');
    expect(body).toMatchObject({ total: 3, data: [{ id: made[2] }, { id: made[1] }] });
    const list = async (status: string) => (await holder.company.get(`/v1/treasury/withdrawals?status=${status}`)).body;
    expect(await list('COMPLETED')).toMatchObject({ total: 3 });
    expect(await list('FAILED')).toEqual({ data: [], total: 0, limit: 20, offset: 0 });
    expect((await holder.company.get('/v1/treasury/withdrawals?status=PENDING')).status).toBe(400);
    expect((await holder.company.get('/v1/treasury/withdrawals?limit=101')).status).toBe(400);
  });

  test.concurrent('shows the events of one withdrawal', async () => {
    const holder = await newHolder(service);
    const made = await newUndecidedPayout(holder.company, holder.accountId, 10);
    await service.sandbox.control('POST', '/payouts', { outcome: 'settled', reference: made.externalReference });
    const { timeline } = await ended(holder.company, made.id);
    expect(timeline.map(({ event }: { event: string }) => event)).toEqual(['REQUESTED', 'SUBMITTED', 'SETTLED']);
    expect(await company.get(`/v1/treasury/withdrawals/${made.id}`)).toMatchObject(refused(404, 'not_found'));
  });
});

test('the books balance at the end', async () => {
  const answer = await company.get('/v1/ledger/verify-ledger-integrity');
  expect(answer.body).toMatchObject({ ok: true, mismatches: [] });
});

test('names and references are sent in the characters of the bank, and the answer says so', async () => {
  const holder = await newHolder(service);
  const bank = {
    bank_name: 'Crédit & Co',
    branch_code: '6101',
    account_number: '0123456789',
    account_name: 'Zoë Strauß',
  };
  const names = { bank_name: 'Credit + Co', account_name: 'Zoe Strauss' };
  const quote = await holder.company.post('/v1/treasury/quote', { accountId: holder.accountId, amount: 100, ...bank });
  expect(quote.body.sent_to_bank).toEqual(names);
  const externalReference = `Réf_${randomUUID().slice(0, 8)}`;
  const sent = { ...names, reference: externalReference.replace('é', 'e').replace('_', '-') };
  const asking = { ...asked(holder.accountId, 100, bank), externalReference };
  const { body: made } = await holder.company.post('/v1/treasury/withdraw', asking);
  expect(made).toMatchObject({ reference: externalReference, sent_to_bank: sent });
  const read = await holder.company.get(`/v1/treasury/withdrawals/${made.id}`);
  expect(read.body).toMatchObject({ account_name: bank.account_name, sent_to_bank: sent });
});

test.each([
  ['account_name', 'Ana 😀'],
  ['account_name', 'Ana\u202eoyoM'],
  ['bank_name', '田中銀行'],
  ['account_number', '01234ж'],
  ['externalReference', 'paid ✅'],
])('%s with %j cannot be sent, so the withdrawal is refused', async (field, value) => {
  const { status, body } = await taxed.company.post('/v1/treasury/withdraw', {
    ...asked(taxed.accountId, 100),
    [field]: value,
  });
  expect({ status, code: body.code, paths: body.errors.map(({ path }: { path: string }) => path) }).toEqual({
    status: 400,
    code: 'validation_failed',
    paths: [field],
  });
});
