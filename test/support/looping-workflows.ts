import { ApplicationFailure, condition, sleep } from '@temporalio/workflow';

/** Never returns control to its thread. */
export async function endlessLoop(): Promise<void> {
  for (;;);
}

/** Fails with a trace that names this file. */
export async function failingWorkflow(): Promise<void> {
  await sleep(1);
  throw ApplicationFailure.nonRetryable('broken');
}

export async function waitingWorkflow(): Promise<void> {
  await condition(() => false);
}
