import type { EntityManager } from '@mikro-orm/postgresql';
import type { TransactionId } from '../../domain/ids.ts';
import type { TransactionStatus } from '../../domain/ledger/postings.ts';

/**
 * Changes a transaction's status, its only mutable field; the database allows forward changes only. Setting the same status
 * again has no effect.
 */
export async function setTransactionStatus(
  em: EntityManager,
  id: TransactionId,
  status: TransactionStatus,
): Promise<void> {
  await em.execute('update ledger_transaction set status = ? where id = ? and status <> ?', [status, id, status]);
}
