/**
 * The withdrawal's state machine as one table: `decide` refuses by it, and the documentation and the tests are made from it.
 */

export const WITHDRAWAL_STATUSES = ['PROCESSING', 'COMPLETED', 'FAILED', 'REVERSED'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** `to` is where the command leads; null where the status stays. */
export const WITHDRAWAL_TRANSITIONS = {
  request: { from: [], to: 'PROCESSING' },
  submit: { from: ['PROCESSING'], to: null },
  settle: { from: ['PROCESSING'], to: 'COMPLETED' },
  reject: { from: ['PROCESSING'], to: 'FAILED' },
  return: { from: ['COMPLETED'], to: 'REVERSED' },
} as const satisfies Record<string, { from: readonly WithdrawalStatus[]; to: WithdrawalStatus | null }>;

export type WithdrawalCommandType = keyof typeof WITHDRAWAL_TRANSITIONS;

/** Nothing leaves these. A COMPLETED withdrawal may still come back from the bank. */
export const FINAL_STATUSES: readonly WithdrawalStatus[] = ['FAILED', 'REVERSED'];

/** Whether the table lets `command` start from `status`. */
export function allows(command: WithdrawalCommandType, status: WithdrawalStatus): boolean {
  const from: readonly WithdrawalStatus[] = WITHDRAWAL_TRANSITIONS[command].from;
  return from.includes(status);
}
