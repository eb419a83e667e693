import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { findDerivedMismatches } from '../../../src/db/ledger/audit/derived.ts';
import { LedgerKeyConflict, postToLedger } from '../../../src/db/ledger/post.ts';
import { sealLedger } from '../../../src/db/ledger/sealer.ts';
import type { AccountId, HoldId } from '../../../src/domain/ids.ts';
import type { HoldChange, Posting, PostingResult } from '../../../src/domain/ledger/postings.ts';
import { imbalances } from '../../support/trial-balance.ts';
import {
  addCompany,
  type Books,
  move,
  newHoldId,
  newId,
  newPosting,
  openBooks,
  readBalances,
  type TestCompany,
  verifyBooks,
} from './books.ts';
import { LedgerModel, type ModelOutcome } from './ledger-model.ts';

/** `npm run lives` takes more. */
const SEQUENCES = Number(process.env.SEQUENCES ?? 500);

let books: Books;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

/** The steps that fast-check generates. Numbers select among the accounts, holds and postings that exist at that point. */
type Step =
  | { readonly do: 'post'; readonly batch: readonly Wish[] }
  | { readonly do: 'freeze'; readonly account: number }
  | { readonly do: 'seal' };
type Wish =
  | {
      readonly do: 'new';
      readonly moves: readonly (readonly [number, number, bigint])[];
      readonly holds: readonly HoldWish[];
    }
  | { readonly do: 'repeat'; readonly posting: number; readonly isChanged: boolean };
type HoldWish = {
  readonly kind: HoldChange['kind'];
  readonly account: number;
  readonly hold: number;
  readonly amount: bigint;
};

const small = fc.nat(50);
const amount = fc.bigInt(1n, 60n);
const holdWish: fc.Arbitrary<HoldWish> = fc.record({
  kind: fc.constantFrom('place', 'place', 'capture', 'capture', 'void'),
  account: small,
  hold: small,
  amount,
});
const wish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('new' as const),
      moves: fc.array(fc.tuple(small, small, amount), { maxLength: 3 }),
      holds: fc.array(holdWish, { maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('repeat' as const),
      posting: small,
      isChanged: fc.nat(9).map((die) => die === 0),
    }),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('post' as const), batch: fc.array(wish, { minLength: 1, maxLength: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const), account: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('seal' as const) }) },
);

/** One company, followed through a sequence of steps in the database and in the model. */
class Run {
  readonly model = new LedgerModel();
  readonly sent: Posting[] = [];
  readonly holds: { readonly id: HoldId; readonly accountId: AccountId }[] = [];
  readonly accounts: AccountId[];
  readonly em: EntityManager;
  readonly company: TestCompany;

  constructor(em: EntityManager, company: TestCompany) {
    this.em = em;
    this.company = company;
    const { account, user } = company;
    this.accounts = [account('BANK'), user(0), user(1), user(2), account('COMPANY'), account('SERVICE_FEE')];
    for (const id of this.accounts)
      this.model.accounts.set(id, { posted: 0n, held: 0n, isFrozen: false, mayGoNegative: id === account('BANK') });
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'seal') {
      await sealLedger(this.em);
    } else if (step.do === 'freeze') {
      const id = pick(this.accounts, step.account);
      const account = this.model.accounts.get(id);
      if (account === undefined || account.mayGoNegative) return; // a contra side cannot be frozen
      account.isFrozen = !account.isFrozen;
      await books.owner.em.fork().execute('update account set is_frozen = not is_frozen where id = ?', [id]);
    } else {
      const batch = step.batch.map((wished) => this.grant(wished));
      expect(await this.post(batch)).toEqual(this.model.postBatch(batch));
    }
  }

  private grant(wished: Wish): Posting {
    const posting = wished.do === 'repeat' ? this.repeat(wished.posting, wished.isChanged) : this.fresh(wished);
    this.sent.push(posting);
    return posting;
  }

  private fresh(wished: Wish & { do: 'new' }): Posting {
    const legs = wished.moves.flatMap(([from, to, cents]) =>
      move(pick(this.accounts, from), pick(this.accounts, to), cents),
    );
    return newPosting(this.company, { legs, holds: wished.holds.map((change) => this.holdChange(change)) });
  }

  private repeat(number: number, isChanged: boolean): Posting {
    if (this.sent.length === 0) return newPosting(this.company, {});
    const { transactionId } = newPosting(this.company, {});
    const again = { ...pick(this.sent, number), transactionId, metadata: { again: true } };
    return isChanged ? { ...again, reference: 'changed' } : again;
  }

  private holdChange({ kind, account, hold, amount }: HoldWish): HoldChange {
    if (kind === 'place') {
      const placed = { id: newHoldId(), accountId: pick(this.accounts, account) };
      this.holds.push(placed);
      return { kind, holdId: placed.id, accountId: placed.accountId, amountCents: amount };
    }
    const known = this.holds.length === 0 ? undefined : pick(this.holds, hold);
    const holdId = known?.id ?? newId<HoldId>();
    const accountId = known?.accountId ?? pick(this.accounts, account);
    return kind === 'capture' ? { kind, holdId, accountId, amountCents: amount } : { kind, holdId, accountId };
  }

  private async post(batch: readonly Posting[]): Promise<ModelOutcome[] | 'conflict'> {
    try {
      return (await postToLedger(this.em, batch)).map(withoutTime);
    } catch (error) {
      if (error instanceof LedgerKeyConflict) return 'conflict';
      throw error;
    }
  }

  async compare(): Promise<void> {
    const balances = await readBalances(this.em, this.accounts);
    for (const [id, expected] of this.model.accounts) {
      expect(balances.get(id)).toEqual({
        postedCents: expected.posted,
        heldCents: expected.held,
        availableCents: expected.posted - expected.held,
      });
      if (!expected.mayGoNegative) expect(expected.posted >= expected.held).toBe(true);
    }
    // Balance = Σ entries; and the last entry of a locked account states its balance.
    const sums = await this.em.execute<{ id: AccountId; total: string; last: string | null; appends: boolean }[]>(
      `select a.id, a.appends, coalesce(sum(e.amount), 0)::text as total,
         (array_agg(e.balance_after order by e.id desc))[1]::text as last
       from account a left join entry e on e.account_id = a.id where a.company_id = ? group by a.company_id, a.id`,
      [this.company.id],
    );
    for (const { id, total, last, appends } of sums) {
      expect(BigInt(total)).toBe(this.model.accounts.get(id)?.posted ?? 0n);
      expect(appends ? null : (last ?? '0')).toBe(appends ? last : total);
    }
    const [books] = await this.em.execute<{ sum: string; transactions: number }[]>(
      `select (select coalesce(sum(amount), 0)::text from entry where company_id = ?) as sum,
         (select count(*)::integer from ledger_transaction where company_id = ?) as transactions`,
      [this.company.id, this.company.id],
    );
    expect(books).toEqual({ sum: '0', transactions: this.model.posted.size });
  }
}

function withoutTime(outcome: PostingResult): ModelOutcome {
  if (outcome.kind !== 'refused') return { kind: outcome.kind, transactionId: outcome.transactionId };
  if (outcome.accountId === null) throw new Error('no posting here is refused for its own amount');
  return { kind: 'refused', code: outcome.code, accountId: outcome.accountId };
}

function pick<T>(from: readonly T[], number: number): T {
  const found = from[number % from.length];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

test('for all sequences of postings, freezes, repetitions and seals, the database decides as the model does and the books balance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const em = books.worker.em.fork();
      const run = new Run(em, await addCompany(books.owner.em.fork(), { users: 3 }));
      for (const step of steps) {
        await run.take(step);
        if (step.do !== 'freeze') expect(await imbalances(em, run.company.id)).toEqual([]);
      }
      await run.compare();
    }),
    { numRuns: SEQUENCES, endOnFailure: true },
  );
  await sealLedger(books.worker.em.fork());
  expect(await imbalances(books.owner.em.fork(), null)).toEqual([]);
  expect(await verifyBooks(books.owner.em.fork(), null)).toMatchObject({ ok: true, mismatches: [] });
  expect(await findDerivedMismatches(books.owner.em.fork(), null)).toEqual([]);
}, 600_000);
