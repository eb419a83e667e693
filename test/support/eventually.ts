import { pollUntil } from '../../src/sandbox/stack/wait.ts';

const TIMEOUT_MS = 15_000;

/** Waits until `condition` holds, or answers something. Throws when it does not in time. */
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
