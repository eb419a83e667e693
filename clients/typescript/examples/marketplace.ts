import { EscrowClient, EscrowError } from 'escrow-payments-client';

// A marketplace, from its registration to a statement: `node marketplace.ts API SANDBOX`, two addresses that `npm start` prints.
const [baseUrl = 'http://localhost:3000', sandboxUrl = ''] = process.argv.slice(2);
const guest = new EscrowClient({ baseUrl });
const pause = () => new Promise((resolve) => setTimeout(resolve, 200));
const owner = { email: `olive-${Date.now()}@market.example`, password: 'a long passphrase' };
const { id: companyId, admin } = await guest.post('/v1/core/companies', {
  body: { name: 'Green Market', admin: { firstName: 'Olive', lastName: 'Owner', ...owner } },
});
const session = await guest.post('/v1/auth/login', { body: owner });
if ('mfaToken' in session) throw new Error('finish the login with POST /v1/auth/mfa');
const holder = guest.as({ companyId, accessToken: session.accessToken });
const { key: apiKey } = await holder.post('/v1/core/companies/api-keys', { body: { name: 'shop server' } });
const market = guest.as({ companyId, apiKey });
const [buyer, seller] = await Promise.all(
  ['+263771234567', '+263777654321'].map((mobileNumber) =>
    market.post('/v1/identity/users', { body: { mobileNumber, idNumber: '63-1234567A00' } }),
  ),
);
const usd = (of: typeof buyer) => of?.accounts.find(({ currency }) => currency === 'USD')?.id ?? '';
const parties = { buyerId: buyer?.id ?? '', sellerId: seller?.id ?? '' };
await market.post('/v1/payments/deposit', { body: { userId: parties.buyerId, amount: 60_000, currency: 'USD' } });
// Work in milestones: the first one is paid, then the buyer disputes the rest, and an administrator divides it.
const milestones = [40, 60].map((percentage) => ({ title: `${percentage} percent`, percentage }));
const items = [{ name: 'Borehole', quantity: 1, pricePerUnit: 60_000 }];
const work = await market.post('/v1/escrow/initiate', {
  body: { ...parties, buyerAccountId: usd(buyer), items, milestones, externalReference: 'order-1' },
});
const path = { id: work.id };
const milestoneId = (await market.get('/v1/escrow/{id}', { path })).milestones[0]?.id ?? '';
await market.post('/v1/escrow/{id}/release', { path, query: { milestoneId } });
await market.post('/v1/escrow/{id}/dispute', { path, body: { actor: 'BUYER', reason: 'The pump does not run.' } });
const split = (seller_payout_cents: number) => ({ system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents });
const resolve = (cents: number) =>
  market.post('/v1/escrow/{id}/admin-resolve', { path, body: { newSplitPlan: split(cents), adminId: admin.id } });
await resolve(60_000).catch((error) => console.log('too much', error instanceof EscrowError.of('split_exceeds_held')));
console.log('resolved', (await resolve(20_000)).finalSplit);
// An order that is paid by card. The sandbox stands in for the buyer at the card form.
const maize = [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }];
const link = await market.post('/v1/payments/generate-escrow-payment-link', {
  body: { ...parties, amount: 25_000, currency: 'USD', items: maize },
});
const { checkoutId } = await guest.post('/v1/payments/eft-pay/initiate', { body: { paymentSlug: link.hash } });
await fetch(`${sandboxUrl}/_control/checkouts/${checkoutId}`, { method: 'POST', body: '{"outcome":"success"}' });
const resourcePath = `/v1/checkouts/${checkoutId}/payment`;
const verify = () => guest.post('/v1/payments/eft-pay/verify', { body: { resourcePath } });
let card = await verify();
for (; card.status === 'PROCESSING'; await pause()) card = await verify();
console.log('card', card.status);
await market.post('/v1/escrow/{id}/release', { path: { id: link.escrowId } });
const bank = { bank_name: 'CBZ Bank', branch_code: '6101', account_number: '01234567', account_name: 'Sam Seller' };
let payout: { id: string; status: string } = await market.post('/v1/treasury/withdraw', {
  body: { accountId: usd(seller), amount: 30_000, externalReference: 'payout-1', ...bank },
});
for (; payout.status === 'PROCESSING'; await pause())
  payout = await market.get('/v1/treasury/withdrawals/{id}', { path: { id: payout.id } });
console.log('payout', payout.status);
const statement = await market.get('/v1/ledger/accounts/{accountId}/statement', { path: { accountId: usd(seller) } });
for (const { type, amount, balance_after } of statement.entries) console.log('statement', type, amount, balance_after);
