import { ApplicationFailure, condition, sleep } from '@temporalio/workflow';

/** Never returns control to its thread. */
export async function endlessLoop(): Promise<void> {
  for (;;);
}

/** Neither does this function of the JavaScript engine, and nothing can interrupt it. */
export async function endlessSearch(): Promise<void> {
  Array.prototype.includes.call({ length: Number.MAX_SAFE_INTEGER }, 1);
}

/** Fails with a trace that names this file. */
export async function failingWorkflow(): Promise<void> {
  await sleep(1);
  throw ApplicationFailure.nonRetryable('broken');
}

export async function waitingWorkflow(): Promise<void> {
  await condition(() => false);
}
