/**
 * The escrow's state machine as one table. `decide` refuses by it, the workflow registers an update and a signal for
 * every row, and the README's diagram and the tests are made from it.
 */

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

const RUNNING = ['ACTIVE', 'DELIVERY_NOTED', 'GOODS_RECEIVED'] as const;

/** `to` is where the command leads; null where the status stays, or depends on what is left. */
export const ESCROW_TRANSITIONS = {
  initiate: { from: [], to: 'ACTIVE' },
  fund: { from: ['PENDING'], to: 'ACTIVE' },
  'delivery-note': { from: RUNNING, to: 'DELIVERY_NOTED' },
  'goods-received': { from: RUNNING, to: 'GOODS_RECEIVED' },
  release: { from: RUNNING, to: 'COMPLETED' },
  'release-milestone': { from: RUNNING, to: null },
  negotiate: { from: RUNNING, to: null },
  'adjust-milestone': { from: RUNNING, to: null },
  'accept-negotiation': { from: RUNNING, to: null },
  'reject-negotiation': { from: RUNNING, to: null },
  'lapse-negotiation': { from: RUNNING, to: null },
  'extend-auto-release': { from: RUNNING, to: null },
  'auto-release': { from: RUNNING, to: 'COMPLETED' },
  'block-release': { from: RUNNING, to: null },
  dispute: { from: RUNNING, to: 'DISPUTED' },
  'add-evidence': { from: ['DISPUTED'], to: null },
  // From DISPUTED by ADMIN only; decide says so.
  cancel: { from: ['PENDING', ...RUNNING, 'DISPUTED'], to: 'CANCELLED' },
  'admin-resolve': { from: ['DISPUTED'], to: 'RESOLVED' },
} as const satisfies Record<string, { from: readonly EscrowStatus[]; to: EscrowStatus | null }>;

export type EscrowCommandType = keyof typeof ESCROW_TRANSITIONS;

export const FINAL_STATUSES: readonly EscrowStatus[] = ['COMPLETED', 'CANCELLED', 'RESOLVED'];

export function isFinal(status: EscrowStatus): boolean {
  return FINAL_STATUSES.includes(status);
}

/** Whether the table lets `command` start from `status`. */
export function allows(command: EscrowCommandType, status: EscrowStatus): boolean {
  const from: readonly EscrowStatus[] = ESCROW_TRANSITIONS[command].from;
  return from.includes(status);
}
