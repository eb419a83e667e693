import type { Currency } from '../../../domain/money.ts';
import type { EscrowView, TimelineItem } from '../../api-types.ts';
import { statusWords } from '../../components/badge.ts';
import { type Html, html, icon, NOTHING, rich } from '../../components/html.ts';
import { moneyText } from '../../components/money.ts';
import { type Moment, SOURCE_NAMES, timeline } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { joined, type Message, type Text, t } from '../../language/message.ts';
import type { Visit } from '../../page.ts';
import { sentenceOfRefusal } from '../../problems.ts';

/** The events of an escrow as a story: what happened, who did it, what moved, and what people wrote. */

/** As many as the list gives. */
const MAX_STAFF = 1_000;

type Telling = { readonly title: Html | Message; readonly detail?: Html | Text; readonly tone?: Moment['tone'] };
type Teller = (item: never, currency: Currency) => Telling;
type ItemOf<Event extends TimelineItem['event']> = Extract<TimelineItem, { event: Event }>;

const ACTORS = {
  BUYER: t('Buyer'),
  SELLER: t('Seller'),
  ADMIN: t('Administrator'),
  COMPANY: t('Company'),
  SYSTEM: t('The service'),
} as const;

const EVIDENCE_TITLES = {
  BUYER: t('Buyer added evidence'),
  SELLER: t('Seller added evidence'),
  ADMIN: t('Administrator added evidence'),
  COMPANY: t('Company added evidence'),
  SYSTEM: t('The service added evidence'),
} as const;

type Split = ItemOf<'RESOLVED'>['details']['splitPlan'];

/** `Seller USD 10.00, fees USD 1.00, for the buyer USD 2.00`. Parts without money are left out. */
export function splitWords(split: Split, currency: Currency): Message {
  const fees = BigInt(split.system_fee_cents) + BigInt(split.service_fee_cents);
  const parts = [
    ['Seller {amount}', BigInt(split.seller_payout_cents)],
    ['fees {amount}', fees],
    ['for the buyer {amount}', BigInt(split.buyer_refund_cents)],
  ] as const;
  const moved = parts
    .filter(([, cents]) => cents > 0n)
    .map(([text, cents]) => t(text, { amount: moneyText(cents, currency) }));
  return moved.length === 0 ? t('Nothing moved') : joined(moved);
}

/** What is still to be paid: of an escrow with milestones, those that are open. */
export function remainingOf({ milestones, splitPlan, heldAmount }: EscrowView) {
  const open = milestones.filter(({ status }) => status === 'PENDING');
  const sum = (of: (milestone: (typeof open)[number]) => string) =>
    open.reduce((total, one) => total + BigInt(of(one)), 0n).toString();
  if (milestones.length > 0)
    return {
      system_fee_cents: sum(({ systemFee }) => systemFee),
      service_fee_cents: sum(({ serviceFee }) => serviceFee),
      seller_payout_cents: sum(({ sellerPayout }) => sellerPayout),
      buyer_refund_cents: sum(({ buyerRefund }) => buyerRefund),
    };
  const paid = [splitPlan.system_fee_cents, splitPlan.service_fee_cents, splitPlan.seller_payout_cents];
  const refund = paid.reduce((left, part) => left - BigInt(part), BigInt(heldAmount));
  return { ...splitPlan, buyer_refund_cents: (refund > 0n ? refund : 0n).toString() };
}

const counted = (item: ItemOf<'DELIVERY_NOTED' | 'GOODS_RECEIVED'>) =>
  item.details.isPartial ? t('A part of the order.') : t('All items of the order.');
const settled = (item: { readonly details: { readonly splitPlan: Split } }, currency: Currency) =>
  splitWords(item.details.splitPlan, currency);

const TELLERS: { readonly [Event in TimelineItem['event']]: (item: ItemOf<Event>, currency: Currency) => Telling } = {
  INITIATED: ({ details }, currency) => ({
    title: t('The escrow was created'),
    detail:
      BigInt(details.heldAmount) > 0n
        ? t('{amount} of the buyer is held.', { amount: moneyText(details.heldAmount, currency) })
        : t('It waits for the payment.'),
  }),
  FUNDED: ({ details }, currency) => ({
    title: t('The buyer paid'),
    detail: t('{amount} is held.', { amount: moneyText(details.heldAmount, currency) }),
    tone: 'good',
  }),
  DELIVERY_NOTED: (item) => ({ title: t('The seller recorded the delivery'), detail: counted(item) }),
  GOODS_RECEIVED: (item) => ({ title: t('The buyer confirmed the receipt'), detail: counted(item) }),
  MILESTONE_RELEASED: (item, currency) => ({
    title: t('A milestone was released'),
    detail: settled(item, currency),
    tone: 'good',
  }),
  FUNDS_RELEASED: (item, currency) => ({
    title: t('The money was released'),
    detail: settled(item, currency),
    tone: 'good',
  }),
  AUTO_RELEASED: (item, currency) => ({
    title: t('The money was released automatically'),
    detail: settled(item, currency),
    tone: 'good',
  }),
  RELEASE_BLOCKED: ({ details }) => ({
    title: t('The automatic release was refused'),
    detail: rich('{reason} It is tried again on {time}.', {
      reason: sentenceOfRefusal(details.reason ?? ''),
      time: time(details.retryAt),
    }),
    tone: 'bad',
  }),
  AUTO_RELEASE_EXTENDED: ({ details }) => ({
    title: t('The buyer postponed the automatic release'),
    detail: rich('It is planned for {time}', { time: time(details.autoReleaseAt) }),
  }),
  AUTO_RELEASE_STOPPED: ({ details }) => ({
    title: t('A request of the buyer holds back any automatic release'),
    detail: rich('Until it is answered, or until {time}', { time: time(details.until) }),
  }),
  AUTO_RELEASE_RESUMED: () => ({ title: t('The request of the buyer no longer holds back the release') }),
  NEGOTIATION_PROPOSED: ({ details }, currency) => ({
    title:
      details.negotiation.milestoneId === null
        ? t('A new split was proposed')
        : t('A new payout of a milestone was proposed'),
    detail: splitWords({ ...details.negotiation.splitPlan, buyer_refund_cents: '0' }, currency),
  }),
  NEGOTIATION_ACCEPTED: ({ details: { settlement } }, currency) => ({
    title: settlement === undefined ? t('The proposal was accepted') : t('The parties settled the dispute'),
    tone: 'good',
    ...(settlement === undefined ? {} : { detail: splitWords(settlement.splitPlan, currency) }),
  }),
  NEGOTIATION_REJECTED: () => ({ title: t('The proposal was rejected') }),
  NEGOTIATION_LAPSED: () => ({ title: t('The proposal lapsed without an answer') }),
  DISPUTED: ({ details }) => ({
    title: details.openedBy === 'BUYER' ? t('The buyer opened a dispute') : t('The seller opened a dispute'),
    detail: t('The money is frozen until an administrator decides.'),
    tone: 'warn',
  }),
  EVIDENCE_ADDED: ({ actor }) => ({ title: EVIDENCE_TITLES[actor] }),
  RESOLVED: (item, currency) => ({
    title: t('The dispute was decided'),
    detail: settled(item, currency),
    tone: 'good',
  }),
  CANCELLED: ({ details }, currency) => ({
    title: t('The escrow was cancelled'),
    detail: t('{amount} was unlocked for the buyer.', { amount: moneyText(details.refundAmount, currency) }),
  }),
  CHARGED_BACK: ({ details }, currency) => ({
    title:
      details.change === 'refunded' ? t('The payment was refunded at the gateway') : t('The payment was charged back'),
    detail: moneyText(details.amount, currency),
    tone: 'bad',
  }),
  CHARGEBACK_REVERSED: ({ details }, currency) => ({
    title: t('The chargeback was reversed'),
    detail: moneyText(details.amount, currency),
    tone: 'good',
  }),
};

/** Administrators by id. Staff of the platform are not among those of the company. */
type Staff = ReadonlyMap<string, string>;

export async function staffOf({ api }: Pick<Visit, 'api'>): Promise<Staff> {
  const all = await api.get('/v1/core/companies/admins', { query: { limit: MAX_STAFF } });
  return new Map(all.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
}

export function storyOf(
  items: readonly TimelineItem[],
  { id, currency }: Pick<EscrowView, 'id' | 'currency'>,
  staff: Staff,
): Html {
  return timeline(
    items.map((item): Moment => {
      // The table pairs each event with its teller. It lacks events of a later version that was rolled back.
      const tell = TELLERS[item.event] as Teller | undefined;
      const { title, detail, tone }: Telling = tell?.(item as never, currency) ?? {
        title: html`${statusWords(item.event)}`,
      };
      const written = textsOf(item, id);
      return {
        title,
        at: time(item.at),
        by: t('{by} ({source})', { by: byOf(item, staff), source: SOURCE_NAMES[item.source] }),
        detail: html`${detail ?? NOTHING}${written}`,
        ...(tone === undefined ? {} : { tone }),
      };
    }),
  );
}

function byOf({ actor, details }: TimelineItem, staff: Staff): Message {
  const orderedBy = 'orderedBy' in details ? details.orderedBy : undefined;
  const adminId = 'adminId' in details ? details.adminId : undefined;
  const name = ACTORS[actor];
  const person = adminId === undefined ? undefined : (staff.get(adminId) ?? t('platform staff'));
  if (person !== undefined)
    return actor === 'ADMIN'
      ? t('{name}: {person}', { name, person })
      : t('{name}, ordered by {person}', { name, person });
  return orderedBy === undefined || orderedBy === 'ADMIN' ? name : t('{name}, ordered by the company', { name });
}

/** What people wrote with the event. A document is a link to another site, which learns nothing about this page. */
export function textsOf({ event, details }: TimelineItem, escrowId: string): Html {
  return writtenIn(event === 'RELEASE_BLOCKED' ? { ...details, reason: undefined } : details, escrowId);
}

type Written = {
  readonly [Name in 'reason' | 'notes' | 'documentUrl' | 'carrier' | 'trackingNumber']?: string | undefined;
} & {
  readonly files?: readonly { readonly id: string; readonly mediaType: string; readonly sha256: string }[] | undefined;
};

/** What somebody wrote, and the files that came with it. */
export function writtenIn(written: Written, escrowId: string): Html {
  const { reason, notes, documentUrl, carrier, trackingNumber, files = [] } = written;
  const parcel = [carrier, trackingNumber].filter((part) => part !== undefined).join(' ');
  return html`${[reason, notes].map((text) => (text === undefined ? NOTHING : html`<blockquote>${text}</blockquote>`))}${documentUrl === undefined ? NOTHING : documentLink(documentUrl)}${parcel === '' ? NOTHING : html`<p>${parcel}</p>`}${files.map(({ id, mediaType, sha256 }) => html`<p><a href="/console/escrows/${escrowId}/files/${id}" download>${icon('download')} ${t('File')}</a> <span class="soft">${mediaType} · ${digestOf(sha256)}</span></p>`)}`;
}

/** The beginning of a file's hash, and its algorithm. */
const digestOf = (sha256: string) => `SHA-256 ${sha256.slice(0, 16)}…`;

/** Only links that a browser may follow: the API accepts http and https, and this does not rely on it. */
export function documentLink(url: string): Html {
  if (!/^https?:\/\//i.test(url)) return html`<code>${url}</code>`;
  return html`<p><a href="${url}" rel="noopener noreferrer nofollow" target="_blank">${url}</a></p>`;
}

/** The states that the escrow went through, according to its events. */
export function statesOf(
  items: readonly TimelineItem[],
  { status }: Pick<EscrowView, 'status'>,
): EscrowView['status'][] {
  const reached: Partial<Record<TimelineItem['event'], EscrowView['status']>> = {
    FUNDED: 'ACTIVE',
    DELIVERY_NOTED: 'DELIVERY_NOTED',
    GOODS_RECEIVED: 'GOODS_RECEIVED',
    DISPUTED: 'DISPUTED',
  };
  const first: EscrowView['status'] = items.some(({ event }) => event === 'FUNDED') ? 'PENDING' : 'ACTIVE';
  const known = items.map(({ event }) => reached[event]).filter((state) => state !== undefined);
  return [...new Set([first, ...known, status])];
}
