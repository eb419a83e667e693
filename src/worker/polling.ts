import { tsToMs } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';

const ANSWER_MS = 2_000;
/** A poll waits up to 60 s at the server, which records its start. */
const RECENT_MS = 75_000;
export const WORKFLOW_TASKS = 1; // temporal.api.enums.v1.TaskQueueType

/** Whether a worker with this identity is polling the queue, according to Temporal. False if Temporal does not answer. */
export async function isPolling(
  connection: NativeConnection,
  { namespace, taskQueue, identity }: { namespace: string; taskQueue: string; identity: string },
): Promise<boolean> {
  try {
    const { pollers } = await connection.withDeadline(Date.now() + ANSWER_MS, () =>
      connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: WORKFLOW_TASKS,
      }),
    );
    return pollers.some(
      (poller) => poller.identity === identity && tsToMs(poller.lastAccessTime) > Date.now() - RECENT_MS,
    );
  } catch {
    return false;
  }
}
