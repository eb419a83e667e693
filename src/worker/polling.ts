import { tsToMs } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';

const ANSWER_MS = 2_000;
/** A poll waits up to 60 s at the server, which notes its beginning. */
const RECENT_MS = 75_000;
const WORKFLOW_TASKS = 1; // temporal.api.enums.v1.TaskQueueType

/** Whether Temporal knows a worker of this identity as one that polls the queue now. False where Temporal does not answer. */
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
