import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { type PeriodicOptions, runPeriodically } from '../core/run-periodically.ts';

/** The maximum number of rows of each kind that one call removes; a full call means that there are more. */
const SWEEP_LIMIT = 5_000;

/**
 * Folds changes into counts, and removes expired rows: idempotency keys after their day, refusals of commands after their
 * message cannot come again, sessions a month after their expiry, and what is kept about messages.
 * Lets requests of order pages lapse.
 * Run it in every worker: concurrent calls skip each other's rows.
 */
export function startHousekeeping(orm: MikroORM, messageDays: number, options: PeriodicOptions): Promise<void> {
  const round = async () => {
    await orm.em.fork().execute('select company_count_fold()');
    await orm.em.fork().execute('select open_escrow_fold()');
    await orm.em.fork().execute('select order_requests_lapse(?)', [SWEEP_LIMIT]);
    while (!options.signal.aborted && (await sweep(orm, messageDays)) >= SWEEP_LIMIT);
  };
  return runPeriodically(round, 'housekeeping', options);
}

/** Returns the number of removed rows. */
async function sweep(orm: MikroORM, messageDays: number): Promise<number> {
  const [row] = await orm.em
    .fork()
    .execute<{ swept: number }[]>('select sweep_expired(?, make_interval(days => ?)) as swept', [
      SWEEP_LIMIT,
      messageDays,
    ]);
  return row?.swept ?? 0;
}

const BATCH_ROWS = 10_000;

/** Removes events that are older than `days`. `em` must have the rights of the worker. Returns the number of removed events. */
export function clearOldEvents(em: EntityManager, days: number): Promise<number> {
  return removeOldRows(em, 'event_sweep', days);
}

/** Removes old deliveries with their attempts. Returns the number of removed deliveries. */
export function clearOldDeliveries(em: EntityManager, days: number): Promise<number> {
  return removeOldRows(em, 'webhook_sweep', days);
}

async function removeOldRows(em: EntityManager, sweep: 'event_sweep' | 'webhook_sweep', days: number): Promise<number> {
  let removed = 0;
  for (let last = BATCH_ROWS; last === BATCH_ROWS; removed += last) {
    const [row] = await em.execute<{ removed: number }[]>(`select ${sweep}(?, ?) as removed`, [days, BATCH_ROWS]);
    last = row?.removed ?? 0;
  }
  return removed;
}
