import { workflowInfo } from '@temporalio/workflow';

/**
 * After this many events a run continues as new. Temporal would allow 4,096, but a worker that takes over such a run would need
 * longer to replay it than WORKFLOW_TASK_TIMEOUT allows, and the run would never proceed again.
 */
const MAX_HISTORY_EVENTS = 250;
/**
 * An idle run with this many events continues as new, so a worker that has evicted it reads back a short history. A command adds
 * six or seven events, and most escrows end before the ninth command: they never pay for it (ADR 29).
 */
const MAX_IDLE_HISTORY_EVENTS = 64;

/** Whether the run should continue as new as soon as no caller waits for it. */
export function isHistoryLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= MAX_HISTORY_EVENTS;
}

/** Whether the run should continue as new when it is idle. */
export function isHistoryLongForIdle(): boolean {
  return workflowInfo().historyLength >= MAX_IDLE_HISTORY_EVENTS;
}
