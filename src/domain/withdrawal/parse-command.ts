import type { OrderedBy } from '../escrow/escrow.ts';
import type { AdministratorId, CommandId } from '../ids.ts';
import { type Codec, cents, flag, id, instant, oneOf, optional, record } from '../messages/codec.ts';
import { CURRENCY_CODES } from '../money.ts';
import type { Instant } from '../time.ts';
import { NO_REASON, REASON_CODE } from './bank-reports.ts';
import type { WithdrawalCommand, WithdrawalTerms } from './withdrawal.ts';

/**
 * The messages of updates and signals to a withdrawal. The bank's reports decide what happens to the money: `check-payout`
 * requests them, and with `book-outcome` an administrator of the platform books an outcome from the bank's statement. Before the
 * bank has the payment, the company cancels it, or resumes it after it was held back.
 */
export const WITHDRAWAL_MESSAGE_TYPES = [
  'check-payout',
  'book-outcome',
  'resume',
  'cancel',
] as const satisfies readonly WithdrawalCommand['type'][];
export type WithdrawalMessageType = (typeof WITHDRAWAL_MESSAGE_TYPES)[number];

/** The fields of `book-outcome`. `saidAt`: the bank's time; null: now. `reason`: ISO 20022's code. */
type BookOutcome = {
  readonly outcome: 'PAID' | 'NOT_PAID';
  readonly adminId: AdministratorId;
  readonly reason: string | null;
  readonly saidAt: Instant | null;
};

const reasonCode: Codec<string> = {
  parse: (raw) => (typeof raw === 'string' && REASON_CODE.test(raw) ? raw : undefined),
  format: (value) => value,
};

const bookOutcome = record<BookOutcome>({
  outcome: oneOf('PAID', 'NOT_PAID'),
  adminId: id('administrator'),
  reason: optional(reasonCode),
  saidAt: optional(instant),
});

/** Absent, `mayResend` is true: a person who sends this has asked the bank. */
const checkPayout = record<{ mayResend: boolean | null }>({ mayResend: optional(flag) });

const order = record<OrderedBy>({ adminId: optional(id('administrator')), apiKeyId: optional(id('apiKey')) });

/** The message that resumes or cancels a withdrawal. */
export const formatOrder = (fields: OrderedBy): object => order.format(fields) as object; // a record

/** The command of a message; undefined if it is invalid. */
export function parseWithdrawalCommand(
  type: WithdrawalMessageType,
  commandId: CommandId,
  raw: unknown,
): WithdrawalCommand | undefined {
  if (type === 'check-payout') {
    const check = checkPayout.parse(raw);
    return check === undefined ? undefined : { type, commandId, mayResend: check.mayResend ?? true };
  }
  if (type === 'resume' || type === 'cancel') {
    const by = order.parse(raw);
    const isAnonymous = by === undefined || (by.adminId === null && by.apiKeyId === null);
    return isAnonymous ? undefined : { type, commandId, ...by };
  }
  const fields = bookOutcome.parse(raw);
  if (fields === undefined) return undefined;
  const { outcome, adminId, saidAt, reason } = fields;
  const booked =
    outcome === 'PAID'
      ? ({ isPaid: true, saidAt } as const)
      : ({ isPaid: false, saidAt, reason: reason ?? NO_REASON } as const);
  return { type, commandId, adminId, outcome: booked };
}

/** The message that books an outcome by hand. */
export const formatBookOutcome = (fields: BookOutcome): object => bookOutcome.format(fields) as object; // a record

/** The command that requests a withdrawal. Only the service sends it. */
const request = record<{ terms: WithdrawalTerms }>({
  terms: record<WithdrawalTerms>({
    withdrawalId: id('transaction'),
    companyId: id('company'),
    accountId: id('account'),
    userId: optional(id('user')),
    bankAccountId: id('account'),
    taxAccountId: id('account'),
    receivableAccountId: id('account'),
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
