import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAdministrator } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { newCompany, newParties, newUser, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { textOfPdf } from '../support/statements.ts';

/** The test clock: a tester moves the time of one company, and its deadlines pass at once. */

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const advance = (company: TestCompany, advanceHours: number) => company.post('/v1/sandbox/clock', { advanceHours });
const hoursUntil = (instant: string, from: string) => (Date.parse(instant) - Date.parse(from)) / 3_600_000;

async function newEscrow(of: TestCompany, fields: Record<string, unknown> = {}) {
  const { escrow } = await newParties(of);
  const { body } = await of.post('/v1/escrow/initiate', escrow(fields));
  const path = `/v1/escrow/${body.id}`;
  return {
    path,
    read: async () => (await of.get(path)).body,
    timeline: async () => (await of.get(`${path}/timeline`)).body as { event: string; at: string }[],
    async deliver() {
      const { items } = (await of.get(path)).body;
      const sent = items.map(
        ({ id, quantity, pricePerUnit }: { id: string; quantity: number; pricePerUnit: number }) => ({
          itemId: id,
          quantity,
          price_per_item: pricePerUnit,
        }),
      );
      return of.post(`${path}/delivery-note`, { items: sent });
    },
  };
}

describe('the clock of a company', () => {
  test('shows real time until it is moved, and then its offset', async () => {
    const company = await newCompany(service);
    const { body: before } = await company.get('/v1/sandbox/clock');
    expect(before).toEqual({ now: before.realNow, realNow: before.realNow, hoursAhead: 0 });
    const moved = await advance(company, 72);
    expect(moved).toMatchObject({ status: 200, body: { hoursAhead: 72, wokenRuns: 0 } });
    await advance(company, 24);
    const { body: after } = await company.get('/v1/sandbox/clock');
    expect(after.hoursAhead).toBe(96);
    expect(hoursUntil(after.now, after.realNow)).toBe(96);
  });

  test('moves once for one idempotency key', async () => {
    const company = await newCompany(service);
    const body = { advanceHours: 5 };
    const first = await company.post('/v1/sandbox/clock', body, 'one-move');
    const again = await company.post('/v1/sandbox/clock', body, 'one-move');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await company.get('/v1/sandbox/clock')).body.hoursAhead).toBe(5);
  });

  test.each([0, -1, 1.5, 366 * 24 + 1, '72', null])('does not accept %p hours', async (advanceHours) => {
    const company = await newCompany(service);
    expect(await company.post('/v1/sandbox/clock', { advanceHours })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });

  test('is at most ten years ahead', async () => {
    const company = await newCompany(service);
    for (let year = 1; year <= 10; year++) expect(await advance(company, 366 * 24)).toMatchObject({ status: 200 });
    expect(await advance(company, 1)).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
    expect((await company.get('/v1/sandbox/clock')).body.hoursAhead).toBe(10 * 366 * 24);
  });

  test('can be read by every role, and moved by every role but MANAGER', async () => {
    const company = await newCompany(service);
    const { token } = await newAdministrator(service, company, 'manager');
    const headers = { authorization: `Bearer ${token}`, 'x-company-id': company.id };
    const asManager = (method: string, body?: object) =>
      service.request(method, '/v1/sandbox/clock', { headers, ...(body === undefined ? {} : { body }) });
    expect(await asManager('GET')).toMatchObject({ status: 200 });
    expect(await asManager('POST', { advanceHours: 1 })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

describe('deadlines pass when the clock moves', () => {
  test.concurrent('an escrow is released 72 hours after delivery', async () => {
    const company = await newCompany(service);
    const escrow = await newEscrow(company, { autoReleaseHours: 72 });
    await escrow.deliver();
    expect((await advance(company, 71)).body).toMatchObject({ wokenRuns: 1 });
    expect((await escrow.read()).status).toBe('DELIVERY_NOTED');
    await advance(company, 1);
    await eventually(async () => (await escrow.read()).status === 'COMPLETED');
    expect((await escrow.timeline()).at(-1)).toMatchObject({ event: 'AUTO_RELEASED' });
  });

  test.concurrent('a link expires, and its escrow is cancelled', async () => {
    const company = await newCompany(service);
    const link = await offerLink(service, company);
    await advance(company, 24);
    expect((await link.details()).status).toBe('EXPIRED');
    expect((await company.get('/v1/payments/links?status=EXPIRED')).body.total).toBe(1);
    expect(await link.say('eft-pay/initiate')).toMatchObject({ status: 410, body: { code: 'link_expired' } });
    await eventually(async () => (await link.escrow()).status === 'CANCELLED');
  });

  test.concurrent('a proposal lapses', async () => {
    const company = await newCompany(service);
    const escrow = await newEscrow(company);
    const proposed = await company.post(`${escrow.path}/negotiate`, {
      actor: 'BUYER',
      newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 10_000 },
    });
    expect(proposed.status).toBe(200);
    await advance(company, 7 * 24);
    await eventually(async () => (await escrow.read()).openNegotiation === null);
    expect((await escrow.timeline()).at(-1)).toMatchObject({ event: 'NEGOTIATION_LAPSED' });
  });

  test.concurrent('a card that stays pending is given up after a week, and the link then expires', async () => {
    const company = await newCompany(service);
    const link = await offerLink(service, company);
    const { body: checkout } = await link.say('eft-pay/initiate');
    await service.sandbox.settle(checkout.checkoutId, 'pending');
    expect((await link.verify(checkout.checkoutId)).body.status).toBe('PROCESSING');
    await advance(company, 24);
    expect((await link.details()).status).toBe('PROCESSING');
    await advance(company, 7 * 24);
    await eventually(async () => (await link.details()).status === 'EXPIRED');
    await eventually(async () => (await link.escrow()).status === 'CANCELLED');
  });

  test.concurrent('an unused card form lapses', async () => {
    const company = await newCompany(service);
    const link = await offerLink(service, company);
    await link.say('eft-pay/initiate');
    await advance(company, 1);
    await eventually(async () => (await link.events()).includes('CHECKOUT_LAPSED'));
  });

  test.concurrent('a one-time password expires', async () => {
    const company = await newCompany(service);
    const link = await offerLink(service, company);
    await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 30_000, currency: 'USD' });
    const messagingNumber = link.buyer.mobileNumber;
    await link.say('request-checkout-otp', { messagingNumber });
    const otp = await service.sandbox.codeFor(messagingNumber);
    await advance(company, 1);
    expect(await link.say('accept-payment', { messagingNumber, otp })).toMatchObject({
      status: 422,
      body: { code: 'otp_expired' },
    });
  });
});

describe('a company with a moved clock', () => {
  test.concurrent('gives new objects the time of its clock: creation, deadlines and expiry', async () => {
    const company = await newCompany(service);
    await advance(company, 1_000);
    const { body: clock } = await company.get('/v1/sandbox/clock');
    const escrow = await newEscrow(company, { autoReleaseHours: 72 });
    await escrow.deliver();
    const { createdAt, autoReleaseAt } = await escrow.read();
    expect(hoursUntil(createdAt, clock.now)).toBeCloseTo(0, 1);
    expect(hoursUntil(autoReleaseAt, clock.now)).toBeCloseTo(72, 1);
    const link = await offerLink(service, company);
    expect(hoursUntil((await link.details()).expiresAt, clock.now)).toBeCloseTo(24, 1);
    expect((await link.details()).status).toBe('PENDING');
    await advance(company, 72);
    await eventually(async () => (await escrow.read()).status === 'COMPLETED');
  });

  test.concurrent('accepts payments from the balance with a code, and by card', async () => {
    const company = await newCompany(service);
    await advance(company, 1_000);
    const [byCode, byCard] = [await offerLink(service, company), await offerLink(service, company)];
    await company.post('/v1/payments/deposit', { userId: byCode.buyer.id, amount: 30_000, currency: 'USD' });
    const messagingNumber = byCode.buyer.mobileNumber;
    await byCode.say('request-checkout-otp', { messagingNumber });
    const otp = await service.sandbox.codeFor(messagingNumber);
    expect((await byCode.say('accept-payment', { messagingNumber, otp })).body.status).toBe('ACCEPTED');
    const { body: checkout } = await byCard.say('eft-pay/initiate');
    await service.sandbox.settle(checkout.checkoutId, 'success');
    await eventually(async () => (await byCard.details()).status === 'ACCEPTED');
  });

  // Jest lets no concurrent test load a module, as the reader of PDF does.
  test('is the time at which a receipt is issued', async () => {
    const company = await newCompany(service);
    const seller = await newUser(company);
    const link = await offerLink(service, company, { sellerId: seller.id });
    await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
    await advance(company, 24 * 400);
    const { now } = (await company.get('/v1/sandbox/clock')).body;
    const receipt = await fetch(`${service.url}${link.path}/receipt`, { headers: { 'accept-language': 'en' } });
    const [, issued] = /Issued .*?(\d{4})/.exec(await textOfPdf(receipt)) ?? [];
    expect(issued).toBe(now.slice(0, 4));
  });

  test.concurrent('keeps real time in ledger, events and audit log', async () => {
    const company = await newCompany(service);
    await advance(company, 1_000);
    const escrow = await newEscrow(company);
    const { body: released } = await company.post(`${escrow.path}/release`);
    const { body: clock } = await company.get('/v1/sandbox/clock');
    const { createdAt } = (await company.get(`/v1/payments/transaction/${released.transactionId}`)).body;
    expect(hoursUntil(createdAt, clock.realNow)).toBeCloseTo(0, 1);
    const at = (await escrow.timeline()).at(-1)?.at ?? '';
    expect(hoursUntil(at, clock.now)).toBeCloseTo(0, 1);
    const event = await eventually(async () => {
      const { body } = await company.get('/v1/events?type=escrow.released');
      return body.data[0];
    });
    expect(hoursUntil(event.createdAt, clock.realNow)).toBeCloseTo(0, 1);
    const { body: audit } = await company.get('/v1/core/audit-log?limit=1');
    expect(hoursUntil(audit.data[0].at, clock.realNow)).toBeCloseTo(0, 1);
    expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true });
  });

  test.concurrent('asks the bank about a withdrawal until it has paid', async () => {
    const company = await newCompany(service);
    const { buyer } = await newParties(company);
    const tellBank = (outcome: string) =>
      service.sandbox.control('POST', '/payouts', { outcome, reference: 'late-payout' });
    await tellBank('manual');
    const { body } = await company.post('/v1/treasury/withdraw', {
      accountId: buyer.usdAccountId,
      amount: 1_000,
      externalReference: 'late-payout',
      bank_name: 'CBZ Bank',
      branch_code: '6101',
      account_number: '01234567890123',
      account_name: 'Sam Seller',
    });
    const read = async () => (await company.get(`/v1/treasury/withdrawals/${body.id}`)).body;
    const status = async () => (await read()).status;
    await eventually(async () => (await read()).timeline.at(-1).event === 'SUBMITTED');
    await advance(company, 240);
    expect(await status()).toBe('PROCESSING');
    await tellBank('settled');
    await advance(company, 1);
    await eventually(async () => (await status()) === 'COMPLETED');
  });
});

test("another company's time does not move", async () => {
  const company = await newCompany(service);
  const other = await newCompany(service);
  const [ours, theirs] = [
    await newEscrow(company, { autoReleaseHours: 72 }),
    await newEscrow(other, { autoReleaseHours: 72 }),
  ];
  const link = await offerLink(service, other);
  for (const escrow of [ours, theirs]) await escrow.deliver();
  expect((await advance(company, 1_000)).body.wokenRuns).toBe(1);
  await eventually(async () => (await ours.read()).status === 'COMPLETED');
  expect((await theirs.read()).status).toBe('DELIVERY_NOTED');
  expect((await link.details()).status).toBe('PENDING');
  expect((await other.get('/v1/sandbox/clock')).body.hoursAhead).toBe(0);
});

test("links of a company with a moved clock are not newer than another company's later ones", async () => {
  const company = await newCompany(service);
  const mobileNumber = nextMobileNumber();
  const other = await newCompany(service, 'Later Market');
  await advance(company, 8_784);
  await offerLink(service, company, {}, { mobileNumber });
  await offerLink(service, other, {}, { mobileNumber });
  await service.request('POST', '/v1/payments/request-checkout-otp', { body: { messagingNumber: mobileNumber } });
  await service.sandbox.codeFor(mobileNumber);
  const [message] = await service.sandbox.messagesTo(mobileNumber);
  expect(message?.merchant).toMatch(/^Later Market/); // the newest comes first
});

describe('messages', () => {
  test('are those to buyers of the company, newest first', async () => {
    const company = await newCompany(service);
    const other = await newCompany(service);
    const [first, second, foreign] = [
      await offerLink(service, company),
      await offerLink(service, company),
      await offerLink(service, other),
    ];
    for (const link of [first, second, foreign])
      await link.say('request-checkout-otp', { messagingNumber: link.buyer.mobileNumber });
    const { messages } = await eventually(async () => {
      const { body } = await company.get('/v1/sandbox/messages');
      return body.messages.length === 2 && body;
    });
    const numbers = messages.map(({ to }: { to: string }) => to);
    expect(numbers.toSorted()).toEqual([first.buyer.mobileNumber, second.buyer.mobileNumber].toSorted());
    const { body } = await company.get(`/v1/sandbox/messages?to=${encodeURIComponent(first.buyer.mobileNumber)}`);
    expect(body.messages).toEqual([
      {
        to: first.buyer.mobileNumber,
        code: await service.sandbox.codeFor(first.buyer.mobileNumber),
        merchant: expect.any(String),
        amount: 'USD 250.00',
        sentAt: expect.any(String),
      },
    ]);
  });
});
