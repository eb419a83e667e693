import { type CompanyId, type EscrowId, type Id, publicId } from '../domain/ids.ts';
import { escrowWorkflowId, linkWorkflowId } from '../domain/messages/workflow-ids.ts';
import { type Currency, formatAmount } from '../domain/money.ts';
import { ESCROW_WORKFLOW, LINK_WORKFLOW } from '../workflows/messages.ts';
import type { Run } from './runs.ts';

/** How the workflows of escrows and of their payment links are started. */

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
    companyId,
    currency,
    summary: `Payment link of ${formatAmount(amountCents, currency)} ${currency}`,
  };
}
