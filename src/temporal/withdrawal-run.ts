import type { CompanyId, TransactionId } from '../domain/ids.ts';
import { type Currency, formatAmount } from '../domain/money.ts';
import type { WithdrawalStatus } from '../domain/withdrawal/transitions.ts';
import { WITHDRAWAL_WORKFLOW, withdrawalWorkflowId } from '../workflows/messages.ts';
import type { Run } from './runs.ts';

export type WithdrawalHeading = {
  readonly withdrawalId: TransactionId;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
  readonly status: WithdrawalStatus;
};

/** The run of a withdrawal. */
export function withdrawalRun({ withdrawalId, companyId, currency, amountCents, status }: WithdrawalHeading): Run {
  return {
    workflowType: WITHDRAWAL_WORKFLOW,
    workflowId: withdrawalWorkflowId(withdrawalId),
    input: { withdrawalId },
    kind: 'withdrawal',
    companyId,
    currency,
    status,
    summary: `Withdrawal of ${formatAmount(amountCents, currency)} ${currency}`,
  };
}
