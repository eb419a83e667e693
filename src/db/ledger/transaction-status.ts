import type { EntityManager } from '@mikro-orm/postgresql';
import type { TransactionId } from '../../domain/ids.ts';
import type { TransactionStatus } from '../../domain/ledger/postings.ts';

/**
 * Moves a transaction's status, the one thing about it that changes; the database lets it go forward only. The same status
 * again changes nothing.
 */
export async function setTransactionStatus(
  em: EntityManager,
  id: TransactionId,
  status: TransactionStatus,
): Promise<void> {
  await em.execute('update ledger_transaction set status = ? where id = ? and status <> ?', [status, id, status]);
}
