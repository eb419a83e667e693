import { pollUntil } from '../../src/sandbox/stack/wait.ts';

/**
 * Long, because it matters only for a failing test, and machines differ in speed. Longer than the minute after which the service
 * repeats a request to the card gateway that a busy machine did not answer in time.
 */
export const TIMEOUT_MS = 90_000;

/** What a busy machine may need beyond a time limit of the service. */
export const SLOW_MACHINE_MS = 5_000;

/** Waits until `condition` returns something other than false or undefined, and returns that. Throws after `timeoutMs`. */
export async function eventually<T>(
  condition: () => Promise<T | false | undefined> | T | false | undefined,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const answer = await pollUntil(timeoutMs, async () => {
    const found = await condition();
    return found === false ? undefined : found;
  });
  if (answer === undefined) throw new Error(`still not so after ${timeoutMs / 1000} s: ${condition}`);
  return answer;
}
