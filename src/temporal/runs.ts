import { type Client, WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { OpenRun } from '../db/operations/open-runs.ts';
import type { EntityKind } from '../domain/entity.ts';
import { type CompanyId, type Id, type IdKind, publicId } from '../domain/ids.ts';
import { escrowWorkflowId, linkWorkflowId, withdrawalWorkflowId } from '../domain/messages/ids.ts';
import { type Currency, formatAmount } from '../domain/money.ts';
import { ESCROW_WORKFLOW, LINK_WORKFLOW, WITHDRAWAL_WORKFLOW, WORKFLOW_TASK_TIMEOUT } from '../workflows/messages.ts';
import { attributesOf } from '../workflows/search-attributes.ts';

/** How a run is started by a caller that finds none. */

/** The workflow to start, and the texts that operators see before its first step. */
export type Run = {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly input: object;
  readonly kind: EntityKind;
  /** The id of the entity. */
  readonly entityId: string;
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

/** What a caller knows of an entity before its run has read its row. */
export type Heading<Kind extends IdKind> = {
  readonly id: Id<Kind>;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
};

export const escrowRun = (heading: Heading<'escrow'>): Run => ({
  ...named('Escrow', heading),
  kind: 'escrow',
  workflowType: ESCROW_WORKFLOW,
  workflowId: escrowWorkflowId(heading.id),
  input: { escrowId: publicId('escrow', heading.id) },
});
export const linkRun = (heading: Heading<'paymentLink'>): Run => ({
  ...named('Payment link', heading),
  kind: 'payment-link',
  workflowType: LINK_WORKFLOW,
  workflowId: linkWorkflowId(heading.id),
  input: { linkId: publicId('paymentLink', heading.id) },
});
export const withdrawalRun = (heading: Heading<'transaction'>): Run => ({
  ...named('Withdrawal', heading),
  kind: 'withdrawal',
  workflowType: WITHDRAWAL_WORKFLOW,
  workflowId: withdrawalWorkflowId(heading.id),
  input: { withdrawalId: publicId('transaction', heading.id) },
});

function named(noun: string, { id, companyId, currency, amountCents }: Heading<IdKind>) {
  return {
    entityId: id,
    companyId,
    currency,
    summary: `${noun} of ${formatAmount(amountCents, currency)} ${currency}`,
  };
}

const RUNS = { escrow: escrowRun, 'payment-link': linkRun, withdrawal: withdrawalRun } as const;

/** The run of an open entity. */
export function runOfOpen(open: OpenRun): Run {
  return RUNS[open.kind](open as OpenRun & { readonly id: never }); // its id comes from a row of that kind
}
