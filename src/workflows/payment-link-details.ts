import { formatAmount } from '../domain/money.ts';
import { expiryOf } from '../domain/payment-link/decide.ts';
import { isLinkFinal, type LinkEvent, type PaymentLink, unsettled } from '../domain/payment-link/link.ts';

/** What ops read of a link in the Temporal UI. Amounts, states and times; never its hash, a number or a name. */

export function describeLink(link: PaymentLink | null): string {
  if (link === null) return 'Nothing has happened yet.';
  const { amountCents, currency, escrowId } = link.terms;
  const lines = [
    `**${link.status}** since ${link.updatedAt}`,
    `${formatAmount(amountCents, currency)} ${currency} for escrow \`${escrowId}\``,
    isLinkFinal(link.status) ? 'Final.' : `Waits for the buyer until ${expiryOf(link)}`,
  ];
  for (const { attemptId, kind, status, polls, pollAt } of unsettled(link))
    lines.push(`- ${kind} \`${attemptId}\` ${status}, asked ${polls} times, next at ${pollAt}`);
  return lines.join('\n\n');
}

export function summarizeLinkEvent(link: PaymentLink, event: LinkEvent): string {
  const isMoney = event.type === 'ACCEPTED' || event.type === 'LATE_MONEY';
  return isMoney
    ? `${event.type} ${formatAmount(link.terms.amountCents, link.terms.currency)} ${link.terms.currency}`
    : event.type;
}
