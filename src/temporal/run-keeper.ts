import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { OpenRun } from '../db/operations/open-runs.ts';
import { REFRESH_SIGNAL } from '../workflows/messages.ts';
import { runOfOpen } from './open-run.ts';
import { startIfMissing } from './runs.ts';

/** What the sweep asks of Temporal. */

/** A run that is open, as Temporal's lists know it: they may lag by moments. */
export type ListedRun = {
  readonly workflowId: string;
  readonly runId: string;
  readonly startedAt: Date;
  /** How many events the run knows of; null before it has read its row. */
  readonly seq: number | null;
  /** When the run will do something by itself; null where it will not. */
  readonly deadline: Date | null;
};

export type RunKeeper = {
  readonly workflowIdOf: (open: OpenRun) => string;
  /** Those of `workflowIds` that run. */
  readonly findRunning: (workflowIds: readonly string[]) => Promise<readonly ListedRun[]>;
  /** A page of all runs of escrows, payment links and withdrawals. `next` is null after the last. */
  readonly listRunning: (
    page: string | null,
    limit: number,
  ) => Promise<{ readonly runs: readonly ListedRun[]; readonly next: string | null }>;
  /** Returns false if there is a run. */
  readonly start: (open: OpenRun) => Promise<boolean>;
  /** Has the run read its row again. A run that ended meanwhile is fine. */
  readonly refresh: (run: ListedRun) => Promise<void>;
  /** Whether the run fails at its workflow task again and again, so that no signal reaches it. */
  readonly isStuck: (run: ListedRun) => Promise<boolean>;
  readonly terminate: (run: ListedRun, reason: string) => Promise<void>;
};

/** Workflow tasks fail twice or thrice where a worker dies or a database hangs. */
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
      const seq = decode(fields?.EscrowSeq?.data);
      const deadline = decode(fields?.EscrowDeadline?.data);
      return {
        workflowId: execution?.workflowId ?? '',
        runId: execution?.runId ?? '',
        startedAt: new Date(Number(startTime?.seconds ?? 0) * 1_000),
        seq: typeof seq === 'number' ? seq : null,
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
