import type { EscrowStatus } from '../domain/escrow/transitions.ts';
import type { CompanyId, EscrowId, Id } from '../domain/ids.ts';
import { type Currency, formatAmount } from '../domain/money.ts';
import type { LinkStatus } from '../domain/payment-link/link.ts';
import { ESCROW_WORKFLOW, escrowWorkflowId, LINK_WORKFLOW, linkWorkflowId } from '../workflows/messages.ts';
import type { Run } from './runs.ts';

/** The runs of escrows and of the links that pay for them. */

export type EscrowHeading = {
  readonly escrowId: EscrowId;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly totalCents: bigint;
  readonly status: EscrowStatus;
};

export function escrowRun({ escrowId, companyId, currency, totalCents, status }: EscrowHeading): Run {
  return {
    workflowType: ESCROW_WORKFLOW,
    workflowId: escrowWorkflowId(escrowId),
    input: { escrowId },
    kind: 'escrow',
    companyId,
    currency,
    status,
    summary: `Escrow of ${formatAmount(totalCents, currency)} ${currency}`,
  };
}

export type LinkHeading = {
  readonly linkId: Id<'paymentLink'>;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly amountCents: bigint;
  readonly status: LinkStatus;
};

export function linkRun({ linkId, companyId, currency, amountCents, status }: LinkHeading): Run {
  return {
    workflowType: LINK_WORKFLOW,
    workflowId: linkWorkflowId(linkId),
    input: { linkId },
    kind: 'payment-link',
    companyId,
    currency,
    status,
    summary: `Payment link of ${formatAmount(amountCents, currency)} ${currency}`,
  };
}
