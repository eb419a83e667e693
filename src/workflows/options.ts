import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';
import { DENIED_BY_DATABASE } from '../domain/errors.ts';

/**
 * Database work runs as a local activity: inside the workflow task, without a round trip through a task queue. Short outages
 * are retried immediately; past the threshold the retry waits on a durable timer instead of holding the task. A denied
 * statement is retried by the workflow, which shows the denial (denied-steps.ts).
 */
export const LOCAL_ACTIVITY = {
  startToCloseTimeout: '5 seconds',
  localRetryThreshold: '3 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '15 seconds',
    nonRetryableErrorTypes: [DENIED_BY_DATABASE],
  },
} as const satisfies LocalActivityOptions;

/** One call to a provider, without retries. The workflow decides whether and when to call again. */
export const PROVIDER_ACTIVITY = {
  startToCloseTimeout: '8 seconds',
  scheduleToCloseTimeout: '30 seconds',
  retry: { maximumAttempts: 1 },
} as const satisfies ActivityOptions;
