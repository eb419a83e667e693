import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bare } from '../support/api.ts';
import { type BankLine, closingOf, writeBankFile } from '../support/bank-writer.ts';
import { eventually } from '../support/eventually.ts';
import { LINK_CENTS, offerLink, type TestLink } from '../support/links.ts';
import {
  done,
  newCompany,
  newUser,
  type TestCompany,
  type TestService,
  type TestUser,
  untilAnswered,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { sql } from '../support/sql.ts';
import { together } from '../support/together.ts';
import { asked, ended } from '../support/treasury.ts';

/**
 * A month of bookkeeping through the API alone: 30 closing instants. Buyers pay by transfer, card and mobile money; sellers are paid out; a card payment
 * in ten is charged back. Each morning the bookkeeper sends the bank's file of the day before, records its receipts, matches what is
 * left, and closes with the reports of that instant: debit equals credit, the bank's balance is the bank's, the open items come to the
 * difference and each of them is explained, and every report says the same as the others. At the end of the month the reports of all
 * closing instants are what they were.
 *
 * The bank, the gateway and mobile money keep books of their own here, and make the mistakes that they make. `npm run month` runs 50
 * companies and 2,000 escrows.
 */

const DAYS = 30;
const COMPANIES = Number(process.env.MONTH_COMPANIES ?? 2);
const ESCROWS = Number(process.env.MONTH_ESCROWS ?? 60);
const PRICE_CENTS = 10_000;
/** Of the whole test: a machine that is busy needs about a second for an escrow. */
const LIMIT_MS = 120_000 + 4_000 * ESCROWS;
/** What a seller gets of it: the platform's fee is 1 %. */
const PAYOUT_CENTS = 9_900;
/** The gateway keeps 2.9 %, mobile money 1 %: in thousandths. */
const FEES = { card: 29n, mobile: 10n } as const;
/** Bank days lie in the past, because the books are kept in real time. */
const dayOf = (day: number) => new Date(Date.now() - (DAYS + 4 - day) * 86_400_000).toISOString().slice(0, 10);
const decimal = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

type Item = {
  readonly id: string;
  readonly side: 'BANK' | 'BOOKS';
  readonly kind: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly reference: string | null;
  readonly amount: string;
};
type Reconciliation = {
  readonly accounts: readonly {
    readonly bankBalance: string;
    readonly bookBalance: string;
    readonly difference: string;
  }[];
  readonly open: readonly Item[];
};
type TrialBalance = {
  readonly lines: readonly {
    readonly type: string;
    readonly currency: string;
    readonly debit: string;
    readonly credit: string;
  }[];
  readonly totals: readonly { readonly currency: string; readonly debit: string; readonly credit: string }[];
};
type Liabilities = { readonly totals: readonly { readonly balance: string }[] };
type Receivables = { readonly totals: readonly { readonly remaining_amount: string }[] };
type Revenue = { readonly totals: readonly { readonly amount: string }[] };
type Kind = 'transfer' | 'card' | 'mobile';

/** What the run prints at its end. */
const figures = {
  files: 0,
  entries: 0,
  matchedByFile: 0,
  receipts: 0,
  matchedByHand: 0,
  payouts: 0,
  openAtClosings: 0,
};

/** A company, its bookkeeper, and its accounts at the bank, the gateway and mobile money. */
class Shop {
  readonly #service: TestService;
  readonly #company: TestCompany;
  readonly #buyer: TestUser;
  readonly #seller: TestUser;
  readonly #users: string[];
  /** The bank's own books: its balance, and what it has not written into a file yet. */
  #balance = 0n;
  #lines: BankLine[] = [];
  /** What the gateway and mobile money owe. */
  readonly #owed = { card: 0n, mobile: 0n };
  /** Payouts that the bank pays today, and those that it has paid since its last file, by their ids. */
  #asked: { readonly id: string; readonly amount: number }[] = [];
  #paidToday = new Set<string>();
  #transfers = 0;
  /** What the seller has earned since the last payout. */
  #due = 0;
  readonly #cards: { link: TestLink; checkoutId: string }[] = [];
  /** The reports of each closing, as they were taken. */
  readonly #closings: { at: string; reports: readonly unknown[] }[] = [];

  private constructor(service: TestService, company: TestCompany, buyer: TestUser, seller: TestUser) {
    this.#service = service;
    this.#company = company;
    this.#buyer = buyer;
    this.#seller = seller;
    this.#users = [buyer.id, seller.id];
  }

  /** As in the database. */
  get companyId(): string {
    return bare(this.#company.id);
  }

  static async open(service: TestService): Promise<Shop> {
    const company = await newCompany(service);
    await done(
      company.request('PATCH', '/v1/core/companies/me', {
        body: {
          settlement_references: { card: 'GATEWAY', mobile: 'MOMO' },
          settlement_fee_basis_points: 300,
        },
      }),
    );
    const buyer = await newUser(company, { customReference: `BUYER-${randomUUID().slice(0, 8)}` });
    return new Shop(service, company, buyer, await newUser(company));
  }

  // The world outside

  /** One order of the day. A transfer is paid today, and its escrow begins when the bank's file has it. */
  async sell(kind: Kind): Promise<void> {
    if (kind === 'transfer') {
      this.#transfers += 1;
      this.#book({ amount: decimal(BigInt(PRICE_CENTS)), sign: 'CRDT', text: await this.#reference() });
      return;
    }
    const link = await offerLink(this.#service, this.#company, { sellerId: this.#seller.id });
    this.#users.push(link.buyer.id);
    if (kind === 'card') {
      const { body } = await link.say('eft-pay/initiate');
      await this.#service.sandbox.settle(body.checkoutId, 'success');
      await eventually(async () => (await link.verify(body.checkoutId)).body.status === 'ACCEPTED');
      this.#cards.push({ link, checkoutId: body.checkoutId });
    } else {
      await this.#service.sandbox.mobileMoney(link.buyer.mobileNumber, 'approve');
      const { body } = await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
      expect(['ACCEPTED', 'PROCESSING']).toContain(body.status); // a busy machine may take longer than the API waits
      await eventually(async () => (await link.details()).status === 'ACCEPTED');
      await done(this.#company.post(`/v1/escrow/${link.escrowId}/release`));
    }
    this.#owed[kind] += BigInt(LINK_CENTS);
  }

  async chargeBack(): Promise<void> {
    const paid = this.#cards.pop();
    if (paid === undefined) return;
    await this.#service.sandbox.change(paid.checkoutId, 'CB');
    await eventually(async () => (await paid.link.events()).includes('TAKEN_BACK'));
    this.#owed.card -= BigInt(LINK_CENTS);
  }

  #book(line: BankLine): void {
    this.#lines.push({ ref: `B${randomUUID().slice(0, 12)}`, ...line });
  }

  /** What the bank books at night: settlements, and its own mistakes. */
  #night(day: number): void {
    for (const [kind, text] of [
      ['card', 'GATEWAY settlement'],
      ['mobile', 'MOMO payout'],
    ] as const) {
      const gross = this.#owed[kind];
      if (gross <= 0n) continue; // it keeps what was charged back, and sets it off later
      this.#owed[kind] = 0n;
      this.#book({ amount: decimal(gross - (gross * FEES[kind]) / 1_000n), sign: 'CRDT', text: `${text} ${day}` });
    }
    if (day % 7 === 3) this.#book({ amount: '1.50', sign: 'DBIT', text: 'Account charges' });
    if (day % 7 === 5) this.#book({ amount: '99.00', sign: 'DBIT', text: 'Cheque 77', ref: `CHQ-${day}` });
    if (day % 7 === 6)
      this.#book({ amount: '99.00', sign: 'CRDT', text: 'Cheque 77', ref: `CHQ-${day - 1}`, isReversal: true });
  }

  /** The file of the day. It comes in both versions, with and without the bank's references, with an entry that is not booked yet. */
  #file(day: number): string {
    const lines = day % 2 === 0 ? this.#lines : this.#lines.map(({ ref: _ref, ...line }) => line);
    const pending: BankLine = { amount: '5.00', sign: 'CRDT', text: 'pending', status: 'PDNG' };
    const opening = decimal(this.#balance < 0n ? -this.#balance : this.#balance);
    const written = {
      ...{ day: dayOf(day), opening: `${this.#balance < 0n ? '-' : ''}${opening}`, lines: [...lines, pending] },
      version: day % 3 === 0 ? ('02' as const) : ('08' as const),
    };
    this.#balance = BigInt(closingOf(written).replace('.', ''));
    this.#lines = [];
    return writeBankFile(written);
  }

  // The bookkeeper

  async #reference(): Promise<string> {
    const path = `/v1/identity/users/${this.#buyer.id}`;
    return (await this.#report<{ customReference: string }>(path)).customReference;
  }

  #send(file: string) {
    return untilAnswered((key) =>
      this.#company.request('POST', '/v1/treasury/bank/statements', {
        rawBody: file,
        headers: { 'content-type': 'application/xml', 'x-idempotency-key': key },
      }),
    );
  }

  /** The morning after: the bank's file, receipts, matches, and payouts. */
  async receive(day: number): Promise<void> {
    this.#night(day);
    const file = this.#file(day);
    this.#paidToday = new Set();
    if (day % 7 === 2) {
      const broken = file.replace(
        /(<Cd>CLBD<\/Cd>.*?<Amt Ccy="USD">)(\d+)/s,
        (_all, before, whole) => `${before}${whole}1`,
      );
      expect(await this.#send(broken)).toMatchObject({ status: 422, body: { code: 'statement_invalid' } });
    }
    const sent = await done(this.#send(file));
    figures.files += 1;
    figures.entries += sent.body.entries;
    figures.matchedByFile += sent.body.matched;
    if (day % 7 === 1)
      expect((await done(this.#send(file))).body).toMatchObject({ duplicates: sent.body.entries, matched: 0, open: 0 });
    for (const item of (await this.#reconciled()).open.filter(({ side }) => side === 'BANK')) await this.#explain(item);
    await this.#sellTransfers();
    await this.#askPayout(day);
  }

  /** A receipt is recorded, which matches it; charges and what the bank took by mistake and gave back are matched by hand. */
  async #explain({ id, direction, amount, reference }: Item): Promise<void> {
    if (direction === 'CREDIT' && reference === (await this.#reference())) {
      const body = { amount: Number(amount), currency: 'USD', reference };
      await done(this.#company.post('/v1/treasury/bank/capture', body));
      figures.receipts += 1;
    } else {
      expect(['Account charges', 'Cheque 77']).toContain(reference);
      await done(this.#company.post(`/v1/treasury/bank/entries/${id}/match`, { kind: 'FEE' }));
      figures.matchedByHand += 1;
    }
  }

  /** The orders that were paid by transfer. */
  async #sellTransfers(): Promise<void> {
    for (; this.#transfers > 0; this.#transfers -= 1) {
      const begun = await done(
        this.#company.post('/v1/escrow/initiate', {
          ...{ buyerId: this.#buyer.id, buyerAccountId: this.#buyer.usdAccountId, sellerId: this.#seller.id },
          items: [{ name: 'Maize', quantity: 1, pricePerUnit: PRICE_CENTS }],
          externalReference: `order-${randomUUID()}`,
        }),
      );
      await done(this.#company.post(`/v1/escrow/${begun.body.escrowId ?? begun.body.id}/release`));
      this.#due += PAYOUT_CENTS;
    }
  }

  /** Every third day the seller is paid out. */
  async #askPayout(day: number): Promise<void> {
    if (this.#due === 0 || (day % 3 !== 0 && day <= DAYS)) return;
    const { body } = await done(
      this.#company.post('/v1/treasury/withdraw', asked(this.#seller.usdAccountId, this.#due)),
    );
    this.#asked.push({ id: body.id, amount: this.#due });
    this.#due = 0;
  }

  /** The bank pays, and shows it in its next file. */
  async expectPaidOut(): Promise<void> {
    for (const { id, amount } of this.#asked) {
      const paid = await ended(this.#company, id);
      expect(paid.status).toBe('COMPLETED');
      this.#paidToday.add(paid.id);
      figures.payouts += 1;
      this.#book({ amount: decimal(BigInt(amount)), sign: 'DBIT', endToEndId: paid.end_to_end_id });
    }
    this.#asked = [];
  }

  async #reconciled(at?: string): Promise<Reconciliation> {
    return this.#report(`/v1/treasury/bank/reconciliation${at === undefined ? '' : `?at=${at}`}`);
  }

  async #report<Report>(path: string): Promise<Report> {
    return (await done(untilAnswered(() => this.#company.get(path)))).body as Report; // the schema of the API
  }

  /** The closing of a day. Nothing is open but today's payouts, which the bank's next file shows. */
  async expectClosed(): Promise<void> {
    const at = new Date().toISOString();
    const { accounts, open } = await this.#reconciled(at);
    expect(accounts[0]?.bankBalance ?? '0').toBe(this.#balance.toString());
    expect(
      open.filter(({ side, kind, id }) => side !== 'BOOKS' || kind !== 'PAYOUT' || !this.#paidToday.has(id)),
    ).toEqual([]);
    figures.openAtClosings += open.length;
    const sum = open.reduce((total, { amount }) => total + BigInt(amount), 0n);
    expect(accounts[0]?.difference ?? '0').toBe(sum.toString());

    const reports = await this.#reportsOf(at);
    const [trial, liabilities, receivables] = reports;
    for (const { currency, debit, credit } of trial.totals) expect([currency, debit]).toEqual([currency, credit]);
    const line = (wanted: string) => trial.lines.find(({ type, currency }) => type === wanted && currency === 'USD');
    const bank = line('BANK');
    expect(String(BigInt(bank?.debit ?? 0) - BigInt(bank?.credit ?? 0))).toBe(accounts[0]?.bookBalance ?? '0');
    expect(line('USER')?.credit ?? '0').toBe(liabilities.totals[0]?.balance ?? '0');
    expect(line('RECEIVABLE')?.debit ?? '0').toBe(receivables.totals[0]?.remaining_amount ?? '0');
    this.#closings.push({ at, reports });
  }

  #reportsOf(at: string): Promise<[TrialBalance, Liabilities, Receivables]> {
    return Promise.all([
      this.#report<TrialBalance>(`/v1/ledger/reports/trial-balance?at=${at}`),
      this.#report<Liabilities>(`/v1/ledger/reports/liabilities?at=${at}`),
      this.#report<Receivables>(`/v1/treasury/receivables?at=${at}`),
    ]);
  }

  /** The fees of each day come to those of the month, which are what the platform's account has got from this company. */
  async #expectRevenue(): Promise<void> {
    const feesOf = async (from: string, to: string) => {
      const { totals } = await this.#report<Revenue>(`/v1/ledger/reports/revenue?from=${from}&to=${to}`);
      return totals.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    };
    const days = ['2020-01-01', ...this.#closings.map(({ at }) => at)];
    let sum = 0n;
    for (const [index, to] of days.entries()) if (index > 0) sum += await feesOf(days[index - 1] ?? to, to);
    const history = await this.#report<{ system_revenue: string }[]>('/v1/ledger/escrow/history');
    const paid = history.reduce((total, entry) => total + BigInt(entry.system_revenue), 0n);
    expect([sum, await feesOf('2020-01-01', days.at(-1) ?? '')]).toEqual([paid, paid]);
  }

  /** The end of the month: nothing is open, the books balance, and every account says what it should. */
  async expectMonthClosed(): Promise<void> {
    expect(await this.#reconciled()).toMatchObject({ accounts: [{ difference: '0' }], open: [] });
    type Account = { type: string; currency: string; balance: string };
    const accounts = await this.#report<Account[]>('/v1/ledger/company/accounts');
    for (const id of this.#users) accounts.push(...(await this.#report<Account[]>(`/v1/ledger/user/${id}/accounts`)));
    const trial = accounts.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
    expect(trial).toBe(0n);
    const balanceOf = (wanted: string) =>
      accounts.find(({ type, currency }) => type === wanted && currency === 'USD')?.balance;
    expect(balanceOf('BANK')).toBe((-this.#balance).toString());
    // What the gateway has not set off yet.
    expect(balanceOf('CLEARING_CARD')).toBe((-this.#owed.card).toString());
    expect(balanceOf('CLEARING_MOBILE')).toBe('0');
    expect(balanceOf('TRANSIT')).toBe('0');
    expect(await this.#report('/v1/ledger/verify-ledger-integrity')).toMatchObject({ ok: true });
    await this.#expectRevenue();
    for (const { at, reports } of this.#closings) expect(await this.#reportsOf(at)).toEqual(reports);
  }
}

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

test(
  `${COMPANIES} companies close a month of ${ESCROWS} escrows, day by day`,
  async () => {
    const shops: Shop[] = [];
    await together(Array(COMPANIES).keys(), async () => {
      shops.push(await Shop.open(service));
    });
    const close = async (day: number) => {
      await together(shops, (shop) => shop.receive(day));
      await together(shops, (shop) => shop.expectPaidOut());
      await together(shops, (shop) => shop.expectClosed());
    };
    const kinds: readonly Kind[] = ['transfer', 'card', 'transfer', 'mobile', 'card'];
    let sold = 0;
    for (let day = 1; day <= DAYS; day++) {
      const untilTonight = Math.round((ESCROWS * day) / DAYS);
      const orders: { shop: Shop; kind: Kind }[] = [];
      for (; sold < untilTonight; sold++) {
        const [shop, kind] = [shops[sold % COMPANIES], kinds[Math.floor(sold / COMPANIES) % kinds.length]];
        if (shop !== undefined && kind !== undefined) orders.push({ shop, kind });
      }
      await together(orders, ({ shop, kind }) => shop.sell(kind));
      if (day % 5 === 0) await together(shops, (shop) => shop.chargeBack());
      await close(day);
    }
    // Two more files: the payouts of the last day, and none after them.
    for (const day of [DAYS + 1, DAYS + 2]) await close(day);
    await together(shops, (shop) => shop.expectMonthClosed());
    const [postings] = await sql(
      service,
      `select count(distinct t.id)::int as transactions, count(*)::int as entries, sum(e.amount)::text as sum
       from ledger_transaction t join entry e on e.transaction_id = t.id where t.company_id = any($1)`,
      [shops.map((shop) => shop.companyId)],
    );
    console.log(`${ESCROWS} escrows of ${COMPANIES} companies: ${JSON.stringify({ ...figures, postings })}`);
  },
  LIMIT_MS,
);
