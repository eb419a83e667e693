import { ApplicationFailure, log, proxyActivities } from '@temporalio/workflow';
import type { LedgerAudit, MaintenanceActivities } from '../activities/maintenance.activities.ts';

const activities = proxyActivities<Pick<MaintenanceActivities, 'auditLedger'>>({
  startToCloseTimeout: '30 minutes',
  // One audit runs at a time in the whole service: another one, asked for by hand, is waited for.
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes', maximumAttempts: 20 },
});

/**
 * Audits the books of all companies. Its result holds the head of the ledger's chain of hashes, outside the database that the
 * chain is in: who rewrote the books, hashes and all, would not find it to rewrite. Fails where the books do not hold.
 */
export async function auditWorkflow(): Promise<LedgerAudit> {
  const audit = await activities.auditLedger();
  const { ok, chainHead, checkedTransactions, mismatchCount, mismatches } = audit;
  if (ok) {
    log.info('the ledger was audited and holds', { chainHead, checkedTransactions });
    return audit;
  }
  log.error('the ledger was audited and does not hold', { chainHead, checkedTransactions, mismatchCount, mismatches });
  throw ApplicationFailure.create({
    message: `${mismatchCount} mismatches in the ledger`,
    type: 'ledger_mismatch',
    nonRetryable: true,
    details: [audit],
  });
}
