import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { asTenant } from '../../../../src/db/core/driver.ts';
import { connect } from '../../../../src/db/core/orm.ts';
import { postToLedger } from '../../../../src/db/ledger/post.ts';
import { addCompany, move, newPosting, verifyBooks } from '../books.ts';
import { type AuditWorld, openAuditWorld } from './world.ts';

let w: AuditWorld;
beforeEach(async () => {
  w = await openAuditWorld();
});
afterEach(() => w.close());

describe('an audit', () => {
  test('of correct books finds nothing and returns the checked numbers', async () => {
    expect(await verifyBooks(w.em.fork(), w.company.id)).toMatchObject({
      ok: true,
      checkedAccounts: 22,
      checkedTransactions: 2,
      chainHead: null,
      unsealedTransactions: 2,
    });
    await w.seal();
    const sealed = await verifyBooks(w.em.fork(), w.company.id);
    expect(sealed).toMatchObject({ ok: true, mismatches: [], unsealedTransactions: 0 });
    expect(sealed.chainHead).toMatch(/^[0-9a-f]{64}$/);
    expect(sealed.durationMs).toBeGreaterThanOrEqual(0);
  });

  test('does not depend on a status change or on the session time zone', async () => {
    const pending = newPosting(w.company, { status: 'PENDING', legs: move(w.ann, w.bob, 1n) });
    await postToLedger(w.em, [pending]);
    await w.seal();
    await w.em.execute(`update ledger_transaction set status = 'COMPLETED' where id = ?`, [pending.transactionId]);
    await w.em.execute(`alter database ${w.books.database.name} set timezone = 'Asia/Kolkata'`);
    const later = await connect({ databaseUrl: w.books.database.ownerUrl, poolMax: 1, applicationName: 'test' });
    expect(await later.em.fork().execute('show timezone')).toEqual([{ TimeZone: 'Asia/Kolkata' }]);
    expect(await verifyBooks(later.em.fork(), null)).toMatchObject({ ok: true, mismatches: [] });
    await later.close();
  });

  test('of one company reads no other company', async () => {
    const other = await addCompany(w.em, { users: 1 });
    await w.seal();
    await w.tamper(`update account set posted = posted + 1 where id = ?`, [w.ann]);
    expect((await verifyBooks(w.em.fork(), other.id)).ok).toBe(true);
    expect((await verifyBooks(w.em.fork(), w.company.id)).ok).toBe(false);
  });

  test('runs once at a time', async () => {
    const other = w.em.fork();
    await other.begin();
    await other.execute(`select pg_advisory_xact_lock(hashtext('ledger_verify'))`);
    await expect(verifyBooks(w.em.fork(), null, { patienceMs: 100 })).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    const waiting = verifyBooks(w.em.fork(), null);
    await other.rollback();
    expect(await waiting).toMatchObject({ ok: true });
  });

  test('works for the roles of the service', async () => {
    await w.seal();
    const audited = () => verifyBooks(w.books.api.em.fork(), w.company.id);
    expect(await asTenant(w.company.id, audited)).toMatchObject({ ok: true, checkedTransactions: 2 });
    expect(await verifyBooks(w.books.worker.em.fork(), null)).toMatchObject({ ok: true, checkedTransactions: 2 });
  });
});
