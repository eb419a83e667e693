import { ConnectionError } from './errors.ts';

/** Sends a request again where that is safe and may help. */

export type RetryOptions = {
  /** How often a request is sent again, 0 to 100; 7 by default. */
  readonly maxRetries: number;
  /** For one try, in milliseconds; 30,000 by default. */
  readonly timeoutMs: number;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Waits between two tries, and rejects when the caller aborts. For tests that must not wait. */
  readonly wait: (delayMs: number, signal: AbortSignal) => Promise<void>;
};

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 4_000;
/** The part of a delay that is random, so that clients do not come back together. */
const JITTER = 0.2;
/** A longer wait, over all tries, that the service asks for is left to the caller, who finds it in the error. */
const MAX_RETRY_AFTER_SECONDS = 60;
const TRANSIENT = [408, 425, 500, 502, 503, 504];
export const IDEMPOTENCY_KEY = 'x-idempotency-key';

/**
 * `body`: a whole one is read here, so that a connection that breaks within it counts as one without an answer. A streamed one is
 * left to the caller.
 */
export function retryingFetch({ maxRetries, timeoutMs, fetch, wait }: RetryOptions) {
  return async (request: Request, body: 'whole' | 'stream'): Promise<Response> => {
    const isRepeatable = isSafeToRepeat(request);
    let askedSeconds = 0;
    for (let tries = 0; ; tries++) {
      const isLast = tries >= maxRetries;
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([request.signal, timeout]);
      let delayMs = backoffMs(tries);
      try {
        const answer = await fetch(new Request(request.clone(), { signal }));
        const response = body === 'whole' || !answer.ok ? await readWhole(answer) : answer;
        const retryAfter = retryAfterSeconds(response) ?? 0;
        askedSeconds += retryAfter;
        if (isLast || askedSeconds > MAX_RETRY_AFTER_SECONDS) return response;
        if (!(await isTransient(response, isRepeatable))) return response;
        await response.body?.cancel();
        delayMs = Math.max(delayMs, retryAfter * 1_000);
      } catch (cause) {
        if (request.signal.aborted) throw cause;
        if (isLast || !isRepeatable) throw connectionError(request, timeout.aborted || isTimeout(cause), cause);
      }
      await wait(delayMs, request.signal);
    }
  };
}

/** A request that changes nothing, that sets a state (PUT, DELETE), or that its idempotency key makes happen once. */
function isSafeToRepeat({ method, headers }: Request): boolean {
  return ['GET', 'PUT', 'DELETE'].includes(method) || headers.has(IDEMPOTENCY_KEY);
}

async function readWhole(response: Response): Promise<Response> {
  return response.body === null ? response : new Response(await response.arrayBuffer(), response);
}

/**
 * A 429 for too many requests did nothing, so it is repeated; the one of a proxy has no code. Other failures may have happened, and
 * are repeated only if that is safe.
 */
async function isTransient(response: Response, isRepeatable: boolean): Promise<boolean> {
  const { status } = response;
  if (status !== 429 && !isRepeatable) return false;
  if (status !== 429 && status !== 409) return TRANSIENT.includes(status);
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const code: unknown = Object(problem).code;
  return status === 409 ? code === 'idempotency_in_progress' : code === undefined || code === 'too_many_requests';
}

function connectionError(request: Request, isLate: boolean, cause: unknown): ConnectionError {
  const { origin } = new URL(request.url);
  const idempotencyKey = request.headers.get(IDEMPOTENCY_KEY) ?? undefined;
  const failure = isLate ? `the service at ${origin} did not answer in time` : `the connection to ${origin} failed`;
  const cure =
    idempotencyKey === undefined
      ? 'read what it changes before you repeat it'
      : `repeat it with the idempotency key ${idempotencyKey}`;
  const advice = request.method === 'GET' ? '' : `; the request may have been carried out: ${cure}`;
  return new ConnectionError(failure + advice, isLate ? 'timeout' : 'connection_failed', idempotencyKey, cause);
}

/** Node's own time limits, for a connection and for parts of an answer. */
function isTimeout(error: unknown): boolean {
  return /TIMED?_?OUT/.test(Object(Object(error).cause).code);
}

function backoffMs(tries: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** tries, MAX_DELAY_MS) * (1 - JITTER * Math.random());
}

/** `Retry-After`, as seconds or as a date. */
export function retryAfterSeconds(response: Response): number | undefined {
  const value = response.headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
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
