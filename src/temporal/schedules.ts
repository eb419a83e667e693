import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { REBUILD_WORKFLOW, WORKFLOW_TASK_TIMEOUT } from '../workflows/messages.ts';

/** How long an escrow may be without a run that nobody sends a command to: its timers wait that long. */
const REBUILD_INTERVAL = '1 hour';

/**
 * Makes the schedules that are not there yet, each with a first run at once: a Temporal that has lost its data gets its
 * workflows back as soon as a worker starts. Ids carry the task queue, because services may share a namespace.
 */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: `rebuild/${taskQueue}`,
      spec: { intervals: [{ every: REBUILD_INTERVAL }] },
      action: {
        type: 'startWorkflow',
        workflowType: REBUILD_WORKFLOW,
        workflowId: `rebuild/${taskQueue}`,
        taskQueue,
        args: [],
        workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
        staticSummary: 'Start runs for open escrows that have none',
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      state: { triggerImmediately: true },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
