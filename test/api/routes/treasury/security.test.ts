import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAdministrator, newKey, refused } from '../../../support/api.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, newHolder } from '../../../support/treasury.ts';

let service: TestService;
let company: TestCompany;
let other: TestCompany;
let taxed: Awaited<ReturnType<typeof newHolder>>;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  other = await newCompany(service);
  taxed = await newHolder(service, { isTaxed: true });
});
afterAll(() => service.stop());

describe('security', () => {
  const someTransaction = 'txn_01900000-0000-7000-8000-000000000001';
  const OPERATIONS: readonly [method: 'GET' | 'POST', path: string, needs: 'money' | 'read'][] = [
    ['POST', '/v1/treasury/withdraw', 'money'],
    ['POST', '/v1/treasury/bank/capture', 'money'],
    ['POST', `/v1/treasury/captures/${someTransaction}/assign`, 'money'],
    ['POST', `/v1/payments/transaction/${someTransaction}/reverse`, 'money'],
    ['POST', '/v1/treasury/seed-configs', 'money'],
    ['GET', '/v1/treasury/withdrawals', 'read'],
    ['GET', '/v1/treasury/captures', 'read'],
    ['GET', '/v1/treasury/configs', 'read'],
  ];

  test.each(OPERATIONS)('%s %s needs a credential, for the company it names', async (method, path) => {
    expect(await service.request(method, path)).toMatchObject(refused(401, 'unauthenticated'));
    const headers = { 'x-api-key': company.apiKey, 'x-company-id': other.id };
    expect(await service.request(method, path, { headers })).toMatchObject(refused(403, 'company_mismatch'));
  });

  test('a manager reads, and moves no money', async () => {
    const manager = await newAdministrator(service, company, 'manager');
    for (const [method, path, needs] of OPERATIONS) {
      const answer = await manager.request(method, path);
      if (needs === 'read') expect(answer.status).toBe(200);
      else expect(answer).toMatchObject(refused(403, 'forbidden'));
    }
  });

  test('an administrator and their key may', async () => {
    const admin = await newAdministrator(service, company, 'admin');
    const { key } = await newKey(admin);
    const headers = { 'x-api-key': key, 'x-company-id': company.id, 'x-idempotency-key': randomUUID() };
    const body = { amount: 1, currency: 'USD', reference: 'by key' };
    expect(await service.request('POST', '/v1/treasury/bank/capture', { headers, body })).toMatchObject({
      status: 201,
    });
  });

  test("another company's receipts, deposits and accounts are not there", async () => {
    const stranger = await newUser(other);
    const { body: captured } = await taxed.company.post('/v1/treasury/bank/capture', {
      amount: 5,
      currency: 'USD',
      reference: 'ours',
    });
    const by = other;
    expect(await by.post('/v1/treasury/withdraw', asked(taxed.accountId, 1))).toMatchObject(refused(404, 'not_found'));
    expect(await by.post(`/v1/treasury/captures/${captured.id}/assign`, { userId: stranger.id })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(await by.post(`/v1/payments/transaction/${captured.id}/reverse`, { reason: 'x' })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect((await by.get('/v1/treasury/captures')).body).toEqual({ data: [], total: 0, limit: 20, offset: 0 });
  });
});
