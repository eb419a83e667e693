import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sendDocument } from '../support/documents.ts';
import { beginEscrow } from '../support/escrows.ts';
import { eventually } from '../support/eventually.ts';
import { nextMobileNumber } from '../support/mobile-numbers.ts';
import {
  done,
  idNumberOf,
  newCompany,
  newUser,
  PLATFORM,
  type TestCompany,
  type TestService,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { asked, newUndecidedPayout } from '../support/treasury.ts';
import { newVisitor, type Visitor, visitorAs } from './support/visitor.ts';

/** The search field, and what the platform changes about a user. */

let service: TestService;
let company: TestCompany;
let manager: Visitor;
let platform: Visitor;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service, 'Search');
  manager = await visitorAs(service, company, 'manager');
  platform = newVisitor(service);
  await platform.logIn(PLATFORM);
  await platform.submit('/act-for', { companyId: company.id });
});
afterAll(() => service?.stop());

/** Unlike those of the other tests. */
let names = 0;
const nextName = () => {
  names += 1;
  return `Zvikomborero${String.fromCharCode(64 + names)}`;
};

describe('the search', () => {
  const search = (words: string) => manager.get(`/search?${new URLSearchParams({ q: words })}`);

  test('a reference that one escrow has leads to it', async () => {
    const { id } = await beginEscrow(company, { externalReference: 'order-48151' });
    expect(await search(' order-48151 ')).toMatchObject({ status: 303, location: `/console/escrows/${id}` });
  });

  test('a phone number that one user has leads to the user, also in part', async () => {
    const mobileNumber = nextMobileNumber();
    const { id } = await newUser(company, { mobileNumber });
    const found = { status: 303, location: `/console/users/${id}` };
    expect(await search(mobileNumber)).toMatchObject(found);
    expect(await search(mobileNumber.slice(1))).toMatchObject(found);
  });

  test('invoice numbers, e-mails and national ids lead to what has them, in any case', async () => {
    const escrow = await beginEscrow(company, { externalInvoiceNumber: 'Inv-90210-A' });
    expect(await search('INV-90210-a')).toMatchObject({ status: 303, location: `/console/escrows/${escrow.id}` });
    const mobileNumber = nextMobileNumber();
    const { id } = await newUser(company, {
      ...{ mobileNumber, idNumber: idNumberOf(mobileNumber) },
      email: 'Nyasha.Dube@shop.example',
    });
    const found = { status: 303, location: `/console/users/${id}` };
    expect(await search('nyasha.dube@SHOP.example')).toMatchObject(found);
    expect(await search(idNumberOf(mobileNumber).toLowerCase().replaceAll('-', ' '))).toMatchObject(found);
  });

  test('references of withdrawals and receipts lead to them, also the one that the bank knows', async () => {
    const user = await newUser(company);
    await company.post('/v1/payments/deposit', { userId: user.id, amount: 9_000, currency: 'USD' });
    const request = asked(user.usdAccountId, 4_000, { externalReference: 'Payout-7a0b7' });
    const { body: payout } = await company.post('/v1/treasury/withdraw', request);
    const found = { status: 303, location: `/console/withdrawals/${payout.id}` };
    expect(await search('payout-7a0b7')).toMatchObject(found);
    const { body } = await company.get(`/v1/treasury/withdrawals/${payout.id}`);
    expect(await search(body.end_to_end_id.toLowerCase())).toMatchObject(found);
    const receipt = { amount: 700, currency: 'USD', reference: 'TRF 5566 Dube' };
    const { body: capture } = await company.post('/v1/treasury/bank/capture', receipt);
    expect((await search('trf 5566 dube')).location).toContain(`/console/receipts/${capture.id}?`);
  });

  test('a payout that the bank has is shown as its list shows it', async () => {
    const user = await newUser(company, { firstName: 'Pay', lastName: 'Out-90901' });
    await company.post('/v1/payments/deposit', { userId: user.id, amount: 9_000, currency: 'USD' });
    const { externalReference } = await newUndecidedPayout(company, user.usdAccountId, 4_000);
    await beginEscrow(company, { externalReference });
    expect((await search(externalReference)).text).toContain('At the bank');
  });

  test('an id leads to its page in any spelling, whether or not it exists', async () => {
    const { id } = await newUser(company);
    expect(await search(id.toUpperCase())).toMatchObject({ status: 303, location: `/console/users/${id}` });
    const unknown = 'esc_01900000-0000-7000-8000-000000000001';
    expect(await search(unknown)).toMatchObject({ status: 303, location: `/console/escrows/${unknown}` });
  });

  test('a name leads to the list, because there may be namesakes', async () => {
    const lastName = nextName();
    await newUser(company, { firstName: 'Tariro', lastName });
    const { status, text } = await search(lastName);
    expect(status).toBe(200);
    expect(text).toContain(`Tariro ${lastName}`);
  });

  test('words that two objects have lead to the list of both', async () => {
    const mobileNumber = nextMobileNumber();
    const { id } = await newUser(company, { mobileNumber });
    const escrow = await beginEscrow(company, { externalReference: mobileNumber });
    const { status, text } = await search(mobileNumber);
    expect(status).toBe(200);
    expect(text).toContain(`/console/users/${id}`);
    expect(text).toContain(`/console/escrows/${escrow.id}`);
  });

  test('what another company has is not found', async () => {
    const other = await newCompany(service, 'Elsewhere');
    await beginEscrow(other, { externalReference: 'order-elsewhere-1' });
    const { status, text } = await search('order-elsewhere-1');
    expect(status).toBe(200);
    expect(text).toContain('Nothing found');
  });
});

describe('a filter that the API refuses', () => {
  test.each([
    ['/audit?actorId=olive', 'Actor id must be the id of', 'value="olive"'],
    ['/escrows?buyerId=bob&externalReference=order-1', 'Buyer id must be', 'value="order-1"'],
  ])('%s: the page says which one, and keeps what was typed', async (path, message, typed) => {
    const { status, text } = await manager.get(path);
    expect(status).toBe(400);
    expect(text).toContain(message);
    expect(text).toContain(typed);
  });
});

describe('a user, as the platform decides', () => {
  const decide = (id: string, fields: Record<string, string>) => platform.submit(`/users/${id}`, fields);
  const read = async (id: string) => (await company.get(`/v1/identity/users/${id}`)).body;

  test('is blacklisted with a reason that staff read, and cleared', async () => {
    const { id } = await newUser(company);
    const reason = 'Goods never came, <b>twice</b>.';
    expect(await decide(id, { do: 'blacklist', status: 'BLACKLISTED', reason })).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ identityStatus: 'BLACKLISTED', identityStatusReason: reason });
    const page = await manager.get(`/users/${id}`);
    expect(page.text).toContain('Reason: Goods never came, &lt;b&gt;twice&lt;/b&gt;.');
    expect(await decide(id, { do: 'blacklist', status: 'CLEAR', reason: '' })).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ identityStatus: 'CLEAR' });
    expect((await manager.get(`/users/${id}`)).text).not.toContain('This user is blacklisted');
  });

  test('goes up a level and down again', async () => {
    const { id } = await newUser(company);
    expect(await decide(id, { do: 'approve', approved: 'true' })).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ kycLevel: 2 });
    expect((await platform.get(`/users/${id}`)).text).toContain('Revoke the approval');
    expect(await decide(id, { do: 'approve', approved: 'false' })).toMatchObject({ status: 303 });
    expect(await read(id)).toMatchObject({ kycLevel: 1 });
  });

  test('says which approved field has changed since', async () => {
    const { id } = await newUser(company);
    await decide(id, { do: 'approve', approved: 'true' });
    expect((await platform.get(`/users/${id}`)).text).not.toContain('Changed since the approval');
    await sendDocument(company, id);
    expect((await platform.get(`/users/${id}`)).text).toContain('Changed since the approval: Document.');
  });

  test('shows its document in a frame, and gives it as a file', async () => {
    const { id } = await newUser(company);
    expect((await manager.get(`/users/${id}`)).text).toContain('None is stored.');
    await sendDocument(company, id);
    expect((await manager.get(`/users/${id}`)).text).toContain(`src="/console/users/${id}/document" sandbox`);
    const file = await manager.get(`/users/${id}/document?download`);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
  });

  test('is given to an owner as a file of all that is held, and erased with a reason, never by a manager', async () => {
    const owner = await visitorAs(service, company, 'owner');
    const { id, usdAccountId } = await newUser(company, { firstName: 'Ruvimbo' });
    const file = await owner.get(`/users/${id}/export`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${id}.json"`);
    expect(JSON.parse(file.text)).toMatchObject({ user: { id, firstName: 'Ruvimbo' }, transactions: [] });
    expect(await manager.get(`/users/${id}/export`)).toMatchObject({ status: 403 });
    expect((await manager.get(`/users/${id}`)).text).not.toContain('Erase the person');
    expect(await manager.submit(`/users/${id}`, { do: 'erase', reason: 'x' })).toMatchObject({ status: 403 });

    const shown = (await owner.get(`/users/${id}`)).text;
    expect(shown).toContain('Erase for ever');
    expect(await owner.submit(`/users/${id}`, { do: 'erase', reason: '' })).toMatchObject({ status: 400 });
    await done(company.post('/v1/payments/deposit', { userId: id, amount: 100, currency: 'USD' }));
    const refused = await owner.submit(`/users/${id}`, { do: 'erase', reason: 'They asked.' });
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('They asked.') });
    await done(
      company.post('/v1/treasury/withdraw', {
        ...{ accountId: usdAccountId, amount: 100, externalReference: `erased-${id}` },
        ...{ bank_name: 'CBZ', branch_code: '6101', account_number: '4000111122', account_name: 'R' },
      }),
    );
    await eventually(
      async () => (await owner.submit(`/users/${id}`, { do: 'erase', reason: 'They asked.' })).status === 303,
    );
    const gone = (await owner.get(`/users/${id}`)).text;
    expect(gone).toContain('The person is erased.');
    expect(gone).not.toMatch(/Ruvimbo|Erase for ever/);
  });

  test('is decided by the platform alone', async () => {
    const { id } = await newUser(company);
    const owner = await visitorAs(service, company, 'owner');
    const fields = { do: 'blacklist', status: 'BLACKLISTED', reason: 'I want to' };
    expect((await owner.get(`/users/${id}`)).text).not.toContain('Blacklist the user');
    expect(await owner.submit(`/users/${id}`, fields)).toMatchObject({ status: 403 });
    expect(await read(id)).toMatchObject({ identityStatus: 'CLEAR' });
  });
});
