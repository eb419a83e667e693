import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../../../src/db/core/orm.ts';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import { sealLedger, startSealer } from '../../../src/db/ledger/sealer.ts';
import { type LedgerMismatch, verifyLedger } from '../../../src/db/ledger/verify.ts';
import type { AccountId } from '../../../src/domain/ids.ts';
import type { Posting } from '../../../src/domain/ledger/postings.ts';
import {
  addCompany,
  type Books,
  eventually,
  fund,
  move,
  newHoldId,
  newPosting,
  openBooks,
  type TestCompany,
} from './books.ts';

let books: Books;
let em: EntityManager;
let superuser: MikroORM;
let company: TestCompany;
let ann: AccountId;
let bob: AccountId;
/** Ann paid Bob 300; the fee went to the company. */
let payment: Posting;

/** A database of its own for each test: what is broken here stays broken. */
beforeEach(async () => {
  books = await openBooks();
  em = books.owner.em.fork();
  superuser = await connect({ databaseUrl: books.database.superuserUrl, poolMax: 1, applicationName: 'test' });
  company = await addCompany(em, { users: 2 });
  ann = company.user(0);
  bob = company.user(1);
  await fund(em, company, ann, 1_000n);
  const legs = [...move(ann, bob, 300n), ...move(ann, company.account('SERVICE_FEE'), 3n)];
  const holds = [{ kind: 'place' as const, holdId: newHoldId(), accountId: ann, amountCents: 50n }];
  payment = newPosting(company, { legs, holds, metadata: { note: 'é ? \\ \' "' } });
  await postToLedger(em, [payment]);
});
afterEach(async () => {
  await superuser.close();
  await books.close();
});

async function seal(): Promise<void> {
  await sealLedger(books.worker.em.fork());
}

/** Seals until nothing can appear any more before the end: transactions of other tests on the server may delay that. */
async function sealUntilFinal(lastPosition: number): Promise<void> {
  await eventually(async () => {
    await seal();
    const [progress] = await em.execute('select final_position::integer as final, sealed_beyond from seal_progress');
    expect(progress).toEqual({ final: lastPosition, sealed_beyond: '{}' });
  });
}

/** As a superuser does it who lets no trigger, no rule and no foreign key stand in the way. */
async function tamper(statement: string, values: unknown[] = []): Promise<void> {
  await superuser.em.fork().transactional(async (inside) => {
    await inside.execute('set local session_replication_role = replica');
    await inside.execute(statement, values);
  });
}

async function findings(): Promise<Partial<LedgerMismatch>[]> {
  const { ok, mismatches } = await verifyLedger(books.owner.em.fork(), null);
  expect(ok).toBe(mismatches.length === 0);
  return mismatches.map((mismatch) =>
    Object.fromEntries(Object.entries(mismatch).filter(([, value]) => value !== null)),
  );
}

async function entryOf(account: AccountId): Promise<string> {
  const [row] = await em.execute<{ id: string }[]>('select id from entry where account_id = ? and transaction_id = ?', [
    account,
    payment.transactionId,
  ]);
  return row?.id ?? 'none';
}

describe('the sealer', () => {
  test('seals what was posted once, chains blocks, and folds what was appended', async () => {
    const fee = company.account('SERVICE_FEE');
    const stored = () => em.execute('select posted from account where id = ?', [fee]);
    expect(await stored()).toEqual([{ posted: '0' }]);
    expect(await sealLedger(books.worker.em.fork())).toBe(2);
    expect(await sealLedger(books.worker.em.fork())).toBe(0);
    await postToLedger(em, [newPosting(company, { legs: move(ann, bob, 1n) })]);
    expect(await sealLedger(books.worker.em.fork())).toBe(1);
    expect(await stored()).toEqual([{ posted: '3' }]);
    const blocks = await em.execute(
      `select seq, cardinality(transaction_ids) as transactions, previous_hash = coalesce(lag(hash) over (order by seq), '') as chained
       from block order by seq`,
    );
    expect(blocks).toEqual([
      { seq: '1', transactions: 2, chained: true },
      { seq: '2', transactions: 1, chained: true },
    ]);
    expect(await findings()).toEqual([]);
  });

  test('waits for a transaction that drew its numbers early and commits late', async () => {
    const slow = books.owner.em.fork();
    await slow.begin();
    await postToLedger(slow, [newPosting(company, { legs: move(ann, bob, 1n) })]);
    const other = await addCompany(em, { users: 1 });
    for (let round = 0; round < 3; round += 1) {
      await fund(em, other, other.user(0), 5n);
      await seal();
    }
    await slow.commit();
    expect(await sealLedger(books.worker.em.fork())).toBe(1);
    await sealUntilFinal(6);
    expect(await verifyLedger(em.fork(), null)).toMatchObject({ ok: true, unsealedTransactions: 0 });
  });

  test('goes on in a database that was restored into a server with fewer transactions behind it', async () => {
    await seal();
    await tamper(`update seal_progress set next_xid = '9000000000', next_position = 1, next_entry = 1`);
    await postToLedger(em, [newPosting(company, { legs: move(ann, bob, 1n) })]);
    await sealUntilFinal(3);
    expect(await findings()).toEqual([]);
  });

  test('writes checkpoints, so that a balance after any entry of a busy account is found without adding up from the start', async () => {
    const fee = company.account('SERVICE_FEE');
    const deposit = () => newPosting(company, { legs: move(company.account('BANK'), fee, 1n) });
    for (let round = 0; round < 4; round += 1) {
      await postToLedger(em, Array.from({ length: 600 }, deposit));
      await seal();
    }
    await sealUntilFinal(2_402);
    await postToLedger(em, Array.from({ length: 600 }, deposit));
    await seal();
    const [checkpoints] = await em.execute<{ count: number }[]>(
      'select count(*)::integer as count from balance_checkpoint where account_id = ?',
      [fee],
    );
    expect(checkpoints?.count).toBeGreaterThan(0);
    const wrong = await em.execute(
      `select * from (select id, sum(amount) over (order by id) as running from entry where account_id = ?) e
       where ledger_balance_at(?, id) <> running`,
      [fee, fee],
    );
    expect(wrong).toEqual([]);
  });

  test('is one at a time, and not part of another transaction', async () => {
    const other = books.worker.em.fork();
    await other.begin();
    await other.execute(`select pg_advisory_xact_lock(hashtext('ledger_seal'))`);
    expect(await sealLedger(books.worker.em.fork())).toBeNull();
    await other.rollback();
    await expect(
      books.owner.em.fork().transactional(async (inside) => {
        await postToLedger(inside, [newPosting(company, {})]);
        await sealLedger(inside);
      }),
    ).rejects.toThrow('transaction of its own');
  });

  test('survives a failed round, and ends when it is told to', async () => {
    const stop = new AbortController();
    const failures: object[] = [];
    await em.execute('alter table seal_progress rename to seal_progress_away');
    const firstFailure = Promise.withResolvers<void>();
    const log = {
      error: (details: object) => {
        failures.push(details);
        firstFailure.resolve();
      },
    };
    const sealing = startSealer(books.worker, { intervalMs: 5, log, signal: stop.signal });
    await firstFailure.promise;
    await em.execute('alter table seal_progress_away rename to seal_progress');
    while ((await verifyLedger(em.fork(), null)).unsealedTransactions > 0);
    stop.abort();
    await sealing;
    expect(failures[0]).toMatchObject({
      err: expect.objectContaining({ message: expect.stringContaining('seal_progress') }),
    });
  });
});

describe('an audit', () => {
  test('of sound books finds nothing, and says what it looked at', async () => {
    expect(await verifyLedger(em.fork(), company.id)).toMatchObject({
      ok: true,
      checkedAccounts: 16,
      checkedTransactions: 2,
      chainHead: null,
      unsealedTransactions: 2,
    });
    await seal();
    const sealed = await verifyLedger(em.fork(), company.id);
    expect(sealed).toMatchObject({ ok: true, mismatches: [], unsealedTransactions: 0 });
    expect(sealed.chainHead).toMatch(/^[0-9a-f]{64}$/);
    expect(sealed.durationMs).toBeGreaterThanOrEqual(0);
  });

  test('is not disturbed by a status that changes, nor by another session time zone', async () => {
    const pending = newPosting(company, { status: 'PENDING', legs: move(ann, bob, 1n) });
    await postToLedger(em, [pending]);
    await seal();
    await em.execute(`update ledger_transaction set status = 'COMPLETED' where id = ?`, [pending.transactionId]);
    await em.execute(`alter database ${books.database.name} set timezone = 'Asia/Kolkata'`);
    const later = await connect({ databaseUrl: books.database.ownerUrl, poolMax: 1, applicationName: 'test' });
    expect(await later.em.fork().execute('show timezone')).toEqual([{ TimeZone: 'Asia/Kolkata' }]);
    expect(await verifyLedger(later.em.fork(), null)).toMatchObject({ ok: true, mismatches: [] });
    await later.close();
  });

  test('of one company looks at no other', async () => {
    const other = await addCompany(em, { users: 1 });
    await seal();
    await tamper(`update account set posted = posted + 1 where id = ?`, [ann]);
    expect((await verifyLedger(em.fork(), other.id)).ok).toBe(true);
    expect((await verifyLedger(em.fork(), company.id)).ok).toBe(false);
  });

  test('runs once at a time', async () => {
    const other = em.fork();
    await other.begin();
    await other.execute(`select pg_advisory_xact_lock(hashtext('ledger_verify'))`);
    await expect(verifyLedger(em.fork(), null, 100)).rejects.toMatchObject({ code: 'too_many_requests' });
    const waiting = verifyLedger(em.fork(), null);
    await other.rollback();
    expect(await waiting).toMatchObject({ ok: true });
  });

  test('works for the roles of the service', async () => {
    await seal();
    expect(await verifyLedger(books.api.em.fork(), company.id)).toMatchObject({ ok: true, checkedTransactions: 2 });
    expect(await verifyLedger(books.worker.em.fork(), null)).toMatchObject({ ok: true, checkedTransactions: 2 });
  });
});

describe('a superuser who gets past every guard is found, and named:', () => {
  beforeEach(seal);

  test('an edited balance', async () => {
    await tamper('update account set posted = posted + 1 where id = ?', [bob]);
    expect(await findings()).toEqual([
      { kind: 'balance', companyId: company.id, accountId: bob, expected: '300', actual: '301' },
    ]);
  });

  test('an edited hold', async () => {
    await tamper('update hold set remaining = 1');
    expect(await findings()).toEqual([
      { kind: 'held', companyId: company.id, accountId: ann, expected: '1', actual: '50' },
    ]);
  });

  test('a balance and its hold that were edited together', async () => {
    await tamper('update account set held = 9 where id = ?', [ann]);
    await tamper('update hold set remaining = 9');
    expect(await findings()).toEqual([]);
    await tamper('alter table account drop constraint account_not_overdrawn');
    await tamper('update account set held = 700 where id = ?', [ann]);
    await tamper('update hold set amount = 700, remaining = 700');
    expect(await findings()).toEqual([
      { kind: 'overdrawn', companyId: company.id, accountId: ann, expected: 'at least 700', actual: '697' },
    ]);
  });

  test('an edited entry', async () => {
    const entryId = await entryOf(bob);
    await tamper('update entry set amount = 301 where id = ?', [entryId]);
    const found = await findings();
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'entry_changed', entryId, accountId: bob, transactionId: payment.transactionId }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'transaction_unbalanced', transactionId: payment.transactionId, actual: '1' }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'balance', accountId: bob, expected: '301', actual: '300' }),
    );
  });

  test('entries and balances that were edited to fit each other', async () => {
    const [to, from] = [await entryOf(bob), await entryOf(company.account('SERVICE_FEE'))];
    await tamper('update entry set amount = amount + case id when ? then 2 else -2 end where id in (?, ?)', [
      to,
      to,
      from,
    ]);
    await tamper('update account set posted = posted + case id when ? then 2 else -2 end where id in (?, ?)', [
      bob,
      bob,
      company.account('SERVICE_FEE'),
    ]);
    const kinds = (await findings()).map(({ kind, entryId, accountId }) => [kind, entryId ?? accountId]);
    expect(kinds.sort()).toEqual(
      [
        ['entry_changed', from],
        ['entry_changed', to],
        ['sealed_balance', bob],
        ['sealed_balance', company.account('SERVICE_FEE')],
      ].sort(),
    );
  });

  test('a deleted entry', async () => {
    const entryId = await entryOf(bob);
    await tamper('delete from entry where id = ?', [entryId]);
    expect(await findings()).toContainEqual(expect.objectContaining({ kind: 'entry_deleted', entryId, blockSeq: '1' }));
  });

  test('inserted entries, though they balance', async () => {
    await tamper(
      `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       select transaction_id, account_id, company_id, -amount, currency, created_at from entry where transaction_id = ?`,
      [payment.transactionId],
    );
    const inserted = (await findings()).filter(({ kind }) => kind === 'entry_inserted');
    expect(inserted).toHaveLength(payment.legs.length);
    expect(inserted[0]).toMatchObject({ transactionId: payment.transactionId, blockSeq: '1' });
  });

  test('an entry of a transaction that never was', async () => {
    await tamper(
      `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       select gen_random_uuid(), account_id, company_id, 5, currency, created_at from entry where account_id = ? limit 1`,
      [bob],
    );
    expect(await findings()).toContainEqual(
      expect.objectContaining({ kind: 'entry_without_transaction', accountId: bob }),
    );
  });

  test.each([
    ['amount', 'amount = amount + 1'],
    ['metadata', `metadata = '{}'`],
    ['key', `key = 'other'`],
    ['time', `created_at = created_at + interval '1 second'`],
  ])('an edited transaction: its %s', async (_, change) => {
    await tamper(`update ledger_transaction set ${change} where id = ?`, [payment.transactionId]);
    expect(await findings()).toEqual([
      expect.objectContaining({ kind: 'transaction_changed', transactionId: payment.transactionId, blockSeq: '1' }),
    ]);
  });

  test('a deleted transaction', async () => {
    await tamper('delete from ledger_transaction where id = ?', [payment.transactionId]);
    const found = await findings();
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'transaction_deleted', transactionId: payment.transactionId }),
    );
    expect(found.filter(({ kind }) => kind === 'entry_without_transaction')).toHaveLength(payment.legs.length);
  });

  test('a transaction slipped in among sealed ones', async () => {
    await seal();
    await tamper(
      `insert into ledger_transaction (id, company_id, type, status, amount, currency, key, content_hash, position)
       overriding system value
       select gen_random_uuid(), company_id, type, status, amount, currency, 'forged', content_hash, position
       from ledger_transaction where id = ?`,
      [payment.transactionId],
    );
    expect(await findings()).toEqual([expect.objectContaining({ kind: 'transaction_inserted' })]);
  });

  test('an edited block', async () => {
    await tamper(`update block set balances = balances || '{"x": "1"}'`);
    expect(await findings()).toEqual([
      expect.objectContaining({ kind: 'block_changed', companyId: company.id, blockSeq: '1' }),
    ]);
  });

  test('a block that was edited and hashed again', async () => {
    await postToLedger(em, [newPosting(company, { legs: move(ann, bob, 1n) })]);
    await seal();
    await tamper(`update block set balances = balances || '{"x": "1"}' where seq = 1`);
    await tamper('update block b set hash = ledger_block_hash(b) where seq = 1');
    expect(await findings()).toEqual([expect.objectContaining({ kind: 'chain_broken', blockSeq: '2' })]);
  });

  test('a missing block', async () => {
    await postToLedger(em, [newPosting(company, { legs: move(ann, bob, 1n) })]);
    await seal();
    await tamper('delete from block where seq = 1');
    const kinds = new Set((await findings()).map(({ kind }) => kind));
    expect(kinds).toEqual(
      new Set([
        'transaction_inserted',
        'sealed_balance',
        'chain_broken',
        'block_missing',
      ] satisfies LedgerMismatch['kind'][]),
    );
  });
});
