/** The withdrawal's state machine as one table: `decide` enforces it, and a test is generated from it. */

export const WITHDRAWAL_STATUSES = ['PROCESSING', 'COMPLETED', 'FAILED', 'REVERSED', 'CANCELLED'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** `to` is the status after the command; null if the status stays. */
export const WITHDRAWAL_TRANSITIONS = {
  request: { from: [], to: 'PROCESSING' },
  submit: { from: ['PROCESSING'], to: null },
  flag: { from: ['PROCESSING', 'COMPLETED'], to: null },
  resume: { from: ['PROCESSING'], to: null },
  cancel: { from: ['PROCESSING'], to: 'CANCELLED' },
  settle: { from: ['PROCESSING'], to: 'COMPLETED' },
  reject: { from: ['PROCESSING'], to: 'FAILED' },
  return: { from: ['COMPLETED'], to: 'REVERSED' },
  'settle-late': { from: ['FAILED', 'REVERSED', 'CANCELLED'], to: 'COMPLETED' },
} as const satisfies Record<string, { from: readonly WithdrawalStatus[]; to: WithdrawalStatus | null }>;

export type WithdrawalCommandType = keyof typeof WITHDRAWAL_TRANSITIONS;

/** Whether the table allows `command` in `status`. No status is final: a bank may change its decision. */
export function allows(command: WithdrawalCommandType, status: WithdrawalStatus): boolean {
  const from: readonly WithdrawalStatus[] = WITHDRAWAL_TRANSITIONS[command].from;
  return from.includes(status);
}
