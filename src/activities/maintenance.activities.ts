import type { MikroORM } from '@mikro-orm/postgresql';
import { findOpenEscrows, type OpenEscrow } from '../db/open-escrows.ts';
import type { EscrowId } from '../domain/ids.ts';

/** What one batch found. `last` is null when there are no more. */
export type RebuiltBatch = {
  readonly checked: number;
  readonly started: number;
  readonly last: EscrowId | null;
};

export interface MaintenanceActivities {
  /** Starts a run for each of the next open escrows that has none. Safe to repeat. */
  startMissingRuns(after: EscrowId | null): Promise<RebuiltBatch>;
}

/** Starts a run; false where one runs already. */
export type StartIfMissing = (escrow: OpenEscrow) => Promise<boolean>;

const BATCH_SIZE = 200;
/** Starts at once: enough to keep Temporal busy, few enough to leave it room for commands. */
const CONCURRENCY = 8;

export function createMaintenanceActivities(orm: MikroORM, startIfMissing: StartIfMissing): MaintenanceActivities {
  return {
    async startMissingRuns(after) {
      const escrows = await findOpenEscrows(orm.em.fork(), after, BATCH_SIZE);
      let started = 0;
      const queue = escrows.values();
      const drain = async () => {
        for (const escrow of queue) if (await startIfMissing(escrow)) started += 1;
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, drain));
      const isFull = escrows.length === BATCH_SIZE;
      return { checked: escrows.length, started, last: isFull ? (escrows.at(-1)?.escrowId ?? null) : null };
    },
  };
}
