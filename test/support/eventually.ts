import { randomUUID } from 'node:crypto';
import { pollUntil } from '../../src/sandbox/stack/wait.ts';
import type { Answer, TestCompany } from './service.ts';

/** Long, because it matters only for a failing test, and machines differ in speed. */
const TIMEOUT_MS = 60_000;

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

/**
 * Posts as a client should: repeats answers of these statuses with the same idempotency key. A busy machine may answer 503 for
 * a while.
 */
export function postUntilAnswered(
  company: Pick<TestCompany, 'post'>,
  path: string,
  body?: unknown,
  { repeated = [503], timeoutMs = TIMEOUT_MS }: { repeated?: readonly number[]; timeoutMs?: number } = {},
): Promise<Answer> {
  const key = randomUUID();
  return eventually(async () => {
    const answer = await company.post(path, body, key);
    return !repeated.includes(answer.status) && answer;
  }, timeoutMs);
}
