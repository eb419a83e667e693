import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { eventPages } from '../../src/console/pages/events.ts';
import {
  companyPages,
  ledgerPages,
  linkPages,
  receiptPages,
  userPages,
  webhookPages,
  withdrawalPages,
} from '../../src/console/pages/index.ts';
import { permits } from '../../src/domain/roles.ts';
import { newWorld, type World } from '../console/support/world.ts';
import { prepareAxe, violationsOn } from '../support/accessibility.ts';
import { DESKTOP, logIn, openPage, PHONE, startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { done, PLATFORM, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

const AREAS = {
  linkPages,
  userPages,
  ledgerPages,
  withdrawalPages,
  receiptPages,
  eventPages,
  webhookPages,
  companyPages,
};

let service: TestService;
let browser: Browser;
let world: World;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), startBrowser()]);
  world = await newWorld(service);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

type Sizes = { readonly scrollWidth: number; readonly clientWidth: number };
type Settings = Parameters<Browser['newContext']>[0];

/** A browser window with a logged-in administrator. */
async function desk(person: { readonly email: string; readonly password: string }, settings: Settings = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...settings });
  const { page, complaints } = await openPage(context, [service.url]);
  await logIn(page, service.url, person);
  return { context, page, complaints };
}

const go = (page: Page, path: string) => page.goto(`${service.url}/console${path}`);
const flash = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const unfold = (page: Page, name: string) => page.locator('summary').getByText(name, { exact: true }).first().click();

describe.each([
  ['all pages on a phone in the light', { viewport: PHONE, colorScheme: 'light' }, 20],
  ['the first two of each area on a desk in the dark', { viewport: DESKTOP, colorScheme: 'dark' }, 2],
] as const)('%s', (_which, settings, count) => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    ({ context, page } = await desk(world.company.owner, { ...settings, bypassCSP: true }));
    await prepareAxe(context);
  });
  afterAll(() => context?.close());

  test.each(Object.entries(AREAS))(
    '%s: no accessibility violation, and nothing wider than the screen',
    async (_area, pages) => {
      const shown = pages.filter(
        ({ path, who }) =>
          permits('OWNER', who) && !/\/(?:export|export\.csv|document|statement|file|:fileId)$/.test(path),
      );
      expect(shown.length).toBeGreaterThan(0);
      for (const { path } of shown.slice(0, count)) {
        await go(page, world.addresses[path] ?? path);
        expect({ path, violations: await violationsOn(page) }).toEqual({ path, violations: [] });
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect({ path, fits: width <= settings.viewport.width }).toEqual({ path, fits: true });
      }
    },
  );
});

describe('acting as the owner', () => {
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    ({ context, page, complaints } = await desk(world.company.owner));
  });
  afterAll(async () => {
    await context?.close();
    expect(complaints.filter((complaint) => !/^referer|status of 400/.test(complaint))).toEqual([]);
  });

  test('the table of receivables needs no scrolling on a laptop', async () => {
    const link = await offerLink(service, world.company);
    const { body } = await done(link.say('eft-pay/initiate'));
    await service.sandbox.settle(body.checkoutId, 'success');
    await eventually(async () => (await link.events()).includes('ACCEPTED'));
    await service.sandbox.change(body.checkoutId, 'CB');
    await eventually(async () => (await link.events()).includes('TAKEN_BACK'));
    for (const value of ['en', 'fr', 'pt']) {
      await context.addCookies([{ name: 'console_language', value, url: `${service.url}/console` }]);
      await go(page, '/receivables');
      await page.locator('.table form').first().waitFor({ state: 'attached' });
      const frame = await page
        .locator('.table-frame')
        .evaluate((one: Sizes) => [one.scrollWidth, one.clientWidth] as const);
      expect([value, frame[0] <= frame[1]]).toEqual([value, true]);
    }
    await context.clearCookies({ name: 'console_language' });
  });

  test('a payment link is made, with the sum of its items', async () => {
    await go(page, `/links/new?buyerId=${world.buyerId}`);
    await page.getByLabel('Name', { exact: true }).first().fill('Maize');
    await page.getByLabel('Quantity').first().fill('3');
    await page.getByLabel('Price of one').first().fill('1,000.50');
    await press(page, 'Create link');
    await flash(page, 'The link is created.');
    expect(await page.getByText('USD 3,001.50').count()).toBe(1);
    expect(await page.getByRole('img', { name: /QR code/ }).count()).toBe(1);
  });

  test('a withdrawal shows its cost before it is requested', async () => {
    await go(page, `/withdrawals/new?accountId=${world.sellerAccountId}`);
    await page.getByLabel('Amount').fill('100');
    await press(page, 'See what it costs');
    await page.getByText('Taken from the account').waitFor();
    await page.getByLabel('Your reference').fill('console-1');
    for (const [label, value] of [
      ['Bank', 'CBZ'],
      ['Branch code', '6101'],
      ['Account number', '4000123456'],
      ['Name of the account’s owner', 'Tendai Moyo'],
    ] as const)
      await page.getByLabel(label, { exact: false }).and(page.locator('input')).first().fill(value);
    await press(page, 'Withdraw');
    await flash(page, 'The withdrawal is requested.');
  });

  test('a receipt in suspense is assigned to the user that its reference suggests', async () => {
    await go(page, world.addresses['/receipts/:id'] ?? '');
    await unfold(page, 'Assign');
    await page.getByText('go from suspense to the account of Tendai Moyo').waitFor();
    await page.getByRole('button', { name: 'Assign the receipt' }).first().click();
    await flash(page, 'The receipt is on the user’s account.');
  });

  test('an account is frozen with a reason, and opened again', async () => {
    await go(page, `/ledger/accounts/${world.sellerAccountId}`);
    await unfold(page, 'Freeze');
    await page.getByLabel('Reason').fill('a court asked for it');
    await press(page, 'Freeze the account');
    await flash(page, 'The account is frozen.');
    await unfold(page, 'Unfreeze');
    await page.getByLabel('Reason').fill('the court is done');
    await press(page, 'Unfreeze the account');
    await flash(page, 'The account is open again.');
  });

  test('a key is shown once, and revoked', async () => {
    await go(page, '/keys');
    await unfold(page, 'New key');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('console key');
    await press(page, 'Create key');
    expect((await page.locator('.secret').textContent())?.length).toBe(38);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'console key' });
    await row.locator('summary').filter({ hasText: 'Revoke' }).click();
    await row.getByRole('button', { name: 'Revoke the key' }).click();
    await flash(page, 'The key is revoked.');
  });

  test('a wrong field is named where it stands, and what was typed is kept', async () => {
    await go(page, '/users/new');
    await page.getByLabel('Mobile number').fill('12');
    await page.getByLabel('National ID number').fill('63-7');
    await page.getByLabel('First name').fill('Rudo');
    await press(page, 'Register');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Mobile number').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('First name').inputValue()).toBe('Rudo');
  });

  test('a webhook delivery shows its answer, and is sent again', async () => {
    await go(page, world.addresses['/webhooks/:id'] ?? '');
    const deliveries = page.locator('.delivery summary');
    await eventually(async () => {
      const isThere = (await deliveries.count()) > 0;
      if (!isThere) await page.reload();
      return isThere;
    });
    await deliveries.last().click();
    await page
      .getByRole('button', { name: /^Send (again|now)$/ })
      .last()
      .click();
    await flash(page, '1 delivery is queued. It is sent now');
  });

  test('the export saves a file, and says how many rows it has', async () => {
    await go(page, '/audit');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
  });
});

test('an export after the end of the session leads to the login and back to the list, and saves no file', async () => {
  const { context, page } = await desk(world.company.owner);
  await go(page, '/receipts');
  await context.clearCookies({ name: 'escrow-console' });
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));
  await page.getByRole('link', { name: 'CSV' }).click();
  await page.getByText('Your session has ended. Log in again.').waitFor();
  await page.getByLabel('E-mail address').fill(world.company.owner.email);
  await page.getByLabel('Password').fill(world.company.owner.password);
  await press(page, 'Log in');
  await page.getByRole('heading', { level: 1, name: 'Bank receipts' }).waitFor();
  expect(downloads).toEqual([]);
  await context.close();
});

test('the platform sees the queue of identities', async () => {
  const { context, page } = await desk(PLATFORM, { bypassCSP: true });
  await prepareAxe(context);
  await go(page, '/identities');
  await page.getByRole('heading', { level: 1, name: 'Identities' }).waitFor();
  expect(await violationsOn(page)).toEqual([]);
  await context.close();
});
