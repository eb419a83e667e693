import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { bare, sql } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';
import { checkCamt053 } from '../../../support/iso20022.ts';
import {
  newCompany,
  newParties,
  newUser,
  type TestCompany,
  type TestService,
  untilAnswered,
} from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { fetchStatement, textOfPdf } from '../../../support/statements.ts';
import { asked, BANK, companyAccount, ended, newHolder } from '../../../support/treasury.ts';

/** What an accountant matches: payouts with the bank's files, and lines with the people and fees behind them. */

type Line = {
  readonly transactionId: string;
  readonly type: string;
  readonly amount: string;
  readonly counterparty: unknown;
  readonly [field: string]: unknown;
};
type Listed = { readonly id: string; readonly type: string; readonly entries: { readonly accountId: string }[] };

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

/** The company as the platform's API key sees it. */
function asPlatform(company: TestCompany): TestCompany {
  const { apiKey } = service.platform;
  const request: TestCompany['request'] = (method, path, options = {}) =>
    service.request(method, path, {
      ...options,
      headers: { 'x-api-key': apiKey, 'x-company-id': company.id, ...options.headers },
    });
  return {
    ...{ ...company, apiKey, request, get: (path) => request('GET', path) },
    post: (path, body, key = randomUUID()) =>
      untilAnswered(() => request('POST', path, { headers: { 'x-idempotency-key': key }, body })),
  };
}

const statementOf = async (company: TestCompany, accountId: string, query = '') =>
  (await company.get(`/v1/ledger/accounts/${accountId}/statement${query}`)).body;
const linesOf = async (company: TestCompany, accountId: string): Promise<Line[]> =>
  (await statementOf(company, accountId)).entries;
const transactionsOf = async (company: TestCompany, ledgerId: string, query = '') =>
  (await company.get(`/v1/ledger/${ledgerId}/transactions${query}`)).body as {
    readonly data: Listed[];
    readonly total: number;
  };
/** Waits until every transaction of the company is in a block. */
const sealed = (company: TestCompany) =>
  eventually(async () => {
    const [row] = await sql(
      service,
      `select not exists (select from ledger_transaction t, seal_progress p where t.company_id = $1
         and t.position > p.final_position and not p.sealed_beyond @> t.position) as all_sealed`,
      [bare(company.id)],
    );
    return row?.all_sealed === true;
  });

describe('a payout', () => {
  async function payOut(outcome: 'settled' | 'rejected') {
    const holder = await newHolder(service, { isTaxed: true, user: { firstName: 'Tariro', lastName: 'Moyo' } });
    const body = asked(holder.accountId, 9_000);
    await service.sandbox.control('POST', '/payouts', { outcome, reference: body.externalReference });
    const { body: made } = await holder.company.post('/v1/treasury/withdraw', body);
    const withdrawal = await ended(holder.company, made.id);
    const { ledgerId } = await holder.account();
    const bank = await companyAccount(holder.company, 'BANK');
    const tax = await companyAccount(holder.company, 'TAX');
    return { ...holder, reference: body.externalReference, made, withdrawal, ledgerId, bank, tax };
  }

  test('has one id in the withdrawal, the transactions, the lines of all its accounts and all formats', async () => {
    const { company, accountId, made, withdrawal, ledgerId, bank, tax, user } = await payOut('settled');
    const paidLine = {
      transactionId: made.id,
      withdrawalId: made.id,
      end_to_end_id: withdrawal.end_to_end_id,
      reference: made.reference,
      gross: '9180',
      fee: '0',
      tax: '180',
    };
    const payee = { kind: 'BANK_ACCOUNT', id: null, name: BANK.account_name };
    const holder = { kind: 'USER', id: user.id, name: 'Tariro Moyo' };
    expect((await linesOf(company, accountId)).slice(1)).toMatchObject([
      { ...paidLine, direction: 'DEBIT', amount: '9180', counterparty: payee },
    ]);
    expect(await linesOf(company, tax.id)).toMatchObject([{ ...paidLine, amount: '180', counterparty: holder }]);
    expect(await linesOf(company, bank.id)).toMatchObject([
      { ...paidLine, direction: 'CREDIT', amount: '9000', counterparty: holder },
    ]);

    for (const when of ['at once', 'sealed']) {
      if (when === 'sealed') await sealed(company);
      const own = await transactionsOf(company, ledgerId);
      expect({ when, ...own }).toMatchObject({ when, total: 2, data: [{ id: made.id, status: 'COMPLETED' }, {}] });
      const ofCompany = await transactionsOf(company, bank.ledgerId, '?type=WITHDRAWAL');
      expect(ofCompany).toMatchObject({ total: 1, data: [{ id: made.id, amount: '9000', reference: made.reference }] });
      for (const { data } of [own, ofCompany])
        expect(data[0]?.entries.map((entry) => entry.accountId)).toEqual([accountId, bank.id, tax.id]);
    }
    const { body: filed } = await service.sandbox.control('GET', '/payouts');
    expect(filed).toContainEqual(
      expect.objectContaining({ endToEndId: withdrawal.end_to_end_id, reference: made.reference, amount: '90.00' }),
    );

    const csv = await (await fetchStatement(service, company, accountId, '?format=csv')).text();
    const rows: Record<string, string>[] = parse(csv, { columns: true });
    expect(rows.find(({ type }) => type === 'WITHDRAWAL')).toMatchObject({
      transaction_id: made.id,
      withdrawal_id: made.id,
      end_to_end_id: withdrawal.end_to_end_id,
      reference: made.reference,
      counterparty_kind: 'BANK_ACCOUNT',
      counterparty_name: BANK.account_name,
      gross_cents: '9180',
      tax_cents: '180',
    });
    const camt = checkCamt053(await (await fetchStatement(service, company, accountId, '?format=camt.053')).text());
    expect(camt.faults).toEqual([]);
    const details = camt.statement.children('Ntry')[1]?.at('NtryDtls', 'TxDtls');
    expect(details?.textAt('Refs', 'AcctSvcrRef')).toBe(bare(made.id).replaceAll('-', ''));
    expect(details?.textAt('Refs', 'EndToEndId')).toBe(withdrawal.end_to_end_id);
    expect(details?.textAt('RmtInf', 'Ustrd')).toBe(made.reference);
    expect(details?.textAt('RltdPties', 'Cdtr', 'Pty', 'Nm')).toBe(BANK.account_name);
    expect(details?.textAt('AmtDtls', 'InstdAmt', 'Amt')).toBe('91.80');
    expect(details?.textAt('Tax', 'TtlTaxAmt')).toBe('1.80');
    const pdf = await textOfPdf(await fetchStatement(service, company, accountId, '?format=pdf'));
    for (const shown of [
      made.id,
      withdrawal.end_to_end_id,
      made.reference,
      `To ${BANK.account_name}`,
      'Transfer tax 1.80 (2 %)',
    ])
      expect(pdf).toContain(shown);
    expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
  });

  test('that the bank returns has a line of its own, which names the withdrawal', async () => {
    const { company, accountId, made, ledgerId, bank } = await payOut('settled');
    const [operator] = await sql(service, 'select id from administrator where company_id = $1', [
      bare(service.platform.companyId),
    ]);
    await asPlatform(company).post(`/v1/treasury/withdrawals/${made.id}/outcome`, {
      ...{ outcome: 'NOT_PAID', adminId: `adm_${operator?.id}`, reason: 'AC04' },
    });
    const lines = (await linesOf(company, accountId)).slice(1);
    expect(lines).toMatchObject([
      { transactionId: made.id, withdrawalId: made.id, amount: '9180' },
      { type: 'REVERSAL', withdrawalId: made.id, direction: 'CREDIT', amount: '9180', gross: '9180', tax: '180' },
    ]);
    expect(lines[1]?.transactionId).not.toBe(made.id);
    for (const when of ['at once', 'sealed']) {
      if (when === 'sealed') await sealed(company);
      for (const ledger of [ledgerId, bank.ledgerId]) {
        const returned = await transactionsOf(company, ledger, '?status=REVERSED');
        expect({ when, ...returned }).toMatchObject({ when, total: 1, data: [{ id: made.id, type: 'WITHDRAWAL' }] });
        const { total } = await transactionsOf(company, ledger);
        const completed = await transactionsOf(company, ledger, '?status=COMPLETED');
        expect(completed.total).toBe(total - 1);
        expect(completed.data.map(({ type }) => type)).not.toContain('WITHDRAWAL');
      }
    }
    expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true });
  });

  test('that the bank refuses leaves no line, and is not on the ledger of the company', async () => {
    const { company, accountId, made, ledgerId, bank } = await payOut('rejected');
    expect(await linesOf(company, accountId)).toHaveLength(1);
    expect((await transactionsOf(company, ledgerId, '?type=WITHDRAWAL')).data).toMatchObject([
      { id: made.id, status: 'FAILED', entries: [] },
    ]);
    expect(await transactionsOf(company, bank.ledgerId, '?type=WITHDRAWAL')).toMatchObject({ total: 0, data: [] });
  });
});

describe('the lines of an escrow', () => {
  test('name who paid and who was paid, the gross amount and the fees', async () => {
    const company = await newCompany(service, 'Harvest Market');
    await company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 250 } });
    const names = { buyer: { firstName: 'Ana', lastName: 'Łukasz' }, seller: { firstName: '小明', lastName: '王' } };
    const { buyer, seller, escrow } = await newParties(company, 100_000, names);
    const { body: made } = await company.post('/v1/escrow/initiate', escrow());
    await company.post(`/v1/escrow/${made.id}/release`);
    // 25,000 less 2.5 % for the company and 1 % for the platform.
    const paid = { escrowId: made.id, gross: '25000', fee: '875', tax: '0', withdrawalId: null, end_to_end_id: null };
    const asBuyer = { kind: 'USER', id: buyer.id, name: 'Ana Łukasz' };
    const asSeller = { kind: 'USER', id: seller.id, name: '小明 王' };
    const [deposit, payment] = await linesOf(company, buyer.usdAccountId);
    expect(deposit).toMatchObject({
      gross: '100000',
      fee: '0',
      tax: '0',
      counterparty: { kind: 'EXTERNAL', id: null },
    });
    expect(payment).toMatchObject({ ...paid, amount: '25000', counterparty: asSeller });
    expect(await linesOf(company, seller.usdAccountId)).toMatchObject([
      { ...paid, amount: '24125', counterparty: asBuyer },
    ]);
    const fees = await companyAccount(company, 'SERVICE_FEE');
    expect(await linesOf(company, fees.id)).toMatchObject([{ ...paid, amount: '625', counterparty: asBuyer }]);
    const bank = await companyAccount(company, 'CLEARING_DECLARED');
    expect(await linesOf(company, bank.id)).toMatchObject([{ amount: '100000', counterparty: asBuyer }]);

    const camt = checkCamt053(
      await (await fetchStatement(service, company, seller.usdAccountId, '?format=camt.053')).text(),
    );
    const details = camt.statement.at('Ntry', 'NtryDtls', 'TxDtls');
    expect(details?.textAt('RltdPties', 'Dbtr', 'Pty', 'Nm')).toBe(asBuyer.name);
    expect(details?.textAt('Chrgs', 'TtlChrgsAndTaxAmt')).toBe('8.75');
  });

  test('to the company itself name the company', async () => {
    const company = await newCompany(service, 'Harvest Market');
    const { buyer } = await newParties(company, 100_000);
    const own = await companyAccount(company, 'COMPANY');
    await company.post('/v1/payments/deposit', { amount: 500, currency: 'USD', userReference: 'Opening float' });
    expect(await linesOf(company, own.id)).toMatchObject([
      { counterparty: { kind: 'EXTERNAL', id: null, name: 'Opening float' } },
    ]);
    const bank = await companyAccount(company, 'CLEARING_DECLARED');
    expect((await linesOf(company, bank.id)).map(({ counterparty }) => counterparty)).toMatchObject([
      { kind: 'USER', id: buyer.id, name: null },
      { kind: 'COMPANY', id: company.id, name: expect.stringMatching(/^Harvest Market/) },
    ]);
  });

  test('on the fee account of the platform hide the other company’s transaction', async () => {
    const company = await newCompany(service);
    const { escrow } = await newParties(company, 100_000);
    const { body: made } = await company.post('/v1/escrow/initiate', escrow());
    await company.post(`/v1/escrow/${made.id}/release`);
    const platform = asPlatform({ ...company, id: service.platform.companyId });
    const fees = await companyAccount(platform, 'SYSTEM_FEE');
    const lines = await linesOf(platform, fees.id);
    expect(lines.at(-1)).toMatchObject({
      amount: '250',
      ...{ escrowId: null, reference: null, counterparty: null, gross: null, fee: null, tax: null },
    });
  });
});

describe('held money', () => {
  test('stands at the opening and the closing of a statement, in every format', async () => {
    const company = await newCompany(service);
    const { buyer, escrow } = await newParties(company, 100_000);
    const first = await company.post('/v1/escrow/initiate', escrow());
    const between = new Date((await statementNow(company, buyer.usdAccountId)) + 1).toISOString();
    await company.post('/v1/escrow/initiate', escrow());
    await company.post(`/v1/escrow/${first.body.id}/release`);
    const whole = await statementOf(company, buyer.usdAccountId);
    expect(whole).toMatchObject({ openingHeld: '0', closingBalance: '75000', closingHeld: '25000' });
    const early = await statementOf(company, buyer.usdAccountId, `?endDate=${between}`);
    expect(early).toMatchObject({ openingHeld: '0', closingBalance: '100000', closingHeld: '25000' });
    const window = `startDate=${between}`;
    const late = await statementOf(company, buyer.usdAccountId, `?${window}`);
    expect(late).toMatchObject({ openingBalance: '100000', openingHeld: '25000', closingHeld: '25000' });

    const read = async (format: string) =>
      fetchStatement(service, company, buyer.usdAccountId, `?format=${format}&${window}`);
    const rows: Record<string, string>[] = parse(await (await read('csv')).text(), { columns: true });
    expect(rows.at(0)).toMatchObject({ record: 'OPENING_BALANCE', held_cents: '25000' });
    expect(rows.at(-1)).toMatchObject({ record: 'CLOSING_BALANCE', held_cents: '25000' });
    const { statement, faults } = checkCamt053(await (await read('camt.053')).text());
    expect(faults).toEqual([]);
    const balances = statement.children('Bal').map((one) => [one.textAt('Tp', 'CdOrPrtry', 'Cd'), one.textAt('Amt')]);
    expect(balances).toEqual([
      ['OPBD', '1000.00'],
      ['CLBD', '750.00'],
      ['OPAV', '750.00'],
      ['CLAV', '500.00'],
    ]);
    const text = await textOfPdf(await read('pdf'));
    expect(text).toMatch(/Held at opening\s+250\.00/);
    expect(text).toMatch(/Held at closing\s+250\.00/);
  });

  /** The end of a statement that is asked for now: all that was answered before is in it. */
  async function statementNow(company: TestCompany, accountId: string): Promise<number> {
    return Date.parse((await statementOf(company, accountId, `?endDate=${new Date().toISOString()}`)).endDate);
  }

  test('of a deposit in transit is held until the bank has it', async () => {
    const company = await newCompany(service);
    const user = await newUser(company);
    await company.post('/v1/payments/deposit', {
      ...{ userId: user.id, amount: 700, currency: 'USD', externalReference: 'transit-1', isTransit: true },
    });
    expect(await statementOf(company, user.usdAccountId)).toMatchObject({ closingBalance: '700', closingHeld: '700' });
    await company.post('/v1/treasury/bank/capture', { amount: 700, currency: 'USD', reference: 'transit-1' });
    expect(await statementOf(company, user.usdAccountId)).toMatchObject({ closingBalance: '700', closingHeld: '0' });
  });
});
