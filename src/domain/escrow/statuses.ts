/** The statuses of an escrow. commands.ts says which command leads from which to which. */
export const ESCROW_STATUSES = [
  'PENDING',
  'ACTIVE',
  'DELIVERY_NOTED',
  'GOODS_RECEIVED',
  'DISPUTED',
  'COMPLETED',
  'CANCELLED',
  'RESOLVED',
] as const;
export type EscrowStatus = (typeof ESCROW_STATUSES)[number];

export const FINAL_STATUSES: readonly EscrowStatus[] = ['COMPLETED', 'CANCELLED', 'RESOLVED'];

export function isFinal(status: EscrowStatus): boolean {
  return FINAL_STATUSES.includes(status);
}
