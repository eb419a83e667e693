import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  newCompany,
  newParties,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

describe('from registration to payout', () => {
  let service: TestService & WithTemporal;
  let company: TestCompany;

  beforeAll(async () => {
    service = await withTemporal(await sharedService());
    company = await newCompany(service);
  });
  afterAll(() => service.stop());

  test('a buyer pays in, an escrow holds, a release pays the seller and the platform to the cent', async () => {
    const { buyer, seller, escrow } = await newParties(company, 100_000);
    const initiated = await company.post('/v1/escrow/initiate', escrow());
    expect(initiated).toMatchObject({ status: 201, body: { status: 'ACTIVE', totalAmount: '25000', currency: 'USD' } });
    const path = `/v1/escrow/${initiated.body.id}`;

    const held = await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`);
    expect(held.body).toMatchObject({ balance: '100000', held_balance: '25000', available_balance: '75000' });

    const { body: detail } = await company.get(path);
    const counted = [{ itemId: detail.items[0].id, quantity: 2, price_per_item: 12_500 }];
    expect(await company.post(`${path}/delivery-note`, { items: counted, notes: 'By truck' })).toMatchObject({
      status: 200,
      body: { status: 'DELIVERY_NOTED' },
    });
    expect(await company.post(`${path}/goods-received`, { items: counted })).toMatchObject({
      status: 200,
      body: { status: 'GOODS_RECEIVED' },
    });
    const released = await company.post(`${path}/release`);
    expect(released).toMatchObject({
      status: 200,
      body: { status: 'COMPLETED', sellerPayout: '24750', systemFee: '250', serviceFee: '0' },
    });

    const paid = await company.get(`/v1/ledger/accounts/${seller.usdAccountId}`);
    expect(paid.body).toMatchObject({ balance: '24750', held_balance: '0' });
    const left = await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`);
    expect(left.body).toMatchObject({ balance: '75000', held_balance: '0', available_balance: '75000' });

    const { body: timeline } = await company.get(`${path}/timeline`);
    expect(timeline.map((entry: { event: string; actor: string }) => [entry.event, entry.actor])).toEqual([
      ['INITIATED', 'COMPANY'],
      ['DELIVERY_NOTED', 'SELLER'],
      ['GOODS_RECEIVED', 'BUYER'],
      ['FUNDS_RELEASED', 'SYSTEM'],
    ]);
    expect(timeline[1].details).toMatchObject({ notes: 'By truck' });
    expect(await company.get('/v1/ledger/verify-ledger-integrity')).toMatchObject({ status: 200, body: { ok: true } });
  });

  test('the history of a five-step escrow has at most 40 events', async () => {
    const { escrow } = await newParties(company);
    const { body } = await company.post('/v1/escrow/initiate', escrow());
    const path = `/v1/escrow/${body.id}`;
    const { body: detail } = await company.get(path);
    const items = [{ itemId: detail.items[0].id, quantity: 2, price_per_item: 12_500 }];
    await company.post(`${path}/delivery-note`, { items });
    await company.post(`${path}/goods-received`, { items });
    await company.post(`${path}/goods-received`, { items });
    expect(await company.post(`${path}/release`)).toMatchObject({ status: 200 });
    const handle = service.temporal.workflow.getHandle(`escrow/${body.id}`);
    await handle.result();
    const { events = [] } = await handle.fetchHistory();
    expect((events ?? []).length).toBeLessThanOrEqual(40);
  });

  test('twenty releases at once, with one key or with twenty, pay once', async () => {
    for (const keys of [
      Array.from({ length: 20 }, () => 'the-same-key'),
      Array.from({ length: 20 }, () => randomUUID()),
    ]) {
      const { seller, escrow } = await newParties(company);
      const { body } = await company.post('/v1/escrow/initiate', escrow());
      const answers = await Promise.all(
        keys.map((key) => company.post(`/v1/escrow/${body.id}/release`, undefined, key)),
      );
      const paid = answers.filter((answer) => answer.status === 200);
      expect(new Set(paid.map((answer) => answer.body.transactionId)).size).toBe(1);
      expect(answers.filter(({ status }) => ![200, 409, 429, 503].includes(status))).toEqual([]);
      const account = await company.get(`/v1/ledger/accounts/${seller.usdAccountId}`);
      expect(account.body.balance).toBe('24750');
    }
  });
});
