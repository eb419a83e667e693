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
 * Spans, as the rest of the service makes them. Names are words of ours: routes, commands, activities, tables; ids are attributes,
 * and only those that the API answers. Nothing of what people wrote, and no values of statements, is ever on one; of errors,
 * only their kind. Without an SDK (sdk.ts), all of this does nothing.
 */

const tracer = trace.getTracer('escrow');

export type SpanOptions = {
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
  /** What it belongs under; absent: whatever is under way here. */
  readonly parent?: Context;
};

/** Runs `work` within a span, which ends with it. */
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

/** Whether something is under way here that is recorded. */
export function isTracing(): boolean {
  return trace.getActiveSpan()?.isRecording() ?? false;
}

/** `kind` is a word for what went wrong, never a message: those quote what people wrote. */
export function fail(span: Span, kind: string): void {
  span.setAttribute('error.type', kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** What is told to Temporal of why something is done here. */
export function currentCause(): Cause {
  const requestId = currentRequestId();
  const span = trace.getActiveSpan()?.spanContext();
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(span === undefined ? {} : { traceparent: formatTraceparent({ ...span, flags: span.traceFlags }) }),
  };
}

/** A context for spans that belong under what another process began. */
export function contextOf({ traceparent }: Cause): Context {
  if (traceparent === undefined) return context.active();
  const { traceId, spanId, flags } = parseTraceparent(traceparent);
  return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags: flags, isRemote: true });
}

export type PastStep = {
  readonly name: string;
  readonly spanId: string;
  readonly startedAtMs: number;
  readonly attributes: Attributes;
  /** A word for what went wrong. */
  readonly failure?: string | undefined;
};

let chosenSpanId: string | undefined;

/** For the SDK: the id that the next span is to have, if that is not any. */
export function takeChosenSpanId(): string | undefined {
  const taken = chosenSpanId;
  chosenSpanId = undefined;
  return taken;
}

/** Records what a workflow has done: it told its activities its span id before there was a span. */
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
