import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bare, sql } from '../../../support/api.ts';
import { splitPlan } from '../../../support/escrows.ts';
import { randomOf } from '../../../support/random.ts';
import { filesOf, instant } from '../../../support/reports.ts';
import {
  done,
  newCompany,
  newUser,
  type TestCompany,
  type TestService,
  type TestUser,
} from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked } from '../../../support/treasury.ts';

/**
 * The sums of reports are those of statements: whatever a company has done, at any instant. Acts are drawn at random; a failure
 * names the seed that draws the same ones.
 */

const SEED = Number(process.env.REPORTS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const ACTS = Number(process.env.REPORTS_ACTS ?? 60);
const INSTANTS = 4;

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

class Shop {
  readonly company: TestCompany;
  readonly #users: readonly TestUser[];
  readonly #random: (below: number) => number;
  readonly #deposits: string[] = [];
  readonly #escrows: { readonly id: string; readonly totalCents: number }[] = [];
  /** Of its references. */
  readonly #name: string;
  #references = 0;

  constructor(company: TestCompany, users: readonly TestUser[], seed: number) {
    this.company = company;
    this.#users = users;
    this.#random = randomOf(seed);
    this.#name = String(seed);
  }

  #user(): TestUser {
    const user = this.#users[this.#random(this.#users.length)];
    if (user === undefined) throw new Error('nobody');
    return user;
  }

  readonly #acts = [
    async () => {
      const currency = this.#random(4) === 0 ? 'ZIG' : 'USD';
      const isTransit = this.#random(4) === 0;
      const amount = 1 + this.#random(90_000);
      const body = {
        userId: this.#user().id,
        amount,
        currency,
        isTransit,
        externalReference: `D${this.#name}-${this.#references++}`,
      };
      this.#deposits.push((await done(this.company.post('/v1/payments/deposit', body))).body.id);
    },
    async () => {
      const reference = this.#random(2) === 0 ? `D${this.#name}-${this.#random(this.#references + 1)}` : 'nobody knows';
      const body = { amount: 1 + this.#random(5_000), currency: 'USD', reference };
      await this.company.post('/v1/treasury/bank/capture', body);
    },
    async () => {
      const [buyer, seller] = [this.#user(), this.#user()];
      const halves = [1, 2].map((part) => ({ title: `part ${part}`, percentage: 50 }));
      const { body } = await this.company.post('/v1/escrow/initiate', {
        ...{ buyerId: buyer.id, buyerAccountId: buyer.usdAccountId, sellerId: seller.id },
        items: [{ name: 'Maize', quantity: 1 + this.#random(3), pricePerUnit: 1 + this.#random(9_000) }],
        feePayer: this.#random(3) === 0 ? 'BUYER' : 'SELLER',
        ...(this.#random(3) === 0 ? { milestones: halves } : {}),
        externalReference: `E${this.#name}-${this.#references++}`,
      });
      if (body.id !== undefined) this.#escrows.push({ id: body.id, totalCents: Number(body.totalAmount) });
    },
    async () => {
      const escrow = this.#escrows.splice(this.#random(this.#escrows.length + 1), 1)[0];
      if (escrow === undefined) return;
      await this.#end(`/v1/escrow/${escrow.id}`, escrow.totalCents);
    },
    async () => {
      // The bank decides about it at any later instant.
      await this.company.post('/v1/treasury/withdraw', asked(this.#user().usdAccountId, 1 + this.#random(9_000)));
    },
    async () => {
      const id = this.#deposits.splice(this.#random(this.#deposits.length + 1), 1)[0];
      if (id === undefined) return;
      const body = { reason: 'taken back', isChargeback: this.#random(3) > 0 };
      await this.company.post(`/v1/payments/transaction/${id}/reverse`, body);
    },
    async () => {
      const is_frozen = this.#random(2) === 0;
      await this.company.request('PATCH', `/v1/ledger/accounts/${this.#user().usdAccountId}`, {
        body: { is_frozen, reason: 'a dispute outside' },
      });
    },
    async () => {
      const [debt] = (await this.company.get('/v1/treasury/receivables?status=OPEN')).body.data;
      if (debt === undefined) return;
      const source = this.#random(2) === 0 ? 'BALANCE' : 'WRITE_OFF';
      await this.company.post(`/v1/treasury/receivables/${debt.id}/settle`, { source, reason: 'agreed' });
    },
  ];
  /** How often each is drawn. */
  readonly #weights = [5, 2, 5, 5, 2, 2, 1, 2];

  async #end(path: string, totalCents: number): Promise<void> {
    const fee = () => this.#random(Math.ceil(totalCents / 4));
    const newSplitPlan = splitPlan(fee(), fee(), this.#random(Math.ceil(totalCents / 2)));
    switch (this.#random(6)) {
      case 0:
        await this.company.post(`${path}/cancel`, { actor: 'SELLER', reason: 'sold out' });
        return;
      case 1: {
        const { body } = await this.company.post(`${path}/negotiate`, { newSplitPlan, actor: 'BUYER' });
        await this.company.post(`${path}/negotiate/${body.negotiationId}/accept`, { actor: 'SELLER' });
        await this.company.post(`${path}/release`);
        return;
      }
      case 2: {
        const [adminId] = (await this.company.get('/v1/core/companies/admins')).body.map(
          ({ id }: { id: string }) => id,
        );
        await this.company.post(`${path}/dispute`, { actor: 'BUYER', reason: 'broken' });
        await this.company.post(`${path}/admin-resolve`, { newSplitPlan, adminId });
        return;
      }
      default: {
        const { milestones } = (await this.company.get(path)).body;
        if (milestones.length > 0) await this.company.post(`${path}/release?milestoneId=${milestones[0].id}`);
        await this.company.post(`${path}/release`);
      }
    }
  }

  /** A refusal is an act too: it posts nothing. */
  async act(): Promise<void> {
    const choices = this.#weights.flatMap((weight, index) => Array.from({ length: weight }, () => index));
    await this.#acts[choices[this.#random(choices.length)] ?? 0]?.();
  }
}

type Totals = Record<string, bigint>;
const add = (totals: Totals, key: string, cents: bigint) => {
  totals[key] = (totals[key] ?? 0n) + cents;
};
/** Without those of zero, which reports leave out. */
const amounts = (totals: Totals) => Object.fromEntries(Object.entries(totals).filter(([, cents]) => cents !== 0n));
/** A statement's end belongs to it; a report's instant does not. */
const before = (at: string) => new Date(Date.parse(at) - 1).toISOString();

async function open(seeds: readonly number[]): Promise<{ company: TestCompany; shops: Shop[] }> {
  const company = await newCompany(service);
  await done(company.request('PATCH', '/v1/core/companies/me', { body: { service_fee_basis_points: 150 } }));
  await done(company.post('/v1/treasury/seed-configs'));
  const users = [await newUser(company), await newUser(company), await newUser(company)];
  return { company, shops: seeds.map((seed) => new Shop(company, users, seed)) };
}

test(`a report that is taken while money moves is the one that is taken later (seed ${SEED})`, async () => {
  const { company, shops } = await open([1, 2, 3, 4].map((lane) => SEED + lane));
  let atWork = shops.length;
  const lanes = shops.map(async (shop) => {
    for (let act = 0; act < ACTS / 4; act++) await shop.act();
    atWork -= 1;
  });
  const taken: { at: string; files: string[] }[] = [];
  while (atWork > 0) {
    const at = new Date().toISOString();
    taken.push({ at, files: await filesOf(service, company, at) });
  }
  await Promise.all(lanes);
  expect(taken.length).toBeGreaterThan(1);
  for (const { at, files } of taken.slice(-INSTANTS * 2)) expect(await filesOf(service, company, at)).toEqual(files);
});

test(`reports sum to what statements say, at ${INSTANTS} instants of ${ACTS} acts (seed ${SEED})`, async () => {
  const { company, shops } = await open([SEED]);
  const instants = [await instant(service)];
  for (let act = 1; act <= ACTS; act++) {
    await shops[0]?.act();
    if (act % (ACTS / INSTANTS) === 0) instants.push(await instant(service));
  }
  const accounts = await sql(
    service,
    `select a.id, a.type, a.currency, l.user_id from account a join ledger l on l.company_id = a.company_id and l.id = a.ledger_id
     where a.company_id = $1`,
    [bare(company.id)],
  );
  const get = async (path: string) => (await done(company.get(path))).body;
  for (const [index, at] of instants.entries()) {
    const from = instants[index - 1] ?? '2020-01-01T00:00:00.000Z';
    const trial: Totals = {};
    const owed: Totals = {};
    const held: Totals = {};
    const fees: Totals = {};
    let receivable: Totals = {};
    for (const { id, type, currency, user_id: userId } of accounts) {
      const statement = await get(`/v1/ledger/accounts/acc_${id}/statement?startDate=${from}&endDate=${before(at)}`);
      add(trial, `${type} ${currency}`, BigInt(statement.closingBalance));
      if (userId !== null) {
        add(owed, `usr_${userId} ${currency}`, BigInt(statement.closingBalance));
        add(held, `usr_${userId} ${currency}`, BigInt(statement.closingHeld));
      }
      if (type === 'RECEIVABLE') add(receivable, String(currency), -BigInt(statement.closingBalance));
      if (type === 'SERVICE_FEE')
        for (const entry of statement.entries) add(fees, `SERVICE_FEE ${currency}`, BigInt(entry.amount));
      if (type === 'TAX')
        for (const { amount, direction } of statement.entries)
          add(fees, `TRANSFER_TAX ${currency}`, direction === 'CREDIT' ? BigInt(amount) : -BigInt(amount));
    }
    receivable = amounts(receivable);
    for (const { system_revenue: cents, currency } of await get(
      `/v1/ledger/escrow/history?startDate=${from}&endDate=${before(at)}`,
    ))
      add(fees, `SYSTEM_FEE ${currency ?? 'USD'}`, BigInt(cents));

    const found: Record<string, Totals> = { trial: {}, owed: {}, held: {}, fees: {}, receivable: {} };
    const put = (report: string, key: string, cents: string) => add(found[report] ?? {}, key, BigInt(cents));
    const balance = await get(`/v1/ledger/reports/trial-balance?at=${at}`);
    for (const { type, currency, debit, credit } of balance.lines)
      put('trial', `${type} ${currency}`, String(BigInt(credit) - BigInt(debit)));
    for (const { currency, debit, credit } of balance.totals) expect([currency, debit]).toEqual([currency, credit]);
    for (const line of (await get(`/v1/ledger/reports/liabilities?at=${at}`)).data) {
      put('owed', `${line.userId} ${line.currency}`, line.balance);
      put('held', `${line.userId} ${line.currency}`, line.held);
      expect(line.available).toBe(String(BigInt(line.balance) - BigInt(line.held)));
    }
    const revenue = await get(`/v1/ledger/reports/revenue?from=${from}&to=${at}`);
    for (const { kind, currency, amount } of revenue.totals) put('fees', `${kind} ${currency}`, amount);
    for (const { currency, remaining_amount } of (await get(`/v1/treasury/receivables?at=${at}`)).totals)
      put('receivable', currency, remaining_amount);
    const expected = { trial, owed, held, fees, receivable };
    expect({
      at,
      ...Object.fromEntries(Object.entries(found).map(([name, totals]) => [name, amounts(totals)])),
    }).toEqual({
      at,
      ...Object.fromEntries(Object.entries(expected).map(([name, totals]) => [name, amounts(totals)])),
    });
  }
});
