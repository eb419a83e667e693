import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BODY_LIMITS } from '../../src/api/limits.ts';
import { createConsole } from '../../src/console/console.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import { ownService } from '../support/own-service.ts';
import { newCompany, newParties, newUser, PLATFORM, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { CONSOLE_SETTINGS } from './support/settings.ts';
import { hiddenFields, newVisitor, shownForm, visitorAs } from './support/visitor.ts';

/** A form that was refused is shown again with everything that was typed, open, and with each mistake beside its field. */

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service?.stop());

describe('while the service refuses the reads of a page too', () => {
  test('what was typed is kept by the rate limit’s answer, and can be sent again', async () => {
    const rateLimits = { requestsPerMinute: 40, publicRequestsPerMinute: 1_000 };
    const limited = await ownService({ withWorker: false, rateLimits });
    try {
      const own = await newCompany(limited);
      const accounts: { id: string; type: string }[] = (await own.get('/v1/ledger/company/accounts')).body;
      const account = accounts.find(({ type }) => type === 'COMPANY');
      const visitor = newVisitor(limited);
      await visitor.logIn(own.owner);
      const path = `/ledger/accounts/${account?.id}`;
      const typed = { ...shownForm((await visitor.get(path)).text, path, 'value="freeze"'), reason: 'a <court>' };
      await eventually(async () => (await visitor.get('/users')).status === 429);
      const refused = await visitor.send(path, typed);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.text).toContain('<dd class="typed">a &lt;court&gt;</dd>');
      expect(shownForm(refused.text, path, 'Send again')).toEqual(typed);
    } finally {
      await limited.stop();
    }
  });

  test('a withdrawal is kept while the database does not answer, and acts once when it is sent again', async () => {
    const user = await newUser(company);
    await company.post('/v1/payments/deposit', { userId: user.id, amount: 100_000, currency: 'USD' });
    const visitor = await visitorAs(service, company, 'owner');
    const path = `/withdrawals/new?accountId=${user.usdAccountId}&amount=1000`;
    const typed = {
      ...shownForm((await visitor.get(path)).text, '/withdrawals/new', 'value="withdraw"'),
      externalReference: `kept ${user.id}`,
      bank_name: 'CBZ',
      branch_code: '6101',
      account_number: '4000123456',
      account_name: 'Tendai Moyo',
    };
    const refused = await withClient(service.database.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query('lock table account in access exclusive mode');
      const answer = await visitor.sendOnce(path, typed);
      await client.query('rollback');
      return answer;
    });
    expect(refused.status).toBe(503);
    const kept = shownForm(refused.text, '/withdrawals/new', 'Send again');
    expect(kept).toEqual(typed);
    const sent = [await visitor.send(path, kept), await visitor.send(path, kept)];
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(sent.map(({ location }) => location)).size).toBe(1);
  });

  test('what was typed is kept when the session’s access token cannot be renewed', async () => {
    let nowMs = Date.parse('2026-01-31T09:00:00Z');
    const tokens = { accessToken: 'a', refreshToken: 'r', userId: 'adm_1', expiresIn: 900, companyId: 'cmp_1' };
    const app = createConsole({
      dispatch: (request) =>
        request.url.endsWith('/v1/auth/login')
          ? Response.json({ ...tokens, role: 'OWNER', mustChangePassword: false })
          : Response.json({ code: 'too_many_requests' }, { status: 429, headers: { 'retry-after': '7' } }),
      secret: 'a secret of the tests, long enough to sign tokens with',
      baseUrl: 'http://console.example',
      idleTimeoutMs: 30 * 60_000,
      maxFormBytes: BODY_LIMITS.page.maxBytes,
      now: () => new Date(nowMs),
      settings: CONSOLE_SETTINGS,
    });
    const send = (path: string, fields: Record<string, string> | null, cookie = '') =>
      app.request(`http://console.example${path}`, {
        ...(fields === null ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
        headers: { cookie },
      });
    const login = await send('/login', { email: 'a@test.example', password: 'x' });
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const page = await (await send('/receipts/new', null, cookie)).text();
    const typed = { ...shownForm(page, '/receipts/new', 'value="record"'), amount: '7', reference: 'by hand' };
    nowMs += 20 * 60_000;
    const refused = await send('/receipts/new', typed, cookie);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('7');
    expect(shownForm(await refused.text(), '/receipts/new', 'Send again')).toEqual(typed);
  });

  test('a form that is too long is answered by a page in the language of the reader, and by its own page up to 512 KiB', async () => {
    const visitor = await visitorAs(service, company, 'owner');
    await visitor.send('/language', { language: 'fr', next: '/keys' });
    const form = shownForm((await visitor.get('/keys')).text, '/keys', 'value="make"');
    const sent = async (characters: number) => {
      const fields = { ...form, name: 'k', note: 'x'.repeat(characters) };
      // The server closes the connection without reading all, so an answer can be lost.
      const answer = await eventually(() => visitor.send('/keys', fields).catch(() => undefined));
      const { status, headers, text } = answer;
      expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([413, 'text/html']);
      expect(text).toContain('Le formulaire est trop long');
      return text;
    };
    expect(await sent(70_000)).toContain('x'.repeat(70_000));
    expect(await sent(600_000)).toContain('Votre navigateur garde ce que vous avez saisi');
    const anonymous = await newVisitor(service).send('/login', { email: 'x'.repeat(70_000), password: 'p' });
    expect([anonymous.status, anonymous.text.includes('The form is too long')]).toEqual([413, true]);
  });

  test('passwords are never sent back', async () => {
    const visitor = await visitorAs(service, company, 'owner');
    const form = { ...hiddenFields((await visitor.get('/password')).text, '/password'), repeated: 'b' };
    const refused = await visitor.send('/password', {
      ...form,
      currentPassword: 'secret one',
      newPassword: 'secret two',
    });
    expect(refused.status).toBe(422);
    expect(refused.text).not.toContain('secret');
  });
});

/** The ids of the fields beside which a mistake stands. */
const wrongFields = (text: string) => [...text.matchAll(/<p class="error" id="([^"]*)-error"/g)].map(([, id]) => id);
const openForms = (text: string) => text.match(/<details class="confirm[^"]*" open/g)?.length ?? 0;
const shownValue = (text: string, id: string) => new RegExp(`id="${id}"[^>]* value="([^"]*)"`).exec(text)?.[1];

describe('a form that stands on a page once for each object', () => {
  test.each([
    ['fee', { system_fee_basis_points: '99.99' }, '99.99'],
    ['limit', { currency: 'ZIG', limit: '1.250,5' }, '1.250,5'],
  ])('the %s of a company is shown again at that company alone', async (action, typed, kept) => {
    const path = '/companies';
    const platform = newVisitor(service);
    await platform.logIn(PLATFORM);
    const form = shownForm((await platform.get(path)).text, path, `value="${action}"`);
    const refused = await platform.send(path, { ...form, ...typed });
    const field = `${action}-${form.id}`;
    expect(wrongFields(refused.text)).toEqual([field]);
    expect(shownValue(refused.text, field)).toBe(kept);
    expect(openForms(refused.text)).toBe(1);
    expect(shownForm(refused.text, path, `value="${kept}"`)).toMatchObject({ id: form.id, ...typed });
  });

  test('the settlement of a receivable keeps who pays and why', async () => {
    for (let debtors = 0; debtors < 2; debtors += 1) await newDebtor();
    const visitor = await visitorAs(service, company, 'owner');
    const path = '/receivables';
    const form = shownForm((await visitor.get(path)).text, path, 'name="source"');
    const typed = { source: 'BALANCE', reason: 'agreed on the phone' };
    const refused = await visitor.send(path, { ...form, ...typed });
    expect(refused.status).toBe(422);
    expect(openForms(refused.text)).toBe(1);
    expect(shownForm(refused.text, path, `value="${typed.reason}"`)).toEqual({ ...form, ...typed });
  });
});

/** Has spent a deposit that the bank then took back. */
async function newDebtor() {
  const { buyer, escrow } = await newParties(company, 0);
  const deposit = await company.post('/v1/payments/deposit', { userId: buyer.id, amount: 25_000, currency: 'USD' });
  const { body } = await company.post('/v1/escrow/initiate', escrow());
  expect(await company.post(`/v1/escrow/${body.id}/release`)).toMatchObject({ status: 200 });
  const chargeback = { reason: 'disputed by the payer', isChargeback: true };
  const reversed = await company.post(`/v1/payments/transaction/${deposit.body.id}/reverse`, chargeback);
  expect(reversed).toMatchObject({ status: 200 });
  return buyer;
}

describe('a mistake stands at the row where it was typed', () => {
  const link = { currency: 'USD', 'items.0.name': 'Maize', 'items.0.quantity': '1', 'items.0.pricePerUnit': '10' };
  test.each([
    ['items', { 'items.2.name': 'Pump', 'items.2.quantity': '0', 'items.2.pricePerUnit': '10' }, 'f-items-2-quantity'],
    [
      'milestones',
      {
        'milestones.1.title': 'Drilling',
        'milestones.1.percentage': '50',
        'milestones.3.title': 'Pump\u0007',
        'milestones.3.percentage': '50',
      },
      'f-milestones-3-title',
    ],
  ])('of the %s of a link, with empty rows between', async (_, typed, field) => {
    const { id: buyerId } = await newUser(company);
    const visitor = await visitorAs(service, company, 'owner');
    const refused = await visitor.submit('/links/new', { buyerId, ...link, ...typed });
    expect(refused.status).toBe(400);
    expect(wrongFields(refused.text)).toEqual([field]);
  });
});

describe('a mistake stands beside its field', () => {
  test('the address of a document of evidence', async () => {
    const { escrow } = await newParties(company);
    const { id } = (await company.post('/v1/escrow/initiate', escrow())).body;
    await company.post(`/v1/escrow/${id}/dispute`, { actor: 'BUYER', reason: 'broken' });
    const visitor = await visitorAs(service, company, 'owner');
    const evidence = { actor: 'BUYER', note: 'a photo', documentUrl: 'ftp://files.example/x' };
    const refused = await visitor.submit(`/escrows/${id}/evidence`, evidence);
    expect(wrongFields(refused.text)).toEqual(['f-documentUrl']);
  });

  test('the hours of a new webhook secret, in hours and in the open form', async () => {
    const { id } = (await company.post('/v1/webhooks', { url: 'http://127.0.0.1:9/rotate', events: ['*'] })).body;
    const visitor = await visitorAs(service, company, 'owner');
    const path = `/webhooks/${id}`;
    const form = shownForm((await visitor.get(path)).text, path, 'value="rotate"');
    const refused = await visitor.send(path, { ...form, graceHours: '25' });
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('At most 24 hours.') });
    expect(wrongFields(refused.text)).toEqual(['f-graceHours']);
    expect(shownValue(refused.text, 'f-graceHours')).toBe('25');
    expect(openForms(refused.text)).toBe(1);
  });

  test('the hours by which the test clock moves', async () => {
    const visitor = await visitorAs(service, company, 'owner');
    const refused = await visitor.submit('/clock', { hours: '999999' });
    expect(wrongFields(refused.text)).toEqual(['f-hours']);
  });

  test('webhook events of which none was chosen', async () => {
    const visitor = await visitorAs(service, company, 'owner');
    const form = shownForm((await visitor.get('/webhooks/new')).text, '/webhooks/new', 'value="register"');
    const { events: _, ...others } = form;
    const refused = await visitor.send('/webhooks/new', { ...others, url: 'https://shop.example/x' });
    expect(wrongFields(refused.text)).toEqual(['f-events']);
    expect(refused.text).toMatch(/<fieldset class="checks wrong" aria-describedby="f-events-error">/);
  });
});

test('a refused reversal keeps its chargeback box checked', async () => {
  const { id: userId } = await newUser(company);
  const deposit = await company.post('/v1/payments/deposit', { userId, amount: 10_000, currency: 'USD' });
  const visitor = await visitorAs(service, company, 'owner');
  const path = `/transactions/${deposit.body.id}`;
  const form = shownForm((await visitor.get(path)).text, path, 'value="reverse"');
  const typed = { ...form, reason: 'a\u0007b', isChargeback: 'true' };
  const refused = await visitor.send(path, typed);
  expect(refused.status).toBe(400);
  expect(shownForm(refused.text, path, 'value="reverse"')).toEqual(typed);
});

test('the lines of a text become one, and stay lines in a form that is shown again', async () => {
  const { escrow } = await newParties(company);
  const { id } = (await company.post('/v1/escrow/initiate', escrow())).body;
  const visitor = await visitorAs(service, company, 'owner');
  const path = `/escrows/${id}/dispute`;
  const reason = 'The bags were wet.\r\n\r\n Half of them.\tAll of it. ';
  const refused = await visitor.submit(path, { reason });
  expect(refused.status).toBe(422);
  expect(shownForm(refused.text, path, 'reason').reason).toBe(reason);
  const sent = await visitor.send(path, { ...shownForm(refused.text, path, 'reason'), actor: 'BUYER' });
  expect(sent.status).toBe(303);
  const { body: timeline } = await company.get(`/v1/escrow/${id}/timeline`);
  expect(timeline.at(-1).details.reason).toBe('The bags were wet. Half of them. All of it.');
});
