import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { LedgerKeyConflict, postToLedger } from '../../../src/db/ledger/post.ts';
import type { AccountId } from '../../../src/domain/ids.ts';
import type { Posting } from '../../../src/domain/ledger/postings.ts';
import {
  addAnnAndBob,
  addCompany,
  type Books,
  balancesOf,
  fund,
  move,
  newPosting,
  openBooks,
  type TestCompany,
  verdict,
} from './books.ts';

/** The keys of postings: each is posted once. */

let books: Books;
let em: EntityManager;
let company: TestCompany;
let ann: AccountId;
let bob: AccountId;

beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());
beforeEach(async () => {
  em = books.owner.em.fork();
  ({ company, ann, bob } = await addAnnAndBob(em));
});

const balances = (...accounts: AccountId[]) => balancesOf(em, ...accounts);

describe('the same key again', () => {
  test('changes nothing and returns the first transaction, for any id and metadata', async () => {
    const first = newPosting(company, { legs: move(ann, bob, 10n), metadata: { try: 1 } });
    const again = { ...first, transactionId: newPosting(company, {}).transactionId, metadata: { try: 2 } };
    const [posted] = await postToLedger(em, [first]);
    const [duplicate] = await postToLedger(em, [again]);
    expect(posted?.kind).toBe('posted');
    expect(duplicate).toEqual({ ...posted, kind: 'duplicate' });
    expect(await balances(ann)).toEqual([[990n, 0n, 990n]]);
  });

  test.each([
    ['amount', { amountCents: 2n }],
    ['legs', { legs: [] }],
    ['reference', { reference: 'other' }],
    ['type', { type: 'REFUND' as const }],
  ])('with another %s is an error that undoes its whole batch', async (_, change) => {
    const first = newPosting(company, { legs: move(ann, bob, 10n) });
    await postToLedger(em, [first]);
    const transactionId = newPosting(company, {}).transactionId;
    const innocent = newPosting(company, { legs: move(ann, bob, 1n) });
    await expect(postToLedger(em, [innocent, { ...first, ...change, transactionId }])).rejects.toThrow(
      LedgerKeyConflict,
    );
    expect(await balances(ann)).toEqual([[990n, 0n, 990n]]);
  });

  test('inside one batch: the second is a duplicate, or posted itself where the first was refused', async () => {
    const good = newPosting(company, { legs: move(ann, bob, 10n) });
    const early = newPosting(company, { legs: move(bob, ann, 500n) });
    const funding = newPosting(company, { legs: move(ann, bob, 600n) });
    const again = (posting: Posting) => ({ ...posting, transactionId: newPosting(company, {}).transactionId });
    const outcomes = await postToLedger(em, [good, again(good), early, funding, early, again(early), again(good)]);
    expect(outcomes.map(verdict)).toEqual([
      'posted',
      'duplicate',
      'insufficient_funds',
      'posted',
      'posted',
      'duplicate',
      'duplicate',
    ]);
    expect(outcomes[6]).toEqual({ ...outcomes[0], kind: 'duplicate' });
    expect(outcomes[5]).toEqual({ ...outcomes[4], kind: 'duplicate' });
    expect(await balances(ann, bob)).toEqual([
      [890n, 0n, 890n],
      [110n, 0n, 110n],
    ]);
  });

  test('inside one batch with other content is an error', async () => {
    const one = newPosting(company, { legs: move(ann, bob, 10n) });
    const other = newPosting(company, { key: one.key, legs: move(ann, bob, 11n) });
    await expect(postToLedger(em, [one, other])).rejects.toThrow(LedgerKeyConflict);
  });

  test('after a refusal is free', async () => {
    const posting = newPosting(company, { legs: move(bob, ann, 10n) });
    expect((await postToLedger(em, [posting])).map(verdict)).toEqual(['insufficient_funds']);
    await fund(em, company, bob, 10n);
    expect((await postToLedger(em, [posting])).map(verdict)).toEqual(['posted']);
  });

  test('sent at once on many connections posts once', async () => {
    const posting = newPosting(company, { legs: move(ann, bob, 10n) });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => postToLedger(books.worker.em.fork(), [posting])),
    );
    const kinds = outcomes.map(([outcome]) => verdict(outcome)).sort();
    expect(kinds).toEqual([...Array.from({ length: 7 }, () => 'duplicate'), 'posted']);
    expect(await balances(ann)).toEqual([[990n, 0n, 990n]]);
  });

  test('in two companies counts as two keys', async () => {
    const other = await addCompany(em, { users: 1 });
    const key = 'same';
    const outcomes = await postToLedger(em, [
      newPosting(company, { key, legs: move(ann, bob, 1n) }),
      newPosting(other, { key, legs: move(other.account('BANK'), other.user(0), 2n) }),
    ]);
    expect(outcomes.map(verdict)).toEqual(['posted', 'posted']);
  });

  test("another transaction's id is an error", async () => {
    const first = newPosting(company, { legs: move(ann, bob, 1n) });
    const second = newPosting(company, { transactionId: first.transactionId, legs: move(ann, bob, 1n) });
    await postToLedger(em, [first]);
    await expect(postToLedger(em, [second])).rejects.toThrow('exists under another key');
  });
});
