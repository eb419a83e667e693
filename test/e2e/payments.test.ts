import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

describe('getting paid over a link', () => {
  let service: TestService;
  let company: TestCompany;

  beforeAll(async () => {
    service = await sharedService();
    company = await newCompany(service);
  });
  afterAll(() => service.stop());

  const AMOUNT = 25_000;

  async function offer(fields: Record<string, unknown> = {}) {
    const mobileNumber = nextMobileNumber();
    const buyer = await newUser(company, { mobileNumber, firstName: 'Bea', lastName: 'Buyer' });
    const seller = await newUser(company);
    const { status, body } = await company.post('/v1/payments/generate-escrow-payment-link', {
      buyerId: buyer.id,
      sellerId: seller.id,
      amount: AMOUNT,
      currency: 'USD',
      items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
      externalReference: `order-${randomUUID()}`,
      ...fields,
    });
    expect(status).toBe(201);
    const hash: string = body.hash;
    const say = (path: string, fields_: Record<string, unknown> = {}) =>
      service.request('POST', `/v1/payments/${path}`, { body: { paymentSlug: hash, ...fields_ } });
    return {
      buyer: { ...buyer, mobileNumber },
      seller,
      hash,
      escrow: async () => (await company.get(`/v1/escrow/${body.escrowId}`)).body,
      details: async () => (await service.request('GET', `/v1/payments/link-details/${hash}`)).body,
      balance: async () => (await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`)).body,
      say,
    };
  }

  async function codeSentTo(messagingNumber: string): Promise<string> {
    const asked = await service.request('POST', '/v1/payments/request-checkout-otp', { body: { messagingNumber } });
    expect(asked).toMatchObject({ status: 200, body: { sent: true, expiresIn: 300 } });
    return service.sandbox.codeFor(messagingNumber);
  }

  test.concurrent("an escrow waits for its link, and the link's details contain only a first name", async () => {
    const link = await offer();
    expect(await link.escrow()).toMatchObject({ status: 'PENDING', heldAmount: '0' });
    const details = await link.details();
    expect(details).toMatchObject({
      status: 'PENDING',
      amount: AMOUNT,
      escrowStatus: 'PENDING',
      buyer: { name: 'Bea B.' },
    });
    expect(JSON.stringify(details)).not.toContain(link.buyer.mobileNumber);
    expect(Buffer.from(link.hash, 'base64url').length).toBeGreaterThanOrEqual(16);
  });

  test.concurrent('a buyer with a balance pays by one-time password, once', async () => {
    const link = await offer();
    await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 30_000, currency: 'USD' });
    expect(await link.say('accept-payment')).toMatchObject({ status: 400, body: { code: 'otp_required' } });
    const otp = await codeSentTo(link.buyer.mobileNumber);
    const wrong = otp === '000000' ? '000001' : '000000';
    const proof = { messagingNumber: link.buyer.mobileNumber };
    expect(await link.say('accept-payment', { ...proof, otp: wrong })).toMatchObject({
      status: 422,
      body: { code: 'otp_invalid' },
    });
    const paid = await link.say('accept-payment', { ...proof, otp });
    expect(paid).toMatchObject({ status: 200, body: { status: 'ACCEPTED' } });
    expect(await link.say('accept-payment', { ...proof, otp })).toMatchObject({ status: 200, body: paid.body });
    expect(await link.escrow()).toMatchObject({ status: 'ACTIVE', heldAmount: String(AMOUNT) });
    expect(await link.balance()).toMatchObject({ balance: '30000', held_balance: String(AMOUNT) });
    expect(await link.say('reject-payment')).toMatchObject({ status: 409 });
  });

  test.concurrent('a card pays: declined, tried again, credited and held once, also for repeated notifications', async () => {
    const link = await offer();
    const declined = await link.say('eft-pay/initiate');
    expect(declined).toMatchObject({ status: 200 });
    expect((await link.say('eft-pay/initiate')).body.checkoutId).toBe(declined.body.checkoutId);
    await service.sandbox.settle(declined.body.checkoutId, 'declined');
    const verify = (checkoutId: string) =>
      service.request('POST', '/v1/payments/eft-pay/verify', {
        body: { resourcePath: `/v1/checkouts/${checkoutId}/payment` },
      });
    await eventually(async () => (await verify(declined.body.checkoutId)).body.status === 'DECLINED');
    expect((await link.details()).status).toBe('PENDING');

    const again = await link.say('eft-pay/initiate');
    expect(again.body.checkoutId).not.toBe(declined.body.checkoutId);
    await service.sandbox.settle(again.body.checkoutId, 'success');
    const verified = await eventually(async () => {
      const answer = await verify(again.body.checkoutId);
      return answer.body.status === 'ACCEPTED' && answer.body;
    });
    expect(await verify(again.body.checkoutId)).toMatchObject({ body: verified });
    expect(await link.escrow()).toMatchObject({ status: 'ACTIVE', heldAmount: String(AMOUNT) });
    expect(await link.balance()).toMatchObject({ balance: String(AMOUNT), held_balance: String(AMOUNT) });
    const deposit = await company.get(`/v1/payments/transaction/${verified.transactionId}`);
    expect(deposit.body).toMatchObject({ type: 'DEPOSIT', amount: String(AMOUNT), status: 'COMPLETED' });
  });

  test.concurrent('card money that comes after the link was rejected is on the balance of the buyer', async () => {
    const link = await offer();
    const { body: checkout } = await link.say('eft-pay/initiate');
    expect(await link.say('reject-payment')).toMatchObject({ status: 200, body: { status: 'REJECTED' } });
    expect(await link.escrow()).toMatchObject({ status: 'CANCELLED' });
    await service.sandbox.settle(checkout.checkoutId, 'success');
    await eventually(async () => (await link.balance()).balance === String(AMOUNT));
    expect(await link.balance()).toMatchObject({ held_balance: '0' });
    expect((await link.details()).status).toBe('REJECTED');
    expect(await link.say('accept-payment', { messagingNumber: link.buyer.mobileNumber, otp: '123456' })).toMatchObject(
      { status: 409 },
    );
  });

  test.concurrent.each([
    ['approve', 'ACCEPTED', 'ACTIVE'],
    ['decline', 'DECLINED', 'PENDING'],
  ] as const)('mobile money: %s is %s, and the escrow is %s', async (outcome, status, escrowStatus) => {
    const link = await offer();
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, outcome);
    const answer = await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
    expect(answer).toMatchObject({ status: 200, body: { status } });
    expect(await link.escrow()).toMatchObject({ status: escrowStatus });
    if (status === 'DECLINED') expect((await link.details()).status).toBe('PENDING');
  });

  test.concurrent('cancelling the escrow closes its link', async () => {
    const link = await offer();
    const { id } = await link.escrow();
    expect(await company.post(`/v1/escrow/${id}/cancel`, { actor: 'SELLER', reason: 'Sold out' })).toMatchObject({
      status: 200,
      body: { status: 'CANCELLED', refundTransactionId: null },
    });
    expect((await link.details()).status).toBe('REJECTED');
  });

  test.concurrent('guessing a one-time password ends at five', async () => {
    const link = await offer();
    const otp = await codeSentTo(link.buyer.mobileNumber);
    const tries = Array.from({ length: 7 }, (_, index) =>
      String((Number(otp) + index + 1) % 1_000_000).padStart(6, '0'),
    );
    const answers = [];
    for (const guess of [...tries, otp])
      answers.push((await link.say('accept-payment', { messagingNumber: link.buyer.mobileNumber, otp: guess })).status);
    expect(answers).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
  });
});
