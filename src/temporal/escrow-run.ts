import { type Client, WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import type { EscrowStatus } from '../domain/escrow/transitions.ts';
import { type CompanyId, type EscrowId, publicId } from '../domain/ids.ts';
import { type Currency, formatCents } from '../domain/money.ts';
import { ESCROW_WORKFLOW, type EscrowInput, escrowWorkflowId, WORKFLOW_TASK_TIMEOUT } from '../workflows/messages.ts';

/** How a run of an escrow is started, by whoever finds that there is none. */

const COMPANY = defineSearchAttributeKey('EscrowCompany', SearchAttributeType.KEYWORD);
const KIND = defineSearchAttributeKey('EscrowKind', SearchAttributeType.KEYWORD);
const STATUS = defineSearchAttributeKey('EscrowStatus', SearchAttributeType.KEYWORD);
const CURRENCY = defineSearchAttributeKey('EscrowCurrency', SearchAttributeType.KEYWORD);

/** What ops see of a run before it has done anything. */
export type EscrowHeading = {
  readonly escrowId: EscrowId;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly totalCents: bigint;
  readonly status: EscrowStatus;
};

export type EscrowRun = (input: EscrowInput) => Promise<void>;

/** For an update that starts the run where none is. */
export function startBefore(heading: EscrowHeading, taskQueue: string): WithStartWorkflowOperation<EscrowRun> {
  return new WithStartWorkflowOperation<EscrowRun>(ESCROW_WORKFLOW, {
    ...startOptions(heading, taskQueue),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

/** Starts a run; false where one runs already. */
export async function startIfMissing(client: Client, taskQueue: string, heading: EscrowHeading): Promise<boolean> {
  try {
    await client.workflow.start<EscrowRun>(ESCROW_WORKFLOW, {
      ...startOptions(heading, taskQueue),
      workflowIdConflictPolicy: 'FAIL',
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

function startOptions({ escrowId, companyId, currency, totalCents, status }: EscrowHeading, taskQueue: string) {
  const args: [EscrowInput] = [{ escrowId }];
  return {
    workflowId: escrowWorkflowId(escrowId),
    taskQueue,
    args,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `Escrow of ${formatCents(totalCents)} ${currency}`,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: COMPANY, value: publicId('company', companyId) },
      { key: KIND, value: 'escrow' },
      { key: STATUS, value: status },
      { key: CURRENCY, value: currency },
    ]),
  } as const;
}
