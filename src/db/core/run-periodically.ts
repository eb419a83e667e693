import { setTimeout as wait } from 'node:timers/promises';

/** Periodic work that every worker does besides its task queue. */

export type PeriodicOptions = {
  readonly intervalMs: number;
  /** The wait after a round that did not fail. Absent: `intervalMs`. */
  readonly nextMs?: () => number;
  /** The wait after a round that failed. Absent: `intervalMs`. */
  readonly retryMs?: number;
  readonly log: { error(details: object, message: string): void };
  /** Ends the loop; a round in progress is finished first. */
  readonly signal: AbortSignal;
};

/**
 * Runs `round`, waits for the time that `nextMs` returns, or else for `intervalMs`, and repeats until `signal` aborts. A failed
 * round is retried after `retryMs`. Resolves when the loop has ended; never rejects.
 */
export async function runPeriodically(
  round: () => Promise<void>,
  { intervalMs, nextMs, retryMs = intervalMs, signal }: PeriodicOptions,
  onFailure: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const waitMs = await round().then(
      () => nextMs?.() ?? intervalMs,
      (error: unknown) => {
        onFailure(error);
        return retryMs;
      },
    );
    await wait(waitMs, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition ends it
  }
}
