import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { refused } from '../support/api.ts';
import { DESKTOP, logIn, openPage, startBrowser, WAIT } from '../support/browser.ts';
import { sendDocument } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import { ownService } from '../support/own-service.ts';
import { newCompany, newUser, type TestService } from '../support/service.ts';
import { newUndecidedPayout } from '../support/treasury.ts';
import { CONSOLE_ROLES, type ConsoleRole, type ConsoleWorld, newConsoleWorld } from './console-world.ts';

/** What each role does in the console besides disputes. Every test makes what it needs, so they run in any order. */

let service: TestService;
let browser: Browser;
let world: ConsoleWorld;
const contexts = new Map<ConsoleRole, BrowserContext>();
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [service, browser] = await Promise.all([ownService(), startBrowser()]);
  world = await newConsoleWorld(service);
  for (const role of CONSOLE_ROLES) contexts.set(role, await loggedIn(role));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

async function loggedIn(role: ConsoleRole): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  const first = await context.newPage();
  await logIn(first, service.url, world.people[role]);
  if (role === 'platform') await actFor(first);
  await first.close();
  return context;
}

async function actFor(at: Page) {
  await at.goto(`${service.url}/console/act-for?companyId=${world.company.id}`);
  await at.getByRole('button', { name: 'Act for this company' }).click();
  await at.getByText('You act for').waitFor(WAIT);
}

async function as(role: ConsoleRole, path: string): Promise<void> {
  const context = contexts.get(role);
  if (context === undefined) throw new Error(`nobody is logged in as ${role}`);
  ({ page, complaints } = await openPage(context, [service.url]));
  await page.goto(`${service.url}/console${path}`);
}
beforeEach(() => {
  complaints = [];
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const unfold = (name: string) => page.locator('summary').getByText(name, { exact: true }).first().click();
const told = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor(WAIT);
const leave = async () => {
  await page.close();
  expect(complaints.filter((one) => !/^referer/.test(one))).toEqual([]);
};

describe('a manager', () => {
  test('offers a link with milestones, fees for the buyer and a language, and copies its address', async () => {
    const buyer = await newUser(world.company);
    await as('manager', `/links/new?buyerId=${buyer.id}`);
    await page.getByLabel('Name', { exact: true }).first().fill('Borehole');
    await page.getByLabel('Price of one').first().fill('1,200');
    await unfold('Fees, release, milestones, language, return addresses');
    await page.getByLabel('Who pays the fees').selectOption('BUYER');
    await page.getByLabel('Hours until it expires').fill('48');
    for (const [index, title, share] of [
      [1, 'Drilling', '66.5'],
      [2, 'Pump', '33.5'],
    ] as const) {
      await page.getByLabel(`Milestone ${index}`).fill(title);
      await page.getByLabel(`Per cent of the price, ${index}`).fill(share);
    }
    await page.getByLabel('Language of the checkout').selectOption('pt');
    await press('Create link');
    await told('The link is created.');
    const id = /links\/(pay_[\w-]+)/.exec(page.url())?.[1] ?? '';
    const { body: link } = await world.company.get(`/v1/payments/links/${id}`);
    const { body: escrow } = await world.company.get(`/v1/escrow/${link.escrowId}`);
    expect(escrow.milestones.map(({ title }: { title: string }) => title)).toEqual(['Drilling', 'Pump']);
    const lifetimeMs = Date.parse(link.expiresAt) - Date.parse(link.createdAt);
    expect(Math.round(lifetimeMs / 3_600_000)).toBe(48);
    await page.getByRole('button', { name: 'Copy the address' }).click();
    await told('Copied');
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(link.url);
    await leave();
  });

  test('sees a mistake in a milestone where it stands, with everything that was typed', async () => {
    const buyer = await newUser(world.company);
    await as('manager', `/links/new?buyerId=${buyer.id}`);
    await page.getByLabel('Name', { exact: true }).first().fill('Borehole');
    await page.getByLabel('Price of one').first().fill('1,200');
    await unfold('Fees, release, milestones, language, return addresses');
    await page.getByLabel('Milestone 1').fill('Drilling');
    await page.getByLabel('Per cent of the price, 1').fill('a third');
    await press('Create link');
    await page.getByRole('alert').waitFor(WAIT);
    expect(await page.getByLabel('Per cent of the price, 1').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Milestone 1').inputValue()).toBe('Drilling');
    await page.close();
  });

  test('registers a user', async () => {
    await as('manager', '/users/new');
    await page.getByLabel('Mobile number').fill(nextMobileNumber());
    await page.getByLabel('National ID number').fill('63-1234567-A-89');
    await page.getByLabel('First name').fill('Rudo');
    await press('Register');
    await told('The user is registered.');
    await leave();
  });

  test('clicks twice and one form is sent; Back leads to the form that was refused, and does not send it again', async () => {
    const mobileNumber = nextMobileNumber();
    await as('manager', '/users/new');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await page.getByLabel('Mobile number').fill('12');
    await page.getByLabel('National ID number').fill('63-1234567-A-89');
    await press('Register');
    await page.getByRole('alert').waitFor(WAIT);
    await page.waitForLoadState(); // the page's script must stop the second click
    await page.getByLabel('Mobile number').fill(mobileNumber);
    await page.getByRole('button', { name: 'Register' }).dblclick();
    await told('The user is registered.');
    expect(sent).toHaveLength(2);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'New user' }).waitFor(WAIT);
    await page.reload();
    expect(sent).toHaveLength(2);
    await page.close();
  });

  test('stops a form that is being sent, and can send it again', async () => {
    await as('manager', '/users/new');
    let sent = 0;
    await page.route('**/users/new', async (route) => {
      if (route.request().method() === 'POST') sent += 1;
      if (sent !== 1) await route.continue(); // the first form is never answered
    });
    await page.getByLabel('Mobile number').fill(nextMobileNumber());
    await page.getByLabel('National ID number').fill('63-1234567-A-89');
    const send = () => page.getByRole('button', { name: 'Register' }).click({ noWaitAfter: true });
    await send();
    await eventually(() => sent === 1);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Page.stopLoading');
    await eventually(async () => (await page.locator('form[data-sent]').count()) === 0);
    await send();
    await told('The user is registered.');
    expect(sent).toBe(2);
    await page.close();
  });

  test('neither makes keys nor sees the pages of the platform', async () => {
    await as('manager', '/keys');
    expect(await page.getByText('New key').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Companies' }).count()).toBe(0);
    const { status } =
      (await page.goto(`${service.url}/console/platform`).then((answer) => ({ status: answer?.status() }))) ?? {};
    expect(status).toBe(403);
    await page.close();
  });
});

describe('an administrator of the company', () => {
  test('gives a key a role, permissions, an end and a note, and the list shows them', async () => {
    await as('admin', '/keys');
    await unfold('New key');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('reports');
    await page.getByLabel('Role').selectOption('manager');
    await page.getByLabel('Read', { exact: true }).check();
    await page.getByLabel('Valid for days').fill('30');
    await page.getByLabel('Note').fill('Ask Olive');
    await press('Create key');
    const key = await page.locator('.secret').textContent();
    await page.getByRole('link', { name: 'I have copied it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'reports' });
    await row.getByText('Ask Olive').waitFor(WAIT);
    expect(await row.textContent()).toMatch(/Manager\s*Read/);
    expect(await row.textContent()).toContain('Never');
    const headers = { 'x-api-key': key ?? '', 'x-company-id': world.company.id, 'x-idempotency-key': randomUUID() };
    expect(await service.request('GET', '/v1/core/companies/me', { headers })).toMatchObject({ status: 200 });
    const deposit = { amount: 1, currency: 'USD' };
    expect(await service.request('POST', '/v1/payments/deposit', { headers, body: deposit })).toMatchObject(
      refused(403, 'forbidden'),
    );
    await leave();
  });

  test('adds an administrator, gives them the password, and removes them', async () => {
    await as('admin', '/administrators');
    const email = `tariro-${randomUUID()}@test.example`;
    await unfold('New administrator');
    await page.getByLabel('First name').fill('Tariro');
    await page.getByLabel('Last name').fill('Dube');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Role').selectOption('manager');
    await press('Add');
    expect(await page.locator('.secret').textContent()).toMatch(/^\S{10,}$/);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    const row = page.getByRole('row').filter({ hasText: email });
    await row.locator('summary').click();
    await row.getByRole('button', { name: 'Remove' }).click();
    await told('The administrator is removed.');
    expect(await page.getByText(email).count()).toBe(0);
    await leave();
  });

  test('registers a webhook, disables it, gives it a new secret, and removes it', async () => {
    await as('admin', '/webhooks/new');
    await page.getByLabel('Address').fill('http://127.0.0.1:9/other');
    await press('Register');
    await page.locator('.secret').waitFor(WAIT);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    await press('Disable');
    await told('The endpoint is disabled.');
    await press('Enable');
    await told('The endpoint is enabled.');
    await unfold('New secret');
    await press('Create a new secret');
    expect(await page.locator('.secret').textContent()).toMatch(/^whsec_/);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    await unfold('Remove');
    await press('Remove the endpoint');
    await told('The endpoint is removed.');
    await leave();
  });

  test('moves the test clock', async () => {
    await as('admin', '/clock');
    await unfold('Move the time forward');
    await page.getByLabel('Hours').fill('1');
    await press('Move the time');
    await told(/The company’s time is/);
    await leave();
  });
});

describe('an owner', () => {
  test('changes the settings', async () => {
    await as('owner', '/settings');
    await page.getByLabel('Automatic release after hours').fill('72');
    await press('Save');
    await told('The settings are saved.');
    await page.getByText('After 3 days').waitFor(WAIT);
    await as('owner', '/settings'); // without the message of the first change
    await page.getByLabel('Automatic release after hours').fill('');
    await press('Save');
    await told('The settings are saved.');
    await leave();
  });

  test('reverses a deposit that bounced', async () => {
    const buyer = await newUser(world.company);
    const { body: deposit } = await world.company.post('/v1/payments/deposit', {
      userId: buyer.id,
      amount: 5_000,
      currency: 'USD',
    });
    await as('owner', `/transactions/${deposit.id}`);
    await unfold('Reverse');
    await page.getByLabel('Reason').fill('The bank returned it.');
    await press('Reverse the transaction');
    await told('The transaction is reversed.');
    await leave();
  });
});

describe('the platform', () => {
  test('sees what waits, and audits the books', async () => {
    await as('platform', '/platform');
    for (const title of ['What waits', 'Providers', 'Workflow runs', 'Audits', 'By symptom'])
      await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor(WAIT);
    await press('Audit now');
    await told('The books agree');
    await leave();
  });

  test('changes the fee and the payout limit of a company', async () => {
    const company = await newCompany(service, 'Limits Limited');
    await as('platform', '/companies?search=Limits');
    const row = page.getByRole('row').filter({ hasText: 'Limits Limited' });
    await row.locator('summary').getByText('Fee', { exact: true }).click();
    await row.getByLabel('Fee of the platform').fill('1.5');
    await row.getByRole('button', { name: 'Change the fee' }).click();
    await told('is changed.');
    await page.goto(`${service.url}/console/companies?search=Limits`);
    await row.locator('summary').getByText('Payout limit').click();
    await row.getByLabel('Amount').fill('2,500');
    await row.getByRole('button', { name: 'Change the limit' }).click();
    await told(/The payout limit of Limits Limited.* is changed/);
    await page.goto(`${service.url}/console/companies?search=Limits`);
    await row.getByText('USD 2,500.00').waitFor(WAIT);
    expect((await company.get('/v1/core/companies/me')).body.system_fee_basis_points).toBe(150);
    await leave();
  });

  test('goes from a payout that failed to its page, as its company', async () => {
    await as('platform', `/act-for?companyId=${world.company.id}&next=/withdrawals/${world.payoutId}`);
    await press('Act for this company');
    await page.getByRole('heading', { level: 1, name: /Withdrawal payout-/ }).waitFor(WAIT);
    await leave();
  });

  test('approves an identity, and blacklists a user with a reason that the company reads', async () => {
    const user = await newUser(world.company, { firstName: 'Nyasha', lastName: 'Ncube' });
    await sendDocument(world.company, user.id);
    await as('platform', `/users/${user.id}`);
    await unfold('Approve the identity');
    await press('Approve');
    await told('The identity is approved.');
    await unfold('Blacklist the user');
    await page.getByLabel('Reason').fill('Goods never came, twice.');
    await press('Blacklist');
    await told('The user is blacklisted.');
    await page.close();
    await as('manager', `/users/${user.id}`);
    await page.getByText('Reason: Goods never came, twice.').waitFor(WAIT);
    await page.close();
  });

  test('books what the bank’s statement shows', async () => {
    const { id } = await newUndecidedPayout(world.company, world.accountId, 1_000);
    await as('platform', `/withdrawals/${id}`);
    await unfold('The bank paid it');
    await press('Book as paid');
    await told(/The outcome is booked/);
    await leave();
  });
});
