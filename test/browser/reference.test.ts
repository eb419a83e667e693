import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { DESKTOP, openPage, startBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';

describe('the reference page', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService({ withWorker: false }), startBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('shows operations with samples in curl and in the client, under our policy, from this server alone', async () => {
    const context = await browser.newContext({ viewport: DESKTOP });
    const { page, complaints } = await openPage(context, [service.url]);
    await page.goto(`${service.url}/docs#tag/escrow/POST/v1/escrow/initiate`);
    const operation = page.getByRole('heading', { name: "Begin an escrow and hold the buyer's money" });
    await operation.first().waitFor({ timeout: 60_000 });
    await page.getByText('order-2001').first().waitFor({ timeout: 60_000 });
    expect(await page.getByText('Search').count()).toBeGreaterThan(0);
    expect(await page.getByRole('link', { name: 'guides' }).first().getAttribute('href')).toMatch(/\/guides$/);
    expect(complaints).toEqual([]);
    if (process.env.REFERENCE_PICTURE) await page.screenshot({ path: process.env.REFERENCE_PICTURE });
    await context.close();
  }, 150_000);
});
