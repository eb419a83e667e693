import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { prepareAxe, violationsOn } from '../support/accessibility.ts';
import { DESKTOP, openPage, PHONE, startBrowser } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

const GUIDES = readdirSync(new URL('../../docs/guides/', import.meta.url)).filter((name) => name.endsWith('.md'));

describe('the pages for integrators', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([sharedService(), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('shows operations with samples in curl and in the client, under our policy, from this server alone', async () => {
    const context = await browser.newContext({ viewport: DESKTOP });
    const { page, complaints } = await openPage(context, [service.url]);
    await page.goto(`${service.url}/docs#tag/escrow/POST/v1/escrow/initiate`);
    const operation = page.getByRole('heading', { name: "Create an escrow and hold the buyer's money" });
    await operation.first().waitFor({ timeout: 60_000 });
    await page.getByText('order-2001').first().waitFor({ timeout: 60_000 });
    expect(await page.getByText('Search').count()).toBeGreaterThan(0);
    expect(await page.getByRole('link', { name: 'guides' }).first().getAttribute('href')).toMatch(/\/guides$/);
    expect(complaints).toEqual([]);
    if (process.env.REFERENCE_PICTURE) await page.screenshot({ path: process.env.REFERENCE_PICTURE });
    await context.close();
  });

  test.each([
    { viewport: PHONE, colorScheme: 'light' },
    { viewport: DESKTOP, colorScheme: 'dark' },
  ] as const)('every guide has no accessibility violation: $colorScheme mode', async (settings) => {
    const context = await browser.newContext({ ...settings, bypassCSP: true, reducedMotion: 'reduce' });
    await prepareAxe(context);
    const { page, complaints } = await openPage(context, [service.url]);
    for (const file of GUIDES) {
      const path = file === 'README.md' ? '/guides' : `/guides/${file.replace(/\.md$/, '')}`;
      expect([path, (await page.goto(`${service.url}${path}`))?.status()]).toEqual([path, 200]);
      expect([path, await violationsOn(page)]).toEqual([path, []]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, width]).toEqual([path, Math.min(width, settings.viewport.width)]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each([
    { viewport: PHONE, colorScheme: 'light' },
    { viewport: DESKTOP, colorScheme: 'dark' },
  ] as const)(
    'the reference has no accessibility violation: $colorScheme mode',
    async (settings) => {
      const context = await browser.newContext({ ...settings, bypassCSP: true, reducedMotion: 'reduce' });
      await prepareAxe(context);
      const { page } = await openPage(context, [service.url]);
      await page.goto(`${service.url}/docs#tag/escrow/POST/v1/escrow/initiate`);
      const operation = page.getByRole('heading', { name: "Create an escrow and hold the buyer's money" });
      await operation.first().waitFor({ timeout: 60_000 });
      // Parts that come into view fade in, and have a weak contrast until then.
      const deadline = Date.now() + 60_000;
      let violations = await violationsOn(page);
      while (violations.length > 0 && Date.now() < deadline) violations = await violationsOn(page);
      expect(violations).toEqual([]);
      await context.close();
    },
    200_000,
  );
});
