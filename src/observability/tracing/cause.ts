import { defaultPayloadConverter, type Headers } from '@temporalio/common';

/**
 * The cause of work: the request and the parent span. It is transported in Temporal's headers,
 * outside of the payloads, so that histories without it replay unchanged. Pure: workflow code imports it too.
 */

export type Cause = {
  /** The API's `X-Request-Id`. Absent if time or an operator was the cause. */
  readonly requestId?: string;
  /** W3C Trace Context, version 00. Absent without tracing. */
  readonly traceparent?: string;
};

export const SANE_REQUEST_ID = /^[\w.:~+/=@-]{1,128}$/;
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

const REQUEST_ID_HEADER = 'request-id';
const TRACEPARENT_HEADER = 'traceparent';

/** `headers` with the cause added. */
export function withCause(headers: Headers, { requestId, traceparent }: Cause): Headers {
  return {
    ...headers,
    ...(requestId === undefined ? {} : { [REQUEST_ID_HEADER]: defaultPayloadConverter.toPayload(requestId) }),
    ...(traceparent === undefined ? {} : { [TRACEPARENT_HEADER]: defaultPayloadConverter.toPayload(traceparent) }),
  };
}

/** The cause in `headers`; empty without one. Any client of Temporal may set headers, so malformed ones are ignored. */
export function causeIn(headers: Headers): Cause {
  const requestId = read(headers, REQUEST_ID_HEADER, SANE_REQUEST_ID);
  const traceparent = read(headers, TRACEPARENT_HEADER, TRACEPARENT);
  return { ...(requestId === undefined ? {} : { requestId }), ...(traceparent === undefined ? {} : { traceparent }) };
}

function read(headers: Headers, name: string, pattern: RegExp): string | undefined {
  const payload = headers[name];
  if (payload === undefined) return undefined;
  try {
    const value: unknown = defaultPayloadConverter.fromPayload(payload);
    return typeof value === 'string' && pattern.test(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type TraceParent = { readonly traceId: string; readonly spanId: string; readonly flags: number };

export function parseTraceparent(traceparent: string): TraceParent {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export function formatTraceparent({ traceId, spanId, flags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${(flags & 0xff).toString(16).padStart(2, '0')}`;
}

const SAMPLED = 1;

/** Whether the trace is sampled, as its root decided. */
export function isSampled(traceparent: string): boolean {
  return (parseTraceparent(traceparent).flags & SAMPLED) === SAMPLED;
}

/**
 * The span id of a workflow's step: the inverted id of its parent. A workflow must determine the id itself, at every
 * replay the same, without its random numbers, because the run's ids come from them. Each message has a span
 * and at most one step, so no two steps share an id.
 */
export function stepSpanId(parentSpanId: string): string {
  return parentSpanId.replace(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}

/** A workflow's report to its worker of a completed step. A type, because sinks need an index signature. */
export type TracingSinks = {
  readonly tracing: {
    step(step: { command: string; startedAtMs: number; failure?: string }, cause: Cause): void;
  };
};
