import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refused } from '../support/api.ts';
import { historyOf } from '../support/escrows.ts';
import { eventually } from '../support/eventually.ts';
import { LINK_CENTS, offerLink, type TestLink } from '../support/links.ts';
import { switchOn, visitor } from '../support/order-pages.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { asked, companyAccount, newHolder } from '../support/treasury.ts';

/**
 * Chargebacks and refunds at the gateway: the money that they take, the steps that they block, and how the resulting debt is
 * settled.
 */

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

/** A link that was paid by card, in a company of its own. */
async function paidByCard(fields: Record<string, unknown> = {}) {
  const owner = await newCompany(service);
  const seller = await newUser(owner);
  const link = await offerLink(service, owner, { sellerId: seller.id, ...fields });
  const { body: checkout } = await link.say('eft-pay/initiate');
  await service.sandbox.settle(checkout.checkoutId, 'success');
  const { transactionId } = await eventually(async () => {
    const { body } = await link.verify(checkout.checkoutId);
    return body.status === 'ACCEPTED' && body;
  });
  return { owner, link, checkoutId: String(checkout.checkoutId), depositId: String(transactionId) };
}

const timelineOf = async (owner: TestCompany, { escrowId }: TestLink): Promise<string[]> =>
  (await owner.get(`/v1/escrow/${escrowId}/timeline`)).body.map(({ event }: { event: string }) => event);
const receivablesOf = async (owner: TestCompany, status = 'OPEN') =>
  (await owner.get(`/v1/treasury/receivables?status=${status}`)).body.data;
const owedTo = async (owner: TestCompany) => (await companyAccount(owner, 'RECEIVABLE'))?.balance ?? '0';
const happens = (owner: TestCompany, link: TestLink, event: string, times = 1) =>
  eventually(async () => (await timelineOf(owner, link)).filter((one) => one === event).length === times);
const expectAudited = async (owner: TestCompany) =>
  expect((await owner.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });

describe('a chargeback that the gateway reports', () => {
  test.concurrent('of money in escrow is owed, shown in the timeline, and blocks the release until it is reversed', async () => {
    const { owner, link, checkoutId, depositId } = await paidByCard();
    await service.sandbox.change(checkoutId, 'CB');
    await happens(owner, link, 'CHARGED_BACK');
    expect(await owedTo(owner)).toBe(String(-LINK_CENTS));
    expect((await owner.get(`/v1/payments/transaction/${depositId}`)).body.status).toBe('REVERSED');
    expect(await link.escrow()).toMatchObject({ status: 'ACTIVE', chargedBackAmount: String(LINK_CENTS) });
    const release = () => owner.post(`/v1/escrow/${link.escrowId}/release`, {});
    expect(await release()).toMatchObject(refused(409, 'payment_charged_back'));
    await switchOn(owner, { release: 'direct' });
    const { body: urls } = await owner.post(`/v1/escrow/${link.escrowId}/order-pages`);
    const orderPage = async () => (await visitor(service, urls.buyerUrl).get()).html;
    const paidPage = async () => (await visitor(service, `${service.url}/checkout/${link.hash}`).get()).html;
    const takenBack = 'Your payment was taken back';
    expect(await paidPage()).toContain(takenBack);
    expect(await orderPage()).toContain(takenBack);
    expect(await orderPage()).not.toContain('Pay the seller now');
    expect(await receivablesOf(owner)).toMatchObject([
      {
        ...{ reason: 'CHARGEBACK', status: 'OPEN', remaining_amount: String(LINK_CENTS) },
        ...{ escrowId: link.escrowId, depositId, userId: link.buyer.id },
      },
    ]);

    await service.sandbox.change(checkoutId, 'CR');
    await happens(owner, link, 'CHARGEBACK_REVERSED');
    expect(await owedTo(owner)).toBe('0');
    expect(await receivablesOf(owner)).toEqual([]);
    expect(await paidPage()).not.toContain(takenBack);
    expect(await orderPage()).toContain('Pay the seller now');
    expect((await release()).status).toBe(200);
    await expectAudited(owner);
  });

  test.concurrent('is booked once for repeated reports', async () => {
    const { owner, link, checkoutId } = await paidByCard();
    const { body } = await service.sandbox.control('POST', `/checkouts/${checkoutId}/changes`, { paymentType: 'CB' });
    const notification = { type: 'PAYMENT', payload: { id: body.id, paymentType: 'CB', referencedId: body.paymentId } };
    const notify = () => service.request('POST', '/v1/payments/eft-pay/webhook', { body: notification });
    expect(await Promise.all([notify(), notify(), notify()])).toMatchObject([1, 2, 3].map(() => ({ status: 200 })));
    await happens(owner, link, 'CHARGED_BACK');
    await notify();
    expect(await owedTo(owner)).toBe(String(-LINK_CENTS));
    expect(await receivablesOf(owner)).toHaveLength(1);
  });

  test.concurrent('that was booked by hand before is not booked again', async () => {
    const { owner, link, checkoutId, depositId } = await paidByCard();
    const byHand = await owner.post(`/v1/payments/transaction/${depositId}/reverse`, {
      reason: 'The bank wrote',
      isChargeback: true,
    });
    expect(byHand).toMatchObject({ status: 200, body: { type: 'REVERSAL', reverses: { status: 'REVERSED' } } });
    await service.sandbox.change(checkoutId, 'CB');
    await eventually(async () => (await link.events()).includes('CHANGE_NOTED'));
    expect(await owedTo(owner)).toBe(String(-LINK_CENTS));
    await service.sandbox.change(checkoutId, 'CR');
    await happens(owner, link, 'CHARGEBACK_REVERSED');
    expect(await owedTo(owner)).toBe('0');
    await expectAudited(owner);
  });

  test.concurrent.each(['RF', 'CB'] as const)(
    'of a part (%s) leaves the rest to a chargeback by hand, and the books know what the bank has',
    async (paymentType) => {
      const { owner, link, checkoutId, depositId } = await paidByCard();
      await service.sandbox.change(checkoutId, paymentType, '100.00');
      await happens(owner, link, 'CHARGED_BACK');
      const reverse = () =>
        owner.post(`/v1/payments/transaction/${depositId}/reverse`, { reason: 'The bank wrote', isChargeback: true });
      expect(await reverse()).toMatchObject({
        status: 200,
        body: { amount: String(LINK_CENTS - 10_000), reverses: { status: 'REVERSED' } },
      });
      expect(await reverse()).toMatchObject(refused(409, 'wrong_state'));
      expect((await companyAccount(owner, 'CLEARING_CARD')).balance).toBe('0');
      expect(await owedTo(owner)).toBe(String(-LINK_CENTS));
      await expectAudited(owner);
    },
  );

  test.concurrent.each([{ reports: ['CB', 'CR'] }, { reports: ['CR', 'CB'] }] as const)(
    '$reports leaves the payment COMPLETED, and a chargeback by hand takes it back again with its reason',
    async ({ reports }) => {
      const { owner, link, checkoutId, depositId } = await paidByCard();
      const noted = async () =>
        (await link.events()).filter((event) => ['TAKEN_BACK', 'BROUGHT_BACK', 'CHANGE_NOTED'].includes(event)).length;
      for (const [index, report] of reports.entries()) {
        await service.sandbox.change(checkoutId, report);
        await eventually(async () => (await noted()) === index + 1);
      }
      const deposit = async () => (await owner.get(`/v1/payments/transaction/${depositId}`)).body;
      expect(await deposit()).toMatchObject({ status: 'COMPLETED' });
      expect(await owedTo(owner)).toBe('0');

      const reverse = () =>
        owner.post(
          `/v1/payments/transaction/${depositId}/reverse`,
          { reason: 'The bank wrote again', isChargeback: true },
          'by-hand-after-all',
        );
      const first = await reverse();
      expect(first).toMatchObject({
        status: 200,
        body: {
          amount: String(LINK_CENTS),
          metadata: { reason: 'The bank wrote again' },
          reverses: { status: 'REVERSED' },
        },
      });
      expect((await reverse()).body).toEqual(first.body);
      expect(await owedTo(owner)).toBe(String(-LINK_CENTS));
      expect(await deposit()).toMatchObject({ status: 'REVERSED' });
      await expectAudited(owner);
    },
  );

  test.concurrent('is not booked if the gateway does not report it', async () => {
    const { owner, link, checkoutId } = await paidByCard();
    await eventually(async () => (await link.events()).at(-1) === 'POLL_POSTPONED');
    const { body } = await service.sandbox.control('GET', `/checkouts/${checkoutId}`);
    const forged = { type: 'PAYMENT', payload: { id: 'forged', paymentType: 'CB', referencedId: body.paymentId } };
    await service.request('POST', '/v1/payments/eft-pay/webhook', { body: forged });
    // The gateway is asked once after the payment, and once for the notification.
    await eventually(
      async () => (await service.sandbox.control('GET', `/checkouts/${checkoutId}`)).body.reportCalls > 1,
    );
    expect(await timelineOf(owner, link)).not.toContain('CHARGED_BACK');
    expect(await receivablesOf(owner, 'OPEN,SETTLED')).toEqual([]);
  });

  test.concurrent('of money that was paid out is owed by the buyer, and shown in the timeline of the final escrow', async () => {
    const { owner, link, checkoutId } = await paidByCard();
    expect((await owner.post(`/v1/escrow/${link.escrowId}/release`, {})).status).toBe(200);
    await service.sandbox.change(checkoutId, 'CB');
    await happens(owner, link, 'CHARGED_BACK');
    expect(await link.escrow()).toMatchObject({ status: 'COMPLETED', chargedBackAmount: String(LINK_CENTS) });
    expect(await owedTo(owner)).toBe(String(-LINK_CENTS));
    await expectAudited(owner);
  });

  test.concurrent('of a part takes that part only', async () => {
    const { owner, link, checkoutId, depositId } = await paidByCard();
    await service.sandbox.change(checkoutId, 'CB', '100.00');
    await happens(owner, link, 'CHARGED_BACK');
    expect(await owedTo(owner)).toBe('-10000');
    expect((await owner.get(`/v1/payments/transaction/${depositId}`)).body.status).toBe('COMPLETED');
    await service.sandbox.change(checkoutId, 'CB', '150.00');
    await eventually(async () => (await owedTo(owner)) === '-25000', 90_000);
    expect((await owner.get(`/v1/payments/transaction/${depositId}`)).body.status).toBe('REVERSED');
    await expectAudited(owner);
  });
});

/** The gateway's notifications before the service knows the payment, and after that, and how often it sends each. */
const EARLY_CASES = [
  { before: ['CB'], after: [], owedCents: -LINK_CENTS, times: 1 },
  { before: ['CB'], after: [], owedCents: -LINK_CENTS, times: 2 },
  { before: ['CB'], after: ['CR'], owedCents: 0, times: 2 },
  { before: ['CB', 'CR'], after: [], owedCents: 0, times: 2 },
  { before: ['CR', 'CB'], after: [], owedCents: 0, times: 2 },
  { before: ['RF'], after: [], owedCents: -LINK_CENTS, times: 2 },
  { before: ['RV'], after: [], owedCents: -LINK_CENTS, times: 2 },
] as const;

test.concurrent.each(EARLY_CASES)(
  'a notification before its payment is recorded is booked once with the payment, also if it is repeated: $before, then $after, × $times',
  async ({ before, after, owedCents, times }) => {
    const owner = await newCompany(service);
    const seller = await newUser(owner);
    const link = await offerLink(service, owner, { sellerId: seller.id });
    const { body: checkout } = await link.say('eft-pay/initiate');
    const checkoutId = String(checkout.checkoutId);
    await service.sandbox.control('POST', `/checkouts/${checkoutId}`, { outcome: 'success', isSilent: true });
    const report = async (paymentType: string) => {
      const change = await service.sandbox.control('POST', `/checkouts/${checkoutId}/changes`, {
        ...{ paymentType, isSilent: true },
      });
      const payload = { id: change.body.id, paymentType, referencedId: change.body.paymentId };
      for (let time = 0; time < times; time += 1)
        await service.request('POST', '/v1/payments/eft-pay/webhook', { body: { type: 'PAYMENT', payload } });
    };
    for (const change of before) await report(change);
    expect(await link.events()).toEqual(['CREATED', 'CHECKOUT_OPENED']);

    await eventually(async () => (await link.verify(checkoutId)).body.status === 'ACCEPTED');
    for (const change of after) await report(change);
    const changes = before.length + after.length;
    const isBooked = (event: string) => ['TAKEN_BACK', 'BROUGHT_BACK', 'CHANGE_NOTED'].includes(event);
    await eventually(async () => {
      const events = await link.events();
      return events.filter(isBooked).length === changes && events.at(-1) === 'POLL_POSTPONED';
    });
    expect(await owedTo(owner)).toBe(String(owedCents));
    await expectAudited(owner);
  },
);

test.concurrent('the order pages of a payment that was taken back offer nothing that would be refused or lost, and tell the amount', async () => {
  const { owner, link, checkoutId } = await paidByCard();
  await switchOn(owner);
  const path = `/v1/escrow/${link.escrowId}`;
  const { body: urls } = await owner.post(`${path}/order-pages`);
  const pageOf = async (url: string) => (await visitor(service, url).get()).html.replaceAll('\u00a0', ' ');
  expect(await pageOf(urls.sellerUrl)).toContain('id="dispatch"');
  expect(await pageOf(urls.buyerUrl)).toContain('Your money comes back');

  await service.sandbox.change(checkoutId, 'RF', '40.00');
  await happens(owner, link, 'CHARGED_BACK');
  const [buyer, seller] = [await pageOf(urls.buyerUrl), await pageOf(urls.sellerUrl)];
  for (const html of [buyer, seller]) expect(html).toContain('The payment was taken back: USD 40.00');
  expect(seller).not.toContain('id="dispatch"');
  expect(buyer).not.toContain('Your money comes back');
  expect(buyer).toContain('What is held first settles the payment that was taken back.');

  await owner.post(`${path}/dispute`, { actor: 'BUYER', reason: 'Wet bags' });
  const newSplitPlan = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 10_000 };
  const { body: proposed } = await owner.post(`${path}/negotiate`, { actor: 'SELLER', newSplitPlan });
  const visit = visitor(service, urls.buyerUrl);
  await visit.submit('code', { act: 'answer' });
  const otp = await service.sandbox.codeFor(link.buyer.mobileNumber);
  await visit.submit('unlock', { act: 'answer', otp });
  const { html } = await visit.get();
  expect(html).not.toContain('value="accept"');
  expect(html).toContain('so nothing can be paid out now');
  expect(html).toContain('value="reject"');
  const accepted = await owner.post(`${path}/negotiate/${proposed.negotiationId}/accept`, { actor: 'BUYER' });
  expect(accepted).toMatchObject(refused(409, 'payment_charged_back'));
});

test.concurrent('a part of an order that settled the debt is not said to be back, and one that settled some of it is less', async () => {
  for (const [amount, row] of [
    [undefined, /Settled what the buyer owed.*USD 125\.00/s],
    ['40.00', /Back to the buyer, less what the buyer owed.*USD 125\.00/s],
  ] as const) {
    const { owner, link, checkoutId } = await paidByCard({
      milestones: [1, 2].map((part) => ({ title: `Part ${part}`, percentage: 50 })),
    });
    await switchOn(owner);
    const { body: urls } = await owner.post(`/v1/escrow/${link.escrowId}/order-pages`);
    const [{ id }] = (await link.escrow()).milestones;
    expect((await owner.post(`/v1/escrow/${link.escrowId}/release?milestoneId=${id}`)).status).toBe(200);
    await service.sandbox.change(checkoutId, 'CB', amount);
    await happens(owner, link, 'CHARGED_BACK');
    await owner.post(`/v1/escrow/${link.escrowId}/cancel`, { actor: 'ADMIN', reason: 'No rest' });
    for (const url of [urls.buyerUrl, urls.sellerUrl]) {
      const { html } = await visitor(service, url).get();
      const [, rows = ''] = /<h2 id="milestones">(.*?)<\/section>/s.exec(html.replaceAll('\u00a0', ' ')) ?? [];
      expect(rows).toMatch(row);
      expect(rows).toMatch(/Released to the seller.*USD 123\.75/s);
    }
  }
});

test.concurrent.each(['RF', 'RV'] as const)(
  '%s at the gateway is booked like a chargeback, as a refund',
  async (paymentType) => {
    const { owner, link, checkoutId } = await paidByCard();
    await service.sandbox.change(checkoutId, paymentType);
    await happens(owner, link, 'CHARGED_BACK');
    expect(await receivablesOf(owner)).toMatchObject([{ reason: 'REFUND', remaining_amount: String(LINK_CENTS) }]);
    expect(await owner.post(`/v1/escrow/${link.escrowId}/release`, {})).toMatchObject(
      refused(409, 'payment_charged_back'),
    );
  },
);

describe('the money of an escrow whose payment was charged back', () => {
  test.concurrent('settles the debt when the escrow is cancelled, and nothing of it can be withdrawn', async () => {
    const { owner, link, checkoutId } = await paidByCard();
    await service.sandbox.change(checkoutId, 'CB');
    await happens(owner, link, 'CHARGED_BACK');
    const cancelled = await owner.post(`/v1/escrow/${link.escrowId}/cancel`, {
      actor: 'SELLER',
      reason: 'Charged back',
    });
    expect(cancelled.status).toBe(200);
    expect(await link.account()).toMatchObject({ balance: '0', held_balance: '0' });
    expect(await owedTo(owner)).toBe('0');
    expect(await receivablesOf(owner, 'SETTLED')).toMatchObject([{ collected_amount: String(LINK_CENTS) }]);

    // The bank returns the money after all: now it is the buyer's.
    await service.sandbox.change(checkoutId, 'CR');
    await happens(owner, link, 'CHARGEBACK_REVERSED');
    expect(await link.account()).toMatchObject({ balance: String(LINK_CENTS), held_balance: '0' });
    expect(await owedTo(owner)).toBe('0');
    await expectAudited(owner);
  });

  test.concurrent('settles the debt with the part that a resolution gives back; the rest of the debt stays open', async () => {
    const { owner, link, checkoutId } = await paidByCard();
    await service.sandbox.change(checkoutId, 'CB');
    await happens(owner, link, 'CHARGED_BACK');
    await owner.post(`/v1/escrow/${link.escrowId}/dispute`, { actor: 'SELLER', reason: 'It was sent' });
    const resolved = await owner.post(`/v1/escrow/${link.escrowId}/admin-resolve`, {
      newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 15_000 },
      adminId: owner.owner.id,
    });
    expect(resolved.status).toBe(200);
    expect(await link.account()).toMatchObject({ balance: '0', held_balance: '0' });
    expect(await owedTo(owner)).toBe('-15000');
    expect(await receivablesOf(owner)).toMatchObject([{ remaining_amount: '15000', collected_amount: '10000' }]);
    // What was collected is a part of the refund.
    const { lines, held } = await historyOf(owner, link.escrowId);
    expect(lines.map(([type, cents]) => `${type} ${cents}`).sort()).toEqual([
      ...[`ESCROW_HOLD ${LINK_CENTS}`, 'PAYMENT 15000', 'REFUND 10000'],
    ]);
    expect(held).toBe('0');
    await expectAudited(owner);
  });
});

describe('a chargeback of a plain deposit', () => {
  const charge = (owner: TestCompany, depositId: string) =>
    owner.post(`/v1/payments/transaction/${depositId}/reverse`, { reason: 'Charged back', isChargeback: true });

  /** A user who has 1,000 left of a deposit of 10,000 that was charged back, and who then receives 20,000. */
  async function debtor() {
    const holder = await newHolder(service, { balance: 5_000 });
    const { company: owner, user } = holder;
    const { body: deposit } = await owner.post('/v1/payments/deposit', {
      ...{ userId: user.id, amount: 10_000, currency: 'USD' },
    });
    const spent = await owner.post('/v1/treasury/withdraw', asked(holder.accountId, 14_000));
    expect(spent.status).toBe(201);
    expect(await charge(owner, deposit.id)).toMatchObject({ status: 200 });
    return { ...holder, owner };
  }

  test.concurrent('takes the available balance; the rest is owed and blocks withdrawals until it is settled', async () => {
    const { owner, user, accountId, account } = await debtor();
    expect(await account()).toMatchObject({ available_balance: '0' });
    expect(await owedTo(owner)).toBe('-9000');
    await owner.post('/v1/payments/deposit', { userId: user.id, amount: 20_000, currency: 'USD' });
    const withdraw = () => owner.post('/v1/treasury/withdraw', asked(accountId, 100));
    expect(await withdraw()).toMatchObject(refused(422, 'receivable_open'));

    const [debt] = await receivablesOf(owner);
    const settle = (body: object) => owner.post(`/v1/treasury/receivables/${debt.id}/settle`, body);
    expect(await settle({ source: 'BALANCE', amount: 9_001, reason: 'Agreed' })).toMatchObject(
      refused(409, 'wrong_state'),
    );
    expect(await settle({ source: 'BALANCE', amount: 4_000, reason: 'Agreed' })).toMatchObject({
      status: 200,
      body: { status: 'OPEN', remaining_amount: '5000', collected_amount: '4000' },
    });
    expect(await withdraw()).toMatchObject(refused(422, 'receivable_open'));
    expect(await settle({ source: 'BALANCE', reason: 'Agreed' })).toMatchObject({ body: { status: 'SETTLED' } });
    expect(await settle({ source: 'BALANCE', reason: 'Again' })).toMatchObject(refused(409, 'wrong_state'));
    expect(await owedTo(owner)).toBe('0');
    expect((await withdraw()).status).toBe(201);
    await expectAudited(owner);
  });

  test.concurrent("is written off from the company's own money only", async () => {
    const { owner, accountId } = await debtor();
    const [debt] = await receivablesOf(owner);
    const writeOff = () =>
      owner.post(`/v1/treasury/receivables/${debt.id}/settle`, { source: 'WRITE_OFF', reason: 'The user has left' });
    expect(await writeOff()).toMatchObject(refused(422, 'insufficient_funds', { available: '0', requested: '9000' }));
    await owner.post('/v1/payments/deposit', { amount: 9_000, currency: 'USD' });
    expect(await writeOff()).toMatchObject({ status: 200, body: { status: 'SETTLED', written_off_amount: '9000' } });
    expect((await companyAccount(owner, 'COMPANY')).balance).toBe('0');
    expect(await owner.post('/v1/treasury/withdraw', asked(accountId, 100))).toMatchObject(
      refused(422, 'insufficient_funds'),
    );
    await expectAudited(owner);
  });

  test.concurrent('is settled once under one idempotency key', async () => {
    const { owner, user } = await debtor();
    await owner.post('/v1/payments/deposit', { userId: user.id, amount: 20_000, currency: 'USD' });
    const [debt] = await receivablesOf(owner);
    const settle = () =>
      owner.post(
        `/v1/treasury/receivables/${debt.id}/settle`,
        { source: 'BALANCE', amount: 1_000, reason: 'Agreed' },
        'settled-once',
      );
    await settle();
    await settle();
    expect(await receivablesOf(owner)).toMatchObject([{ remaining_amount: '8000' }]);
  });
});

test.concurrent('mobile money in escrow that is charged back by hand is not released, and without isChargeback it is refused', async () => {
  const seller = await newUser(company);
  const link = await offerLink(service, company, { sellerId: seller.id });
  const { body: paid } = await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
  expect(paid).toMatchObject({ status: 'ACCEPTED' });

  const path = `/v1/payments/transaction/${paid.transactionId}/reverse`;
  expect(await company.post(path, { reason: 'Charged back' })).toMatchObject(refused(422, 'insufficient_funds'));
  const reversal = await company.post(path, { reason: 'Charged back', isChargeback: true });
  expect(reversal).toMatchObject({ status: 200, body: { reverses: { id: paid.transactionId, status: 'REVERSED' } } });

  expect(await companyAccount(company, 'RECEIVABLE')).toMatchObject({ currency: 'USD', balance: String(-LINK_CENTS) });
  expect(await link.account()).toMatchObject({ balance: String(LINK_CENTS), held_balance: String(LINK_CENTS) });
  const release = await company.post(`/v1/escrow/${link.escrowId}/release`, {});
  expect(release).toMatchObject(refused(409, 'payment_charged_back'));
  expect(await link.escrow()).toMatchObject({ status: 'ACTIVE' });
  await expectAudited(company);
});

test.concurrent('a deposit in transit that bounced has a cause in the audit', async () => {
  const mine = await newCompany(service);
  const { body } = await mine.post('/v1/payments/deposit', { amount: 500, currency: 'USD', isTransit: true });
  await mine.post(`/v1/payments/transaction/${body.id}/reverse`, { reason: 'It bounced' });
  await expectAudited(mine);
});
