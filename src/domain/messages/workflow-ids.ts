import { type EscrowId, type Id, publicId, type TransactionId, type WebhookId } from '../ids.ts';

/** Workflow ids: the kind of the entity, and its public id. */

export function escrowWorkflowId(escrowId: EscrowId): string {
  return `escrow/${publicId('escrow', escrowId)}`;
}

/** By the link's id: its hash is a credential and never appears in Temporal. */
export function linkWorkflowId(linkId: Id<'paymentLink'>): string {
  return `payment-link/${publicId('paymentLink', linkId)}`;
}

/** The run that sends events to an endpoint. */
export function webhookWorkflowId(webhookId: WebhookId): string {
  return `webhook/${publicId('webhook', webhookId)}`;
}

/** By the id in the API's response. */
export function withdrawalWorkflowId(withdrawalId: TransactionId): string {
  return `withdrawal/${publicId('transaction', withdrawalId)}`;
}
