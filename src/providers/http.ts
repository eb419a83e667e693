import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { providerRequestSeconds } from '../observability/metrics.ts';
import { codeOf } from '../observability/thrown.ts';
import { inSpan } from '../observability/tracing/spans.ts';
import { ProviderError } from './provider-error.ts';

/**
 * The HTTP client for all providers: with a deadline, a limit on the response's size, no redirects, and three distinct kinds of
 * failure. Secrets are in the headers, which are never logged and never part of an error.
 */

/** The effect of a request at the provider, which decides whether it may be sent again. */
export type Effect =
  /** The request only reads. It is retried, and a failure means that nothing was done. */
  | 'none'
  /** The request is idempotent. It is retried; after a failure it may have been carried out. */
  | 'repeatable'
  /** The request is retried only if it certainly did not arrive. */
  | 'once';

export type ProviderRequest = {
  readonly method: 'GET' | 'POST';
  /** Segments of the path after the host. Each must be a plain word, so that none can change the target. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly effect: Effect;
};

/**
 * A 2xx response, or a 4xx response in which the provider says something about the request. `body` is parsed JSON of any shape.
 */
export type ProviderResponse = { readonly status: number; readonly body: unknown };

export type HttpLimits = {
  /** For the whole exchange, all attempts included. */
  readonly deadlineMs: number;
  /** For one attempt of a request that can be retried. */
  readonly attemptMs: number;
  readonly attempts: number;
  /**
   * The maximum pause before the second attempt. It doubles for each further attempt; the actual pause is a random part of it.
   */
  readonly backoffMs: number;
  readonly maxResponseBytes: number;
};

/**
 * A provider's budget is shorter than a command's (`WAIT_LIMITS` in api/limits.ts), so that the command can report that the
 * provider was too slow.
 */
export const HTTP_LIMITS: HttpLimits = {
  deadlineMs: 7_000,
  attemptMs: 5_000,
  attempts: 3,
  backoffMs: 200,
  maxResponseBytes: 262_144,
};

type HttpSettings = {
  /** The port, for metrics, spans and errors: `gateway`. All adapters of a port have the same name there. */
  readonly provider: string;
  /** Scheme, host and an optional path prefix of all requests. From the configuration, never from a request. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly log?: Logger | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
};

type ProviderHttp = {
  /** Throws ProviderError if there is no response, if it is not JSON, and for redirects, 401, 403, 429 and 5xx. */
  exchange(request: ProviderRequest): Promise<ProviderResponse>;
  /** Parses a response with `schema`. Throws ProviderError if it does not match. */
  understand<T>(request: Pick<ProviderRequest, 'effect'>, answer: ProviderResponse, schema: z.ZodType<T>): T;
};

const PLAIN_SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;

/** The codes of the system and of the HTTP client for a connection that was never established. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|CERT_.*|(DEPTH_ZERO_)?SELF_SIGNED_CERT.*|UNABLE_TO_.*)$/;

/** Refusals because of our identity or our request rate: nothing was done, and the body says nothing about the request. */
const REFUSED_UNREAD = new Set([401, 403, 429]);

/** The result of one attempt. `mayBeDone`: whether it may have taken effect. */
type Attempt =
  | { readonly kind: 'answer'; readonly answer: ProviderResponse }
  | { readonly kind: 'failure'; readonly mayBeDone: boolean; readonly isWorthRepeating: boolean; readonly why: string };

export function createHttp({ provider, host, headers, log, limits: overrides }: HttpSettings): ProviderHttp {
  const limits = { ...HTTP_LIMITS, ...overrides };

  async function exchange(request: ProviderRequest): Promise<ProviderResponse> {
    const stopwatch = providerRequestSeconds.startTimer({ provider });
    try {
      // The span omits the path, which contains the provider's ids, and the request carries no trace context: providers do not
      // need it.
      const answer = await inSpan(`${request.method} ${provider}`, { kind: SpanKind.CLIENT }, () =>
        exchangeRepeatedly(request),
      );
      stopwatch({ outcome: 'answered' });
      return answer;
    } catch (error) {
      stopwatch({ outcome: error instanceof ProviderError ? error.outcome : 'unreachable' });
      throw error;
    }
  }

  async function exchangeRepeatedly(request: ProviderRequest): Promise<ProviderResponse> {
    const url = addressOf(host, request);
    const deadline = performance.now() + limits.deadlineMs;
    const cancellation = cancellationSignal();
    let mayBeDone = false;
    let why = 'no time was left';
    for (let attempt = 1; attempt <= limits.attempts; attempt += 1) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || cancellation?.aborted) break;
      const timeoutMs = request.effect === 'once' ? leftMs : Math.min(limits.attemptMs, leftMs);
      const end = await attemptOnce(url, request, timeoutMs, cancellation);
      if (end.kind === 'answer') return end.answer;
      why = end.why;
      mayBeDone ||= end.mayBeDone;
      log?.warn({ provider, path: url.pathname, attempt, why }, 'a provider gave no valid answer');
      if (!end.isWorthRepeating || (request.effect === 'once' && end.mayBeDone)) break;
      await pause(attempt, deadline, cancellation);
    }
    throw failure(request, mayBeDone, why);
  }

  async function attemptOnce(
    url: URL,
    request: ProviderRequest,
    timeoutMs: number,
    cancellation: AbortSignal | undefined,
  ): Promise<Attempt> {
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      const response = await fetch(url, {
        method: request.method,
        headers: { accept: 'application/json', ...headers, ...contentType(request) },
        ...bodyOf(request),
        // A redirect would send our secret to another address.
        redirect: 'manual',
        signal: cancellation === undefined ? timeout : AbortSignal.any([timeout, cancellation]),
      });
      const text = await readBounded(response, limits.maxResponseBytes);
      return judge(response.status, text);
    } catch (error) {
      const code = codeOf(error) ?? codeOf(causeOf(error)) ?? '';
      if (cancellation?.aborted)
        return { kind: 'failure', mayBeDone: true, isWorthRepeating: false, why: 'the activity was cancelled' };
      const neverSent = NEVER_SENT.test(code);
      const why = isTimeout(error) ? `no answer within ${Math.round(timeoutMs)} ms` : `no answer (${code || 'broken'})`;
      return { kind: 'failure', mayBeDone: !neverSent, isWorthRepeating: true, why };
    }
  }

  async function pause(attempt: number, deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const longestMs = Math.min(limits.backoffMs * 2 ** (attempt - 1), deadline - performance.now());
    if (attempt < limits.attempts && longestMs > 0)
      await delay(Math.random() * longestMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }

  function failure({ effect }: Pick<ProviderRequest, 'effect'>, mayBeDone: boolean, why: string): ProviderError {
    return new ProviderError(provider, effect !== 'none' && mayBeDone ? 'unknown' : 'unreachable', why);
  }

  return {
    exchange,
    understand(request, answer, schema) {
      const parsed = schema.safeParse(answer.body);
      if (parsed.success) return parsed.data;
      const where = parsed.error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join(', ');
      throw failure(request, true, `an answer that is not understood (${answer.status}: ${where.slice(0, 200)})`);
    },
  };
}

function addressOf(host: string, { path, query }: ProviderRequest): URL {
  const odd = path.find((segment) => !PLAIN_SEGMENT.test(segment));
  if (odd !== undefined || path.length === 0) throw new Error('invalid path segment in a provider request');
  const url = new URL(`${host.replace(/\/+$/, '')}/${path.join('/')}`);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  return url;
}

function contentType({ form, json }: ProviderRequest): Record<string, string> {
  if (form !== undefined) return { 'content-type': 'application/x-www-form-urlencoded' };
  return json === undefined ? {} : { 'content-type': 'application/json' };
}

function bodyOf({ form, json }: ProviderRequest): { body?: string } {
  if (form !== undefined) return { body: new URLSearchParams(form).toString() };
  return json === undefined ? {} : { body: JSON.stringify(json) };
}

function judge(status: number, text: string | undefined): Attempt {
  const failed = (why: string, mayBeDone: boolean, isWorthRepeating: boolean): Attempt => ({
    kind: 'failure',
    mayBeDone,
    isWorthRepeating,
    why,
  });
  if (REFUSED_UNREAD.has(status)) return failed(`refused with ${status}`, false, false);
  if (status < 200 || (status >= 300 && status < 400)) return failed(`answered ${status}`, true, false);
  if (status >= 500) return failed(`answered ${status}`, true, true);
  if (text === undefined) return failed('answered more than we read', true, false);
  try {
    return { kind: 'answer', answer: { status, body: JSON.parse(text) } };
  } catch {
    return failed(`answered ${status} with invalid JSON`, true, false);
  }
}

/** The body as text; `undefined` if it is longer than `maxBytes`. The rest is not read. */
async function readBounded(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined; // leaving the loop cancels the stream
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isTimeout(error: unknown): boolean {
  return nameOf(error) === 'TimeoutError' || nameOf(causeOf(error)) === 'TimeoutError';
}

/** Checks the shape instead of `instanceof`: fetch may throw errors of another realm. */
function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined;
}

function causeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'cause') : undefined;
}

const CANCELLATION = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs `work`; requests to providers within it end when `signal` is aborted. An interrupted request fails as one without an answer
 * does, and is not repeated.
 */
export function withCancellation<T>(signal: AbortSignal, work: () => T): T {
  return CANCELLATION.run(signal, work);
}

/** The signal of the work that the caller is part of; `undefined` if there is none. */
function cancellationSignal(): AbortSignal | undefined {
  return CANCELLATION.getStore();
}
