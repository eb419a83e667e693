import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findDerivedMismatches } from '../../../../src/db/ledger/audit/derived.ts';
import { postToLedger } from '../../../../src/db/ledger/post.ts';
import { sealLedger, startSealer } from '../../../../src/db/ledger/sealer.ts';
import { eventually } from '../../../support/eventually.ts';
import { addCompany, fund, move, newPosting, verifyBooks } from '../books.ts';
import { type AuditWorld, openAuditWorld } from './world.ts';

let w: AuditWorld;
beforeEach(async () => {
  w = await openAuditWorld();
});
afterEach(() => w.close());

describe('the sealer', () => {
  test('seals each posting once, chains blocks, and folds appended amounts', async () => {
    const fee = w.company.account('SERVICE_FEE');
    const stored = () => w.em.execute('select posted from account where id = ?', [fee]);
    expect(await stored()).toEqual([{ posted: '0' }]);
    expect(await sealLedger(w.books.worker.em.fork())).toBe(2);
    expect(await sealLedger(w.books.worker.em.fork())).toBe(0);
    await postToLedger(w.em, [newPosting(w.company, { legs: move(w.ann, w.bob, 1n) })]);
    expect(await sealLedger(w.books.worker.em.fork())).toBe(1);
    expect(await stored()).toEqual([{ posted: '3' }]);
    const blocks = await w.em.execute(
      `select seq, cardinality(transaction_ids) as transactions, previous_hash = coalesce(lag(hash) over (order by seq), '') as chained
       from block order by seq`,
    );
    expect(blocks).toEqual([
      { seq: '1', transactions: 2, chained: true },
      { seq: '2', transactions: 1, chained: true },
    ]);
    expect(await w.findings()).toEqual([]);
  });

  test('gives each company blocks of at most a thousand transactions, in one round', async () => {
    const other = await addCompany(w.em, { users: 2 });
    await fund(w.em, other, other.user(0), 1_500n);
    const pay = (count: number) =>
      postToLedger(
        w.em,
        Array.from({ length: count }, () => newPosting(other, { legs: move(other.user(0), other.user(1), 1n) })),
      );
    await pay(1_000);
    await pay(200);
    expect(await sealLedger(w.books.worker.em.fork())).toBe(1_203);
    const blocks = await w.em.execute(
      `select company_id = ? as is_other, seq, cardinality(transaction_ids) as transactions,
         previous_hash = coalesce(lag(hash) over (partition by company_id order by seq), '') as chained
       from block where cardinality(transaction_ids) > 0 order by 1, seq`,
      [other.id],
    );
    expect(blocks).toEqual([
      { is_other: false, seq: '1', transactions: 2, chained: true },
      { is_other: true, seq: '1', transactions: 1_000, chained: true },
      { is_other: true, seq: '2', transactions: 201, chained: true },
    ]);
    expect(await w.findings()).toEqual([]);
  });

  test('scans no table that grows, because its session keeps plans from when there were few rows', async () => {
    const sealer = w.books.worker.em.fork();
    await sealer.begin();
    try {
      expect(await sealLedger(sealer)).toBe(2);
      const whole = await sealer.execute(
        'select relname::text as name from pg_stat_xact_user_tables where seq_tup_read > 0 order by 1',
      );
      // seal_progress has one row, and seal_queue only what is to be sealed.
      expect(whole).toEqual([{ name: 'seal_progress' }, { name: 'seal_queue' }]);
    } finally {
      await sealer.rollback();
    }
  });

  test('waits for a transaction that drew its numbers early and commits late', async () => {
    const slow = w.books.owner.em.fork();
    await slow.begin();
    await postToLedger(slow, [newPosting(w.company, { legs: move(w.ann, w.bob, 1n) })]);
    const other = await addCompany(w.em, { users: 1 });
    for (let round = 0; round < 3; round += 1) {
      await fund(w.em, other, other.user(0), 5n);
      await w.seal();
    }
    await slow.commit();
    expect(await sealLedger(w.books.worker.em.fork())).toBe(1);
    await w.sealUntilFinal(6);
    expect(await verifyBooks(w.em.fork(), null)).toMatchObject({ ok: true, unsealedTransactions: 0 });
  });

  test('lets no audit count twice what drew its position before a round, and its entries after it', async () => {
    await w.sealUntilFinal(2);
    const audit = () => verifyBooks(w.books.worker.em.fork(), null, { isNewOnly: true, keep: true });
    expect(await audit()).toMatchObject({ ok: true });
    const other = w.books.owner.em.fork();
    await other.begin();
    await other.execute('select from account where id = ? for update', [w.ann]);
    const posted = postToLedger(w.em.fork(), [newPosting(w.company, { legs: move(w.ann, w.bob, 1n) })]);
    await eventually(async () => {
      const [drawn] = await w.em.execute('select last_value::integer as position from ledger_transaction_position_seq');
      return drawn?.position === 3;
    });
    await w.seal();
    await other.commit();
    await posted;
    await w.sealUntilFinal(3);
    expect(await audit()).toMatchObject({ ok: true, checkedTransactions: 1 });
    expect(await audit()).toMatchObject({ mismatches: [], checkedTransactions: 0 });
  });

  test('works in a database that was restored into a server with a lower transaction id', async () => {
    await w.seal();
    await w.tamper(`update seal_progress set next_xid = '9000000000', next_position = 1, next_entry = 1`);
    await postToLedger(w.em, [newPosting(w.company, { legs: move(w.ann, w.bob, 1n) })]);
    await w.sealUntilFinal(3);
    expect(await w.findings()).toEqual([]);
  });

  test('writes checkpoints, so that a balance after any entry of a busy account is found without adding up from the start', async () => {
    const fee = w.company.account('SERVICE_FEE');
    const deposit = () => newPosting(w.company, { legs: move(w.company.account('BANK'), fee, 1n) });
    for (let round = 0; round < 4; round += 1) {
      await postToLedger(w.em, Array.from({ length: 600 }, deposit));
      await w.seal();
    }
    await w.sealUntilFinal(2_402);
    await postToLedger(w.em, Array.from({ length: 600 }, deposit));
    await w.seal();
    const [checkpoints] = await w.em.execute<{ count: number }[]>(
      'select count(*)::integer as count from balance_checkpoint where account_id = ?',
      [fee],
    );
    expect(checkpoints?.count).toBeGreaterThan(0);
    const wrong = await w.em.execute(
      `select * from (select id, sum(amount) over (order by id) as running from entry where account_id = ?) e
       where ledger_balance_at(?, ?, id) <> running`,
      [fee, w.company.id, fee],
    );
    expect(wrong).toEqual([]);
    expect(await findDerivedMismatches(w.em.fork(), null)).toEqual([]);
    await w.tamper('update balance_checkpoint set balance = balance + 1 where account_id = ?', [fee]);
    expect(await findDerivedMismatches(w.em.fork(), w.company.id)).toHaveLength(checkpoints?.count ?? 0);
  });

  test('runs once at a time, and outside of other transactions', async () => {
    const other = w.books.worker.em.fork();
    await other.begin();
    await other.execute(`select pg_advisory_xact_lock(hashtext('ledger_seal'))`);
    expect(await sealLedger(w.books.worker.em.fork())).toBeNull();
    await other.rollback();
    await expect(
      w.books.owner.em.fork().transactional(async (inside) => {
        await postToLedger(inside, [newPosting(w.company, {})]);
        await sealLedger(inside);
      }),
    ).rejects.toThrow('transaction of its own');
  });

  test('survives a failed round and stops on request', async () => {
    const stop = new AbortController();
    const failures: object[] = [];
    await w.em.execute('alter table seal_progress rename to seal_progress_away');
    const firstFailure = Promise.withResolvers<void>();
    const log = {
      error: (details: object) => {
        failures.push(details);
        firstFailure.resolve();
      },
      info: () => undefined,
    };
    const sealing = startSealer(w.books.worker, { intervalMs: 5, log, signal: stop.signal });
    await firstFailure.promise;
    await w.em.execute('alter table seal_progress_away rename to seal_progress');
    await eventually(async () => (await verifyBooks(w.em.fork(), null)).unsealedTransactions === 0);
    stop.abort();
    await sealing;
    expect(failures[0]).toMatchObject({
      err: expect.objectContaining({ message: expect.stringContaining('seal_progress') }),
    });
  });
});
