import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { LANGUAGES } from '../../src/api/checkout/texts/languages.ts';
import type { Locale } from '../../src/domain/locale.ts';
import { prepareAxe, violationsOn } from '../support/accessibility.ts';
import { DESKTOP, openPage, PHONE, startAfresh, startBrowser } from '../support/browser.ts';
import { cutOffIn, NARROW } from '../support/cut-off.ts';
import { eventually } from '../support/eventually.ts';
import { unlockByKeyboard, walkByKeyboard } from '../support/keyboard.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { openShop, SCENES, type Scene, type Shop } from './scenes.ts';

describe('every page of the hosted checkout', () => {
  let service: TestService;
  let browser: Browser;
  let shop: Shop;

  beforeAll(async () => {
    [service, browser] = await Promise.all([sharedService(), startBrowser()]);
    shop = await openShop(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  type Settings = { viewport: typeof PHONE; colorScheme: 'light' | 'dark'; locale: Locale };
  /** One page for each look: a new one costs a process. */
  const pages = new Map<string, ReturnType<typeof openPage>>();
  async function newPage(settings: Settings) {
    // The test's own additions to the page are ignored.
    const context = await browser.newContext({ ...settings, bypassCSP: true, reducedMotion: 'reduce' });
    await prepareAxe(context);
    return openPage(context, [service.url, service.sandbox.url]);
  }

  async function look({ path, act }: Pick<Scene, 'act'> & { path: string }, settings: Settings) {
    const key = JSON.stringify(settings);
    const opening = pages.get(key) ?? newPage(settings);
    pages.set(key, opening);
    const { page, complaints } = await opening;
    await startAfresh(page);
    complaints.length = 0;
    await page.setViewportSize(settings.viewport);
    const response = await page.goto(`${service.url}${path}`);
    await act?.(page);
    return { page, complaints, headers: response?.headers() ?? {} };
  }

  test.each(SCENES)(
    '$name: no accessibility violation in any language, on phone and desktop, in light and dark mode, nor anything cut off, nor out of reach of the keyboard',
    async (scene) => {
      const path = await scene.arrange(shop);
      for (const settings of [
        { viewport: PHONE, colorScheme: 'light', locale: 'en' },
        { viewport: DESKTOP, colorScheme: 'dark', locale: 'fr' },
        { viewport: PHONE, colorScheme: 'dark', locale: 'pt' },
      ] as const) {
        const { page, headers } = await look({ ...scene, path }, settings);
        if (settings.locale === 'en') expect(await page.locator('h1').textContent()).toMatch(scene.heading);
        expect(await page.locator('html').getAttribute('lang')).toBe(LANGUAGES[settings.locale].locale);
        const html = await page.content(); // before the page loads itself again
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(settings.viewport.width);
        expect(await violationsOn(page)).toEqual([]);
        expect(headers['referrer-policy']).toBe('no-referrer');
        expect(headers['cache-control']).toBe('no-store');
        expect(headers['x-frame-options']).toBe('DENY');
        if (settings.viewport === DESKTOP)
          for (const viewport of NARROW) {
            await page.setViewportSize(viewport);
            expect([viewport.width, await cutOffIn(page)]).toEqual([viewport.width, []]);
          }
        for (const secret of [/26378\d{7}/, /Buyerson/, /Sellerson/, /63-\d{7}A00/]) expect(html).not.toMatch(secret);
        const number = shop.numbers.get(path);
        if (settings.locale === 'en' && number !== undefined) {
          await unlockByKeyboard(page, (ask) => codeAfter(ask, number));
          expect(await walkByKeyboard(page)).toEqual([]);
        }
      }
    },
  );

  async function codeAfter(ask: () => Promise<void>, number: string): Promise<string> {
    const before = (await service.sandbox.messagesTo(number)).length;
    await ask();
    return eventually(async () => {
      const sent = await service.sandbox.messagesTo(number);
      return sent.slice(before).findLast(({ code }) => code !== '')?.code;
    });
  }

  test('only our script runs, and the gateway’s on the page with the widget', async () => {
    const link = await shop.offer();
    const policyOf = async (path: string) =>
      (await fetch(`${service.url}${path}`)).headers.get('content-security-policy') ?? '';
    const plain = await policyOf(link.path);
    expect(plain).toContain("default-src 'none'");
    expect(plain).toContain("frame-ancestors 'none'");
    expect(plain).toContain("form-action 'self'");
    expect(plain).toContain("script-src 'self';");
    const card = await policyOf(await shop.submit(link, 'card'));
    expect(card).toContain(`script-src 'self' ${service.sandbox.url};`);
    expect(card).toContain("frame-ancestors 'none'");
    const html = await (await fetch(`${service.url}${link.path}/card`)).text();
    expect(html.match(/<script\b[^>]*>/g)).toEqual([
      expect.stringMatching(/src="\.\.\/assets\/checkout-[0-9a-f]{12}\.js" defer/),
      expect.stringMatching(
        /src="http[^"]+paymentWidgets\.js\?checkoutId=[^"]+" integrity="sha384-[^"]+" crossorigin="anonymous"/,
      ),
    ]);
  });

  test('times are in the zone of the buyer with UTC beside, and without scripts in UTC alone', async () => {
    const link = await shop.offer();
    const timesWith = async (javaScriptEnabled: boolean) => {
      const context = await browser.newContext({ javaScriptEnabled, locale: 'en', timezoneId: 'Africa/Harare' });
      const page = await context.newPage();
      await page.goto(`${service.url}${link.path}`);
      const text = (await page.locator('dd', { has: page.locator('time') }).textContent()) ?? '';
      await context.close();
      return text;
    };
    const { expiresAt } = await link.details();
    const utc = `${expiresAt.slice(11, 16)} UTC`;
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Harare', timeStyle: 'short' });
    const plain = await timesWith(false);
    expect(plain).toContain(utc);
    expect(plain).not.toMatch(/CAT|GMT/);
    const zoned = await timesWith(true);
    expect(zoned).toContain(utc);
    expect(zoned).toMatch(new RegExp(`${local.format(new Date(expiresAt))} (CAT|GMT\\+2)`));
  });

  test('a form sent from another site and a body that is not a form are refused', async () => {
    const link = await shop.offer();
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`${service.url}${link.path}/reject`, { method: 'POST', headers, body, redirect: 'manual' });
    expect((await post({ 'sec-fetch-site': 'cross-site' }, '')).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'same-site' }, '')).status).toBe(403);
    expect((await post({}, 'x'.repeat(10_000))).status).toBe(413);
    expect((await link.details()).status).toBe('PENDING');
  });

  test('text typed by a company or a buyer is escaped', async () => {
    const nasty = '<img src=x onerror=alert(1)>"\'&amp;';
    const link = await shop.offer({ items: [{ name: nasty, description: nasty, quantity: 1, pricePerUnit: 1 }] });
    const { page, complaints } = await look(link, { viewport: PHONE, colorScheme: 'light', locale: 'en' });
    expect(await page.locator('.item-name').textContent()).toBe(nasty);
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a direction mark in a stored text does not move the amount beside it', async () => {
    const link = await shop.offer({ items: [{ name: '\u202ePump', quantity: 1, pricePerUnit: 1 }] });
    const html = await (await fetch(`${service.url}${link.path}`)).text();
    expect(html).toContain('<span class="item-name">\u2068\u202ePump\u2069</span>');
  });

  test('a word in the address only selects one of our texts', async () => {
    const link = await shop.offer();
    const html = await (await fetch(`${service.url}${link.path}?notice=%3Cscript%3E&pay=constructor`)).text();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('role="alert"');
  });
});
