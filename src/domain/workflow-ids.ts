import { type EscrowId, type Id, publicId, type TransactionId } from './ids.ts';

/** The names of the runs: each entity's kind, and the id that clients see. */

export function escrowWorkflowId(escrowId: EscrowId): string {
  return `escrow/${publicId('escrow', escrowId)}`;
}

/** By the link's id: its hash is a credential and stands nowhere in Temporal. */
export function linkWorkflowId(linkId: Id<'paymentLink'>): string {
  return `payment-link/${publicId('paymentLink', linkId)}`;
}

/** By the id that the API answers. */
export function withdrawalWorkflowId(withdrawalId: TransactionId): string {
  return `withdrawal/${publicId('transaction', withdrawalId)}`;
}
