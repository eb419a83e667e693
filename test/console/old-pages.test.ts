import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendDocument } from '../support/documents.ts';
import {
  done,
  newCompany,
  newParties,
  newUser,
  PLATFORM,
  type TestCompany,
  type TestService,
  untilAnswered,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { newHolder, newUndecidedPayout } from '../support/treasury.ts';
import { newVisitor, shownForm, type Visitor, visitorAs } from './support/visitor.ts';

/** Two people have the same page open. What the second one sends does nothing that the page did not say. */

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

async function staffOf({ id }: TestCompany): Promise<Visitor> {
  const staff = newVisitor(service);
  await staff.logIn(PLATFORM);
  await staff.submit('/act-for', { companyId: id });
  return staff;
}

describe('a payout whose outcome a colleague has booked', () => {
  const PAID = { marker: 'value="PAID"', typed: {}, status: 'COMPLETED', event: 'Settled', available: '6000' };
  const NOT_PAID = {
    marker: 'NOT_PAID',
    typed: { reason: 'AC04' },
    status: 'FAILED',
    event: 'Rejected',
    available: '10000',
  };

  test.each([
    ['as paid is not given back', PAID, NOT_PAID],
    ['as not paid is not taken again', NOT_PAID, PAID],
    ['as paid is not paid twice', PAID, PAID],
  ])('%s by an old page', async (_name, first, second) => {
    const holder = await newHolder(service);
    const { id } = await newUndecidedPayout(holder.company, holder.accountId, 4_000);
    const path = `/withdrawals/${id}`;
    const [one, other] = [await staffOf(holder.company), await staffOf(holder.company)];
    const [page, oldPage] = [await one.get(path), await other.get(path)];
    expect(await one.send(path, { ...shownForm(page.text, path, first.marker), ...first.typed })).toMatchObject({
      status: 303,
    });
    const refused = await other.send(path, { ...shownForm(oldPage.text, path, second.marker), ...second.typed });
    expect(refused.status).toBe(412);
    expect(refused.text).toContain('nothing was done');
    expect(refused.text).toContain(`Since the page was shown: ${first.event} (Admin)`);
    expect((await holder.company.get(`/v1/treasury/withdrawals/${id}`)).body).toMatchObject({ status: first.status });
    expect(await holder.account()).toMatchObject({ available_balance: first.available });
  });
});

describe('an identity that has changed since the page was shown', () => {
  const newIdentity = async () => {
    const company = await newCompany(service);
    const user = await newUser(company);
    await sendDocument(company, user.id);
    const read = async () => (await company.get(`/v1/identity/users/${user.id}`)).body;
    return { company, user, read, path: `/users/${user.id}` };
  };

  test('is not approved by the old page', async () => {
    const { company, user, read, path } = await newIdentity();
    const staff = await staffOf(company);
    const form = shownForm((await staff.get(path)).text, path, 'value="approve"');
    await company.post(`/v1/identity/users/${user.id}/link-id`, { idNumber: '99-9999999Z99' });
    const refused = await staff.send(path, form);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Nothing was done');
    expect(refused.text).toContain('99-9999999Z99');
    expect(await read()).toMatchObject({ kycLevel: 1 });
    expect(await staff.send(path, shownForm(refused.text, path, 'value="approve"'))).toMatchObject({ status: 303 });
    expect(await read()).toMatchObject({ kycLevel: 2 });
  });

  test('is not blacklisted with another reason by the old page', async () => {
    const { company, read, path } = await newIdentity();
    const [one, other] = [await staffOf(company), await staffOf(company)];
    const [page, oldPage] = [await one.get(path), await other.get(path)];
    const marker = 'value="blacklist"';
    await one.send(path, { ...shownForm(page.text, path, marker), reason: 'a forged document' });
    const refused = await other.send(path, { ...shownForm(oldPage.text, path, marker), reason: 'a test' });
    expect(refused.status).toBe(409);
    expect(await read()).toMatchObject({ identityStatus: 'BLACKLISTED', identityStatusReason: 'a forged document' });
  });
});

describe('a form that was carried out, and undone by a colleague, takes no effect when it is sent again', () => {
  test.each([
    ['approving', 'value="approve"', {}, 'kycLevel', 1],
    ['blacklisting', 'value="blacklist"', { reason: 'a test' }, 'identityStatus', 'CLEAR'],
  ])('%s', async (_name, marker, typed, field, undone) => {
    const company = await newCompany(service);
    const user = await newUser(company);
    await sendDocument(company, user.id);
    const path = `/users/${user.id}`;
    const [one, other] = [await staffOf(company), await staffOf(company)];
    const form = { ...shownForm((await one.get(path)).text, path, marker), ...typed };
    expect(await one.send(path, form)).toMatchObject({ status: 303 });
    const undo = shownForm((await other.get(path)).text, path, marker);
    expect(await other.send(path, undo)).toMatchObject({ status: 303 });
    expect(await one.send(path, form)).toMatchObject({ status: 303 });
    expect((await company.get(`/v1/identity/users/${user.id}`)).body).toMatchObject({ [field]: undone });
  });

  test('unfreezing an account', async () => {
    const company = await newCompany(service);
    const { usdAccountId } = await newUser(company);
    const path = `/ledger/accounts/${usdAccountId}`;
    const [one, other] = [await visitorAs(service, company, 'owner'), await visitorAs(service, company, 'admin')];
    const shown = async (by: Visitor, reason: string) => ({
      ...shownForm((await by.get(path)).text, path, 'value="freeze"'),
      reason,
    });
    await one.send(path, await shown(one, 'a check'));
    const unfreeze = await shown(other, 'checked');
    expect(await other.send(path, unfreeze)).toMatchObject({ status: 303 });
    await one.send(path, await shown(one, 'a court'));
    await other.send(path, unfreeze);
    expect((await company.get(`/v1/ledger/accounts/${usdAccountId}`)).body).toMatchObject({ is_frozen: true });
  });

  test('enabling an endpoint', async () => {
    const company = await newCompany(service);
    const { id } = (await company.post('/v1/webhooks', { url: 'http://127.0.0.1:9/a', events: ['*'] })).body;
    const path = `/webhooks/${id}`;
    const owner = await visitorAs(service, company, 'owner');
    const flip = async () => shownForm((await owner.get(path)).text, path, 'value="switch"');
    const disable = await flip();
    await owner.send(path, disable);
    await owner.send(path, await flip());
    expect(await owner.send(path, disable)).toMatchObject({ status: 303 });
    expect((await company.get(`/v1/webhooks/${id}`)).body).toMatchObject({ status: 'ENABLED' });
  });
});

test('a new administrator whose answer was lost: the page says what became of the password', async () => {
  const company = await newCompany(service);
  const owner = await visitorAs(service, company, 'owner');
  const path = '/administrators';
  const email = `lost-${Date.now()}@test.example`;
  const typed = { firstName: 'A', lastName: 'B', email, role: 'manager' };
  const form = { ...shownForm((await owner.get(path)).text, path, 'value="add"'), ...typed };
  expect((await owner.send(path, form)).text).toContain('class="secret"');
  const again = await owner.send(path, form);
  expect(again.status).toBe(409);
  expect(again.text).toContain('remove the administrator and add them again');
  const other = { ...shownForm((await owner.get(path)).text, path, 'value="add"'), ...typed };
  expect((await owner.send(path, other)).text).toContain('the e-mail is taken');
});

describe('what a colleague saved since the page was shown', () => {
  /** Two people with the same page, and its form as each of them sees it. */
  async function twoWith(company: TestCompany, path: string) {
    const [one, other] = [await visitorAs(service, company, 'owner'), await visitorAs(service, company, 'admin')];
    const shown = async (by: Visitor) => shownForm((await by.get(path)).text, path, 'value="change"');
    return { one, other, form: await shown(one), oldForm: await shown(other) };
  }
  const settingsOf = async (company: TestCompany) => (await company.get('/v1/core/companies/me')).body;

  test('stays in the settings if another field is saved', async () => {
    const company = await newCompany(service);
    const { one, other, form, oldForm } = await twoWith(company, '/settings');
    expect(await one.send('/settings', { ...form, service_fee_basis_points: '3.5' })).toMatchObject({ status: 303 });
    const saved = await other.send('/settings', { ...oldForm, support_email: 'help@test.example' });
    expect(saved).toMatchObject({ status: 303 });
    expect(await settingsOf(company)).toMatchObject({
      service_fee_basis_points: 350,
      support_email: 'help@test.example',
    });
  });

  test('is not replaced in the same field of the settings before the page has shown it', async () => {
    const company = await newCompany(service);
    const { one, other, form, oldForm } = await twoWith(company, '/settings');
    await one.send('/settings', { ...form, service_fee_basis_points: '3.5', name: 'The new name' });
    const typed = { service_fee_basis_points: '1', support_email: 'help@test.example' };
    const refused = await other.send('/settings', { ...oldForm, ...typed });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Someone else changed this. It is now: 3.5');
    expect(await settingsOf(company)).toMatchObject({ service_fee_basis_points: 350, support_email: null });
    const again = shownForm(refused.text, '/settings', 'value="change"');
    expect(again).toMatchObject({ ...typed, name: 'The new name' });
    expect(await other.send('/settings', again)).toMatchObject({ status: 303 });
    expect(await settingsOf(company)).toMatchObject({
      service_fee_basis_points: 100,
      support_email: 'help@test.example',
      name: 'The new name',
    });
  });

  test('and settings with several lines count as unchanged when a browser sends them', async () => {
    const company = await newCompany(service);
    const body = { checkout_hosts: ['one.example', 'two.example'], terms_url: 'https://one.example/terms' };
    await done(untilAnswered(() => company.request('PATCH', '/v1/core/companies/me', { body })));
    const { one, other, form, oldForm } = await twoWith(company, '/settings');
    await one.send('/settings', { ...form, checkout_hosts: 'three.example' });
    const asSent = { ...oldForm, checkout_hosts: 'one.example\r\ntwo.example', terms_url: '' };
    expect(await other.send('/settings', asSent)).toMatchObject({ status: 303 });
    expect(await settingsOf(company)).toMatchObject({ checkout_hosts: ['three.example'], terms_url: null });
  });

  test('stays at an endpoint if another field is saved', async () => {
    const company = await newCompany(service);
    const made = { url: 'http://127.0.0.1:9/a', events: ['*'], description: 'shop' };
    const { id } = (await company.post('/v1/webhooks', made)).body;
    const path = `/webhooks/${id}`;
    const { one, other, form, oldForm } = await twoWith(company, path);
    await one.send(path, { ...form, url: 'http://127.0.0.1:9/new' });
    expect(await other.send(path, { ...oldForm, description: '' })).toMatchObject({ status: 303 });
    const saved = { url: 'http://127.0.0.1:9/new', events: ['*'], description: null };
    expect((await company.get(`/v1/webhooks/${id}`)).body).toMatchObject(saved);
    const refused = await other.send(path, { ...oldForm, url: 'http://127.0.0.1:9/other' });
    expect(refused.status).toBe(409);
    expect((await company.get(`/v1/webhooks/${id}`)).body).toMatchObject(saved);
  });

  test('is not replaced in the fee of a company before the page has shown it', async () => {
    const company = await newCompany(service);
    const [one, other] = [await staffOf(company), await staffOf(company)];
    const path = '/companies';
    const fee = async (by: Visitor) => {
      const { slug } = await settingsOf(company);
      const { text } = await by.get(`${path}?search=${slug}`);
      return shownForm(text, path, 'name="system_fee_basis_points"');
    };
    const [form, oldForm] = [await fee(one), await fee(other)];
    await one.send(path, { ...form, system_fee_basis_points: '1.2' });
    const refused = await other.send(path, { ...oldForm, system_fee_basis_points: '3,00' });
    expect(refused.status).toBe(409);
    expect(await settingsOf(company)).toMatchObject({ system_fee_basis_points: 120 });
  });
});

test('a payout limit that a colleague changed is not replaced before the page has shown it', async () => {
  const company = await newCompany(service);
  const [one, other] = [await staffOf(company), await staffOf(company)];
  const { slug } = (await company.get('/v1/core/companies/me')).body;
  const list = `/companies?search=${slug}`;
  const shown = async (by: Visitor) => shownForm((await by.get(list)).text, '/companies', 'value="limit"');
  const [form, oldForm] = [await shown(one), await shown(other)];
  const limit = (amount: string) => ({ currency: 'USD', limit: amount });
  expect(await one.send('/companies', { ...form, ...limit('100.00') })).toMatchObject({ status: 303 });
  const refused = await other.send('/companies', { ...oldForm, ...limit('5000.00') });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Someone else changed this. It is now: USD');
  // The limit of another currency is another value.
  expect(await other.send('/companies', { ...oldForm, currency: 'ZIG', limit: '7.00' })).toMatchObject({ status: 303 });
  expect(await shown(one)).toMatchObject({ 'known.USD': '10000', 'known.ZIG': '700' });
});

test('a dispute that a colleague took is not taken from them by an old page', async () => {
  const company = await newCompany(service);
  const { escrow } = await newParties(company);
  const { id } = (await company.post('/v1/escrow/initiate', escrow())).body;
  await company.post(`/v1/escrow/${id}/dispute`, { actor: 'BUYER', reason: 'broken' });
  const [one, other] = [await visitorAs(service, company, 'owner'), await visitorAs(service, company, 'admin')];
  const path = `/disputes/${id}`;
  const assignment = `${path}/assignment`;
  const mine = async (by: Visitor) => shownForm((await by.get(path)).text, assignment, 'adm_');
  const [form, oldForm] = [await mine(one), await mine(other)];
  expect(await one.send(assignment, form)).toMatchObject({ status: 303 });
  const taken = (await company.get(`/v1/escrow/${id}/dispute`)).body.assignedTo;
  const refused = await other.send(assignment, oldForm);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Nothing was done');
  expect(refused.text).toContain(taken.name);
  expect((await company.get(`/v1/escrow/${id}/dispute`)).body.assignedTo).toEqual(taken);
  const again = { ...shownForm(refused.text, assignment, 'adminId'), adminId: oldForm.adminId ?? '' };
  expect(await other.send(assignment, again)).toMatchObject({ status: 303 });
  expect((await company.get(`/v1/escrow/${id}/dispute`)).body.assignedTo).toMatchObject({ adminId: oldForm.adminId });
});

test('an account that was frozen again since the page was shown is not opened by the old page', async () => {
  const company = await newCompany(service);
  const { usdAccountId } = await newUser(company);
  const path = `/ledger/accounts/${usdAccountId}`;
  const [one, other] = [await visitorAs(service, company, 'owner'), await visitorAs(service, company, 'admin')];
  const change = async (by: Visitor, reason: string) => {
    const form = shownForm((await by.get(path)).text, path, 'value="freeze"');
    return { ...form, reason };
  };
  await one.send(path, await change(one, 'a check'));
  const oldForm = await change(other, 'checked');
  await one.send(path, await change(one, 'checked'));
  await one.send(path, await change(one, 'an order of the court'));
  const refused = await other.send(path, oldForm);
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('an order of the court');
  expect((await company.get(`/v1/ledger/accounts/${usdAccountId}`)).body).toMatchObject({ is_frozen: true });
});
