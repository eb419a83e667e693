import { setTimeout as wait } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';

/** Work that every worker does again and again beside its queue. */

export type RoundsOptions = {
  readonly intervalMs: number;
  readonly log: { error(details: object, message: string): void };
  /** Ends the loop; a round that has begun is finished first. */
  readonly signal: AbortSignal;
};

/** Does `round`, waits, and does it again until `signal` aborts. One that fails is tried again. Resolves once the loop has ended, never rejects. */
export async function inRounds(
  round: () => Promise<void>,
  { intervalMs, signal }: RoundsOptions,
  onFailure: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await round().catch(onFailure);
    await wait(intervalMs, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition sees it
  }
}

/** Rows that one call removes of each kind; while it finds as many, there are more. */
const SWEEP_LIMIT = 5_000;

/**
 * Adds up what changed in counts, and removes what has expired: idempotency keys after their day, sessions a month after theirs. Run it
 * in every worker: they leave each other's rows alone.
 */
export function startHousekeeping(orm: MikroORM, options: RoundsOptions): Promise<void> {
  const round = async () => {
    await orm.em.fork().execute('select company_count_fold()');
    while (!options.signal.aborted && (await sweep(orm)) >= SWEEP_LIMIT);
  };
  return inRounds(round, options, (error) =>
    options.log.error({ err: error }, 'housekeeping failed; it is tried again'),
  );
}

/** How many rows it removed. */
async function sweep(orm: MikroORM): Promise<number> {
  const [row] = await orm.em.fork().execute<{ swept: number }[]>('select sweep_expired(?) as swept', [SWEEP_LIMIT]);
  return row?.swept ?? 0;
}
