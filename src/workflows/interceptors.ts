import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { causeIn, withCause } from '../observability/tracing/cause.ts';
import { because, currentCause } from './cause.ts';

/** Takes the cause out of the headers of what arrives, and puts it into those of what a run asks for. */
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
