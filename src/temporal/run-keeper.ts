import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { OpenRun } from '../db/operations/open-runs.ts';
import { REFRESH_SIGNAL } from '../workflows/messages.ts';
import { runOfOpen } from './open-run.ts';
import { startIfMissing } from './runs.ts';

/** The Temporal operations that the sweep needs. */

/** An open run in Temporal's lists, which may lag briefly. */
export type ListedRun = {
  readonly workflowId: string;
  readonly runId: string;
  readonly startedAt: Date;
  /** The entity's status as the run knows it; null before it has read its row. */
  readonly status: string | null;
  /** The time of the run's next timer; null if it has none. */
  readonly deadline: Date | null;
};

export type RunKeeper = {
  readonly workflowIdOf: (open: OpenRun) => string;
  /** The subset of `workflowIds` with an open run. */
  readonly findRunning: (workflowIds: readonly string[]) => Promise<readonly ListedRun[]>;
  /** A page of all runs of escrows, payment links and withdrawals. `next` is null after the last page. */
  readonly listRunning: (
    page: string | null,
    limit: number,
  ) => Promise<{ readonly runs: readonly ListedRun[]; readonly next: string | null }>;
  /** Starts a run. Returns false if there is one already. */
  readonly start: (open: OpenRun) => Promise<boolean>;
  /** Tells the run to read its row again. Succeeds if the run has ended meanwhile. */
  readonly refresh: (run: ListedRun) => Promise<void>;
  /** Whether the run's workflow task fails repeatedly, so that signals have no effect. */
  readonly isStuck: (run: ListedRun) => Promise<boolean>;
  readonly terminate: (run: ListedRun, reason: string) => Promise<void>;
};

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
    const runs = (executions ?? []).map(({ execution, startTime, searchAttributes }): ListedRun => {
      const fields = searchAttributes?.indexedFields;
      const status = decode(fields?.EscrowStatus?.data);
      const deadline = decode(fields?.EscrowDeadline?.data);
      return {
        workflowId: execution?.workflowId ?? '',
        runId: execution?.runId ?? '',
        startedAt: new Date(Number(startTime?.seconds ?? 0) * 1_000),
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
    refresh: (run) => handleOf(run).signal(REFRESH_SIGNAL).catch(unlessEnded),
    async isStuck(run) {
      const { raw } = await handleOf(run).describe();
      return (raw.pendingWorkflowTask?.attempt ?? 0) > STUCK_AFTER_ATTEMPTS;
    },
    async terminate(run, reason) {
      await handleOf(run).terminate(reason).catch(unlessEnded);
    },
  };
}
