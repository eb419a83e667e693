import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nobody, refused } from '../../../support/api.ts';
import type { TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, newHolder } from '../../../support/treasury.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

describe('POST /v1/payments/transaction/:id/reverse', () => {
  test('reverses a deposit that bounced, and both transactions show it', async () => {
    const holder = await newHolder(service);
    const { body: deposit } = await holder.company.post('/v1/payments/deposit', {
      userId: holder.user.id,
      amount: 4_000,
      currency: 'USD',
    });
    const path = `/v1/payments/transaction/${deposit.id}/reverse`;
    expect(await holder.company.post(path, { reason: 'The cheque bounced' })).toMatchObject({
      status: 200,
      body: {
        type: 'REVERSAL',
        amount: '4000',
        status: 'COMPLETED',
        metadata: { reverses: deposit.id, reason: 'The cheque bounced' },
        reverses: { id: deposit.id, status: 'REVERSED' },
      },
    });
    expect(await holder.account()).toMatchObject({ balance: '10000' });
  });

  test('is refused if the money was spent, and changes nothing', async () => {
    const holder = await newHolder(service, { balance: 1 });
    const { body: deposit } = await holder.company.post('/v1/payments/deposit', {
      userId: holder.user.id,
      amount: 4_000,
      currency: 'USD',
    });
    await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 2_000));
    const path = `/v1/payments/transaction/${deposit.id}/reverse`;
    expect(await holder.company.post(path, { reason: 'Late' })).toMatchObject(refused(422, 'insufficient_funds'));
    expect((await holder.company.get(`/v1/payments/transaction/${deposit.id}`)).body.status).toBe('COMPLETED');
  });

  test('is refused for a transaction that is not a receipt, an unknown id, and a missing reason', async () => {
    const holder = await newHolder(service);
    const { body: made } = await holder.company.post('/v1/treasury/withdraw', asked(holder.accountId, 1));
    const reverse = (id: string, body: unknown) => holder.company.post(`/v1/payments/transaction/${id}/reverse`, body);
    expect(await reverse(made.id, { reason: 'x' })).toMatchObject(refused(409, 'wrong_state'));
    expect(await reverse(nobody('txn'), { reason: 'x' })).toMatchObject(refused(404, 'not_found'));
    expect(await reverse(made.id, {})).toMatchObject(refused(400, 'validation_failed'));
  });
});
