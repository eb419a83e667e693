import { AsyncLocalStorage, proxySinks } from '@temporalio/workflow';
import {
  type Cause,
  formatTraceparent,
  isSampled,
  parseTraceparent,
  stepSpanId,
  type TracingSinks,
} from '../observability/tracing/cause.ts';

/**
 * Why a run does what it does just now. A run lives for weeks and serves many requests, so what it does belongs to the message
 * it does it for, not to whoever started it. Nothing here schedules anything: histories are the same with and without.
 */

const causes = new AsyncLocalStorage<Cause>();
const { tracing } = proxySinks<TracingSinks>();

export const NO_CAUSE: Cause = {};

export function currentCause(): Cause {
  return causes.getStore() ?? NO_CAUSE;
}

/** Runs `work`, and all that it awaits, because of `cause`. */
export function because<T>(cause: Cause, work: () => T): T {
  return causes.run(cause, work);
}

/** Carries out a command that arrived, as a span of its own, the wait for its turn included. */
export function inStep<T>(
  command: string,
  { cause, arrivedAtMs }: { readonly cause: Cause; readonly arrivedAtMs: number },
  work: () => Promise<T>,
): Promise<T> {
  if (cause.traceparent === undefined || !isSampled(cause.traceparent)) return because(cause, work);
  const parent = parseTraceparent(cause.traceparent);
  const traceparent = formatTraceparent({ ...parent, spanId: stepSpanId(parent.spanId) });
  const step = { command, startedAtMs: arrivedAtMs };
  const done = because({ ...cause, traceparent }, work);
  // Aside, so that what follows `work` follows it as soon as it would untraced.
  void done.then(
    () => tracing.step(step, cause),
    (error: unknown) => tracing.step({ ...step, failure: error instanceof Error ? error.name : 'unknown' }, cause),
  );
  return done;
}
