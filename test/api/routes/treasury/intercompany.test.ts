import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../../../../src/db/core/orm.ts';
import { bare, refused } from '../../../support/api.ts';
import { type OwnService, ownService } from '../../../support/own-service.ts';
import { newCompany, newParties, type TestCompany, untilAnswered } from '../../../support/service.ts';
import { asked, companyAccount } from '../../../support/treasury.ts';
import { imbalances } from '../../../support/trial-balance.ts';

/** What companies owe the platform: the platform's fees of their escrows, and the settlement of these debts. */

let service: OwnService;
let orm: MikroORM;
beforeAll(async () => {
  service = await ownService({ settings: { mustPayoutsBeBacked: true } });
  orm = await connect({ databaseUrl: service.database.ownerUrl, poolMax: 1, applicationName: 'trial-balance' });
});
afterAll(async () => {
  await orm.close();
  await service.stop();
});

const FEE = 250;

const asPlatform = (method: string, path: string, body?: unknown, key: string = randomUUID()) =>
  service.request(method, path, {
    headers: {
      'x-api-key': service.platform.apiKey,
      'x-company-id': service.platform.companyId,
      'x-idempotency-key': key,
    },
    ...(body === undefined ? {} : { body }),
  });
const settle = (of: TestCompany, fields: Record<string, unknown> = {}, key?: string) =>
  asPlatform(
    'POST',
    `/v1/treasury/intercompany/${of.id}/settle`,
    { currency: 'USD', reference: `fees ${randomUUID()}`, ...fields },
    key,
  );
const balanceOf = async (of: TestCompany, type: string) => BigInt((await companyAccount(of, type)).balance);
const debtOf = async (of: TestCompany) => {
  const { body } = await asPlatform('GET', '/v1/treasury/intercompany?limit=100');
  return body.data.find(({ companyId }: { companyId: string }) => companyId === of.id);
};

/** A company that owes the platform its fee of one released escrow. `captured`: the cash that came in for it. */
async function indebted(captured: number): Promise<TestCompany> {
  const company = await newCompany(service);
  const { escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow());
  expect((await company.post(`/v1/escrow/${body.id}/release`)).status).toBe(200);
  if (captured > 0)
    await company.post('/v1/treasury/bank/capture', { amount: captured, currency: 'USD', reference: randomUUID() });
  return company;
}

async function expectBalanced(company: TestCompany): Promise<void> {
  expect(await imbalances(orm.em.fork(), null)).toEqual([]);
  const path = '/v1/ledger/verify-ledger-integrity';
  expect((await company.get(path)).body).toMatchObject({ ok: true, mismatches: [] });
  // The platform audits all companies. The books of one of them are forged by a test below.
  const { body } = await asPlatform('GET', path);
  const both = [company.id, service.platform.companyId].map(bare);
  expect(body.mismatches.filter(({ companyId }: { companyId: string }) => both.includes(companyId))).toEqual([]);
}

describe('the debt of a company to the platform', () => {
  test('is listed per currency, with the payable cash that is left after it', async () => {
    const company = await indebted(1_000);
    expect(await debtOf(company)).toEqual({
      ...{ companyId: company.id, name: expect.any(String), currency: 'USD' },
      ...{ owed_amount: String(FEE), payable_amount: String(1_000 - FEE) },
    });
  });

  test('is settled as a whole: cash moves between the books, and both stay balanced', async () => {
    const company = await indebted(1_000);
    const bank = await balanceOf(company, 'BANK');
    const reference = `fees ${randomUUID()}`;
    expect(await settle(company, { reference })).toMatchObject({
      status: 200,
      body: { companyId: company.id, currency: 'USD', amount: String(FEE), remaining_amount: '0', reference },
    });
    expect(await debtOf(company)).toBeUndefined();
    expect(await balanceOf(company, 'INTERCOMPANY')).toBe(0n);
    expect(await balanceOf(company, 'BANK')).toBe(bank + BigInt(FEE));
    await expectBalanced(company);
  });

  test('can be settled in parts, never by more than is owed', async () => {
    const company = await indebted(1_000);
    expect(await settle(company, { amount: 100 })).toMatchObject({ body: { amount: '100', remaining_amount: '150' } });
    expect(await settle(company, { amount: 151 })).toMatchObject(
      refused(409, 'wrong_state', { available: '150', requested: '151' }),
    );
    expect(await debtOf(company)).toMatchObject({ owed_amount: '150' });
    expect(await settle(company)).toMatchObject({ body: { amount: '150', remaining_amount: '0' } });
    expect(await settle(company)).toMatchObject(refused(409, 'wrong_state'));
    await expectBalanced(company);
  });

  test('needs cash of the company', async () => {
    const company = await indebted(100);
    expect(await settle(company)).toMatchObject(
      refused(422, 'payout_not_backed', { available: '100', requested: '250' }),
    );
    expect(await settle(company, { amount: 100 })).toMatchObject({ status: 200 });
    expect(await debtOf(company)).toMatchObject({ owed_amount: '150', payable_amount: '-150' });
    await expectBalanced(company);
  });

  test('is not paid out to users, before and after it is settled', async () => {
    const company = await indebted(1_000);
    const { body: users } = await company.get('/v1/identity/users');
    const { body: ledger } = await company.get(`/v1/identity/users/${users[0].id}/ledger`);
    const usd = ledger.accounts.find(({ currency }: { currency: string }) => currency === 'USD');
    await company.post('/v1/payments/deposit', { userId: users[0].id, amount: 5_000, currency: 'USD' });
    const withdrawable = async () => (await company.get(`/v1/ledger/accounts/${usd.id}`)).body.withdrawable_balance;
    expect(await withdrawable()).toBe(String(1_000 - FEE));
    await settle(company);
    expect(await withdrawable()).toBe(String(1_000 - FEE));
  });
});

describe('a settlement happens once', () => {
  test('under one idempotency key', async () => {
    const company = await indebted(1_000);
    const key = randomUUID();
    const request = { reference: 'once', amount: 100 };
    const answers = [await settle(company, request, key), await settle(company, request, key)];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await debtOf(company)).toMatchObject({ owed_amount: '150' });
  });

  test('under one reference, also of simultaneous requests', async () => {
    const company = await indebted(1_000);
    const answers = await Promise.all([1, 2, 3, 4].map(() => settle(company, { reference: 'January', amount: 100 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const first = answers.find(({ status }) => status === 200);
    const other = answers.find(({ status }) => status === 409);
    expect(other).toMatchObject({ body: { code: 'duplicate_reference', duplicateOf: first?.body.id } });
    expect(await debtOf(company)).toMatchObject({ owed_amount: '150' });
    await expectBalanced(company);
  });

  test('for all of the debt, of simultaneous requests with their own references', async () => {
    const company = await indebted(1_000);
    const answers = await Promise.all([1, 2, 3, 4].map(() => settle(company)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await balanceOf(company, 'INTERCOMPANY')).toBe(0n);
    await expectBalanced(company);
  });
});

test("the platform's revenue is paid out of cash that companies settled, and not of other companies' money", async () => {
  const company = await indebted(1_000);
  const revenue = async () => {
    const { body: accounts } = await asPlatform('GET', '/v1/ledger/company/accounts');
    const { id } = accounts.find(
      (one: { type: string; currency: string }) => one.type === 'SYSTEM_FEE' && one.currency === 'USD',
    );
    return (await asPlatform('GET', `/v1/ledger/accounts/${id}`)).body;
  };
  const unsettled = await revenue();
  expect(BigInt(unsettled.withdrawable_balance)).toBeLessThanOrEqual(BigInt(unsettled.balance) - BigInt(FEE));
  const withdraw = (amount: number) => {
    const body = asked(unsettled.id, amount); // with one reference, so a repetition pays once
    return untilAnswered(() => asPlatform('POST', '/v1/treasury/withdraw', body));
  };
  expect(await withdraw(Number(unsettled.balance))).toMatchObject(refused(422, 'payout_not_backed'));
  expect((await settle(company)).status).toBe(200);
  const settled = await revenue();
  expect(BigInt(settled.withdrawable_balance)).toBe(BigInt(unsettled.withdrawable_balance) + BigInt(FEE));
  expect((await withdraw(FEE)).status).toBe(201);
  await expectBalanced(company);
});

test('an unknown company is 404, and the platform owes itself nothing', async () => {
  const unknown = { id: `cmp_${randomUUID()}` } as TestCompany; // only its id is used
  expect(await settle(unknown)).toMatchObject(refused(404, 'not_found'));
  const platform = { id: service.platform.companyId } as TestCompany; // only its id is used
  expect(await settle(platform)).toMatchObject(refused(409, 'wrong_state'));
});

test('the audit reports that a forged settlement has no cause', async () => {
  const company = await indebted(1_000);
  const id = randomUUID();
  const [owes, bank] = [await companyAccount(company, 'INTERCOMPANY'), await companyAccount(company, 'BANK')];
  const posting = {
    ...{ id, company_id: bare(company.id), key: `intercompany/${id}/paid`, type: 'ADJUSTMENT', status: 'COMPLETED' },
    ...{ amount: '100', currency: 'USD', reference: 'forged', escrow_id: null, metadata: {}, holds: [] },
    legs: [
      { account_id: bare(owes.id), amount: '-100' },
      { account_id: bare(bank.id), amount: '100' },
    ],
  };
  await orm.em.fork().execute('select kind from ledger_post(?::jsonb)', [JSON.stringify([posting])]);
  expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({
    ok: false,
    mismatches: [{ kind: 'transaction_without_cause', transactionId: id }],
  });
});
