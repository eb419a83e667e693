import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import type { Locale } from '../../src/domain/locale.ts';
import { prepareAxe, violationsOn } from '../support/accessibility.ts';
import { DESKTOP, leave, logIn, openPage, PHONE, startBrowser } from '../support/browser.ts';
import { cutOffIn, LAPTOPS, NARROW, wideTablesIn } from '../support/cut-off.ts';
import { newCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { CONSOLE_SCENES } from './console-scenes.ts';
import { CONSOLE_ROLES, type ConsoleRole, type ConsoleWorld, newConsoleWorld } from './console-world.ts';

/** The directory for screenshots; unset: none are taken. */
const PICTURES = process.env.CONSOLE_PICTURES;
/** Of a company whose name has no space. */
const LONG_NAME = 200;
/** The transferred size of a page with its style sheet and scripts, which browsers cache. */
const MAX_PAGE_BYTES = 75_000;

type Look = {
  readonly look: string;
  readonly viewport: typeof PHONE;
  readonly colorScheme: 'light' | 'dark';
  readonly language: Locale;
};
/** Tests look at the longer languages; the actions of the other browser tests are in English. */
const TESTED: readonly Look[] = [
  { look: 'phone-fr', viewport: PHONE, colorScheme: 'light', language: 'fr' },
  { look: 'desktop-dark-pt', viewport: DESKTOP, colorScheme: 'dark', language: 'pt' },
];
const PICTURED: readonly Look[] = [
  { look: 'phone', viewport: PHONE, colorScheme: 'light', language: 'en' },
  { look: 'desktop-dark', viewport: DESKTOP, colorScheme: 'dark', language: 'en' },
  { look: 'desktop', viewport: DESKTOP, colorScheme: 'light', language: 'en' },
];
/** The pages with pictures in every language. */
const TRANSLATED = ['overview', 'escrow', 'dispute'];
const looksOf = (name: string): readonly Look[] => {
  if (PICTURES === undefined) return TESTED;
  return TRANSLATED.includes(name) ? [...PICTURED, ...TESTED] : PICTURED;
};

describe('every page of the console', () => {
  let service: TestService;
  let browser: Browser;
  let world: ConsoleWorld;
  /** One page for each role: a new one costs a process. */
  const pages = new Map<ConsoleRole, Awaited<ReturnType<typeof openPage>>>();

  beforeAll(async () => {
    if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
    [service, browser] = await Promise.all([sharedService(), startBrowser()]);
    world = await newConsoleWorld(service);
    await newCompany(service, 'W'.repeat(LONG_NAME)); // which stands in the list of companies
    for (const role of CONSOLE_ROLES) pages.set(role, await openPage(await loggedIn(role), [service.url]));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function loggedIn(role: ConsoleRole): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: DESKTOP, bypassCSP: true, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await logIn(page, service.url, world.people[role]);
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

  const read = (page: Page, language: Locale) =>
    page.context().addCookies([{ name: 'console_language', value: language, url: `${service.url}/console` }]);

  /** The page of the role, blank and as wide as a desktop. */
  async function pageOf(role: ConsoleRole) {
    const opened = pages.get(role);
    if (opened === undefined) throw new Error(`nobody is logged in as ${role}`);
    await leave(opened.page);
    await opened.page.setViewportSize(DESKTOP);
    opened.complaints.length = 0;
    return opened;
  }

  const scenes = CONSOLE_SCENES.filter(({ isForPictures = false }) => PICTURES !== undefined || !isForPictures);

  test.each(scenes)('$name: no accessibility violation, no sideways scrolling, and few bytes', async (scene) => {
    const { page, complaints } = await pageOf(scene.as);
    await read(page, 'en');
    const response = await page.goto(`${service.url}/console${await scene.path(world)}`, { waitUntil: 'load' });
    expect(await page.locator('h1').textContent()).toMatch(scene.heading);
    expect((await response?.body())?.length ?? 0).toBeLessThan(MAX_PAGE_BYTES);
    for (const { look, viewport, colorScheme, language } of looksOf(scene.name)) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await read(page, language);
      await page.reload({ waitUntil: 'load' });
      // The workflow's own state is loaded after the page.
      if (await page.locator('#run').count()) await page.locator('#run[hx-get]').waitFor({ state: 'detached' });
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      if (PICTURES !== undefined)
        await sharp(await page.screenshot({ fullPage: true }))
          .webp({ quality: 20, effort: 6, smartSubsample: true })
          .toFile(join(PICTURES, `${scene.name}-${look}.webp`));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([look, width]).toEqual([look, Math.min(width, viewport.width)]);
      expect([look, await violationsOn(page)]).toEqual([look, []]);
    }
    expect(complaints).toEqual([]);
  });

  // What is cut off is looked for in Portuguese, the longest language.
  test.each(CONSOLE_SCENES)(
    '$name: tables show all of their columns on a laptop; nothing is cut off on a small screen, nor at 200 %% zoom',
    async (scene) => {
      const { page } = await pageOf(scene.as);
      const path = await scene.path(world);
      for (const language of ['fr', 'pt'] as const) {
        await read(page, language);
        await page.goto(`${service.url}/console${path}`, { waitUntil: 'load' });
        for (const viewport of LAPTOPS) {
          await page.setViewportSize(viewport);
          expect([language, viewport.width, await wideTablesIn(page)]).toEqual([language, viewport.width, []]);
        }
      }
      for (const viewport of NARROW) {
        await page.setViewportSize(viewport);
        expect([viewport.width, await cutOffIn(page)]).toEqual([viewport.width, []]);
      }
    },
  );
});
