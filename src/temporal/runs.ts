import { type Client, WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { CompanyId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import { WORKFLOW_TASK_TIMEOUT } from '../workflows/messages.ts';
import { attributesOf, type EntityKind } from '../workflows/search-attributes.ts';

/** How a run is started by a caller that finds none. */

/** The workflow to start, and the texts that operators see before its first step. */
export type Run = {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly input: object;
  readonly kind: EntityKind;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly summary: string;
};

export type AnyWorkflow = (input: object) => Promise<unknown>;

/** For an update that starts the workflow if it is not running. */
export function startBefore(run: Run, taskQueue: string): WithStartWorkflowOperation<AnyWorkflow> {
  return new WithStartWorkflowOperation<AnyWorkflow>(run.workflowType, {
    ...startOptions(run, taskQueue),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

/** Starts a run. Returns false if one is running already. */
export async function startIfMissing(client: Client, taskQueue: string, run: Run): Promise<boolean> {
  try {
    await client.workflow.start<AnyWorkflow>(run.workflowType, {
      ...startOptions(run, taskQueue),
      workflowIdConflictPolicy: 'FAIL',
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Sends a signal without waiting for its effect, and starts the workflow if it is not running. */
export async function signalRun(
  client: Client,
  taskQueue: string,
  run: Run,
  signal: string,
  message: object,
): Promise<void> {
  await client.workflow.signalWithStart<AnyWorkflow, [object]>(run.workflowType, {
    ...startOptions(run, taskQueue),
    signal,
    signalArgs: [message],
  });
}

function startOptions(run: Run, taskQueue: string) {
  const args: [object] = [run.input];
  return {
    workflowId: run.workflowId,
    taskQueue,
    args,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: run.summary,
    typedSearchAttributes: attributesOf(run),
  } as const;
}
