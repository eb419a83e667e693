import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { type RoleProcess, startWorkerProcess } from '../support/role-process.ts';
import { loseRun } from '../support/runs.ts';
import { newCompany, newUser, type TestCompany } from '../support/service.ts';

/** Withdrawals end within 8 s after the bank is reachable again. A busy machine may measure more. */
const RECOVERY_MS = 20_000;

/**
 * After any exchange with the bank, a withdrawal's money is held, paid out or returned: exactly one of these.
 */
describe('a withdrawal ends once', () => {
  let service: OwnService;
  let company: TestCompany;
  let worker: RoleProcess;
  let platform: Record<string, string>;
  let platformAdminId: string;
  let ownerId: string;

  beforeAll(async () => {
    service = await ownService({ withWorker: false });
    company = await newCompany(service);
    await company.post('/v1/treasury/seed-configs');
    worker = await startWorkerProcess(service);
    platform = { 'x-api-key': service.platform.apiKey };
    const adminOf = async (companyId: string) => {
      const answer = await service.request('GET', '/v1/core/companies/admins', {
        headers: { ...platform, 'x-company-id': companyId },
      });
      return answer.body[0].id;
    };
    platformAdminId = await adminOf(service.platform.companyId);
    ownerId = await adminOf(company.id);
  });
  beforeEach(() => say({ outcome: 'settled' }));
  afterAll(async () => {
    await worker.kill();
    await service.stop();
  });

  const say = async (body: unknown, path = '/payouts') => {
    expect(await service.sandbox.control('POST', path, body)).toMatchObject({ status: 200 });
  };

  const bankFields = (accountId: string, amount: number, externalReference = `payout-${randomUUID()}`) => ({
    accountId,
    amount,
    externalReference,
    bank_name: 'CBZ',
    branch_code: '6101',
    account_number: '0123456789',
    account_name: 'T. Moyo',
  });

  /** One of 5,000 cents and 100 tax, from a balance of 10,000. */
  async function begin() {
    const user = await newUser(company);
    await company.post('/v1/payments/deposit', { userId: user.id, amount: 10_000, currency: 'USD' });
    const reference = `payout-${randomUUID()}`;
    const { status, body } = await company.post(
      '/v1/treasury/withdraw',
      bankFields(user.usdAccountId, 5_000, reference),
    );
    expect(status).toBe(201);
    const id: string = body.id;
    const run = service.temporal.workflow.getHandle(`withdrawal/${id}`);
    const becomes = (wanted: string) =>
      eventually(async () => {
        const found = (await company.get(`/v1/treasury/withdrawals/${id}`)).body;
        return found.status === wanted && found;
      });
    return {
      id,
      reference,
      userId: user.id,
      run,
      read: async () => (await company.get(`/v1/treasury/withdrawals/${id}`)).body,
      account: async () => (await company.get(`/v1/ledger/accounts/${user.usdAccountId}`)).body,
      /** The payment as the bank has it. */
      payment: async () => {
        const { body: payments } = await service.sandbox.control('GET', '/payouts');
        return payments.find((payment: { reference: string }) => payment.reference === reference);
      },
      becomes,
      /** The bank decides, and is asked. Returns the withdrawal once it has the status `wanted`. */
      decided: async (outcome: 'settled' | 'rejected', wanted: string) => {
        await say({ outcome, reference });
        await run.signal('check-payout', {});
        return becomes(wanted);
      },
    };
  }
  type Withdrawal = Awaited<ReturnType<typeof begin>>;

  const HELD = { balance: '10000', held_balance: '5100' };
  const GONE = { balance: '4900', held_balance: '0' };
  const BACK = { balance: '10000', held_balance: '0' };

  async function expectStory(withdrawal: Withdrawal, ...events: readonly string[]): Promise<void> {
    const { timeline } = await withdrawal.read();
    expect(timeline.map(({ event }: { event: string }) => event)).toEqual(events);
  }

  async function expectBooksToBalance(): Promise<void> {
    const { body } = await company.get('/v1/ledger/verify-ledger-integrity');
    expect(body).toMatchObject({ ok: true, mismatches: [] });
  }

  test('while the bank is unreachable: held, and paid within seconds of its return', async () => {
    await service.sandbox.outage('payout', 3_600);
    const withdrawal = await begin();
    await eventually(async () => (await describeRun(withdrawal)).includes('the bank said: nothing'));
    expect(await withdrawal.account()).toMatchObject(HELD);

    await service.sandbox.outage('payout', 0);
    const isBack = performance.now();
    await withdrawal.becomes('COMPLETED');
    expect(performance.now() - isBack).toBeLessThan(RECOVERY_MS);
    expect(await withdrawal.account()).toMatchObject(GONE);
    await expectStory(withdrawal, 'REQUESTED', 'SUBMITTED', 'SETTLED');
    expect(await withdrawal.payment()).toMatchObject({ files: 1 });
  });

  test('when the bank answers after our time-out: nothing is voided, and it is paid once', async () => {
    await service.sandbox.outage('payout', 3_600, 4_000);
    const withdrawal = await begin();
    await eventually(async () => (await describeRun(withdrawal)).includes('the bank said: nothing'));
    expect(await withdrawal.read()).toMatchObject({ status: 'PROCESSING' });
    expect(await withdrawal.account()).toMatchObject(HELD);

    await service.sandbox.outage('payout', 0);
    await withdrawal.becomes('COMPLETED');
    expect(await withdrawal.account()).toMatchObject(GONE);
  });

  test('when the answer of the bank was lost: the status is checked before the payment is sent again', async () => {
    await say({ count: 1 }, '/payouts/lost-answers');
    const withdrawal = await begin();
    await withdrawal.becomes('COMPLETED');
    expect(await withdrawal.account()).toMatchObject(GONE);
    await expectStory(withdrawal, 'REQUESTED', ...(await storyAfter(withdrawal)));
    expect(await withdrawal.payment()).toMatchObject({ files: 1, state: 'settled' });
  });

  /** Between the lost answer and the next question the bank may or may not have paid. */
  async function storyAfter(withdrawal: Withdrawal): Promise<string[]> {
    const { timeline } = await withdrawal.read();
    return timeline.length === 2 ? ['SETTLED'] : ['SUBMITTED', 'SETTLED'];
  }

  test('when many status checks run at once: settled once, and every check is answered', async () => {
    await say({ outcome: 'manual' });
    const withdrawal = await begin();
    await eventually(async () => (await withdrawal.read()).timeline.length === 2);
    await say({ outcome: 'settled', reference: withdrawal.reference });
    const checks = await Promise.allSettled(
      [1, 2, 3].map(() => withdrawal.run.executeUpdate('check-payout', { args: [{ commandId: randomUUID() }] })),
    );
    for (const _signal of [1, 2, 3]) await withdrawal.run.signal('check-payout', {});
    await withdrawal.becomes('COMPLETED');
    expect(checks.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    expect(await withdrawal.account()).toMatchObject(GONE);
    await expectStory(withdrawal, 'REQUESTED', 'SUBMITTED', 'SETTLED');
  });

  test('when the bank refuses: all of it is returned', async () => {
    await say({ outcome: 'rejected' });
    const withdrawal = await begin();
    expect(await withdrawal.becomes('FAILED')).toMatchObject({ failure_reason: 'AC04' });
    expect(await withdrawal.account()).toMatchObject(BACK);
    expect((await withdrawal.run.describe()).status.name).toBe('RUNNING'); // the bank may change its answer
  });

  test('when the bank pays after it refused: the account is debited again, and an alarm is raised', async () => {
    await say({ outcome: 'rejected' });
    const withdrawal = await begin();
    await withdrawal.becomes('FAILED');
    expect(await withdrawal.decided('settled', 'COMPLETED')).toMatchObject({ failure_reason: null });
    expect(await withdrawal.account()).toMatchObject(GONE);
    await expectStory(withdrawal, 'REQUESTED', 'SUBMITTED', 'REJECTED', 'SETTLED_LATE');
    await expectReadersToSee(withdrawal, 'COMPLETED');
    const { ledgerId } = await withdrawal.account();
    const { data } = (await company.get(`/v1/ledger/${ledgerId}/transactions?type=WITHDRAWAL`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([withdrawal.id]);
    expect(await describeRun(withdrawal)).toContain('the bank paid after the money was given back');
  });

  test('when the bank pays after it refused and the customer has spent the money: a receivable', async () => {
    await say({ outcome: 'rejected' });
    const before = await receivable();
    const withdrawal = await begin();
    await withdrawal.becomes('FAILED');
    await spendAll(withdrawal);
    await withdrawal.decided('settled', 'COMPLETED');
    expect(await withdrawal.account()).toMatchObject({ balance: '10000', held_balance: '10000' });
    expect((await receivable()) - before).toBe(-5_100n);
    const open = async () =>
      (await company.get('/v1/treasury/receivables?status=OPEN')).body.data.filter(
        ({ accountId }: { accountId: string }) => accountId === owing,
      );
    const { accountId: owing } = await withdrawal.read();
    expect(await open()).toMatchObject([{ reason: 'PAYOUT', remaining_amount: '5100' }]);
    expect(await company.post('/v1/treasury/withdraw', bankFields(owing, 1))).toMatchObject({
      status: 422,
      body: { code: 'receivable_open' },
    });

    // The customer repays a part of the debt, and then the bank returns the payment: all of it is the customer's again.
    await company.post('/v1/payments/deposit', { userId: withdrawal.userId, amount: 1_000, currency: 'USD' });
    const [debt] = await open();
    const settlement = { source: 'BALANCE', reason: 'Agreed' };
    expect(await company.post(`/v1/treasury/receivables/${debt.id}/settle`, settlement)).toMatchObject({
      body: { remaining_amount: '4100', collected_amount: '1000' },
    });
    await withdrawal.decided('rejected', 'REVERSED');
    expect(await open()).toEqual([]);
    expect(await receivable()).toBe(before);
    expect(await withdrawal.account()).toMatchObject({ balance: '11000', held_balance: '10000' });
    expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
  });

  test('when the bank pays after it refused and the account is short: the balance first, and readers see one payout', async () => {
    await say({ outcome: 'rejected' });
    const withdrawal = await begin();
    await withdrawal.becomes('FAILED');
    await spend(withdrawal, 4_902); // with 98 of tax: 5,000 are left of the 5,100 that are needed
    const tell = async (outcome: 'settled' | 'rejected', status: string) => {
      await withdrawal.decided(outcome, status);
      await expectReadersToSee(withdrawal, status);
    };
    const linesOf = async (path: string) =>
      (await company.get(`${path}/statement`)).body.entries
        .filter(({ withdrawalId }: { withdrawalId: string }) => withdrawalId === withdrawal.id)
        .map(({ direction, amount }: { direction: string; amount: string }) => `${direction} ${amount}`);
    const { accountId } = await withdrawal.read();
    const debts = async () =>
      (await company.get('/v1/treasury/receivables?status=OPEN')).body.data
        .filter((debt: { accountId: string }) => debt.accountId === accountId)
        .map((debt: { reason: string; remaining_amount: string }) => `${debt.reason} ${debt.remaining_amount}`);

    await tell('settled', 'COMPLETED');
    expect(await withdrawal.account()).toMatchObject({ balance: '5000', held_balance: '5000' });
    expect(await linesOf(`/v1/ledger/accounts/${accountId}`)).toEqual(['DEBIT 5000']);
    expect(await debts()).toEqual(['PAYOUT 100']);

    await tell('rejected', 'REVERSED');
    expect(await withdrawal.account()).toMatchObject({ balance: '10000', held_balance: '5000' });
    expect(await debts()).toEqual([]);

    await tell('settled', 'COMPLETED');
    expect(await linesOf(`/v1/ledger/accounts/${accountId}`)).toEqual(['DEBIT 5000', 'CREDIT 5000', 'DEBIT 5000']);
    expect(await debts()).toEqual(['PAYOUT 100']);
    await expectBooksToBalance();
  });

  /** The transaction with the withdrawal's id has this status, wherever it is read, and is one payout to all readers. */
  async function expectReadersToSee({ id, account }: Withdrawal, status: string): Promise<void> {
    expect((await company.get(`/v1/payments/transaction/${id}`)).body).toMatchObject({ type: 'WITHDRAWAL', status });
    const { ledgerId } = await account();
    const withStatus = async (wanted: string) =>
      (await company.get(`/v1/ledger/${ledgerId}/transactions?type=WITHDRAWAL&status=${wanted}`)).body.data.filter(
        (transaction: { id: string }) => transaction.id === id,
      );
    expect(await withStatus(status)).toMatchObject([{ status, amount: '5000' }]);
    for (const other of ['COMPLETED', 'FAILED', 'REVERSED'].filter((one) => one !== status))
      expect(await withStatus(other)).toEqual([]);
  }

  /** Another withdrawal, which the bank never decides, holds the whole available balance of the account. */
  const spendAll = (withdrawal: Withdrawal) => spend(withdrawal, 9_804); // with 196 of tax

  async function spend(withdrawal: Withdrawal, amount: number): Promise<void> {
    const { accountId } = await withdrawal.read();
    const undecided = bankFields(accountId, amount, `sandbox-manual-${randomUUID()}`);
    expect(await company.post('/v1/treasury/withdraw', undecided)).toMatchObject({ status: 201 });
  }

  const companyAccount = async (type: string) =>
    (await company.get('/v1/ledger/company/accounts')).body.find(
      (account: { type: string; currency: string }) => account.type === type && account.currency === 'USD',
    );
  /** Other tests of the file leave receivables too. */
  const receivable = async () => BigInt((await companyAccount('RECEIVABLE'))?.balance ?? 0);

  test('when the bank sends it back and the TAX account is frozen: all of it, and the tax is a receivable', async () => {
    const before = await receivable();
    const withdrawal = await begin();
    await withdrawal.becomes('COMPLETED');
    const tax = await companyAccount('TAX');
    const freeze = (isFrozen: boolean) =>
      company.request('PATCH', `/v1/ledger/accounts/${tax.id}`, { body: { is_frozen: isFrozen, reason: 'An audit' } });
    await freeze(true);
    await withdrawal.decided('rejected', 'REVERSED');
    await freeze(false);
    expect(await withdrawal.account()).toMatchObject(BACK);
    expect((await receivable()) - before).toBe(-100n);
    expect((await companyAccount('TAX')).balance).toBe(tax.balance);

    // The bank pays after all: the tax is withheld once, and its receivable is settled.
    await withdrawal.decided('settled', 'COMPLETED');
    expect(await receivable()).toBe(before);
    expect((await companyAccount('TAX')).balance).toBe(tax.balance);
    expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
  });

  test('when an operator books the bank outcome by hand and reverts it', async () => {
    await say({ outcome: 'manual' });
    const withdrawal = await begin();
    await eventually(async () => (await withdrawal.read()).timeline.length === 2);
    const book = (body: object, by = platform) =>
      service.request('POST', `/v1/treasury/withdrawals/${withdrawal.id}/outcome`, {
        headers: { ...by, 'x-company-id': company.id, 'x-idempotency-key': randomUUID() },
        body: { adminId: platformAdminId, ...body },
      });
    expect(await book({ outcome: 'PAID' }, { 'x-api-key': company.apiKey })).toMatchObject({ status: 403 });
    expect(await book({ outcome: 'PAID', adminId: ownerId })).toMatchObject({ status: 403 });
    expect(await book({ outcome: 'LOST' })).toMatchObject({ status: 400 });
    expect(await book({ outcome: 'PAID' })).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
    expect(await withdrawal.account()).toMatchObject(GONE);
    expect(await book({ outcome: 'NOT_PAID', reason: 'AC06' })).toMatchObject({
      status: 200,
      body: { status: 'REVERSED', failure_reason: 'AC06' },
    });
    expect(await withdrawal.account()).toMatchObject(BACK);
    const { timeline } = await withdrawal.read();
    expect(timeline.slice(2)).toMatchObject([
      { event: 'SETTLED', actor: 'ADMIN' },
      { event: 'RETURNED', actor: 'ADMIN' },
    ]);
  });

  test('when row and event have different amounts: nothing is sent to the bank, and a person must decide', async () => {
    await service.sandbox.outage('payout', 3_600);
    const withdrawal = await begin();
    const rowId = withdrawal.id.replace(/^txn_/, '');
    await sql(service, 'alter table withdrawal disable trigger withdrawal_terms'); // as a superuser would
    await sql(service, 'update withdrawal set amount_cents = 90071992547409 where id = $1', [rowId]);
    await service.sandbox.outage('payout', 0);
    await eventually(async () => (await withdrawal.read()).timeline.length === 2);
    await expectStory(withdrawal, 'REQUESTED', 'REVIEW_NEEDED');
    expect(await withdrawal.payment()).toBeUndefined();
    await sql(service, 'update withdrawal set amount_cents = 5000 where id = $1', [rowId]);
    await withdrawal.run.signal('check-payout', {});
    await withdrawal.becomes('COMPLETED');
    expect(await withdrawal.payment()).toMatchObject({ amount: '50.00', files: 1 });
  });

  test('when the bank returns it: the tax is returned too', async () => {
    const withdrawal = await begin();
    await withdrawal.becomes('COMPLETED');
    expect(await withdrawal.decided('rejected', 'REVERSED')).toMatchObject({ failure_reason: 'AC06' });
    expect(await withdrawal.account()).toMatchObject(BACK);
    await expectStory(withdrawal, 'REQUESTED', 'SUBMITTED', 'SETTLED', 'RETURNED');
    const transaction = (await company.get(`/v1/payments/transaction/${withdrawal.id}`)).body;
    expect(transaction).toMatchObject({ status: 'REVERSED' });
  });

  test('when the worker is killed before and during a request to the bank', async () => {
    await say({ outcome: 'manual' });
    await service.sandbox.outage('payout', 3_600, 1_500);
    const withdrawals = await Promise.all([begin(), begin(), begin()]);
    await worker.kill();
    await service.sandbox.outage('payout', 0);
    await say({ outcome: 'settled' });
    const [, rejected] = withdrawals;
    if (rejected === undefined) throw new Error('three were begun');
    await say({ outcome: 'rejected', reference: rejected.reference });
    worker = await startWorkerProcess(service);
    for (const withdrawal of withdrawals) {
      const isRejected = withdrawal === rejected;
      await withdrawal.becomes(isRejected ? 'FAILED' : 'COMPLETED');
      expect(await withdrawal.account()).toMatchObject(isRejected ? BACK : GONE);
    }
  });

  test('when its run is lost: a new run continues from the rows', async () => {
    await say({ outcome: 'manual' });
    const withdrawal = await begin();
    await eventually(async () => (await withdrawal.read()).timeline.length === 2);
    await loseRun(service, withdrawal.run.workflowId);
    await say({ outcome: 'settled', reference: withdrawal.reference });
    await service.temporal.schedule.getHandle(`rebuild/${service.taskQueue}`).trigger('BUFFER_ONE');
    await withdrawal.becomes('COMPLETED');
    expect(await withdrawal.account()).toMatchObject(GONE);
  });

  test('the books balance at the end', async () => {
    await expectBooksToBalance();
  });

  async function describeRun({ run }: Withdrawal): Promise<string> {
    return await run.query<string>('__temporal_workflow_metadata').then((metadata) => JSON.stringify(metadata));
  }
});
