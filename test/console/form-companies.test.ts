import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newCompany, newParties, PLATFORM, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { hiddenFields, newVisitor, type Page, type Visitor, visitorAs } from './support/visitor.ts';

/** A form that was opened for a company is carried out for that company, or not at all. */

let service: TestService;
let company: TestCompany;
let other: TestCompany;
let staff: Visitor;
beforeAll(async () => {
  service = await sharedService();
  other = await newCompany(service, 'Other');
});
afterAll(() => service?.stop());
beforeEach(async () => {
  company = await newCompany(service, 'Meant');
  staff = newVisitor(service);
  await staff.logIn(PLATFORM);
  await staff.submit('/act-for', { companyId: company.id });
});

type Credentials = { readonly email: string; readonly password: string };

/** Which form of a page with several is meant. */
const markerOf = (typed: Record<string, string>) => (typed.do === undefined ? '' : `value="${typed.do}"`);

/** What a browser sends from the page's form: its hidden fields, and what somebody typed. */
async function filled(visitor: Visitor, path: string, typed: Record<string, string>) {
  return { ...hiddenFields((await visitor.get(path)).text, path, markerOf(typed)), ...typed };
}

/** Presses the button of a page that has nothing but hidden fields. */
const press = (visitor: Visitor, path: string, page: Page) => visitor.send(path, hiddenFields(page.text, path));

/** Sends the form after the session has ended, logs in, and opens the form again. */
async function sendAfterEnd(visitor: Visitor, path: string, fields: Record<string, string>, who: Credentials) {
  visitor.cookie = '';
  const login = await visitor.send(path, fields);
  return press(visitor, path, await visitor.send('/login', { ...hiddenFields(login.text, '/login'), ...who }));
}

const platform = async (path: string) => {
  const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': service.platform.companyId };
  return JSON.stringify((await service.request('GET', path, { headers })).body);
};
const read = async (of: TestCompany, path: string) => JSON.stringify((await of.get(path)).body);

/** Forms that change something of the company: where the change is read, and how it is recognized there. */
const FORMS: readonly [path: string, read: string, typed: Record<string, string>, mark: string][] = [
  [
    '/receipts/new',
    '/v1/treasury/captures',
    { do: 'record', currency: 'USD', amount: '700.00', reference: 'marked receipt' },
    'marked receipt',
  ],
  [
    '/settings',
    '/v1/core/companies/me',
    { do: 'change', name: 'Marked Name', service_fee_basis_points: '2.75', default_phone_region: 'ZW' },
    'Marked Name',
  ],
  [
    '/administrators',
    '/v1/core/companies/admins',
    { do: 'add', firstName: 'Marked', lastName: 'Person', role: 'admin' },
    'Marked',
  ],
  [
    '/webhooks/new',
    '/v1/webhooks',
    { do: 'register', url: 'http://127.0.0.1:9/marked', events: '*' },
    '127.0.0.1:9/marked',
  ],
];

describe('staff who acted for a company', () => {
  test.each(FORMS)(
    '%s: after a new login, the form is carried out for that company only',
    async (path, list, typed, mark) => {
      const own = await platform(list);
      const email = `marked-${crypto.randomUUID()}@test.example`;
      const all = path === '/administrators' ? { ...typed, email } : typed;
      const form = await filled(staff, path, all);
      const offered = await sendAfterEnd(staff, path, form, PLATFORM);
      expect(offered.status).toBe(403);
      expect(offered.text).toContain('the form belongs to another company than the one shown now');
      expect(offered.text).toMatch(/Act for Meant[^<]* and show the form again/);
      const shown = await press(staff, path, offered);
      expect(shown.status).toBe(403);
      expect(shown.text).toContain('You act for the form’s company again');
      expect(shown.text).toMatch(/for <strong>Meant/);
      expect(await read(company, list)).not.toContain(mark);
      const sent = await staff.send(path, { ...form, ...hiddenFields(shown.text, path, markerOf(all)), ...all });
      expect([200, 303]).toContain(sent.status);
      expect(await read(company, list)).toContain(mark);
      expect(await platform(list)).toBe(own);
    },
  );

  test.each(FORMS)(
    '%s: another tab has switched to another company, and the form changes neither',
    async (path, list, typed, mark) => {
      const form = await filled(staff, path, { email: `marked-${crypto.randomUUID()}@test.example`, ...typed });
      await staff.submit('/act-for', { companyId: other.id });
      const offered = await staff.send(path, form);
      expect(offered.status).toBe(403);
      // Another tab switches back in the meantime: the button shows the form, as it says.
      await staff.submit('/act-for', { companyId: company.id });
      const shown = await press(staff, path, offered);
      expect(shown.status).toBe(403);
      expect(shown.text).toContain('You act for the form’s company again');
      for (const one of [company, other]) expect(await read(one, list)).not.toContain(mark);
    },
  );

  test('keep what they typed into a decision, over a new login and over a switch in another tab', async () => {
    const { escrow } = await newParties(company);
    const { id } = (await company.post('/v1/escrow/initiate', escrow())).body;
    await company.post(`/v1/escrow/${id}/dispute`, { actor: 'BUYER', reason: 'broken' });
    const path = `/disputes/${id}`;
    const form = await filled(staff, path, { step: 'review', seller: '12.34', reason: 'a reason of ten minutes' });
    const keeps = async (offered: Page) => {
      const { status, text } = await press(staff, path, offered);
      expect(status).toBe(403);
      expect(text).toContain('value="12.34"');
      expect(text).toContain('>a reason of ten minutes</textarea>');
    };
    await keeps(await sendAfterEnd(staff, path, form, PLATFORM));
    await staff.submit('/act-for', { companyId: other.id });
    await keeps(await staff.send(path, form));
  });

  test('are not switched to another company by a form that nobody confirmed', async () => {
    const form = await filled(staff, '/settings', { do: 'change', name: 'Marked Name' });
    await staff.submit('/act-for', { companyId: other.id });
    const { text } = await staff.send('/settings', { ...form, 'show-for-company': form.csrf?.replace(/.$/, '') ?? '' });
    expect(text).toContain('the form belongs to another company');
    expect((await staff.get('')).text).toContain('for <strong>Other');
  });

  test('are asked after a new login whether to act for the company again, before its page is shown', async () => {
    const copy = newVisitor(service);
    copy.cookie = staff.cookie;
    await staff.send('/logout', hiddenFields((await staff.get('')).text, '/logout'));
    const left = await copy.get('/receipts?x=1');
    const next = `/act-for?${new URLSearchParams({ companyId: company.id, next: '/receipts?x=1' })}`;
    expect(left.location).toBe(`/console/login?${new URLSearchParams({ next, ended: '' })}`);
    const login = hiddenFields((await copy.get(left.location?.replace('/console', '') ?? '')).text, '/login');
    expect(await copy.send('/login', { ...login, ...PLATFORM })).toMatchObject({ location: `/console${next}` });
    expect((await copy.get(next)).text).toMatch(/You will act for <strong>Meant/);
    expect(await copy.submit(next, { companyId: company.id })).toMatchObject({
      status: 303,
      location: '/console/receipts?x=1',
    });
    // Somebody else who logs in there acts for nobody else.
    const back = await newVisitor(service).send('/login', { ...login, ...company.owner });
    expect(back.location).toBe('/console/receipts?x=1');
  });

  test('choose a company although another tab has chosen one since', async () => {
    const form = await filled(staff, '/act-for', { companyId: other.id });
    await staff.submit('/act-for', { companyId: '' });
    expect(await staff.send('/act-for', form)).toMatchObject({ status: 303 });
    expect((await staff.get('')).text).toContain('for <strong>Other');
  });
});

describe('while somebody of another company has logged in', () => {
  test.each(FORMS)('%s is refused, and shown again to its own company', async (path, list, typed, mark) => {
    const visitor = await visitorAs(service, company, 'owner');
    const form = await filled(visitor, path, { email: `marked-${crypto.randomUUID()}@test.example`, ...typed });
    await visitor.logIn(other.owner);
    const refused = await visitor.send(path, form);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(
      'Nothing was done: the form was opened for another company. Log in as an administrator',
    );
    const login = { ...hiddenFields(refused.text, '/login'), ...company.owner };
    const shown = await press(visitor, path, await visitor.send('/login', login));
    expect(shown.text).toContain('the form was opened before you logged in');
    for (const one of [company, other]) expect(await read(one, list)).not.toContain(mark);
    const sent = await visitor.send(path, { ...form, ...hiddenFields(shown.text, path, markerOf(typed)) });
    expect([200, 303]).toContain(sent.status);
    expect(await read(company, list)).toContain(mark);
    expect(await read(other, list)).not.toContain(mark);
  });

  test('a form that does not say for which company it was opened is not shown again', async () => {
    const visitor = await visitorAs(service, company, 'owner');
    const { status, text } = await visitor.send('/receipts/new', { csrf: '', reference: 'marked receipt' });
    expect(status).toBe(403);
    expect(text).toContain('Open the page again.');
    expect(text).not.toContain('marked receipt');
  });
});
