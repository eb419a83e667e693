import type { EntityManager } from '@mikro-orm/postgresql';

const BATCH_ROWS = 10_000;

/**
 * Removes rows that are older than `days`, in batches. `em` must have the rights of the worker. Returns the number of removed
 * rows.
 */
export async function removeOldRows(
  em: EntityManager,
  sweep: 'event_sweep' | 'webhook_sweep',
  days: number,
): Promise<number> {
  let removed = 0;
  for (let last = BATCH_ROWS; last === BATCH_ROWS; removed += last) {
    const [row] = await em.execute<{ removed: number }[]>(`select ${sweep}(?, ?) as removed`, [days, BATCH_ROWS]);
    last = row?.removed ?? 0;
  }
  return removed;
}
