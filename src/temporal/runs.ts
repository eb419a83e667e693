import { type Client, WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { OpenRun } from '../db/operations/open-runs.ts';
import { assertNever } from '../domain/errors.ts';
import { type CompanyId, type EscrowId, type Id, publicId, type TransactionId, type WebhookId } from '../domain/ids.ts';
import { escrowWorkflowId, linkWorkflowId, webhookWorkflowId, withdrawalWorkflowId } from '../domain/messages/ids.ts';
import { type Currency, formatAmount } from '../domain/money.ts';
import {
  ESCROW_WORKFLOW,
  LINK_WORKFLOW,
  NEWS_SIGNAL,
  WEBHOOK_WORKFLOW,
  type WebhookInput,
  WITHDRAWAL_WORKFLOW,
  WORKFLOW_TASK_TIMEOUT,
} from '../workflows/messages.ts';
import { attributesOf, companyAttribute, type RunKind } from '../workflows/search-attributes.ts';

/** How a run is started by a caller that finds none. */

/** The workflow to start, and the texts that operators see before its first step. */
export type Run = {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly input: object;
  readonly kind: RunKind;
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

/** Tells the run of an endpoint that there is work, and starts it if there is none. */
export async function wakeWebhookRun(
  client: Client,
  taskQueue: string,
  { id, companyId }: { readonly id: WebhookId; readonly companyId: CompanyId },
): Promise<void> {
  const input: WebhookInput = { webhookId: publicId('webhook', id) };
  await client.workflow.signalWithStart(WEBHOOK_WORKFLOW, {
    workflowId: webhookWorkflowId(id),
    taskQueue,
    args: [input],
    signal: NEWS_SIGNAL,
    signalArgs: [],
    typedSearchAttributes: companyAttribute(companyId),
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    staticSummary: 'Send events to an endpoint',
  });
}

/** How the workflows of escrows, payment links and withdrawals are started. */

export type EscrowHeading = {
  readonly escrowId: EscrowId;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly totalCents: bigint;
};

export function escrowRun({ escrowId, companyId, currency, totalCents }: EscrowHeading): Run {
  return {
    workflowType: ESCROW_WORKFLOW,
    workflowId: escrowWorkflowId(escrowId),
    input: { escrowId: publicId('escrow', escrowId) },
    kind: 'escrow',
    entityId: escrowId,
    companyId,
    currency,
    summary: `Escrow of ${formatAmount(totalCents, currency)} ${currency}`,
  };
}

export type LinkHeading = {
  readonly linkId: Id<'paymentLink'>;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
};

export function linkRun({ linkId, companyId, currency, amountCents }: LinkHeading): Run {
  return {
    workflowType: LINK_WORKFLOW,
    workflowId: linkWorkflowId(linkId),
    input: { linkId: publicId('paymentLink', linkId) },
    kind: 'payment-link',
    entityId: linkId,
    companyId,
    currency,
    summary: `Payment link of ${formatAmount(amountCents, currency)} ${currency}`,
  };
}

export type WithdrawalHeading = {
  readonly withdrawalId: TransactionId;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
};

export function withdrawalRun({ withdrawalId, companyId, currency, amountCents }: WithdrawalHeading): Run {
  return {
    workflowType: WITHDRAWAL_WORKFLOW,
    workflowId: withdrawalWorkflowId(withdrawalId),
    input: { withdrawalId: publicId('transaction', withdrawalId) },
    kind: 'withdrawal',
    entityId: withdrawalId,
    companyId,
    currency,
    summary: `Withdrawal of ${formatAmount(amountCents, currency)} ${currency}`,
  };
}

/** The run of an open entity. Its id comes from a row of that kind, which justifies the casts. */
export function runOfOpen({ kind, id, companyId, currency, amountCents }: OpenRun): Run {
  const common = { companyId, currency, amountCents };
  switch (kind) {
    case 'escrow':
      return escrowRun({ ...common, escrowId: id as EscrowId, totalCents: amountCents });
    case 'payment-link':
      return linkRun({ ...common, linkId: id as Id<'paymentLink'> });
    case 'withdrawal':
      return withdrawalRun({ ...common, withdrawalId: id as TransactionId });
    default:
      return assertNever(kind);
  }
}
