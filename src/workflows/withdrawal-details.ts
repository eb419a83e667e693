import { formatAmount } from '../domain/money.ts';
import { debitCents, type Withdrawal, type WithdrawalEvent } from '../domain/withdrawal/withdrawal.ts';

/** What ops read of a withdrawal in the Temporal UI. Amounts, states and times; never bank details or names. */

/** When the bank was asked last, what it said, and when it is asked next. */
export type LastCheck = { readonly at: string; readonly answer: string; readonly nextAt: string };

export function describeWithdrawal(withdrawal: Withdrawal | null, lastCheck: LastCheck | null): string {
  if (withdrawal === null) return 'Nothing has happened yet.';
  const { terms, status, submittedAt, settledAt, reason } = withdrawal;
  const money = (cents: bigint) => `${formatAmount(cents, terms.currency)} ${terms.currency}`;
  const lines = [
    `**${status}** since ${withdrawal.updatedAt}`,
    `${money(terms.amountCents)} and ${money(terms.taxCents)} tax, together ${money(debitCents(terms))}`,
  ];
  if (submittedAt !== null) lines.push(`The bank has it since ${submittedAt}`);
  if (settledAt !== null) lines.push(`Paid out at ${settledAt}`);
  if (reason !== null) lines.push(`The bank's reason: \`${reason}\``);
  if (lastCheck !== null)
    lines.push(`Asked at ${lastCheck.at}, the bank said: ${lastCheck.answer}; asked again at ${lastCheck.nextAt}`);
  lines.push(waitsFor(withdrawal));
  return lines.join('\n\n');
}

function waitsFor({ status, submittedAt }: Withdrawal): string {
  if (status === 'COMPLETED') return 'Final, unless the bank sends the money back. `check-payout` asks it now.';
  if (status !== 'PROCESSING') return 'Final.';
  return submittedAt === null
    ? 'Waits until the bank has taken the payment. `check-payout` tries now.'
    : 'Waits for the bank. `check-payout` asks it now, and sends the payment again if the bank does not know it.';
}

/** One line per event in the history: `SETTLED 100.50 USD`. */
export function summarizeWithdrawalEvent({ terms }: Withdrawal, event: WithdrawalEvent): string {
  const cause = 'reason' in event ? ` (${event.reason})` : '';
  return `${event.type} ${formatAmount(terms.amountCents, terms.currency)} ${terms.currency}${cause}`;
}
