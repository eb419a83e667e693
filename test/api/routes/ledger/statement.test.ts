import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { extractText, getDocumentProxy } from 'unpdf';
import { bare, nobody, refused, sql } from '../../../support/api.ts';
import { checkCamt053 } from '../../../support/iso20022.ts';
import { newCompany, newParties, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { fetchStatement, readStatements, textOfPdf } from '../../../support/statements.ts';

const NASTY = { reference: '=1+1,"<&>\'" order', note: '@SUM(A1);=1+1 ]]> <b>&amp;</b>' };

let service: TestService;
let company: TestCompany;
let other: TestCompany;
/** Accounts on which the run below moved money: those of users, and the company's own, which append. */
let accounts: { buyer: string; seller: string; bank: string; fees: string };
let before: string;
let after: string;

/** What PDF files say of the company. */
const SETTINGS = {
  address: '12 Samora Machel Avenue, Harare',
  tax_number: '10012345',
  registration_number: '1234/2020',
};
const ISSUER = [SETTINGS.address, `Tax no. ${SETTINGS.tax_number}`, `Registration no. ${SETTINGS.registration_number}`];

beforeAll(async () => {
  service = await sharedService();
  [company, other] = [await newCompany(service, 'Łódź & <Sons>'), await newCompany(service)];
  await company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 250, ...SETTINGS } });
  before = new Date().toISOString();
  const { buyer, seller, escrow } = await newParties(company, 1_000_000);
  const deposit = { userId: buyer.id, amount: 4_242, currency: 'USD' };
  await company.post('/v1/payments/deposit', {
    ...deposit,
    externalReference: NASTY.reference,
    userReference: NASTY.note,
  });
  const begun = [];
  for (let number = 0; number < 4; number += 1) begun.push(await company.post('/v1/escrow/initiate', escrow()));
  const [released, partly, cancelled] = begun.map(({ body }) => `/v1/escrow/${body.id}`);
  await company.post(`${released}/release`);
  await company.post(`${partly}/release`);
  await company.post(`${cancelled}/cancel`, { actor: 'BUYER', reason: 'Changed my mind' });
  after = new Date().toISOString();
  const { body: own } = await company.get('/v1/ledger/company/accounts');
  const ofType = (type: string) =>
    own.find((account: { type: string; currency: string }) => account.type === type && account.currency === 'USD').id;
  accounts = {
    buyer: buyer.usdAccountId,
    seller: seller.usdAccountId,
    bank: ofType('CLEARING_DECLARED'),
    fees: ofType('SERVICE_FEE'),
  };
});
afterAll(() => service.stop());

const pathOf = (account: string, query = '') => `/v1/ledger/accounts/${account}/statement${query}`;
const names = ['buyer', 'seller', 'bank', 'fees'] as const;

describe('GET /v1/ledger/accounts/{accountId}/statement', () => {
  test('shows the changes of the buyer’s balance: deposits and two releases, but no holds or cancellations', async () => {
    const { status, body, headers } = await company.get(pathOf(accounts.buyer));
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      account: { id: accounts.buyer, type: 'USER', currency: 'USD', balance: '954242', held_balance: '25000' },
      openingBalance: '0',
      closingBalance: '954242',
      totalCredits: '1004242',
      totalDebits: '50000',
      entries: [
        { type: 'DEPOSIT', direction: 'CREDIT', amount: '1000000', balance_after: '1000000', reference: null },
        {
          type: 'DEPOSIT',
          amount: '4242',
          balance_after: '1004242',
          reference: NASTY.reference,
          description: `Deposit: ${NASTY.note}`,
        },
        { type: 'PAYMENT', direction: 'DEBIT', amount: '25000', balance_after: '979242' },
        { type: 'PAYMENT', direction: 'DEBIT', amount: '25000', balance_after: '954242' },
      ],
    });
    for (const entry of body.entries)
      expect(entry).toEqual({
        ...entry,
        id: expect.stringMatching(/^\d+$/),
        transactionId: expect.stringMatching(/^txn_/),
        created_at: expect.stringMatching(/Z$/),
      });
    expect(body.entries[2].reference).toMatch(/^order-/);
  });

  test("running balances of the company's appending accounts are computed", async () => {
    const { body } = await company.get(pathOf(accounts.fees));
    expect(body.entries.map((entry: { balance_after: string }) => entry.balance_after)).toEqual(['625', '1250']);
    const bank = await company.get(pathOf(accounts.bank));
    expect(bank.body).toMatchObject({ closingBalance: '-1004242', totalDebits: '1004242', totalCredits: '0' });
  });

  test('covers the last 30 days without dates, and the 30 days before an end date alone', async () => {
    const { body } = await company.get(pathOf(accounts.buyer));
    const days = (Date.parse(body.endDate) - Date.parse(body.startDate)) / 86_400_000;
    expect(days).toBeCloseTo(30, 5);
    expect(Math.abs(Date.now() - Date.parse(body.endDate))).toBeLessThan(60_000);
    const early = await company.get(pathOf(accounts.buyer, '?endDate=2024-03-31'));
    expect(early.body).toMatchObject({ startDate: '2024-03-02T00:00:00.000Z', endDate: '2024-03-31T23:59:59.999Z' });
  });

  test.each(['0001-01-01', '0001-01-01T00:00:00Z'])(
    'a window that ends on the first day, at %s, is empty',
    async (end) => {
      const { status, body } = await company.get(pathOf(accounts.buyer, `?endDate=${end}`));
      expect({ status, entries: body.entries }).toEqual({ status: 200, entries: [] });
    },
  );

  test('window edges are exact to the millisecond, both included', async () => {
    const { body: all } = await company.get(pathOf(accounts.buyer));
    const [first, second, third] = all.entries;
    const between = async (startDate: string, endDate: string) =>
      (await company.get(pathOf(accounts.buyer, `?startDate=${startDate}&endDate=${endDate}`))).body;
    const millisecond = (at: string, shift: number) => new Date(Date.parse(at) + shift).toISOString();

    const exactly = await between(second.created_at, third.created_at);
    expect(exactly.entries).toEqual([second, third]);
    expect(exactly).toMatchObject({ openingBalance: '1000000', closingBalance: '979242' });
    const inside = await between(millisecond(second.created_at, 1), millisecond(third.created_at, -1));
    expect(inside).toMatchObject({ openingBalance: '1004242', closingBalance: '1004242', entries: [] });
    const today = await between(first.created_at.slice(0, 10), all.entries.at(-1).created_at.slice(0, 10));
    expect(today.entries).toEqual(all.entries);
    const withZone = await between(encodeURIComponent(first.created_at.replace('Z', '+00:00')), all.endDate);
    expect(withZone.entries).toHaveLength(4);
  });

  test('one window ends with the balance that the next begins with', async () => {
    for (const name of names) {
      const ends = await company.get(pathOf(accounts[name], `?startDate=${before}&endDate=${after}`));
      const next = new Date(Date.parse(after) + 1).toISOString();
      const begins = await company.get(pathOf(accounts[name], `?startDate=${next}`));
      expect(begins.body.openingBalance).toBe(ends.body.closingBalance);
    }
  });
});

describe('the four formats', () => {
  const fetchFile = (account: string, query: string, headers: Record<string, string> = {}) =>
    fetchStatement(service, company, account, query, headers);
  const window = () => `startDate=${before}&endDate=${after}`;

  test.each(names)('agree on the %s account: opening, totals, closing, every entry', async (name) => {
    const json = (await company.get(pathOf(accounts[name], `?${window()}`))).body;
    const read = await readStatements(service, company, accounts[name], window());
    expect(read.json).toMatchObject({ opening: json.openingBalance, closing: json.closingBalance });
    expect(read.json.entries).toHaveLength(json.entries.length);
    expect(read.csv).toEqual(read.json);
    expect(read['camt.053']).toEqual(read.json);
    expect(read.pdf).toEqual({ ...read.json, entries: null });

    const csv = await (await fetchFile(accounts[name], `?format=csv&${window()}`)).text();
    const rows: Record<string, string>[] = parse(csv, { columns: true });
    expect(rows.filter((row) => row.record === 'ENTRY')).toMatchObject(
      json.entries.map((entry: Record<string, string>) => ({
        entry_id: entry.id,
        balance_after_cents: entry.balance_after,
      })),
    );
    const text = await textOfPdf(await fetchFile(accounts[name], `?format=pdf&${window()}`));
    for (const { transactionId } of json.entries) expect(text).toContain(transactionId);
    expect(text).toContain('Łódź & <Sons>');
    expect(text).toMatch(/Page 1 of 1/);
    for (const words of [...ISSUER, 'Value 20']) expect(text).toContain(words);
    if (name === 'fees') expect(text).toMatch(/Service fee 6\.25 \(2\.5 %\)/);
  });

  test.each([
    ['csv', 'text/csv', 'csv'],
    ['pdf', 'application/pdf', 'pdf'],
    ['camt.053', 'application/xml', 'xml'],
  ])('%s comes by ?format or Accept, as a download with a harmless name', async (format, mediaType, extension) => {
    const answers = [
      await fetchFile(accounts.buyer, `?format=${format}`),
      await fetchFile(accounts.buyer, '', { accept: mediaType }),
      await fetchFile(accounts.buyer, `?format=${format}`, { accept: 'application/json' }),
    ];
    for (const answer of answers) {
      await answer.arrayBuffer();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(new RegExp(`^${mediaType}`));
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="statement_acc_[0-9a-f-]{36}_[\\d_-]+\\.${extension}"$`),
      );
    }
  });

  test.each(['*/*', 'text/html', 'application/json', 'application/json, text/csv;q=0.5'])(
    'Accept %s: JSON',
    async (accept) => {
      const answer = await fetchFile(accounts.buyer, '', { accept });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await answer.json()).toMatchObject({ openingBalance: '0' });
    },
  );

  test('customer text is never a spreadsheet formula, and CSV quotes it by RFC 4180', async () => {
    const text = await (await fetchFile(accounts.buyer, '?format=csv')).text();
    const rows: Record<string, string>[] = parse(text, { columns: true });
    expect(rows.find((row) => row.amount_cents === '4242')).toMatchObject({
      reference: `'${NASTY.reference}`,
      description: `Deposit: ${NASTY.note.replace(';=', ";'=")}`,
    });
    // In a locale with semicolons as separators an unquoted cell would end there, and the next cell would be a formula.
    expect(text).toContain(`"Deposit: ${NASTY.note.replace(';=', ";'=")}"`);
    expect(text.split('\r\n')).toHaveLength(1 + 1 + 4 + 3 + 1);
    expect(text).not.toMatch(/[^\r]\n/);
  });

  test('text of customers is escaped in the XML', async () => {
    const file = await (await fetchFile(accounts.buyer, '?format=camt.053')).text();
    const entry = checkCamt053(file).statement.children('Ntry')[1];
    expect(entry?.textAt('NtryDtls', 'TxDtls', 'Refs', 'EndToEndId')).toBe(NASTY.reference.slice(0, 35));
    expect(entry?.textAt('NtryDtls', 'TxDtls', 'RmtInf', 'Ustrd')).toBe(NASTY.reference);
    expect(entry?.textAt('AddtlNtryInf')).toBe(`Deposit: ${NASTY.note}`);
  });

  test('camt.053 splits a reference that is longer than one element, and loses none of it', async () => {
    const market = await newCompany(service);
    const user = await newUser(market);
    const reference = 'order '.repeat(42).trim();
    const deposit = { userId: user.id, amount: 100, currency: 'USD', externalReference: reference };
    await market.post('/v1/payments/deposit', deposit);
    const file = await fetchStatement(service, market, user.usdAccountId, '?format=camt.053');
    const { statement, faults } = checkCamt053(await file.text());
    expect(faults).toEqual([]);
    const lines = statement.at('Ntry', 'NtryDtls', 'TxDtls', 'RmtInf')?.children('Ustrd') ?? [];
    expect(lines.map(({ text }) => text.length)).toEqual([140, 111]);
    expect(lines.map(({ text }) => text).join('')).toBe(reference);
  });

  test('ZIG is called ZWG towards banks, as ISO 4217 does', async () => {
    const { body: own } = await company.get('/v1/ledger/company/accounts');
    const zig = own.find((account: { currency: string }) => account.currency === 'ZIG');
    const file = await (await fetchFile(zig.id, '?format=camt.053')).text();
    const { statement, faults } = checkCamt053(file);
    expect(faults).toEqual([]);
    expect(statement.textAt('Acct', 'Ccy')).toBe('ZWG');
    expect(statement.at('Bal', 'Amt')?.attribute('Ccy')).toBe('ZWG');
  });

  test('a long statement has numbered pages that repeat the table head', async () => {
    const user = await newUser(company, { firstName: 'Ana' });
    const [account] = await sql(service, 'select id, company_id from account where id = $1', [bare(user.usdAccountId)]);
    await sql(
      service,
      `with t as (
         insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash)
         values (gen_random_uuid(), $2, 'ADJUSTMENT', 'COMPLETED', 'COMPLETED', 100, 'USD', 'many', '\\x00') returning id)
       insert into entry (transaction_id, account_id, company_id, amount, currency, balance_after, created_at)
       select t.id, $1, $2, case when n % 2 = 0 then 100 else -100 end, 'USD', case when n % 2 = 0 then 100 else 0 end,
         now() - interval '1 day' + n * interval '1 second'
       from t, generate_series(0, 199) n`,
      [account?.id, account?.company_id],
    );
    const pdf = await fetchFile(user.usdAccountId, '?format=pdf');
    const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer())));
    expect(totalPages).toBeGreaterThan(5);
    for (const [index, page] of text.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${totalPages}`);
      expect(page).toMatch(/Booked, value date\s+Details\s+Debit\s+Credit\s+Balance/);
    }
    expect(text.at(-1)).toMatch(/Totals\s+100\.00\s+100\.00\s/);
  });
});

describe('refusals', () => {
  test.each([
    ['startDate=2026-02-01&endDate=2026-01-01', 'startDate'],
    ['startDate=2999-01-01', 'startDate'],
    ['startDate=yesterday', 'startDate'],
    ['endDate=2026-02-30', 'endDate'],
    ['format=docx', 'format'],
  ])('?%s: validation_failed, and says which field', async (query, path) => {
    const refusal = await company.get(pathOf(accounts.buyer, `?${query}`));
    expect(refusal).toMatchObject(refused(400, 'validation_failed'));
    expect(refusal.body.errors).toMatchObject([{ path }]);
  });

  test('a malformed id is 400, an unknown one 404', async () => {
    expect(await company.get(pathOf('acc_x'))).toMatchObject(refused(400, 'invalid_id'));
    expect(await company.get(pathOf(nobody('acc')))).toMatchObject(refused(404, 'not_found'));
  });

  test("another company's account is 404 like an unknown one, in every format", async () => {
    for (const format of ['json', 'csv', 'pdf', 'camt.053'])
      expect(await other.get(pathOf(accounts.buyer, `?format=${format}`))).toMatchObject(refused(404, 'not_found'));
  });
});
