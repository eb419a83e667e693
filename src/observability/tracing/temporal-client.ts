import { SpanKind } from '@opentelemetry/api';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { withCause } from './cause.ts';
import { currentCause, inSpan } from './spans.ts';

/** Calls from the service to workflows: a span for each call, and its cause in the call's headers. */

function inCall<T>(name: string, workflowId: string | undefined, call: () => Promise<T>): Promise<T> {
  return inSpan(name, { kind: SpanKind.CLIENT, attributes: { 'temporal.workflow.id': workflowId ?? '' } }, call);
}

const addCause: WorkflowClientInterceptor = {
  startUpdate: (input, next) =>
    inCall(`update ${input.updateName}`, input.workflowExecution.workflowId, () =>
      next({ ...input, headers: withCause(input.headers, currentCause()) }),
    ),
  startUpdateWithStart: (input, next) =>
    inCall(`update ${input.updateName}`, input.workflowStartOptions.workflowId, () => {
      const cause = currentCause();
      const workflowStartHeaders = withCause(input.workflowStartHeaders, cause);
      return next({ ...input, workflowStartHeaders, updateHeaders: withCause(input.updateHeaders, cause) });
    }),
  signalWithStart: (input, next) =>
    inCall(`signal ${input.signalName}`, input.options.workflowId, () =>
      next({ ...input, headers: withCause(input.headers, currentCause()) }),
    ),
  startWithDetails: (input, next) =>
    inCall(`start ${input.workflowType}`, input.options.workflowId, () =>
      next({ ...input, headers: withCause(input.headers, currentCause()) }),
    ),
};

export const CLIENT_INTERCEPTORS = { workflow: [addCause] };
