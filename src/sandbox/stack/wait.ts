import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 40;

/** Asks `probe` again and again until it answers something else than undefined; undefined when the time is over. */
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
