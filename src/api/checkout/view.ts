import type { EscrowRecord } from '../../db/escrow/escrows.ts';
import type { CheckoutFacts, LinkRecord } from '../../db/payments/payment-links.ts';
import { itemsView } from '../../db/views/escrow.ts';
import type { Party } from '../../domain/escrow/escrow.ts';
import { type BuyerDebts, proceedsOf } from '../../domain/escrow/proceeds.ts';
import type { Shares } from '../../domain/escrow/shares.ts';
import { publicIdOrNull } from '../../domain/ids.ts';
import { isolated } from '../../domain/isolated-text.ts';
import { sumCents } from '../../domain/money.ts';
import { type AttemptKind, type LinkStatus, type PaymentLink, shownStatus } from '../../domain/payment-link/link.ts';
import { discreetName } from '../../domain/users.ts';
import { formatCount, formatMoment, formatMoney, formatTimeLeft } from './formats.ts';
import type { Shop, Site } from './layout.ts';
import type { Notice } from './notices.ts';
import { type Standing, type StandingKind, standingOf } from './standing.ts';
import type { Texts } from './texts/english.ts';

/**
 * What a page of the hosted checkout shows of a link at one moment. Pure. Contains no full phone number, no full name and no user
 * id.
 */

export type CheckoutState = 'open' | 'processing' | 'paid' | 'expired' | 'rejected' | 'cancelled';

/** What is said of the order's state, and how far it is. */
export type StandingView = Pick<Standing, 'isHeld' | 'reached' | 'kind' | 'releaseAt'> & {
  /** The release does not simply pay the seller. */
  readonly isAgreed: boolean;
  readonly heading: string;
  readonly sentences: readonly string[];
};

/** An instant for `<time>`. */
export type Moment = { readonly iso: string; readonly text: string };

export type CheckoutItem = {
  readonly name: string;
  readonly description: string | null;
  /** Null for a quantity of '1', which is not shown. */
  readonly quantity: string | null;
  readonly total: string;
};

export type PaidWith = keyof Texts['paid']['methods'];

export type CheckoutView = {
  readonly site: Site;
  readonly shop: Shop;
  readonly hash: string;
  readonly state: CheckoutState;
  readonly amount: string;
  readonly companyName: string;
  readonly sellerName: string;
  /** True if the company stands between buyer and seller. */
  readonly isThroughCompany: boolean;
  readonly buyerName: string | null;
  readonly items: readonly CheckoutItem[];
  /** The difference between the requested amount and the sum of the items; null if there is none. */
  readonly adjustment: string | null;
  /** The fees that the buyer pays on top of the requested amount; null if there are none. */
  readonly fees: string | null;
  readonly validUntil: Moment & { readonly left: string };
  readonly autoReleaseHours: number | null;
  /** The outcome of the latest attempt; null unless another attempt is possible. */
  readonly lastNotice: Notice | null;
  /** Money arrived that the order could not take. */
  readonly hasLateMoney: boolean;
  /** The payment in progress: its method, and its start (epoch ms). */
  readonly atWork: { readonly kind: AttemptKind; readonly sinceMs: number } | null;
  /** The last digits of the phone that was asked. */
  readonly phoneEnding: string;
  readonly standing: StandingView;
  readonly order: string | null;
  /** Null unless the link is paid. */
  readonly payment: { readonly receipt: string; readonly at: Moment; readonly with: PaidWith } | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
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

/** These digits are enough for people to recognize their own phone number. */
const SHOWN_DIGITS = 3;

type CheckoutSources = {
  readonly link: LinkRecord;
  readonly escrow: EscrowRecord;
  readonly facts: CheckoutFacts;
};

export function checkoutView({ link, escrow, facts }: CheckoutSources, site: Site, now: Date): CheckoutView {
  const { language, timeZone } = site;
  const { attempts } = link.state;
  const state = stateOf(link, now);
  const atWork = attempts.find(({ status }) => status === 'pending');
  const paidWith = methodOf(link.state);
  const succeeded = attempts.filter(({ status }) => status === 'succeeded').length;
  const money = (amountCents: bigint) => formatMoney(amountCents, link.currency, language);
  const moneyUnlessZero = (amountCents: bigint) => (amountCents === 0n ? null : money(amountCents));
  const moment = (at: Date): Moment => ({ iso: at.toISOString(), text: formatMoment(at, language, timeZone) });
  const { totalCents, autoReleaseHours } = escrow.state.terms;
  const items = itemsView(escrow.state.terms.items, escrow.content).map((item) => ({
    ...item,
    totalCents: BigInt(item.quantity) * BigInt(item.pricePerUnit),
  }));
  const companyName = isolated(link.companyName);
  const sellerName = link.seller === null ? null : discreetName(link.seller);
  const buyerName = discreetName(link.buyer);
  const receipt = publicIdOrNull('transaction', link.state.transactionId);
  return {
    site,
    shop: { name: link.companyName, branding: link.branding },
    hash: link.hash,
    now,
    state,
    amount: money(link.amountCents),
    companyName,
    sellerName: sellerName === null ? companyName : isolated(sellerName),
    isThroughCompany: link.seller !== null,
    buyerName: buyerName === null ? null : isolated(buyerName),
    items: items.map((item) => ({
      name: isolated(item.name ?? ''),
      description: item.description === null ? null : isolated(item.description),
      quantity:
        item.quantity === 1
          ? null
          : language.texts.summary.quantity(formatCount(item.quantity, language), money(BigInt(item.pricePerUnit))),
      total: money(item.totalCents),
    })),
    adjustment: moneyUnlessZero(totalCents - sumCents(items.map((item) => item.totalCents))),
    fees: moneyUnlessZero(link.amountCents - totalCents),
    validUntil: {
      ...moment(link.expiresAt),
      left: formatTimeLeft(link.expiresAt.getTime() - now.getTime(), language),
    },
    autoReleaseHours,
    lastNotice: state === 'open' ? noticeOf(link.state) : null,
    hasLateMoney: succeeded > (paidWith === 'balance' || paidWith === null ? 0 : 1),
    atWork: atWork === undefined ? null : { kind: atWork.kind, sinceMs: Date.parse(atWork.startedAt) },
    phoneEnding: facts.phone?.slice(-SHOWN_DIGITS) ?? '',
    standing: buyerStanding(escrow, facts.debts, site, companyName),
    order: escrow.externalReference,
    payment:
      receipt === null || facts.paidAt === null || paidWith === null
        ? null
        : { receipt, at: moment(facts.paidAt), with: paidWith },
    successUrl: link.successUrl,
    cancelUrl: link.cancelUrl,
  };
}

function stateOf(link: LinkRecord, now: Date): CheckoutState {
  const state = STATE_OF[shownStatus(link, now)];
  return state === 'rejected' && link.state.isCancelled ? 'cancelled' : state;
}

/** How the link was paid; null if it is not paid. A deposit has the id of its attempt. */
function methodOf({ transactionId, attempts }: PaymentLink): PaidWith | null {
  if (transactionId === null) return null;
  return attempts.find(({ attemptId }) => (attemptId as string) === transactionId)?.kind ?? 'balance';
}

/** A form that was never submitted is not worth a message. */
function noticeOf({ attempts }: PaymentLink): Notice | null {
  const last = attempts.at(-1);
  if (last?.status === 'declined') return 'declined';
  return last?.status === 'lapsed' && last.kind === 'mobile_money' ? 'lapsed' : null;
}

/** What a party is told of a standing, in its words. */
export type StandingWords = {
  readonly heading: string;
  /** Null where the amounts say it. */
  readonly where: string | null;
  /** In place of `where`, when a part was paid out. */
  readonly stillHeld: (amount: string) => string;
  readonly releaseAt: (at: string) => string;
  readonly retryAt: (at: string) => string;
  readonly agreed: Texts['paid']['agreed'];
  readonly sellerGotNothing: string;
  /** Null where the other sentences say it. */
  readonly sellerGot: ((amount: string) => string) | null;
  readonly buyerGot: (amount: string) => string;
  readonly debts: {
    readonly takenBack: (amount: string) => string;
    readonly settled: (amount: string) => string;
    readonly madeGood: string;
    /** Of the buyer's other money and debts; null for the seller, whose concern they are not. */
    readonly own: Readonly<Record<'taken' | 'owed' | 'other', (amount: string) => string>> | null;
  };
};

/** A party's view of where the order and the money stand. */
export function standingFor(
  party: Party,
  { state }: EscrowRecord,
  debts: BuyerDebts,
  wordsOf: (kind: StandingKind) => StandingWords,
  { language, timeZone }: Site,
): StandingView {
  const { kind, isHeld, reached, releaseAt, retryAt, agreed } = standingOf(state, debts.owedCents > 0n);
  const { heldCents, releasedCents, refundedCents } = state;
  const words = wordsOf(kind);
  const money = (cents: bigint) => formatMoney(cents, state.terms.currency, language);
  const moment = (at: string | null) => (at === null ? null : formatMoment(new Date(at), language, timeZone));
  const [at, again] = [moment(releaseAt), moment(retryAt)];
  const said = (cents: bigint, text: ((amount: string) => string) | null | undefined) =>
    cents === 0n || text == null ? [] : [text(money(cents))];
  const isPartPaid = isHeld && releasedCents + refundedCents > 0n;
  const where = isPartPaid ? words.stillHeld(money(heldCents)) : words.where;
  const hasNoPayment = ['divided', 'refunded', 'resolved'].includes(kind) && releasedCents === 0n;
  const { receivedCents, otherCents, ...buyer } = proceedsOf('BUYER', state, debts);
  const { own, ...of } = words.debts;
  const isOpen = kind === 'taken_back';
  const isTold = isOpen || isHeld || own !== null || buyer.settledCents > 0n;
  const takenBack = [
    ...(isTold ? said(buyer.takenBackCents, of.takenBack) : []),
    ...said(buyer.settledCents, of.settled),
    ...said(buyer.takenCents, own?.taken),
    ...(isOpen && buyer.owedCents === buyer.takenBackCents ? [] : said(buyer.owedCents, own?.owed)),
    ...(isHeld && buyer.takenBackCents > 0n ? [of.madeGood] : []),
  ];
  return {
    ...{ kind, isHeld, reached, releaseAt, isAgreed: agreed !== null, heading: words.heading },
    sentences: [
      ...(isOpen ? takenBack : []),
      ...(agreed === null
        ? [...(where === null ? [] : [where]), ...(at === null ? [] : [words.releaseAt(at)])]
        : [...agreedSentences(party, agreed, words.agreed, money), ...(again === null ? [words.agreed.at(at)] : [])]),
      ...(again === null ? [] : [words.retryAt(again)]),
      ...(hasNoPayment ? [words.sellerGotNothing] : []),
      ...said(releasedCents, words.sellerGot),
      // The buyer's other debts are not the seller's concern: what they took went to the buyer.
      ...said(own === null ? receivedCents + otherCents : receivedCents, words.buyerGot),
      ...said(otherCents, own?.other),
      ...(isOpen ? [] : takenBack),
    ],
  };
}

/** What the two sides get of what is held, the reader's part first. */
function agreedSentences(
  party: Party,
  { buyerRefundCents, sellerPayoutCents }: Shares,
  texts: StandingWords['agreed'],
  money: (cents: bigint) => string,
): string[] {
  const [mine, theirs] =
    party === 'BUYER' ? [buyerRefundCents, sellerPayoutCents] : [sellerPayoutCents, buyerRefundCents];
  return [
    mine === 0n ? texts.nothing : texts.mine(money(mine)),
    theirs === 0n ? texts.theyGetNothing : texts.theirs(money(theirs)),
  ];
}

/** The buyer's, on the paid page, on the receipt and on the order page. */
export function buyerStanding(escrow: EscrowRecord, debts: BuyerDebts, site: Site, companyName: string): StandingView {
  const { headings, where, partReleased, partReturned, takenBack, settled, madeGood, taken, owed, other, ...texts } =
    site.language.texts.paid;
  const wordsOf = (kind: StandingKind): StandingWords => ({
    ...texts,
    heading: headings[kind],
    where: where[kind]?.(companyName) ?? null,
    sellerGot: kind === 'released' ? null : partReleased,
    buyerGot: (amount) => partReturned(amount, companyName),
    debts: {
      ...{ takenBack, settled, madeGood },
      own: {
        taken: (amount) => taken(amount, companyName),
        owed: (amount) => owed(amount, companyName),
        other: (amount) => other(amount, companyName),
      },
    },
  });
  return standingFor('BUYER', escrow, debts, wordsOf, site);
}
