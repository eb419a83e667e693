import { type Client, isGrpcServiceError, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { Refusal } from '../domain/errors.ts';
import type { EscrowId } from '../domain/ids.ts';
import { escrowWorkflowId } from '../domain/messages/ids.ts';
import { PROGRESS_QUERY, type Progress } from '../workflows/messages.ts';
import { isNamespaceMissing } from './connection.ts';

export type EscrowProgress = Progress & {
  readonly workflowId: string;
  readonly running: boolean;
  /** The latest run; null if there never was one. */
  readonly runId: string | null;
};

const DEADLINE_MS = 5_000;
const NOTHING: Progress = { waitingFor: [], nextDeadline: null, historyLength: 0 };

/**
 * Asks the run of an existing escrow what it waits for. Throws `dependency_unavailable` if Temporal or every worker is down,
 * because a worker answers the query.
 */
export async function readEscrowProgress(client: Client, escrowId: EscrowId): Promise<EscrowProgress> {
  const workflowId = escrowWorkflowId(escrowId);
  const handle = client.workflow.getHandle(workflowId);
  try {
    return await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
      const { runId, historyLength, status } = await handle.describe();
      if (status.name !== 'RUNNING') return { workflowId, running: false, runId, ...NOTHING, historyLength };
      return { workflowId, running: true, runId, ...(await handle.query<Progress>(PROGRESS_QUERY)), historyLength };
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { workflowId, running: false, runId: null, ...NOTHING };
    const isTemporals = error instanceof ServiceError || isGrpcServiceError(error) || isNamespaceMissing(error);
    if (!isTemporals) throw error;
    const refusal = new Refusal('dependency_unavailable', 'the workflow of the escrow did not answer in time');
    refusal.cause = error;
    throw refusal;
  }
}
