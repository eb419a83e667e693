import type { MikroORM } from '@mikro-orm/postgresql';
import { type AuditKey, type Checkpoint, checkpointOf } from '../db/ledger/audit/checkpoint.ts';
import { type LedgerMismatch, type LedgerVerification, verifyLedger } from '../db/ledger/verify.ts';
import { findOpenRuns, type OpenRun } from '../db/operations/open-runs.ts';
import { dropAbandonedDestinations } from '../db/treasury/withdrawals.ts';

/** What one batch found. `last` is null when there are no more. */
export type RebuiltBatch = {
  readonly checked: number;
  readonly started: number;
  readonly last: string | null;
};

/** An audit as it is kept in Temporal, outside the database it is about. `chainHead` stands for all that was sealed. */
export type LedgerAudit = Omit<LedgerVerification, 'mismatches' | 'kept'> & {
  /** What a later audit, or an auditor with a dump, compares the database with. Null where a mismatch was found. */
  readonly checkpoint: Checkpoint | null;
  readonly mismatchCount: number;
  /** The first of them. Ids, cents and hashes. */
  readonly mismatches: readonly LedgerMismatch[];
};

export type AuditInput = { readonly isNewOnly: boolean; readonly previous: Checkpoint | null };

export interface MaintenanceActivities {
  /**
   * Starts a run for each of the next that are open and have none. Safe to repeat. The first batch also clears away what
   * withdrawals left behind that never came to be.
   */
  startMissingRuns(after: string | null): Promise<RebuiltBatch>;
  /**
   * Audits the books of all companies, in full or what is new since the last audit, and compares them with the checkpoint that the
   * previous audit left.
   */
  auditLedger(input: AuditInput): Promise<LedgerAudit>;
}

/** Starts a run; false where one runs already. */
export type StartIfMissing = (open: OpenRun) => Promise<boolean>;

const BATCH_SIZE = 200;
/** Starts at once: enough to keep Temporal busy, few enough to leave it room for commands. */
const CONCURRENCY = 8;
const MAX_MISMATCHES_KEPT = 20;

export function createMaintenanceActivities(
  orm: MikroORM,
  startIfMissing: StartIfMissing,
  auditKey?: AuditKey,
): MaintenanceActivities {
  return {
    async startMissingRuns(after) {
      if (after === null) await dropAbandonedDestinations(orm.em.fork());
      const open = await findOpenRuns(orm.em.fork(), after, BATCH_SIZE);
      let started = 0;
      const queue = open.values();
      const drain = async () => {
        for (const one of queue) if (await startIfMissing(one)) started += 1;
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, drain));
      const isFull = open.length === BATCH_SIZE;
      return { checked: open.length, started, last: isFull ? (open.at(-1)?.id ?? null) : null };
    },
    async auditLedger({ isNewOnly, previous }) {
      const options = { keep: true, isNewOnly, checkpoint: previous ?? undefined };
      const { mismatches, kept, ...found } = await verifyLedger(orm.em.fork(), null, options);
      return {
        ...found,
        checkpoint: kept === null ? null : checkpointOf(kept, auditKey),
        mismatchCount: mismatches.length,
        mismatches: mismatches.slice(0, MAX_MISMATCHES_KEPT),
      };
    },
  };
}
