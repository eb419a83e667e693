import { ConnectionError } from './errors.ts';

/** Sends a request again where that is safe and may help. */

export type RetryOptions = {
  /** How often a request is sent again; 4 by default. */
  readonly maxRetries: number;
  /** For one try, in milliseconds; 30,000 by default. */
  readonly timeoutMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
};

/** Whether a request may be sent twice: because it changes nothing, or because its idempotency key makes it happen once. */
export type Repeatable = 'repeatable' | 'once';

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** A longer wait that the service asks for is left to the caller, who finds it in the error. */
const MAX_RETRY_AFTER_SECONDS = 60;
const TRANSIENT = [408, 425, 429, 500, 502, 503, 504];

export function retryingFetch(
  { maxRetries, timeoutMs, fetch }: RetryOptions,
  repeatableOf: (request: Request) => Repeatable,
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let tries = 0; ; tries++) {
      const isLast = tries >= maxRetries;
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
      let delayMs = backoffMs(tries);
      try {
        const response = await fetch(new Request(request.clone(), { signal }));
        const retryAfter = retryAfterSeconds(response);
        if (isLast || (retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS) return response;
        if (!(await isTransient(response, repeatableOf(request)))) return response;
        await response.body?.cancel();
        delayMs = Math.max(delayMs, (retryAfter ?? 0) * 1_000);
      } catch (error) {
        if (request.signal.aborted) throw error;
        if (isLast || repeatableOf(request) === 'once') throw new ConnectionError(error, request.url);
      }
      await wait(delayMs, request.signal);
    }
  };
}

/** 429 says that nothing happened. Every other failure may have happened, and is repeated only if that is safe. */
async function isTransient(response: Response, repeatable: Repeatable): Promise<boolean> {
  if (response.status === 429) return true;
  if (repeatable === 'once') return false;
  if (response.status !== 409) return TRANSIENT.includes(response.status);
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return Object(problem).code === 'idempotency_in_progress';
}

/** Exponential, and random so that clients do not come back together. */
function backoffMs(tries: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** tries, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
}

/** `Retry-After`, as seconds or as a date. */
export function retryAfterSeconds(response: Response): number | undefined {
  const value = response.headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
