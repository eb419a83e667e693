import { assertNever } from '../domain/errors.ts';
import { publicId } from '../domain/ids.ts';
import { formatAmount } from '../domain/money.ts';
import { depositOf, expiryOf } from '../domain/payment-link/decide.ts';
import { isLinkFinal, type LinkEvent, type PaymentLink, unsettled } from '../domain/payment-link/link.ts';
import { LINK_MESSAGE_TYPES } from '../domain/payment-link/parse-command.ts';
import { toWire } from '../domain/wire.ts';
import type { Display } from './display.ts';

/**
 * The description of a link for operators in the Temporal UI. Amounts, states, ids and times; never its hash, a phone number or
 * a name.
 */
export const linkDisplay: Display<PaymentLink, LinkEvent> = {
  describe,
  request,
  outcome: (link, event) => {
    if (event.type === 'TAKEN_BACK' || event.type === 'BROUGHT_BACK')
      return `${event.type} ${moneyOf(link, event.amountCents)}`;
    const isMoney = event.type === 'ACCEPTED' || event.type === 'LATE_MONEY';
    return isMoney ? `${event.type} ${amountOf(link)}` : event.type;
  },
  facts: (link) => ({
    amountCents: link.terms.amountCents,
    buyer: publicId('user', link.terms.buyerId),
    attention: [...(hasLateMoney(link) ? ['late_money'] : []), ...(takenBackOf(link) > 0n ? ['charged_back'] : [])],
  }),
  waitingFor: (link) =>
    isLinkFinal(link.status)
      ? ['check-attempt']
      : LINK_MESSAGE_TYPES.filter((type) => type !== 'check-attempt' || unsettled(link).length > 0),
  result: ({ terms, transactionId }) => ({
    ...toWire({ currency: terms.currency, amountCents: terms.amountCents }),
    escrowId: publicId('escrow', terms.escrowId),
    transactionId: transactionId === null ? null : publicId('transaction', transactionId),
  }),
};

function describe(link: PaymentLink | null): readonly string[] {
  if (link === null) return ['Nothing has happened yet.'];
  const { linkId, escrowId, buyerId } = link.terms;
  const paragraphs = [
    `Payment link of ${amountOf(link)} \`${publicId('paymentLink', linkId)}\``,
    `**${link.status}** since ${link.updatedAt}`,
    `Pays for escrow \`${publicId('escrow', escrowId)}\``,
    `Buyer \`${publicId('user', buyerId)}\``,
  ];
  if (hasLateMoney(link)) paragraphs.push('**Money came late** and is on the balance of the buyer.');
  if (takenBackOf(link) > 0n) paragraphs.push(`**Taken back: ${moneyOf(link, takenBackOf(link))}**`);
  for (const { attemptId, kind, status, polls, pollAt } of unsettled(link))
    paragraphs.push(`- ${kind} \`${attemptId}\` ${status}, asked ${polls} times, next at ${pollAt}`);
  paragraphs.push(isLinkFinal(link.status) ? 'Final.' : `Waits for the buyer until ${expiryOf(link)}`);
  return paragraphs;
}

/** The part of all payments that was taken back, in cents. */
function takenBackOf({ attempts }: PaymentLink): bigint {
  return attempts.reduce((sum, { takenBackCents }) => sum + takenBackCents, 0n);
}

/** Money of an attempt that does not pay for the escrow. */
function hasLateMoney({ attempts, transactionId }: PaymentLink): boolean {
  return attempts.some(({ status, attemptId }) => status === 'succeeded' && depositOf(attemptId) !== transactionId);
}

function request(link: PaymentLink, event: LinkEvent): string {
  switch (event.type) {
    case 'CREATED':
      return `open a payment link of ${amountOf(link)}`;
    case 'CHECKOUT_OPENED':
      return 'note an open card form';
    case 'CHARGE_STARTED':
      return `charge ${amountOf(link)} by mobile money`;
    case 'PAYMENT_PENDING':
      return 'note that the payment is pending';
    case 'PAYMENT_DECLINED':
      return 'note that the payment was declined';
    case 'CHECKOUT_LAPSED':
      return 'note that the attempt lapsed';
    case 'PAYMENT_MISMATCHED':
      return 'note that the payment is another than ours';
    case 'ACCEPTED':
      return `accept ${amountOf(link)} and fund the escrow`;
    case 'LATE_MONEY':
      return `credit late ${amountOf(link)} to the buyer`;
    case 'REFUNDED':
      return `note that the provider refunded ${amountOf(link)}`;
    case 'REFUND_REFUSED':
      return `make ${amountOf(link)} available to the buyer: the provider does not refund`;
    case 'TAKEN_BACK':
      return `take ${moneyOf(link, event.amountCents)} back: ${event.change.change.replace('_', ' ')}`;
    case 'BROUGHT_BACK':
      return `book that ${moneyOf(link, event.amountCents)} came back`;
    case 'CHANGE_NOTED':
      return 'note a change of the payment that moves no money';
    case 'POLL_POSTPONED':
    case 'POLL_HASTENED':
      return event.pollAt === null ? 'ask the provider no more' : `ask the provider again at ${event.pollAt}`;
    case 'REJECTED':
      return 'reject the link';
    case 'EXPIRED':
      return 'let the link expire, and cancel its escrow';
    default:
      return assertNever(event);
  }
}

function amountOf(link: PaymentLink): string {
  return moneyOf(link, link.terms.amountCents);
}

function moneyOf({ terms }: PaymentLink, cents: bigint): string {
  return `${formatAmount(cents, terms.currency)} ${terms.currency}`;
}
