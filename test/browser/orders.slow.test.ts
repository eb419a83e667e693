import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { prepareAxe, violationsOn } from '../support/accessibility.ts';
import { PHONE, startBrowser, WAIT } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { codeFor, offerLink } from '../support/links.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { newCompany, newUser, type TestCompany } from '../support/service.ts';

/** Two deals that buyer and seller finish themselves, in browsers, with the double clicks, tabs and back buttons of real people. */

let service: OwnService;
let browser: Browser;
let company: TestCompany;

beforeAll(async () => {
  [service, browser] = await Promise.all([ownService(), startBrowser()]);
  company = await newCompany(service, 'Harvest Market');
  const body = { order_pages: { enabled: true }, auto_release_hours: 72 };
  expect((await company.request('PATCH', '/v1/core/companies/me', { body })).status).toBe(200);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** A paid order. The integrator's one call made the link. */
async function deal() {
  const seller = await newUser(company, { mobileNumber: nextMobileNumber(), firstName: 'Sam' });
  const mobileNumber = (await company.get(`/v1/identity/users/${seller.id}`)).body.mobileNumber as string;
  const link = await offerLink(service, company, { sellerId: seller.id, orderPages: true });
  const made = (await company.post(`/v1/escrow/${link.escrowId}/order-pages`)).body;
  await company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 30_000, currency: 'USD' });
  await link.say('accept-payment', { messagingNumber: link.buyer.mobileNumber, otp: await codeFor(service, link) });
  const escrow = async () => (await company.get(`/v1/escrow/${link.escrowId}`)).body;
  return {
    escrow,
    buyer: await visit(made.buyerUrl, link.buyer.mobileNumber, {}),
    seller: await visit(made.sellerUrl, mobileNumber, { javaScriptEnabled: false }),
  };
}

type Visitor = Awaited<ReturnType<typeof visit>>;

/** A phone with the order page of a party. */
async function visit(url: string, mobileNumber: string, settings: { javaScriptEnabled?: boolean }) {
  const context: BrowserContext = await browser.newContext({ viewport: PHONE, ...settings });
  if (settings.javaScriptEnabled !== false) await prepareAxe(context);
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT.timeout);
  await page.goto(url);
  const open = async (on: Page, act: string) => {
    const box = on.locator(`details#${act}`);
    if ((await box.getAttribute('open')) === null) await box.locator('summary').click();
    return box;
  };
  return {
    page,
    context,
    url,
    open,
    /** Sends and enters the code. */
    async unlock(act: string) {
      const messages = () => service.sandbox.messagesTo(mobileNumber);
      const before = (await messages()).length;
      await (await open(page, act)).getByRole('button', { name: 'Send me a code' }).click();
      const code = await eventually(async () => (await messages()).slice(before).at(-1)?.code);
      await page.getByLabel('Six-digit code').fill(code);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.locator(`details#${act} textarea, details#${act} input[type=number]`).first().waitFor(WAIT);
    },
    done: () => page.getByText('Done. The order below shows it.').waitFor(WAIT),
  };
}

const photo = async () => ({
  name: 'bags.jpg',
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 320, height: 240, channels: 3, background: '#886644' } })
    .jpeg()
    .toBuffer(),
});

async function send({ open, page, done }: Visitor, act: string, button: string, fill: () => Promise<void>) {
  const box = await open(page, act);
  await fill();
  await box.getByRole('button', { name: button }).dblclick();
  await done();
}

test('a deal over a partial receipt, a dispute with a photo and a settlement', async () => {
  const { escrow, buyer, seller } = await deal();
  await seller.unlock('dispatch');
  await send(seller, 'dispatch', 'Report the delivery', async () => {
    await seller.page.getByLabel('Carrier').fill('Swift');
  });
  await buyer.page.reload();
  await buyer.page.getByText('Your order was sent').first().waitFor(WAIT);
  await buyer.unlock('confirm_receipt');
  await send(buyer, 'confirm_receipt', 'Confirm receipt', async () => {
    await buyer.page.getByLabel(/pieces \(of 2\)/).fill('1');
  });
  // Back to the form that was sent, and sent again: it has the key of the first sending.
  await buyer.page.goBack();
  await eventually(async () => (await escrow()).status === 'GOODS_RECEIVED');
  await buyer.page.goto(buyer.url);

  // A second tab has the forms of before the dispute.
  const tab = await buyer.context.newPage();
  await tab.goto(buyer.url);
  await send(buyer, 'dispute', 'Open a dispute', async () => {
    await buyer.page.locator('#dispute-reason').fill('One bag is wet');
    await buyer.page.locator('#file-dispute').setInputFiles(await photo());
  });
  await buyer.page.locator('img.photo').waitFor(WAIT);
  expect(await violationsOn(buyer.page)).toEqual([]);
  await (await buyer.open(tab, 'extend')).getByRole('button', { name: 'Postpone' }).click();
  await tab.getByRole('alert').filter({ hasText: 'no longer possible' }).waitFor(WAIT);

  await seller.page.reload();
  await send(seller, 'propose', 'Propose', async () => {
    await seller.page.getByLabel('The seller gets (USD)').fill('150');
  });
  await buyer.page.reload();
  await (await buyer.open(buyer.page, 'answer')).getByRole('button', { name: 'Accept' }).dblclick();
  await buyer.done();
  expect(await escrow()).toMatchObject({ status: 'RESOLVED', releasedAmount: '15000' });
  const events = (await company.get(`/v1/escrow/${(await escrow()).id}/timeline`)).body;
  expect(events.map(({ event, source }: { event: string; source: string }) => [event, source]).slice(2)).toEqual([
    ['DELIVERY_NOTED', 'ORDER_PAGE'],
    ['GOODS_RECEIVED', 'ORDER_PAGE'],
    ['DISPUTED', 'ORDER_PAGE'],
    ['NEGOTIATION_PROPOSED', 'ORDER_PAGE'],
    ['NEGOTIATION_ACCEPTED', 'ORDER_PAGE'],
  ]);
});

test('a deal that ends by the automatic release, by keyboard alone', async () => {
  const { escrow, buyer, seller } = await deal();
  await seller.unlock('dispatch');
  await send(seller, 'dispatch', 'Report the delivery', async () => undefined);
  await buyer.page.reload();
  const { keyboard } = buyer.page;
  const focused = () => buyer.page.evaluate<string>("document.activeElement?.closest('details')?.id ?? ''");
  for (let steps = 0; (await focused()) !== 'extend'; steps++) {
    expect(steps).toBeLessThan(40);
    await keyboard.press('Tab');
  }
  await keyboard.press('Enter');
  await buyer.page.getByRole('button', { name: 'Send me a code' }).last().waitFor(WAIT);
  expect((await escrow()).autoReleaseAt).not.toBeNull();
  await company.post('/v1/sandbox/clock', { advanceHours: 73 });
  await eventually(async () => (await escrow()).status === 'COMPLETED');
  await buyer.page.reload();
  await seller.page.reload();
  await seller.page.getByText('You have been paid').first().waitFor(WAIT);
});
