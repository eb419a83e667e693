import { workflowInfo } from '@temporalio/workflow';

/**
 * After so many events a run continues as a new one. Temporal would let it grow to 4,096; but then a worker that
 * takes it over would need longer to replay it than WORKFLOW_TASK_TIMEOUT gives it, and the run would never move again.
 */
const MAX_HISTORY_EVENTS = 250;

/** Whether the run should end as soon as nobody waits for it, and go on as a new one. */
export function isHistoryLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= MAX_HISTORY_EVENTS;
}
