import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { troubleLog } from '../../observability/log.ts';

/** Periodic work that every worker does besides its task queue. */

export type PeriodicOptions = {
  readonly intervalMs: number;
  /** The wait after a round that did not fail. Absent: `intervalMs`. */
  readonly nextMs?: () => number;
  /** The wait after a round that failed. Absent: `intervalMs`. */
  readonly retryMs?: number;
  readonly log: Pick<Logger, 'error' | 'info'>;
  /** Ends the loop; a round in progress is finished first. */
  readonly signal: AbortSignal;
};

/**
 * Runs `round`, waits for the time that `nextMs` returns, or else for `intervalMs`, and repeats until `signal` aborts. A failed
 * round is retried after `retryMs`; the log says when rounds begin to fail and when they work again. Resolves when the loop has ended; never rejects.
 */
export async function runPeriodically(
  round: () => Promise<void>,
  what: string,
  { intervalMs, nextMs, retryMs = intervalMs, log, signal }: PeriodicOptions,
  onFailure: () => void = () => undefined,
): Promise<void> {
  const trouble = troubleLog(log, what);
  while (!signal.aborted) {
    const waitMs = await round().then(
      () => {
        trouble.worked();
        return nextMs?.() ?? intervalMs;
      },
      (error: unknown) => {
        trouble.failed(error);
        onFailure();
        return retryMs;
      },
    );
    await wait(waitMs, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition ends it
  }
}
