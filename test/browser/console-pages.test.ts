import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import sharp from 'sharp';
import { prepareAxe, violationsOn } from '../support/accessibility.ts';
import { DESKTOP, openPage, PHONE, startBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';
import { CONSOLE_SCENES } from './console-scenes.ts';
import { CONSOLE_ROLES, type ConsoleRole, type ConsoleWorld, newConsoleWorld } from './console-world.ts';

/** The directory for screenshots; unset: none are taken. */
const PICTURES = process.env.CONSOLE_PICTURES;
/** The transferred size of a page with its style sheet and scripts, which browsers cache. */
const MAX_PAGE_BYTES = 60_000;

describe('every page of the console', () => {
  let service: TestService;
  let browser: Browser;
  let world: ConsoleWorld;
  const contexts = new Map<string, BrowserContext>();

  beforeAll(async () => {
    if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    world = await newConsoleWorld(service);
    const looks = [
      { look: 'phone', viewport: PHONE, colorScheme: 'light' },
      { look: 'desktop-dark', viewport: DESKTOP, colorScheme: 'dark' },
      ...(PICTURES === undefined ? [] : [{ look: 'desktop', viewport: DESKTOP, colorScheme: 'light' } as const]),
    ] as const;
    for (const role of CONSOLE_ROLES)
      for (const { look, ...settings } of looks) contexts.set(`${role} ${look}`, await loggedIn(role, settings));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function loggedIn(role: ConsoleRole, settings: { viewport: typeof PHONE; colorScheme: 'light' | 'dark' }) {
    const context = await browser.newContext({ ...settings, bypassCSP: true, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${service.url}/console/login`);
    await page.getByLabel('E-mail address').fill(world.people[role].email);
    await page.getByLabel('Password').fill(world.people[role].password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    if (role === 'platform') {
      await page.goto(`${service.url}/console/act-for`);
      await page.getByLabel('Company id').fill(world.company.id);
      await page.getByRole('button', { name: 'Act for this company' }).click();
      await page.getByText('You act for').waitFor();
    }
    await page.close();
    await prepareAxe(context);
    return context;
  }

  const scenes = CONSOLE_SCENES.filter(({ isForPictures = false }) => PICTURES !== undefined || !isForPictures);

  test.each(scenes)('$name: no accessibility violation, no sideways scrolling, and few bytes', async (scene) => {
    const path = await scene.path(world);
    for (const look of ['phone', 'desktop-dark', 'desktop']) {
      const context = contexts.get(`${scene.as} ${look}`);
      if (context === undefined) continue;
      const { page, complaints } = await openPage(context, [service.url]);
      const response = await page.goto(`${service.url}/console${path}`, { waitUntil: 'load' });
      expect(await page.locator('h1').textContent()).toMatch(scene.heading);
      expect((await response?.body())?.length ?? 0).toBeLessThan(MAX_PAGE_BYTES);
      // The workflow's own state is loaded after the page.
      if (await page.locator('#run').count()) await page.locator('#run[hx-get]').waitFor({ state: 'detached' });
      if (PICTURES !== undefined)
        await sharp(await page.screenshot({ fullPage: true }))
          .webp({ quality: 25, effort: 4 })
          .toFile(join(PICTURES, `${scene.name}-${look}.webp`));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
      expect(await violationsOn(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });
});
