import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { sealFailures } from '../../observability/metrics.ts';
import { type PeriodicOptions, runPeriodically } from '../core/run-periodically.ts';

/** How many transactions one call of `ledger_seal` takes; while it finds that many, there are more. */
const SEAL_LIMIT = 20_000;

/**
 * Seals what was posted since the last round, folds appended balances, and waits, until `signal` aborts. Run it in every
 * worker: a round that finds another one at work does nothing.
 */
export function startSealer(orm: MikroORM, options: PeriodicOptions): Promise<void> {
  const { log, signal } = options;
  const round = async () => {
    while (!signal.aborted && (await sealLedger(orm.em.fork())) === SEAL_LIMIT);
  };
  return runPeriodically(round, options, (error) => {
    sealFailures.inc();
    log.error({ err: error }, 'sealing the ledger failed; it is tried again');
  });
}

/** One round: how many transactions it sealed, or null when another session was at it. `em` must not be in a transaction. */
export async function sealLedger(em: EntityManager): Promise<number | null> {
  const [row] = await em.execute<{ sealed: number | null }[]>('select ledger_seal(?) as sealed', [SEAL_LIMIT]);
  return row?.sealed ?? null;
}
