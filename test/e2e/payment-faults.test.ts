import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Gate, startGate } from '../support/gate.ts';
import { codeFor, LINK_CENTS, letExpire, offerLink, type TestLink } from '../support/links.ts';
import { servers } from '../support/servers.ts';
import { newCompany, newUser, type TestCompany } from '../support/service.ts';
import { type OwnService, startService } from '../support/whole-service.ts';

const AMOUNT = String(LINK_CENTS);
/** Long enough for a phone that answers. */
const CHARGE_MS = 4_000;
const WEBHOOK = '/v1/payments/eft-pay/webhook';

let gate: Gate;
let service: OwnService;
let company: TestCompany;

beforeAll(async () => {
  gate = await startGate(servers().ownerUrl);
  service = await startService({ databaseVia: gate.through, waits: { ...WAIT_LIMITS, chargeMs: CHARGE_MS } });
  company = await newCompany(service);
});
afterAll(async () => {
  await service?.stop();
  await gate?.stop();
});

const offer = (fields: Record<string, unknown> = {}) => offerLink(service, company, fields);
const initiate = async (link: TestLink): Promise<string> => (await link.say('eft-pay/initiate')).body.checkoutId;
const notify = (body: unknown) => service.request('POST', WEBHOOK, { body });
const isOver = (link: TestLink) => eventually(async () => (await link.details()).status === 'ACCEPTED');
const runOf = (link: TestLink) => service.temporal.workflow.getHandle(`payment-link/pay_${link.linkId}`);
const rebuild = () => service.temporal.schedule.getHandle(`rebuild/${service.taskQueue}`).trigger('BUFFER_ONE');

async function expectPaidOnce(link: TestLink) {
  expect(await link.account()).toMatchObject({ balance: AMOUNT, held_balance: AMOUNT });
  expect(await link.deposits()).toBe(1);
  expect(await link.escrow()).toMatchObject({ status: 'ACTIVE', heldAmount: AMOUNT });
  expect((await link.events()).filter((type) => type === 'ACCEPTED')).toHaveLength(1);
}

describe('the gateway reports success while a part of the service is down', () => {
  test('the API: the gateway repeats the notification, and the buyer is credited once', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    await service.stopApi();
    await service.sandbox.settle(checkoutId, 'success');
    await service.startApi();
    await isOver(link);
    await expectPaidOnce(link);
  });

  test('the worker: the notification waits for it, and the buyer is credited once', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    await service.stopWorker();
    await service.sandbox.settle(checkoutId, 'success');
    expect((await notify({ id: checkoutId })).status).toBe(200);
    expect((await link.details()).status).toBe('PENDING');
    await service.startWorker();
    await isOver(link);
    await expectPaidOnce(link);
  });

  test('the database: the notification is answered and lost; the returning buyer is credited once', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    gate.shut();
    await service.sandbox.settle(checkoutId, 'success');
    expect((await notify({ id: checkoutId })).status).toBe(200);
    const back = `${service.url}${link.path}/return?resourcePath=/v1/checkouts/${checkoutId}/payment`;
    const away = await fetch(back, { redirect: 'manual' });
    expect(away.status).toBe(503);
    expect(Number(away.headers.get('refresh'))).toBeGreaterThan(0); // the page reloads by itself
    expect(await away.text()).toContain('Nothing is lost');
    gate.open();
    await eventually(async () => (await fetch(back, { redirect: 'manual' })).status === 303);
    await isOver(link);
    await expectPaidOnce(link);
  });

  test('the database, and the buyer never returns: the last question about the form finds the money', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    gate.shut();
    await service.sandbox.control('POST', `/checkouts/${checkoutId}`, { outcome: 'success', isSilent: true });
    expect((await notify({ id: checkoutId })).status).toBe(200);
    gate.open();
    await eventually(async () => (await link.details()).status === 'PENDING');
    // Thirty-five minutes later.
    await link.change(
      `update payment_link set state = jsonb_set(state, '{attempts,0,pollAt}', to_jsonb($2::text)) where id = $1`,
      [new Date().toISOString()],
    );
    await rebuild();
    await isOver(link);
    await expectPaidOnce(link);
  });

  test('the database, while a phone is asked: the answer is found when it is back, and credited once', async () => {
    const link = await offer();
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'silent');
    const form = new URLSearchParams({ phone: link.buyer.mobileNumber });
    const sent = await fetch(`${service.url}${link.path}/mobile`, { method: 'POST', body: form, redirect: 'manual' });
    expect(sent.status).toBe(303);
    expect((await link.details()).status).toBe('PROCESSING');
    gate.shut();
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'approve');
    expect((await service.request('GET', `/v1/payments/link-details/${link.hash}`)).status).toBe(503);
    gate.open();
    await isOver(link);
    await expectPaidOnce(link);
  });
});

describe('the gateway’s notifications', () => {
  test('two hundred of one payment, in any order and form, are one transaction', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    const bodies = [{ id: checkoutId }, { payload: { id: checkoutId } }, { payload: { ndc: checkoutId }, id: 'x' }];
    expect((await notify(bodies[0])).status).toBe(200); // before there is a payment
    await service.sandbox.settle(checkoutId, 'success');
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => notify(bodies[index % 3])));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.status}`))).toEqual(new Set(['200 OK']));
    await isOver(link);
    expect((await link.verify(checkoutId)).body.status).toBe('ACCEPTED');
    await expectPaidOnce(link);
    await Promise.all(Array.from({ length: 20 }, () => notify(bodies[0])));
    await expectPaidOnce(link);
  });

  const deep = `${'{"payload":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  test.each([
    ['nothing', ''],
    ['no JSON', '<xml/>'],
    ['another shape', '[1,"two",null]'],
    ['hex that nobody encrypted', 'deadbeef'.repeat(100)],
    ['an encrypted body that is none', JSON.stringify({ encryptedBody: 'abcdef' })],
    ['an unknown checkout', JSON.stringify({ id: `${'A'.repeat(32)}.sandbox` })],
    ['an id that is a path', JSON.stringify({ id: '../../../../../../../../etc/passwd-and-more' })],
    ['an id that is not a string', JSON.stringify({ id: { $ne: null }, payload: { id: 7 } })],
    ['a null character', JSON.stringify({ id: '\0'.repeat(40) })],
    ['great depth', deep],
    ['two megabytes', JSON.stringify({ id: 'x'.repeat(2_000_000) })],
    ['twenty megabytes', JSON.stringify({ id: 'x'.repeat(20_000_000) })],
  ])('%s: 200, and nothing happens', async (_, rawBody) => {
    const answer = await service.request('POST', WEBHOOK, { rawBody });
    expect(answer).toMatchObject({ status: 200, body: { status: 'OK' } });
  });

  const STORM = Number(process.env.NOTIFICATIONS ?? 1_000);
  test(`${STORM} at once, of a form that is only open, ask the gateway twice and leave a short history`, async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    const body = JSON.stringify({ id: checkoutId });
    let left = STORM;
    let refused = 0;
    const sender = async () => {
      while (left > 0) {
        left -= 1;
        const answer = await fetch(`${service.url}${WEBHOOK}`, { method: 'POST', body });
        await answer.arrayBuffer();
        if (answer.status !== 200) refused += 1;
      }
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 64 }, sender));
    const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
    expect(refused).toBe(0);
    expect(await service.sandbox.statusCalls(checkoutId)).toBeLessThanOrEqual(2 * minutes);
    expect((await runOf(link).describe()).historyLength).toBeLessThan(100 * minutes);
    expect((await link.events()).length).toBeLessThan(10 * minutes);
    expect((await link.details()).status).toBe('PENDING');
  });

  test('a form that was declined, and paid after all by going back in the browser, is credited once', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    await service.sandbox.settle(checkoutId, 'declined');
    await eventually(async () => (await link.events()).includes('PAYMENT_DECLINED'));
    await service.sandbox.settle(checkoutId, 'success');
    // A minute later: the gateway accepts two questions a minute.
    await sql(service, "update payment_attempt set asked_at = '{}', notified_at = null where link_id = $1", [
      link.linkId,
    ]);
    await notify({ id: checkoutId });
    await isOver(link);
    await expectPaidOnce(link);
  });
});

describe("a caller's claims about a payment", () => {
  const id = 'A'.repeat(36);
  /** The runs of other tests ask the gateway about theirs at any time. No claim below looks like one. */
  const ID_OF_SANDBOX = /\/[0-9a-f]{32}[/?]/;
  let link: TestLink;
  beforeAll(async () => {
    link = await offer();
  });

  test.each([
    ['another host', `https://evil.example/v1/checkouts/${id}/payment`],
    ['another host without a scheme', `//evil.example/v1/checkouts/${id}/payment`],
    ['credentials', `@evil.example/v1/checkouts/${id}/payment`],
    ['a way up', `/v1/checkouts/../checkouts/${id}/payment`],
    ['an encoded way up', `/v1/checkouts/%2e%2e%2f${id}/payment`],
    ['a query', `/v1/checkouts/${id}/payment?entityId=other`],
    ['a fragment', `/v1/checkouts/${id}/payment#`],
    ['something behind', `/v1/checkouts/${id}/payment/`],
    ['a new line', `/v1/checkouts/${id}/payment\n`],
    ['a header', `/v1/checkouts/${id}/payment HTTP/1.1\r\nX: y`],
    ['another resource', `/v1/payments/${id}/payment`],
    ['a short id', '/v1/checkouts/abc/payment'],
    ['a long id', `/v1/checkouts/${'A'.repeat(49)}/payment`],
    ['other letters', `/v1/checkouts/${'Ａ'.repeat(36)}/payment`],
    ['nothing', ''],
    ['no text', { path: `/v1/checkouts/${id}/payment` }],
  ])('%s as the resource path: 400, and nobody is asked', async (_, resourcePath) => {
    const asked = jest.spyOn(globalThis, 'fetch');
    try {
      const answer = await service.request('POST', '/v1/payments/eft-pay/verify', { body: { resourcePath } });
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      const query = new URLSearchParams({ resourcePath: String(resourcePath) });
      expect((await fetch(`${service.url}${link.path}/return?${query}`, { redirect: 'manual' })).status).toBe(400);
      const addresses = asked.mock.calls.map(([address]) => String(address));
      const isOfOthers = (address: string) => address.startsWith(service.url) || ID_OF_SANDBOX.test(address);
      expect(addresses.filter((address) => !isOfOthers(address))).toEqual([]);
    } finally {
      asked.mockRestore();
    }
  });

  test('an unknown checkout and a checkout of another link are 404 on a link’s page', async () => {
    expect((await link.verify(`${'B'.repeat(32)}`)).status).toBe(404);
    const path = `/v1/checkouts/${await initiate(await offer())}/payment`;
    const back = `${service.url}${link.path}/return?${new URLSearchParams({ resourcePath: path })}`;
    expect((await fetch(back, { redirect: 'manual' })).status).toBe(404);
  });
});

describe('mobile money that is not answered', () => {
  test('is PROCESSING when the wait is over, refuses everything else until it is answered, and is credited when approved', async () => {
    const link = await offer();
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'silent');
    const startedAt = performance.now();
    const answer = await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(CHARGE_MS);
    expect(answer).toMatchObject({ status: 200, body: { status: 'PROCESSING', transactionId: null } });
    const conflict = { status: 409, body: { code: 'wrong_state' } };
    expect(await link.say('reject-payment')).toMatchObject(conflict);
    expect(await link.say('eft-pay/initiate')).toMatchObject(conflict);
    expect(await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber })).toMatchObject(conflict);
    const proof = { messagingNumber: link.buyer.mobileNumber, otp: await codeFor(service, link) };
    expect(await link.say('accept-payment', proof)).toMatchObject(conflict);
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'approve');
    await isOver(link);
    await expectPaidOnce(link);
  });
});

describe('expiry', () => {
  const past = () => new Date(Date.now() - 1_000).toISOString();
  const gone = { status: 410, body: { code: 'link_expired' } };

  test('is automatic: the link is expired, the escrow cancelled, and using the link is 410', async () => {
    const link = await offer();
    await letExpire(link);
    expect((await link.escrow()).status).toBe('PENDING'); // no worker has recorded it yet
    for (const operation of ['accept-payment', 'reject-payment', 'eft-pay/initiate'])
      expect(await link.say(operation, { phoneNumber: link.buyer.mobileNumber })).toMatchObject(gone);
    await rebuild();
    await eventually(async () => (await link.escrow()).status === 'CANCELLED');
    expect(await link.events()).toEqual(['CREATED', 'EXPIRED']);
    expect(await link.details()).toMatchObject({ status: 'EXPIRED', escrowStatus: 'CANCELLED' });
  });

  test('waits for an open form: the gateway is asked once more before the link expires', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    await letExpire(link);
    await rebuild();
    await eventually(async () => (await runOf(link).describe()).status.name === 'RUNNING');
    await eventually(async () => (await runOf(link).query('state')) !== null); // it has read its row
    expect((await link.read()).timeline.at(-1)).toMatchObject({ event: 'CHECKOUT_OPENED' });
    // Thirty-five minutes after it was opened, it has not been submitted.
    const openedAt = new Date(Date.now() - 36 * 60_000).toISOString();
    await link.change(
      `update payment_link set state = jsonb_set(jsonb_set(state, '{attempts,0,pollAt}', to_jsonb($2::text)),
         '{attempts,0,startedAt}', to_jsonb($3::text)) where id = $1`,
      [past(), openedAt],
    );
    await rebuild();
    await eventually(async () => (await link.escrow()).status === 'CANCELLED');
    expect(await link.events()).toEqual(['CREATED', 'CHECKOUT_OPENED', 'CHECKOUT_LAPSED', 'EXPIRED']);
    expect(await service.sandbox.statusCalls(checkoutId)).toBe(1);

    // The money arrives after the expiry: it is the buyer's, and the company can read what happened.
    await service.sandbox.settle(checkoutId, 'success');
    await eventually(async () => (await link.account()).balance === AMOUNT);
    expect(await link.account()).toMatchObject({ held_balance: '0' });
    await eventually(async () => (await link.events()).at(-1) === 'POLL_POSTPONED'); // no chargeback was reported
    const { attempts, timeline, status } = await link.read();
    expect(status).toBe('EXPIRED');
    expect(attempts).toMatchObject([{ kind: 'card', status: 'succeeded', checkoutId, nextCheckAt: null }]);
    expect(timeline.at(-2)).toMatchObject({
      event: 'LATE_MONEY',
      actor: 'SYSTEM',
      status: 'EXPIRED',
      details: { attemptId: attempts[0].id, transactionId: attempts[0].transactionId },
    });
    expect(await link.verify(checkoutId)).toMatchObject({
      body: { status: 'ACCEPTED', transactionId: attempts[0].transactionId },
    });
    const page = await (await fetch(`${service.url}${link.path}`)).text();
    expect(page).toContain('has expired');
    expect(page).toContain('on your balance');
  });
});

describe('the buyer and the seller of a link', () => {
  const blacklist = (link: TestLink) =>
    service.request('POST', `/v1/identity/admin/users/${link.buyer.id}/status`, {
      headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id },
      body: { status: 'BLACKLISTED' },
    });

  test.concurrent('a blacklisted buyer is refused every way to pay', async () => {
    const link = await offer();
    await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: LINK_CENTS, currency: 'USD' });
    const proof = { messagingNumber: link.buyer.mobileNumber, otp: await codeFor(service, link) };
    expect((await blacklist(link)).status).toBe(200);
    const refused = { status: 403, body: { code: 'user_blacklisted' } };
    expect(await link.say('accept-payment', proof)).toMatchObject(refused);
    expect(await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber })).toMatchObject(refused);
    expect(await link.say('eft-pay/initiate')).toMatchObject(refused);
    expect(await link.account()).toMatchObject({ held_balance: '0' });
  });

  test.concurrent('money of a buyer who was blacklisted after the link goes to their balance and funds nothing', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    await blacklist(link);
    await service.sandbox.settle(checkoutId, 'success');
    await eventually(async () => (await link.account()).balance === AMOUNT);
    expect(await link.account()).toMatchObject({ held_balance: '0' });
    expect(await link.escrow()).toMatchObject({ status: 'PENDING' });
    expect((await link.events()).slice(0, 3)).toEqual(['CREATED', 'CHECKOUT_OPENED', 'LATE_MONEY']);
  });

  test('the seller is the named one, else the default of the company, else the company itself', async () => {
    const [named, usual] = [await newUser(company), await newUser(company)];
    const sellerOf = async (link: TestLink) => (await link.escrow()).seller.id;
    expect(await sellerOf(await offer())).toBe(company.id);
    await company.request('PATCH', '/v1/core/companies/me', { body: { default_seller_id: usual.id } });
    expect(await sellerOf(await offer())).toBe(usual.id);
    expect(await sellerOf(await offer({ sellerId: named.id }))).toBe(named.id);
    await company.request('PATCH', '/v1/core/companies/me', { body: { default_seller_id: null } });
  });

  test('the company as seller is paid on release', async () => {
    const link = await offer();
    const checkoutId = await initiate(link);
    await service.sandbox.settle(checkoutId, 'success');
    await isOver(link);
    const { body: before } = await company.get('/v1/ledger/company/accounts');
    expect((await company.post(`/v1/escrow/${link.escrowId}/release`)).status).toBe(200);
    const { body: after } = await company.get('/v1/ledger/company/accounts');
    const usd = (accounts: { type: string; currency: string; balance: string }[]) =>
      BigInt(accounts.find(({ type, currency }) => type === 'COMPANY' && currency === 'USD')?.balance ?? '0');
    expect(usd(after) - usd(before)).toBe(24_750n); // less the platform's fee of 1 %
  });

  test.concurrent('a link of another company is 404', async () => {
    const link = await offer();
    const other = await newCompany(service);
    expect((await other.get(`/v1/payments/links/pay_${link.linkId}`)).status).toBe(404);
    expect((await other.get('/v1/payments/links')).body.total).toBe(0);
    expect((await company.get(`/v1/payments/links/pay_${link.linkId}`)).body).toMatchObject({
      hash: link.hash,
      status: 'PENDING',
      attempts: [],
      timeline: [{ event: 'CREATED', actor: 'COMPANY', status: 'PENDING' }],
    });
  });
});

test('the books balance at the end', async () => {
  const { body } = await company.get('/v1/ledger/verify-ledger-integrity');
  // The tests move deadlines in the stored state of links, and the audit names these rows.
  const isMoved = ({ record }: { record: string | null }) =>
    record !== null && /^payment_link\/.*\/state$/.test(record);
  expect(body.mismatches.filter((mismatch: { record: string | null }) => !isMoved(mismatch))).toEqual([]);
});
