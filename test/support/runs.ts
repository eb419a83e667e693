import { randomUUID } from 'node:crypto';
import { eventually } from './eventually.ts';
import { RoleProcess } from './role-process.ts';
import type { TestService } from './service.ts';
import { testTemporal } from './temporal.ts';

/** Operators' actions on the runs of workflows. */

const RESET_REAPPLY_ALL_ELIGIBLE = 3;

/** Does what `temporal workflow reset --type FirstWorkflowTask` does, and waits for the new run. */
export async function resetToFirstTask({ temporal }: TestService, workflowId: string): Promise<void> {
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

/** Runs `npm run rebuild-workflows` for the service, and returns its output. */
export async function rebuildWorkflows({ database, taskQueue }: TestService): Promise<string> {
  const { address, namespace } = testTemporal();
  const role = RoleProcess.start('rebuild-workflows', {
    DATABASE_URL: database.workerUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: taskQueue,
  });
  if ((await role.exitCode) !== 0) throw new Error(role.output);
  return role.output;
}
