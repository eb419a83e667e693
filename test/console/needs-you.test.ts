import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deleteDocument, sendDocument } from '../support/documents.ts';
import { beginEscrow, splitPlan } from '../support/escrows.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { ordered, switchOn } from '../support/order-pages.ts';
import { done, newCompany, newUser, PLATFORM, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { asked, ended } from '../support/treasury.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { hiddenFields, newVisitor, type Visitor, visitorAs } from './support/visitor.ts';

/** What the pages say of work that waits, and the buttons that do it. */

let service: TestService;
let company: TestCompany;
let owner: Visitor;
let platform: Visitor;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Needs');
  owner = await visitorAs(service, company, 'owner');
  platform = newVisitor(service);
  await platform.logIn(PLATFORM);
});
afterAll(() => service.stop());

async function disputed(fields: Record<string, unknown> = {}) {
  const escrow = await beginEscrow(company, fields);
  await done(company.post(`${escrow.path}/dispute`, { actor: 'BUYER', reason: 'It is wet.' }));
  return escrow;
}

test('the overview begins with work, and the platform opens that of a company with one click', async () => {
  const escrow = await disputed({ externalReference: 'needs-a-person' });
  const { text } = await owner.get('');
  expect(text).toContain(`href="/console/disputes/${escrow.id}"`);
  expect(text).toContain('The buyer disputes needs-a-person');
  expect(text.indexOf('Needs you</h2>')).toBeLessThan(text.indexOf('Money</h2>'));

  const { text: state } = await platform.get('/platform');
  const oldest = hiddenFields(state, '/act-for', '/disputes/');
  expect(oldest).toMatchObject({ next: expect.stringMatching(/^\/disputes\/esc_/), companyId: expect.any(String) });
  const list = await platform.get('/work?kind=DISPUTE');
  const first = hiddenFields(list.text, '/act-for', '/disputes/');
  expect(first.next).toBe(oldest.next);
  const opened = await platform.send('/act-for', first);
  expect(opened).toMatchObject({ status: 303, location: `/console${first.next}` });
  expect((await platform.get(first.next ?? '')).text).toContain('Decision');
  await platform.submit('/act-for', { companyId: '' });
});

test('a request of a buyer leads to its escrow, which refuses it with a reason, or approves it and carries it out', async () => {
  const own = await newCompany(service, 'Asked');
  await switchOn(own, { ask_cancel: 'ask' });
  const order = await ordered(service, own);
  const staff = await visitorAs(service, own, 'owner');
  const path = `/escrows/${order.id}`;
  await order.buyerPage.unlock('ask_cancel');
  const ask = () => order.buyerPage.act('ask_cancel', { reason: 'It takes too long' });
  const answer = async (how: string, fields: Record<string, string> = {}) => {
    const { text } = await staff.get(path);
    return staff.send(path, { ...hiddenFields(text, path, `value="${how}"`), ...fields });
  };

  expect(await ask()).toMatchObject({ notice: 'asked' });
  expect((await staff.get('/work?kind=REQUEST')).text).toContain(`href="/console${path}"`);
  expect((await staff.get(path)).text).toMatch(
    /<strong>Cancel the escrow<\/strong>[\s\S]*USD.250\.00[\s\S]*It takes too long/,
  );
  expect(await answer('refuse-request', { reason: 'It left today' })).toMatchObject({ status: 303 });
  expect((await staff.get(path)).text).not.toContain('value="approve-request"');
  expect((await order.buyerPage.get()).html).toContain('It left today');
  expect(await order.read()).toMatchObject({ status: 'ACTIVE' });

  expect(await ask()).toMatchObject({ notice: 'asked' });
  expect(await answer('approve-request')).toMatchObject({ status: 303, location: `/console${path}` });
  expect(await order.read()).toMatchObject({ status: 'CANCELLED' });
});

test('a dispute page shows the order, an empty split, and the decision with its amounts and who made it', async () => {
  const escrow = await disputed();
  const path = `/disputes/${escrow.id}`;
  const { text } = await owner.get(path);
  expect(text).toContain('Maize');
  expect(text).toMatch(/name="seller"[^>]* value=""/);
  const adminId = company.owner.id;
  const decision = { adminId, reason: 'Both are right.', newSplitPlan: splitPlan(0, 0, 10_000) };
  await done(company.post(`${escrow.path}/admin-resolve`, decision));
  const { text: after } = await owner.get(path);
  expect(after).toMatch(/class="figure">Seller USD.100\.00, for the buyer USD.150\.00/);
  const admins = (await company.get('/v1/core/companies/admins')).body;
  const { firstName, lastName } = admins.find(({ id }: { id: string }) => id === adminId);
  expect(after).toContain(`Administrator: ${firstName} ${lastName}`);
});

test('a fee that a decision leaves empty counts as zero, and an empty part of the seller is refused', async () => {
  const escrow = await disputed();
  const path = `/disputes/${escrow.id}`;
  const decision = { step: 'review', reason: 'Both are right.', systemFee: '', serviceFee: '' };
  const decide = (seller: string) => owner.submit(path, { ...decision, seller });
  const refused = await decide('');
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Seller: enter an amount such as')]);
  const review = await decide('100');
  expect(review.status).toBe(200);
  expect(await owner.send(path, hiddenFields(review.text, path))).toMatchObject({ status: 303 });
  const { text } = await owner.get(path);
  expect(text).toMatch(/class="figure">Seller USD.100\.00, for the buyer USD.150\.00/);
});

test('identities of all companies wait in one list, which says where a document is missing, and none without is approved', async () => {
  const user = await newUser(company, { firstName: 'Chipo', lastName: 'Gumbo' });
  const waits = 'Chipo Gumbo has no identity document yet: nothing to approve';
  expect((await platform.get('/platform')).text).toMatch(/href="\/console\/identities" *>Identities</);
  const inList = async () => {
    const pages = [await platform.get('/identities')];
    for (let next = nextOf(pages[0]?.text ?? ''); next !== null; next = nextOf(pages.at(-1)?.text ?? ''))
      pages.push(await platform.get(next));
    return pages.map(({ text }) => text).join('');
  };
  const list = await inList();
  expect(list).toContain(waits);
  expect(list).toContain('Needs');
  expect(list).not.toContain('to approve</h1>');
  expect(await platform.send('/act-for', hiddenFields(list, '/act-for', user.id))).toMatchObject({ status: 303 });
  expect(await inList()).toContain(waits); // whichever company the pages show
  const shown = async () => (await platform.get(`/users/${user.id}`)).text;
  expect(await shown()).toContain('so there is nothing to approve yet');
  expect(await shown()).not.toContain('value="approve"');
  expect((await platform.get('/identities/company')).text).toContain('No document');
  await sendDocument(company, user.id);
  expect(await shown()).toContain('value="approve"');
  await deleteDocument(service, user.id);
  expect(await shown()).toContain('The identity document of Chipo Gumbo was deleted, so there is nothing to approve.');
  expect(await shown()).not.toContain('value="approve"');
  expect(await inList()).not.toContain('Chipo Gumbo');
  await platform.submit('/act-for', { companyId: '' });
});

/** The address of the list's next page. */
function nextOf(text: string): string | null {
  const address = /href="\/console([^"]*)"[^>]*rel="next"/.exec(text)?.[1];
  return address === undefined ? null : address.replaceAll('&amp;', '&');
}

test('a returned payout says that the money is back, and leads to the next try', async () => {
  const user = await newUser(company, { firstName: 'Rudo', lastName: 'Sibanda' });
  await done(company.post('/v1/payments/deposit', { userId: user.id, amount: 9_000, currency: 'USD' }));
  const externalReference = `sandbox-rejected-${user.id}`;
  const payout = await done(
    company.post('/v1/treasury/withdraw', asked(user.usdAccountId, 4_000, { externalReference })),
  );
  await ended(company, payout.body.id);
  const { text } = await owner.get(`/withdrawals/${payout.body.id}`);
  expect(text).toContain('The money went back to the account of');
  expect(text).toContain(`/console/withdrawals/new?accountId=${user.usdAccountId}&amp;amount=4000`);
});

test('an endpoint shows the HTTP code of what failed, and sends all of it again with one button', async () => {
  const receiver = await startWebhookReceiver();
  const noticed = Promise.withResolvers<number>();
  receiver.answer = () => (receiver.received.length === 0 ? 503 : noticed.promise); // the second attempt comes by itself
  const { body } = await done(company.post('/v1/webhooks', { url: receiver.url, events: ['user.created'] }));
  await newUser(company);
  const path = `/webhooks/${body.id}`;
  await eventually(async () => (await owner.get(path)).text.includes('HTTP 503</span>'));
  const sent = await owner.submit(path, { do: 'retry-all' });
  expect(sent.status).toBe(303);
  expect((await owner.get(path)).text).toContain('1 delivery is queued. It is sent now, or after the earlier ones');
  noticed.resolve(200);
  await eventually(async () => !(await owner.get(path)).text.includes('Send all waiting now'));
  await done(company.request('DELETE', `/v1/webhooks/${body.id}`));
  await receiver.stop();
});

test('a late payment says where the money is', async () => {
  const link = await offerLink(service, company);
  const { body } = await done(link.say('eft-pay/initiate'));
  await done(link.say('reject-payment'));
  await service.sandbox.settle(body.checkoutId, 'success');
  await eventually(async () => (await link.events()).includes('LATE_MONEY'));
  const { text } = await owner.get(`/links/pay_${link.linkId}`);
  expect(text).toContain('went to the buyer’s balance');
  expect(text).toContain(`/console/links/new?buyerId=${link.buyer.id}`);
});

test('a new link finds its buyer by name or number, and the lists and pages of links say who it is', async () => {
  const mobileNumber = nextMobileNumber();
  const [buyer, namesake] = [
    await newUser(company, { firstName: 'Tendai', lastName: 'Chirwa', mobileNumber }),
    await newUser(company, { firstName: 'Tendai', lastName: 'Chirwa' }),
  ];
  expect(namesake.id).not.toBe(buyer.id);
  const item = { 'items.0.name': 'Maize', 'items.0.quantity': '3', 'items.0.pricePerUnit': '12.50' };
  const make = (buyerId: string) => owner.submit('/links/new', { do: 'make', buyerId, currency: 'USD', ...item });
  const several = await make('tendai chirwa');
  expect([several.status, several.text]).toEqual([422, expect.stringContaining('Several people match')]);
  expect(several.text).toMatch(/The buyer pays <strong class="money">USD.37\.50/);
  expect((await make('nobody of this name')).text).toContain('Nobody has this name, number or id.');
  const made = await make(mobileNumber);
  expect(made).toMatchObject({ status: 303, location: expect.stringContaining('/console/links/pay_') });
  const page = await owner.get((made.location ?? '').replace('/console', ''));
  for (const shown of ['Maize', 'Cancel the order', 'https://wa.me/?text=', 'mailto:'])
    expect(page.text).toContain(shown);
  expect((await owner.get('/links')).text).toContain('Tendai Chirwa');
});

test('every page says that the test clock is ahead, and ages are of that clock', async () => {
  const own = await newCompany(service, 'Ahead');
  const visitor = await visitorAs(service, own, 'manager');
  expect((await visitor.get('')).text).not.toContain('The test clock is');
  await done(own.post('/v1/sandbox/clock', { advanceHours: 72 }));
  const escrow = await beginEscrow(own);
  await done(own.post(`${escrow.path}/dispute`, { actor: 'BUYER', reason: 'It is wet.' }));
  expect((await visitor.get('')).text).toContain('The test clock is 3 days ahead');
  expect((await visitor.get('/disputes')).text).toContain('less than a minute');
});
