import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MismatchKind } from '../../../../src/db/ledger/audit/mismatch.ts';
import { postToLedger } from '../../../../src/db/ledger/post.ts';
import { move, newPosting, verifyBooks } from '../books.ts';
import { type AuditWorld, openAuditWorld } from './world.ts';

let w: AuditWorld;
async function openSealed(): Promise<void> {
  w = await openAuditWorld();
  await w.seal();
}

describe('the audit finds and names a change by a superuser without guards:', () => {
  beforeAll(openSealed);
  afterAll(() => w.close());
  beforeEach(() => w.begin());
  afterEach(() => w.undo());

  test('an edited balance', async () => {
    await w.tamper('update account set posted = posted + 1 where id = ?', [w.bob]);
    expect(await w.findings()).toEqual([
      { kind: 'balance', companyId: w.company.id, accountId: w.bob, expected: '300', actual: '301' },
    ]);
  });

  test('an edited hold', async () => {
    await w.tamper('update hold set remaining = 1');
    expect(await w.findings()).toEqual([
      { kind: 'held', companyId: w.company.id, accountId: w.ann, expected: '1', actual: '50' },
      expect.objectContaining({ kind: 'hold_changed', accountId: w.ann, expected: '50 OPEN', actual: '1 OPEN' }),
    ]);
  });

  test('a hold that was edited together with the held balance', async () => {
    await w.tamper('update account set held = 9 where id = ?', [w.ann]);
    await w.tamper('update hold set remaining = 9');
    expect(await w.findings()).toEqual([
      expect.objectContaining({ kind: 'hold_changed', accountId: w.ann, expected: '50 OPEN', actual: '9 OPEN' }),
    ]);
  });

  test('a hold, the held balance and the journal that were edited together', async () => {
    await w.tamper('update account set held = 9 where id = ?', [w.ann]);
    await w.tamper('update hold set amount = 9, remaining = 9');
    await w.tamper('update hold_change set amount_cents = 9');
    expect(await w.findings()).toEqual([expect.objectContaining({ kind: 'record_changed', record: 'hold_change/1' })]);
  });

  test('a held balance beyond the balance', async () => {
    await w.tamper('alter table account drop constraint account_not_overdrawn');
    await w.tamper('update account set held = 700 where id = ?', [w.ann]);
    expect(await w.findings()).toContainEqual({
      ...{ kind: 'overdrawn', companyId: w.company.id, accountId: w.ann },
      ...{ expected: 'at least 700', actual: '697' },
    });
  });

  test('a status that was edited', async () => {
    await w.tamper(`update ledger_transaction set status = 'FAILED' where id = ?`, [w.payment.transactionId]);
    expect(await w.findings()).toEqual([
      {
        ...{ kind: 'status_changed', companyId: w.company.id, transactionId: w.payment.transactionId },
        ...{ expected: 'COMPLETED', actual: 'FAILED' },
      },
    ]);
  });

  test.each([
    ['edited', 'update account_turnover set credits = credits + 1, debits = debits + 1'],
    ['deleted', 'delete from account_turnover'],
    [
      'inserted',
      `insert into account_turnover select account_id, company_id, unit, starts_at - interval '1 day', 1, 1 from account_turnover`,
    ],
  ])('%s turnover', async (_, statement) => {
    await w.tamper(statement);
    const found = await w.findings();
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['turnover']));
    // One hour and one day of BANK and of SERVICE_FEE.
    expect(found).toHaveLength(4);
  });

  test('an edited entry', async () => {
    const entryId = await w.entryOf(w.bob);
    await w.tamper('update entry set amount = 301 where id = ?', [entryId]);
    const found = await w.findings();
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'entry_changed',
        entryId,
        accountId: w.bob,
        transactionId: w.payment.transactionId,
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'transaction_unbalanced', transactionId: w.payment.transactionId, actual: '1' }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'balance', accountId: w.bob, expected: '301', actual: '300' }),
    );
  });

  test('entries and balances that were edited to fit each other', async () => {
    const [to, from] = [await w.entryOf(w.bob), await w.entryOf(w.company.account('SERVICE_FEE'))];
    await w.tamper('update entry set amount = amount + case id when ? then 2 else -2 end where id in (?, ?)', [
      to,
      to,
      from,
    ]);
    await w.tamper('update account set posted = posted + case id when ? then 2 else -2 end where id in (?, ?)', [
      w.bob,
      w.bob,
      w.company.account('SERVICE_FEE'),
    ]);
    const kinds = (await w.findings()).map(({ kind, entryId, accountId }) => [kind, entryId ?? accountId]);
    expect(kinds.sort()).toEqual(
      [
        ['entry_changed', from],
        ['entry_changed', to],
        ['sealed_balance', w.bob],
        ['sealed_balance', w.company.account('SERVICE_FEE')],
        ['turnover', w.company.account('SERVICE_FEE')],
        ['turnover', w.company.account('SERVICE_FEE')],
      ].sort(),
    );
  });

  test('a deleted entry', async () => {
    const entryId = await w.entryOf(w.bob);
    await w.tamper('delete from entry where id = ?', [entryId]);
    expect(await w.findings()).toContainEqual(
      expect.objectContaining({ kind: 'entry_deleted', entryId, blockSeq: '1' }),
    );
  });

  test('inserted entries, though they balance', async () => {
    await w.tamper(
      `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       select transaction_id, account_id, company_id, -amount, currency, created_at from entry where transaction_id = ?`,
      [w.payment.transactionId],
    );
    const inserted = (await w.findings()).filter(({ kind }) => kind === 'entry_inserted');
    expect(inserted).toHaveLength(w.payment.legs.length);
    expect(inserted[0]).toMatchObject({ transactionId: w.payment.transactionId, blockSeq: '1' });
  });

  test('an entry of a transaction that does not exist', async () => {
    await w.tamper(
      `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       select gen_random_uuid(), account_id, company_id, 5, currency, created_at from entry where account_id = ? limit 1`,
      [w.bob],
    );
    expect(await w.findings()).toContainEqual(
      expect.objectContaining({ kind: 'entry_without_transaction', accountId: w.bob }),
    );
  });

  test.each([
    ['amount', 'amount = amount + 1'],
    ['metadata', `metadata = '{}'`],
    ['key', `key = 'other'`],
    ['time', `created_at = created_at + interval '1 second'`],
  ])('an edited transaction: its %s', async (_, change) => {
    await w.tamper(`update ledger_transaction set ${change} where id = ?`, [w.payment.transactionId]);
    expect(await w.findings()).toEqual([
      expect.objectContaining({ kind: 'transaction_changed', transactionId: w.payment.transactionId, blockSeq: '1' }),
    ]);
  });

  test('a deleted transaction', async () => {
    await w.tamper('delete from ledger_transaction where id = ?', [w.payment.transactionId]);
    const found = await w.findings();
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'transaction_deleted', transactionId: w.payment.transactionId }),
    );
    expect(found.filter(({ kind }) => kind === 'entry_without_transaction')).toHaveLength(w.payment.legs.length);
  });

  test('a transaction inserted among sealed ones', async () => {
    await w.seal();
    await w.tamper(
      `insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash, position)
       overriding system value
       select gen_random_uuid(), company_id, type, status, status, amount, currency, 'forged', content_hash, position
       from ledger_transaction where id = ?`,
      [w.payment.transactionId],
    );
    expect(await w.findings()).toEqual([expect.objectContaining({ kind: 'transaction_inserted' })]);
  });

  test('an edited block', async () => {
    await w.tamper(`update block set balances = balances || '{"x": "1"}'`);
    expect(await w.findings()).toEqual([
      expect.objectContaining({ kind: 'block_changed', companyId: w.company.id, blockSeq: '1' }),
    ]);
  });
});

describe('the audit finds and names a change by a superuser without guards, among what other sessions commit:', () => {
  beforeEach(openSealed);
  afterEach(() => w.close());

  test('an entry, until the owner of the database restores it as docs/operations/metrics.md says', async () => {
    const entryId = await w.entryOf(w.bob);
    await w.tamper('update entry set amount = 301 where id = ?', [entryId]);
    expect(await w.findings()).not.toEqual([]);
    await w.em.fork().transactional(async (em) => {
      await em.execute('alter table entry disable trigger entry_immutable');
      await em.execute('update entry set amount = 300 where id = ?', [entryId]);
      await em.execute('alter table entry enable trigger entry_immutable');
    });
    expect(await w.findings()).toEqual([]);
    await expect(w.em.fork().execute('update entry set amount = 301 where id = ?', [entryId])).rejects.toThrow(
      'rows of entry are never changed',
    );
  });

  test('a block that was edited and hashed again', async () => {
    await postToLedger(w.em, [newPosting(w.company, { legs: move(w.ann, w.bob, 1n) })]);
    await w.seal();
    await w.tamper(`update block set balances = balances || '{"x": "1"}' where seq = 1`);
    await w.tamper('update block b set hash = ledger_block_hash(b) where seq = 1');
    expect(await w.findings()).toEqual([expect.objectContaining({ kind: 'chain_broken', blockSeq: '2' })]);
  });

  test('a missing block', async () => {
    await postToLedger(w.em, [newPosting(w.company, { legs: move(w.ann, w.bob, 1n) })]);
    await w.seal();
    await w.tamper('delete from block where seq = 1');
    const kinds = new Set((await w.findings()).map(({ kind }) => kind));
    expect(kinds).toEqual(
      new Set([
        ...(['transaction_inserted', 'record_inserted', 'sealed_balance', 'turnover'] as const),
        ...(['chain_broken', 'block_missing'] as const),
      ] satisfies MismatchKind[]),
    );
  });

  test('a chain whose tail was cut off, with everything that the tail sealed', async () => {
    expect((await verifyBooks(w.books.worker.em.fork(), null, { keep: true })).kept).toMatchObject({ seq: '1' });
    const late = newPosting(w.company, { legs: move(w.ann, w.bob, 1n) });
    await postToLedger(w.em, [late]);
    await w.seal();
    expect((await verifyBooks(w.books.worker.em.fork(), null, { keep: true })).kept).toMatchObject({ seq: '2' });
    await w.tamper('delete from block where seq = 2');
    await w.tamper('delete from entry where transaction_id = ?', [late.transactionId]);
    await w.tamper('delete from ledger_transaction where id = ?', [late.transactionId]);
    await w.tamper(`update account set posted = posted + case id when ? then 1 else -1 end where id in (?, ?)`, [
      w.ann,
      w.ann,
      w.bob,
    ]);
    await w.tamper(
      'update sealed_balance set balance = balance + case account_id when ? then 1 else -1 end where account_id in (?, ?)',
      [w.ann, w.ann, w.bob],
    );
    expect(await w.findings()).toEqual([
      expect.objectContaining({ kind: 'chain_cut', companyId: w.company.id, blockSeq: '2' }),
    ]);
  });

  test('a chain that was written again from the start, hashes and all', async () => {
    await verifyBooks(w.books.worker.em.fork(), null, { keep: true });
    await w.tamper(`update block set balances = balances || '{"x": "1"}'`);
    await w.tamper('update block b set hash = ledger_block_hash(b)');
    expect(await w.findings()).toEqual([expect.objectContaining({ kind: 'chain_rewritten', blockSeq: '1' })]);
  });

  test('a cut chain with forged kept heads: by the checkpoint that was stored elsewhere', async () => {
    const { kept } = await verifyBooks(w.books.worker.em.fork(), null, { keep: true });
    await w.tamper('delete from ledger_checkpoint');
    await w.tamper('delete from ledger_audit');
    await w.tamper(`update block set balances = balances || '{"x": "1"}'`);
    await w.tamper('update block b set hash = ledger_block_hash(b)');
    await verifyBooks(w.books.worker.em.fork(), null, { keep: true });
    expect(await w.findings()).toEqual([]);
    const { mismatches } = await verifyBooks(w.books.worker.em.fork(), null, { checkpoint: kept ?? undefined });
    expect(mismatches.map(({ kind }) => kind)).toEqual(['checkpoint_lost']);
  });
});
