import { condition, defineUpdate, setHandler } from '@temporalio/workflow';

/** A workflow that only accepts updates: the cost of Temporal itself. */
export async function noOpWorkflow(): Promise<void> {
  setHandler(defineUpdate('nothing'), () => undefined);
  await condition(() => false);
}
