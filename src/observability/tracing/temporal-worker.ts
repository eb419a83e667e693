import { SpanKind } from '@opentelemetry/api';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { Logger } from 'pino';
import { subjectsOfStep } from '../subjects.ts';
import { causeIn, parseTraceparent, stepSpanId, type TracingSinks } from './cause.ts';
import { forRequest } from './request.ts';
import { contextOf, inSpan, recordStep } from './spans.ts';

/** Calls from workflows to the worker: a span and a log line for each activity, with the request that caused it. */
export function activityInterceptors(log: Logger): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute: (input, next) => {
        const cause = causeIn(input.headers);
        const { activityType: activity, attempt, workflowType } = info;
        const workflowId = info.workflowExecution?.workflowId;
        const attributes = { 'temporal.workflow.id': workflowId, 'temporal.attempt': attempt };
        const options = { kind: SpanKind.INTERNAL, attributes, parent: contextOf(cause) };
        return forRequest(cause.requestId, () =>
          inSpan(`activity ${activity}`, options, async () => {
            const startedAt = performance.now();
            try {
              return await next(input);
            } finally {
              const durationMs = Math.round(performance.now() - startedAt);
              const subjects = subjectsOfStep(workflowId, input.args);
              log.info({ activity, workflowType, workflowId, attempt, durationMs, ...subjects }, 'activity');
            }
          }),
        );
      },
    },
  });
}

/** The steps that workflows report. They are not reported again at a replay. */
export const TRACING_SINKS: InjectedSinks<TracingSinks> = {
  tracing: {
    step: {
      fn: ({ workflowType, workflowId }, { command, startedAtMs, failure }, cause) => {
        if (cause.traceparent === undefined) return;
        const spanId = stepSpanId(parseTraceparent(cause.traceparent).spanId);
        const name = `${workflowType}.${command}`;
        const attributes = { 'temporal.workflow.id': workflowId };
        recordStep({ name, spanId, startedAtMs, attributes, failure }, cause, SpanKind.INTERNAL);
      },
    },
  },
};
