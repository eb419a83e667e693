import { assertNever } from '../domain/errors.ts';
import { publicId } from '../domain/ids.ts';
import { formatAmount } from '../domain/money.ts';
import { toWire } from '../domain/wire.ts';
import { endToEndIdOf } from '../domain/withdrawal/payout.ts';
import { debitCents, type Withdrawal, type WithdrawalEvent } from '../domain/withdrawal/withdrawal.ts';
import type { Display } from './display.ts';

/** What ops read of a withdrawal in the Temporal UI. Amounts, states, ids and times; never bank details or names. */

/** When the bank was asked last, what it said, and when it is asked next. */
export type LastCheck = { readonly at: string; readonly answer: string; readonly nextAt: string };

/** `lastCheck` reads what this run knows of the latest question to the bank; null before the first. */
export function withdrawalDisplay(
  lastCheck: (state: Withdrawal) => LastCheck | null,
): Display<Withdrawal, WithdrawalEvent> {
  return {
    describe: (state) => (state === null ? ['Nothing has happened yet.'] : describeWithdrawal(state, lastCheck(state))),
    request,
    outcome: ({ terms }, event) => {
      const cause = 'reason' in event ? ` (${event.reason})` : '';
      return `${event.type} ${formatAmount(terms.amountCents, terms.currency)} ${terms.currency}${cause}`;
    },
    facts: ({ terms, status }) => ({
      amountCents: terms.amountCents,
      attention: status === 'REVERSED' ? ['payout_returned'] : [],
    }),
    waitingFor: () => ['check-payout'],
    result: ({ terms, reason }) => ({
      ...toWire({ currency: terms.currency, amountCents: terms.amountCents, taxCents: terms.taxCents }),
      endToEndId: endToEndIdOf(terms.withdrawalId),
      reason,
    }),
  };
}

function describeWithdrawal(withdrawal: Withdrawal, lastCheck: LastCheck | null): readonly string[] {
  const { terms, status, submittedAt, settledAt, reason } = withdrawal;
  const money = (cents: bigint) => `${formatAmount(cents, terms.currency)} ${terms.currency}`;
  const paragraphs = [
    `Withdrawal of ${money(terms.amountCents)} \`${publicId('transaction', terms.withdrawalId)}\``,
    `**${status}** since ${withdrawal.updatedAt}`,
    `From \`${publicId('account', terms.accountId)}\`, with ${money(terms.taxCents)} tax, together ${money(debitCents(terms))}`,
    `EndToEndId \`${endToEndIdOf(terms.withdrawalId)}\``,
  ];
  if (submittedAt !== null) paragraphs.push(`The bank has it since ${submittedAt}`);
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

function waitsFor({ status, submittedAt }: Withdrawal): readonly string[] {
  if (status === 'COMPLETED') return ['Final, unless the bank sends the money back.', '`check-payout` asks it now.'];
  if (status !== 'PROCESSING') return ['Final.'];
  return submittedAt === null
    ? ['Waits until the bank has taken the payment.', '`check-payout` tries now.']
    : [
        'Waits for the bank.',
        '`check-payout` asks it now. With `mayResend` it sends a payment again that the bank does not know.',
      ];
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
    default:
      return assertNever(event);
  }
}
