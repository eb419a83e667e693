import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused } from '../support/api.ts';
import { LINK_CENTS, offerLink } from '../support/links.ts';
import { newCompany, newUser, startService, type TestCompany, type TestService } from '../support/service.ts';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await startService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

test('a chargeback of money in escrow is booked as owed, and the escrow is not released', async () => {
  const seller = await newUser(company);
  const link = await offerLink(service, company, { sellerId: seller.id });
  const { body: paid } = await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
  expect(paid).toMatchObject({ status: 'ACCEPTED' });

  const path = `/v1/payments/transaction/${paid.transactionId}/reverse`;
  expect(await company.post(path, { reason: 'Charged back' })).toMatchObject(refused(422, 'insufficient_funds'));
  const reversal = await company.post(path, { reason: 'Charged back', isChargeback: true });
  expect(reversal).toMatchObject({ status: 200, body: { reverses: { id: paid.transactionId, status: 'REVERSED' } } });

  const { body: own } = await company.get('/v1/ledger/company/accounts');
  const owed = own.find(({ type }: { type: string }) => type === 'RECEIVABLE');
  expect(owed).toMatchObject({ currency: 'USD', balance: String(-LINK_CENTS) });
  expect(await link.account()).toMatchObject({ balance: String(LINK_CENTS), held_balance: String(LINK_CENTS) });

  const release = await company.post(`/v1/escrow/${link.escrowId}/release`, {});
  expect(release).toMatchObject(refused(409, 'payment_charged_back'));
  expect(await link.escrow()).toMatchObject({ status: 'ACTIVE' });
  const cancelled = await company.post(`/v1/escrow/${link.escrowId}/cancel`, {
    actor: 'SELLER',
    reason: 'Charged back',
  });
  expect(cancelled.status).toBe(200);
  expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
});

test('a deposit in transit that bounced has a cause in the audit', async () => {
  const mine = await newCompany(service);
  const { body } = await mine.post('/v1/payments/deposit', { amount: 500, currency: 'USD', isTransit: true });
  await mine.post(`/v1/payments/transaction/${body.id}/reverse`, { reason: 'It bounced' });
  expect((await mine.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
});
