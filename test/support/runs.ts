import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { eventually } from './eventually.ts';
import type { WithTemporal } from './service.ts';

/** Operators' actions on the runs of workflows. */

const RESET_REAPPLY_ALL_ELIGIBLE = 3;

/** Does what `temporal workflow reset --type FirstWorkflowTask` does, and waits for the new run. */
export async function resetToFirstTask({ temporal }: WithTemporal, workflowId: string): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId);
  const { runId } = await handle.describe();
  const { events } = await handle.fetchHistory();
  const firstTask = events?.find((event) => event.workflowTaskCompletedEventAttributes != null);
  await temporal.workflowService.resetWorkflowExecution({
    namespace: temporal.options.namespace,
    workflowExecution: { workflowId, runId },
    workflowTaskFinishEventId: firstTask?.eventId ?? null,
    requestId: randomUUID(),
    reason: 'a test',
    resetReapplyType: RESET_REAPPLY_ALL_ELIGIBLE,
  });
  await eventually(async () => (await handle.describe()).runId !== runId);
}

/** The parts of a service that this file's functions on runs need. */
type Runs = {
  readonly temporal: Pick<Client, 'workflow' | 'schedule'>;
  readonly taskQueue: string;
};

/**
 * Terminates a run, and waits until Temporal's lists show it. Sweeps read these lists, which lag: a sweep that still finds the run
 * there starts no other. The first sweep ends before, so that it does not start the run again.
 */
export async function loseRun(runs: Runs, workflowId: string): Promise<void> {
  const { temporal } = runs;
  await firstSweep(runs);
  await terminateIfOpen(runs, workflowId);
  const query = `WorkflowId = "${workflowId}" AND ExecutionStatus = "Running"`;
  await eventually(async () => (await temporal.workflow.count(query)).count === 0);
}

/** Terminates a run. Succeeds if the run has ended. */
export async function terminateIfOpen({ temporal }: Runs, workflowId: string): Promise<void> {
  await temporal.workflow
    .getHandle(workflowId)
    .terminate('a test')
    .catch((error: unknown) => {
      if (nameOf(error) !== 'WorkflowNotFoundError') throw error;
    });
}

/**
 * Waits for the end of the sweep that the first worker starts with, so that it heals nothing that a test breaks. There is none if
 * no worker has run.
 */
export async function firstSweep({ temporal, taskQueue }: Runs): Promise<void> {
  const schedule = temporal.schedule.getHandle(`rebuild/${taskQueue}`);
  const recentActions = await eventually(async () => {
    const { info } = await schedule.describe().catch((error: unknown) => {
      if (nameOf(error) === 'ScheduleNotFoundError') return { info: null };
      throw error;
    });
    if (info === null) return [];
    return info.recentActions.length > 0 && info.recentActions;
  });
  for (const { action } of recentActions) await temporal.workflow.getHandle(action.workflow.workflowId).result();
}

const nameOf = (error: unknown): unknown => Object(error).name;
