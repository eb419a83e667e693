import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { seedBooks } from '../../bench/seed/books.ts';
import { connect } from '../../src/db/core/orm.ts';
import type { MismatchKind } from '../../src/db/ledger/audit/mismatch.ts';
import { postToLedger } from '../../src/db/ledger/post.ts';
import { auditWithin, verifyLedger } from '../../src/db/ledger/verify.ts';
import type { Escrow } from '../../src/domain/escrow/escrow.ts';
import { holdPosting, payPostings } from '../../src/domain/escrow/postings.ts';
import { type AccountId, type CommandId, commandThatMade, type TransactionId } from '../../src/domain/ids.ts';
import { depositPosting } from '../../src/domain/ledger/deposits.ts';
import { fromWire, type Wire } from '../../src/domain/messages/wire.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

const ESCROWS = 200;

/** Seeded books are those that the service would have left. The tests share one database, and roll back what they change. */
describe('seeded books', () => {
  let database: TestDatabase;
  let owner: MikroORM;
  let superuser: MikroORM;

  beforeAll(async () => {
    database = await freshDatabase();
    const open = (databaseUrl: string) =>
      connect({ databaseUrl, poolMax: 2, applicationName: 'test', isForService: true });
    [owner, superuser] = await Promise.all([open(database.ownerUrl), open(database.superuserUrl)]);
    const fieldKey = { id: 'test', key: randomBytes(32) };
    await seedBooks(owner, { fieldKey, escrows: ESCROWS, users: 20 });
  });
  afterAll(async () => {
    await Promise.all([owner.close(), superuser.close()]);
    await database.drop();
  });

  test('pass a full audit', async () => {
    const audit = await verifyLedger(owner.em.fork(), null);
    expect(audit.mismatches).toEqual([]);
    expect(audit).toMatchObject({ checkedTransactions: 3 * ESCROWS, unsealedTransactions: 0 });
  });

  test('have the postings of the domain: the ledger takes each of them as a duplicate', async () => {
    const outcomes = await rolledBack(owner, async (em) => {
      const [row] = await em.execute<
        { state: Wire<Escrow>; release: CommandId; number: string; deposit: TransactionId }[]
      >(
        `select e.state, r.command_id as release, split_part(e.external_reference, ' ', 2) as number, d.id as deposit
         from escrow e join escrow_event r on r.escrow_id = e.id and r.seq = 2
         join ledger_transaction d on d.reference = 'receipt ' || split_part(e.external_reference, ' ', 2)
         order by e.id limit 1`,
      );
      if (row === undefined) throw new Error('nothing is seeded');
      const escrow = fromWire<Escrow>(row.state);
      const { terms } = escrow;
      const [declared] = await em.execute<{ id: AccountId }[]>(
        `select id from account where company_id = ? and type = 'CLEARING_DECLARED' and currency = 'USD'`,
        [terms.companyId],
      );
      if (declared === undefined) throw new Error('no CLEARING_DECLARED account');
      const deposit = depositPosting({
        transactionId: row.deposit,
        companyId: terms.companyId,
        accountId: terms.buyerAccountId,
        contraAccountId: declared.id,
        amountCents: terms.totalCents,
        currency: terms.currency,
        externalReference: `receipt ${row.number}`,
        userReference: null,
        isTransit: false,
      });
      const hold = holdPosting(terms, commandThatMade(terms.escrowId), terms.totalCents);
      const payments = payPostings({ ...escrow, heldCents: terms.totalCents }, row.release, escrow.shares);
      return postToLedger(em, [deposit, hold, ...payments]);
    });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['duplicate', 'duplicate', 'duplicate']);
  });

  /** Each: what a superuser does without triggers, and what the audit must say of it at least. */
  const TAMPERINGS: Readonly<Record<string, readonly [statement: string, kind: MismatchKind]>> = {
    'the amount of an entry': [
      'update entry set amount = amount + 1 where id = (select max(id) from entry)',
      'entry_changed',
    ],
    'the seller of an escrow': [
      `update escrow set state = jsonb_set(state, '{terms,sellerAccountId}', to_jsonb(gen_random_uuid()))
       where id = (select min(id::text)::uuid from escrow)`,
      'entity_changed',
    ],
    'the event of a release': [
      'delete from escrow_event where seq = 2 and escrow_id = (select min(escrow_id::text)::uuid from escrow_event)',
      'record_deleted',
    ],
    'the request of a deposit': [
      'delete from audit_log where id = (select min(id) from audit_log)',
      'transaction_without_cause',
    ],
    'a change of a hold': ['delete from hold_change where id = (select min(id) from hold_change)', 'hold_changed'],
    'the tail of the chain': [
      'delete from block b where seq = (select max(seq) from block x where x.company_id = b.company_id)',
      'record_inserted',
    ],
  };

  test.each(Object.keys(TAMPERINGS))('let the audit name a change: %s', async (name) => {
    const [statement, kind] = TAMPERINGS[name] ?? ['', undefined];
    const mismatches = await rolledBack(superuser, async (em) => {
      await em.execute('set local session_replication_role = replica');
      await em.execute(statement);
      return (await auditWithin(em, null)).mismatches;
    });
    expect(mismatches.map((mismatch) => mismatch.kind)).toContain(kind);
  });
});

async function rolledBack<T>(orm: MikroORM, work: (em: EntityManager) => Promise<T>): Promise<T> {
  const em = orm.em.fork();
  await em.begin();
  try {
    return await work(em);
  } finally {
    await em.rollback();
  }
}
