import { setTimeout as wait } from 'node:timers/promises';

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
