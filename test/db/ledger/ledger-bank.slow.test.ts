import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import { startSealer } from '../../../src/db/ledger/sealer.ts';
import type { AccountId } from '../../../src/domain/ids.ts';
import type { HoldChange, Posting } from '../../../src/domain/ledger/postings.ts';
import { CURRENCY_CODES } from '../../../src/domain/money.ts';
import {
  addCompany,
  type Books,
  fund,
  move,
  newHoldId,
  newPosting,
  openBooks,
  type TestCompany,
  verifyBooks,
} from './books.ts';

/** A short run by default; `npm run bank-test` is the long one. */
const CLIENTS = Number(process.env.BANK_CLIENTS ?? 16);
const ACCOUNTS = Number(process.env.BANK_ACCOUNTS ?? 6);
const SECONDS = Number(process.env.BANK_SECONDS ?? 2);
const READERS = 2;
const MAX_BATCH = 12;
/** Each user has an account in each currency. */
const USERS = Math.ceil(ACCOUNTS / CURRENCY_CODES.length);
const START_CENTS = 500n;

let books: Books;
let company: TestCompany;
beforeAll(async () => {
  books = await openBooks(CLIENTS + READERS);
  const em = books.owner.em.fork();
  company = await addCompany(em, { users: USERS });
  for (let user = 0; user < USERS; user += 1)
    for (const currency of CURRENCY_CODES) await fund(em, company, company.user(user, currency), START_CENTS, currency);
});
afterAll(() => books.close());

/** A random transfer, deposit, release from a hold, or payment from revenue, in one currency, between very few accounts. */
function somePosting(random: () => number): Posting {
  const currency = CURRENCY_CODES[Math.floor(random() * CURRENCY_CODES.length)] ?? 'USD';
  const any = (): AccountId => company.user(Math.floor(random() * USERS), currency);
  const amountCents = BigInt(1 + Math.floor(random() * 80));
  const [revenue, own, bank] = (['SERVICE_FEE', 'COMPANY', 'BANK'] as const).map((type) =>
    company.account(type, currency),
  ) as [AccountId, AccountId, AccountId]; // one for each
  const buyer = any();
  const holdId = newHoldId();
  const held: HoldChange[] = [
    { kind: 'place', holdId, accountId: buyer, amountCents },
    { kind: 'capture', holdId, accountId: buyer, amountCents },
    { kind: 'void', holdId, accountId: buyer },
  ];
  const choices: (() => Partial<Posting>)[] = [
    () => ({ legs: move(any(), any(), amountCents) }),
    () => ({ legs: [...move(any(), any(), amountCents), ...move(any(), revenue, 1n)] }),
    () => ({ legs: [...move(buyer, any(), amountCents), ...move(buyer, own, 1n)], holds: held }),
    () => ({ legs: move(bank, any(), amountCents) }),
    () => ({ legs: move(revenue, own, amountCents) }),
    () => ({ legs: move(own, any(), amountCents) }),
  ];
  const chosen = choices[Math.floor(random() * choices.length)];
  return newPosting(company, { currency, ...chosen?.() });
}

type Sums = { readonly currency: string; readonly entries: string; readonly balances: string; readonly faults: number };

/**
 * Repeatedly adds up everything in one snapshot: at no time may a cent be missing in either currency, an account be
 * overdrawn, or a balance differ from the sum of its entries.
 */
async function watch(em: EntityManager, signal: AbortSignal, onSum: () => void): Promise<Sums[]> {
  const violations: Sums[] = [];
  for (; !signal.aborted; onSum()) {
    const found = await em.fork().transactional(
      (inside) =>
        inside.execute<Sums[]>(
          `select a.currency, sum(a.entries)::text as entries, sum(a.balance)::text as balances,
             (count(*) filter (where a.balance <> a.entries or (a.balance < a.held and not a.may_go_negative)))::integer as faults
           from (select a.*, coalesce(e.amount, 0) as entries, a.posted + coalesce(d.amount, 0) as balance
             from account a
             left join (select account_id, sum(amount) as amount from entry group by 1) e on e.account_id = a.id
             left join (select account_id, sum(amount) as amount from account_delta group by 1) d on d.account_id = a.id) a
           group by a.currency`,
        ),
      { isolationLevel: IsolationLevel.REPEATABLE_READ },
    );
    if (found.length !== CURRENCY_CODES.length) throw new Error('a currency has no accounts');
    violations.push(
      ...found.filter(({ entries, balances, faults }) => entries !== '0' || balances !== '0' || faults > 0),
    );
  }
  return violations;
}

test(`${CLIENTS} clients on ${ACCOUNTS} accounts for ${SECONDS} s: no deadlock, no lost cent, nothing overdrawn, at any moment`, async () => {
  const stop = new AbortController();
  const errors: unknown[] = [];
  const log = { error: (details: object) => errors.push(details), info: () => undefined };
  const sealing = startSealer(books.worker, { intervalMs: 20, log, signal: stop.signal });
  let sums = 0;
  const onSum = () => {
    sums += 1;
  };
  const watching = Promise.all(Array.from({ length: READERS }, () => watch(books.owner.em.fork(), stop.signal, onSum)));

  const tally = { posted: 0, duplicate: 0, refused: 0 };
  const endsAt = performance.now() + SECONDS * 1_000;
  const client = async () => {
    const em = books.worker.em.fork();
    let previous: Posting | undefined;
    const isEnough = () => sums > READERS && Object.values(tally).every((count) => count > CLIENTS);
    const hasEnded = () => performance.now() >= endsAt && isEnough();
    for (let round = 0; !hasEnded(); round += 1) {
      const batch = Array.from({ length: 1 + (round % MAX_BATCH) }, () => somePosting(Math.random));
      if (previous !== undefined) batch.push(previous);
      const outcomes = await postToLedger(em, batch);
      for (const { kind } of outcomes) tally[kind] += 1;
      previous = batch.find((_, index) => outcomes[index]?.kind === 'posted') ?? previous;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client)).finally(() => stop.abort());
  await sealing;
  const violations = (await watching).flat();
  console.log(
    `${tally.posted} transfers (${tally.refused} refused, ${tally.duplicate} sent again), ${sums} sums, ${violations.length} violations`,
  );

  expect(errors).toEqual([]);
  expect(violations).toEqual([]);
  expect(sums).toBeGreaterThan(READERS);
  for (const count of Object.values(tally)) expect(count).toBeGreaterThan(CLIENTS);
  const [stored] = await books.owner.em.fork().execute('select count(*)::integer as count from ledger_transaction');
  expect(stored).toEqual({ count: tally.posted + USERS * CURRENCY_CODES.length });
  expect(await verifyBooks(books.owner.em.fork(), null)).toMatchObject({ ok: true, mismatches: [] });
}, 300_000);
