import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, CompanyId, TransactionId } from '../../../domain/ids.ts';
import { type LedgerMismatch, MAX_MISMATCHES, type MismatchKind, mismatch } from './mismatch.ts';

type DerivedMismatch = {
  kind: MismatchKind;
  company_id: CompanyId;
  account_id: AccountId | null;
  transaction_id: TransactionId | null;
  record: string;
  expected: string | null;
  actual: string | null;
};

/** Recomputes the activity, tallies, checkpoints and counts, and compares the RECEIVABLE accounts with the receivables. */
export async function findDerivedMismatches(em: EntityManager, companyId: CompanyId | null): Promise<LedgerMismatch[]> {
  const rows = await em.execute<DerivedMismatch[]>('select * from derived_mismatches(?, ?)', [
    companyId,
    MAX_MISMATCHES,
  ]);
  return rows.map(({ kind, record, expected, actual, ...row }) =>
    mismatch(kind, {
      companyId: row.company_id,
      accountId: row.account_id,
      transactionId: row.transaction_id,
      record,
      expected,
      actual,
    }),
  );
}
