import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { startSealer } from '../../src/db/ledger-sealer.ts';
import { postToLedger } from '../../src/db/ledger-store.ts';
import { verifyLedger } from '../../src/db/ledger-verify.ts';
import type { AccountId } from '../../src/domain/ids.ts';
import type { HoldChange, Posting } from '../../src/domain/ledger/postings.ts';
import { addCompany, type Books, fund, move, newHoldId, newPosting, openBooks, type TestCompany } from './books.ts';

const CLIENTS = 16;
const ROUNDS = 60;
const MAX_BATCH = 12;
const USERS = 4;
const START_CENTS = 500n;

let books: Books;
let company: TestCompany;
beforeAll(async () => {
  books = await openBooks(CLIENTS + 2);
  const em = books.owner.em.fork();
  company = await addCompany(em, { users: USERS });
  for (let user = 0; user < USERS; user += 1) await fund(em, company, company.user(user), START_CENTS);
});
afterAll(() => books.close());

/** Some transfer, deposit, release from a hold, or spending of revenue, between very few accounts. */
function somePosting(random: () => number): Posting {
  const any = (): AccountId => company.user(Math.floor(random() * USERS));
  const amountCents = BigInt(1 + Math.floor(random() * 80));
  const [revenue, own, bank] = [company.account('SERVICE_FEE'), company.account('COMPANY'), company.account('BANK')];
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
  return newPosting(company, chosen?.() ?? {});
}

/** Reads everything in one snapshot again and again: at no moment may a cent be missing, on either side of the books. */
async function watch(em: EntityManager, signal: AbortSignal): Promise<{ looks: number; wrong: unknown[] }> {
  const wrong: unknown[] = [];
  let looks = 0;
  for (; !signal.aborted; looks += 1) {
    await em.fork().transactional(
      async (inside) => {
        const [entries] = await inside.execute<{ sum: string }[]>(
          'select coalesce(sum(amount), 0)::text as sum from entry',
        );
        const [balances] = await inside.execute<{ sum: string; overdrawn: number }[]>(
          `select sum(balance)::text as sum, (count(*) filter (where balance < held and not may_go_negative))::integer as overdrawn
           from (select a.*, a.posted + coalesce(
             (select sum(d.amount) from account_delta d where d.account_id = a.id), 0) as balance from account a) a`,
        );
        if (entries?.sum !== '0' || balances?.sum !== '0' || balances.overdrawn !== 0)
          wrong.push({ entries, balances });
      },
      { isolationLevel: IsolationLevel.REPEATABLE_READ },
    );
  }
  return { looks, wrong };
}

test('sixteen clients on few accounts: no deadlock, no lost cent, nothing overdrawn, at any moment', async () => {
  const stop = new AbortController();
  const errors: unknown[] = [];
  const log = { error: (details: object) => errors.push(details) };
  const sealing = startSealer(books.worker, { intervalMs: 20, log, signal: stop.signal });
  const watching = watch(books.owner.em.fork(), stop.signal);

  const tally = { posted: 0, duplicate: 0, refused: 0 };
  const client = async () => {
    const em = books.worker.em.fork();
    let previous: Posting | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const batch = Array.from({ length: 1 + (round % MAX_BATCH) }, () => somePosting(Math.random));
      if (previous !== undefined) batch.push(previous);
      const outcomes = await postToLedger(em, batch);
      for (const { kind } of outcomes) tally[kind] += 1;
      previous = batch.find((_, index) => outcomes[index]?.kind === 'posted') ?? previous;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  stop.abort();
  await sealing;
  const { looks, wrong } = await watching;

  expect(errors).toEqual([]);
  expect(wrong).toEqual([]);
  expect(looks).toBeGreaterThan(0);
  for (const count of Object.values(tally)) expect(count).toBeGreaterThan(CLIENTS);
  const [stored] = await books.owner.em.fork().execute('select count(*)::integer as count from ledger_transaction');
  expect(stored).toEqual({ count: tally.posted + USERS });
  expect(await verifyLedger(books.owner.em.fork(), null)).toMatchObject({ ok: true, mismatches: [] });
}, 300_000);
