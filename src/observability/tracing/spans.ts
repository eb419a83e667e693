import {
  type Attributes,
  type Context,
  context,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { type Cause, formatTraceparent, parseTraceparent } from './cause.ts';
import { currentRequestId } from './request.ts';

/**
 * The functions with which the service creates spans. Names are our own words: routes, commands, activities, tables. Ids are
 * attributes, and only those that the API returns. A span never contains people's texts or values of statements, and of errors
 * only the kind. Without an SDK (sdk.ts) these functions have no effect.
 */

const tracer = trace.getTracer('escrow');

type SpanOptions = {
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
  /** The parent; absent: the current span. */
  readonly parent?: Context;
};

/** Runs `work` in a span, which ends with it. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const { kind, attributes, parent = context.active() } = options;
  return tracer.startActiveSpan(name, { kind, attributes: withRequestId(attributes) }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(span, error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Whether the current span is recorded. */
export function isTracing(): boolean {
  return trace.getActiveSpan()?.isRecording() ?? false;
}

/** `kind` is a word for the failure, never a message, because messages quote people's texts. */
export function fail(span: Span, kind: string): void {
  span.setAttribute('error.type', kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The current cause, for Temporal's headers. */
export function currentCause(): Cause {
  const requestId = currentRequestId();
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(span === undefined ? {} : { traceparent: formatTraceparent({ ...span, flags: span.traceFlags }) }),
  };
}

/** A context for spans whose parent is in another process. */
export function contextOf({ traceparent }: Cause): Context {
  if (traceparent === undefined) return context.active();
  const { traceId, spanId, flags } = parseTraceparent(traceparent);
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags: flags, isRemote: true });
}

type PastStep = {
  readonly name: string;
  readonly spanId: string;
  readonly startedAtMs: number;
  readonly attributes: Attributes;
  /** A word for the failure. */
  readonly failure?: string | undefined;
};

let chosenSpanId: string | undefined;

/** For the SDK: the id of the next span; absent: a random one. */
export function takeChosenSpanId(): string | undefined {
  const taken = chosenSpanId;
  chosenSpanId = undefined;
  return taken;
}

/** Records a workflow's step as a span. The workflow gave the span's id to its activities before the span existed. */
export function recordStep(step: PastStep, cause: Cause, kind: SpanKind): void {
  chosenSpanId = step.spanId;
  const attributes = { ...step.attributes, ...requestIdOf(cause.requestId) };
  const span = tracer.startSpan(step.name, { kind, attributes, startTime: step.startedAtMs }, contextOf(cause));
  chosenSpanId = undefined;
  if (step.failure !== undefined) fail(span, step.failure);
  span.end();
}

function withRequestId(attributes: Attributes | undefined): Attributes {
  return { ...attributes, ...requestIdOf(currentRequestId()) };
}

function requestIdOf(requestId: string | undefined): Attributes {
  return requestId === undefined ? {} : { 'request.id': requestId };
}
