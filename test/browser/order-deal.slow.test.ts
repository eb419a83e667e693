import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { MAX_DOCUMENT_BYTES } from '../../src/api/limits.ts';
import { ORDER_LANGUAGES } from '../../src/api/orders/texts/languages.ts';
import { LOCALES, type Locale } from '../../src/domain/locale.ts';
import { openPage, PHONE, startBrowser, WAIT } from '../support/browser.ts';
import { png } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { ordered, switchOn } from '../support/order-pages.ts';
import { done, newCompany, newUser, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/** Buyer and seller finish deals in their browsers, as people do: twice, in several tabs, and with the back button. */

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const PHOTO = { name: 'bags.png', mimeType: 'image/png', buffer: Buffer.from(png()) };
const MAX_TABS = 60;
const AUDIT = '/v1/core/audit-log?limit=100';

/** A company with two people, and the one call of the integrator: a payment link with order pages. */
async function dealIn(name: string) {
  const company = await newCompany(service, name);
  await switchOn(company);
  const person = (firstName: string) =>
    newUser(company, { firstName, lastName: 'Moyo', mobileNumber: nextMobileNumber() });
  const [buyer, seller] = [await person('Bea'), await person('Sam')];
  const numberOf = async ({ id }: { id: string }) =>
    (await company.get(`/v1/identity/users/${id}`)).body.mobileNumber as string;
  const linesBefore = (await company.get(AUDIT)).body.total;
  const { body: link } = await done(
    company.post('/v1/payments/generate-escrow-payment-link', {
      ...{ buyerId: buyer.id, sellerId: seller.id, amount: 25_000, currency: 'USD', orderPages: true },
      items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
      externalReference: `order-${randomUUID().slice(0, 8)}`,
    }),
  );
  const path = `/v1/escrow/${link.escrowId}`;
  return {
    company,
    link,
    numbers: { buyer: await numberOf(buyer), seller: await numberOf(seller) },
    read: async () => (await company.get(path)).body,
    timeline: async () => (await company.get(`${path}/timeline`)).body as { event: string; source: string }[],
    /** The operations by API since the company and its people stood. */
    callsByApi: async () => {
      const { data, total } = (await company.get(AUDIT)).body;
      return data.slice(0, total - linesBefore).filter(({ source }: { source: string }) => source === 'API');
    },
  };
}

/** A phone with an address. It keeps what pages must never do. */
async function phone(url: string, locale: Locale = 'en') {
  const context = await browser.newContext({ viewport: PHONE, locale });
  const { page, complaints } = await openPage(context, [service.url, service.sandbox.url]);
  await page.goto(url);
  return { context, page, complaints };
}

const box = (page: Page, act: string) => page.locator(`details#${act}`);
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor(WAIT);

async function open(page: Page, act: string) {
  if ((await box(page, act).getAttribute('open')) === null) await box(page, act).locator('summary').click();
}

/** Proves to hold the phone. The impatient press every button twice. */
async function unlock(page: Page, act: string, mobileNumber: string) {
  await open(page, act);
  await box(page, act).getByRole('button', { name: 'Send me a code' }).dblclick();
  const code = box(page, act).getByLabel('Six-digit code');
  await code.waitFor(WAIT);
  await code.fill(await service.sandbox.codeFor(mobileNumber));
  await box(page, act).getByRole('button', { name: 'Continue' }).click();
  await code.waitFor({ ...WAIT, state: 'detached' });
  await open(page, act);
}

async function payByCard(page: Page) {
  await page.getByRole('button', { name: 'Continue to the card form' }).click();
  await page.getByRole('button', { name: /^Pay 250/ }).click();
  await page.getByRole('heading', { name: /Your payment is complete/ }).waitFor(WAIT);
}

async function close(...phones: { context: BrowserContext; complaints: string[] }[]) {
  for (const { context, complaints } of phones) {
    await context.close();
    expect(complaints).toEqual([]);
  }
}

const inTwoTabs = async (context: BrowserContext, url: string) => {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT.timeout);
  await page.goto(url);
  return page;
};

describe('a deal with one call of the integrator', () => {
  test('from the payment over a partial receipt and a dispute with photos to a settlement', async () => {
    const { company, link, numbers, read, timeline, callsByApi } = await dealIn('Harvest Market');
    const { buyerUrl, sellerUrl } = link.orderPages;
    const seller = await phone(sellerUrl);
    await says(seller.page, 'This order is not paid yet');
    const buyer = await phone(`${service.url}/checkout/${link.hash}`);
    await payByCard(buyer.page);

    await seller.page.reload();
    await says(seller.page, 'The buyer has paid');
    await unlock(seller.page, 'dispatch', numbers.seller);
    await box(seller.page, 'dispatch').getByLabel('Carrier (optional)').fill('Swift');
    await box(seller.page, 'dispatch').getByRole('button', { name: 'Report the delivery' }).dblclick();
    await says(seller.page, 'You sent the order');

    await buyer.page.goto(buyerUrl);
    await unlock(buyer.page, 'confirm_receipt', numbers.buyer);
    const other = await inTwoTabs(buyer.context, buyerUrl);
    await box(buyer.page, 'confirm_receipt')
      .getByLabel(/pieces/)
      .fill('1');
    await box(buyer.page, 'confirm_receipt').getByRole('button', { name: 'Confirm receipt' }).dblclick();
    await says(buyer.page, 'Done. The order below shows it.');
    expect((await timeline()).filter(({ event }) => event === 'GOODS_RECEIVED')).toHaveLength(1);
    // The other tab still shows two pieces.
    await open(other, 'confirm_receipt');
    await box(other, 'confirm_receipt').getByRole('button', { name: 'Confirm receipt' }).click();
    await says(other, 'These are more pieces than were ordered.');

    await open(buyer.page, 'dispute');
    await box(buyer.page, 'dispute').getByLabel('What happened?').fill('One bag is wet');
    const photos = box(buyer.page, 'dispute').locator('input[type=file]');
    const large = { ...PHOTO, buffer: Buffer.alloc(MAX_DOCUMENT_BYTES + 1) };
    await photos.setInputFiles([large, { ...large, name: 'sacks.png' }]);
    await box(buyer.page, 'dispute').getByRole('button', { name: 'Open a dispute' }).click();
    const complaint = await buyer.page.evaluate<string>("document.querySelector('#file-dispute').validationMessage");
    expect(complaint).toBe(ORDER_LANGUAGES.en.notices.payload_too_large);
    expect(await box(buyer.page, 'dispute').getByLabel('What happened?').inputValue()).toBe('One bag is wet');
    await photos.setInputFiles(PHOTO);
    await box(buyer.page, 'dispute').getByRole('button', { name: 'Open a dispute' }).dblclick();
    await says(buyer.page, 'A dispute was opened');
    await buyer.page.goBack();
    expect(await buyer.page.getByRole('button', { name: 'Open a dispute' }).count()).toBe(0);
    await other.reload();
    expect(await other.getByRole('button', { name: 'Open a dispute' }).count()).toBe(0);
    await other.close();
    expect(await read()).toMatchObject({ status: 'DISPUTED', autoReleaseAt: null });

    await seller.page.goto(sellerUrl);
    await says(seller.page, /Please answer by/);
    expect(await seller.page.locator('img.photo').count()).toBe(1);
    await open(seller.page, 'evidence');
    await box(seller.page, 'evidence').getByLabel('Your message to both sides').fill('It was dry when I sent it');
    await box(seller.page, 'evidence').locator('input[type=file]').setInputFiles(PHOTO);
    await box(seller.page, 'evidence').getByRole('button', { name: 'Send', exact: true }).click();
    await says(seller.page, 'Done. The order below shows it.');
    expect(await seller.page.locator('img.photo').count()).toBe(2);
    await open(seller.page, 'propose');
    await box(seller.page, 'propose')
      .getByLabel(/The seller gets/)
      .fill('200.00');
    await box(seller.page, 'propose').getByRole('button', { name: 'Propose' }).dblclick();
    await says(seller.page, 'Your proposal waits for an answer');

    await buyer.page.goto(buyerUrl);
    await says(buyer.page, /You get USD.47\.50/);
    await open(buyer.page, 'answer');
    await box(buyer.page, 'answer').getByRole('button', { name: 'Accept' }).dblclick();
    await says(buyer.page, 'The proposal was accepted');
    await seller.page.goBack();
    await seller.page.goto(sellerUrl);
    await says(seller.page, 'The dispute about this order is settled');
    expect(await read()).toMatchObject({ status: 'RESOLVED', releasedAmount: '20000', refundedAmount: '4750' });
    expect((await timeline()).map(({ event, source }) => [event, source])).toEqual([
      ['INITIATED', 'API'],
      ['FUNDED', expect.stringMatching(/CHECKOUT|PROVIDER/)],
      ['DELIVERY_NOTED', 'ORDER_PAGE'],
      ['GOODS_RECEIVED', 'ORDER_PAGE'],
      ['DISPUTED', 'ORDER_PAGE'],
      ['EVIDENCE_ADDED', 'ORDER_PAGE'],
      ['NEGOTIATION_PROPOSED', 'ORDER_PAGE'],
      ['NEGOTIATION_ACCEPTED', 'ORDER_PAGE'],
    ]);
    expect(await callsByApi()).toMatchObject([{ operation: 'POST /v1/payments/generate-escrow-payment-link' }]);
    await audited(company);
    await close(buyer, seller);
  });

  test('that ends by the automatic release, of which messages tell with the address of the page', async () => {
    const { company, link, numbers, read, timeline, callsByApi } = await dealIn('Silent Market');
    const buyer = await phone(`${service.url}/checkout/${link.hash}`);
    await payByCard(buyer.page);
    await buyer.page.goBack();
    const seller = await phone(link.orderPages.sellerUrl);
    await unlock(seller.page, 'dispatch', numbers.seller);
    const other = await inTwoTabs(seller.context, link.orderPages.sellerUrl);
    await box(seller.page, 'dispatch').getByRole('button', { name: 'Report the delivery' }).click();
    await says(seller.page, 'You sent the order');
    await open(other, 'dispatch');
    await box(other, 'dispatch').getByRole('button', { name: 'Report the delivery' }).click();
    await other.locator('#notice').waitFor(WAIT);
    expect((await timeline()).filter(({ event }) => event === 'DELIVERY_NOTED')).toHaveLength(1);
    await other.close();

    const news = async (count: number) =>
      eventually(async () => {
        const sent = (await service.sandbox.messagesTo(numbers.buyer)).filter(
          ({ button, code }) => code === '' && button,
        );
        return sent.length >= count && sent;
      });
    const [delivery] = await news(1);
    expect(delivery?.text).toMatch(/is on its way/);
    await buyer.page.goto(`${service.url}/orders/${delivery?.button}`);
    await says(buyer.page, 'Your order was sent');
    for (const hours of [25, 42, 6]) await done(company.post('/v1/sandbox/clock', { advanceHours: hours }));
    await eventually(async () => (await read()).status === 'COMPLETED');
    for (const { page } of [buyer, seller]) await page.reload();
    await says(seller.page, 'The money was released to you');
    await says(buyer.page, 'The money was paid out on its date');
    expect(await buyer.page.locator('details.method').count()).toBe(0);
    expect(await read()).toMatchObject({ status: 'COMPLETED', releasedAmount: '24750' });
    const operations = (await callsByApi()).map(({ operation }: { operation: string }) => operation);
    expect(operations.filter((operation: string) => !operation.includes('/sandbox/'))).toEqual([
      'POST /v1/payments/generate-escrow-payment-link',
    ]);
    await audited(company);
    await close(buyer, seller);
  });
});

test.each(LOCALES)('a dispute with the keyboard alone, in the language %s', async (locale) => {
  const company = await newCompany(service, 'Keyboard Market');
  await switchOn(company);
  const { urls, buyerPage, read } = await ordered(service, company);
  const { acts } = ORDER_LANGUAGES[locale];
  const { context, page, complaints } = await phone(urls.buyerUrl, locale);
  const focused = () => page.evaluate<string>("(document.activeElement?.textContent ?? '').trim()");
  const tabTo = async (text: string) => {
    for (let presses = 0; !(await focused()).startsWith(text); presses++) {
      if (presses === MAX_TABS) throw new Error(`the keyboard does not reach ${text}`);
      await page.keyboard.press('Tab');
    }
  };
  await tabTo(acts.dispute.name);
  await page.keyboard.press('Enter');
  await tabTo(acts.send);
  await page.keyboard.press('Enter');
  await page.getByLabel(acts.label).waitFor(WAIT); // it has the focus
  await page.keyboard.type(await service.sandbox.codeFor(buyerPage.mobileNumber));
  await page.keyboard.press('Enter');
  await page.getByLabel(acts.reason).waitFor(WAIT);
  await tabTo(acts.dispute.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Wet bags');
  await tabTo(acts.dispute.button);
  await page.keyboard.press('Enter');
  await says(page, ORDER_LANGUAGES[locale].notices.done);
  expect(await read()).toMatchObject({ status: 'DISPUTED', dispute: { openedBy: 'BUYER' } });
  await close({ context, complaints });
});

async function audited(company: TestCompany) {
  const { body } = await company.get('/v1/ledger/verify-ledger-integrity');
  expect(body).toMatchObject({ ok: true, mismatches: [] });
}
