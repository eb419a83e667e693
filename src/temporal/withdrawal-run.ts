import { type CompanyId, publicId, type TransactionId } from '../domain/ids.ts';
import { withdrawalWorkflowId } from '../domain/messages/workflow-ids.ts';
import { type Currency, formatAmount } from '../domain/money.ts';
import { WITHDRAWAL_WORKFLOW } from '../workflows/messages.ts';
import type { Run } from './runs.ts';

export type WithdrawalHeading = {
  readonly withdrawalId: TransactionId;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
};

/** How the workflow of a withdrawal is started. */
export function withdrawalRun({ withdrawalId, companyId, currency, amountCents }: WithdrawalHeading): Run {
  return {
    workflowType: WITHDRAWAL_WORKFLOW,
    workflowId: withdrawalWorkflowId(withdrawalId),
    input: { withdrawalId: publicId('transaction', withdrawalId) },
    kind: 'withdrawal',
    companyId,
    currency,
    summary: `Withdrawal of ${formatAmount(amountCents, currency)} ${currency}`,
  };
}
