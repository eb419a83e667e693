import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 40;

/** Polls `probe` until it returns a value other than undefined. Returns undefined if the time is over first. */
export async function pollUntil<T>(
  timeoutMs: number,
  probe: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) return undefined;
    await delay(POLL_INTERVAL_MS);
  }
}
