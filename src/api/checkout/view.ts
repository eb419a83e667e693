import type { EscrowRecord } from '../../db/escrow/escrows.ts';
import type { LinkRecord } from '../../db/payments/payment-links.ts';
import type { EscrowStatus } from '../../domain/escrow/transitions.ts';
import { publicIdOrNull } from '../../domain/ids.ts';
import { type Currency, formatAmount } from '../../domain/money.ts';
import { type AttemptKind, type LinkStatus, shownStatus } from '../../domain/payment-link/link.ts';
import { discreetName } from '../commands/link-commands.ts';
import { itemsView } from '../schemas/escrow.ts';
import { LANGUAGE, TEXTS } from './texts.ts';

/**
 * What a page of the hosted checkout shows of a link at one moment. Pure. Contains no phone number, no full name and no user
 * id.
 */

export type CheckoutState = 'open' | 'processing' | 'paid' | 'expired' | 'rejected';

export type CheckoutItem = {
  readonly name: string;
  readonly description: string | null;
  /** Null for a quantity of '1', which is not shown. */
  readonly quantity: string | null;
  readonly total: string;
};

export type CheckoutView = {
  readonly hash: string;
  readonly state: CheckoutState;
  readonly amount: string;
  readonly companyName: string;
  readonly sellerName: string;
  /** True if the company stands between buyer and seller. */
  readonly isThroughCompany: boolean;
  readonly buyerName: string | null;
  readonly items: readonly CheckoutItem[];
  readonly validUntil: { readonly iso: string; readonly text: string; readonly left: string };
  readonly autoReleaseHours: number | null;
  /** The latest attempt was declined, and another attempt is possible. */
  readonly isDeclined: boolean;
  /** Money arrived that the order could not take. */
  readonly hasLateMoney: boolean;
  /** The payment in progress: its method, and its start (epoch ms). */
  readonly atWork: { readonly kind: AttemptKind; readonly sinceMs: number } | null;
  readonly whereMoneyIs: string;
  readonly receipt: string | null;
  /** The moment of the view, on the company's clock. */
  readonly now: Date;
};

const STATE_OF = {
  PENDING: 'open',
  PROCESSING: 'processing',
  ACCEPTED: 'paid',
  REJECTED: 'rejected',
  EXPIRED: 'expired',
} as const satisfies Record<LinkStatus, CheckoutState>;

export function checkoutView(link: LinkRecord, escrow: EscrowRecord, now: Date): CheckoutView {
  const { attempts, transactionId } = link.state;
  const state = STATE_OF[shownStatus(link, now)];
  const atWork = attempts.find(({ status }) => status === 'pending');
  const succeeded = attempts.filter(({ status }) => status === 'succeeded').length;
  const isPaidFromOutside = attempts.some(({ attemptId }) => (attemptId as string) === transactionId); // the deposit has the id of its attempt
  return {
    hash: link.hash,
    now,
    state,
    amount: money(link.amountCents, link.currency),
    companyName: link.companyName,
    sellerName: (link.seller === null ? null : discreetName(link.seller)) ?? link.companyName,
    isThroughCompany: link.seller !== null,
    buyerName: discreetName(link.buyer),
    items: itemsView(escrow.state.terms.items, escrow.content).map((item) => ({
      name: item.name ?? '',
      description: item.description,
      quantity:
        item.quantity === 1
          ? null
          : TEXTS.summary.quantity(
              new Intl.NumberFormat(LANGUAGE).format(item.quantity),
              money(BigInt(item.pricePerUnit), link.currency),
            ),
      total: money(BigInt(item.quantity) * BigInt(item.pricePerUnit), link.currency),
    })),
    validUntil: {
      iso: link.expiresAt.toISOString(),
      text: moment(link.expiresAt),
      left: timeLeft(link.expiresAt.getTime() - now.getTime()),
    },
    autoReleaseHours: escrow.state.terms.autoReleaseHours,
    isDeclined: state === 'open' && attempts.at(-1)?.status === 'declined',
    hasLateMoney: succeeded > (isPaidFromOutside ? 1 : 0),
    atWork: atWork === undefined ? null : { kind: atWork.kind, sinceMs: Date.parse(atWork.startedAt) },
    whereMoneyIs: WHERE_MONEY_IS[link.escrowStatus](link.companyName),
    receipt: publicIdOrNull('transaction', transactionId),
  };
}

const { where } = TEXTS.paid;
const held = () => where.held;
const WHERE_MONEY_IS: { readonly [Status in EscrowStatus]: (company: string) => string } = {
  PENDING: held,
  ACTIVE: held,
  DELIVERY_NOTED: held,
  GOODS_RECEIVED: held,
  DISPUTED: () => where.disputed,
  COMPLETED: () => where.released,
  CANCELLED: where.returned,
  RESOLVED: where.resolved,
};

/** `USD 1,250.00`: the code instead of a symbol, because several supported currencies are dollars. Exact for any amount. */
export function money(amountCents: bigint, currency: Currency): string {
  const [whole = '0', ...fraction] = formatAmount(amountCents, currency).split('.');
  return `${currency}\u00a0${[new Intl.NumberFormat(LANGUAGE).format(BigInt(whole)), ...fraction].join('.')}`;
}

function moment(at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(at)} UTC`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long the buyer still has, in the two largest units. */
export function timeLeft(leftMs: number): string {
  const texts = TEXTS.timeLeft;
  if (leftMs < MINUTE_MS) return texts.moments;
  if (leftMs < HOUR_MS) return texts.minutes(Math.floor(leftMs / MINUTE_MS));
  if (leftMs < DAY_MS) return texts.hours(Math.floor(leftMs / HOUR_MS), Math.floor((leftMs % HOUR_MS) / MINUTE_MS));
  return texts.days(Math.floor(leftMs / DAY_MS), Math.floor((leftMs % DAY_MS) / HOUR_MS));
}
