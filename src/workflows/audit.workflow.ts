import { ApplicationFailure, log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { LedgerAudit, MaintenanceActivities } from '../activities/maintenance.activities.ts';

const activities = proxyActivities<Pick<MaintenanceActivities, 'auditLedger'>>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '1 minute',
  // One audit runs at a time in the whole service: another one, asked for by hand, is waited for.
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes', maximumAttempts: 20 },
});

/**
 * Audits the books of all companies, in full or what is new since the last audit. Its result holds a signed checkpoint, outside the
 * database that it is about; the next run of the schedule compares the database with it. A superuser who rewrites the books, hashes
 * and kept heads does not reach the checkpoint. Fails where the audit finds a mismatch.
 */
export async function auditWorkflow(scope: 'all' | 'new' = 'all'): Promise<LedgerAudit> {
  const last = workflowInfo().lastResult as LedgerAudit | undefined; // the schedule's last run was this workflow
  const audit = await activities.auditLedger({ isNewOnly: scope === 'new', previous: last?.checkpoint ?? null });
  const { ok, chainHead, checkedTransactions, mismatchCount, mismatches, checkpoint } = audit;
  if (ok) {
    log.info('the ledger was audited and holds', { scope, checkpoint, chainHead, checkedTransactions });
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
