import { type CommandId, type EscrowId, type Id, publicId, type TransactionId } from '../ids.ts';

/** Ids for messages to workflows: of the workflow, and of a command that came without one. */

/** A workflow's id is the kind of the entity, and its public id. */
export function escrowWorkflowId(escrowId: EscrowId): string {
  return `escrow/${publicId('escrow', escrowId)}`;
}

/** By the link's id: its hash is a credential and never appears in Temporal. */
export function linkWorkflowId(linkId: Id<'paymentLink'>): string {
  return `payment-link/${publicId('paymentLink', linkId)}`;
}

/** By the id in the API's response. */
export function withdrawalWorkflowId(withdrawalId: TransactionId): string {
  return `withdrawal/${publicId('transaction', withdrawalId)}`;
}

/**
 * Derived command ids. A signal without a command id gets the same id whenever its run is replayed or reset, so its earlier
 * result or refusal is found again.
 */

// FNV-1a with 128 bits. It does not protect against forgery: a client that can send signals can also name any command id.
const OFFSET_BASIS = 0x6c62272e07bb014262b821756295c58dn;
const PRIME = 0x0000000001000000000000000000013bn;
const MASK = (1n << 128n) - 1n;

/** A UUID (version 8) that depends only on `text`. */
export function commandIdFrom(text: string): CommandId {
  let hash = OFFSET_BASIS;
  for (let index = 0; index < text.length; index++) hash = ((hash ^ BigInt(text.charCodeAt(index))) * PRIME) & MASK;
  const hex = hash.toString(16).padStart(32, '0');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  return uuid as CommandId; // the only place that derives them
}
