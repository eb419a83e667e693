import { sleep } from '@temporalio/workflow';

/** An incompatible change of escrowWorkflow: it waits before it loads. */
export async function escrowWorkflow(): Promise<void> {
  await sleep('1 minute');
}
