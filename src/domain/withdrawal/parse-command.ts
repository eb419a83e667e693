import type { CommandId } from '../ids.ts';
import type { WithdrawalCommand } from './withdrawal.ts';

/** The commands that an update or a signal may bring to a withdrawal. Whatever concerns money, the bank itself is asked. */
export const WITHDRAWAL_MESSAGE_TYPES = ['check-payout'] as const satisfies readonly WithdrawalCommand['type'][];
export type WithdrawalMessageType = (typeof WITHDRAWAL_MESSAGE_TYPES)[number];

/** The command of a message. It carries nothing; who sends it has looked, so a payment that the bank lost is sent again. */
export function parseWithdrawalCommand(type: WithdrawalMessageType, commandId: CommandId): WithdrawalCommand {
  return { type, commandId, mayResend: true };
}
