import { createHash, randomUUID } from 'node:crypto';
import type { ClientRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { DOWNLOAD_LIMITS, MAX_DOCUMENT_BYTES, MAX_ORDER_FILES_BYTES, SHORT } from '../../../src/api/limits.ts';
import { DISPUTE_ANSWER_HOURS } from '../../../src/domain/escrow/escrow.ts';
import { bare, logIn, newKey, refused, sql } from '../../support/api.ts';
import { png } from '../../support/documents.ts';
import { beginEscrow } from '../../support/escrows.ts';
import { eventually } from '../../support/eventually.ts';
import { codeFor, offerLink } from '../../support/links.ts';
import { nextMobileNumber } from '../../support/mobile-numbers.ts';
import { ordered as orderedIn, switchOn, visitor as visitorOf } from '../../support/order-pages.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';
import { beginDownload, beginUpload, formHeaders } from '../../support/slow-upload.ts';

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Harvest Market');
  await switchOn(company);
});
afterAll(() => service?.stop());

const ME = '/v1/core/companies/me';
const visitor = (url: string) => visitorOf(service, url);
const ordered = (of = company, fields: Record<string, unknown> = {}) => orderedIn(service, of, fields);
/** The text of a section of a page, which begins at its heading. */
async function sectionOf(page: Pick<ReturnType<typeof visitor>, 'get'>, id: string): Promise<string> {
  const [, section = ''] = new RegExp(`<h2 id="${id}">(.*?)</section>`, 's').exec((await page.get()).html) ?? [];
  return section
    .replace(/<[^>]+>|&nbsp;|\s/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

describe('the operations', () => {
  test('are refused where the company has no order pages, and create nothing', async () => {
    const other = await newCompany(service);
    const { path } = await beginEscrow(other);
    expect(await other.post(`${path}/order-pages`)).toMatchObject(refused(409, 'wrong_state'));
    const buyer = await newUser(other, { mobileNumber: nextMobileNumber() });
    const link = await other.post('/v1/payments/generate-escrow-payment-link', {
      ...{ buyerId: buyer.id, amount: 1_000, currency: 'USD', orderPages: true },
      items: [{ name: 'Maize', quantity: 1, pricePerUnit: 1_000 }],
    });
    expect(link).toMatchObject(refused(409, 'wrong_state'));
    expect((await other.get('/v1/payments/links')).body.total).toBe(0);
  });

  test('make two addresses of 192 bits, which no row holds, and repeat them for the same key', async () => {
    const { path } = await beginEscrow(company);
    const key = randomUUID();
    const headers = { 'x-idempotency-key': key };
    const first = await company.request('POST', `${path}/order-pages`, { headers });
    const again = await company.request('POST', `${path}/order-pages`, { headers });
    expect(again.body).toEqual(first.body);
    const tokens = [first.body.buyerUrl, first.body.sellerUrl].map((url: string) => url.split('/orders/')[1] ?? '');
    expect(tokens[0]).not.toBe(tokens[1]);
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{32}$/);
      const hash = createHash('sha256').update(token).digest('hex');
      expect(await sql(service, 'select count(*)::int as rows from directory where key = $1', [hash])).toEqual([
        { rows: 1 },
      ]);
      const [row] = await sql(
        service,
        `select (select count(*)::int from idempotency where response_body::text like '%' || $1 || '%') as answers,
           (select count(*)::int from order_page p where p::text like '%' || $1 || '%') as pages`,
        [token],
      );
      expect(row).toEqual({ answers: 0, pages: 0 });
    }
  });

  test('replace and end the addresses at once', async () => {
    const { path, urls } = await ordered();
    const renewed = (await company.post(`${path}/order-pages`)).body;
    expect((await visitor(urls.buyerUrl).get()).status).toBe(404);
    expect((await visitor(renewed.buyerUrl).get()).status).toBe(200);
    expect(await company.request('DELETE', `${path}/order-pages`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const revoked = await visitor(renewed.buyerUrl).get();
    expect(revoked.status).toBe(404);
    expect(revoked.html).toContain('We cannot find this order');
    const later = (await company.post(`${path}/order-pages`)).body;
    expect([urls.buyerUrl, renewed.buyerUrl]).not.toContain(later.buyerUrl);
  });

  test('of a link where the company sells answer a page for the buyer alone', async () => {
    const buyer = await newUser(company, { mobileNumber: nextMobileNumber(), firstName: 'Bea' });
    const key = { 'x-idempotency-key': randomUUID() };
    const body = {
      ...{ buyerId: buyer.id, amount: 1_000, currency: 'USD', orderPages: true },
      items: [{ name: 'Maize', quantity: 1, pricePerUnit: 1_000 }],
    };
    const path = '/v1/payments/generate-escrow-payment-link';
    const made = await company.request('POST', path, { body, headers: key });
    expect(made.body.orderPages).toEqual({ buyerUrl: expect.stringContaining('/orders/'), sellerUrl: null });
    expect((await company.request('POST', path, { body, headers: key })).body).toEqual(made.body);
    expect((await visitor(made.body.orderPages.buyerUrl).get()).html).toContain('This order is not paid yet');
  });
});

describe('reading', () => {
  test('shows each party its side, without phone numbers, and lets nobody store, frame or index it', async () => {
    const { buyerPage, sellerPage, path, itemId } = await ordered();
    await company.post(`${path}/delivery-note`, {
      items: [{ itemId, quantity: 2, price_per_item: 12_500 }],
      notes: 'By bus',
    });
    const buyer = await buyerPage.get();
    expect(buyer.html).toContain('Your order was sent');
    expect(buyer.html).toContain('By bus');
    expect(buyer.html).toMatch(/2 days 23 hours left|3 days 0 hours left/);
    expect(buyer.html).not.toContain(buyerPage.mobileNumber);
    expect(buyer.headers.get('cache-control')).toBe('no-store');
    expect(buyer.headers.get('x-robots-tag')).toContain('noindex');
    expect(buyer.headers.get('content-security-policy')).not.toContain('unsafe-inline');
    const seller = await sellerPage.get('', { 'accept-language': 'fr' });
    expect(seller.html).toContain('Vous avez expédié la commande');
    expect(seller.html).not.toContain('/receipt');
  });

  test('leads the address of a form, opened again, back to the page', async () => {
    const { urls } = await ordered();
    const answer = await fetch(`${service.url}${new URL(urls.buyerUrl).pathname}/act`);
    expect([answer.status, answer.redirected, new URL(answer.url).pathname]).toEqual([
      ...[200, true, new URL(urls.buyerUrl).pathname],
    ]);
  });

  test('needs the token: unknown, malformed and switched-off ones look the same', async () => {
    const own = await newCompany(service);
    await switchOn(own);
    const { urls } = await ordered(own);
    await own.request('PATCH', ME, { body: { order_pages: { enabled: false } } });
    const pages = [urls.buyerUrl, `${service.url}/orders/${'a'.repeat(32)}`, `${service.url}/orders/x`];
    const answers = await Promise.all(pages.map((url) => visitor(url).get()));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ html }) => html)).size).toBe(1);
  });
});

describe('acting', () => {
  test('begins with a code to the number on record that names act and order', async () => {
    const externalReference = `order-named-${randomUUID()}`;
    const { buyerPage, path } = await ordered(company, { externalReference });
    expect(await buyerPage.act('dispute', { reason: 'Broken' })).toMatchObject({ notice: 'code_needed' });
    await buyerPage.submit('code', { act: 'dispute' });
    await service.sandbox.codeFor(buyerPage.mobileNumber);
    const [message] = await service.sandbox.messagesTo(buyerPage.mobileNumber);
    const { code, merchant } = message ?? {};
    expect(merchant).toMatch(/^Harvest Market/);
    expect(message?.text).toBe(
      `Use the code ${code} to open a dispute: order ${externalReference} for USD 250.00 with ${merchant}. Give it to nobody.`,
    );
    expect(await buyerPage.submit('unlock', { act: 'dispute', otp: '000000' })).toMatchObject({ setCookie: null });
    expect((await company.get(path)).body.status).toBe('ACTIVE');
    const bait = await ordered(company, {
      externalReference: `Your account is blocked: https://${randomUUID()}.example`,
    });
    await bait.buyerPage.submit('code', { act: 'dispute' });
    await service.sandbox.codeFor(bait.buyerPage.mobileNumber);
    const [plain] = await service.sandbox.messagesTo(bait.buyerPage.mobileNumber);
    expect(plain?.text).toContain(`to open a dispute: order ${bait.id} for`);
  });

  test.each([
    ['fr', /^Le code \d{6} sert à signaler une expédition : commande esc_\S+ de 250,00 USD chez Marché \d+\. Ne le/],
    ['pt', /^O código \d{6} serve para comunicar um envio: encomenda esc_\S+ de 250,00 USD na Marché \d+\. Não o/],
  ])('a seller reads in %s what the code is for', async (language, text) => {
    const own = await newCompany(service, 'Marché');
    await switchOn(own);
    const { sellerPage } = await ordered(own, { externalReference: 'no number' });
    await sellerPage.submit('code', { act: 'dispatch' }, { 'accept-language': language });
    await service.sandbox.codeFor(sellerPage.mobileNumber);
    expect((await service.sandbox.messagesTo(sellerPage.mobileNumber))[0]?.text).toMatch(text);
  });

  test('a deal: dispatch, partial receipt, the rest, each with its actor, once for a form that is sent twice', async () => {
    const { id, buyerPage, sellerPage, itemId, timeline, read } = await ordered();
    const pieces = `pieces-${itemId.slice('itm_'.length)}`;
    await sellerPage.unlock('dispatch');
    const key = randomUUID();
    const [one, two] = await Promise.all([
      sellerPage.act('dispatch', { [pieces]: '2', note: 'By bus' }, key),
      sellerPage.act('dispatch', { [pieces]: '2', note: 'By bus' }, key),
    ]);
    expect([one.notice, two.notice]).toEqual(['done', 'done']);
    await buyerPage.unlock('confirm_receipt');
    expect(await buyerPage.act('confirm_receipt', { [pieces]: '3' })).toMatchObject({
      notice: 'quantity_exceeds_order',
    });
    expect(await buyerPage.act('confirm_receipt', { [pieces]: '1' })).toMatchObject({ notice: 'done' });
    expect((await buyerPage.get()).html).toContain('You received part of your order');
    expect((await read()).autoReleaseAt).toBeNull();
    expect(await buyerPage.act('confirm_receipt', { [pieces]: '1' })).toMatchObject({ notice: 'done' });
    expect(await buyerPage.act('extend', { hours: '24' })).toMatchObject({ notice: 'done' });
    const source = 'ORDER_PAGE';
    expect((await timeline()).slice(1)).toMatchObject([
      { event: 'DELIVERY_NOTED', actor: 'SELLER', details: { notes: 'By bus' }, source },
      { event: 'GOODS_RECEIVED', actor: 'BUYER', source },
      { event: 'GOODS_RECEIVED', actor: 'BUYER', source },
      { event: 'AUTO_RELEASE_EXTENDED', actor: 'BUYER', source },
    ]);
    const sources = await eventually(async () => {
      const { data } = (await company.get(`/v1/events?objectId=${id}`)).body;
      return data.length === 5 && data.map((event: { source: string }) => event.source);
    });
    expect(sources).toEqual(['API', source, source, source, source]);
  });

  test('a delivery is reported once, also from an old tab', async () => {
    const { sellerPage, itemId, timeline } = await ordered();
    await sellerPage.unlock('dispatch');
    const all = { [`pieces-${itemId.slice('itm_'.length)}`]: '2' };
    const key = randomUUID();
    for (const notice of ['done', 'done']) expect(await sellerPage.act('dispatch', all, key)).toMatchObject({ notice });
    expect(await sellerPage.act('dispatch', all)).toMatchObject({ notice: 'quantity_exceeds_order' });
    expect((await timeline()).map(({ event }: { event: string }) => event)).toEqual(['INITIATED', 'DELIVERY_NOTED']);
  });

  test('a dispute that the parties settle themselves', async () => {
    const { buyerPage, sellerPage, read, timeline } = await ordered();
    await buyerPage.unlock('dispute');
    expect(await buyerPage.act('dispute', { reason: 'Half of it\nis wet' })).toMatchObject({ notice: 'done' });
    expect((await buyerPage.get()).html).not.toContain('Please answer by');
    expect((await sellerPage.get()).html).toContain('Please answer by');
    await sellerPage.unlock('propose');
    expect(await sellerPage.act('evidence', { reason: 'It was dry when I sent it' })).toMatchObject({ notice: 'done' });
    expect(await sellerPage.act('propose', { amount: '300.00' })).toMatchObject({ notice: 'split_exceeds_held' });
    expect(await sellerPage.act('propose', { amount: '100,00' })).toMatchObject({ notice: 'done' });
    const { html } = await buyerPage.get();
    expect(html.replaceAll('\u00a0', ' ')).toMatch(/You get USD 147\.50\. The seller gets USD 100\.00\./);
    const [, proposal = ''] = /name="proposal" value="([^"]+)"/.exec(html) ?? [];
    expect(await buyerPage.act('answer', { proposal, answer: 'accept' })).toMatchObject({ notice: 'done' });
    expect(await read()).toMatchObject({ status: 'RESOLVED', releasedAmount: '10000', refundedAmount: '14750' });
    expect((await timeline())[1]).toMatchObject({ actor: 'BUYER', details: { reason: 'Half of it is wet' } });
  });

  test('a dispute that nobody answers in time is said to be due', async () => {
    const own = await newCompany(service, 'Late answers');
    await switchOn(own);
    const order = await ordered(own);
    await own.post(`${order.path}/dispute`, { actor: 'BUYER', reason: 'Wet bags' });
    expect((await order.sellerPage.get()).html).toContain('Please answer by');
    await own.post('/v1/sandbox/clock', { advanceHours: DISPUTE_ANSWER_HOURS + 1 });
    const { html } = await order.sellerPage.get();
    expect(html).not.toContain('Please answer by');
    expect(html).toContain('The merchant may decide now');
    expect(html).toContain('Add to the dispute');
  });

  test('the receipt of a part pays its milestone, and both pages show what is paid', async () => {
    const own = await newCompany(service, 'Builder');
    await switchOn(own);
    const milestones = [
      { title: 'Foundation', percentage: 40 },
      { title: 'Walls', percentage: 60 },
    ];
    const order = await ordered(own, { milestones });
    expect(await sectionOf(order.buyerPage, 'milestones')).toMatch(
      /Foundation\s+Held in escrow\s+USD.100\.00.*Walls\s+Held in escrow/s,
    );
    await order.buyerPage.unlock('confirm_receipt');
    const [foundation, walls] = order.milestoneIds.map((id) => id.slice('mst_'.length));
    const receive = (milestone = '') => order.buyerPage.act('confirm_receipt', { milestone });
    expect(await receive(order.id.slice('esc_'.length))).toMatchObject({ notice: 'validation_failed' });

    // The company does not let buyers release money, so it is asked.
    expect((await order.buyerPage.get()).html).toMatch(/name="milestone"[\s\S]*The merchant has to agree first/);
    expect(await receive(foundation)).toMatchObject({ notice: 'asked' });
    expect(await order.read()).toMatchObject({ releasedAmount: '0' });
    const [request] = (await own.get(`${order.path}/requests`)).body.data;
    expect(request).toMatchObject({ act: 'confirm_receipt', details: { milestoneId: order.milestoneIds[0] } });
    expect((await own.get('/v1/work?kind=REQUEST')).body.data).toMatchObject([{ amount: '10000' }]);
    await own.post(`${order.path}/requests/${request.id}/approve`);
    for (const page of [order.buyerPage, order.sellerPage])
      expect(await sectionOf(page, 'milestones')).toMatch(
        /Foundation\s+Released to the seller\s+USD.99\.00.*Walls\s+Held in escrow/s,
      );
    expect(await order.read()).toMatchObject({ status: 'ACTIVE', releasedAmount: '9900' });

    await switchOn(own, { release: 'direct' });
    const key = randomUUID();
    const last = () => order.buyerPage.act('confirm_receipt', { milestone: walls ?? '' }, key);
    expect([await last(), await last()]).toMatchObject([{ notice: 'done' }, { notice: 'done' }]);
    expect(await order.read()).toMatchObject({ status: 'COMPLETED', releasedAmount: '24750' });
  });

  test('a part that paid the buyer alone, or both, shows what each part paid; a part that is not paid for is not held', async () => {
    const own = await newCompany(service, 'Builder of parts');
    await switchOn(own);
    const milestones = [
      { title: 'Foundation', percentage: 40 },
      { title: 'Walls', percentage: 40 },
      { title: 'Roof', percentage: 20 },
    ];
    const { milestoneIds, path, buyerPage, sellerPage } = await ordered(own, { milestones });
    const part = (index: number) => `${path}/milestones/${milestoneIds[index]}`;
    for (const [index, proposedSellerPayoutCents] of [0, 6_000].entries()) {
      const proposed = await own.post(`${part(index)}/adjust`, { actor: 'BUYER', proposedSellerPayoutCents });
      await own.post(`${part(index)}/negotiate/${proposed.body.negotiationId}/accept`, { actor: 'SELLER' });
      const paid = await own.post(`${path}/release?milestoneId=${milestoneIds[index]}`);
      expect(paid.status).toBe(200);
    }
    await own.post(`${path}/cancel`, { actor: 'SELLER', reason: 'No roof' });
    for (const page of [buyerPage, sellerPage])
      expect(await sectionOf(page, 'milestones')).toContain(
        'Foundation Back to the buyer USD 99.00 Walls Released to the seller USD 60.00 Roof Back to the buyer USD 50.00',
      );

    const { escrowId } = await offerLink(service, own, { milestones });
    const unpaid = visitor((await own.post(`/v1/escrow/${escrowId}/order-pages`)).body.buyerUrl);
    expect(await sectionOf(unpaid, 'milestones')).toContain('Foundation USD 100.00 Walls USD 100.00 Roof USD 50.00');
  });

  test('to cancel is a cancellation before a delivery, and afterwards a proposal that all comes back', async () => {
    const early = await ordered();
    await early.buyerPage.unlock('ask_cancel');
    await early.buyerPage.act('ask_cancel', { reason: 'Too late' });
    expect((await early.read()).status).toBe('CANCELLED');
    const late = await ordered();
    await company.post(`${late.path}/delivery-note`, {
      items: [{ itemId: late.itemId, quantity: 1, price_per_item: 12_500 }],
    });
    await late.buyerPage.unlock('ask_cancel');
    await late.buyerPage.act('ask_cancel', { reason: 'Too late' });
    expect(await late.read()).toMatchObject({
      status: 'DELIVERY_NOTED',
      openNegotiation: { proposedBy: 'BUYER', splitPlan: { seller_payout_cents: '0', system_fee_cents: '0' } },
    });
  });

  test('to cancel what is left after a part was paid out is a proposal that the rest comes back', async () => {
    const milestones = ['Walls', 'Roof'].map((title) => ({ title, percentage: 50 }));
    const { buyerPage, path, milestoneIds, read } = await ordered(company, { milestones });
    await company.post(`${path}/release?milestoneId=${milestoneIds[0]}`);
    await buyerPage.unlock('ask_cancel');
    expect((await buyerPage.get()).html).toContain('you propose that all that is held comes back to you');
    expect(await buyerPage.act('ask_cancel', { reason: 'No roof' })).toMatchObject({ notice: 'done' });
    expect(await read()).toMatchObject({
      status: 'ACTIVE',
      openNegotiation: { proposedBy: 'BUYER', splitPlan: { seller_payout_cents: '0', system_fee_cents: '0' } },
    });
  });

  test('an accepted cancellation is told to both, before the money moves and after', async () => {
    const own = await newCompany(service, 'Cancelled by both');
    await switchOn(own, { release: 'direct' });
    const { buyerPage, sellerPage, path, itemId } = await ordered(own);
    const said = (page: typeof buyerPage) => sectionOf(page, 'standing');
    await own.post(`${path}/delivery-note`, { items: [{ itemId, quantity: 2, price_per_item: 12_500 }] });
    await buyerPage.unlock('ask_cancel');
    await buyerPage.act('ask_cancel', { reason: 'Too late' });
    const answer = { proposal: (await own.get(path)).body.openNegotiation.id.slice('neg_'.length), answer: 'accept' };
    expect(await buyerPage.act('answer', answer)).toMatchObject({ notice: 'own_proposal' });
    await sellerPage.unlock('answer');
    expect(await sellerPage.act('answer', answer)).toMatchObject({ notice: 'done' });
    expect(await said(buyerPage)).toMatch(
      /you get USD 250\.00 back of what is held\. The seller gets nothing\. This happens on /,
    );
    expect(await said(sellerPage)).toMatch(
      /you get nothing of what is held\. USD 250\.00 goes back to the buyer\. This happens on /,
    );
    const { html } = await buyerPage.get();
    expect(html).toContain('Divide the money as agreed now');
    expect(html).not.toContain('Pay the seller now');
    expect(html).not.toContain('id="ask_cancel"');
    expect(await buyerPage.act('release')).toMatchObject({ notice: 'done' });
    expect(await said(buyerPage)).toMatch(/Your money came back.*The seller got nothing\. USD 250\.00 went back/s);
    expect(await said(sellerPage)).toMatch(/went back to the buyer.*You got nothing\. USD 250\.00 went back/s);
    for (const page of [buyerPage, sellerPage])
      expect((await page.get()).html).toMatch(/went back to the buyer<\/span>[^<]*<span[^>]*>Buyer/);
    expect((await own.get(`${path}/timeline`)).body.at(-1)).toMatchObject({
      ...{ event: 'FUNDS_RELEASED', actor: 'BUYER', source: 'ORDER_PAGE' },
    });
  });

  test('an act that is off, of the other party, or no longer possible is refused', async () => {
    const own = await newCompany(service);
    await switchOn(own, { dispute: 'off' });
    const { buyerPage, read } = await ordered(own);
    expect((await buyerPage.get()).html).not.toContain('Something is wrong');
    for (const act of ['dispute', 'dispatch', 'release', 'answer'])
      expect(await buyerPage.submit('code', { act })).toMatchObject({ notice: 'wrong_state' });
    await buyerPage.unlock('extend').catch(() => undefined);
    await buyerPage.submit('code', { act: 'propose' });
    expect(await buyerPage.submit('code', { act: 'propose' })).toMatchObject({ notice: 'code_sent' });
    const otp = await service.sandbox.codeFor(buyerPage.mobileNumber);
    expect(await service.sandbox.messagesTo(buyerPage.mobileNumber)).toHaveLength(1);
    await buyerPage.submit('unlock', { act: 'propose', otp });
    for (const act of ['dispute', 'dispatch', 'release'])
      expect(await buyerPage.act(act, { reason: 'x' })).toMatchObject({ notice: 'wrong_state' });
    expect((await read()).status).toBe('ACTIVE');
  });
});

describe('the money of a seller', () => {
  const details = {
    bank_name: 'Green Bank',
    branch_code: '02101',
    account_number: '4455667788',
    account_name: 'S. Moyo',
  };
  const paid = async (of: TestCompany) => {
    const order = await ordered(of);
    await of.post(`${order.path}/release`);
    return order;
  };

  test('is not on the page unless the company switches it on', async () => {
    const { sellerPage } = await paid(company);
    expect((await sellerPage.get()).html).not.toContain('Your balance');
    for (const act of ['payout', 'payout_details'])
      expect(await sellerPage.submit('code', { act })).toMatchObject({ notice: 'wrong_state' });
  });

  test('is paid out to the details that the seller entered, once for a form that is sent twice', async () => {
    const own = await newCompany(service, 'Payout Market');
    await switchOn(own, { payout: 'direct', payout_details: 'direct' });
    const { sellerPage, buyerPage, seller, money } = await paid(own);
    expect(await sectionOf(sellerPage, 'standing')).toContain('You got USD 247.50. Your money is on your balance.');
    await sellerPage.unlock('payout_details');
    expect(await sellerPage.act('payout_details', { ...details, bank_name: '' })).toMatchObject({
      notice: 'validation_failed',
    });
    expect(await sellerPage.act('payout_details', details)).toMatchObject({ notice: 'done' });
    const key = randomUUID();
    expect(await sellerPage.act('payout', { amount: '1000' })).toMatchObject({ notice: 'insufficient_funds' });
    const answers = await Promise.all([1, 2].map(() => sellerPage.act('payout', { amount: '100.00' }, key)));
    expect(answers.map(({ notice }) => notice)).toEqual(['done', 'done']);
    const { data } = (await own.get('/v1/treasury/withdrawals')).body;
    expect(data).toMatchObject([{ amount: '10000', account_number: '******7788', bank_name: 'Green Bank' }]);
    await eventually(async () => (await money()).seller[0] !== '24750');
    const { html } = await sellerPage.get();
    expect(html).toMatch(/Paid out|On its way/);
    expect(html).not.toContain('4455667788');
    expect((await buyerPage.get()).html).not.toContain('Green Bank');

    const standing = async () => {
      await eventually(async () => !(await sellerPage.get()).html.includes('On its way'));
      return sectionOf(sellerPage, 'standing');
    };
    expect(await standing()).toBe('The money was released to you You got USD 247.50.');
    expect(await sellerPage.act('payout', { amount: '147.50' })).toMatchObject({ notice: 'done' });
    expect(await standing()).toBe(
      'The money was released to you You got USD 247.50. Your money was paid out to your bank.',
    );
    const history = await own.get(
      `/v1/ledger/${(await own.get(`/v1/identity/users/${seller.id}/ledger`)).body.ledgerId}/bank-details/history`,
    );
    expect(history.body.data).toMatchObject([{ changed_by: seller.id, account_number: '******7788' }]);
  });

  test.each(['direct', 'ask'])('%s does not go to details that the bank does not take', async (mode) => {
    const own = await newCompany(service, 'Typo Market');
    await switchOn(own, { payout: 'direct', payout_details: mode });
    const { sellerPage } = await paid(own);
    await sellerPage.unlock('payout_details');
    const refusal = { status: 400 };
    for (const wrong of [{ branch_code: '02 101 !!' }, { account_number: '44#556' }])
      expect(await sellerPage.act('payout_details', { ...details, ...wrong })).toMatchObject({
        ...refusal,
        notice: 'bank_code_refused',
      });
    expect(await sellerPage.act('payout_details', { ...details, account_name: '莫约' })).toMatchObject({
      ...refusal,
      notice: 'bank_name_refused',
    });
    expect(await sectionOf(sellerPage, 'money')).toContain('There are no bank details yet');
  });

  test('is shown whatever details are stored', async () => {
    const own = await newCompany(service, 'Old Market');
    await switchOn(own, { payout: 'direct', payout_details: 'direct' });
    const { sellerPage, seller } = await paid(own);
    const { ledgerId } = (await own.get(`/v1/identity/users/${seller.id}/ledger`)).body;
    await own.request('PATCH', `/v1/ledger/${ledgerId}/bank-details`, { body: details });
    const ledger = [bare(ledgerId)];
    await sql(service, 'update bank_details set branch_code = $2 where ledger_id = $1', [...ledger, '02102']);
    const unusable = 'The stored bank details cannot be used';
    expect(await sectionOf(sellerPage, 'money')).toContain(unusable);
    await sellerPage.unlock('payout_details');
    expect(await sellerPage.submit('code', { act: 'payout' })).toMatchObject({ notice: 'wrong_state' });
    expect(await sellerPage.act('payout_details', details)).toMatchObject({ notice: 'done' });
    expect(await sectionOf(sellerPage, 'money')).toContain('It is paid out to Green Bank');

    const bank = { institutionId: randomUUID(), accountNumber: '4455667788', accountName: 'P. Moyo' };
    await sql(service, 'insert into financial_institution (id, name, code) values ($1, $2, $3)', [
      ...[bank.institutionId, '绿银行', randomUUID().slice(0, 8)],
    ]);
    try {
      const payee = await newUser(own, { mobileNumber: nextMobileNumber(), bankAccount: bank });
      expect(await sectionOf((await ordered(own, { sellerId: payee.id })).sellerPage, 'money')).toContain(unusable);
    } finally {
      // Other files of this worker see the same banks.
      await sql(service, 'delete from financial_institution where id = $1', [bank.institutionId]);
    }
  });

  test('waits for a credential that may move money, where the company wants to be asked', async () => {
    const own = await newCompany(service, 'Careful Market');
    await switchOn(own, { payout: 'ask', payout_details: 'ask' });
    const { sellerPage, path } = await paid(own);
    await sellerPage.unlock('payout_details');
    expect(await sellerPage.act('payout_details', details)).toMatchObject({ notice: 'asked' });
    const [request] = (await own.get(`${path}/requests`)).body.data;
    expect(request).toMatchObject({ act: 'payout_details', details: { account_number: '******7788' } });
    expect(await sql(service, 'select details::text from order_request where secret is not null')).not.toContainEqual(
      expect.objectContaining({ details: expect.stringContaining('4455667788') }),
    );
    const { key } = await newKey(await logIn(service, own.id, own.owner), { permissions: ['operate', 'read'] });
    const headers = { 'x-api-key': key, 'x-company-id': own.id };
    const approval = `${path}/requests/${request.id}/approve`;
    expect(await service.request('POST', approval, { headers })).toMatchObject(refused(403, 'forbidden'));
    expect(await own.post(approval)).toMatchObject({ status: 200, body: { status: 'APPROVED' } });
    expect(await sellerPage.act('payout', { amount: '50' })).toMatchObject({ notice: 'asked' });
    const [payout] = (await own.get(`${path}/requests?status=PENDING`)).body.data;
    expect(payout).toMatchObject({ act: 'payout', details: { amount: '5000' } });
    expect((await own.get('/v1/work?kind=REQUEST')).body.data).toMatchObject([{ amount: '5000' }]);
    expect((await own.post(`${path}/requests/${payout.id}/approve`)).status).toBe(200);
    expect((await own.get('/v1/treasury/withdrawals')).body.data).toMatchObject([{ amount: '5000' }]);
  });

  test('are approved in advance, as direct, only by a credential that may approve them', async () => {
    const own = await newCompany(service);
    const { key } = await newKey(await logIn(service, own.id, own.owner), {
      permissions: ['manage_company', 'operate'],
    });
    const headers = { 'x-api-key': key, 'x-company-id': own.id };
    const set = (acts: Record<string, string>) =>
      service.request('PATCH', '/v1/core/companies/me', { headers, body: { order_pages: { enabled: true, acts } } });
    for (const act of ['payout', 'payout_details'])
      expect(await set({ [act]: 'direct' })).toMatchObject(refused(403, 'forbidden'));
    expect(await set({ payout: 'ask', payout_details: 'off', release: 'direct' })).toMatchObject({ status: 200 });
  });
});

test('a dispatch names carrier, number and tracking page, in the timeline and on the page of the buyer', async () => {
  const { buyerPage, sellerPage, itemId, timeline } = await ordered();
  await sellerPage.unlock('dispatch');
  const parcel = { carrier: 'Swift', 'tracking-number': 'SW 12', [`pieces-${itemId.slice('itm_'.length)}`]: '2' };
  const unsafe = 'javascript:alert(1)';
  expect(await sellerPage.act('dispatch', { ...parcel, 'tracking-url': unsafe })).toMatchObject({
    notice: 'validation_failed',
  });
  const trackingUrl = 'https://swift.example/SW12';
  expect(await sellerPage.act('dispatch', { ...parcel, 'tracking-url': trackingUrl })).toMatchObject({
    notice: 'done',
  });
  expect((await timeline())[1]).toMatchObject({
    details: { carrier: 'Swift', trackingNumber: 'SW 12', documentUrl: trackingUrl },
  });
  const { html } = await buyerPage.get();
  expect(html).toContain('Swift SW 12');
  expect(html).toContain(`href="${trackingUrl}"`);
});

test('a refused form is shown again with all that was typed, without a script and in an address without it', async () => {
  const { buyerPage, sellerPage, itemId } = await ordered();
  const pieces = `pieces-${itemId.slice('itm_'.length)}`;
  const parcel = { [pieces]: '3', carrier: 'Swift "Air"', 'tracking-number': 'SW 12', note: 'Two <bags>' };
  await sellerPage.unlock('dispatch');
  const fields = { ...parcel, 'tracking-url': 'https://swift.example/SW12' };
  const refusedForm = await sellerPage.act('dispatch', fields);
  expect(refusedForm).toMatchObject({ status: 422, notice: 'quantity_exceeds_order' });
  const value = (html: string, name: string) =>
    new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1]?.replaceAll('&quot;', '"');
  const { html } = refusedForm;
  for (const [name, typed] of Object.entries(fields).filter(([name]) => name !== 'note'))
    expect([name, value(html, name)]).toEqual([name, typed]);
  expect(html).toContain('>Two &lt;bags&gt;</textarea>');
  expect(html).toMatch(/<details[^>]* id="dispatch" open>/);
  expect(html).toMatch(/<form method="post" action="\.\.\/[\w-]{32}\/act"/);
  const [, key = ''] = /id="dispatch".*?name="key" value="([^"]+)"/s.exec(html) ?? [];
  expect(await sellerPage.act('dispatch', { ...fields, [pieces]: '2' }, key)).toMatchObject({ notice: 'done' });

  await buyerPage.unlock('extend');
  const late = await buyerPage.act('extend', { hours: '721' });
  expect([late.notice, value(late.html, 'hours')]).toEqual(['validation_failed', '721']);
  await buyerPage.act('dispute', { reason: 'Wet' });
  const greedy = await sellerPage.act('propose', { amount: '251.00', note: 'All' });
  expect([greedy.notice, value(greedy.html, 'amount')]).toEqual(['split_exceeds_held', '251.00']);
});

test('what was typed outlives the time for acting, in the page alone, and files have to be chosen again', async () => {
  const { buyerPage, sellerPage, timeline } = await ordered();
  const typed = { act: 'dispute', reason: 'Wet "bags"' };
  const hidden = '<input type="hidden" name="reason" value="Wet &quot;bags&quot;">';
  const again = 'Files that you had chosen have to be chosen again';
  const late = await buyerPage.sendFiles(typed, [new Blob([new Uint8Array(png())])]);
  const lateHtml = await late.text();
  expect([late.status, lateHtml.includes('Your time for acting is over')]).toEqual([400, true]);
  expect(lateHtml).toMatch(/<details[^>]* id="dispute" open>/);
  expect(lateHtml.split(hidden)).toHaveLength(2);
  expect(lateHtml).toContain(again);
  const sent = await buyerPage.submit('code', typed);
  expect(sent).toMatchObject({ status: 200, notice: 'code_sent' });
  const wrong = await buyerPage.submit('unlock', { ...typed, otp: '0' });
  expect(wrong).toMatchObject({ status: 422, notice: 'otp_invalid' });
  for (const { html } of [sent, wrong]) expect(html.split(hidden)).toHaveLength(3);
  const otp = await service.sandbox.codeFor(buyerPage.mobileNumber);
  const unlocked = await buyerPage.submit('unlock', { ...typed, otp });
  expect(unlocked).toMatchObject({ status: 200, notice: null });
  expect(unlocked.html).toContain('>Wet &quot;bags&quot;</textarea>');
  expect(unlocked.html).toContain(again);
  expect((await timeline()).length).toBe(1);
  const [, key = ''] = /id="dispute".*?name="key" value="([^"]+)"/s.exec(unlocked.html) ?? [];
  expect(await buyerPage.act('dispute', { reason: typed.reason }, key)).toMatchObject({ notice: 'done' });
  const { html } = await sellerPage.act('propose', { amount: '12,50', note: '' });
  expect(html).toContain('<input type="hidden" name="amount" value="12,50">');
});

describe('files', () => {
  const photo = async (blue: number) => {
    const background = { r: 200, g: 120, b: blue };
    return sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Secret' } })
      .toBuffer();
  };
  const blob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });

  test('of a dispute are stored without metadata and with their hash, once, and both sides and the company read them', async () => {
    const order = await ordered();
    const bytes = await photo(10);
    await order.buyerPage.unlock('dispute');
    const form = { act: 'dispute', reason: 'Wet bags', key: randomUUID() };
    const notices = await Promise.all([1, 2].map(() => order.buyerPage.upload(form, [blob(bytes)])));
    expect(notices).toEqual(['done', 'done']);
    const { files } = (await order.timeline())[1].details;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(files).toEqual([
      { id: expect.stringMatching(/^doc_/), mediaType: 'image/jpeg', byteCount: expect.any(Number), sha256 },
    ]);
    for (const page of [order.buyerPage, order.sellerPage]) {
      expect((await page.get()).html).toContain(`files/${files[0].id}`);
      const answer = await page.file(files[0].id);
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
      const shown = Buffer.from(await answer.arrayBuffer());
      expect(shown.includes('Secret')).toBe(false);
      expect((await sharp(shown).metadata()).width).toBe(64);
    }
    expect((await company.request('GET', `${order.path}/files/${files[0].id}`)).status).toBe(200);
    await expect(
      sql(service, 'delete from document where id = $1', [files[0].id.slice('doc_'.length)]),
    ).rejects.toThrow('never changed or deleted');
  });

  test('may be several photos of a phone; beyond the limit the page says so, and keeps what was typed', async () => {
    const order = await ordered();
    const noise = { create: { width: 1_400, height: 1_400, channels: 3, background: '#fff' } } as const;
    const picture = await sharp({
      ...noise,
      create: { ...noise.create, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(picture.length).toBeGreaterThan(5_500_000);
    await order.buyerPage.unlock('dispute');
    const form = { act: 'dispute', reason: 'Wet bags; filename="é"', key: randomUUID() };
    const tooLarge = [
      Array.from({ length: 6 }, () => blob(Buffer.concat([picture]))),
      [blob(Buffer.alloc(MAX_DOCUMENT_BYTES + 1))],
    ];
    for (const files of tooLarge) {
      const answer = await order.buyerPage.sendFiles(form, files);
      const html = await answer.text();
      expect(answer.status).toBe(413);
      expect(html).toContain('At most five, each of at most 10 MiB, together 32 MiB');
      expect(html).toContain('>Wet bags; filename=&quot;é&quot;</textarea>');
      expect(html).toContain(`action="../${new URL(order.urls.buyerUrl).pathname.split('/').at(-1)}/act"`);
      expect((await order.timeline()).length).toBe(1);
    }
    expect(await order.buyerPage.upload(form, [blob(picture), blob(Buffer.from(picture))])).toBe('done');
  });

  test('are at most five, as the page says before and after, and belong to an order of any length', async () => {
    const items = Array.from({ length: 20 }, (_, n) => ({ name: `Bag ${n}`, quantity: 1, pricePerUnit: 1_000 }));
    const order = await ordered(company, { items });
    await order.sellerPage.unlock('dispatch');
    expect((await order.sellerPage.get()).html).toContain('At most five files of 10 MiB');
    const ids: { id: string }[] = (await order.read()).items;
    const pieces = Object.fromEntries(ids.map(({ id }) => [`pieces-${id.slice('itm_'.length)}`, '1']));
    const form = { act: 'dispatch', note: 'By bus', ...pieces };
    const six = await order.sellerPage.sendFiles(
      form,
      Array.from({ length: 6 }, () => blob(png())),
    );
    const html = await six.text();
    expect([six.status, html.includes('too many files')]).toEqual([413, true]);
    expect(html).toContain('>By bus</textarea>');
    expect(await order.sellerPage.upload(form, [blob(await photo(40))])).toBe('done');
  });

  test('of a company are received two large forms at a time; a third one waits, and is shown again with what was typed', async () => {
    const own = await newCompany(service, 'Busy Market');
    await switchOn(own);
    const [first, second, third] = [await ordered(own), await ordered(own), await ordered(own)];
    const slow: ClientRequest[] = [];
    for (const { buyerPage } of [first, second, third]) await buyerPage.unlock('dispute');
    try {
      for (const { buyerPage, urls } of [first, second]) {
        const headers = { cookie: buyerPage.cookie(), ...formHeaders(MAX_ORDER_FILES_BYTES) };
        slow.push(await beginUpload(`${service.url}${new URL(urls.buyerUrl).pathname}/act`, { headers }));
      }
      const form = { act: 'dispute', reason: 'Wet bags', key: randomUUID() };
      const large = [blob(await photo(50)), blob(new Uint8Array(SHORT.bytes))];
      const refused = await eventually(async () => {
        const answer = await third.buyerPage.sendFiles(form, large);
        return answer.status === 429 && answer; // not as long as the others are not received
      });
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await refused.text()).toContain('>Wet bags</textarea>');
      slow[0]?.destroy();
      expect((await third.buyerPage.sendFiles(form, large)).status).toBe(415); // the second one is no picture
      expect(await third.buyerPage.upload(form, [blob(await photo(50))])).toBe('done');
    } finally {
      for (const sending of slow) sending.destroy();
    }
  });

  test('that are read slowly on one page hold up no other page', async () => {
    const order = await ordered();
    await order.buyerPage.unlock('dispute');
    const long = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(9_000_000, ' '), Buffer.from('\n%%EOF\n')]);
    expect(await order.buyerPage.upload({ act: 'dispute', reason: 'Wet bags' }, [blob(long)])).toBe('done');
    const { files } = (await order.timeline())[1].details;
    const unread: ClientRequest[] = [];
    try {
      for (let count = DOWNLOAD_LIMITS.reserved; count < DOWNLOAD_LIMITS.ofOrderPages; count += 1)
        unread.push(await beginDownload(`${service.url}${new URL(order.urls.buyerUrl).pathname}/files/${files[0].id}`));
      const waiting = order.buyerPage.file(files[0].id);
      const other = await order.sellerPage.file(files[0].id);
      expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, long.length]);
      const refused = await waiting;
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      unread[0]?.destroy();
      expect((await order.buyerPage.file(files[0].id)).status).toBe(200);
    } finally {
      for (const asking of unread) asking.destroy();
    }
  });

  test('are not read on another order, not taken without a code, and not kept when the act is refused', async () => {
    const order = await ordered();
    const other = await ordered();
    const bytes = await photo(20);
    expect(await order.buyerPage.upload({ act: 'dispute', reason: 'x' }, [blob(bytes)])).toBe('code_needed');
    await order.buyerPage.unlock('dispute');
    const text = new Blob(['<script>alert(1)</script>']);
    const damaged = await order.buyerPage.sendFiles({ act: 'dispute', reason: 'Wet "bags"' }, [text]);
    expect(damaged.status).toBe(415);
    expect(await damaged.text()).toContain('>Wet &quot;bags&quot;</textarea>');
    expect(await order.buyerPage.upload({ act: 'evidence', reason: 'x' }, [blob(bytes)])).toBe('wrong_state');
    const kept = 'select count(*)::int as files from document where escrow_id = $1';
    expect(await sql(service, kept, [order.id.slice('esc_'.length)])).toEqual([{ files: 0 }]);
    expect(await order.buyerPage.upload({ act: 'dispute', reason: 'x' }, [blob(bytes)])).toBe('done');
    const { files } = (await order.timeline())[1].details;
    expect((await other.buyerPage.file(files[0].id)).status).toBe(404);
    expect((await company.get(`${other.path}/files/${files[0].id}`)).status).toBe(404);
  });

  test('of a request stand in it, and in the timeline once it is approved', async () => {
    const own = await newCompany(service, 'Asking Market');
    await switchOn(own, { dispute: 'ask' });
    const order = await ordered(own);
    await order.buyerPage.unlock('dispute');
    expect(await order.buyerPage.upload({ act: 'dispute', reason: 'x' }, [blob(await photo(30))])).toBe('asked');
    const [request] = (await own.get(`${order.path}/requests`)).body.data;
    expect(request.details.files).toHaveLength(1);
    await own.post(`${order.path}/requests/${request.id}/approve`);
    const events = await order.timeline();
    expect(events.at(-1)).toMatchObject({ event: 'DISPUTED', details: { files: request.details.files } });
  });
});

test('an act leaves a line in the audit log, also where it is refused', async () => {
  const order = await ordered();
  await order.buyerPage.unlock('dispute');
  await order.buyerPage.act('dispute', { reason: 'Wet bags' });
  await order.buyerPage.act('extend', { hours: '3' });
  const { data } = (await company.get(`/v1/core/audit-log?actorId=${order.buyer.id}`)).body;
  expect(data).toMatchObject([
    { operation: 'page:extend', status: 409, source: 'ORDER_PAGE', actor: { kind: 'party', id: order.buyer.id } },
    { operation: 'page:dispute', status: 200, source: 'ORDER_PAGE', resource: order.id },
  ]);
});

test('the page is read in frames of the hosts that the company names, and acts in none', async () => {
  const own = await newCompany(service, 'Framed Market');
  await switchOn(own);
  const { buyerPage } = await ordered(own);
  const framed = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' };
  expect((await buyerPage.get('', framed)).headers.get('x-frame-options')).toBe('DENY');
  await own.request('PATCH', ME, { body: { checkout_hosts: ['shop.example.com'] } });
  const { headers, html } = await buyerPage.get('', framed);
  expect(headers.get('x-frame-options')).toBeNull();
  expect(headers.get('content-security-policy')).toMatch(/frame-ancestors https:..shop.example.com$/);
  expect(html).not.toContain('<form');
  expect(html).toContain('target="_blank"');
  expect((await buyerPage.get()).html).toContain('<form');
  expect((await buyerPage.submit('code', { act: 'dispute' }, framed)).status).toBe(403);
});

describe('an act that the company wants to be asked for', () => {
  const requestsOf = async (path: string, of: TestCompany) => (await of.get(`${path}/requests`)).body;
  let asked: TestCompany;
  beforeAll(async () => {
    asked = await newCompany(service, 'Ask First');
    await switchOn(asked, { dispute: 'ask', propose: 'ask', dispatch: 'ask', ask_cancel: 'ask' });
  });
  const sent = async (order: Awaited<ReturnType<typeof ordered>>) =>
    asked.post(`${order.path}/delivery-note`, {
      items: [{ itemId: order.itemId, quantity: 2, price_per_item: 12_500 }],
    });

  test('waits as a request, stops the automatic release, and happens once when it is approved', async () => {
    const order = await ordered(asked);
    await sent(order);
    const before = (await order.read()).autoReleaseAt;
    await order.buyerPage.unlock('dispute');
    const key = randomUUID();
    const forms = [1, 2].map(() => order.buyerPage.act('dispute', { reason: 'Wet bags' }, key));
    expect((await Promise.all(forms)).map(({ notice }) => notice)).toEqual(['asked', 'asked']);
    expect(await order.buyerPage.act('dispute', { reason: 'Again' })).toMatchObject({ notice: 'wrong_state' });
    const { data, total } = await requestsOf(order.path, asked);
    expect(total).toBe(1);
    expect(data).toMatchObject([
      { act: 'dispute', actor: 'BUYER', details: { reason: 'Wet bags' }, status: 'PENDING', reason: null },
    ]);
    expect(Date.parse(data[0].lapsesAt) - Date.parse(data[0].createdAt)).toBe(48 * 3_600_000);
    expect(await order.read()).toMatchObject({ status: 'DELIVERY_NOTED', autoReleaseAt: null });
    expect((await order.buyerPage.get()).html).toContain('It waits for the merchant until');
    const approval = `${order.path}/requests/${data[0].id}/approve`;
    const answers = await Promise.all([asked.post(approval), asked.post(approval)]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(await asked.post(approval)).toMatchObject(refused(409, 'wrong_state'));
    expect(await order.read()).toMatchObject({ status: 'DISPUTED', dispute: { openedBy: 'BUYER' } });
    expect((await order.timeline()).map(({ event }: { event: string }) => event)).toEqual([
      ...['INITIATED', 'DELIVERY_NOTED', 'AUTO_RELEASE_STOPPED', 'DISPUTED'],
    ]);
    expect(before).not.toBeNull();
  });

  test('that is refused does not happen, and the release is planned again for its date', async () => {
    const order = await ordered(asked);
    await sent(order);
    const { autoReleaseAt } = await order.read();
    await order.buyerPage.unlock('ask_cancel');
    await order.buyerPage.act('ask_cancel', { reason: 'Too late' });
    const [request] = (await requestsOf(order.path, asked)).data;
    const refusal = await asked.post(`${order.path}/requests/${request.id}/refuse`, { reason: 'It is on its way' });
    expect(refusal).toMatchObject({ status: 200, body: { status: 'REFUSED', reason: 'It is on its way' } });
    expect(await order.read()).toMatchObject({ status: 'DELIVERY_NOTED', autoReleaseAt, openNegotiation: null });
    expect((await order.buyerPage.get()).html).toContain('It is on its way');
    expect(await asked.post(`${order.path}/requests/${request.id}/approve`)).toMatchObject(refused(409, 'wrong_state'));
  });

  test('that does not apply any more is 409 and still waits, until it does', async () => {
    const order = await ordered(asked);
    await order.buyerPage.unlock('propose');
    await order.buyerPage.act('propose', { amount: '100' });
    const [request] = (await requestsOf(order.path, asked)).data;
    const approval = `${order.path}/requests/${request.id}/approve`;
    const plan = { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 1 };
    const other = await asked.post(`${order.path}/negotiate`, { actor: 'SELLER', newSplitPlan: plan });
    expect(await asked.post(approval)).toMatchObject(refused(409, 'wrong_state'));
    expect((await requestsOf(order.path, asked)).data).toMatchObject([{ status: 'PENDING' }]);
    await asked.post(`${order.path}/negotiate/${other.body.negotiationId}/reject`, { actor: 'BUYER' });
    expect(await asked.post(approval)).toMatchObject({ status: 200, body: { status: 'APPROVED' } });
    expect(await order.read()).toMatchObject({ openNegotiation: { proposedBy: 'BUYER' } });
  });

  test("lapses after ask_hours of the company's time, and then the money is released", async () => {
    const own = await newCompany(service, 'Silent');
    await switchOn(own, { dispute: 'ask' });
    await own.request('PATCH', ME, { body: { order_pages: { ask_hours: 100 } } });
    const order = await ordered(own);
    await own.post(`${order.path}/delivery-note`, {
      items: [{ itemId: order.itemId, quantity: 2, price_per_item: 12_500 }],
    });
    await order.buyerPage.unlock('dispute');
    await order.buyerPage.act('dispute', { reason: 'Wet bags' });
    await own.post('/v1/sandbox/clock', { advanceHours: 90 });
    expect(await order.read()).toMatchObject({ status: 'DELIVERY_NOTED', autoReleaseAt: null });
    await own.post('/v1/sandbox/clock', { advanceHours: 11 });
    expect((await requestsOf(order.path, own)).data).toMatchObject([{ status: 'LAPSED' }]);
    await eventually(async () => (await order.read()).status === 'COMPLETED');
    const [request] = (await requestsOf(order.path, own)).data;
    expect(await own.post(`${order.path}/requests/${request.id}/approve`)).toMatchObject(refused(409, 'wrong_state'));
    expect((await order.timeline()).slice(2)).toMatchObject([
      { event: 'AUTO_RELEASE_STOPPED', actor: 'BUYER', source: 'ORDER_PAGE', details: { requestId: request.id } },
      { event: 'AUTO_RELEASE_RESUMED', actor: 'SYSTEM', source: 'TIMER' },
      { event: 'AUTO_RELEASED' },
    ]);
  });

  test('of the seller stops no release, and is done with what the seller entered', async () => {
    const order = await ordered(asked);
    await order.sellerPage.unlock('dispatch');
    const pieces = `pieces-${order.itemId.slice('itm_'.length)}`;
    await order.sellerPage.act('dispatch', { [pieces]: '2', note: 'By bus' });
    const [request] = (await requestsOf(order.path, asked)).data;
    expect(request).toMatchObject({ actor: 'SELLER', details: { items: [{ quantity: 2 }], notes: 'By bus' } });
    await asked.post(`${order.path}/requests/${request.id}/approve`);
    expect((await order.timeline()).slice(1)).toMatchObject([
      { event: 'DELIVERY_NOTED', actor: 'SELLER', details: { notes: 'By bus', isPartial: false } },
    ]);
  });
});

describe('a stranger', () => {
  test('acts neither for the other party, nor on another order, nor from another site, nor with an old cookie', async () => {
    const first = await ordered();
    const second = await ordered();
    await first.buyerPage.unlock('dispute');
    const cookie = first.buyerPage.cookie();
    expect(cookie).toMatch(/^order_/);
    const value = cookie.split('=')[1] ?? '';
    for (const url of [first.urls.sellerUrl, second.urls.buyerUrl, second.urls.sellerUrl]) {
      const other = visitor(url);
      const token = url.split('/orders/')[1] ?? '';
      const name = `order_${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
      other.withCookie(`${name}=${value}`);
      expect(await other.act('dispute', { reason: 'x' })).toMatchObject({ notice: 'code_needed' });
    }
    const otp = '123456';
    expect(await second.buyerPage.submit('unlock', { act: 'dispute', otp })).toMatchObject({ setCookie: null });
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    expect(
      (await first.buyerPage.submit('act', { act: 'dispute', key: randomUUID(), reason: 'x' }, crossSite)).status,
    ).toBe(403);
    const renewed = (await company.post(`${first.path}/order-pages`)).body;
    expect((await first.buyerPage.act('dispute', { reason: 'x' })).status).toBe(404);
    const page = visitor(renewed.buyerUrl);
    page.withCookie(cookie);
    expect(await page.act('dispute', { reason: 'x' })).toMatchObject({ notice: 'code_needed' });
    expect([(await first.read()).status, (await second.read()).status]).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('cannot use a code twice, nor after the address was renewed, nor try many at once', async () => {
    const { buyerPage, urls, path } = await ordered();
    await buyerPage.unlock('dispute');
    const used = await service.sandbox.codeFor(buyerPage.mobileNumber);
    const other = visitor(urls.buyerUrl);
    expect(await other.submit('unlock', { act: 'dispute', otp: used })).toMatchObject({
      notice: 'otp_invalid',
      setCookie: null,
    });
    const guessed = await ordered();
    await guessed.buyerPage.submit('code', { act: 'dispute' });
    const right = await service.sandbox.codeFor(guessed.buyerPage.mobileNumber);
    const wrong = Array.from({ length: 12 }, (_, n) => String((Number(right) + n + 1) % 1_000_000).padStart(6, '0'));
    const thief = visitor(guessed.urls.buyerUrl);
    const answers = await Promise.all(wrong.map((otp) => thief.submit('unlock', { act: 'dispute', otp })));
    expect(answers.filter(({ setCookie }) => setCookie !== null)).toEqual([]);
    expect(await thief.submit('unlock', { act: 'dispute', otp: right })).toMatchObject({ notice: 'otp_locked' });
    await company.request('DELETE', `${path}/order-pages`);
    expect((await buyerPage.act('dispute', { reason: 'x' })).status).toBe(404);
    expect((await buyerPage.submit('unlock', { act: 'dispute', otp: used })).status).toBe(404);
  });

  test('cannot send forms from another site with a browser that states only its origin', async () => {
    const { buyerPage, read } = await ordered();
    await buyerPage.unlock('dispute');
    const form = { act: 'dispute', key: randomUUID(), reason: 'x' };
    const evil = { origin: 'https://evil.example' };
    expect((await buyerPage.submit('act', form, evil)).status).toBe(403);
    expect((await buyerPage.submit('code', { act: 'extend' }, evil)).status).toBe(403);
    expect((await read()).status).toBe('ACTIVE');
    expect(await buyerPage.submit('act', form, { origin: 'null' })).toMatchObject({ notice: 'done' });
  });

  test('does not find a page by guessing, whatever the form of the token', async () => {
    const { urls, buyerPage } = await ordered();
    const token = urls.buyerUrl.split('/orders/')[1] ?? '';
    const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const guess of [
      flipped,
      token.toLowerCase(),
      `${token}A`,
      token.slice(1),
      `${token}%00`,
      encodeURIComponent("' or 1=1"),
    ]) {
      const page = visitor(urls.buyerUrl.replace(token, guess));
      expect((await page.get()).status).toBe(404);
      expect((await page.submit('code', { act: 'dispute' })).status).toBe(404);
    }
    expect(await service.sandbox.messagesTo(buyerPage.mobileNumber)).toEqual([]);
  });

  test('cannot use the code of another order of the same person', async () => {
    const { urls, buyerPage } = await ordered();
    await buyerPage.submit('code', { act: 'dispute' });
    const otp = await service.sandbox.codeFor(buyerPage.mobileNumber);
    const other = await ordered();
    expect(await other.buyerPage.submit('unlock', { act: 'dispute', otp })).toMatchObject({ notice: 'otp_invalid' });
    expect(await visitor(urls.sellerUrl).submit('unlock', { act: 'dispute', otp })).toMatchObject({
      notice: 'otp_invalid',
    });
  });
});

test('a buyer who has paid a link has its receipt, and a seller has none', async () => {
  const seller = await newUser(company, { mobileNumber: nextMobileNumber() });
  const link = await offerLink(service, company, { sellerId: seller.id });
  const { buyerUrl, sellerUrl } = (await company.post(`/v1/escrow/${link.escrowId}/order-pages`)).body;
  expect((await visitor(buyerUrl).get('/receipt')).status).toBe(404);
  await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 30_000, currency: 'USD' });
  await link.say('accept-payment', { messagingNumber: link.buyer.mobileNumber, otp: await codeFor(service, link) });
  const receipt = await visitor(buyerUrl).get('/receipt');
  expect(receipt.headers.get('content-type')).toBe('application/pdf');
  expect((await visitor(sellerUrl).get('/receipt')).status).toBe(404);
});
