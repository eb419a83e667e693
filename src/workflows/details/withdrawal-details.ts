import { assertNever } from '../../domain/errors.ts';
import { publicId } from '../../domain/ids.ts';
import { toWire } from '../../domain/messages/wire.ts';
import { formatAmount } from '../../domain/money.ts';
import { isHoldBack, type PayoutConcern } from '../../domain/withdrawal/bank-reports.ts';
import { endToEndIdOf } from '../../domain/withdrawal/payout.ts';
import { debitCents, type Withdrawal, type WithdrawalEvent } from '../../domain/withdrawal/withdrawal.ts';
import type { Display, EventLogs } from '../run/served-entity.ts';

const WITHDRAWAL_LOGS: EventLogs<WithdrawalEvent> = {
  RETURNED: { level: 'warn', text: 'the bank returned a payment', fields: ({ reason }) => ({ reason }) },
  REVIEW_NEEDED: { level: 'error', text: 'a payout needs a person', fields: ({ concern }) => ({ concern }) },
  SETTLED_LATE: { level: 'error', text: 'the bank paid after the money was given back', fields: () => ({}) },
};

/**
 * The description of a withdrawal for operators in the Temporal UI. Amounts, states, ids and times; never bank details or
 * names.
 */

/** The time and the result of the last check at the bank, and the time of the next. */
type LastCheck = { readonly at: string; readonly answer: string; readonly nextAt: string };

/** `lastCheck` returns this run's latest check at the bank; null before the first. */
export function withdrawalDisplay(
  lastCheck: (state: Withdrawal) => LastCheck | null,
): Display<Withdrawal, WithdrawalEvent> {
  return {
    describe: (state) => (state === null ? ['Nothing has happened yet.'] : describeWithdrawal(state, lastCheck(state))),
    request,
    logs: WITHDRAWAL_LOGS,
    eventLine: ({ terms }, event) => {
      const cause = 'reason' in event ? ` (${event.reason})` : '';
      return `${event.type} ${formatAmount(terms.amountCents, terms.currency)} ${terms.currency}${cause}`;
    },
    facts: (state) => ({
      amountCents: state.terms.amountCents,
      attention: attentionOf(state),
    }),
    waitingFor: ({ status, submittedAt, concern }) => [
      'check-payout',
      'book-outcome',
      ...(status === 'PROCESSING' && submittedAt === null ? ['cancel'] : []),
      ...(isHoldBack(concern) ? ['resume'] : []),
    ],
    result: ({ terms, reason }) => ({
      ...toWire({ currency: terms.currency, amountCents: terms.amountCents, taxCents: terms.taxCents }),
      endToEndId: endToEndIdOf(terms.withdrawalId),
      reason,
    }),
  };
}

/** Why lists of runs should show this withdrawal. */
function attentionOf({ status, concern, firstEnd }: Withdrawal): readonly string[] {
  return [
    ...(status === 'REVERSED' ? ['payout_returned'] : []),
    ...(status === 'COMPLETED' && firstEnd !== null ? ['payout_paid_after_given_back'] : []),
    ...(concern === null ? [] : [`payout_${concern}`]),
  ];
}

function describeWithdrawal(withdrawal: Withdrawal, lastCheck: LastCheck | null): readonly string[] {
  const { terms, status, submittedAt, settledAt, reason, concern, firstEnd } = withdrawal;
  const money = (cents: bigint) => `${formatAmount(cents, terms.currency)} ${terms.currency}`;
  const paragraphs = [
    `Withdrawal of ${money(terms.amountCents)} \`${publicId('transaction', terms.withdrawalId)}\``,
    `**${status}** since ${withdrawal.updatedAt}`,
    `From \`${publicId('account', terms.accountId)}\``,
    `With ${money(terms.taxCents)} tax, together ${money(debitCents(terms))}`,
    `EndToEndId \`${endToEndIdOf(terms.withdrawalId)}\``,
  ];
  if (concern !== null) paragraphs.push(`**Needs a person:** ${CONCERNS[concern]}`);
  if (status === 'COMPLETED' && firstEnd !== null)
    paragraphs.push(
      `**Alarm:** the bank paid after the money was given back (${firstEnd}).`,
      'It was taken from the account again. What the account could not pay is a receivable.',
    );
  if (submittedAt !== null) paragraphs.push(`The bank has had it since ${submittedAt}`);
  if (settledAt !== null) paragraphs.push(`Paid out at ${settledAt}`);
  if (reason !== null) paragraphs.push(`The bank's reason: \`${reason}\``);
  if (lastCheck !== null)
    paragraphs.push(
      `Asked at ${lastCheck.at}, the bank said: ${lastCheck.answer}`,
      `Asked again at ${lastCheck.nextAt}`,
    );
  paragraphs.push(...waitsFor(withdrawal));
  return paragraphs;
}

const CONCERNS: Readonly<Record<PayoutConcern, string>> = {
  file_refused: 'the bank refused a file or batch, which does not say that the payment was not made.',
  rejection_unattributed: 'the bank rejected a payment, and did not say which of several attempts.',
  cancelled: 'the bank says that the payment was cancelled, and we did not ask for that.',
  books_disagree: 'event, row and hold do not agree, so nothing was sent to the bank.',
  account_frozen: 'the account was frozen before the bank had the payment, so it was not sent.',
  user_blacklisted: 'the user was blacklisted before the bank had the payment, so it was not sent.',
};

const BY_HAND = '`book-outcome` books the outcome by hand.';
const RESUME = '`resume` sends it, once the freeze is lifted or the user is cleared.';
const CANCEL = '`cancel` gives the money back.';
const RESEND = '`check-payout` asks it now, and sends the payment again if the bank does not know it.';

function waitsFor({ status, submittedAt, concern }: Withdrawal): readonly string[] {
  if (isHoldBack(concern)) return ['Waits for a person.', RESUME, CANCEL, BY_HAND];
  if (concern !== null) return ['Waits for a person.', RESEND, BY_HAND];
  if (status !== 'PROCESSING')
    return ['Still asks, in case the bank changes its decision.', '`check-payout` asks it now.', BY_HAND];
  return submittedAt === null
    ? ['Waits until the bank has taken the payment.', '`check-payout` tries now.', CANCEL, BY_HAND]
    : ['Waits for the bank.', RESEND, BY_HAND];
}

function request({ terms }: Withdrawal, event: WithdrawalEvent): string {
  const amount = `${formatAmount(terms.amountCents, terms.currency)} ${terms.currency}`;
  switch (event.type) {
    case 'REQUESTED':
      return `hold ${formatAmount(debitCents(terms), terms.currency)} ${terms.currency}, to pay out ${amount}`;
    case 'SUBMITTED':
      return 'note that the bank has the payment';
    case 'SETTLED':
      return `settle ${amount}`;
    case 'REJECTED':
      return `give ${amount} back, because the bank rejected it`;
    case 'RETURNED':
      return `credit ${amount}, which the bank returned`;
    case 'SETTLED_LATE':
      return `settle ${amount} that was given back before`;
    case 'RESUMED':
      return `send ${amount} after all`;
    case 'CANCELLED':
      return `give ${amount} back, because it was cancelled`;
    case 'REVIEW_NEEDED':
      return `note that a person has to look: ${event.concern}`;
    default:
      return assertNever(event);
  }
}
