import { assertNever } from '../../domain/errors.ts';
import { publicId } from '../../domain/ids.ts';
import { toWire } from '../../domain/messages/wire.ts';
import { formatAmount } from '../../domain/money.ts';
import { depositOf, expiryOf, refuseMoreAttempts } from '../../domain/payment-link/decide.ts';
import {
  type Attempt,
  allows,
  awaited,
  isLinkFinal,
  type LinkEvent,
  type LinkMessageType,
  type PaymentLink,
  unsettled,
} from '../../domain/payment-link/link.ts';
import { LINK_MESSAGE_TYPES } from '../../domain/payment-link/parse-command.ts';
import type { Display, EventLogs } from '../run/served-entity.ts';

const LINK_LOGS: EventLogs<LinkEvent> = {
  LATE_MONEY: {
    level: 'warn',
    text: 'a payment came late',
    fields: ({ transactionId, attemptId, isRefundDue }) => ({ transactionId, attemptId, isRefundDue }),
  },
  TAKEN_BACK: {
    level: 'warn',
    text: 'a payment was taken back',
    fields: ({ transactionId, attemptId, change }) => ({ transactionId, attemptId, change: change.change }),
  },
  PAYMENT_MISMATCHED: {
    level: 'warn',
    text: 'a payment differs from its request; nothing was booked',
    fields: ({ attemptId }) => ({ attemptId }),
  },
};

/**
 * The description of a link for operators in the Temporal UI. Amounts, states, ids and times; never its hash, a phone number or
 * a name.
 */
export const linkDisplay: Display<PaymentLink, LinkEvent> = {
  describe,
  request,
  logs: LINK_LOGS,
  eventLine: (link, event) => {
    if (event.type === 'TAKEN_BACK' || event.type === 'BROUGHT_BACK')
      return `${event.type} ${moneyOf(link, event.amountCents)}`;
    const isMoney = event.type === 'ACCEPTED' || event.type === 'LATE_MONEY';
    return isMoney ? `${event.type} ${amountOf(link)}` : event.type;
  },
  facts: (link) => ({
    amountCents: link.terms.amountCents,
    buyer: publicId('user', link.terms.buyerId),
    attention: [
      ...(latePayments(link).some((late) => isOnBalance(link, late)) ? ['late_money'] : []),
      ...(takenBackInAll(link) > 0n ? ['charged_back'] : []),
    ],
  }),
  waitingFor: (link) => LINK_MESSAGE_TYPES.filter((type) => allows(type, link.status) && HAS_TARGET[type](link)),
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
  for (const late of latePayments(link)) {
    if (late.refund === 'due')
      paragraphs.push('**Money came late** and is on hold until the provider has refunded it.');
    if (late.refund === 'done') paragraphs.push('**Money came late** and was refunded.');
    if (isOnBalance(link, late)) paragraphs.push('**Money came late** and is on the balance of the buyer.');
  }
  if (takenBackInAll(link) > 0n) paragraphs.push(`**Taken back: ${moneyOf(link, takenBackInAll(link))}**`);
  for (const { attemptId, kind, status, polls, pollAt } of unsettled(link))
    paragraphs.push(`- ${kind} \`${attemptId}\` ${status}, asked ${polls} times, next at ${pollAt}`);
  paragraphs.push(isLinkFinal(link.status) ? 'Final.' : `Waits for the buyer until ${expiryOf(link)}`);
  return paragraphs;
}

/** The part of all payments that was taken back, in cents. Late money that was refunded is not taken back. */
function takenBackInAll({ attempts }: PaymentLink): bigint {
  return attempts
    .filter(({ refund }) => refund !== 'done')
    .reduce((sum, { takenBackCents }) => sum + takenBackCents, 0n);
}

/** The attempts whose money does not pay for the escrow. */
function latePayments({ attempts, transactionId }: PaymentLink): readonly Attempt[] {
  return attempts.filter(({ status, attemptId }) => status === 'succeeded' && depositOf(attemptId) !== transactionId);
}

/** Whether the buyer has late money: it is neither refunded nor waits for its refund, and was not taken back. */
function isOnBalance({ terms }: PaymentLink, { refund, takenBackCents }: Attempt): boolean {
  return (refund === null || refund === 'refused') && takenBackCents < terms.amountCents;
}

const always = () => true;
const mayAttempt = (link: PaymentLink) => refuseMoreAttempts(link) === null;

/** Whether the object of the command exists. */
const HAS_TARGET: Readonly<Record<LinkMessageType, (link: PaymentLink) => boolean>> = {
  'open-checkout': mayAttempt,
  'start-charge': mayAttempt,
  'pay-from-balance': always,
  reject: always,
  'take-back': ({ attempts, terms }) =>
    attempts.some(
      ({ status, refund, takenBackCents }) =>
        status === 'succeeded' && refund !== 'due' && takenBackCents < terms.amountCents,
    ),
  'check-attempt': (link) => awaited(link).length > 0,
};

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
      return 'note that the payment does not match the request';
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
