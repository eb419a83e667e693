import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hiddenFields, visitorAs } from '../../../console/support/visitor.ts';
import { bare, logIn, newAdministrator, refused, sql } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { ordered, switchOn } from '../../../support/order-pages.ts';
import { type OwnService, ownService } from '../../../support/own-service.ts';
import { done, newCompany } from '../../../support/service.ts';

import { asked, ended, newHolder } from '../../../support/treasury.ts';

/** Bank details decide where money goes, so a change of them waits. */

const COOLING_HOURS = 24;
const OLD = { bank_name: 'CBZ', branch_code: '6101', account_number: '01234567890', account_name: 'Ana Moyo' };
const NEW = { bank_name: 'Stanbic', branch_code: '3120', account_number: '99887766554', account_name: 'Ana Moyo' };
const MASKED_OLD = { ...OLD, account_number: '*******7890' };
const MASKED_NEW = { ...NEW, account_number: '*******6554' };
const DEFAULTS = { bank_name: undefined, branch_code: undefined, account_number: undefined, account_name: undefined };

let service: OwnService;
beforeAll(async () => {
  service = await ownService({ settings: { bankDetailsCoolingHours: COOLING_HOURS } });
});
afterAll(() => service.stop());

async function newLedger() {
  const holder = await newHolder(service);
  const { company, user, accountId } = holder;
  const path = `/v1/ledger/${user.ledgerId}/bank-details`;
  const withdraw = (fields: object = DEFAULTS) =>
    company.post('/v1/treasury/withdraw', asked(accountId, 1_000, { ...fields }));
  return {
    ...{ company, accountId, path, withdraw, ledgerId: user.ledgerId, userId: user.id },
    set: (details: object) => done(company.request('PATCH', path, { body: details })),
    read: async () => (await company.get(path)).body,
    quote: (fields: object = {}) => company.post('/v1/treasury/quote', { accountId, amount: 1_000, ...fields }),
    passHours: (advanceHours: number) => done(company.post('/v1/sandbox/clock', { advanceHours })),
    paidTo: async (id: string) => (await ended(company, id)).account_number,
  };
}

const inHours = (from: string, hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString();

test('new details wait: withdrawals use those in effect, and none in effect is 422 that says until when', async () => {
  const { set, read, withdraw, quote, passHours, paidTo, path, company } = await newLedger();
  const { body: first } = await set(OLD);
  expect(first).toMatchObject({ ...OLD, payout_details: null, pending: { ...MASKED_OLD } });
  expect(first.effective_at).toBe(inHours(first.updated_at, COOLING_HOURS));
  for (const refusal of [await withdraw(), await quote()]) {
    expect(refusal).toMatchObject(refused(422, 'bank_details_cooling'));
    expect(refusal.body.detail).toContain(first.effective_at);
  }
  await passHours(COOLING_HOURS);
  expect(await read()).toMatchObject({
    ...MASKED_OLD,
    pending: null,
    payout_details: { source: 'LEDGER', bank_name: OLD.bank_name, account_number: MASKED_OLD.account_number },
  });

  const { body: second } = await set(NEW);
  expect(await read()).toMatchObject({ ...MASKED_OLD, effective_at: second.effective_at, pending: MASKED_NEW });
  const { status, body: meanwhile } = await withdraw();
  expect({ status, not_before: meanwhile.not_before }).toEqual({ status: 201, not_before: null });
  expect(await paidTo(meanwhile.id)).toBe(MASKED_OLD.account_number);
  await passHours(COOLING_HOURS);
  expect((await quote()).body).toMatchObject({ not_before: null });
  expect(await paidTo((await withdraw()).body.id)).toBe(MASKED_NEW.account_number);

  const { body: history } = await company.get(`${path}/history`);
  expect(history).toMatchObject({ total: 2, data: [MASKED_NEW, MASKED_OLD] });
  expect(history.data[0]).toMatchObject({
    effective_at: second.effective_at,
    changed_by: expect.stringMatching(/^key_/),
  });
});

test('a change that is replaced before it takes effect never does', async () => {
  const { set, read, passHours, path, company } = await newLedger();
  await set(OLD);
  await passHours(COOLING_HOURS);
  await set(NEW);
  expect((await set(OLD)).body).toMatchObject({ pending: null, payout_details: { bank_name: OLD.bank_name } });
  await passHours(COOLING_HOURS);
  expect(await read()).toMatchObject({ ...MASKED_OLD, pending: null });
  const { data } = (await company.get(`${path}/history`)).body;
  expect(data.map(({ effective_at: at }: { effective_at: string | null }) => at !== null)).toEqual([true, false, true]);
});

test('a payment to a destination that was never paid from the account waits, and the next one does not', async () => {
  const { withdraw, quote, passHours, company, paidTo } = await newLedger();
  const quoted = await quote(OLD);
  const { body: made, status } = await withdraw(OLD);
  expect(status).toBe(201);
  expect(Date.parse(made.not_before)).toBeGreaterThanOrEqual(Date.parse(quoted.body.not_before));
  const read = async () => (await company.get(`/v1/treasury/withdrawals/${made.id}`)).body;
  expect(await read()).toMatchObject({ status: 'PROCESSING', not_before: made.not_before, is_handed_over: false });
  await passHours(COOLING_HOURS - 1);
  const { body: other } = await withdraw(NEW);
  await done(company.post(`/v1/treasury/withdrawals/${other.id}/cancel`));
  expect(await read()).toMatchObject({ status: 'PROCESSING', is_handed_over: false });
  await passHours(2);
  expect(await paidTo(made.id)).toBe(MASKED_OLD.account_number);
  // The same number, as another person writes it.
  const again = await withdraw({ ...OLD, account_number: '0123 456 7890' });
  expect(again.body).toMatchObject({ not_before: null });
});

test('another administrator, older than the change, ends the wait; nobody else does', async () => {
  const { company, set, withdraw, path, read, paidTo } = await newLedger();
  const owner = await logIn(service, company.id, company.owner);
  const second = await newAdministrator(service, company, 'admin');
  expect(await second.post(`${path}/approve`)).toMatchObject(refused(409, 'wrong_state'));
  await set(OLD); // with a key of the owner
  const { body: waiting } = await withdraw(OLD);
  expect(waiting.not_before).not.toBeNull();
  const younger = await newAdministrator(service, company, 'admin');
  for (const approver of [owner, younger]) {
    expect(await approver.post(`${path}/approve`)).toMatchObject(refused(403, 'forbidden'));
    expect((await approver.request('GET', path)).body).toMatchObject({ may_approve: false, waiting_payments: 1 });
  }
  expect((await second.request('GET', path)).body).toMatchObject({ may_approve: true, waiting_payments: 1 });
  expect(await company.post(`${path}/approve`)).toMatchObject({ status: 401 });
  expect(await read()).toMatchObject({ account_number: null, may_approve: false });

  const approved = await second.post(`${path}/approve`);
  expect(approved).toMatchObject({ status: 200, body: { ...MASKED_OLD, pending: null, waiting_payments: 0 } });
  expect(await paidTo(waiting.id)).toBe(MASKED_OLD.account_number);
  const { data } = (await company.get(`${path}/history`)).body;
  expect(data).toMatchObject([{ approved_by: second.id }]);
  expect(await second.post(`${path}/approve`)).toMatchObject(refused(409, 'wrong_state'));
});

test('a person is told at the number that they had, once for each change; owners get a mail about their own', async () => {
  const { set, company, userId } = await newLedger();
  const { mobileNumber } = (await company.get(`/v1/identity/users/${userId}`)).body;
  await set(OLD);
  await set(OLD);
  await set(NEW);
  const told = await eventually(async () => {
    const messages = await service.sandbox.messagesTo(mobileNumber);
    return messages.length >= 2 && messages.map(({ text }) => text);
  });
  const words = (details: typeof OLD) => expect.stringContaining(`${details.bank_name} ${details.account_number}`);
  expect(told.toSorted()).toEqual([words(MASKED_OLD), words(MASKED_NEW)]);
  const { body: accounts } = await company.get('/v1/ledger/company/accounts?limit=1');
  const own = `/v1/ledger/${accounts[0].ledgerId}/bank-details`;
  await done(company.request('PATCH', own, { body: NEW }));
  const [mail] = await service.sandbox.mailsTo(company.owner.email, /New bank details/);
  expect(mail?.text).toContain(`${NEW.bank_name} ${MASKED_NEW.account_number}`);
  expect(JSON.stringify([told, mail])).not.toContain(NEW.account_number);
});

test('a change is told as an event and in the audit log, with masked numbers', async () => {
  const { set, company, ledgerId } = await newLedger();
  await set(OLD);
  await set(NEW);
  const changed = await eventually(async () => {
    const { data } = (await company.get(`/v1/events?objectId=${ledgerId}`)).body;
    return data.length === 2 && data;
  });
  expect(changed.map(({ type, data }: { type: string; data: object }) => ({ type, ...data }))).toMatchObject([
    { type: 'bank_details.changed', before: null, after: MASKED_OLD },
    { type: 'bank_details.changed', before: MASKED_OLD, after: MASKED_NEW },
  ]);
  const operation = encodeURIComponent('PATCH /v1/ledger/{ledgerId}/bank-details');
  const { body: log } = await company.get(`/v1/core/audit-log?operation=${operation}`);
  expect(log.data[0].changes).toEqual([
    { field: 'bank_name', before: OLD.bank_name, after: NEW.bank_name },
    { field: 'branch_code', before: OLD.branch_code, after: NEW.branch_code },
    { field: 'account_number', before: MASKED_OLD.account_number, after: MASKED_NEW.account_number },
  ]);
  expect(JSON.stringify([changed, log])).not.toContain(NEW.account_number);
});

test('the console shows the waiting change with its time, and the button to whoever may approve it', async () => {
  const { company, ledgerId, accountId, read } = await newLedger();
  const second = await visitorAs(service, company, 'admin');
  const owner = await visitorAs(service, company, 'owner');
  const manager = await visitorAs(service, company, 'manager');
  const path = `/ledger/${ledgerId}/bank-details`;
  const set = await owner.send(path, {
    ...hiddenFields((await owner.get(path)).text, path, 'value="change"'),
    ...NEW,
  });
  expect(set).toMatchObject({ status: 303, location: `/console${path}` });
  const { pending } = await read();
  for (const [visitor, mayApprove] of [
    [owner, false],
    [manager, false],
    [second, true],
  ] as const) {
    const { text } = await visitor.get(path);
    expect(text).toContain(`datetime="${pending.effective_at}"`);
    expect(text).toContain(MASKED_NEW.account_number);
    expect(text.includes('value="approve"')).toBe(mayApprove);
    expect((await visitor.get(`/ledger/accounts/${accountId}`)).text).toContain(`href="/console${path}"`);
  }
  second.language = 'console_language=fr';
  const shown = (await second.get(path)).text;
  expect(shown).toContain('Mettre fin à l’attente');
  const ended = await second.send(path, hiddenFields(shown, path, 'value="approve"'));
  expect(ended.status).toBe(303);
  expect((await second.get(path)).text).toContain('L’attente est terminée.');
  expect(await read()).toMatchObject({ ...MASKED_NEW, pending: null });
});

test('details that cannot be read are stored again, and nothing goes to others while the new ones wait', async () => {
  const { set, read, path, company, passHours, withdraw, ledgerId, userId, paidTo, accountId } = await newLedger();
  await set(OLD);
  await passHours(COOLING_HOURS);
  await sql(service, "update bank_details set bank_name = 'Other' where ledger_id = $1", [bare(ledgerId)]);
  expect(await company.get(path)).toMatchObject(refused(409, 'details_unreadable'));
  expect((await company.get(`${path}/history`)).body.data).toHaveLength(1);
  const visitor = await visitorAs(service, company, 'owner');
  for (const page of [`/ledger/${ledgerId}/bank-details`, `/ledger/accounts/${accountId}`, `/users/${userId}`]) {
    const { status, text } = await visitor.get(page);
    expect([page, status, text.includes('cannot be read')]).toEqual([page, 200, true]);
  }
  expect((await set(OLD)).body).toMatchObject({ pending: MASKED_OLD, payout_details: null });
  expect(await read()).toMatchObject({ bank_name: null, pending: MASKED_OLD });
  expect(await withdraw()).toMatchObject(refused(422, 'bank_details_cooling'));
  await passHours(COOLING_HOURS);
  expect(await paidTo((await withdraw()).body.id)).toBe(MASKED_OLD.account_number);
});

test("a seller's page says which details take effect, and when", async () => {
  const company = await newCompany(service, 'Cooling Market');
  await switchOn(company, { payout: 'direct', payout_details: 'direct' });
  const { sellerPage } = await ordered(service, company);
  await sellerPage.unlock('payout_details');
  const money = async () =>
    /<h2 id="money">(.*?)<\/section>/s
      .exec((await sellerPage.get()).html)?.[1]
      ?.replace(/<[^>]+>|[\u2066-\u2069]/g, '');
  expect(await money()).toContain('There are no bank details yet');
  expect(await sellerPage.act('payout_details', OLD)).toMatchObject({ notice: 'done' });
  expect(await money()).toMatch(/You have USD.0\.00\.\s+From .+ it is paid out to CBZ \*+7890\./);
  await done(company.post('/v1/sandbox/clock', { advanceHours: COOLING_HOURS }));
  await sellerPage.act('payout_details', NEW);
  expect(await money()).toMatch(/It is paid out to CBZ \*+7890\. From .+ it is paid out to Stanbic \*+6554\./);
});
