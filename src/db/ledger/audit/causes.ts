import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId, TransactionId } from '../../../domain/ids.ts';
import { type LedgerMismatch, MAX_MISMATCHES, mismatch } from './mismatch.ts';

/** Finds transactions without an event, a capture or a request as their cause: no authorized caller posted them. */
export async function findTransactionsWithoutCause(
  em: EntityManager,
  companyId: CompanyId | null,
  isNewOnly: boolean,
): Promise<LedgerMismatch[]> {
  const rows = await em.execute<{ transaction_id: TransactionId; company_id: CompanyId; key: string }[]>(
    'select transaction_id, company_id, key from transactions_without_cause(?, ?) limit ?',
    [companyId, isNewOnly, MAX_MISMATCHES],
  );
  return rows.map((row) =>
    mismatch('transaction_without_cause', {
      companyId: row.company_id,
      transactionId: row.transaction_id,
      expected: `the cause of ${row.key}`,
      actual: 'nothing',
    }),
  );
}
