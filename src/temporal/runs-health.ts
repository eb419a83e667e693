import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Healed } from '../activities/findings.ts';
import { scheduleIdOf } from './schedules.ts';

/** Whether the workflow runs agree with the database, as the last sweep found them. */

export type RunsHealth = {
  readonly sweptAt: Date;
  readonly rowsChecked: number;
  readonly runsChecked: number;
  readonly healed: Healed;
  /** Open runs that a person should look at: a release is blocked, a privilege is missing, a signal was refused. */
  readonly needAttention: number;
};

const DEADLINE_MS = 3_000;

/** Null if Temporal does not answer in time, or if no sweep has ended. The page of the platform is shown without it. */
export async function readRunsHealth(
  client: Client,
  taskQueue: string,
  log: Pick<Logger, 'warn'>,
): Promise<RunsHealth | null> {
  try {
    return await client.withDeadline(Date.now() + DEADLINE_MS, () => read(client, taskQueue));
  } catch (error) {
    log.warn({ err: error }, 'the last sweep over the runs could not be read');
    return null;
  }
}

async function read(client: Client, taskQueue: string): Promise<RunsHealth | null> {
  const { info } = await client.schedule.getHandle(scheduleIdOf('rebuild', taskQueue)).describe();
  for (const { action } of [...info.recentActions].reverse()) {
    const { workflowId, firstExecutionRunId } = action.workflow;
    const handle = client.workflow.getHandle(workflowId, firstExecutionRunId);
    const { status, closeTime } = await handle.describe();
    if (status.name !== 'COMPLETED' || closeTime === undefined) continue;
    const found = (await handle.result()) as Omit<RunsHealth, 'sweptAt' | 'needAttention'>; // the result of rebuildWorkflow
    return { ...found, sweptAt: closeTime, needAttention: await countAttention(client, taskQueue) };
  }
  return null;
}

async function countAttention(client: Client, taskQueue: string): Promise<number> {
  const { count } = await client.workflow.count(
    `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running' and EscrowAttention is not null`,
  );
  return count;
}
