import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { causeIn, withCause } from '../observability/tracing/cause.ts';
import { because, currentCause } from './cause.ts';

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
