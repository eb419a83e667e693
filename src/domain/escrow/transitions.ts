/**
 * The escrow's state machine as one table. `decide` refuses commands according to it. The workflow registers an update and a
 * signal for every row that clients send. The diagram of docs/architecture.md and the tests are generated from it. After a new row, the compiler
 * reports every other table that needs one: codecs, deadlines, events, details, routes.
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

/** The sender of a command: a client or support; the service itself, for another entity's step; the run's own clock. */
export type Sender = 'client' | 'service' | 'clock';

/** `to` is the status after the command; null if the status stays, or depends on the remaining money. */
export const ESCROW_TRANSITIONS = {
  initiate: { from: [], to: 'ACTIVE', sentBy: 'service' },
  fund: { from: ['PENDING'], to: 'ACTIVE', sentBy: 'service' },
  'delivery-note': { from: RUNNING, to: 'DELIVERY_NOTED', sentBy: 'client' },
  'goods-received': { from: RUNNING, to: 'GOODS_RECEIVED', sentBy: 'client' },
  release: { from: RUNNING, to: 'COMPLETED', sentBy: 'client' },
  'release-milestone': { from: RUNNING, to: null, sentBy: 'client' },
  negotiate: { from: RUNNING, to: null, sentBy: 'client' },
  'adjust-milestone': { from: RUNNING, to: null, sentBy: 'client' },
  'accept-negotiation': { from: RUNNING, to: null, sentBy: 'client' },
  'reject-negotiation': { from: RUNNING, to: null, sentBy: 'client' },
  'lapse-negotiation': { from: RUNNING, to: null, sentBy: 'clock' },
  'extend-auto-release': { from: RUNNING, to: null, sentBy: 'client' },
  'auto-release': { from: RUNNING, to: 'COMPLETED', sentBy: 'clock' },
  'block-release': { from: RUNNING, to: null, sentBy: 'clock' },
  dispute: { from: RUNNING, to: 'DISPUTED', sentBy: 'client' },
  'add-evidence': { from: ['DISPUTED'], to: null, sentBy: 'client' },
  // From DISPUTED only by ADMIN; `decide` checks this.
  cancel: { from: ['PENDING', ...RUNNING, 'DISPUTED'], to: 'CANCELLED', sentBy: 'client' },
  'admin-resolve': { from: ['DISPUTED'], to: 'RESOLVED', sentBy: 'client' },
  // A card payment can be charged back long after the money was paid out. The payment link's transaction
  // carries it out.
  'note-chargeback': { from: ESCROW_STATUSES, to: null, sentBy: 'service' },
} as const satisfies Record<string, { from: readonly EscrowStatus[]; to: EscrowStatus | null; sentBy: Sender }>;

export type EscrowCommandType = keyof typeof ESCROW_TRANSITIONS;

/** The commands that `By` sends. */
export type CommandSentBy<By extends Sender> = {
  [Type in EscrowCommandType]: (typeof ESCROW_TRANSITIONS)[Type]['sentBy'] extends By ? Type : never;
}[EscrowCommandType];
/** All commands that a request, an update or a signal may send. */
export type MessageType = CommandSentBy<'client'>;

export const FINAL_STATUSES: readonly EscrowStatus[] = ['COMPLETED', 'CANCELLED', 'RESOLVED'];

export function isFinal(status: EscrowStatus): boolean {
  return FINAL_STATUSES.includes(status);
}

/** Whether the table allows `command` in `status`. */
export function allows(command: EscrowCommandType, status: EscrowStatus): boolean {
  const from: readonly EscrowStatus[] = ESCROW_TRANSITIONS[command].from;
  return from.includes(status);
}
