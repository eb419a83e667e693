import { condition, defineUpdate, setHandler } from '@temporalio/workflow';

/** A workflow that does nothing but take updates: what the engine itself costs. */
export async function noOpWorkflow(): Promise<void> {
  setHandler(defineUpdate('nothing'), () => undefined);
  await condition(() => false);
}
