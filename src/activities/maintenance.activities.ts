import type { MikroORM } from '@mikro-orm/postgresql';
import { activityInfo, Context, heartbeat } from '@temporalio/activity';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import { deleteAbandonedTexts } from '../db/escrow/escrows.ts';
import { type AuditKey, type Checkpoint, checkpointOf } from '../db/ledger/audit/checkpoint.ts';
import { type LedgerMismatch, type LedgerVerification, verifyLedger } from '../db/ledger/verify.ts';
import { clearOldDeliveries, clearOldEvents } from '../db/operations/housekeeping.ts';
import { taskFinished } from '../db/operations/operations-metrics.ts';
import { deleteAbandonedDestinations } from '../db/treasury/withdrawals.ts';
import { EVENT_RETENTION_DAYS } from '../domain/events/event-types.ts';
import { DELIVERY_RETENTION_DAYS } from '../domain/webhooks.ts';
import { AUDIT_HEARTBEAT_TIMEOUT_MS } from './contract.ts';
import type { Sweep } from './sweep.ts';

/** The audit's record in Temporal, outside the audited database. `chainHead` is the hash over everything sealed. */
export type LedgerAudit = Omit<LedgerVerification, 'mismatches' | 'kept'> & {
  /** For comparison by a later audit, or by an auditor with a dump. Null if a mismatch was found. */
  readonly checkpoint: Checkpoint | null;
  readonly mismatchCount: number;
  /** The first mismatches. Ids, cents and hashes. */
  readonly mismatches: readonly LedgerMismatch[];
};

type AuditInput = { readonly isNewOnly: boolean; readonly previous: Checkpoint | null };

export interface MaintenanceActivities extends Sweep {
  /**
   * Removes the destinations of withdrawals and the texts of commands that were never carried out, and events and deliveries past their retention. Safe to
   * repeat. Open runs have stored the name.
   */
  clearAbandoned(): Promise<number>;
  /**
   * Audits the books of all companies, in full or only the transactions since the last audit, and compares them with the checkpoint
   * of the previous audit.
   */
  auditLedger(input: AuditInput): Promise<LedgerAudit>;
}

const MAX_MISMATCHES_KEPT = 20;

export function createMaintenanceActivities(
  orm: MikroORM,
  sweep: Sweep,
  auditKey?: AuditKey,
  cipher?: FieldCipher,
): MaintenanceActivities {
  return {
    ...sweep,
    async sweepRuns(page) {
      const batch = await sweep.sweepRuns(page);
      if (batch.next === null) await taskFinished(orm.em.fork(), 'sweep'); // runs are the second half of a sweep
      return batch;
    },
    clearAbandoned: async () => {
      const events = await clearOldEvents(orm.em.fork(), EVENT_RETENTION_DAYS);
      const deliveries = await clearOldDeliveries(orm.em.fork(), DELIVERY_RETENTION_DAYS);
      const texts = await deleteAbandonedTexts(orm.em.fork());
      return events + deliveries + texts + (await deleteAbandonedDestinations(orm.em.fork()));
    },
    auditLedger: ({ isNewOnly, previous }) =>
      withHeartbeats(async () => {
        const known = cipher === undefined ? {} : { cipher };
        const options = { keep: true, isNewOnly, checkpoint: previous ?? undefined, ...known };
        const { mismatches, kept, ...found } = await verifyLedger(orm.em.fork(), null, options);
        return {
          ...found,
          checkpoint: kept === null ? null : checkpointOf(kept, auditKey),
          mismatchCount: mismatches.length,
          mismatches: mismatches.slice(0, MAX_MISMATCHES_KEPT),
        };
      }),
  };
}

/**
 * Sends heartbeats to Temporal while `work` runs, so that another worker takes over soon if this one is killed. Throws
 * `CancelledFailure` if the activity is cancelled; a running statement then ends by itself.
 */
async function withHeartbeats<T>(work: () => Promise<T>): Promise<T> {
  const { heartbeatTimeoutMs = AUDIT_HEARTBEAT_TIMEOUT_MS } = activityInfo();
  const beat = setInterval(() => heartbeat(), heartbeatTimeoutMs / 4);
  try {
    return await Promise.race([work(), Context.current().cancelled]);
  } finally {
    clearInterval(beat);
  }
}
