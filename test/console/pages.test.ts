import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MessageText } from '../../src/console/language/languages.ts';
import { TEXTS } from '../../src/console/language/texts/index.ts';
import type { ConsolePage } from '../../src/console/page.ts';
import { PAGES } from '../../src/console/pages/index.ts';
import { permits, type Role } from '../../src/domain/roles.ts';
import { sql } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { done, newCompany, newUser, PLATFORM, type TestService, untilAnswered } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { hiddenFields, newVisitor, type Page, tokenOf, type Visitor, visitorAs } from './support/visitor.ts';
import { newWorld, type World } from './support/world.ts';

/** Every page and form of the console by role and tenant, from the page table itself. */

/** Markup, and a mark that turns the direction of what follows. */
const NASTY = '<img src=x onerror=alert(1)>"\'&amp;\u202e';

let service: TestService;
let world: World;
let foreign: World['company'];
const visitors = new Map<Role, Visitor>();

beforeAll(async () => {
  service = await sharedService();
  world = await newWorld(service, NASTY);
  foreign = await newCompany(service);
  for (const role of ['owner', 'admin', 'manager'] as const)
    visitors.set(role.toUpperCase() as Role, await visitorAs(service, world.company, role)); // the roles' names in requests
  const platform = newVisitor(service);
  await platform.logIn(PLATFORM);
  visitors.set('SUPER_ADMIN', platform);
});
afterAll(() => service?.stop());

const visitorOf = (role: Role): Visitor => {
  const visitor = visitors.get(role);
  if (visitor === undefined) throw new Error(`nobody is logged in as ${role}`);
  return visitor;
};
/** The page as the owner sees it, read once for several tests. */
const ownersPages = new Map<string, Promise<Page>>();
function ownersPage(page: ConsolePage): Promise<Page> {
  const found = ownersPages.get(page.path) ?? visitorOf('OWNER').get(addressOf(page));
  ownersPages.set(page.path, found);
  return found;
}
const addressOf = ({ path }: ConsolePage) => (path === '/' ? '' : (world.addresses[path] ?? path));
const PATHS = PAGES.map((page) => ({ name: page.path, page }));

describe.each(['OWNER', 'ADMIN', 'MANAGER'] as const)('as %s', (role) => {
  test.each(PATHS)('$name is shown if the role permits it', async ({ page }) => {
    const { status, text } = await (role === 'OWNER' ? ownersPage(page) : visitorOf(role).get(addressOf(page)));
    expect(status).toBe(permits(role, page.who) ? 200 : 403);
    if (status === 403) expect(text).toContain('Your role does not permit this page.');
  });
});

/** Acts for the company of the world. */
let acting: Promise<Visitor> | undefined;
function actingPlatform(): Promise<Visitor> {
  const start = async () => {
    const platform = newVisitor(service);
    await platform.logIn(PLATFORM);
    await platform.submit('/act-for', { companyId: world.company.id });
    return platform;
  };
  acting ??= start();
  return acting;
}

/** The pages of escrows and disputes. */
const OF_ESCROWS = PATHS.filter(({ page }) => /^\/(escrows|disputes)\/:id/.test(page.path));

describe('as the platform that acts for a company', () => {
  test.each(OF_ESCROWS)('$name is shown', async ({ page }) => {
    expect(await (await actingPlatform()).get(addressOf(page))).toMatchObject({ status: 200 });
  });
});

describe('as the platform', () => {
  test.each(PATHS.filter(({ page }) => !page.path.includes(':')))('$name is shown', async ({ page }) => {
    expect(await visitorOf('SUPER_ADMIN').get(addressOf(page))).toMatchObject({ status: 200 });
  });
});

describe('without a session', () => {
  test.each(PATHS)('$name leads to the login', async ({ page }) => {
    const { status, location } = await newVisitor(service).get(addressOf(page));
    expect({ status, location }).toMatchObject({ status: 303, location: expect.stringMatching(/^\/console\/login/) });
  });
});

describe('from another company', () => {
  test.each(PATHS.filter(({ page }) => page.path.includes(':')))('$name does not exist', async ({ page }) => {
    const { status, text } = await (await strangerOf()).get(addressOf(page));
    expect(text).not.toMatch(/Moyo|Buyerson/);
    // The form for a note needs nothing of the dispute, so it is shown. What it sends is refused. The page of a receipt searches the
    // list, and says that the receipt is not there.
    expect(status).toBe(['/disputes/:id/notes', '/receipts/:id'].includes(page.path) ? 200 : 404);
    if (page.path === '/receipts/:id') expect(text).toContain('Not found');
  });
});

let stranger: Promise<Visitor> | undefined;
function strangerOf(): Promise<Visitor> {
  stranger ??= visitorAs(service, foreign, 'owner');
  return stranger;
}

describe('forms', () => {
  const withForms = PATHS.filter(({ page }) => page.act !== undefined);

  test.each(withForms)('$name refuses a form without the session’s token', async ({ page }) => {
    const { csrf: ofAnother = '' } = await tokenOf(visitorOf('ADMIN'));
    for (const csrf of ['', 'x.y', ofAnother]) {
      const answer = await visitorOf('OWNER').send(addressOf(page), { csrf, do: 'freeze' });
      expect(answer.status).toBe(403);
    }
    expect(await visitorOf('OWNER').send(addressOf(page), {})).toMatchObject({ status: 403 });
  });

  test.each(withForms)('$name refuses a form from another site', async ({ page }) => {
    const visitor = visitorOf('OWNER');
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of elsewhere)
      expect(await visitor.send(addressOf(page), await tokenOf(visitor), headers)).toMatchObject({ status: 403 });
  });

  test.each(OF_ESCROWS.filter(({ page }) => page.act !== undefined))(
    '$name finds nothing of another company',
    async ({ page }) => {
      const visitor = await strangerOf();
      const fields = { note: 'x', reason: 'x', actor: 'BUYER', hours: '1', seller: '1', adminId: 'NOBODY' };
      const answer = await visitor.send(addressOf(page), { ...(await tokenOf(visitor)), ...fields });
      expect(answer).toMatchObject({ status: 404 });
    },
  );

  test.each(withForms)('$name refuses a form that the role does not permit', async ({ page }) => {
    const role = (['MANAGER', 'OWNER'] as const).find((one) => !permits(one, page.who));
    if (role === undefined) return; // every role may send it
    const visitor = visitorOf(role);
    expect(await visitor.send(addressOf(page), await tokenOf(visitor))).toMatchObject({ status: 403 });
  });
});

describe.each(['fr', 'pt'] as const)('in the language %s', (tag) => {
  const isText = (text: string): text is MessageText => Object.hasOwn(TEXTS, text);
  const isEnglish = (text: string) => isText(text) && TEXTS[text][tag] !== text;

  test.each(PATHS.filter(({ page }) => !page.path.endsWith('.csv')))('$name has no English text', async ({ page }) => {
    const role = permits('OWNER', page.who) ? 'OWNER' : 'SUPER_ADMIN';
    if (role === 'SUPER_ADMIN' && page.path.includes(':')) return;
    const { text, status, headers } = await visitorOf(role).get(addressOf(page), {
      'accept-language': `${tag}, en;q=0.5`,
    });
    expect(status).toBe(200);
    if (!(headers.get('content-type') ?? '').startsWith('text/html') || !text.includes('<html')) return;
    expect(text).toContain(`<html lang="${tag}">`);
    const attributes = [...text.matchAll(/(?:aria-label|title|placeholder)="([^"]*)"/g)].map(([, value = '']) => value);
    const inThisLanguage = text.replace(/<button[^>]* lang="\w+"[^>]*>[^<]*<\/button>/g, ''); // the names of the languages
    const visible = [...inThisLanguage.replace(/<[^>]*>/g, '\n').split('\n'), ...attributes].map((part) => part.trim());
    expect(visible.filter(isEnglish)).toEqual([]);
  });
});

describe('the choice of a language', () => {
  test('is kept for all pages, before and after the login, and leads back to the page', async () => {
    const visitor = newVisitor(service);
    expect((await visitor.get('/login')).text).toContain('<html lang="en">');
    const chosen = await visitor.send('/language', { language: 'fr', next: '/links?status=PENDING' });
    expect(chosen).toMatchObject({ status: 303, location: '/console/links?status=PENDING' });
    expect((await visitor.get('/login')).text).toContain('<h1>Console de séquestre</h1>');
    await visitor.logIn(world.company.owner);
    expect((await visitor.get('/links', { 'accept-language': 'pt' })).text).toContain('<html lang="fr">');
  });

  test.each(['de', '', 'fr; path=/', '../x'])('"%s" changes nothing', async (language) => {
    const visitor = newVisitor(service);
    expect(await visitor.send('/language', { language })).toMatchObject({ status: 303, location: '/console' });
    expect(visitor.language).toBe('');
  });

  test.each([
    '/search?q=Bea*',
    "/search?q=O'Neil",
    '/search?q=(a)!;$@x',
    '/search?q=a/b?c,d+e~f:g',
    '/search?q=100%25%0D%0A',
    '/escrows/esc_1',
  ])('it leads back to %s', async (next) => {
    const { location } = await newVisitor(service).send('/language', { language: 'pt', next });
    expect(location).toBe(`/console${next}`);
  });

  test('a typed address leads back to itself', async () => {
    const { text } = await newVisitor(service).get(`/login?next=${encodeURIComponent('/search?q=Bea*')}`);
    expect(hiddenFields(text, '/login').next).toBe('/search?q=Bea*');
    const page = await visitorOf('OWNER').get('/search?q=[Bea*]|');
    expect(hiddenFields(page.text, '/language').next).toBe('/search?q=%5BBea*%5D%7C');
  });

  test.each([
    ...['https://evil.example', '//evil.example', '/\\evil.example', '/%5cevil.example', '/%2f/evil.example'],
    ...['/@evil.example', '/../v1', '/%2e%2e/v1', '/x/../../v1', '/a%0d%0ab', '/a\r\nb', '/search?q=a\r\nb', '/x y'],
    ...['/search?q=\\evil', '/search?q=\u0000', '/search?q=<b>', '/log..', '/login', '/logout', 'search', '?q=a', ''],
  ])('it never leads to %j', async (next) => {
    const { location } = await newVisitor(service).send('/language', { language: 'pt', next });
    expect(location).toBe('/console');
  });

  test('another site cannot choose', async () => {
    const visitor = newVisitor(service);
    const answer = await visitor.send('/language', { language: 'fr' }, { 'sec-fetch-site': 'cross-site' });
    expect({ status: answer.status, language: visitor.language }).toEqual({ status: 403, language: '' });
  });

  test.each([
    ['fr-CA,en;q=0.8', 'fr'],
    ['de, pt-BR;q=0.9, en;q=0.5', 'pt'],
    ['de', 'en'],
    ['*', 'en'],
    ['fr;q=0, de', 'en'],
    ['de, fr;q=0, *', 'en'],
    [`fr;q=0.1, en, ${'x'.repeat(5_000)}`, 'en'],
  ])('the browser’s languages "%s" give %s', async (header, tag) => {
    const { text } = await newVisitor(service).get('/login', { 'accept-language': header });
    expect(text).toContain(`<html lang="${tag}">`);
  });

  test('amounts are typed as the language writes them', async () => {
    const visitor = newVisitor(service);
    await visitor.send('/language', { language: 'fr' });
    await visitor.logIn(world.company.owner);
    const refused = await visitor.submit('/links/new', {
      currency: 'USD',
      'items.0.name': 'Pump',
      'items.0.quantity': '1',
      'items.0.pricePerUnit': '1,250.00',
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Saisissez un montant tel que 1\u202f250,00.');
  });

  test.each(['1e3', '0x10', '1.000', '1,5', '-1'])('a quantity "%s" is refused, not guessed', async (quantity) => {
    const item = { 'items.0.name': 'Maize', 'items.0.quantity': quantity, 'items.0.pricePerUnit': '5' };
    const refused = await visitorOf('OWNER').submit('/links/new', { currency: 'USD', ...item });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Enter a whole number.');
  });
});

describe('what people wrote', () => {
  test.each(PATHS.filter(({ page }) => !page.path.endsWith('.csv')))('$name shows it as text', async ({ page }) => {
    const { text, headers } = await ownersPage(page);
    if (!(headers.get('content-type') ?? '').startsWith('text/html')) return;
    expect(text).not.toContain('<img src=x');
    expect(text.replace(/<[^>]*>/g, '\n')).not.toMatch(/\bNaN\b|\bundefined\b|Invalid Date|\[object /);
    expect(text).not.toMatch(/<[^>]+\s(?:style|on\w+)="/);
    const shown = text.replace(/<textarea[^>]*>[^<]*|<[^>]*>/g, '\n');
    expect(shown.replace(/\u2068[^\u2068\u2069]*\u2069/g, '')).not.toContain('\u202e');
    expect(text.match(/<script\b[^>]*>/g) ?? []).toEqual(
      (text.match(/<script\b[^>]*>/g) ?? []).filter((tag) =>
        /^<script src="\/console\/assets\/[\w.-]+" defer>$/.test(tag),
      ),
    );
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('the audit log has no link to a page that managers may not open', async () => {
    const isLinked = async (role: Role) =>
      (await visitorOf(role).get('/audit?operation=POST%20%2Fv1%2Fwebhooks')).text.includes(
        'href="/console/webhooks/whe_',
      );
    expect({ owner: await isLinked('OWNER'), manager: await isLinked('MANAGER') }).toEqual({
      owner: true,
      manager: false,
    });
  });

  test('a cell that a spreadsheet would execute is text in the export', async () => {
    await world.company.post('/v1/identity/users', {
      mobileNumber: '+263772999111',
      idNumber: '63-1',
      firstName: '=1+1',
    });
    const { text, headers } = await visitorOf('OWNER').get('/users/export.csv');
    expect(headers.get('content-disposition')).toBe('attachment; filename="users.csv"');
    expect(text.split('\r\n')[0]).toBe(
      'id,mobileNumber,firstName,lastName,kycLevel,identityStatus,blacklistMatch,createdAt',
    );
    expect(text).toContain(",'=1+1,");
    expect(text).toContain(",'+263772999111,");
  });

  test('the export has the rows of every page, and those of the filters alone', async () => {
    const { body: all } = await world.company.get('/v1/core/audit-log?limit=1');
    const whole = await visitorOf('OWNER').get('/audit/export.csv');
    expect(whole.text.trim().split('\r\n').length).toBeGreaterThan(all.total);
    const one = await visitorOf('OWNER').get('/audit/export.csv?operation=POST%20%2Fv1%2Ftreasury%2Fwithdraw');
    const [, ...rows] = one.text.trim().split('\r\n');
    expect(rows.filter((row) => !row.includes('POST /v1/treasury/withdraw'))).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(all.total);
  });
});

test('a document is shown in a frame of ours that allows it nothing', async () => {
  const { headers, status } = await visitorOf('OWNER').get(world.addresses['/users/:id/document'] ?? '');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('image/png');
  expect(headers.get('content-disposition')).toBe('inline');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox;/);
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

describe('a form without its choice does nothing', () => {
  test.each([
    ['/withdrawals/:id', 'PAID', 'SUPER_ADMIN'],
    ['/users/:id', 'approve', 'SUPER_ADMIN'],
    ['/users/:id', 'blacklist', 'SUPER_ADMIN'],
    ['/ledger/accounts/:accountId', 'freeze', 'OWNER'],
    ['/webhooks/:id', 'switch', 'OWNER'],
    ['/webhooks/:id', 'retry', 'OWNER'],
    ['/receivables', 'settle', 'OWNER'],
    ['/bank', 'match', 'OWNER'],
    ['/keys', 'make', 'OWNER'],
    ['/keys', 'revoke', 'OWNER'],
    ['/administrators', 'add', 'OWNER'],
    ['/administrators', 'remove', 'OWNER'],
    ['/companies', 'fee', 'SUPER_ADMIN'],
  ] as const)('%s: %s', async (path, action, role) => {
    const visitor = role === 'OWNER' ? visitorOf(role) : await actingPlatform();
    const typed = { reason: 'x', name: 'x', firstName: 'x', lastName: 'x', email: 'x@test.example' };
    const address = world.addresses[path] ?? path;
    const { csrf = '' } = hiddenFields((await visitor.get('/password')).text, '/password');
    const fields = { csrf, do: action, ...typed, system_fee_basis_points: '1' };
    const { status, text } = await visitor.send(address, fields);
    expect({ status, isSaid: text.includes('Choose an option from the list.') }).toEqual({ status: 422, isSaid: true });
  });

  test.each(['me', '', '..', '.'])('the id "%s" leads to no other operation', async (id) => {
    const platform = visitorOf('SUPER_ADMIN');
    const { csrf = '' } = hiddenFields((await platform.get('/password')).text, '/password');
    const fields = { csrf, do: 'fee', id, system_fee_basis_points: '1' };
    expect(await platform.send('/companies', fields)).toMatchObject({ status: 422 });
  });
});

describe('an action is offered only if the API accepts it', () => {
  const created = async (path: string, body: object) => (await world.company.post(path, body)).body;
  const OF_100 = { amount: 10_000, currency: 'USD' };

  test('"Reverse" until the money was taken back, and not for a receipt that settled a deposit', async () => {
    const deposit = await created('/v1/payments/deposit', { userId: world.buyerId, ...OF_100 });
    const offers = async (id: string) =>
      (await visitorOf('OWNER').get(`/transactions/${id}`)).text.includes('Reverse the transaction');
    expect(await offers(deposit.id)).toBe(true);
    const path = `/transactions/${deposit.id}`;
    const reversed = await visitorOf('OWNER').submit(path, { do: 'reverse', reason: 'It bounced.' });
    expect(reversed.status).toBe(303);
    expect(await offers(deposit.id)).toBe(false);
    const reference = 'in transit 1';
    const sent = { userId: world.buyerId, ...OF_100, externalReference: reference, isTransit: true };
    const transit = await created('/v1/payments/deposit', sent);
    const capture = await created('/v1/treasury/bank/capture', { ...OF_100, reference });
    expect(capture.matchedTo).toMatchObject({ kind: 'TRANSIT_DEPOSIT', id: transit.id });
    expect([await offers(transit.id), await offers(capture.id)]).toEqual([true, false]);
    const received = await created('/v1/treasury/bank/capture', { ...OF_100, reference: 'from nobody' });
    expect(await offers(received.id)).toBe(true);
  });

  test('"Freeze" and "Withdraw" for accounts that hold money, and "Withdraw" until the account is frozen', async () => {
    const { body: accounts } = await world.company.get('/v1/ledger/company/accounts?limit=100');
    const textOf = async (id: string) => (await visitorOf('OWNER').get(`/ledger/accounts/${id}`)).text;
    const offered = async (type: string) => {
      const text = await textOf(accounts.find((one: { type: string }) => one.type === type).id);
      return [text.includes('Freeze the account'), text.includes('/withdrawals/new')];
    };
    expect(await offered('COMPANY')).toEqual([true, true]);
    expect(await offered('SERVICE_FEE')).toEqual([true, true]);
    expect(await offered('SUSPENSE')).toEqual([true, false]);
    expect(await offered('BANK')).toEqual([false, false]);
    const choices = (await visitorOf('OWNER').get('/withdrawals/new')).text.match(/<option value="acc_/g) ?? [];
    const payable = accounts.filter(({ type }: { type: string }) => ['COMPANY', 'SERVICE_FEE', 'TAX'].includes(type));
    expect(choices).toHaveLength(payable.length);
    const frozen = await newUser(world.company);
    const body = { is_frozen: true, reason: 'a court' };
    const path = `/v1/ledger/accounts/${frozen.usdAccountId}`;
    await done(untilAnswered(() => world.company.request('PATCH', path, { body })));
    const text = await textOf(frozen.usdAccountId);
    expect([text.includes('Unfreeze the account'), text.includes('/withdrawals/new')]).toEqual([true, false]);
  });

  test('"New payment link" for users who are not blacklisted', async () => {
    const user = await newUser(world.company);
    const offers = async () => (await visitorOf('OWNER').get(`/users/${user.id}`)).text.includes('/console/links/new');
    expect(await offers()).toBe(true);
    const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': world.company.id };
    const path = `/v1/identity/admin/users/${user.id}/status`;
    await done(untilAnswered(() => service.request('POST', path, { headers, body: { status: 'BLACKLISTED' } })));
    expect(await offers()).toBe(false);
  });

  test('a QR code for links on which somebody can still pay', async () => {
    const { linkId, escrowId } = await offerLink(service, world.company);
    const text = async () => (await visitorOf('OWNER').get(`/links/${linkId}`)).text;
    expect(await text()).toContain('Send it to the buyer only.');
    await created(`/v1/escrow/${escrowId}/cancel`, { actor: 'SELLER', reason: 'Sold out' });
    const closed = await eventually(async () => {
      const shown = await text();
      return shown.includes('Nobody can pay') && shown;
    });
    expect(closed).not.toMatch(/Send it to the buyer only|as a QR code/);
  });

  test('"Revoke" for keys whose role is not above the reader’s', async () => {
    await visitorOf('OWNER').submit('/keys', { do: 'make', name: 'key of the owner', role: 'owner' });
    const offers = async (role: Role) =>
      (await visitorOf(role).get('/keys')).text.includes('the key “key of the owner”');
    expect([await offers('OWNER'), await offers('ADMIN')]).toEqual([true, false]);
  });
});

test.each([
  ['en', 'Copy it now: it is not shown again'],
  ['fr', 'il ne sera plus affiché'],
])('the page with a secret has no way out but the one that says so, in %s', async (tag, warning) => {
  const form = { do: 'make', name: 'shown once', role: 'manager' };
  const owner = visitorOf('OWNER');
  const page = await owner.get('/keys', { 'accept-language': tag });
  const { text, status } = await owner.send('/keys', { ...hiddenFields(page.text, '/keys'), ...form });
  expect(status).toBe(200);
  expect(text).toMatch(/class="secret"[^>]*>[^<]{20}/);
  expect(text).toContain(warning);
  expect(text).not.toContain('<form');
  expect([...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, address]) => address)).toEqual(['/console/keys']);
});

test('the platform sees the latest ten concerns of a kind', async () => {
  const name = `Alike ${randomUUID().slice(0, 6)}`; // seven digits in a row are refused
  for (let made = 0; made < 12; made += 1)
    await done((await newCompany(service)).request('PATCH', '/v1/core/companies/me', { body: { name } }));
  const { text } = await visitorOf('SUPER_ADMIN').get('/platform');
  expect(text.match(/Look alike name</g)).toHaveLength(10);
});

test('the platform sees what the messaging platform reported in the last hour', async () => {
  const shown = async () =>
    (await visitorOf('SUPER_ADMIN').get('/platform')).text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  await sql(service, 'delete from messaging_event'); // another file that shares the service may have caused reports
  expect(await shown()).toContain('The platform has reported nothing for 30 days');
  await sql(
    service,
    `insert into messaging_event (message_id, kind, recorded_at)
     select 'message ' || n, kind, now() - make_interval(mins => minutes)
     from generate_series(1, 6) n,
       (values ('sent', 50), ('delivered', 40), ('failed', 10), ('read', 70)) report (kind, minutes)`,
  );
  expect(await shown()).toMatch(
    /Messages sent, last hour 6 Delivered 6 Read by the recipient 0 Failed 6 Look at this Last report before 10 min/,
  );
});
