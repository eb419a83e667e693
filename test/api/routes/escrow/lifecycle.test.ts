import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, newAdministrator, nobody, refused, sql, type TestAdministrator } from '../../../support/api.ts';
import { beginEscrow, UNTOUCHED } from '../../../support/escrows.ts';
import { newCompany, newUser, type TestCompany, type TestService, untilAnswered } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;
let manager: TestAdministrator;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  manager = await newAdministrator(service, company, 'manager');
});
afterAll(() => service.stop());

async function begun(fields: Record<string, unknown> = {}) {
  const escrow = await beginEscrow(company, fields);
  return {
    ...escrow,
    counted: { items: [{ itemId: escrow.itemId, quantity: 2, price_per_item: 12_500 }] },
    release: (query = '') => company.post(`${escrow.path}/release${query}`),
    cancel: (actor: string) => company.post(`${escrow.path}/cancel`, { actor, reason: 'changed my mind' }),
  };
}

test('an escrow that waits for its payment link is PENDING and can be cancelled', async () => {
  const own = await newCompany(service);
  const buyer = await newUser(own);
  const items = [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }];
  const order = { buyerId: buyer.id, amount: 25_000, currency: 'USD', items };
  expect(await own.post('/v1/payments/generate-escrow-payment-link', order)).toMatchObject({ status: 201 });
  const { body: list } = await own.get('/v1/escrow?status=PENDING');
  const path = `/v1/escrow/${list.data[0].id}`;
  const { body: escrow } = await own.get(path);
  expect(escrow).toMatchObject({ status: 'PENDING', heldAmount: '0' });
  expect(await own.post(`${path}/cancel`, { actor: 'BUYER', reason: 'too late' })).toMatchObject({
    status: 200,
    body: { status: 'CANCELLED', refundTransactionId: null },
  });
});

const PAID = { buyer: ['75000', '0'], seller: ['24750', '0'] };
const REFUNDED = { buyer: ['100000', '0'], seller: ['0', '0'] };

describe.each([
  ['delivery-note', 'DELIVERY_NOTED', 'SELLER'],
  ['goods-received', 'GOODS_RECEIVED', 'BUYER'],
])('POST /v1/escrow/{id}/%s', (step, status, actor) => {
  test('records the counted items as sent, with the notes, and moves no money', async () => {
    const escrow = await begun();
    const answer = await company.post(`${escrow.path}/${step}`, { ...escrow.counted, notes: ' By truck ' });
    expect(answer).toMatchObject({ status: 200, body: { status, updatedAt: expect.any(String) } });
    expect(await escrow.read()).toMatchObject({ status, updatedAt: answer.body.updatedAt });
    expect((await escrow.timeline()).at(-1)).toMatchObject({
      event: status,
      actor,
      at: answer.body.updatedAt,
      details: { notes: 'By truck', items: escrow.counted.items },
    });
    expect(await escrow.money()).toEqual(UNTOUCHED);
  });

  test('accepts a part of the order, bare ids, and repetitions', async () => {
    const { path, itemId } = await begun();
    const part = { items: [{ itemId: bare(itemId), quantity: 1, price_per_item: 12_500 }] };
    expect(await company.post(`${path}/${step}`, part)).toMatchObject({ status: 200, body: { status } });
    expect(await company.post(`${path}/${step}`, part)).toMatchObject({ status: 200, body: { status } });
  });

  test('of one of two pieces is shown as partial, with the other one as complete, and the escrow can be cancelled', async () => {
    const escrow = await begun();
    const one = { items: [{ itemId: escrow.itemId, quantity: 1, price_per_item: 12_500 }] };
    await company.post(`${escrow.path}/${step}`, one);
    expect((await escrow.timeline()).at(-1)).toMatchObject({ event: status, details: { isPartial: true } });
    expect((await escrow.read()).items).toMatchObject([
      { quantity: 2, receivedQuantity: status === 'GOODS_RECEIVED' ? 1 : 0 },
    ]);
    await company.post(`${escrow.path}/${step}`, one);
    expect((await escrow.timeline()).at(-1)).toMatchObject({ event: status, details: { isPartial: false } });
    expect(await escrow.cancel('SELLER')).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
    expect(await escrow.money()).toEqual(REFUNDED);
  });

  test('with prices other than the order: a receipt is 422 price_mismatch, a delivery note is accepted', async () => {
    const escrow = await begun();
    const items = [{ itemId: escrow.itemId, quantity: 2, price_per_item: 12_499 }];
    const answer = await company.post(`${escrow.path}/${step}`, { items });
    if (step === 'delivery-note') expect(answer).toMatchObject({ status: 200, body: { status } });
    else {
      expect(answer).toMatchObject(refused(422, 'price_mismatch', { available: '12500', requested: '12499' }));
      expect(await escrow.read()).toMatchObject({ status: 'ACTIVE' });
    }
  });

  test('an item the escrow does not have: 422 unknown_item, and nothing happens', async () => {
    const [escrow, another] = [await begun(), await begun()];
    for (const itemId of [nobody('itm'), another.itemId])
      expect(
        await company.post(`${escrow.path}/${step}`, { items: [{ itemId, quantity: 1, price_per_item: 1 }] }),
      ).toMatchObject(refused(422, 'unknown_item'));
    expect((await escrow.read()).status).toBe('ACTIVE');
  });

  test('more than was ordered, in one line or in two: 422 quantity_exceeds_order', async () => {
    const { path, itemId } = await begun();
    const line = (quantity: number) => ({ itemId, quantity, price_per_item: 12_500 });
    for (const items of [[line(3)], [line(1), line(2)]]) {
      const answer = await company.post(`${path}/${step}`, { items });
      expect(answer).toMatchObject(refused(422, 'quantity_exceeds_order'));
      expect(answer.body.detail).toContain(itemId); // the public id
    }
  });

  const line = { itemId: 'itm_01900000-0000-7000-8000-000000000001', quantity: 1, price_per_item: 1 };
  test.each([
    ['no items', {}],
    ['an empty list', { items: [] }],
    ['101 lines', { items: Array.from({ length: 101 }, () => line) }],
    ['an id of another kind', { items: [{ ...line, itemId: 'usr_01900000-0000-7000-8000-000000000001' }] }],
    ['no quantity', { items: [{ ...line, quantity: 0 }] }],
    ['no price', { items: [{ ...line, price_per_item: undefined }] }],
    ['a negative price', { items: [{ ...line, price_per_item: -1 }] }],
    ['notes of 2,001 characters', { items: [line], notes: 'x'.repeat(2_001) }],
    ['control characters', { items: [line], notes: 'a\u0000b' }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await company.post(`/v1/escrow/${nobody('esc')}/${step}`, body)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});

describe('POST /v1/escrow/{id}/release', () => {
  test('pays the seller less the fee and returns the amounts', async () => {
    const escrow = await begun();
    const { status, body } = await escrow.release();
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'COMPLETED',
      sellerPayout: '24750',
      systemFee: '250',
      serviceFee: '0',
      transactionId: expect.stringMatching(/^txn_/),
    });
    expect(await escrow.money()).toEqual(PAID);
    expect(await company.get(`/v1/payments/transaction/${body.transactionId}`)).toMatchObject({
      status: 200,
      body: { type: 'PAYMENT', amount: '25000', currency: 'USD', status: 'COMPLETED', escrowId: escrow.id },
    });
  });

  test('a fee on top is paid by the buyer: the seller gets the whole total', async () => {
    const escrow = await begun({ feePayer: 'BUYER' });
    expect(await escrow.release()).toMatchObject({ body: { sellerPayout: '25000', systemFee: '250' } });
    expect(await escrow.money()).toEqual({ buyer: ['74750', '0'], seller: ['25000', '0'] });
  });

  test('a second release: 409 wrong_state, and the seller is paid once', async () => {
    const escrow = await begun();
    await escrow.release();
    expect(await escrow.release()).toMatchObject(refused(409, 'wrong_state'));
    expect(await escrow.money()).toEqual(PAID);
  });

  test('release and cancel at the same moment: one of them happens', async () => {
    const escrow = await begun();
    const answers = await Promise.all([escrow.release(), escrow.cancel('BUYER')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const isPaid = answers[0].status === 200;
    expect(await escrow.money()).toEqual(isPaid ? PAID : REFUNDED);
  });

  test('to a blacklisted seller: 403, and the money stays held; a blacklisted buyer does not prevent it', async () => {
    const escrow = await begun();
    const blacklist = ({ id }: { id: string }, status: string) =>
      sql(service, 'update app_user set identity_status = $2 where id = $1', [bare(id), status]);
    await blacklist(escrow.buyer, 'BLACKLISTED');
    await blacklist(escrow.seller, 'BLACKLISTED');
    expect(await escrow.release()).toMatchObject(refused(403, 'user_blacklisted'));
    expect(await escrow.money()).toEqual(UNTOUCHED);
    await blacklist(escrow.seller, 'CLEAR');
    expect(await escrow.release()).toMatchObject({ status: 200 });
  });

  test('from and to frozen accounts is possible: holds may be paid, and every account may receive', async () => {
    const escrow = await begun();
    for (const { usdAccountId } of [escrow.buyer, escrow.seller])
      await sql(service, 'update account set is_frozen = true where id = $1', [bare(usdAccountId)]);
    expect(await escrow.release()).toMatchObject({ status: 200 });
    expect(await escrow.money()).toEqual(PAID);
  });

  test('a MANAGER may release', async () => {
    const { path } = await begun();
    expect(await manager.post(`${path}/release`)).toMatchObject({ status: 200 });
  });

  test('takes no body: a milestone that is named in one is refused, and not everything released', async () => {
    const { path } = await begun();
    expect(await company.post(`${path}/release`, { milestoneId: 'nonsense' })).toMatchObject(
      refused(400, 'validation_failed'),
    );
    expect(await company.post(`${path}/release`, {})).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  });
});

describe('POST /v1/escrow/{id}/release?milestoneId', () => {
  const milestones = [
    { title: 'One', percentage: 33 },
    { title: 'Two', percentage: 33 },
    { title: 'Three', percentage: 34 },
  ];
  const order = { items: [{ name: 'House', quantity: 1, pricePerUnit: 10_001 }], milestones };

  test('pays that milestone alone; the last one completes the escrow, to the cent', async () => {
    const escrow = await begun(order);
    const [one, two, three] = escrow.milestoneIds;
    expect(await escrow.release(`?milestoneId=${one}`)).toMatchObject({
      status: 200,
      body: { status: 'ACTIVE', sellerPayout: '3267', systemFee: '33', serviceFee: '0' },
    });
    expect(await escrow.read()).toMatchObject({
      status: 'ACTIVE',
      heldAmount: '6701',
      milestones: [{ status: 'RELEASED' }, { status: 'PENDING' }, { status: 'PENDING' }],
    });
    expect(await escrow.release(`?milestoneId=${bare(three ?? '')}`)).toMatchObject({ body: { sellerPayout: '3367' } });
    expect(await escrow.release(`?milestoneId=${two}`)).toMatchObject({
      body: { status: 'COMPLETED', sellerPayout: '3267', systemFee: '33' },
    });
    expect(await escrow.money()).toEqual({ buyer: ['89999', '0'], seller: ['9901', '0'] });
  });

  test('without a milestoneId pays the remaining amount', async () => {
    const escrow = await begun(order);
    await escrow.release(`?milestoneId=${escrow.milestoneIds[0]}`);
    expect(await escrow.release()).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED', sellerPayout: '6634', systemFee: '67' },
    });
    expect(await escrow.money()).toEqual({ buyer: ['89999', '0'], seller: ['9901', '0'] });
  });

  test("an unknown milestone, another escrow's, or any of an escrow without milestones: 404, even after the end", async () => {
    const [escrow, another, plain] = [await begun(order), await begun(order), await begun()];
    for (const id of [nobody('mst'), another.milestoneIds[0]])
      expect(await escrow.release(`?milestoneId=${id}`)).toMatchObject(refused(404, 'not_found'));
    await plain.release();
    expect(await plain.release(`?milestoneId=${nobody('mst')}`)).toMatchObject(refused(404, 'not_found'));
    expect(await escrow.money()).toEqual({ buyer: ['100000', '10001'], seller: ['0', '0'] });
  });

  test.each(['one', 'esc_01900000-0000-7000-8000-000000000001', ''])('milestoneId=%s: 400', async (id) => {
    expect(await company.post(`/v1/escrow/${nobody('esc')}/release?milestoneId=${id}`)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });

  test('cancelling returns the remaining amount and marks it', async () => {
    const escrow = await begun(order);
    await escrow.release(`?milestoneId=${escrow.milestoneIds[0]}`);
    expect(await escrow.cancel('SELLER')).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
    expect(await escrow.money()).toEqual({ buyer: ['96700', '0'], seller: ['3267', '0'] });
    expect((await escrow.read()).milestones.map(({ status }: { status: string }) => status)).toEqual([
      'RELEASED',
      'REFUNDED',
      'REFUNDED',
    ]);
  });
});

describe('POST /v1/escrow/{id}/cancel', () => {
  test.each(['BUYER', 'SELLER', 'ADMIN'])('by %s returns the whole amount to the buyer', async (actor) => {
    const escrow = await begun({ feePayer: 'BUYER' });
    const { status, body } = await escrow.cancel(actor);
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'CANCELLED', refundTransactionId: expect.stringMatching(/^txn_/) });
    expect(await escrow.money()).toEqual(REFUNDED);
    expect(await company.get(`/v1/payments/transaction/${body.refundTransactionId}`)).toMatchObject({
      status: 200,
      body: { type: 'REFUND', amount: '25250', escrowId: escrow.id },
    });
    expect((await escrow.timeline()).at(-1)).toMatchObject({
      event: 'CANCELLED',
      actor,
      details: { reason: 'changed my mind' },
    });
  });

  test('as ADMIN needs the role: a MANAGER is refused, an ADMIN and a super administrator are not', async () => {
    const [one, two] = [await begun(), await begun()];
    const body = { actor: 'ADMIN', reason: 'fraud' };
    expect(await manager.post(`${one.path}/cancel`, body)).toMatchObject(refused(403, 'forbidden'));
    expect(await one.money()).toEqual(UNTOUCHED);
    const admin = await newAdministrator(service, company, 'admin');
    expect(await admin.post(`${one.path}/cancel`, body)).toMatchObject({ status: 200 });
    const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
    const byPlatform = (key: string) =>
      service.request('POST', `${two.path}/cancel`, { headers: { ...headers, 'x-idempotency-key': key }, body });
    expect(await untilAnswered(byPlatform)).toMatchObject({ status: 200 });
  });

  test('by a MANAGER for a party is allowed', async () => {
    const { path } = await begun();
    expect(await manager.post(`${path}/cancel`, { actor: 'BUYER', reason: 'late' })).toMatchObject({ status: 200 });
  });

  test.each([
    ['no actor', { reason: 'late' }],
    ['an unknown actor', { actor: 'SYSTEM', reason: 'late' }],
    ['an actor in small letters', { actor: 'buyer', reason: 'late' }],
    ['no reason', { actor: 'BUYER' }],
    ['an empty reason', { actor: 'BUYER', reason: ' ' }],
    ['a reason of 2,001 characters', { actor: 'BUYER', reason: 'x'.repeat(2_001) }],
  ])('%s: validation_failed', async (_what, body) => {
    expect(await company.post(`/v1/escrow/${nobody('esc')}/cancel`, body)).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});

test('the books balance at the end', async () => {
  expect(await company.get('/v1/ledger/verify-ledger-integrity')).toMatchObject({
    status: 200,
    body: { ok: true, mismatches: [] },
  });
});
