import { type Client, ScheduleAlreadyRunning, type ScheduleHandle, ScheduleOverlapPolicy } from '@temporalio/client';
import { HOUR_MS } from '../domain/time.ts';
import { AUDIT_WORKFLOW, REBUILD_WORKFLOW, WORKFLOW_TASK_TIMEOUT } from '../workflows/messages.ts';

/** Periodic workflows. `startsAtOnce`: the first run is as soon as the schedule exists. */
export const SCHEDULES = [
  {
    name: 'rebuild',
    workflowType: REBUILD_WORKFLOW,
    // An entity without commands may be without a run for this long. Its timers are late by as much.
    everyMs: HOUR_MS,
    // If Temporal has lost its data, the workflows are restored as soon as a worker starts.
    startsAtOnce: true,
    args: [],
    summary: 'Compare rows with runs, and heal what differs',
  },
  {
    name: 'audit',
    workflowType: AUDIT_WORKFLOW,
    everyMs: 6 * HOUR_MS,
    startsAtOnce: false,
    args: ['all'],
    summary: 'Audit the books of all companies and keep a checkpoint here',
  },
  {
    name: 'audit-new',
    workflowType: AUDIT_WORKFLOW,
    everyMs: HOUR_MS / 4,
    startsAtOnce: false,
    args: ['new'],
    summary: 'Audit new transactions and keep a checkpoint here',
  },
] as const;

export function scheduleIdOf(name: (typeof SCHEDULES)[number]['name'], taskQueue: string): string {
  return `${name}/${taskQueue}`;
}

/**
 * Creates the schedules, and updates those whose definition has changed. A schedule that operators paused stays paused. Ids
 * contain the task queue, because services may share a namespace.
 */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  for (const { name, workflowType, everyMs, startsAtOnce, args, summary } of SCHEDULES) {
    const scheduleId = scheduleIdOf(name, taskQueue);
    const definition = {
      spec: { intervals: [{ every: everyMs }] },
      action: {
        type: 'startWorkflow' as const,
        workflowType,
        workflowId: scheduleId,
        taskQueue,
        args: [...args],
        workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
        staticSummary: summary,
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const },
    };
    const state = { triggerImmediately: startsAtOnce };
    try {
      await client.schedule.create({ scheduleId, ...definition, state });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const handle = client.schedule.getHandle(scheduleId);
      if (await isAsDefined(handle, { everyMs, workflowType, args, summary })) continue;
      await handle.update((previous) => ({ ...definition, state: previous.state }));
    }
  }
}

type Wanted = {
  readonly everyMs: number;
  readonly workflowType: string;
  readonly args: readonly unknown[];
  readonly summary: string;
};

async function isAsDefined(handle: ScheduleHandle, { everyMs, workflowType, args, summary }: Wanted): Promise<boolean> {
  const { spec, action } = await handle.describe();
  return (
    spec.intervals?.length === 1 &&
    spec.intervals[0]?.every === everyMs &&
    action.workflowType === workflowType &&
    JSON.stringify(action.args ?? []) === JSON.stringify(args) &&
    action.staticSummary === summary
  );
}
