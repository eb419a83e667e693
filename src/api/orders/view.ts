import type { Company } from '../../db/entities/tenancy.ts';
import type { EscrowRecord, TimelineRecord } from '../../db/escrow/escrows.ts';
import type { OrderRequestRecord } from '../../db/escrow/order-requests.ts';
import type { CheckoutFacts, LinkRecord } from '../../db/payments/payment-links.ts';
import { itemsView } from '../../db/views/escrow.ts';
import { DISPUTE_ANSWER_HOURS, type Escrow, type Milestone, type Party } from '../../domain/escrow/escrow.ts';
import { type BuyerDebts, proceedsOf } from '../../domain/escrow/proceeds.ts';
import { heldCentsOf, type Shares, sharesOf } from '../../domain/escrow/shares.ts';
import { publicId } from '../../domain/ids.ts';
import { isolated } from '../../domain/isolated-text.ts';
import { fromWire } from '../../domain/messages/wire.ts';
import { formatAmount, sumCents } from '../../domain/money.ts';
import {
  modeOf,
  ORDER_ACT_NAMES,
  type OrderAct,
  type OrderPageSettings,
  type RequestStatus,
} from '../../domain/order-pages.ts';
import { addHours, type Instant } from '../../domain/time.ts';
import type { WithdrawalStatus } from '../../domain/withdrawal/withdrawal.ts';
import { formatBytes, formatCount, formatMoment, formatMoney, formatTimeLeft } from '../checkout/formats.ts';
import type { Shop, Site } from '../checkout/layout.ts';
import type { StandingKind } from '../checkout/standing.ts';
import { buyerStanding, type Moment, type StandingView, type StandingWords, standingFor } from '../checkout/view.ts';
import {
  type Circumstances,
  isCancelledByConsent,
  isSettling,
  missingPieces,
  mostForSeller,
  openMilestones,
  openProposal,
  possibleActs,
  unsentPieces,
} from './acts.ts';
import type { SellerMoney } from './payouts.ts';
import type { OrderTexts } from './texts/english.ts';

/** What the page of a party shows of an order at one moment. Pure. */

export type PartyNames = { readonly buyer: string | null; readonly seller: string | null };

export type OrderSources = {
  readonly party: Party;
  readonly escrow: EscrowRecord;
  readonly company: Pick<
    Company,
    'name' | 'brandColor' | 'logoDigest' | 'supportEmail' | 'termsUrl' | 'address' | 'taxNumber' | 'registrationNumber'
  >;
  readonly settings: OrderPageSettings;
  readonly timeline: readonly TimelineRecord[];
  /** Null: the order was not made by a payment link. */
  readonly paid: { readonly link: LinkRecord; readonly facts: CheckoutFacts } | null;
  readonly debts: BuyerDebts;
  readonly names: PartyNames;
  readonly phone: string;
  readonly mayAct: boolean;
  /** The party's latest requests, newest first. */
  readonly requests: readonly OrderRequestRecord[];
  /** Null: the page does not deal with it. */
  readonly money: SellerMoney | null;
};

export type PieceField = { readonly itemId: string; readonly name: string; readonly most: number };

export type OrderView = {
  readonly site: Site;
  readonly texts: OrderTexts;
  readonly shop: Shop;
  readonly party: Party;
  readonly companyName: string;
  readonly buyerName: string | null;
  readonly sellerName: string;
  readonly order: string | null;
  readonly amount: string;
  readonly standing: StandingView;
  /** Until when the party may answer a dispute of the other side, and whether that is over; null where nothing waits for it. */
  readonly answerBy: (Moment & { readonly isOver: boolean }) | null;
  readonly release: (Moment & { readonly left: string }) | null;
  readonly items: readonly { readonly name: string; readonly note: string | null; readonly total: string }[];
  /** The fees that the buyer pays on top; null if there are none, and for the seller. */
  readonly fees: string | null;
  readonly story: readonly {
    readonly title: string;
    readonly by: string;
    readonly text: string | null;
    /** Carrier and number. */
    readonly parcel: string | null;
    readonly url: string | null;
    readonly files: readonly { readonly id: string; readonly isImage: boolean; readonly size: string }[];
    readonly at: Moment;
  }[];
  readonly acts: readonly OrderAct[];
  /** Acts that happen when the company approves them. */
  readonly mustAsk: readonly OrderAct[];
  /** Requests that wait, and the last answers. */
  readonly requests: readonly {
    readonly act: OrderAct;
    readonly status: RequestStatus;
    readonly reason: string | null;
    readonly until: Moment;
  }[];
  readonly mayAct: boolean;
  /** The last digits of the party's phone. */
  readonly phoneEnding: string;
  readonly pieces: { readonly confirm_receipt: readonly PieceField[]; readonly dispatch: readonly PieceField[] };
  readonly currency: string;
  readonly most: string;
  readonly isCancelledByConsent: boolean;
  /** The payment was taken back, in whole or in part, and is not made good. */
  readonly isTakenBack: boolean;
  readonly proposal: {
    readonly id: string;
    readonly isMine: boolean;
    /** False where accepting it would pay out money that was taken back. */
    readonly isAcceptable: boolean;
    readonly sellerGets: string;
    readonly buyerGets: string;
    readonly until: Moment;
  } | null;
  readonly hasReceipt: boolean;
  readonly milestones: readonly {
    readonly id: string;
    readonly name: string;
    readonly amount: string;
    readonly status: PartStatus;
  }[];
  /** Of the seller's balance; null where the page does not deal with it. */
  readonly money: {
    readonly available: string;
    /** As people type it. */
    readonly amount: string;
    readonly to: string | null;
    readonly isUnusable: boolean;
    readonly isStopped: boolean;
    readonly notBefore: Moment | null;
    readonly next: { readonly to: string; readonly from: Moment } | null;
    readonly payouts: readonly { readonly amount: string; readonly status: WithdrawalStatus; readonly at: Moment }[];
  } | null;
};

/** These digits are enough for people to recognize their own phone number. */
const SHOWN_DIGITS = 3;
/** What all browsers show. */
const SHOWN_IMAGES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
/** Of the story; a party who sends notes for ever does not make the page grow. */
const SHOWN_EVENTS = 100;

export function orderView(sources: OrderSources, site: Site, texts: OrderTexts, now: Date): OrderView {
  const { party, escrow, company, settings, timeline, paid, names, phone, mayAct, requests } = sources;
  const { language, timeZone } = site;
  const { state } = escrow;
  const { currency, totalCents } = state.terms;
  const money = (cents: bigint) => formatMoney(cents, currency, language);
  const moment = (at: Date | string): Moment => ({
    iso: new Date(at).toISOString(),
    text: formatMoment(new Date(at), language, timeZone),
  });
  const companyName = isolated(company.name);
  const items = itemsView(state.terms.items, escrow.content);
  const fieldsOf = (pieces: ReturnType<typeof missingPieces>): PieceField[] =>
    pieces.map(({ itemId, quantity }, index) => ({
      itemId,
      name: isolated(items[state.terms.items.findIndex((one) => one.itemId === itemId)]?.name ?? String(index + 1)),
      most: quantity,
    }));
  const around = circumstances(sources, now);
  const { isTakenBack } = around;
  const standing =
    party === 'BUYER'
      ? buyerStanding(escrow, sources.debts, site, companyName)
      : sellerStanding(escrow, sources.debts, texts, site, whereabouts(sources));
  const { releaseAt } = standing;
  // Without events of a later version that was rolled back.
  const told = timeline.filter(({ event }) => texts.story[event.type] !== undefined);
  const open = openProposal(state, now);
  const answerBy = answerDue(party, state, timeline);
  return {
    site,
    texts,
    party,
    shop: {
      name: company.name,
      branding: {
        address: company.address ?? null,
        taxNumber: company.taxNumber ?? null,
        registrationNumber: company.registrationNumber ?? null,
        color: company.brandColor ?? null,
        logo: company.logoDigest ?? null,
        supportEmail: company.supportEmail ?? null,
        termsUrl: company.termsUrl ?? null,
      },
    },
    companyName,
    buyerName: names.buyer === null ? null : isolated(names.buyer),
    sellerName: names.seller === null ? companyName : isolated(names.seller),
    order: escrow.externalReference,
    amount: money(orderCents(party, state)),
    standing,
    answerBy: answerBy === null ? null : { ...moment(answerBy), isOver: answerBy <= now.toISOString() },
    release:
      releaseAt === null
        ? null
        : { ...moment(releaseAt), left: formatTimeLeft(Date.parse(releaseAt) - now.getTime(), language) },
    items: items.map(({ name, quantity, pricePerUnit }) => ({
      name: isolated(name ?? ''),
      note:
        quantity === 1
          ? null
          : language.texts.summary.quantity(formatCount(quantity, language), money(BigInt(pricePerUnit))),
      total: money(BigInt(quantity) * BigInt(pricePerUnit)),
    })),
    fees: orderCents(party, state) === totalCents ? null : money(orderCents(party, state) - totalCents),
    story: told.slice(-SHOWN_EVENTS).map(({ event, actor, at, content, files }) => {
      const text = content.notes ?? content.reason ?? null;
      const parcel = [content.carrier, content.trackingNumber].filter((part) => part != null).join(' ');
      return {
        title: titleOf(event, texts.story, money),
        by: texts.story.by[actor],
        text: text === null ? null : isolated(text),
        parcel: parcel === '' ? null : isolated(parcel),
        url: content.documentUrl ?? null,
        files: files.map(({ id, mediaType, byteCount }) => ({
          id: publicId('document', id),
          isImage: SHOWN_IMAGES.includes(mediaType),
          size: formatBytes(byteCount, language),
        })),
        at: moment(at),
      };
    }),
    acts: possibleActs(state, around),
    mustAsk: ORDER_ACT_NAMES.filter((act) => modeOf(act, openMilestones(state).length > 0, settings) === 'ask'),
    requests: shownRequests(requests).map(({ act, status, reason, lapsesAt }) => ({
      act,
      status,
      reason: reason === null ? null : isolated(reason),
      until: moment(lapsesAt),
    })),
    mayAct,
    phoneEnding: phone.slice(-SHOWN_DIGITS),
    pieces: {
      confirm_receipt: fieldsOf(missingPieces(state, state.deliveries.received)),
      dispatch: fieldsOf(unsentPieces(state)),
    },
    currency,
    most: money(mostForSeller(state)),
    isCancelledByConsent: isCancelledByConsent(state),
    isTakenBack,
    proposal:
      open === null
        ? null
        : {
            id: open.negotiationId,
            isMine: open.proposer === party,
            isAcceptable: isSettling(state, isTakenBack),
            sellerGets: money(open.plan.sellerPayoutCents),
            buyerGets: money(sharesOf(open.plan, state.heldCents).buyerRefundCents),
            until: moment(open.lapsesAt),
          },
    milestones: state.milestones.map((milestone) => ({
      id: milestone.milestoneId,
      name: isolated(escrow.content.milestones?.find((one) => one.milestoneId === milestone.milestoneId)?.title ?? ''),
      ...partOf(milestone, sources, money),
    })),
    money:
      sources.money === null
        ? null
        : {
            available: money(sources.money.availableCents),
            amount: formatAmount(sources.money.availableCents, currency),
            to: sources.money.destination === null ? null : accountText(sources.money.destination),
            isUnusable: sources.money.isUnusable,
            isStopped: sources.money.isStopped,
            notBefore: sources.money.notBefore === null ? null : moment(sources.money.notBefore),
            next:
              sources.money.next === null
                ? null
                : { to: accountText(sources.money.next), from: moment(sources.money.next.effectiveAt) },
            payouts: sources.money.payouts.map(({ amountCents, status, createdAt }) => ({
              amount: money(amountCents),
              status,
              at: moment(createdAt),
            })),
          },
    hasReceipt: party === 'BUYER' && paid !== null && paid.facts.paidAt !== null,
  };
}

/** The order's amount: what the buyer pays for it, or what the seller asks for it. They differ by fees that the buyer pays. */
export function orderCents(party: Party, state: Escrow): bigint {
  const { terms, shares, heldCents, releasedCents, feesCents, refundedCents } = state;
  if (party === 'SELLER') return terms.totalCents;
  const paidCents = heldCents + releasedCents + feesCents + refundedCents;
  return paidCents === 0n ? heldCentsOf(shares) : paidCents;
}

export function circumstances(
  {
    party,
    settings,
    requests,
    money,
    debts,
  }: Pick<OrderSources, 'party' | 'settings' | 'requests' | 'money' | 'debts'>,
  now: Date,
): Circumstances {
  return {
    ...{ party, settings, now, isTakenBack: debts.owedCents > 0n },
    asked: requests.filter(({ status }) => status === 'PENDING').map(({ act }) => act),
    money,
  };
}

export type PartStatus = keyof OrderTexts['milestones'] & Uppercase<string>;

/**
 * What a part of the order holds, or whom it paid. A release may have paid the buyer alone, as agreed. What the buyer owed was settled
 * from the parts that were open at the end.
 */
function partOf(
  { shares, status }: Milestone,
  { party, escrow: { state }, debts }: Pick<OrderSources, 'party' | 'escrow' | 'debts'>,
  money: (cents: bigint) => string,
): { readonly amount: string; readonly status: PartStatus } {
  if (status === 'PENDING') return { amount: money(heldCentsOf(shares)), status };
  if (status === 'RELEASED' && shares.sellerPayoutCents > 0n)
    return { amount: money(shares.sellerPayoutCents), status };
  const isAll = status === 'REFUNDED' && state.status === 'CANCELLED';
  const { receivedCents, settledCents, otherCents } = proceedsOf('BUYER', state, debts);
  const owedCents = status === 'REFUNDED' ? settledCents + (party === 'BUYER' ? otherCents : 0n) : 0n;
  const isRest = receivedCents > 0n ? 'PARTLY_OWED' : 'OWED';
  return {
    amount: money(isAll ? heldCentsOf(shares) : shares.buyerRefundCents),
    status: owedCents === 0n ? 'REFUNDED' : isRest,
  };
}

/** What happened, and how much of the payment moved. */
function titleOf(event: TimelineRecord['event'], texts: OrderTexts['story'], money: (cents: bigint) => string): string {
  switch (event.type) {
    case 'MILESTONE_RELEASED':
    case 'FUNDS_RELEASED':
    case 'AUTO_RELEASED': {
      const { sellerPayoutCents, buyerRefundCents } = fromWire<Shares>(event.shares);
      return (sellerPayoutCents === 0n && buyerRefundCents > 0n ? texts.gaveBack : texts)[event.type];
    }
    case 'CHARGED_BACK':
    case 'CHARGEBACK_REVERSED':
      return texts.amount(texts[event.type], money(BigInt(event.amountCents)));
    default:
      return texts[event.type];
  }
}

type Whereabouts = keyof OrderTexts['whereabouts'];
const PAYING: readonly TimelineRecord['event']['type'][] = [
  ...(['MILESTONE_RELEASED', 'FUNDS_RELEASED', 'AUTO_RELEASED', 'RESOLVED', 'NEGOTIATION_ACCEPTED'] as const),
];

/** Where the money is that the seller got; null if the page does not know, or if it is in several places. */
function whereabouts({ escrow, timeline, money }: OrderSources): Whereabouts | null {
  const { releasedCents } = escrow.state;
  if (money === null || releasedCents === 0n) return null;
  const paidAt = timeline.findLast(({ event }) => PAYING.includes(event.type))?.at;
  const sumOf = (wanted: WithdrawalStatus) =>
    sumCents(
      money.payouts
        .filter(({ status, createdAt }) => status === wanted && paidAt !== undefined && createdAt >= paidAt)
        .map(({ amountCents }) => amountCents),
    );
  const [underwayCents, paidOutCents] = [sumOf('PROCESSING'), sumOf('COMPLETED')];
  if (underwayCents + paidOutCents === 0n && money.availableCents >= releasedCents) return 'balance';
  if (money.availableCents > 0n || underwayCents + paidOutCents < releasedCents) return null;
  if (underwayCents === 0n) return 'paidOut';
  return paidOutCents === 0n ? 'underway' : null;
}

function accountText({ bankName, maskedNumber }: NonNullable<SellerMoney['destination']>): string {
  return isolated(`${bankName} ${maskedNumber}`);
}

/** By when the party answers a dispute that the other side opened; null if there is none, or if the party has said something about it. */
function answerDue(party: Party, { status, dispute }: Escrow, timeline: readonly TimelineRecord[]): Instant | null {
  if (status !== 'DISPUTED' || dispute === null || dispute.openedBy === party) return null;
  const isAnswer = ({ event, actor }: TimelineRecord) =>
    actor === party && (event.type === 'EVIDENCE_ADDED' || event.type === 'NEGOTIATION_PROPOSED');
  const isAnswered = timeline.some((entry) => isAnswer(entry) && entry.at.toISOString() >= dispute.openedAt);
  return isAnswered ? null : addHours(dispute.openedAt, DISPUTE_ANSWER_HOURS);
}

/** Of each act the latest request, unless it was approved: then the order itself shows what happened. */
function shownRequests(requests: readonly OrderRequestRecord[]): readonly OrderRequestRecord[] {
  return requests.filter(
    ({ act, status }, index) => status !== 'APPROVED' && requests.findIndex((one) => one.act === act) === index,
  );
}

/** The seller’s, in the words of the order page. */
export function sellerStanding(
  escrow: EscrowRecord,
  debts: BuyerDebts,
  texts: OrderTexts,
  site: Site,
  where: Whereabouts | null,
): StandingView {
  const { stillHeld, releaseAt, retryAt, agreed, youGotNothing, youGot, buyerGot } = texts;
  const wordsOf = (kind: StandingKind): StandingWords => {
    const { heading, text } = texts.standing[kind];
    return {
      ...{ heading, where: text, stillHeld, releaseAt, retryAt, agreed },
      ...{ sellerGotNothing: youGotNothing, sellerGot: youGot, buyerGot, debts: { ...texts.debts, own: null } },
    };
  };
  const standing = standingFor('SELLER', escrow, debts, wordsOf, site);
  return where === null ? standing : { ...standing, sentences: [...standing.sentences, texts.whereabouts[where]] };
}
