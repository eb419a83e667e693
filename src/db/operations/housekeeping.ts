import type { MikroORM } from '@mikro-orm/postgresql';
import { type PeriodicOptions, runPeriodically } from '../core/run-periodically.ts';

/** Rows that one call removes of each kind; while it finds as many, there are more. */
const SWEEP_LIMIT = 5_000;

/**
 * Adds up what changed in counts, and removes what has expired: idempotency keys after their day, sessions a month after theirs. Run it
 * in every worker: they leave each other's rows alone.
 */
export function startHousekeeping(orm: MikroORM, options: PeriodicOptions): Promise<void> {
  const round = async () => {
    await orm.em.fork().execute('select company_count_fold()');
    while (!options.signal.aborted && (await sweep(orm)) >= SWEEP_LIMIT);
  };
  return runPeriodically(round, options, (error) =>
    options.log.error({ err: error }, 'housekeeping failed; it is tried again'),
  );
}

/** How many rows it removed. */
async function sweep(orm: MikroORM): Promise<number> {
  const [row] = await orm.em.fork().execute<{ swept: number }[]>('select sweep_expired(?) as swept', [SWEEP_LIMIT]);
  return row?.swept ?? 0;
}
