import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NIL } from 'uuid';
import { textArray } from '../../../../src/db/core/bound.ts';
import type { MismatchKind } from '../../../../src/db/ledger/audit/mismatch.ts';
import { postToLedger } from '../../../../src/db/ledger/post.ts';
import { move, newPosting, verifyBooks } from '../books.ts';
import { type AuditWorld, openAuditWorld } from './world.ts';

/** Old postings, in calls: so many that PostgreSQL reads a part of them only by an index. */
const CALLS = 16;
const POSTINGS = 1_000;

let w: AuditWorld;

/** Books with yesterday's history between the bank and Bob that an audit has kept, and one new posting of the bank and another. */
beforeAll(async () => {
  w = await openAuditWorld();
  const bank = w.company.account('BANK');
  const pay = (_: unknown, index: number) =>
    newPosting(w.company, { legs: index % 2 === 0 ? move(bank, w.bob, 1n) : move(w.bob, bank, 1n) });
  for (let call = 0; call < CALLS; call += 1) {
    await postToLedger(w.em, Array.from({ length: POSTINGS }, pay));
    await w.tamper(
      `update entry set created_at = created_at - interval '1 day' where created_at > now() - interval '12 hours'`,
    );
    await w.seal();
  }
  await w.sealUntilFinal(2 + CALLS * POSTINGS);
  // New entries then go to the end, as where no entry was ever updated.
  await w.em.execute('vacuum (full) entry');
  await w.em.execute('vacuum (analyze)');
  expect(await verifyBooks(w.books.worker.em.fork(), null, { keep: true })).toMatchObject({ kept: { seq: '1' } });
  await postToLedger(w.em, [newPosting(w.company, { legs: move(bank, w.company.account('SERVICE_FEE'), 1n) })]);
  await w.sealUntilFinal(3 + CALLS * POSTINGS);
});
afterAll(() => w.close());

describe('an incremental audit', () => {
  /** What a statement returns, and how many rows of these tables it reads, after others that are rolled back. */
  async function rowsRead(
    statement: string,
    tables: readonly string[],
    earlier: readonly string[] = [],
  ): Promise<readonly [found: unknown, rows: number[]]> {
    const em = w.books.owner.em.fork();
    await em.begin();
    try {
      for (const one of earlier) await em.execute(one);
      const reads = () =>
        em.execute<{ rows: number }[]>(
          `select (coalesce(s.seq_tup_read, 0) + coalesce(s.idx_tup_fetch, 0))::integer as rows
           from unnest(?::text[]) with ordinality t(name, place) join pg_stat_xact_user_tables s on s.relname = t.name order by t.place`,
          [textArray(tables)],
        );
      const before = await reads(); // of statements that PostgreSQL has not reported yet
      const [found] = await em.execute(statement);
      const after = await reads();
      return [found, after.map(({ rows }, table) => rows - (before[table]?.rows ?? 0))];
    } finally {
      await em.rollback();
    }
  }

  test.each([
    ['', []],
    [
      ', also of an account with much more history than others',
      [
        'alter table entry alter column company_id set (n_distinct = -0.5), alter column account_id set (n_distinct = -0.5)',
        'analyze entry',
      ],
    ],
  ])('reads the new rows, and of the history less than a tenth%s', async (_, earlier) => {
    const tables = ['entry', 'ledger_transaction', 'ledger_activity'];
    const [found, rows] = await rowsRead('select ledger_verify(null, true) as found', tables, earlier);
    expect(found).toMatchObject({ found: { checkedTransactions: 1, mismatches: [] } });
    // Each posting has two entries. A range of their index, with new ones at its end, has some 1,600.
    expect(Math.max(...rows)).toBeLessThan((2 * CALLS * POSTINGS) / 10);
  });

  /** Many companies, each with a head that the last audit kept: more than are read faster without an index. */
  const MANY = 2_000;
  const COMPANIES = [
    `insert into company (id, name, slug) select gen_random_uuid(), 'Many', gen_random_uuid() from generate_series(1, ${MANY})`,
    `insert into ledger_checkpoint (audit_seq, company_id, block_seq, head) select 1, id, 1, '\\x' from company where name = 'Many'`,
    'analyze company',
  ];

  test('looks for new events in the new blocks, beside many companies', async () => {
    const events = `select count(*) from audited_entities('escrow', null, true, '${NIL}', '${NIL}', 1)`;
    const [, [blocks]] = await rowsRead(events, ['block'], COMPANIES);
    expect(blocks).toBe(1);
  });

  describe.each([
    { when: 'without statistics', early: [`select pg_clear_relation_stats('public', 'ledger_checkpoint')`], late: [] },
    { when: 'with statistics of a time with few companies', early: ['analyze'], late: [] },
    { when: 'with statistics of all', early: [], late: ['analyze ledger_checkpoint'] },
  ])('finds the kept head of each company, $when', ({ early, late }) => {
    // Dead rows stay after a rollback, and so does what "analyze" wrote to pg_class.
    beforeEach(() => w.em.execute('vacuum (full, analyze) ledger_checkpoint'));
    test.each([
      'select ledger_verify(null, true)',
      `select count(*) from audited_entities('escrow', null, true, '${NIL}', '${NIL}', 1)`,
      'select seq from ledger_keep_audit(false)',
    ])('%s', async (statement) => {
      const [, [heads]] = await rowsRead(statement, ['ledger_checkpoint'], [...early, ...COMPANIES, ...late]);
      expect(heads).toBeLessThan(10 * MANY);
    });
  });

  test('looks up the causes of new deposits', async () => {
    const lines = (resources: string) =>
      `insert into audit_log (company_id, actor_kind, actor_id, operation, resource, status)
       select company_id, 'service', company_id, 'test', ${resources}, 201 from ledger_transaction`;
    const [, [rows]] = await rowsRead(
      'select count(*) from transactions_without_cause(null, true)',
      ['audit_log'],
      [
        `insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash)
       select id, '${w.company.id}', 'DEPOSIT', 'COMPLETED', 'COMPLETED', 1, 'USD', 'deposit/' || id, '\\x'
       from (select uuidv7() as id from generate_series(1, 500)) t`,
        lines(`'old_' || id`),
        `${lines(`'txn_' || id`)} where key like 'deposit/%'`,
        'analyze ledger_transaction, audit_log',
      ],
    );
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(2 * POSTINGS);
  });

  test('compares only accounts that an entry, a hold or anybody changed', async () => {
    const { checkedAccounts } = await verifyBooks(w.books.owner.em.fork(), null, { isNewOnly: true });
    expect(checkedAccounts).toBe(3); // BANK, SERVICE_FEE, and Ann's, on which money is held
  });
});

describe('an incremental audit finds and names a change of what nothing new touched, by a superuser without guards:', () => {
  beforeEach(() => w.begin());
  afterEach(() => w.undo());

  const CHANGES: readonly (readonly [what: string, statement: string, kind: MismatchKind])[] = [
    ['a balance', 'update account set posted = posted + 1 where id = $bob', 'balance'],
    ['a held balance', 'update account set held = held + 1 where id = $bob', 'held'],
    ['a hold', 'update hold set remaining = remaining - 1', 'held'],
    ['a hold that was closed', `update hold set remaining = 0, status = 'CLOSED'`, 'held'],
    [
      'an amount to add to a balance',
      'insert into account_delta select id, company_id, 5 from account where id = $bob',
      'balance',
    ],
    ['a sealed balance', 'update sealed_balance set balance = balance + 1 where account_id = $bob', 'sealed_balance'],
    [
      'an entry without a transaction',
      `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       select gen_random_uuid(), id, company_id, 5, 'USD', now() from account where id = $bob`,
      'entry_without_transaction',
    ],
    [
      'an entry without an account',
      `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       select id, gen_random_uuid(), company_id, 5, 'USD', now() from ledger_transaction limit 1`,
      'entry_without_account',
    ],
    [
      'the end of the chain',
      'delete from block where seq >= (select max(block_seq) from ledger_checkpoint)',
      'chain_cut',
    ],
    [
      'a kept head',
      `update block set hash = sha256('x') where seq = (select max(block_seq) from ledger_checkpoint)`,
      'chain_rewritten',
    ],
  ];
  test.each(CHANGES)('%s', async (_, statement, kind) => {
    await w.tamper(statement.replaceAll('$ann', `'${w.ann}'`).replaceAll('$bob', `'${w.bob}'`));
    expect((await w.findings({ isNewOnly: true })).map((found) => found.kind)).toContain(kind);
  });

  test('turnover, of an hour with a new entry', async () => {
    await w.tamper(`update account_turnover set credits = credits + 1 where unit = 'hour'`);
    const found = await w.findings({ isNewOnly: true });
    const accounts = ['BANK', 'SERVICE_FEE'] as const;
    expect(found.map(({ kind, accountId }) => [kind, accountId]).toSorted()).toEqual(
      accounts.map((type) => ['turnover', w.company.account(type)]).toSorted(),
    );
  });

  test('a held balance beyond the balance', async () => {
    await w.tamper('alter table account drop constraint account_not_overdrawn');
    await w.tamper('update account set held = 700 where id = ?', [w.ann]);
    expect((await w.findings({ isNewOnly: true })).map(({ kind }) => kind)).toContain('overdrawn');
  });

  test('a balance, in a database that was restored into a server with lower transaction ids', async () => {
    await w.tamper(`update ledger_audit set oldest_running = '9000000000'`);
    expect(await w.findings({ isNewOnly: true })).toEqual([]);
    await w.tamper('update account set posted = posted + 1 where id = ?', [w.bob]);
    expect(await w.findings({ isNewOnly: true })).toMatchObject([{ kind: 'balance', accountId: w.bob }]);
  });
});
