import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId, TransactionId } from '../../domain/ids.ts';
import type { TransactionStatus } from '../../domain/ledger/postings.ts';

/**
 * Changes a transaction's status, its only mutable field; the database allows forward changes only. Setting the same status
 * again has no effect.
 */
export async function setTransactionStatus(
  em: EntityManager,
  companyId: CompanyId,
  id: TransactionId,
  status: TransactionStatus,
): Promise<void> {
  await em.execute('update ledger_transaction set status = ? where company_id = ? and id = ? and status <> ?', [
    status,
    companyId,
    id,
    status,
  ]);
}
