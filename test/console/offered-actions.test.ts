import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ACTIONS } from '../../src/console/pages/escrows/actions.ts';
import type { MessageType } from '../../src/domain/escrow/commands.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import {
  done,
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
  untilAnswered,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { type Visitor, visitorAs } from './support/visitor.ts';

/** Pages offer no action that the API would refuse, and say why. */

let service: TestService;
let company: TestCompany;
let visitor: Visitor;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  visitor = await visitorAs(service, company, 'owner');
});
afterAll(() => service?.stop());

async function newEscrow(fields: Record<string, unknown> = {}) {
  const { escrow, seller } = await newParties(company);
  const made = await company.post('/v1/escrow/initiate', escrow(fields));
  const { body } = await company.get(`/v1/escrow/${made.body.id}`);
  return { body, seller, path: `/escrows/${body.id}` };
}
function blacklist(userId: string) {
  const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
  const path = `/v1/identity/admin/users/${userId}/status`;
  return done(untilAnswered(() => service.request('POST', path, { headers, body: { status: 'BLACKLISTED' } })));
}
/** What the pages of the escrow and of the action say: whether it is offered, whether it has a form, and whether `why` is said. */
async function said(path: string, slug: string, why: string) {
  const [overview, page] = [await visitor.get(path), await visitor.get(`${path}/${slug}`)];
  return {
    isOffered: overview.text.includes(`href="/console${path}/${slug}"`),
    hasForm: page.text.includes(`action="/console${path}/${slug}"`),
    isExplained: page.text.includes(why),
  };
}
const POSSIBLE = { isOffered: true, hasForm: true, isExplained: false };
const NOT_POSSIBLE = { isOffered: false, hasForm: false, isExplained: true };
const HALVES = [
  { title: 'Drilling', percentage: 50 },
  { title: 'Pump', percentage: 50 },
];

/** They belong to requests of order pages. */
type OfRequests = 'stop-auto-release' | 'resume-auto-release';
/** The commands that no action sends; a proposal is accepted or rejected on one page. `never`, or the compiler names them. */
type Missing = Exclude<
  MessageType,
  (typeof ACTIONS)[keyof typeof ACTIONS]['command'] | 'reject-negotiation' | OfRequests
>;
const missing: [Missing] extends [never] ? 'none' : Missing = 'none';

test('every command has an action', () => {
  expect(missing).toBe('none');
});

test('postponing the automatic release is offered once', async () => {
  const { body, path } = await newEscrow({ autoReleaseHours: 48 });
  const items = body.items.map((one: { id: string; quantity: number; pricePerUnit: number }) => ({
    itemId: one.id,
    quantity: one.quantity,
    price_per_item: one.pricePerUnit,
  }));
  await company.post(`/v1/escrow/${body.id}/goods-received`, { items });
  const why = 'The automatic release was already postponed.';
  expect(await said(path, 'extend', why)).toEqual(POSSIBLE);
  expect(await visitor.submit(`${path}/extend`, { hours: '24' })).toMatchObject({ status: 303 });
  expect(await said(path, 'extend', why)).toEqual(NOT_POSSIBLE);
});

test('a milestone’s payout is proposed for milestones about which no proposal waits', async () => {
  const { body, path } = await newEscrow({ milestones: HALVES });
  const [first, second] = body.milestones;
  const propose = ({ id }: { id: string }) =>
    company.post(`/v1/escrow/${body.id}/milestones/${id}/adjust`, { actor: 'BUYER', proposedSellerPayoutCents: 100 });
  const why = 'Answer the open proposal first.';
  await propose(first);
  expect(await said(path, 'adjust-milestone', why)).toEqual(POSSIBLE);
  const { text } = await visitor.get(`${path}/adjust-milestone`);
  expect([first, second].map(({ id }) => text.includes(`<option value="${id}"`))).toEqual([false, true]);
  await propose(second);
  expect(await said(path, 'adjust-milestone', why)).toEqual(NOT_POSSIBLE);
});

test('another split is proposed when no proposal about the escrow waits', async () => {
  const { body, path } = await newEscrow();
  const newSplitPlan = { seller_payout_cents: 100, system_fee_cents: 0, service_fee_cents: 0 };
  const why = 'Answer the open proposal first.';
  expect(await said(path, 'propose', why)).toEqual(POSSIBLE);
  await company.post(`/v1/escrow/${body.id}/negotiate`, { actor: 'BUYER', newSplitPlan });
  expect(await said(path, 'propose', why)).toEqual(NOT_POSSIBLE);
});

test.each(['release', 'release-milestone'])('%s to a blacklisted seller is not offered', async (slug) => {
  const { seller, path } = await newEscrow({ milestones: HALVES });
  const why = 'The seller is blacklisted, so no money can be released to them.';
  expect(await said(path, slug, why)).toEqual(POSSIBLE);
  await blacklist(seller.id);
  expect(await said(path, slug, why)).toEqual(NOT_POSSIBLE);
  expect((await visitor.get(path)).text).toContain(why);
});

test('the release of an escrow whose payment was charged back is offered when the debt is settled', async () => {
  const seller = await newUser(company);
  const link = await offerLink(service, company, { sellerId: seller.id });
  const { body: checkout } = await link.say('eft-pay/initiate');
  await service.sandbox.settle(checkout.checkoutId, 'success');
  const deposit = await eventually(async () => {
    const { body } = await link.verify(checkout.checkoutId);
    return body.status === 'ACCEPTED' && body.transactionId;
  });
  const path = `/escrows/${link.escrowId}`;
  const why = 'The payment that funded the escrow was charged back';
  expect(await said(path, 'release', why)).toEqual(POSSIBLE);
  const chargeback = { reason: 'The bank wrote', isChargeback: true };
  await company.post(`/v1/payments/transaction/${deposit}/reverse`, chargeback);
  expect(await said(path, 'release', why)).toEqual(NOT_POSSIBLE);
  expect((await visitor.get(path)).text).toMatch(/Open.{1,80}250\.00/s);
  expect((await visitor.get('/work')).text).toMatch(/Payment for [\w-]+ was taken back</); // held, so it was not spent
  await company.post('/v1/payments/deposit', { amount: 100_000, currency: 'USD' }); // to the company
  const [debt] = (await company.get(`/v1/treasury/receivables?escrowId=${link.escrowId}`)).body.data;
  await company.post(`/v1/treasury/receivables/${debt.id}/settle`, { source: 'WRITE_OFF', reason: 'goodwill' });
  expect(await said(path, 'release', why)).toEqual(POSSIBLE);
  expect((await visitor.get(path)).text).toMatch(/Written off.{1,80}250\.00/s);

  await company.post(`/v1/escrow/${link.escrowId}/dispute`, { actor: 'BUYER', reason: 'Wet bags' });
  const decision = { seller: '0', systemFee: '0', serviceFee: '0', reason: 'The bags were wet.', step: 'review' };
  expect((await visitor.submit(`/disputes/${link.escrowId}`, decision)).text).toMatch(
    /USD.250\.00 of the payment was taken back/,
  );
});

test('a withdrawal from the account of a blacklisted user is not offered', async () => {
  const user = await newUser(company);
  await company.post('/v1/payments/deposit', { userId: user.id, amount: 100_000, currency: 'USD' });
  const account = `/ledger/accounts/${user.usdAccountId}`;
  const address = `/withdrawals/new?accountId=${user.usdAccountId}`;
  const why = 'The user is blacklisted, so nothing can be withdrawn from this account.';
  const pages = async () => {
    const [page, ...forms] = [
      await visitor.get(account),
      await visitor.get(address),
      await visitor.get(`${address}&amount=1`),
    ];
    return {
      isOffered: page?.text.includes(`href="/console${address}"`),
      haveForm: forms.map(({ text }) => text.includes('action="/console/withdrawals/new')),
      areExplained: [page, ...forms].map((one) => one?.text.includes(why)),
    };
  };
  expect(await pages()).toEqual({ isOffered: true, haveForm: [true, true], areExplained: [false, false, false] });
  await blacklist(user.id);
  expect(await pages()).toEqual({ isOffered: false, haveForm: [false, false], areExplained: [true, true, true] });
});
