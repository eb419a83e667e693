import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { DESKTOP, openPage, PHONE, startBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';
import { openShop, SCENES, type Scene, type Shop } from './scenes.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
declare const axe: { run(options: object): Promise<AxeResults> }; // in the page

describe('every page of the hosted checkout', () => {
  let service: TestService;
  let browser: Browser;
  let shop: Shop;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    shop = await openShop(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** What is put into the page here is ours and does not count. */
  async function look(
    { path, act }: Pick<Scene, 'act'> & { path: string },
    settings: { viewport: typeof PHONE; colorScheme: 'light' | 'dark' },
  ) {
    const context = await browser.newContext({ ...settings, bypassCSP: true, reducedMotion: 'reduce' });
    const { page, complaints } = await openPage(context, [service.url, service.sandbox.url]);
    const response = await page.goto(`${service.url}${path}`);
    await act?.(page);
    return { context, page, complaints, headers: response?.headers() ?? {} };
  }

  test.each(SCENES)(
    '$name: no accessibility violation, in the light on a phone and in the dark on a desk',
    async (scene) => {
      const path = await scene.arrange(shop);
      for (const settings of [
        { viewport: PHONE, colorScheme: 'light' },
        { viewport: DESKTOP, colorScheme: 'dark' },
      ] as const) {
        const { context, page, headers } = await look({ ...scene, path }, settings);
        expect(await page.locator('h1').textContent()).toMatch(scene.heading);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(settings.viewport.width);
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() =>
          axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
        );
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
        expect(headers['referrer-policy']).toBe('no-referrer');
        expect(headers['cache-control']).toBe('no-store');
        expect(headers['x-frame-options']).toBe('DENY');
        const html = await page.content();
        for (const secret of [/\+?26378\d+/, /Buyerson/, /Sellerson/, /63-1234567A00/])
          expect(html).not.toMatch(secret);
        await context.close();
      }
    },
  );

  test('only our script runs, and on the page with the widget the gateway’s', async () => {
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

  test('a form sent from another site and a body that is no form are refused', async () => {
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
    const { page, context, complaints } = await look(link, { viewport: PHONE, colorScheme: 'light' });
    expect(await page.locator('.item-name').textContent()).toBe(nasty);
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a word in the address changes nothing but which of our texts is shown', async () => {
    const link = await shop.offer();
    const html = await (await fetch(`${service.url}${link.path}?notice=%3Cscript%3E&pay=constructor`)).text();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('role="alert"');
  });
});
