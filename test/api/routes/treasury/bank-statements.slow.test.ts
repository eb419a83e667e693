import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bare, refused, sql } from '../../../support/api.ts';
import { type BankDay, type BankLine, IBAN, writeBankFile, writeBankFiles } from '../../../support/bank-writer.ts';
import { eventually } from '../../../support/eventually.ts';
import { checkCamt053 } from '../../../support/iso20022.ts';
import { LINK_CENTS, offerLink } from '../../../support/links.ts';
import { randomOf } from '../../../support/random.ts';
import { done, newCompany, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, companyAccount, ended, newHolder } from '../../../support/treasury.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const STATEMENTS = '/v1/treasury/bank/statements';
const today = () => new Date().toISOString().slice(0, 10);
const credit = (fields: Partial<BankLine> = {}): BankLine => ({ amount: '25.00', sign: 'CRDT', ...fields });

/** Sends a day of the bank as the body; the account opened with nothing. */
const send = (of: TestCompany, lines: readonly BankLine[], fields: Partial<BankDay> = {}) =>
  sendFile(of, writeBankFile({ day: today(), opening: '0.00', lines, ...fields }));
const sendFile = (of: TestCompany, rawBody: string) =>
  of.request('POST', STATEMENTS, { rawBody, headers: { 'content-type': 'application/xml' } });

const capture = (of: TestCompany, reference: string, amount = 2_500) =>
  of.post('/v1/treasury/bank/capture', { amount, currency: 'USD', reference });
const reconciled = async (of: TestCompany, query = '') =>
  (await of.get(`/v1/treasury/bank/reconciliation${query}`)).body;

/** The path of the next page, or nothing. */
const nextOf = (headers: Headers) => /^<https?:\/\/[^/]+([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';

type Item = { side: string; direction: string; amount: string; currency: string };

/** The rule of every reconciliation: the open items come to the difference. */
function expectExplained({ accounts, open }: { accounts: { currency: string; difference: string }[]; open: Item[] }) {
  for (const { currency, difference } of accounts) {
    const own = open.filter((item) => item.currency === currency);
    const sum = own.reduce((total, { side, direction, amount }) => {
      const signed = direction === 'CREDIT' ? BigInt(amount) : -BigInt(amount);
      return side === 'BANK' ? total + signed : total - signed;
    }, 0n);
    expect([currency, difference]).toEqual([currency, sum.toString()]);
  }
}

const balancesOf = async (of: TestCompany) =>
  (await of.get('/v1/ledger/company/accounts')).body.map(({ type, balance }: Record<string, string>) => [
    type,
    balance,
  ]);

/** A company with three captures, and the answer to a statement that confirms them. */
async function confirmed() {
  const of = await newCompany(service);
  for (const reference of ['INV-1', 'INV-2', 'INV-3']) await capture(of, reference);
  const before = await balancesOf(of);
  const answer = await send(of, [
    credit({ ref: 'B1', endToEndId: 'inv-1' }),
    credit({ ref: 'B2', text: ' INV-2 ' }),
    credit({ ref: 'B3', structured: 'INV-3' }),
    credit({ ref: 'B4', text: 'unknown' }),
    credit({ ref: 'B5', text: 'INV-1', status: 'PDNG' }),
  ]);
  return { of, before, answer };
}

/** Sends an entry of that statement again, and a new one, in a form. */
function sendAgain(of: TestCompany) {
  const form = new FormData();
  const lines = [credit({ ref: 'B1', endToEndId: 'inv-1' }), credit({ ref: 'B9', text: 'new' })];
  form.set('file', new Blob([writeBankFile({ day: today(), opening: '0.00', lines, version: '02' })]));
  return of.request('POST', STATEMENTS, { form });
}

describe('a statement of the bank', () => {
  test('keeps its entries in the order of the file, when others are known already too', async () => {
    const of = await newCompany(service);
    const numbered = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) =>
        credit({ ref: `O${from + index}`, text: `order ${from + index}` }),
      );
    await send(of, numbered(0, 40));
    const { body } = await send(of, [...numbered(20, 40), ...numbered(60, 80), ...numbered(40, 60)]);
    const { lines } = (await of.get(`${STATEMENTS}/${body.id}?limit=100`)).body;
    const wanted = [...numbered(60, 80), ...numbered(40, 60)].map(({ text }) => ({ reference: text }));
    expect(lines).toMatchObject(wanted);
  });

  test('confirms captures by EndToEndId, remittance text or structured reference, and books nothing', async () => {
    const { of, before, answer } = await confirmed();
    const { status, body } = answer;
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...{ id: expect.stringMatching(/^bst_/), account: IBAN, currency: 'USD', from: today(), to: today() },
        ...{ openingBalance: '0', closingBalance: '10000', entries: 4, matched: 3, open: 1, duplicates: 0 },
      },
    });
    expect(await balancesOf(of)).toEqual(before);
    const found = await reconciled(of);
    expectExplained(found);
    expect(found.accounts).toEqual([
      { account: IBAN, currency: 'USD', bankBalance: '10000', bookBalance: '7500', difference: '2500' },
    ]);
    expect(found.open).toEqual([
      {
        ...{
          side: 'BANK',
          kind: 'ENTRY',
          id: expect.stringMatching(/^bke_/),
          direction: 'CREDIT',
          reference: 'unknown',
        },
        ...{ amount: '2500', currency: 'USD', date: today(), ageDays: 0 },
      },
    ]);
  });

  test('that comes again, as another file or in a form, counts each entry once', async () => {
    const { of } = await confirmed();
    expect(await sendAgain(of)).toMatchObject({
      status: 201,
      body: { entries: 2, matched: 0, open: 1, duplicates: 1 },
    });
  });

  test('that comes again with the payments of a batch, or without them, counts it once', async () => {
    const of = await newCompany(service);
    const whole = credit({ amount: '30.00', ref: 'BATCH' });
    const batch = ['A', 'B', 'C'].map((endToEndId) => ({ amount: '10.00', endToEndId }));
    const first = await done(
      send(of, [
        whole,
        credit({ ref: 'C2', batch: batch.map((one) => ({ ...one, amount: '5.00' })), amount: '15.00' }),
      ]),
    );
    expect(first.body).toMatchObject({ entries: 2, duplicates: 0, open: 2 });
    const again = await done(send(of, [{ ...whole, batch }, credit({ ref: 'C2', amount: '15.00' })]));
    expect(again.body).toMatchObject({ entries: 2, duplicates: 2, open: 0 });
    const { open, ...found } = await reconciled(of);
    expectExplained({ ...found, open });
    expect(open.map(({ amount }: Item) => amount).sort()).toEqual(['3000', '500', '500', '500']);
  });

  test('with an entry in two forms counts it once, also in another statement of the file', async () => {
    const of = await newCompany(service);
    const fields = { day: today(), opening: '0.00', closing: '30.00' };
    const batch = ['A', 'B'].map((endToEndId) => ({ amount: '15.00', endToEndId }));
    for (const ref of ['B1', '']) {
      const whole = credit({ amount: '30.00', ref, batch });
      const both = { ...fields, account: `4711${ref}`, lines: [{ ...whole, isSummary: true }, whole] };
      const { body } = await done(sendFile(of, writeBankFiles([both, { ...both, lines: [credit({ ...whole })] }])));
      expect(body.statements).toMatchObject([
        { entries: 2, duplicates: 1, open: 1 },
        { entries: 1, duplicates: 1, open: 0 },
      ]);
    }
    expect((await reconciled(of)).open).toMatchObject(Array(4).fill({ kind: 'ENTRY', amount: '1500' }));
  });

  test('is listed, and read with its entries', async () => {
    const { of } = await confirmed();
    await sendAgain(of);
    const { body } = await of.get(STATEMENTS);
    expect(body).toMatchObject({ total: 2, limit: 20, offset: 0, data: [{ entries: 2 }, { entries: 4, open: 1 }] });
    const one = await of.get(`${STATEMENTS}/${body.data[1].id}?status=OPEN`);
    expect(one.body).toMatchObject({ ...body.data[1], lines: [{ reference: 'unknown', status: 'OPEN', match: null }] });
    expect(await of.get(`${STATEMENTS}/bst_01900000-0000-7000-8000-000000000001`)).toMatchObject(
      refused(404, 'not_found'),
    );
  });

  test('whose receipt is captured later matches it then', async () => {
    const { of } = await confirmed();
    const { id } = (await sendAgain(of)).body;
    const { body } = await capture(of, 'new');
    expect((await of.get(`${STATEMENTS}/${id}`)).body).toMatchObject({
      ...{ matched: 1, open: 0 },
      lines: [{ status: 'MATCHED', match: { kind: 'CAPTURE', id: body.id } }],
    });
  });

  test('also matches an earlier entry that was stored at the same time as its receipt was captured', async () => {
    const of = await newCompany(service);
    await capture(of, 'AT-ONCE');
    const { body } = await send(of, []);
    // Neither transaction saw the other, so nothing matched them.
    await sql(
      service,
      `insert into bank_entry (id, company_id, statement_id, account, currency, entry_key, part, direction, amount_cents, date, is_reversal, search)
       values (gen_random_uuid(), $1, $2, $3, 'USD', 'at once', 1, 'CREDIT', 2500, $4, false, '{at-once}')`,
      [bare(of.id), bare(body.id), IBAN, today()],
    );
    expect((await reconciled(of)).open).toHaveLength(3);
    await send(of, [], { opening: '25.00' });
    expect((await reconciled(of)).open).toEqual([]);
  });

  test('of several accounts in one file: each is stored, and all are matched', async () => {
    const of = await newCompany(service);
    for (const reference of ['A-1', 'B-1']) await capture(of, reference);
    await of.post('/v1/treasury/bank/capture', { amount: 700, currency: 'ZIG', reference: 'C-1' });
    const fields = { day: today(), opening: '0.00' };
    const { status, body } = await sendFile(
      of,
      writeBankFiles([
        { ...fields, lines: [credit({ text: 'A-1' })] },
        { ...fields, account: '4711', lines: [credit({ text: 'B-1' }), credit({ text: 'nobody' })] },
        { ...fields, currency: 'ZWG', lines: [credit({ amount: '7.00', currency: 'ZWG', text: 'C-1' })] },
      ]),
    );
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...{ account: IBAN, currency: 'USD', entries: 1, matched: 1, open: 0 },
        statements: [
          { id: body.id, account: IBAN, currency: 'USD', entries: 1, matched: 1, open: 0 },
          { account: '4711', currency: 'USD', entries: 2, matched: 1, open: 1 },
          { account: IBAN, currency: 'ZIG', entries: 1, matched: 1, open: 0 },
        ],
      },
    });
    const found = await reconciled(of);
    expectExplained(found);
    expect(found.accounts).toMatchObject([
      { account: `4711, ${IBAN}`, currency: 'USD', bankBalance: '7500', bookBalance: '5000' },
      { account: IBAN, currency: 'ZIG', difference: '0' },
    ]);
    expect((await of.get(STATEMENTS)).body.total).toBe(3);
  });

  test('is stored with all others of its file, or none is', async () => {
    const of = await newCompany(service);
    const fields = { day: today(), opening: '0.00', lines: [] };
    const file = writeBankFiles([fields, { ...fields, account: '4711', closing: '1.00' }]);
    expect(await sendFile(of, file)).toMatchObject(refused(422, 'statement_invalid'));
    expect((await of.get(STATEMENTS)).body.total).toBe(0);
  });

  test('pairs equal payments one to one', async () => {
    const of = await newCompany(service);
    await capture(of, 'RENT');
    const { body } = await send(of, [credit({ text: 'RENT' }), credit({ text: 'RENT' })]);
    expect(body).toMatchObject({ entries: 2, matched: 1, open: 1 });
    await capture(of, 'rent');
    expect((await reconciled(of)).open).toEqual([]);
  });

  test('gives each entry in turn the oldest receipt that is left for its texts and amount', async () => {
    const of = await newCompany(service);
    const below = randomOf(35);
    const names = ['a', 'b', 'c'];
    const pick = () => names[below(names.length)] ?? '';
    const receipts: { reference: string; cents: number; id: string }[] = [];
    for (let made = 0; made < 20; made += 1) {
      const [reference, cents] = [pick(), 1_000 + below(2)];
      receipts.push({ reference, cents, id: (await done(capture(of, reference, cents))).body.id });
    }
    const lines = Array.from({ length: 24 }, () =>
      credit({ amount: `10.0${below(2)}`, endToEndId: pick(), text: pick().toUpperCase() }),
    );
    const { body } = await done(send(of, lines));
    const { lines: stored } = (await of.get(`${STATEMENTS}/${body.id}`)).body;
    type Stored = { id: string; amount: string; endToEndId: string; reference: string; match: { id: string } | null };
    const inTurn = (stored as Stored[]).sort((a, b) => (bare(a.id) < bare(b.id) ? -1 : 1)); // entries of one day
    const wanted = inTurn.map(({ amount, endToEndId, reference }) => {
      const texts = [endToEndId, reference.toLowerCase()];
      const at = receipts.findIndex((one) => texts.includes(one.reference) && one.cents === Number(amount));
      return at === -1 ? null : receipts.splice(at, 1)[0]?.id;
    });
    expect(inTurn.map(({ match }) => match?.id ?? null)).toEqual(wanted);
    expect([inTurn.length, new Set(wanted).size > 10]).toEqual([24, true]);
  });

  test.each([
    ['a file that is not a statement', 'hello', 422, 'statement_invalid'],
    [
      'a file that does not add up',
      writeBankFile({ day: '2026-01-31', opening: '0.00', lines: [], closing: '1.00' }),
      422,
      'statement_invalid',
    ],
    [
      'a document type',
      writeBankFile({ day: '2026-01-31', opening: '0.00', lines: [] }).replace(
        '<Document',
        '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document',
      ),
      422,
      'statement_invalid',
    ],
    ['nothing', '', 400, 'validation_failed'],
  ])('refuses %s', async (_what, body, status, code) => {
    expect(await sendFile(await newCompany(service), body)).toMatchObject(refused(status, code));
  });
});

describe('payouts', () => {
  test('are confirmed by their EndToEndId, in a batch too, once they are paid here', async () => {
    const holder = await newHolder(service, { balance: 10_000 });
    const of = holder.company;
    const paid = [];
    for (const amount of [3_000, 2_000]) {
      const { body } = await of.post('/v1/treasury/withdraw', asked(holder.accountId, amount));
      paid.push(await ended(of, body.id));
    }
    const { body } = await of.post('/v1/treasury/withdraw', {
      ...asked(holder.accountId, 1_000),
      externalReference: `sandbox-manual-${holder.user.id}`,
    });
    const open = (await of.get(`/v1/treasury/withdrawals/${body.id}`)).body;
    const batch = [
      { amount: '30.00', endToEndId: paid[0].end_to_end_id },
      { amount: '20.00', endToEndId: paid[1].end_to_end_id },
    ];
    const sent = await send(of, [
      { amount: '50.00', sign: 'DBIT', batch },
      { amount: '10.00', sign: 'DBIT', endToEndId: open.end_to_end_id },
    ]);
    expect(sent.body).toMatchObject({ closingBalance: '-6000', entries: 2, matched: 1, open: 1 });
    expectExplained(await reconciled(of));
    await service.sandbox.control('POST', '/payouts', { outcome: 'settled', reference: open.reference });
    await ended(of, body.id);
    expect((await reconciled(of)).open).toEqual([]);
  });
});

test("the lines of an account count from the bank's value date on, once the bank confirms their money", async () => {
  const { company: of, user } = await newHolder(service, { balance: 1_000 });
  const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
  const deposit = { userId: user.id, amount: 2_500, currency: 'USD', externalReference: 'T-1', isTransit: true };
  await done(of.post('/v1/payments/deposit', deposit));
  for (const reference of ['T-1', 'S-1']) await done(capture(of, reference));
  const [stray] = (await of.get('/v1/treasury/captures?matchedTo=SUSPENSE')).body.data;
  await done(of.post(`/v1/treasury/captures/${stray.id}/assign`, { userId: user.id }));
  const path = `/v1/ledger/accounts/${user.usdAccountId}/statement?format=camt.053`;
  const valueDates = async () => {
    const { statement, faults } = checkCamt053((await done(of.get(path))).body);
    expect(faults).toEqual([]);
    return statement.children('Ntry').map((entry) => entry.at('ValDt')?.textAt('Dt') ?? 'booked');
  };
  expect(await valueDates()).toEqual(['booked', 'booked', 'booked']);
  await done(
    send(of, [
      credit({ ref: 'V1', text: 'T-1', valueDay: day(3) }),
      credit({ ref: 'V2', text: 'S-1', valueDay: day(2) }),
    ]),
  );
  expect(await valueDates()).toEqual(['booked', day(3), day(2)]);
});

describe('settlements', () => {
  /** A company with one card payment of LINK_CENTS. */
  async function paidByCard() {
    const of = await newCompany(service);
    const link = await offerLink(service, of);
    const { body } = await link.say('eft-pay/initiate');
    await service.sandbox.settle(body.checkoutId, 'success');
    await eventually(async () => (await link.details()).status === 'ACCEPTED');
    return of;
  }
  const balanceOf = async (of: TestCompany, type: string) => (await companyAccount(of, type))?.balance;

  test('clear the card payments that they pay, less the fee, which the company bears', async () => {
    const of = await paidByCard();
    await of.request('PATCH', '/v1/core/companies/me', {
      body: { settlement_references: { card: 'Peach Payments' }, settlement_fee_basis_points: 300 },
    });
    expect((await of.get('/v1/core/companies/me')).body).toMatchObject({
      settlement_references: { card: 'Peach Payments', mobile: null },
      settlement_fee_basis_points: 300,
    });
    expect(await balanceOf(of, 'CLEARING_CARD')).toBe(String(-LINK_CENTS));
    const { body } = await send(of, [credit({ amount: '243.75', text: 'PEACH PAYMENTS 0131' })]);
    expect(body).toMatchObject({ matched: 1, open: 0 });
    expect(await balanceOf(of, 'CLEARING_CARD')).toBe('0');
    expect(await balanceOf(of, 'BANK')).toBe('-24375');
    // The company has no money of its own yet, so it owes the fee.
    expect((await of.get('/v1/treasury/receivables')).body.data).toMatchObject([{ reason: 'FEE', amount: '625' }]);
    expect(await reconciled(of)).toMatchObject({ accounts: [{ difference: '0' }], open: [] });
    const { body: flow } = await of.get('/v1/ledger/stats/cashflow?currency=USD&interval=month');
    const total = (name: 'inflow' | 'outflow') =>
      flow.series.reduce((sum: number, row: Record<string, string>) => sum + Number(row[name]), 0);
    expect([total('inflow'), total('outflow')]).toEqual([LINK_CENTS, 625]);
    expect((await of.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
  });

  test('that are short by more than the fee wait for a person, who settles them or books a fee', async () => {
    const of = await paidByCard();
    await of.request('PATCH', '/v1/core/companies/me', { body: { settlement_references: { card: 'PEACH' } } });
    await send(of, [credit({ amount: '240.00', text: 'PEACH' }), { amount: '1.50', sign: 'DBIT', text: 'Charges' }]);
    const [settlement, charge] = (await reconciled(of)).open;
    const match = (id: string, body: object) => of.post(`/v1/treasury/bank/entries/${id}/match`, body);
    expect(await match(settlement.id, { kind: 'CARD_SETTLEMENT' })).toMatchObject({
      status: 200,
      body: { id: settlement.id, status: 'MATCHED', match: { kind: 'CARD_SETTLEMENT' } },
    });
    expect(await match(settlement.id, { kind: 'CARD_SETTLEMENT' })).toMatchObject(refused(409, 'wrong_state'));
    expect(await match(charge.id, { kind: 'FEE' })).toMatchObject({ status: 200, body: { match: { kind: 'FEE' } } });
    expect([await balanceOf(of, 'CLEARING_CARD'), await balanceOf(of, 'BANK')]).toEqual(['-1000', '-23850']);
    expect(await reconciled(of)).toMatchObject({
      accounts: [{ bankBalance: '23850', difference: '0' }],
      open: [],
      clearing: expect.arrayContaining([{ type: 'CLEARING_CARD', currency: 'USD', balance: '1000' }]),
    });
    expect((await of.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
  });
});

describe('a match by hand', () => {
  test('names a payout, or says that mobile money has paid', async () => {
    const holder = await newHolder(service, { balance: 10_000 });
    const of = holder.company;
    const paid = await ended(of, (await of.post('/v1/treasury/withdraw', asked(holder.accountId, 3_000))).body.id);
    const link = await offerLink(service, of);
    await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'approve');
    await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
    await send(of, [
      { amount: '30.00', sign: 'DBIT', text: 'cut off' },
      credit({ amount: '250.00', text: 'operator' }),
    ]);
    const [payout, settlement] = (await reconciled(of)).open.filter(({ side }: Item) => side === 'BANK');
    const match = (id: string, body: object) => of.post(`/v1/treasury/bank/entries/${id}/match`, body);
    expect(await match(settlement.id, { kind: 'PAYOUT', id: paid.id })).toMatchObject(refused(409, 'wrong_state'));
    expect(await match(payout.id, { kind: 'PAYOUT', id: paid.id })).toMatchObject({
      status: 200,
      body: { status: 'MATCHED', match: { kind: 'PAYOUT', id: paid.id } },
    });
    expect(await match(settlement.id, { kind: 'MOBILE_SETTLEMENT' })).toMatchObject({
      status: 200,
      body: { match: { kind: 'MOBILE_SETTLEMENT' } },
    });
    expect((await companyAccount(of, 'CLEARING_MOBILE')).balance).toBe('0');
    expect(await reconciled(of)).toMatchObject({ accounts: [{ bankBalance: '22000', difference: '0' }], open: [] });
  });

  test('names a capture or a payout of the same direction and amount, which nothing confirms yet', async () => {
    const of = await newCompany(service);
    const { body: receipt } = await capture(of, 'INV-9');
    await send(of, [credit({ text: 'IVN-9' }), credit({ amount: '24.00', text: 'other' })]);
    const [typo, other] = (await reconciled(of)).open.filter(({ side }: Item) => side === 'BANK');
    const match = (id: string, body: object) => of.post(`/v1/treasury/bank/entries/${id}/match`, body);
    expect(await match(other.id, { kind: 'CAPTURE', id: receipt.id })).toMatchObject(refused(409, 'wrong_state'));
    expect(await match(typo.id, { kind: 'PAYOUT', id: receipt.id })).toMatchObject(refused(409, 'wrong_state'));
    expect(await match(typo.id, { kind: 'CAPTURE' })).toMatchObject(refused(400, 'validation_failed'));
    expect(await match(typo.id, { kind: 'CAPTURE', id: receipt.id })).toMatchObject({
      status: 200,
      body: { match: { kind: 'CAPTURE', id: receipt.id } },
    });
    expect((await reconciled(of)).open).toMatchObject([{ id: other.id }]);
    expect(await match('bke_01900000-0000-7000-8000-000000000001', { kind: 'FEE' })).toMatchObject(
      refused(404, 'not_found'),
    );
  });
});

describe('the reconciliation at an instant', () => {
  const early = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

  test('leaves out a statement that has not ended, and the entries that only this has', async () => {
    const of = await newCompany(service);
    await sendFile(of, writeBankFile({ day: early(9), opening: '0.00', lines: [credit({ text: 'first' })] }));
    // One of a month: its entries are of earlier days than its end.
    const lines = [credit({ text: 'first', day: early(9) }), credit({ text: 'second', day: early(5) })];
    await sendFile(of, writeBankFile({ day: early(1), opening: '0.00', lines }));
    const then = await reconciled(of, `?at=${early(3)}`);
    expectExplained(then);
    expect(then).toMatchObject({
      accounts: [{ bankBalance: '2500', bookBalance: '0' }],
      open: [{ reference: 'first', ageDays: 6 }],
    });
    const now = await reconciled(of);
    expectExplained(now);
    expect(now.open).toMatchObject([{ reference: 'first' }, { reference: 'second' }]);
  });

  test('lists its open items in pages of one instant, and sums all of them', async () => {
    const of = await newCompany(service);
    const lines = Array.from({ length: 4 }, (_, index) => credit({ text: `B-${index}`, ref: `R${index}` }));
    const { body: sent } = await send(of, [...lines, { amount: '10.00', sign: 'DBIT', text: 'charge' }], {
      opening: '7.00',
    });
    await capture(of, 'unknown at the bank');
    const whole = await reconciled(of);
    expectExplained(whole);
    const totals = [
      { currency: 'USD', side: 'BANK', count: 6, amount: '9700' },
      { currency: 'USD', side: 'BOOKS', count: 1, amount: '2500' },
    ];
    expect(whole).toMatchObject({ totals, total: 7, limit: 10_000, offset: 0 });
    const pages = [];
    for (let path = '/v1/treasury/bank/reconciliation?limit=3'; path !== ''; ) {
      const { body, headers } = await done(of.get(path));
      expect([body.totals, headers.get('x-total-count')]).toEqual([totals, '7']);
      pages.push(body);
      path = nextOf(headers);
      await capture(of, `after page ${pages.length}`);
    }
    expect(pages.map(({ offset, open }) => [offset, open.length])).toEqual([
      [0, 3],
      [3, 3],
      [6, 1],
    ]);
    expect(new Set(pages.map(({ at }) => at)).size).toBe(1);
    expect(pages.flatMap(({ open }) => open)).toEqual(whole.open);
    const page = await done(of.get(`${STATEMENTS}/${sent.id}?limit=3`));
    const rest = await done(of.get(nextOf(page.headers)));
    expect([...page.body.lines, ...rest.body.lines]).toHaveLength(5);
    expect(nextOf(rest.headers)).toBe('');
  });

  test("begins the bank's days in the time zone of the company", async () => {
    const of = await newCompany(service);
    await of.request('PATCH', '/v1/core/companies/me', { body: { time_zone: 'America/New_York' } });
    await sendFile(of, writeBankFile({ day: '2026-01-31', opening: '0.00', lines: [credit({ text: 'January' })] }));
    await sendFile(of, writeBankFile({ day: '2026-02-01', opening: '25.00', lines: [credit({ text: 'February' })] }));
    // The end of January in New York.
    const found = await reconciled(of, '?at=2026-02-01T05:00:00Z');
    expectExplained(found);
    expect(found.open).toMatchObject([{ reference: 'January' }]);
    expect((await reconciled(of, '?at=2026-02-01T05:00:01Z')).open).toHaveLength(2);
  });

  test('waits for a posting that began before it, and is always explained while money moves', async () => {
    const of = await newCompany(service);
    await send(
      of,
      Array.from({ length: 12 }, (_, index) => credit({ text: `R-${index}` })),
    );
    const captures = Promise.all(Array.from({ length: 12 }, (_, index) => capture(of, `R-${index}`)));
    let isCaptured = false;
    void captures.finally(() => {
      isCaptured = true;
    });
    const seen = [];
    do seen.push(await reconciled(of));
    while (!isCaptured);
    for (const found of seen) expectExplained(found);
    for (const { at } of seen) expectExplained(await reconciled(of, `?at=${at}`));
    expect((await reconciled(of)).open).toEqual([]);
  });

  test('counts the bank and the books until then, and shows what came before the first statement', async () => {
    const of = await newCompany(service);
    await capture(of, 'INV-1');
    await send(of, [credit({ text: 'INV-1' })], { opening: '70.00' });
    const found = await reconciled(of);
    expectExplained(found);
    expect(found.open).toMatchObject([{ side: 'BANK', kind: 'BALANCE', direction: 'CREDIT', amount: '7000' }]);
    expect(await reconciled(of, '?at=2020-01-01')).toMatchObject({
      at: '2020-01-01T00:00:00.000Z',
      accounts: [],
      open: [],
    });
    // The bank's day began before its receipt was captured.
    const early = await reconciled(of, `?at=${today()}T00:00:00.001Z`);
    expectExplained(early);
    expect(early.accounts).toMatchObject([{ bankBalance: '9500', bookBalance: '0' }]);
    expect(await of.get('/v1/treasury/bank/reconciliation?at=2999-01-01')).toMatchObject(
      refused(400, 'validation_failed'),
    );
  });
});
