import type { MikroORM } from '@mikro-orm/postgresql';
import { activityInfo, Context, heartbeat } from '@temporalio/activity';
import { type AuditKey, type Checkpoint, checkpointOf } from '../db/ledger/audit/checkpoint.ts';
import { type LedgerMismatch, type LedgerVerification, verifyLedger } from '../db/ledger/verify.ts';
import { dropAbandonedDestinations } from '../db/treasury/withdrawals.ts';
import type { Sweep } from './sweep.ts';

/** An audit as it is kept in Temporal, outside the database it is about. `chainHead` stands for all that was sealed. */
export type LedgerAudit = Omit<LedgerVerification, 'mismatches' | 'kept'> & {
  /** What a later audit, or an auditor with a dump, compares the database with. Null where a mismatch was found. */
  readonly checkpoint: Checkpoint | null;
  readonly mismatchCount: number;
  /** The first of them. Ids, cents and hashes. */
  readonly mismatches: readonly LedgerMismatch[];
};

export type AuditInput = { readonly isNewOnly: boolean; readonly previous: Checkpoint | null };

export interface MaintenanceActivities extends Sweep {
  /** Removes what withdrawals left behind that were never requested. Safe to repeat. */
  clearAbandoned(): Promise<number>;
  /**
   * Audits the books of all companies, in full or what is new since the last audit, and compares them with the checkpoint that the
   * previous audit left.
   */
  auditLedger(input: AuditInput): Promise<LedgerAudit>;
}

const MAX_MISMATCHES_KEPT = 20;

export function createMaintenanceActivities(orm: MikroORM, sweep: Sweep, auditKey?: AuditKey): MaintenanceActivities {
  return {
    ...sweep,
    clearAbandoned: () => dropAbandonedDestinations(orm.em.fork()),
    auditLedger: ({ isNewOnly, previous }) =>
      withHeartbeats(async () => {
        const options = { keep: true, isNewOnly, checkpoint: previous ?? undefined };
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
 * Tells Temporal that this worker is alive while `work` goes on, so that another worker takes over soon after this one was
 * killed. Throws `CancelledFailure` if somebody cancels the activity; a statement that is under way ends by itself.
 */
async function withHeartbeats<T>(work: () => Promise<T>): Promise<T> {
  const { heartbeatTimeoutMs = 60_000 } = activityInfo();
  const beat = setInterval(() => heartbeat(), heartbeatTimeoutMs / 4);
  try {
    return await Promise.race([work(), Context.current().cancelled]);
  } finally {
    clearInterval(beat);
  }
}
