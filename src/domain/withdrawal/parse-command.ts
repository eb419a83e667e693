import { cents, id, oneOf, optional, record } from '../codec.ts';
import type { CommandId } from '../ids.ts';
import { CURRENCY_CODES } from '../money.ts';
import type { WithdrawalCommand, WithdrawalTerms } from './withdrawal.ts';

/** The commands that an update or a signal may bring to a withdrawal. Whatever concerns money, the bank itself is asked. */
export const WITHDRAWAL_MESSAGE_TYPES = ['check-payout'] as const satisfies readonly WithdrawalCommand['type'][];
export type WithdrawalMessageType = (typeof WITHDRAWAL_MESSAGE_TYPES)[number];

/** The command of a message. It carries nothing; who sends it has looked, so a payment that the bank lost is sent again. */
export function parseWithdrawalCommand(type: WithdrawalMessageType, commandId: CommandId): WithdrawalCommand {
  return { type, commandId, mayResend: true };
}

/** What requests a withdrawal. Only the service sends it. */
const request = record<{ terms: WithdrawalTerms }>({
  terms: record<WithdrawalTerms>({
    withdrawalId: id('transaction'),
    companyId: id('company'),
    accountId: id('account'),
    userId: optional(id('user')),
    bankAccountId: id('account'),
    taxAccountId: id('account'),
    currency: oneOf(...CURRENCY_CODES),
    amountCents: cents,
    taxCents: cents,
  }),
});

export function parseRequest(commandId: CommandId, raw: unknown): WithdrawalCommand | undefined {
  const fields = request.parse(raw);
  return fields === undefined ? undefined : { type: 'request', commandId, ...fields };
}

/** The message that requests a withdrawal. */
export const formatRequest = (terms: WithdrawalTerms): object => request.format({ terms }) as object; // a record
