import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { DESKTOP, openPage, startBrowser, WAIT } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { type ConsoleRole, type ConsoleWorld, newConsoleWorld } from './console-world.ts';

describe('deciding a dispute in the console', () => {
  let service: TestService;
  let browser: Browser;
  let world: ConsoleWorld;

  beforeAll(async () => {
    [service, browser] = await Promise.all([sharedService(), startBrowser()]);
    world = await newConsoleWorld(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(settings: { javaScriptEnabled?: boolean } = {}) {
    const context = await browser.newContext({ viewport: DESKTOP, ...settings });
    const { page, complaints } = await openPage(context, [service.url]);
    await page.goto(`${service.url}/console`);
    /** The browser also reports refusals, such as the 422 answer to an invalid form. */
    const leave = async (refusals: readonly number[] = []) => {
      await context.close();
      const isExpected = (one: string) => [422, ...refusals].some((status) => one.includes(`status of ${status}`));
      expect(complaints.filter((one) => !isExpected(one))).toEqual([]);
    };
    return { page, leave };
  }
  const fillLogin = async (page: Page, role: ConsoleRole) => {
    await page.getByLabel('E-mail address').fill(world.people[role].email);
    await page.getByLabel('Password').fill(world.people[role].password);
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
  const timelineOf = async (id: string) => (await world.company.get(`/v1/escrow/${id}/timeline`)).body;

  test('takes five clicks from the login, and keeps the reason in the timeline', async () => {
    const id = await world.newDispute('five-clicks');
    const { page, leave } = await open();
    await fillLogin(page, 'admin');
    await press(page, 'Log in'); // 1
    await page.getByRole('link', { name: 'Disputes', exact: true }).click(); // 2
    await page.getByRole('link', { name: 'five-clicks' }).click(); // 3
    await page.waitForURL((url) => url.pathname.includes(id)); // and for its script
    await page.getByLabel('Seller', { exact: true }).fill('150.00');
    await page.getByLabel('System fee').fill('0');
    await page.getByLabel('Service fee').fill('0');
    await page.locator('#split-preview').getByText('100.00').waitFor(WAIT); // the server computed it during typing
    await page.getByLabel('Reason').fill('Both carry a part of the damage.');
    await press(page, 'Review the decision'); // 4
    await press(page, 'Decide the dispute'); // 5
    await page.getByText('The dispute is decided').waitFor(WAIT);
    expect((await timelineOf(id)).at(-1)).toMatchObject({
      event: 'RESOLVED',
      details: {
        reason: 'Both carry a part of the damage.',
        splitPlan: { seller_payout_cents: '15000', buyer_refund_cents: '10000' },
      },
    });
    await leave();
  });

  test('works without JavaScript, and stops mistakes in the sum with the focus on the message', async () => {
    const id = await world.newDispute('no-script');
    const { page, leave } = await open({ javaScriptEnabled: false });
    await fillLogin(page, 'owner');
    await press(page, 'Log in');
    await page.getByRole('heading', { name: 'Overview' }).waitFor(WAIT); // leaving earlier would end the login
    await page.goto(`${service.url}/console/disputes/${id}`);
    await page.getByLabel('Seller', { exact: true }).fill('250.01');
    await page.getByLabel('System fee').fill('0');
    await page.getByLabel('Service fee').fill('0');
    await page.getByLabel('Reason').fill('A cent too much.');
    await press(page, 'Review the decision');
    await page.locator('[role=alert]:focus').filter({ hasText: 'exceed' }).waitFor(WAIT); // the first thing to be read
    expect(await page.getByLabel('Reason').inputValue()).toBe('A cent too much.');
    await page.getByLabel('Seller', { exact: true }).fill('250.00');
    await press(page, 'Review the decision');
    await press(page, 'Decide the dispute');
    await page.getByText('The dispute is decided').waitFor(WAIT);
    expect((await timelineOf(id)).at(-1)).toMatchObject({ event: 'RESOLVED' });
    await leave();
  });

  test('what was typed stays while the session ends, and is shown again after the login', async () => {
    const id = await world.newDispute('session-ends');
    const { page, leave } = await open();
    const logIn = async () => {
      await fillLogin(page, 'owner');
      await press(page, 'Log in');
    };
    await logIn();
    await page.getByRole('heading', { name: 'Overview' }).waitFor(WAIT);
    await page.goto(`${service.url}/console/disputes/${id}`);
    await page.getByLabel('Reason').fill('A reason of ten minutes.');
    await page.context().clearCookies({ name: 'escrow-console' });
    await page.getByLabel('Seller', { exact: true }).fill('150.00');
    await page.locator('#split-preview').getByText('Your session has ended').waitFor(WAIT);
    await page.getByLabel('System fee').fill('0');
    await page.getByLabel('Service fee').fill('1');
    expect(await page.getByLabel('Reason').inputValue()).toBe('A reason of ten minutes.');
    await press(page, 'Review the decision');
    await page.getByText('what you typed is kept').waitFor(WAIT);
    await logIn();
    await press(page, 'Open the form again');
    await page.getByText('the form was opened before you logged in').waitFor(WAIT);
    expect(await page.getByLabel('Reason').inputValue()).toBe('A reason of ten minutes.');
    expect(await page.getByLabel('Seller', { exact: true }).inputValue()).toBe('150.00');
    await page.getByLabel('Service fee').fill('0');
    await page.locator('#split-preview').getByText('100.00').waitFor(WAIT); // computed again
    await leave([401, 403]);
  });

  test('a review and a form that was refused offer no choice that would lose what was typed', async () => {
    const id = await world.newDispute('languages');
    const { page, leave } = await open();
    await fillLogin(page, 'owner');
    await press(page, 'Log in');
    await page.getByRole('heading', { name: 'Overview' }).waitFor(WAIT);
    await page.goto(`${service.url}/console/disputes/${id}`);
    const languages = page.getByRole('form', { name: 'Language' });
    expect(await languages.count()).toBe(1);
    await page.getByLabel('Seller', { exact: true }).fill('much');
    for (const fee of ['System fee', 'Service fee']) await page.getByLabel(fee).fill('0');
    await page.getByLabel('Reason').fill('A reason of ten minutes.');
    await press(page, 'Review the decision');
    await page.getByRole('alert').first().waitFor(WAIT);
    expect(await languages.count()).toBe(0);
    expect(await page.getByLabel('Reason').inputValue()).toBe('A reason of ten minutes.');
    await page.getByLabel('Seller', { exact: true }).fill('150.00');
    await press(page, 'Review the decision');
    await page.getByRole('heading', { name: 'Confirm the decision' }).waitFor(WAIT);
    expect(await languages.count()).toBe(0);
    await leave();
  });

  test('works with the keyboard alone, from the search field to the decision', async () => {
    const id = await world.newDispute('by-keyboard');
    const { page, leave } = await open();
    const { keyboard } = page;
    const focused = (expression: string) =>
      page.evaluate<string>(`String(document.activeElement?.${expression} ?? '')`);
    const tabTo = async (text: RegExp) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await keyboard.press('Tab');
        if (text.test(await focused('labels?.[0]?.textContent')) || text.test((await focused('textContent')).trim()))
          return;
      }
      throw new Error(`the keyboard does not reach ${text}`);
    };
    await eventually(async () => (await focused('id')) === 'email'); // the browser focuses the field after the page is loaded
    await keyboard.type(world.people.admin.email);
    await tabTo(/^Password/);
    await keyboard.type(world.people.admin.password);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor(WAIT);
    await tabTo(/^Disputes$/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Disputes' }).waitFor(WAIT);
    await page.getByRole('link', { name: 'by-keyboard' }).waitFor(WAIT);
    await eventually(async () => {
      await keyboard.press('ArrowDown'); // without effect until the page's script runs
      return (await focused('className')) === 'row-link' && /by-keyboard/.test(await focused('textContent'));
    });
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: /by-keyboard/ }).waitFor(WAIT);
    await eventually(async () => {
      await keyboard.press('/'); // without effect until the page's script runs
      return (await focused('id')) === 'search';
    });
    for (const [field, amount] of [
      [/^Seller$/, '150.00'],
      [/^System fee/, '0'],
      [/^Service fee/, '0'],
    ] as const) {
      await tabTo(field);
      await keyboard.type(amount);
    }
    await tabTo(/^Reason/);
    await keyboard.type('By hand.');
    await tabTo(/^Review the decision$/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Confirm the decision' }).waitFor(WAIT);
    await tabTo(/^Decide the dispute$/);
    await keyboard.press('Enter');
    await page.getByText('The dispute is decided').waitFor(WAIT);
    expect((await timelineOf(id)).at(-1)).toMatchObject({ event: 'RESOLVED', details: { reason: 'By hand.' } });
    await leave();
  });
});
