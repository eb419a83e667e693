import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { sealFailures } from '../metrics.ts';

/** How many transactions one call of `ledger_seal` takes; while it finds that many, there are more. */
const SEAL_LIMIT = 20_000;

export type SealerOptions = {
  readonly intervalMs: number;
  readonly log: { error(details: object, message: string): void };
  /** Ends the loop; a round that has begun is finished first. */
  readonly signal: AbortSignal;
};

/**
 * Seals what was posted since the last round, folds appended balances and counts, and waits, until `signal` aborts. Run it in every
 * worker: a round that finds another one at work does nothing. A failed round is logged and the next one tries again.
 * Resolves, never rejects, once the loop has ended.
 */
export async function startSealer(orm: MikroORM, { intervalMs, log, signal }: SealerOptions): Promise<void> {
  while (!signal.aborted) {
    try {
      while (!signal.aborted && (await sealLedger(orm.em.fork())) === SEAL_LIMIT);
      await orm.em.fork().execute('select company_count_fold()');
    } catch (error) {
      sealFailures.inc();
      log.error({ err: error }, 'sealing the ledger failed; it is tried again');
    }
    await wait(intervalMs, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition sees it
  }
}

/** One round: how many transactions it sealed, or null when another session was at it. `em` must not be in a transaction. */
export async function sealLedger(em: EntityManager): Promise<number | null> {
  const [row] = await em.execute<{ sealed: number | null }[]>('select ledger_seal(?) as sealed', [SEAL_LIMIT]);
  return row?.sealed ?? null;
}
