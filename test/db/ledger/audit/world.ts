import type { EntityManager } from '@mikro-orm/postgresql';
import { connect } from '../../../../src/db/core/orm.ts';
import type { LedgerMismatch } from '../../../../src/db/ledger/audit/mismatch.ts';
import { postToLedger } from '../../../../src/db/ledger/post.ts';
import { sealLedger } from '../../../../src/db/ledger/sealer.ts';
import { auditWithin, type VerifyOptions } from '../../../../src/db/ledger/verify.ts';
import type { AccountId } from '../../../../src/domain/ids.ts';
import type { Posting } from '../../../../src/domain/ledger/postings.ts';
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
  verifyBooks,
} from '../books.ts';

/** Books with a few postings, and a superuser who can change every row. The database is separate, because changes stay. */
export type AuditWorld = {
  readonly books: Books;
  readonly em: EntityManager;
  readonly company: TestCompany;
  readonly ann: AccountId;
  readonly bob: AccountId;
  /** Ann paid Bob 300, and the fee went to the company. 50 of Ann's money are held. */
  readonly payment: Posting;
  seal(): Promise<void>;
  /** Seals until every number is final. Transactions of other tests on the server can delay this. */
  sealUntilFinal(lastPosition: number): Promise<void>;
  /** From here to `undo`, changes and audits are in one transaction, which is rolled back: the next test finds the same books. */
  begin(): Promise<void>;
  undo(): Promise<void>;
  /** Changes rows without triggers, rules and foreign keys. */
  tamper(statement: string, values?: unknown[]): Promise<void>;
  /** The mismatches in the books, without the fields that are null; of everything, or only of what is new. */
  findings(options?: Pick<VerifyOptions, 'isNewOnly'>): Promise<Partial<LedgerMismatch>[]>;
  entryOf(account: AccountId): Promise<string>;
  close(): Promise<void>;
};

export async function openAuditWorld(): Promise<AuditWorld> {
  const books = await openBooks();
  const em = books.owner.em.fork();
  const superuser = await connect({ databaseUrl: books.database.superuserUrl, poolMax: 1, applicationName: 'test' });
  const company = await addCompany(em, { users: 2 });
  const ann = company.user(0);
  const bob = company.user(1);
  await fund(em, company, ann, 1_000n);
  const legs = [...move(ann, bob, 300n), ...move(ann, company.account('SERVICE_FEE'), 3n)];
  const holds = [{ kind: 'place' as const, holdId: newHoldId(), accountId: ann, amountCents: 50n }];
  const payment = newPosting(company, { legs, holds, metadata: { note: 'é ? \\ \' "' } });
  await postToLedger(em, [payment]);
  let open: EntityManager | undefined;
  const seal = async () => {
    await sealLedger(books.worker.em.fork());
  };
  return {
    books,
    em,
    company,
    ann,
    bob,
    payment,
    seal,
    async sealUntilFinal(lastPosition) {
      await eventually(async () => {
        await seal();
        const [progress] = await em.execute<{ final: number; sealed_beyond: string }[]>(
          'select final_position::integer as final, sealed_beyond from seal_progress',
        );
        if (progress?.final !== lastPosition || progress.sealed_beyond !== '{}') throw new Error('not final yet');
      });
    },
    async begin() {
      open = superuser.em.fork();
      await open.begin();
    },
    async undo() {
      await open?.rollback();
      open = undefined;
    },
    tamper: (statement, values = []) =>
      open === undefined
        ? superuser.em.fork().transactional((inside) => tamperIn(inside, statement, values))
        : tamperIn(open, statement, values),
    async findings(options = {}) {
      const { mismatches } =
        open === undefined
          ? await verifyBooks(books.owner.em.fork(), null, options)
          : await auditWithin(open, null, { booksOnly: true, ...options });
      return mismatches.map((mismatch) =>
        Object.fromEntries(Object.entries(mismatch).filter(([, value]) => value !== null)),
      );
    },
    async entryOf(account) {
      const [row] = await em.execute<{ id: string }[]>(
        'select id from entry where account_id = ? and transaction_id = ?',
        [account, payment.transactionId],
      );
      return row?.id ?? 'none';
    },
    async close() {
      await superuser.close();
      await books.close();
    },
  };
}

async function tamperIn(inside: EntityManager, statement: string, values: unknown[]): Promise<void> {
  await inside.execute('set local session_replication_role = replica');
  await inside.execute(statement, values);
  await inside.execute('set local session_replication_role = origin');
}
