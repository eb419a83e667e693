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

type RunOf<Kind extends IdKind> = {
  readonly kind: EntityKind;
  readonly workflowType: string;
  readonly idKind: Kind;
  /** The field of the workflow's input that has the public id. */
  readonly input: string;
  readonly noun: string;
  readonly workflowIdOf: (id: Id<Kind>) => string;
};

const runsOf =
  <Kind extends IdKind>({ kind, workflowType, idKind, input, noun, workflowIdOf }: RunOf<Kind>) =>
  ({ id, companyId, currency, amountCents }: Heading<Kind>): Run => ({
    ...{ workflowType, kind, companyId, currency },
    workflowId: workflowIdOf(id),
    input: { [input]: publicId(idKind, id) },
    entityId: id,
    summary: `${noun} of ${formatAmount(amountCents, currency)} ${currency}`,
  });

export const escrowRun = runsOf({
  ...{ kind: 'escrow', workflowType: ESCROW_WORKFLOW, idKind: 'escrow', input: 'escrowId' },
  ...{ noun: 'Escrow', workflowIdOf: escrowWorkflowId },
});
export const linkRun = runsOf({
  ...{ kind: 'payment-link', workflowType: LINK_WORKFLOW, idKind: 'paymentLink', input: 'linkId' },
  ...{ noun: 'Payment link', workflowIdOf: linkWorkflowId },
});
export const withdrawalRun = runsOf({
  ...{ kind: 'withdrawal', workflowType: WITHDRAWAL_WORKFLOW, idKind: 'transaction', input: 'withdrawalId' },
  ...{ noun: 'Withdrawal', workflowIdOf: withdrawalWorkflowId },
});

const RUNS = { escrow: escrowRun, 'payment-link': linkRun, withdrawal: withdrawalRun } as const;

/** The run of an open entity. */
export function runOfOpen(open: OpenRun): Run {
  return RUNS[open.kind](open as OpenRun & { readonly id: never }); // its id comes from a row of that kind
}
