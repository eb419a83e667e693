import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import { replicaReads } from '../../observability/metrics.ts';
import { codeOf } from '../../observability/thrown.ts';
import { Batcher } from './batcher.ts';
import { isOutage } from './database-errors.ts';
import { inTenant, readTenant } from './orm.ts';

/**
 * Reads that need not run on the primary: statements and lists. They see every change that was committed before the call,
 * wherever they run (docs/adr/0027).
 */

/** Runs a read in one transaction for a company. `work` must not write or lock, and may run twice. */
export type TenantReads = <T>(companyId: CompanyId, work: (em: EntityManager) => Promise<T>) => Promise<T>;

/** How long a read waits until the replica has replayed the primary's position. Then it runs on the primary. */
const CATCH_UP_MS = 100;
const CATCH_UP_CHECK_MS = 5;
/** How long all reads run on the primary after the replica was unreachable, or turned out not to replicate this primary. */
const AVOID_MS = 5_000;

/** SQLSTATE of a statement that the replica ended because it conflicts with the changes to replay. */
const RECOVERY_CONFLICT = '40001';
/** SQLSTATE of a statement that took too long. It would take as long on the primary. */
const TOO_SLOW = '57014';

/** Thrown inside a read to leave the replica. */
class ReplicaBehind extends Error {
  override readonly name = 'ReplicaBehind';
}

/** Thrown inside a read: the server was promoted, or the primary is in another timeline, so it will never catch up. */
class NotItsReplica extends Error {
  override readonly name = 'NotItsReplica';
}

export function readsOnPrimary(primary: MikroORM): TenantReads {
  return (companyId, work) => readTenant(primary, companyId, work);
}

/**
 * Reads run on the replica as soon as it has replayed what the primary had committed when the read began; on the primary if that
 * takes too long or the replica fails.
 */
export function readsOnReplica(primary: MikroORM, replica: MikroORM): TenantReads {
  // Concurrent reads share the query. A read never joins a query that was sent before the read began.
  const positions = new Batcher(
    async (reads: readonly undefined[]) => {
      const position = await flushedPosition(primary);
      return reads.map(() => position);
    },
    { maxItems: 1_000, maxInFlight: 1 },
  );
  let avoidedUntilMs = 0;
  return async (companyId, work) => {
    if (performance.now() >= avoidedUntilMs) {
      const position = await positions.submit(undefined);
      try {
        const result = await inTenant(replica, companyId, async (em) => {
          await catchUp(em, position);
          return work(em);
        });
        replicaReads.inc({ outcome: 'replica' });
        return result;
      } catch (error) {
        const outcome = failureOf(error);
        if (outcome === undefined) throw error;
        replicaReads.inc({ outcome });
        if (outcome !== 'behind') avoidedUntilMs = performance.now() + AVOID_MS;
      }
    }
    return readTenant(primary, companyId, work);
  };
}

/** Why a read left the replica; undefined if the read itself failed, as it would on the primary. */
function failureOf(error: unknown): 'behind' | 'foreign' | 'unavailable' | undefined {
  if (error instanceof ReplicaBehind || codeOf(error) === RECOVERY_CONFLICT) return 'behind';
  if (error instanceof NotItsReplica) return 'foreign';
  return isOutage(error) && codeOf(error) !== TOO_SLOW ? 'unavailable' : undefined;
}

/** A place in the log. After a restore or a failover the log goes on in another timeline, from an earlier position. */
type Position = { readonly lsn: string; readonly timeline: number };

/** The end of the primary's log on disk. Every commit that a client or reader has seen is before it. */
async function flushedPosition(primary: MikroORM): Promise<Position> {
  const [row] = await primary.em.fork().execute<Position[]>(
    `select lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::integer as timeline
     from pg_current_wal_flush_lsn() lsn`,
  );
  if (row === undefined) throw new Error('the primary did not return its position');
  return row;
}

/** Waits until the replica has replayed its log up to `position`. */
async function catchUp(replica: EntityManager, { lsn, timeline }: Position): Promise<void> {
  const endsAt = performance.now() + CATCH_UP_MS;
  for (;;) {
    // A server that is not in recovery is another primary, whose changes are not ours.
    const [row] = await replica.execute<{ is_foreign: boolean; has_it: boolean | null }[]>(
      `select not pg_is_in_recovery()
           or greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline) <> ? as is_foreign,
         pg_last_wal_replay_lsn() >= ?::pg_lsn as has_it
       from pg_control_checkpoint() checkpoint, pg_control_recovery() recovery`,
      [timeline, lsn],
    );
    if (row?.is_foreign === true) throw new NotItsReplica();
    if (row?.has_it === true) return;
    if (performance.now() >= endsAt) throw new ReplicaBehind();
    await wait(CATCH_UP_CHECK_MS);
  }
}
