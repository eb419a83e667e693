import { sleep } from '@temporalio/workflow';

/** What escrowWorkflow could become in careless hands: it waits before it loads. */
export async function escrowWorkflow(): Promise<void> {
  await sleep('1 minute');
}
