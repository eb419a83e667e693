import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { sealFailures } from '../../observability/metrics.ts';
import { type PeriodicOptions, runPeriodically } from '../core/run-periodically.ts';

/** The maximum number of transactions that one call of `ledger_seal` seals; a full call means that there are more. */
const SEAL_LIMIT = 20_000;

/**
 * Seals new transactions, folds appended balances, and waits, until `signal` aborts. Run it in every worker: if another
 * worker's round is in progress, a round does nothing.
 */
export function startSealer(orm: MikroORM, options: PeriodicOptions): Promise<void> {
  const { signal } = options;
  const round = async () => {
    while (!signal.aborted && (await sealLedger(orm.em.fork())) === SEAL_LIMIT);
  };
  return runPeriodically(round, 'sealing the ledger', options, () => sealFailures.inc());
}

/**
 * Runs one round. Returns the number of sealed transactions, or null if another session is sealing. `em` must not be in a
 * transaction.
 */
export async function sealLedger(em: EntityManager): Promise<number | null> {
  const [row] = await em.execute<{ sealed: number | null }[]>('select ledger_seal(?) as sealed', [SEAL_LIMIT]);
  return row?.sealed ?? null;
}
