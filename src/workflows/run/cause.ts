import { AsyncLocalStorage, proxySinks, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import {
  type Cause,
  causeIn,
  formatTraceparent,
  isSampled,
  parseTraceparent,
  stepSpanId,
  type TracingSinks,
  withCause,
} from '../../observability/tracing/cause.ts';

/**
 * The cause of a run's current work. A run lives for weeks and serves many requests, so its work is attributed to the current
 * message and not to the run's starter. Nothing here schedules anything: histories are the same with and without it.
 */

const causes = new AsyncLocalStorage<Cause>();
const { tracing } = proxySinks<TracingSinks>();

export const NO_CAUSE: Cause = {};

export function currentCause(): Cause {
  return causes.getStore() ?? NO_CAUSE;
}

/** Runs `work`, and all that it awaits, with `cause`. */
export function because<T>(cause: Cause, work: () => T): T {
  return causes.run(cause, work);
}

/** Carries out a received command in a span of its own, which includes the wait for its turn. */
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
  // Not awaited, so that the code after `work` runs as soon as it would without tracing.
  void done.then(
    () => tracing.step(step, cause),
    (error: unknown) => tracing.step({ ...step, failure: error instanceof Error ? error.name : 'unknown' }, cause),
  );
  return done;
}

/** Reads the cause from the headers of incoming messages, and writes it into the headers of outgoing calls. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      execute: (input, next) => because(causeIn(input.headers), () => next(input)),
      handleUpdate: (input, next) => because(causeIn(input.headers), () => next(input)),
      handleSignal: (input, next) => because(causeIn(input.headers), () => next(input)),
    },
  ],
  outbound: [
    {
      scheduleLocalActivity: (input, next) => next({ ...input, headers: withCause(input.headers, currentCause()) }),
      scheduleActivity: (input, next) => next({ ...input, headers: withCause(input.headers, currentCause()) }),
      startChildWorkflowExecution: (input, next) =>
        next({ ...input, headers: withCause(input.headers, currentCause()) }),
      signalWorkflow: (input, next) => next({ ...input, headers: withCause(input.headers, currentCause()) }),
      getLogAttributes: (input, next) => {
        const { requestId } = currentCause();
        return next(requestId === undefined ? input : { ...input, requestId });
      },
    },
  ],
});
