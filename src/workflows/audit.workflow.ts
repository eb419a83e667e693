import { ApplicationFailure, log, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { AUDIT_HEARTBEAT_TIMEOUT_MS } from '../activities/contract.ts';
import type { LedgerAudit, MaintenanceActivities } from '../activities/maintenance.activities.ts';

const activities = proxyActivities<Pick<MaintenanceActivities, 'auditLedger'>>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: AUDIT_HEARTBEAT_TIMEOUT_MS,
  // One audit runs at a time in the whole service. If another one was started by hand, this one waits for it.
  retry: { initialInterval: '10 seconds', maximumInterval: '5 minutes', maximumAttempts: 20 },
});

/**
 * Audits the books of all companies, in full or only the transactions since the last audit. Its result contains a signed checkpoint,
 * outside the audited database; the schedule's next run compares the database with it. A superuser who rewrites the books,
 * hashes and stored heads cannot change the checkpoint. Fails if the audit finds a mismatch.
 */
export async function auditWorkflow(scope: 'all' | 'new' = 'all'): Promise<LedgerAudit> {
  const last = workflowInfo().lastResult as LedgerAudit | undefined; // the schedule's last run was this workflow
  const audit = await activities.auditLedger({ isNewOnly: scope === 'new', previous: last?.checkpoint ?? null });
  const { ok, chainHead, checkedTransactions, unauditedEntities, mismatchCount, mismatches, checkpoint } = audit;
  const extent = { chainHead, checkedTransactions, unauditedEntities };
  if (ok) {
    log.info('the audit found no mismatch', { scope, checkpoint, ...extent });
    return audit;
  }
  log.error('the audit found mismatches', { ...extent, mismatchCount, mismatches });
  throw ApplicationFailure.create({
    message: `${mismatchCount} mismatches in the ledger`,
    type: 'ledger_mismatch',
    nonRetryable: true,
    details: [audit],
  });
}
