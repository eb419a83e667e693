import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { AUDIT_WORKFLOW, REBUILD_WORKFLOW, WORKFLOW_TASK_TIMEOUT } from '../workflows/messages.ts';

/** What happens again and again by itself. `startsAtOnce`: the first time as soon as there is a schedule. */
const SCHEDULES = [
  {
    name: 'rebuild',
    workflowType: REBUILD_WORKFLOW,
    // How long something may be without a run that nobody sends a command to: its timers wait that long.
    every: '1 hour',
    // A Temporal that has lost its data gets its workflows back as soon as a worker starts.
    startsAtOnce: true,
    args: [],
    summary: 'Start runs for whatever is open and has none',
  },
  {
    name: 'audit',
    workflowType: AUDIT_WORKFLOW,
    every: '6 hours',
    startsAtOnce: false,
    args: ['all'],
    summary: 'Audit the books of all companies and keep a checkpoint here',
  },
  {
    name: 'audit-new',
    workflowType: AUDIT_WORKFLOW,
    every: '15 minutes',
    startsAtOnce: false,
    args: ['new'],
    summary: 'Audit what is new since the last audit and keep a checkpoint here',
  },
] as const;

/** Makes the schedules that are not there yet. Ids carry the task queue, because services may share a namespace. */
export async function ensureSchedules(client: Client, taskQueue: string): Promise<void> {
  for (const { name, workflowType, every, startsAtOnce, args, summary } of SCHEDULES) {
    try {
      await client.schedule.create({
        scheduleId: `${name}/${taskQueue}`,
        spec: { intervals: [{ every }] },
        action: {
          type: 'startWorkflow',
          workflowType,
          workflowId: `${name}/${taskQueue}`,
          taskQueue,
          args: [...args],
          workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
          staticSummary: summary,
        },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
        state: { triggerImmediately: startsAtOnce },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
}
