import { setTimeout as delay } from 'node:timers/promises';

const MIN_INTERVAL_MS = 40;
const MAX_INTERVAL_MS = 100;

/**
 * Polls `probe` until it returns a value other than undefined. Returns undefined if the time is over first. The longer it has waited,
 * the less often it polls.
 */
export async function pollUntil<T>(
  timeoutMs: number,
  probe: () => Promise<T | undefined> | T | undefined,
): Promise<T | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) return undefined;
    await delay(Math.min(Math.max(waitedMs / 10, MIN_INTERVAL_MS), MAX_INTERVAL_MS));
  }
}
