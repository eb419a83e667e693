import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { visitorAs } from '../../../console/support/visitor.ts';
import { logIn, refused } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { done, PLATFORM, type TestCompany, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, ended, newHolder, newUndecidedPayout } from '../../../support/treasury.ts';

/** Between the request of a withdrawal and the moment in which the bank gets it. */

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterEach(() => service.sandbox.outage('payout', 0));
afterAll(() => service.stop());

/** A withdrawal of 4,000 of 10,000 cents that waits for a bank that does not answer. */
async function queued() {
  await service.sandbox.outage('payout', 3_600);
  const holder = await newHolder(service);
  const { company, user, accountId } = holder;
  const request = asked(accountId, 4_000);
  const { body } = await done(company.post('/v1/treasury/withdraw', request));
  const path = `/v1/treasury/withdrawals/${body.id}`;
  const read = async () => (await company.get(path)).body;
  const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
  const byPlatform = (method: string, to: string, sent?: unknown) =>
    untilAnswered(() => service.request(method, to, { headers, body: sent }));
  const freeze = (is_frozen: boolean) => ({ is_frozen, reason: 'A court order' });
  return {
    ...{ holder, company, path, read, byPlatform, id: String(body.id) },
    freeze: (isFrozen: boolean) =>
      company.request('PATCH', `/v1/ledger/accounts/${accountId}`, { body: freeze(isFrozen) }),
    freezeByPlatform: (isFrozen: boolean) => byPlatform('PATCH', `/v1/ledger/accounts/${accountId}`, freeze(isFrozen)),
    setStatus: (status: 'CLEAR' | 'BLACKLISTED') =>
      done(byPlatform('POST', `/v1/identity/admin/users/${user.id}/status`, { status, reason: 'Sanctions' })),
    /** The bank is back, and the payment is not sent. */
    heldBackFor: async (reason: string) => {
      await service.sandbox.outage('payout', 0);
      const held = await eventually(async () => {
        const found = await read();
        return found.review_reason === reason && found;
      });
      expect(held).toMatchObject({ status: 'PROCESSING', is_handed_over: false });
      expect(await atBank()).toBeUndefined();
    },
    atBank,
  };

  async function atBank() {
    const { body: payments } = await service.sandbox.control('GET', '/payouts');
    return payments.find(({ reference }: { reference: string }) => reference === request.externalReference);
  }
}

/** By the console, to an owner. */
async function isResumeOffered(company: TestCompany, id: string): Promise<boolean> {
  const page = await (await visitorAs(service, company, 'owner')).get(`/withdrawals/${id}`);
  expect(page.text).toContain('Cancel the withdrawal');
  return page.text.includes('Resume the payment');
}

const HELD = { balance: '10000', held_balance: '4000' };
const BACK = { balance: '10000', held_balance: '0' };
const GONE = { balance: '6000', held_balance: '0' };

test('a withdrawal is cancelled before the bank has it: all of it is back, and the bank never gets it', async () => {
  const { holder, company, path, read, id, atBank } = await queued();
  expect(await company.post(`${path}/cancel`, { reason: 'Wrong account' })).toMatchObject({
    status: 200,
    body: { id, status: 'CANCELLED', failure_reason: null, review_reason: null },
  });
  expect(await holder.account()).toMatchObject(BACK);
  expect((await company.get(`/v1/payments/transaction/${id}`)).body).toMatchObject({ status: 'CANCELLED' });
  const { timeline } = await read();
  expect(timeline.at(-1)).toMatchObject({ event: 'CANCELLED', actor: 'COMPANY', reason: 'Wrong account' });
  expect((await company.get('/v1/treasury/withdrawals?status=CANCELLED')).body).toMatchObject({ total: 1 });
  await service.sandbox.outage('payout', 0);
  const later = await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1_000));
  await ended(company, later.body.id);
  expect(await atBank()).toBeUndefined();
  expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true });
});

test('a withdrawal that the bank has is not cancelled, nor one of another company', async () => {
  const holder = await newHolder(service);
  const { id } = await newUndecidedPayout(holder.company, holder.accountId, 1_000);
  const path = `/v1/treasury/withdrawals/${id}/cancel`;
  expect(await holder.company.post(path)).toMatchObject(refused(409, 'wrong_state'));
  const other = await newHolder(service);
  expect(await other.company.post(path)).toMatchObject(refused(404, 'not_found'));
});

test('a bank that pays a cancelled withdrawal is believed: the money is taken again', async () => {
  const { holder, company, path, byPlatform, id } = await queued();
  await done(company.post(`${path}/cancel`));
  const { id: adminId } = await logIn(service, company.id, PLATFORM);
  const paid = await done(byPlatform('POST', `${path}/outcome`, { outcome: 'PAID', adminId }));
  expect(paid.body).toMatchObject({ id, status: 'COMPLETED' });
  expect(await holder.account()).toMatchObject(GONE);
  expect((await company.get(`/v1/payments/transaction/${id}`)).body).toMatchObject({ status: 'COMPLETED' });
  expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true });
});

test('a payment is not sent while its account is frozen, and is resumed once the account is open', async () => {
  const { holder, company, path, read, id, ...payment } = await queued();
  await done(payment.freeze(true));
  await payment.heldBackFor('account_frozen');
  expect(await company.post(`${path}/resume`)).toMatchObject(refused(409, 'wrong_state'));
  expect(await holder.account()).toMatchObject(HELD);
  await done(payment.freeze(false));
  expect(await company.post(`${path}/resume`)).toMatchObject({
    status: 200,
    body: { status: 'PROCESSING', review_reason: null },
  });
  expect(await ended(company, id)).toMatchObject({ status: 'COMPLETED' });
  expect(await holder.account()).toMatchObject(GONE);
  const { timeline } = await read();
  const events = timeline.map(({ event }: { event: string }) => event);
  expect(events.slice(0, 3)).toEqual(['REQUESTED', 'REVIEW_NEEDED', 'RESUMED']);
});

test('what the platform froze, the platform alone opens and resumes', async () => {
  const { company, path, byPlatform, id, ...payment } = await queued();
  await done(payment.freezeByPlatform(true));
  await payment.heldBackFor('account_frozen');
  // A freeze of the company's own on top of it changes nothing.
  await done(payment.freeze(true));
  expect(await payment.freeze(false)).toMatchObject(refused(403, 'forbidden'));
  expect(await company.post(`${path}/resume`)).toMatchObject(refused(409, 'wrong_state'));
  await done(payment.freezeByPlatform(false));
  expect(await company.post(`${path}/resume`)).toMatchObject(refused(403, 'forbidden'));
  expect((await company.get(path)).body).toMatchObject({ review_reason: 'account_frozen', is_held_by_platform: true });
  expect(await isResumeOffered(company, id)).toBe(false);
  await done(byPlatform('POST', `${path}/resume`));
  expect(await ended(company, id)).toMatchObject({ status: 'COMPLETED' });
  // The company opens what it froze itself afterwards.
  await done(payment.freeze(true));
  await done(payment.freeze(false));
});

test('a payment is not sent to a user who was blacklisted after the request; it is resumed once they are clear, or cancelled', async () => {
  const [resumed, cancelled] = [await queued(), await queued()];
  for (const payment of [resumed, cancelled]) await payment.setStatus('BLACKLISTED');
  for (const payment of [resumed, cancelled]) await payment.heldBackFor('user_blacklisted');
  expect(await resumed.company.post(`${resumed.path}/resume`)).toMatchObject(refused(409, 'wrong_state'));
  await done(cancelled.company.post(`${cancelled.path}/cancel`));
  expect(await cancelled.holder.account()).toMatchObject(BACK);
  await resumed.setStatus('CLEAR');
  expect(await isResumeOffered(resumed.company, resumed.id)).toBe(true);
  await done(resumed.company.post(`${resumed.path}/resume`));
  expect(await ended(resumed.company, resumed.id)).toMatchObject({ status: 'COMPLETED' });
  const types = async ({ company, id }: typeof resumed) =>
    (await company.get(`/v1/events?objectId=${id}&limit=100`)).body.data.map(({ type }: { type: string }) => type);
  await eventually(async () => (await types(cancelled)).includes('withdrawal.cancelled'));
  expect(await types(cancelled)).toEqual(['withdrawal.requested', 'withdrawal.review_needed', 'withdrawal.cancelled']);
});
