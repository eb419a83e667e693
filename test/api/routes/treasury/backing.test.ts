import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newVisitor, tokenOf, type Visitor, visitorAs } from '../../../console/support/visitor.ts';
import { refused } from '../../../support/api.ts';
import { writeBankFile } from '../../../support/bank-writer.ts';
import { type OwnService, ownService } from '../../../support/own-service.ts';
import { newUser, PLATFORM, type TestCompany } from '../../../support/service.ts';
import { asked, ended, newHolder } from '../../../support/treasury.ts';

/** A payout needs cash that was received for the company. A declared deposit is not cash. */
let service: OwnService;
beforeAll(async () => {
  service = await ownService({ settings: { mustPayoutsBeBacked: true } });
});
afterAll(() => service.stop());

const withdraw = (of: TestCompany, accountId: string, amount: number) =>
  of.post('/v1/treasury/withdraw', asked(accountId, amount));
const withdrawable = async (holder: Awaited<ReturnType<typeof newHolder>>) =>
  (await holder.account()).withdrawable_balance;
const capture = (of: TestCompany, reference: string, amount: number) =>
  of.post('/v1/treasury/bank/capture', { amount, currency: 'USD', reference });
const grant = (of: TestCompany, cents: number, by = service.platform.apiKey) =>
  service.request('PATCH', `/v1/core/companies/${of.id}`, {
    headers: { 'x-api-key': by, 'x-company-id': of.id },
    body: { payout_limits: { USD: cents } },
  });

test('a declared deposit alone pays nothing out', async () => {
  const holder = await newHolder(service);
  expect(await holder.account()).toMatchObject({ available_balance: '10000', withdrawable_balance: '0' });
  expect(await withdraw(holder.company, holder.accountId, 1)).toMatchObject(refused(422, 'payout_not_backed'));
  expect(await holder.account()).toMatchObject({ held_balance: '0' });
});

test.concurrent('captured money pays out once, for any user of the company', async () => {
  const holder = await newHolder(service);
  const other = await newUser(holder.company, { customReference: `ref-${holder.company.id}` });
  await capture(holder.company, `ref-${holder.company.id}`, 3_000);
  expect(await withdrawable(holder)).toBe('3000');
  const first = await withdraw(holder.company, holder.accountId, 2_000);
  expect(first.status).toBe(201);
  expect(await withdrawable(holder)).toBe('1000'); // even before the bank has decided
  await ended(holder.company, first.body.id);
  expect(await withdrawable(holder)).toBe('1000');
  expect(await withdraw(holder.company, other.usdAccountId, 1_001)).toMatchObject(
    refused(422, 'payout_not_backed', { available: '1000', requested: '1001' }),
  );
  expect((await withdraw(holder.company, other.usdAccountId, 1_000)).status).toBe(201);
});

test('a deposit in transit backs payouts once it is captured', async () => {
  const holder = await newHolder(service, { balance: 1 });
  const transit = {
    userId: holder.user.id,
    amount: 500,
    currency: 'USD',
    externalReference: 'wire-1',
    isTransit: true,
  };
  await holder.company.post('/v1/payments/deposit', transit);
  expect(await withdrawable(holder)).toBe('0');
  await capture(holder.company, 'wire-1', 500);
  expect(await withdrawable(holder)).toBe('500');
});

test.concurrent('a payout that the bank refuses or returns backs the next one', async () => {
  const holder = await newHolder(service);
  await capture(holder.company, 'nobody knows', 1_000);
  const externalReference = `sandbox-rejected-${randomUUID()}`;
  const { body } = await holder.company.post(
    '/v1/treasury/withdraw',
    asked(holder.accountId, 1_000, { externalReference }),
  );
  expect(await withdrawable(holder)).toBe('0');
  expect(await ended(holder.company, body.id)).toMatchObject({ status: 'FAILED' });
  expect(await withdrawable(holder)).toBe('1000');
});

test('a receipt that is reversed backs nothing', async () => {
  const holder = await newHolder(service);
  const { body } = await capture(holder.company, 'bounces', 1_000);
  expect(await withdrawable(holder)).toBe('1000');
  await holder.company.post(`/v1/payments/transaction/${body.id}/reverse`, { reason: 'It bounced' });
  expect(await withdrawable(holder)).toBe('0');
});

test.concurrent('a receipt that is reversed after its money was paid out stops payouts until new cash covers it', async () => {
  const holder = await newHolder(service); // 10,000 that were only declared
  const { company, user, accountId } = holder;
  const { body: receipt } = await capture(company, 'bounces late', 1_000);
  await company.post(`/v1/treasury/captures/${receipt.id}/assign`, { userId: user.id });
  const { body: payout } = await withdraw(company, accountId, 1_000);
  expect(await ended(company, payout.id)).toMatchObject({ status: 'COMPLETED' });

  // The bank has taken the receipt back, so this is booked. The user has 10,000 left, and the company owes 1,000 of cash.
  const reversal = await company.post(`/v1/payments/transaction/${receipt.id}/reverse`, { reason: 'It bounced' });
  expect(reversal.status).toBe(200);
  expect(await withdrawable(holder)).toBe('0');
  expect(await withdraw(company, accountId, 1)).toMatchObject(refused(422, 'payout_not_backed'));
  await capture(company, 'covers the gap', 1_000);
  expect(await withdraw(company, accountId, 1)).toMatchObject(refused(422, 'payout_not_backed'));
  await capture(company, 'new cash', 1);
  expect(await withdrawable(holder)).toBe('1');
  expect((await withdraw(company, accountId, 1)).status).toBe(201);
  const { body: books } = await company.get('/v1/ledger/verify-ledger-integrity');
  expect(books).toMatchObject({ ok: true, mismatches: [] });
});

test('of simultaneous payouts only the backed ones are paid', async () => {
  const holder = await newHolder(service);
  await capture(holder.company, 'once', 1_000);
  const answers = await Promise.all([1, 2, 3, 4].map(() => withdraw(holder.company, holder.accountId, 600)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
});

test('only the platform can grant a limit', async () => {
  const holder = await newHolder(service);
  expect(await grant(holder.company, 2_500, holder.company.apiKey)).toMatchObject(refused(403, 'forbidden'));
  expect((await grant(holder.company, 2_500)).status).toBe(200);
  expect(await withdrawable(holder)).toBe('2500');
  expect(await withdraw(holder.company, holder.accountId, 2_501)).toMatchObject(refused(422, 'payout_not_backed'));
  expect((await withdraw(holder.company, holder.accountId, 2_500)).status).toBe(201);
  expect(await withdrawable(holder)).toBe('0');
});

describe('where only the platform records receipts', () => {
  let strict: OwnService;
  beforeAll(async () => {
    strict = await ownService({ settings: { mustPayoutsBeBacked: true, mayOnlyPlatformCapture: true } });
  });
  afterAll(() => strict.stop());

  test('a company cannot make the cash that backs its payouts; the platform records it for the company', async () => {
    const holder = await newHolder(strict);
    const { company, accountId } = holder;
    expect(await capture(company, 'self-made', 1_000)).toMatchObject(refused(403, 'forbidden'));
    expect(await withdraw(company, accountId, 1)).toMatchObject(refused(422, 'payout_not_backed'));
    const recorded = await strict.request('POST', '/v1/treasury/bank/capture', {
      headers: { 'x-api-key': strict.platform.apiKey, 'x-company-id': company.id, 'x-idempotency-key': randomUUID() },
      body: { amount: 1_000, currency: 'USD', reference: 'from the bank' },
    });
    expect(recorded.status).toBe(201);
    expect(await withdrawable(holder)).toBe('1000');
  });

  test('the console offers a company no form for what the bank received, and says who records it', async () => {
    const { company, accountId } = await newHolder(strict);
    const [owner, platform] = [await visitorAs(strict, company, 'owner'), newVisitor(strict)];
    await platform.logIn(PLATFORM);
    await platform.submit('/act-for', { companyId: company.id });
    const offers = async (visitor: Visitor) => {
      const pages = ['/bank', '/receipts', '/receipts/new'].map(async (path) => (await visitor.get(path)).text);
      const text = (await Promise.all(pages)).join('');
      const forms = ['type="file"', 'href="/console/receipts/new"', 'value="record"'];
      return [forms.filter((one) => text.includes(one)), text.split('Only the platform records what').length - 1];
    };
    expect(await offers(owner)).toEqual([[], 3]);
    const costs = await owner.get(`/withdrawals/new?accountId=${accountId}&amount=100`);
    expect(costs.text).toContain('The company has not received enough money for this');
    const receipt = { do: 'record', currency: 'USD', amount: '1', reference: 'self-made' };
    const sent = await owner.send('/receipts/new', { ...(await tokenOf(owner)), ...receipt });
    expect([sent.status, sent.text.includes('Only the platform does this.')]).toEqual([403, true]);
    expect(await offers(platform)).toEqual([['type="file"', 'href="/console/receipts/new"', 'value="record"'], 0]);
  });

  test("only the platform sends the bank's statements, which add no cash, and decides that a credit is the company's", async () => {
    const holder = await newHolder(strict);
    const send = (apiKey: string) =>
      strict.request('POST', '/v1/treasury/bank/statements', {
        headers: { 'x-api-key': apiKey, 'x-company-id': holder.company.id, 'content-type': 'application/xml' },
        rawBody: writeBankFile({
          day: '2026-01-31',
          opening: '0.00',
          lines: [{ amount: '10.00', sign: 'CRDT', text: 'self-made' }],
        }),
      });
    const refusal = { status: 403, body: { code: 'forbidden', reason: { code: 'platform_records_receipts' } } };
    expect(await send(holder.company.apiKey)).toMatchObject(refusal);
    expect(await send(strict.platform.apiKey)).toMatchObject({ status: 201, body: { open: 1 } });
    const [entry] = (await holder.company.get('/v1/treasury/bank/reconciliation')).body.open;
    const match = (apiKey: string) =>
      strict.request('POST', `/v1/treasury/bank/entries/${entry.id}/match`, {
        headers: { 'x-api-key': apiKey, 'x-company-id': holder.company.id },
        body: { kind: 'FEE' },
      });
    expect(await match(holder.company.apiKey)).toMatchObject(refusal);
    expect(await withdrawable(holder)).toBe('0');
    expect(await match(strict.platform.apiKey)).toMatchObject({ status: 200 });
    expect(await withdrawable(holder)).toBe('1000');
  });
});
