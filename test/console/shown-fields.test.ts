import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LANGUAGES } from '../../src/console/language/languages.ts';
import { payoutBadge } from '../../src/console/pages/withdrawals/outcome.ts';
import { bare, sql } from '../support/api.ts';
import { beginEscrow } from '../support/escrows.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import {
  done,
  newCompany,
  newUser,
  PLATFORM,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { asked, newUndecidedPayout } from '../support/treasury.ts';
import { hiddenFields, newVisitor, shownForm, type Visitor, visitorAs } from './support/visitor.ts';

/** Fields of the API that a person has to see, on the page where they are needed. */

let service: TestService & WithTemporal;
let company: TestCompany;
let owner: Visitor;
beforeAll(async () => {
  service = await withTemporal(await sharedService());
  company = await newCompany(service, 'Shown');
  owner = await visitorAs(service, company, 'owner');
});
afterAll(() => service?.stop());

/** The text of a page as a person reads it. */
async function textOf(path: string, visitor: Visitor = owner): Promise<string> {
  const { text } = await visitor.get(path);
  return text.replace(/<[^>]+>/g, ' ').replace(/[\s\u00a0]+/g, ' ');
}

test('a link says which part of the payment was taken back', async () => {
  const link = await offerLink(service, company);
  const { body } = await done(link.say('eft-pay/initiate'));
  await service.sandbox.settle(body.checkoutId, 'success');
  await eventually(async () => (await link.events()).includes('ACCEPTED'));
  const path = `/links/pay_${link.linkId}`;
  expect(await textOf(path)).not.toContain('was taken back');
  await service.sandbox.change(body.checkoutId, 'CB');
  await eventually(async () => (await link.events()).includes('TAKEN_BACK'));
  const shown = await textOf(path);
  expect(shown).toContain('USD 250.00 of the payment was taken back');
  const { attempts } = await link.read();
  expect(shown).toContain(attempts[0].merchantReference);
});

test('a link shows the memo that it was made with', async () => {
  const link = await offerLink(service, company, { userReference: 'For your room' });
  expect(await textOf(`/links/pay_${link.linkId}`)).toContain('Memo For your room');
});

test('a withdrawal says why a person has to look at it, and by which reference', async () => {
  const { usdAccountId } = await fundedUser();
  const { id, externalReference, read } = await newUndecidedPayout(company, usdAccountId, 5_000);
  await service.sandbox.control('POST', '/payouts', { outcome: 'cancelled', reference: externalReference });
  await service.temporal.workflow.getHandle(`withdrawal/${id}`).signal('check-payout', {});
  await eventually(async () => (await read()).review_reason !== null);
  const shown = await textOf(`/withdrawals/${id}`);
  expect(shown).toContain('The bank reported the payment as cancelled, and may still pay it.');
  expect(shown).toContain((await read()).end_to_end_id);
  expect(await textOf('/withdrawals')).toContain('Look at this');
});

test('an escrow says what will refuse its automatic release, what refused it, and when it is tried again', async () => {
  const later = await newCompany(service, 'Later');
  const escrow = await beginEscrow(later, { autoReleaseHours: 1 });
  const items = [{ itemId: escrow.itemId, quantity: 2, price_per_item: 12_500 }];
  await done(later.post(`${escrow.path}/delivery-note`, { items }));
  const reader = await visitorAs(service, later, 'manager');
  const text = () => textOf(`/escrows/${escrow.id}`, reader);
  expect(await text()).toMatch(/The money is released automatically on \d/);
  await setStatus(later, escrow.seller.id, { status: 'BLACKLISTED' });
  expect(await text()).toMatch(/The automatic release is planned for \d.*, and is refused if nothing changes\./);
  await done(later.post('/v1/sandbox/clock', { advanceHours: 24 }));
  await eventually(async () => (await later.get(escrow.path)).body.releaseBlockedBy !== null);
  const shown = await text();
  expect(shown).toMatch(/The automatic release was refused\. The user is blacklisted.* It is tried again on \d/);
  expect(shown).not.toContain('user_blacklisted');
});

test('a key is replaced on its page, and the new one is shown once', async () => {
  const own = await newCompany(service);
  const visitor = await visitorAs(service, own, 'owner');
  const [{ id }] = (await own.get('/v1/core/companies/api-keys')).body;
  const listed = await visitor.get('/keys');
  const form = shownForm(listed.text, '/keys', `id="grace-${id}"`);
  expect(form).toMatchObject({ do: 'roll', id, grace: 'day' });
  const { text } = await visitor.submit('/keys', form);
  const [, key = ''] = /class="secret"[^>]*>(esc_t_\w+)</.exec(text) ?? [];
  const headers = { 'x-api-key': key, 'x-company-id': own.id };
  expect((await service.request('GET', '/v1/core/companies/me', { headers })).status).toBe(200);
  expect((await own.get('/v1/core/companies/me')).status).toBe(200);
  expect((await visitor.get('/keys')).text).toContain('Replaced by a new key, works until');
});

test('a key that was replaced at once says so, and a revoked one since when', async () => {
  const own = await newCompany(service, 'Revoking');
  const visitor = await visitorAs(service, own, 'owner');
  await done(own.post('/v1/core/companies/api-keys/roll', { name: 'the next' }));
  const shown = await textOf('/keys', visitor);
  expect(shown).toMatch(/Replaced Replaced by a new key, worked until \d/);
  expect(shown).not.toMatch(/Revoked \d/);
  const [next] = (await visitor.get('/keys')).text.match(/key_[0-9a-f-]{36}/) ?? [];
  await visitor.submit('/keys', { do: 'revoke', id: next ?? '' });
  expect(await textOf('/keys', visitor)).toMatch(/Revoked \d+ \w+ \d{4}/);
});

test('a frozen account says that nothing can be withdrawn, who froze it and since when', async () => {
  const { usdAccountId } = await fundedUser();
  const path = `/ledger/accounts/${usdAccountId}`;
  expect(await textOf(path)).toContain('Can be withdrawn USD 500.00');
  await owner.submit(path, { do: 'freeze', is_frozen: 'true', known: 'NEVER', reason: 'a court' });
  const shown = await textOf(path);
  expect(shown).toContain('Can be withdrawn Nothing');
  expect(shown).toMatch(/Olive Owner froze the account on \d+ \w+ \d{4}, \d\d:\d\d , so no money leaves it\./);
  expect(await textOf(`/withdrawals/new?accountId=${usdAccountId}`)).toContain('so no money leaves it.');
});

test('an account that the platform and the company froze shows the time and the reason of each', async () => {
  const { usdAccountId } = await fundedUser();
  const path = `/v1/ledger/accounts/${usdAccountId}`;
  const headers = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
  const freeze = { is_frozen: true, reason: 'a court' };
  await done(service.request('PATCH', path, { headers, body: freeze }));
  await done(company.request('PATCH', path, { body: { ...freeze, reason: 'an audit' } }));
  const { freezes } = (await done(company.get(path))).body;
  expect(freezes).toMatchObject([
    { is_by_platform: true, reason: 'a court' },
    { is_by_platform: false, reason: 'an audit' },
  ]);
  const shown = await textOf(`/ledger/accounts/${usdAccountId}`);
  expect(freezes[0].at < freezes[1].at).toBe(true);
  expect(shown).toMatch(/The platform froze the account on .* It alone lifts that\. .* froze the account on /);
  expect(shown).toMatch(/The platform’s reason a court.* Reason an audit/);
});

test('a payout that the bank has is told apart from one that can be cancelled, and says why it cannot be', async () => {
  const { usdAccountId } = await fundedUser();
  const { id } = await newUndecidedPayout(company, usdAccountId, 5_000);
  const shown = await textOf(`/withdrawals/${id}`);
  expect(shown).toContain('Status At the bank');
  expect(shown).toMatch(/The bank has the payment since \d.*, so it can no longer be cancelled\./);
  expect(shown).not.toContain('Cancel the withdrawal');
  const badge = (is_handed_over: boolean, review_reason: 'account_frozen' | null) =>
    payoutBadge({ status: 'PROCESSING', is_handed_over, review_reason }).in(LANGUAGES.en);
  expect([badge(true, null), badge(false, null), badge(false, 'account_frozen')]).toEqual([
    expect.stringContaining('At the bank'),
    expect.stringContaining('Not sent yet'),
    expect.stringContaining('Held back'),
  ]);
});

test('a session names the browser and its system', async () => {
  const visitor = newVisitor(service);
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
  await visitor.send('/login', company.owner, { 'user-agent': agent });
  const { text } = await visitor.get('/sessions');
  expect(text).toContain(`<span title="${agent}">Chrome 126 on Linux</span>`);
});

test('a key that was replaced says until when it works', async () => {
  const rolling = await newCompany(service, 'Rolling');
  await done(rolling.post('/v1/core/companies/api-keys/roll', { name: 'the next', graceSeconds: 3_600 }));
  const reader = await visitorAs(service, rolling, 'owner');
  const shown = await textOf('/keys', reader);
  expect(shown.match(/Replaced by a new key, works until \d/g)).toHaveLength(1);
  await sql(service, "update api_key set expires_at = '2031-05-06 07:08' where company_id = $1", [bare(rolling.id)]);
  await sql(service, "update api_key set active_until = '2031-06-07' where company_id = $1 and active_until is null", [
    bare(rolling.id),
  ]);
  expect(await textOf('/keys', reader)).toContain('Replaced by a new key, works until 6 May 2031');
});

test('the settings of the checkout are shown and changed, and a wrong host is named where it was typed', async () => {
  const { text } = await owner.get('/settings');
  const typed = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? '';
  const names = ['name', 'service_fee_basis_points', 'auto_release_hours', 'default_seller_id', 'default_phone_region'];
  const others = Object.fromEntries(names.map((name) => [name, typed(name)]));
  const checkout = {
    brand_color: '#0d6a4e',
    support_email: 'help@shop.example',
    terms_url: 'https://shop.example/terms',
  };
  const change = (hosts: string) =>
    owner.submit('/settings', { ...others, ...checkout, do: 'change', checkout_hosts: hosts });
  const refused = await change('shop.example\nnot a host!');
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Line 2 must be a host name, such as shop.example.com.');
  expect(refused.text).toContain('value="help@shop.example"');
  expect(await change('shop.example\r\npay.shop.example')).toMatchObject({ status: 303 });
  const { body } = await company.get('/v1/core/companies/me');
  expect(body).toMatchObject({ ...checkout, checkout_hosts: ['shop.example', 'pay.shop.example'] });
  expect(await textOf('/settings')).toContain('Return addresses may lead to shop.example, pay.shop.example');
});

test('the audit log names the people and the keys that acted', async () => {
  await newUser(company);
  const manager = await visitorAs(service, company, 'manager');
  await manager.submit('/users/new', { mobileNumber: nextMobileNumber(), idNumber: '63-1234567-A-89' });
  const shown = await textOf('/audit');
  expect(shown).toContain('Key “tests” , owner');
  expect(shown).toContain('Ada Moyo , manager');
});

test('a receivable says who owes it, and after a part is paid what is still owed', async () => {
  const { id, usdAccountId } = await fundedUser();
  const { body: deposit } = await done(
    company.post('/v1/payments/deposit', { userId: id, amount: 7_000, currency: 'USD' }),
  );
  await done(company.post('/v1/treasury/withdraw', asked(usdAccountId, 52_000)));
  const reversal = { reason: 'Charged back', isChargeback: true };
  await done(company.post(`/v1/payments/transaction/${deposit.id}/reverse`, reversal));
  const { text } = await owner.get('/receivables');
  expect(text).toContain(`href="/console/users/${id}"`);
  const { data } = (await done(company.get('/v1/treasury/receivables?status=OPEN'))).body;
  const debt = data.find((one: { userId: string }) => one.userId === id);
  await done(company.post('/v1/payments/deposit', { userId: id, amount: 100, currency: 'USD' }));
  const settle = { do: 'settle', id: debt.id, source: 'BALANCE', reason: 'a part' };
  const form = { ...hiddenFields(text, '/receivables', 'value="settle"'), ...settle };
  expect(await owner.send('/receivables', form)).toMatchObject({ status: 303 });
  const shown = await textOf('/receivables');
  expect(shown).toMatch(/A part was paid\. USD [\d.]+ is still owed\./);
  expect(shown).toMatch(/USD [\d.]+ Paid back USD [\d.]+/); // in one column, so that there is room for the button
});

test('the platform’s ledger leads to no transaction of a company whose fee it got', async () => {
  const escrow = await beginEscrow(company);
  await done(company.post(`${escrow.path}/release`, {}));
  const platform = newVisitor(service);
  await platform.logIn(PLATFORM);
  const addressesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, address = '']) => address);
  const { text } = await platform.get('/ledger');
  const [ledger] = addressesIn(text, /href="\/console(\/ledger\/ldg_[^"]+)"/g);
  const fees = addressesIn(text, /href="\/console(\/ledger\/accounts\/[^"]+)">System fee/g);
  for (const path of [`${ledger}?type=PAYMENT`, ...fees]) {
    const [transaction] = addressesIn((await platform.get(path)).text, /href="\/console(\/transactions\/[^"]+)"/g);
    if (transaction !== undefined) expect(await platform.get(transaction)).toMatchObject({ status: 200 });
  }
});

async function fundedUser() {
  const user = await newUser(company);
  await done(company.post('/v1/payments/deposit', { userId: user.id, amount: 50_000, currency: 'USD' }));
  return user;
}

async function setStatus(of: TestCompany, userId: string, body: object) {
  const platform = newVisitor(service);
  await platform.logIn(PLATFORM);
  await platform.submit('/act-for', { companyId: of.id });
  const answer = await platform.submit(`/users/${userId}`, { do: 'blacklist', reason: '', ...body });
  expect(answer.status).toBe(303);
}
