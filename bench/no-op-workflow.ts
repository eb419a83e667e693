import { condition, continueAsNew, defineUpdate, setHandler, workflowInfo } from '@temporalio/workflow';

/**
 * A workflow that only accepts updates: the cost of Temporal itself. Temporal allows a run 2,000 updates, and suggests a new run
 * before that.
 */
export async function noOpWorkflow(): Promise<void> {
  setHandler(defineUpdate('nothing'), () => undefined);
  await condition(() => workflowInfo().continueAsNewSuggested);
  await continueAsNew<typeof noOpWorkflow>();
}
