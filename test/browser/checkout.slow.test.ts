import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { LANGUAGES } from '../../src/api/checkout/texts/languages.ts';
import { LOCALES, type Locale } from '../../src/domain/locale.ts';
import { createLog } from '../../src/observability/log.ts';
import { openPage, PHONE, startBrowser, WAIT } from '../support/browser.ts';
import { codeFor, letExpire, type TestLink } from '../support/links.ts';
import { type OwnService, startService } from '../support/whole-service.ts';
import { openShop, type Shop } from './scenes.ts';

const AMOUNT = 'USD 1,250.00';
/** The form of the sandbox's gateway. */
const GATEWAY = {
  en: { pay: 'Pay', note: 'No card is charged' },
  fr: { pay: 'Payer', note: 'Aucune carte n’est débitée' },
  pt: { pay: 'Pagar', note: 'Nenhum cartão é cobrado' },
} as const satisfies Record<Locale, object>;

describe('paying in the hosted checkout', () => {
  let service: OwnService;
  let browser: Browser;
  let shop: Shop;
  let logged = '';
  const links: TestLink[] = [];

  beforeAll(async () => {
    const collect = new Writable({
      write(chunk, _encoding, done) {
        logged += String(chunk);
        done();
      },
    });
    [service, browser] = await Promise.all([startService({ log: createLog('debug', collect) }), startBrowser()]);
    shop = await openShop(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** A phone browser with a new link. Closing it asserts that the page had no errors. */
  async function visit(settings: { javaScriptEnabled?: boolean; locale?: Locale } = {}) {
    const link = await shop.offer();
    links.push(link);
    const context = await browser.newContext({ viewport: PHONE, ...settings });
    const { page, complaints } = await openPage(context, [service.url, service.sandbox.url]);
    await page.goto(`${service.url}${link.path}`);
    const leave = async () => {
      await context.close();
      expect(complaints).toEqual([]);
    };
    return { link, page, leave };
  }
  const heading = (page: Page, name: RegExp) => page.getByRole('heading', { name }).waitFor(WAIT);
  const fund = (link: TestLink) =>
    shop.company.post('/v1/payments/deposit', { userId: link.buyer.id, amount: 200_000, currency: 'USD' });
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

  async function expectFunded(link: TestLink, deposits: number) {
    expect(await link.escrow()).toMatchObject({ status: 'ACTIVE', heldAmount: '125000' });
    expect(await link.deposits()).toBe(deposits);
  }

  test('by card: declined, tried again, paid', async () => {
    const { link, page, leave } = await visit();
    await press(page, 'Continue to the card form');
    await press(page, 'Decline');
    await page.getByRole('alert').filter({ hasText: 'was declined and nothing was charged' }).waitFor(WAIT);
    await press(page, 'Continue to the card form');
    await press(page, /^Pay 1250/);
    await heading(page, /Your payment is complete/);
    expect(new URL(page.url()).pathname).toBe(link.path);
    await expectFunded(link, 1);
    await leave();
  });

  test('by a card with a delayed bank decision: the page waits and continues automatically', async () => {
    const { link, page, leave } = await visit();
    await press(page, 'Continue to the card form');
    await press(page, 'Leave pending');
    await heading(page, /being confirmed/);
    const answer = await fetch(page.url());
    expect(Number(answer.headers.get('refresh'))).toBeGreaterThanOrEqual(5);
    const [attempt] = (await link.read()).attempts;
    await service.sandbox.settle(attempt.checkoutId, 'success');
    await heading(page, /Your payment is complete/);
    await expectFunded(link, 1);
    await leave();
  });

  test('from the balance, with a code on WhatsApp', async () => {
    const { link, page, leave } = await visit();
    await fund(link);
    await page.getByText('Your balance', { exact: true }).click();
    await press(page, 'Send me a code');
    await page.getByLabel('Six-digit code').fill(await service.sandbox.codeFor(link.buyer.mobileNumber));
    await press(page, `Pay ${AMOUNT} from my balance`);
    await heading(page, /Your payment is complete/);
    await expectFunded(link, 1); // the deposit that funded the balance
    await leave();
  });

  test('by mobile money, approved on the phone', async () => {
    const { link, page, leave } = await visit();
    await page.getByText('Mobile money', { exact: true }).click();
    await page.getByLabel('Mobile money number').fill(link.buyer.mobileNumber.replace(/(...)$/, ' $1'));
    await press(page, `Ask my phone for ${AMOUNT}`);
    await heading(page, /Now look at your phone|complete/);
    await heading(page, /Your payment is complete/);
    await expectFunded(link, 1);
    await leave();
  });

  test.each(LOCALES)('with the keyboard alone, in the language %s', async (locale) => {
    const { link, page, leave } = await visit({ locale });
    const { methods, notices, paid } = LANGUAGES[locale].texts;
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'decline');
    const focused = (expression: string) => page.evaluate<string>(`document.activeElement?.${expression} ?? ''`);
    const tabTo = async (text: string) => {
      for (let presses = 0; presses < 20; presses += 1) {
        await page.keyboard.press('Tab');
        const label = (await focused('textContent')) || (await focused('labels?.[0]?.textContent'));
        if (label.trim().startsWith(text)) return;
      }
      throw new Error(`the keyboard does not reach ${text}`);
    };
    await tabTo(methods.mobile.name);
    await page.keyboard.press('Enter');
    await tabTo(methods.mobile.label);
    await page.keyboard.type(link.buyer.mobileNumber);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: notices.declined }).waitFor(WAIT);

    await tabTo(methods.card.button);
    await page.keyboard.press('Enter');
    const pay = `${GATEWAY[locale].pay} 1250.00`;
    await page.getByRole('button', { name: pay }).waitFor(WAIT);
    expect(await page.getByText(GATEWAY[locale].note).isVisible()).toBe(true);
    await tabTo(pay);
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: paid.headings.held }).waitFor(WAIT);
    await expectFunded(link, 1);
    await leave();
  });

  test('without JavaScript: balance and mobile money work, and the card form asks for JavaScript', async () => {
    const { link, page, leave } = await visit({ javaScriptEnabled: false });
    await press(page, 'Continue to the card form');
    await page.getByText('It needs JavaScript').waitFor(WAIT);
    await page.getByRole('link', { name: 'Choose another way to pay' }).click();
    await fund(link);
    await page.getByText('Your balance', { exact: true }).click();
    await press(page, 'Send me a code');
    const code = await service.sandbox.codeFor(link.buyer.mobileNumber);
    await page.getByLabel('Six-digit code').fill(code === '000000' ? '000001' : '000000');
    await press(page, `Pay ${AMOUNT} from my balance`);
    await page.getByRole('alert').filter({ hasText: 'That code is wrong' }).waitFor(WAIT);
    await page.getByLabel('Six-digit code').fill(code);
    await press(page, `Pay ${AMOUNT} from my balance`);
    await heading(page, /Your payment is complete/);
    await expectFunded(link, 1);
    await leave();
  });

  test('only a caller with the code learns that the balance is insufficient', async () => {
    const { link, page, leave } = await visit();
    await page.getByText('Your balance', { exact: true }).click();
    await press(page, 'Send me a code');
    await page.getByLabel('Six-digit code').fill(await service.sandbox.codeFor(link.buyer.mobileNumber));
    await press(page, `Pay ${AMOUNT} from my balance`);
    await page.getByRole('alert').filter({ hasText: 'does not cover' }).waitFor(WAIT);
    expect((await link.details()).status).toBe('PENDING');
    await leave();
  });

  test('the buyer declines the payment and cancels the order', async () => {
    const { link, page, leave } = await visit();
    await page.getByText('I do not want to pay').click();
    await press(page, 'Decline and cancel the order');
    await heading(page, /You cancelled this order/);
    expect(await link.escrow()).toMatchObject({ status: 'CANCELLED' });
    await page.goBack();
    await page.goto(`${service.url}${link.path}/card`);
    await heading(page, /You cancelled this order/);
    await leave();
  });

  test('a page that is used after the link expired says so', async () => {
    const { link, page, leave } = await visit();
    await letExpire(link);
    await press(page, 'Continue to the card form');
    await heading(page, /has expired/);
    await leave();
  });

  test('a forwarded link reveals no code, number or full name', async () => {
    const link = await shop.offer();
    const code = await codeFor(service, link);
    const html = await (await fetch(`${service.url}${link.path}?pay=balance&notice=code_sent`)).text();
    for (const secret of [code, link.buyer.mobileNumber, link.buyer.mobileNumber.slice(1), 'Buyerson', 'Sellerson'])
      expect(html).not.toContain(secret);
  });

  test('no log line of these payments contains a link’s hash or a phone number', async () => {
    const { leave } = await visit();
    await leave();
    expect(logged).toContain('"route":"/checkout/:hash');
    for (const { hash, buyer } of links) {
      expect(logged).not.toContain(hash);
      expect(logged).not.toContain(buyer.mobileNumber.slice(1));
    }
  });
});
