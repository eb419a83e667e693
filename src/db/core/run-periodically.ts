import { setTimeout as wait } from 'node:timers/promises';

/** Periodic work that every worker does besides its task queue. */

export type PeriodicOptions = {
  readonly intervalMs: number;
  readonly log: { error(details: object, message: string): void };
  /** Ends the loop; a round in progress is finished first. */
  readonly signal: AbortSignal;
};

/**
 * Runs `round`, waits `intervalMs`, and repeats until `signal` aborts. A failed round is retried after the same wait. Resolves
 * when the loop has ended; never rejects.
 */
export async function runPeriodically(
  round: () => Promise<void>,
  { intervalMs, signal }: PeriodicOptions,
  onFailure: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await round().catch(onFailure);
    await wait(intervalMs, undefined, { signal }).catch(() => undefined); // aborted: the loop's condition ends it
  }
}
