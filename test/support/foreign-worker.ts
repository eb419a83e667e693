import { randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { eventually } from './eventually.ts';
import type { TestService, WithTemporal } from './service.ts';

const POLL_MS = 30_000;
const { CommandType } = proto.temporal.api.enums.v1;

/**
 * Calls an activity of the service's task queue from a workflow of its own, as any client of Temporal's port can do. Returns the
 * failure's type, or `completed`.
 */
export async function callActivityFromOutside(
  service: TestService & WithTemporal,
  name: string,
  input: unknown,
): Promise<string> {
  const { workflow, workflowService, connection, options } = service.temporal;
  const { namespace } = options;
  const taskQueue = `foreign-${randomUUID()}`;
  const handle = await workflow.start('foreignWorkflow', { workflowId: taskQueue, taskQueue });
  const { taskToken } = await connection.withDeadline(Date.now() + POLL_MS, () =>
    workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
  );
  await workflowService.respondWorkflowTaskCompleted({
    namespace,
    taskToken,
    commands: [
      {
        commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
        scheduleActivityTaskCommandAttributes: {
          activityId: '1',
          activityType: { name },
          taskQueue: { name: service.taskQueue },
          input: {
            payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(input)) }],
          },
          startToCloseTimeout: { seconds: 10 as unknown as Long }, // the type of the wire; a number does as well
          retryPolicy: { maximumAttempts: 1 },
        },
      },
    ],
  });
  const outcome = await eventually(async () => {
    const { events } = await handle.fetchHistory();
    for (const event of events ?? []) {
      if (event.activityTaskCompletedEventAttributes != null) return 'completed';
      const failed = event.activityTaskFailedEventAttributes;
      if (failed != null) return String(failed.failure?.applicationFailureInfo?.type);
    }
    return undefined;
  });
  await handle.terminate();
  return outcome;
}
