import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ORDER_MESSAGE_KINDS } from '../../../src/domain/order-messages.ts';
import { sql } from '../../support/api.ts';
import { splitPlan } from '../../support/escrows.ts';
import { eventually } from '../../support/eventually.ts';
import { offerLink } from '../../support/links.ts';
import { nextMobileNumber } from '../../support/mobile-numbers.ts';
import { ordered, switchOn } from '../../support/order-pages.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Harvest Market');
  await switchOn(company);
});
afterAll(() => service?.stop());

type Order = Awaited<ReturnType<typeof ordered>>;
const ALL = 2;

/** The texts about orders that a number got, once there are at least `count`. */
const textsTo = (mobileNumber: string, count = 1) =>
  eventually(async () => {
    const texts = (await service.sandbox.messagesTo(mobileNumber))
      .filter(({ code }) => code === '')
      .map(({ text }) => text);
    return texts.length >= count && texts;
  });
/** The messages of an order, in the order in which they were due. */
const messagesOf = ({ id }: Order) =>
  sql(
    service,
    `select party, kind, status, reason from order_message where escrow_id = $1::uuid order by due_at, kind, party`,
    [id.slice('esc_'.length)],
  );
const settled = (order: Order, count: number) =>
  eventually(async () => {
    const messages = await messagesOf(order);
    return messages.filter(({ status }) => status !== 'WAITING' && status !== 'SENDING').length >= count && messages;
  });
const deliver = ({ path, itemId }: Order, of = company) =>
  of.post(`${path}/delivery-note`, { items: [{ itemId, quantity: ALL, price_per_item: 12_500 }] });
const dueEvents = async (of: TestCompany): Promise<{ data: object }[]> =>
  (await of.get('/v1/events?type=order_message.due')).body.data;
const companyOf = async (name: string) => {
  const own = await newCompany(service, name);
  await switchOn(own);
  return own;
};

test('the causes in the database have the kinds of the service', async () => {
  const rows = await sql(service, 'select distinct kind from order_message_causes()');
  expect(rows.map(({ kind }) => kind).sort()).toEqual([...ORDER_MESSAGE_KINDS].sort());
});

describe('a party is told', () => {
  test('of a delivery and before the automatic release, once, and the seller of the money', async () => {
    const own = await companyOf('Punctual');
    const order = await ordered(service, own);
    await deliver(order, own);
    expect(await textsTo(order.buyerPage.mobileNumber)).toEqual([
      expect.stringMatching(/^From Punctual.*: a delivery of your order order-\w+ for USD.250\.00 is on its way/),
    ]);
    await own.post('/v1/sandbox/clock', { advanceHours: 25 });
    const date = new Date((await order.read()).autoReleaseAt);
    const [, reminder] = await textsTo(order.buyerPage.mobileNumber, 2);
    expect(reminder).toContain(`is paid out on ${date.getUTCDate()} `);
    await own.post('/v1/sandbox/clock', { advanceHours: 42 });
    expect((await textsTo(order.buyerPage.mobileNumber, 3))[2]).toMatch(/last reminder/);
    await own.post('/v1/sandbox/clock', { advanceHours: 6 });
    expect(await textsTo(order.sellerPage.mobileNumber)).toEqual([
      expect.stringMatching(/you got USD.247\.50 for the order/),
    ]);
    expect(await settled(order, 4)).toEqual([
      { party: 'BUYER', kind: 'DELIVERY', status: 'SENT', reason: null },
      { party: 'BUYER', kind: 'RELEASE_IN_48_HOURS', status: 'SENT', reason: null },
      { party: 'BUYER', kind: 'RELEASE_IN_6_HOURS', status: 'SENT', reason: null },
      { party: 'SELLER', kind: 'PAYOUT', status: 'SENT', reason: null },
    ]);
    expect(await textsTo(order.buyerPage.mobileNumber, 3)).toHaveLength(3);
    const events = await eventually(async () => {
      const found = await dueEvents(own);
      return found.length === 4 && found;
    });
    expect(events[0]).toMatchObject({ data: { escrowId: order.id, party: 'BUYER', kind: 'DELIVERY' } });
  });

  test('of a proposal, a dispute and a decision, what each gets', async () => {
    const order = await ordered(service, company);
    await company.post(`${order.path}/negotiate`, { actor: 'SELLER', newSplitPlan: splitPlan(250, 0, 20_000) });
    expect(await textsTo(order.buyerPage.mobileNumber)).toEqual([
      expect.stringMatching(/proposes that you get USD.47\.50/),
    ]);
    await company.post(`${order.path}/dispute`, { actor: 'BUYER', reason: 'Wet bags' });
    expect(await textsTo(order.sellerPage.mobileNumber)).toEqual([
      expect.stringMatching(/a dispute about the order .* USD.250\.00 stays held/),
    ]);
    await company.post(`${order.path}/admin-resolve`, {
      ...{ adminId: company.owner.id, reason: 'Half of it was wet', newSplitPlan: splitPlan(250, 0, 10_000) },
    });
    expect((await textsTo(order.sellerPage.mobileNumber, 2))[1]).toMatch(/is decided. You get USD.100\.00/);
    expect((await textsTo(order.buyerPage.mobileNumber, 2))[1]).toMatch(/is decided. You get USD.147\.50/);
  });

  test.each([
    [10_000, '100'],
    [20_000, '200'],
  ])('of a settlement, whoever proposed it: %p', async (cents, amount) => {
    const order = await ordered(service, company);
    await company.post(`${order.path}/dispute`, { actor: 'BUYER', reason: 'Wet bags' });
    await textsTo(order.sellerPage.mobileNumber);
    const made = await company.post(`${order.path}/negotiate`, {
      ...{ actor: 'SELLER', newSplitPlan: splitPlan(250, 0, cents) },
    });
    await company.post(`${order.path}/negotiate/${made.body.negotiationId}/accept`, { actor: 'BUYER' });
    const text = new RegExp(`was accepted. You get USD.${amount}\\.00`);
    expect((await textsTo(order.sellerPage.mobileNumber, 2))[1]).toMatch(text);
  });

  test('that its proposal was accepted, also outside of a dispute, and that the other side cancelled', async () => {
    const order = await ordered(service, company);
    const made = await company.post(`${order.path}/negotiate`, {
      ...{ actor: 'SELLER', newSplitPlan: splitPlan(250, 0, 10_000) },
    });
    await company.post(`${order.path}/negotiate/${made.body.negotiationId}/accept`, { actor: 'BUYER' });
    expect(await textsTo(order.sellerPage.mobileNumber)).toEqual([
      expect.stringMatching(/was accepted. You get USD.100\.00/),
    ]);
    await company.post(`${order.path}/cancel`, { actor: 'BUYER', reason: 'Too late' });
    expect((await textsTo(order.sellerPage.mobileNumber, 2))[1]).toMatch(
      /was cancelled, and USD.250\.00 went back to the buyer/,
    );
    expect((await messagesOf(order)).filter(({ kind }) => kind === 'CANCELLATION')).toHaveLength(1);
  });

  test('that its proposal was rejected, and that the company did not approve its request or let it lapse', async () => {
    const own = await companyOf('Asking');
    await switchOn(own, { dispute: 'ask' });
    const order = await ordered(service, own);
    const made = await own.post(`${order.path}/negotiate`, {
      actor: 'SELLER',
      newSplitPlan: splitPlan(250, 0, 10_000),
    });
    await textsTo(order.buyerPage.mobileNumber);
    await own.post(`${order.path}/negotiate/${made.body.negotiationId}/reject`, { actor: 'BUYER' });
    expect(await textsTo(order.sellerPage.mobileNumber)).toEqual([
      expect.stringMatching(/by which you get USD.100\.00, was rejected/),
    ]);
    await order.buyerPage.unlock('dispute');
    expect(await order.buyerPage.act('dispute', { reason: 'Wet bags' })).toMatchObject({ notice: 'asked' });
    const [request] = (await own.get(`${order.path}/requests`)).body.data;
    await own.post(`${order.path}/requests/${request.id}/refuse`, { reason: 'They were dry' });
    const refusal = expect.stringMatching(/your request to open a dispute was not approved \(order order-\w+\)/);
    expect((await textsTo(order.buyerPage.mobileNumber, 2))[1]).toEqual(refusal);
    await order.buyerPage.act('dispute', { reason: 'They were wet' });
    await own.post('/v1/sandbox/clock', { advanceHours: 49 });
    expect((await textsTo(order.buyerPage.mobileNumber, 3))[2]).toEqual(refusal);
  });

  test('that the payment was taken back, and then of no money that it does not get', async () => {
    const own = await companyOf('Taken back');
    const seller = await newUser(own, { mobileNumber: nextMobileNumber() });
    const link = await offerLink(service, own, { sellerId: seller.id });
    const path = `/v1/escrow/${link.escrowId}`;
    await own.post(`${path}/order-pages`);
    const pay = async ({ say, verify }: typeof link) => {
      const { checkoutId } = (await say('eft-pay/initiate')).body;
      await service.sandbox.settle(checkoutId, 'success');
      await eventually(async () => (await verify(checkoutId)).body.status === 'ACCEPTED');
      return String(checkoutId);
    };
    await service.sandbox.change(await pay(link), 'CB');
    const news = expect.stringMatching(
      /^From Taken back.*: news about the order .*, of whose payment USD.250\.00 was taken back/,
    );
    const [sellers, buyers] = [seller.mobileNumber, link.buyer.mobileNumber];
    expect(await textsTo(sellers)).toEqual([news]);
    const made = await own.post(`${path}/negotiate`, { actor: 'SELLER', newSplitPlan: splitPlan(250, 0, 10_000) });
    await textsTo(buyers);
    await own.post(`${path}/negotiate/${made.body.negotiationId}/accept`, { actor: 'BUYER' });
    await textsTo(sellers, 2);
    await own.post(`${path}/dispute`, { actor: 'BUYER', reason: 'Wet bags' });
    await textsTo(sellers, 3);
    // The refund of another order settles the debt.
    const other = await offerLink(service, own, { sellerId: seller.id, buyerId: link.buyer.id });
    await own.post(`/v1/escrow/${other.escrowId}/order-pages`);
    await pay(other);
    await own.post(`/v1/escrow/${other.escrowId}/cancel`, { actor: 'SELLER', reason: 'Sold out' });
    expect((await textsTo(buyers, 2))[1]).toMatch(/was cancelled, and USD.0\.00 went back to the buyer/);
    const newSplitPlan = splitPlan(0, 0, 0);
    const resolved = await own.post(`${path}/admin-resolve`, { adminId: own.owner.id, reason: 'Wet', newSplitPlan });
    expect(resolved.status).toBe(200);
    expect(await textsTo(sellers, 4)).toEqual([news, news, news, news]);
    expect((await textsTo(buyers, 3)).filter((_, index) => index !== 1)).toEqual([news, news]);
  });

  test('of a cancellation names all that comes back, although an earlier part settled a debt', async () => {
    const own = await companyOf('In debt');
    const milestones = [1, 2].map((part) => ({ title: `Part ${part}`, percentage: 50 }));
    const owing = await offerLink(service, own, {});
    const other = await offerLink(service, own, { buyerId: owing.buyer.id, milestones });
    const [path, owed] = [`/v1/escrow/${other.escrowId}`, `/v1/escrow/${owing.escrowId}`];
    await own.post(`${path}/order-pages`);
    const ids = [];
    for (const { say, verify } of [owing, other]) {
      const { checkoutId } = (await say('eft-pay/initiate')).body;
      await service.sandbox.settle(checkoutId, 'success');
      await eventually(async () => (await verify(checkoutId)).body.status === 'ACCEPTED');
      ids.push(String(checkoutId));
    }
    await own.post(`${owed}/release`);
    await service.sandbox.change(ids[0] ?? '', 'RF', '40.00');
    await eventually(async () => (await own.get(owed)).body.chargedBackAmount === '4000');
    const [first] = (await own.get(path)).body.milestones;
    const part = `${path}/milestones/${first.id}`;
    const agreed = await own.post(`${part}/adjust`, { actor: 'BUYER', proposedSellerPayoutCents: 0 });
    await own.post(`${part}/negotiate/${agreed.body.negotiationId}/accept`, { actor: 'SELLER' });
    expect((await own.post(`${path}/release?milestoneId=${first.id}`)).status).toBe(200);
    await own.post(`${path}/cancel`, { actor: 'SELLER', reason: 'Sold out' });
    await eventually(async () =>
      (await service.sandbox.messagesTo(owing.buyer.mobileNumber)).some(({ text }) =>
        /was cancelled, and USD.125\.00 went back to the buyer/.test(text),
      ),
    );
  });

  test('in the language in which it used its page, with the address of its page', async () => {
    const order = await ordered(service, company);
    const french = { 'accept-language': 'fr' };
    await order.buyerPage.submit('code', { act: 'dispute' }, french);
    const otp = await service.sandbox.codeFor(order.buyerPage.mobileNumber);
    await order.buyerPage.submit('unlock', { act: 'dispute', otp }, french);
    await deliver(order);
    expect(await textsTo(order.buyerPage.mobileNumber)).toEqual([expect.stringMatching(/votre commande/)]);
    const [sent] = (await service.sandbox.messagesTo(order.buyerPage.mobileNumber)).slice(-1);
    expect(order.urls.buyerUrl).toMatch(new RegExp(`/orders/${sent?.button}$`));
  });
});

describe('nothing is sent', () => {
  test('where the company sends its own, but the event comes', async () => {
    const own = await companyOf('Own messages');
    await own.request('PATCH', '/v1/core/companies/me', { body: { order_pages: { messages: false } } });
    const order = await ordered(service, own);
    await deliver(order, own);
    expect((await settled(order, 1))[0]).toMatchObject({ status: 'NOT_SENT', reason: 'SWITCHED_OFF' });
    const [event] = await eventually(async () => {
      const found = await dueEvents(own);
      return found.length > 0 && found;
    });
    expect(event).toMatchObject({ data: { kind: 'DELIVERY', notSentBecause: 'SWITCHED_OFF' } });
  });

  test('where order pages are off, and there is no event', async () => {
    const own = await companyOf('Off');
    const order = await ordered(service, own);
    await own.request('PATCH', '/v1/core/companies/me', { body: { order_pages: { enabled: false } } });
    await deliver(order, own);
    expect(await messagesOf(order)).toEqual([]);
  });

  test('of a reminder whose date was moved or whose page was ended', async () => {
    const own = await companyOf('Moved');
    const order = await ordered(service, own);
    await deliver(order, own);
    await own.post(`${order.path}/extend`, { actor: 'BUYER', hours: 24 });
    await own.post('/v1/sandbox/clock', { advanceHours: 25 });
    await settled(order, 1);
    expect((await messagesOf(order)).map(({ kind, status }) => [kind, status])).toEqual([
      ['DELIVERY', 'SENT'],
      ['RELEASE_IN_48_HOURS', 'WAITING'],
      ['RELEASE_IN_6_HOURS', 'WAITING'],
    ]);
    await own.request('DELETE', `${order.path}/order-pages`);
    expect((await messagesOf(order)).map(({ kind }) => kind)).toEqual(['DELIVERY']);
  });

  test('before a release of which the seller gets nothing, as both agreed', async () => {
    const own = await companyOf('Agreed');
    const order = await ordered(service, own);
    await deliver(order, own);
    const made = await own.post(`${order.path}/negotiate`, { actor: 'BUYER', newSplitPlan: splitPlan(0, 0, 0) });
    await own.post(`${order.path}/negotiate/${made.body.negotiationId}/accept`, { actor: 'SELLER' });
    await own.post('/v1/sandbox/clock', { advanceHours: 25 });
    const reminder = await eventually(async () =>
      (await messagesOf(order)).find(({ kind, status }) => kind === 'RELEASE_IN_48_HOURS' && status !== 'WAITING'),
    );
    expect(reminder).toMatchObject({ status: 'STALE' });
  });

  test('to a number that wrote STOP, in any language, until it writes START', async () => {
    const order = await ordered(service, company);
    const { mobileNumber } = order.buyerPage;
    const write = (text: string) => service.sandbox.control('POST', '/messages', { from: mobileNumber, text });
    expect(await write(' Arrêt ! ')).toMatchObject({ body: { status: 200 } });
    await deliver(order);
    expect((await settled(order, 1))[0]).toMatchObject({ status: 'NOT_SENT', reason: 'STOPPED' });
    await write('start');
    await company.post(`${order.path}/negotiate`, { actor: 'SELLER', newSplitPlan: splitPlan(250, 0, 20_000) });
    expect(await textsTo(mobileNumber)).toEqual([expect.stringMatching(/proposes/)]);
  });

  test('beyond the budget of a number', async () => {
    const order = await ordered(service, company);
    await deliver(order);
    await textsTo(order.buyerPage.mobileNumber);
    await sql(
      service,
      `insert into order_message (company_id, escrow_id, party, kind, cause, due_at, status, number_hash, announced_at)
       select company_id, escrow_id, party, kind, 'x' || n, due_at, 'SENT', number_hash, announced_at
       from order_message, generate_series(1, 19) n where escrow_id = $1::uuid and kind = 'DELIVERY' and status <> 'WAITING'`,
      [order.id.slice('esc_'.length)],
    );
    await company.post(`${order.path}/negotiate`, { actor: 'SELLER', newSplitPlan: splitPlan(250, 0, 20_000) });
    const limited = await eventually(async () => (await messagesOf(order)).find(({ reason }) => reason !== null));
    expect(limited).toMatchObject({ kind: 'PROPOSAL', status: 'NOT_SENT', reason: 'LIMIT' });
  });
});
