import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ListedRun, RunKeeper } from '../activities/sweep.ts';
import { parseId } from '../domain/ids.ts';
import { REFRESH_SIGNAL } from '../workflows/messages.ts';
import { runOfOpen, startIfMissing } from './runs.ts';

/** The sweep's port to Temporal. */

/** Workflow tasks can fail two or three times when a worker dies or a database hangs. */
const STUCK_AFTER_ATTEMPTS = 5;

const decode = (data: Uint8Array | null | undefined): unknown =>
  data == null ? undefined : JSON.parse(Buffer.from(data).toString());

export function createRunKeeper(client: Client, taskQueue: string): RunKeeper {
  const { namespace } = client.options;
  const ours = `TaskQueue = "${taskQueue}" AND ExecutionStatus = "Running" AND EscrowKind IS NOT NULL`;

  const list = async (query: string, page: string | null, limit: number) => {
    const { executions, nextPageToken } = await client.workflowService.listWorkflowExecutions({
      namespace,
      query,
      pageSize: limit,
      ...(page === null ? {} : { nextPageToken: Buffer.from(page, 'base64') }),
    });
    const runs = (executions ?? []).map(({ execution, startTime, searchAttributes, taskQueue: queue }): ListedRun => {
      const fields = searchAttributes?.indexedFields;
      const status = decode(fields?.EscrowStatus?.data);
      const deadline = decode(fields?.EscrowDeadline?.data);
      const company = decode(fields?.EscrowCompany?.data);
      return {
        workflowId: execution?.workflowId ?? '',
        runId: execution?.runId ?? '',
        startedAt: new Date(Number(startTime?.seconds ?? 0) * 1_000),
        companyId: (typeof company === 'string' ? parseId('company', company) : undefined) ?? null,
        isReachable: queue === taskQueue,
        status: typeof status === 'string' ? status : null,
        deadline: typeof deadline === 'string' ? new Date(deadline) : null,
      };
    });
    const token = nextPageToken == null ? '' : Buffer.from(nextPageToken).toString('base64');
    return { runs, next: token === '' ? null : token };
  };
  const handleOf = ({ workflowId, runId }: ListedRun) => client.workflow.getHandle(workflowId, runId);
  const unlessEnded = (error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  };

  return {
    workflowIdOf: (open) => runOfOpen(open).workflowId,
    async findRunning(workflowIds) {
      const quoted = workflowIds.map((id) => `"${id}"`).join(',');
      return (await list(`WorkflowId IN (${quoted}) AND ExecutionStatus = "Running"`, null, workflowIds.length)).runs;
    },
    listRunning: (page, limit) => list(ours, page, limit),
    start: (open) => startIfMissing(client, taskQueue, runOfOpen(open)),
    refresh: (run) =>
      handleOf(run)
        .signal(REFRESH_SIGNAL)
        .then(() => true)
        .catch((error: unknown) => {
          unlessEnded(error);
          return false;
        }),
    async isStuck(run) {
      const { raw } = await handleOf(run).describe();
      return (raw.pendingWorkflowTask?.attempt ?? 0) > STUCK_AFTER_ATTEMPTS;
    },
    async terminate(run, reason) {
      await handleOf(run).terminate(reason).catch(unlessEnded);
    },
  };
}
