import type { DisputeView, TimelineItem, TimelineView } from '../../api-types.ts';
import { type Html, html } from '../../components/html.ts';
import { card } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { type Message, t } from '../../language/message.ts';
import { textsOf } from '../escrows/story.ts';

/** What each side said, side by side. */

type Side = 'BUYER' | 'SELLER' | 'ADMIN';
const TITLES = {
  BUYER: t("Buyer's side"),
  SELLER: t("Seller's side"),
  ADMIN: t('From administrators'),
} as const;

const WORDS: { readonly [Event in TimelineItem['event']]?: Message } = {
  DISPUTED: t('Opened the dispute'),
  EVIDENCE_ADDED: t('Added evidence'),
  DELIVERY_NOTED: t('Recorded the delivery'),
  GOODS_RECEIVED: t('Confirmed the receipt'),
  NEGOTIATION_PROPOSED: t('Proposed a split'),
};

export function bothSides(timeline: TimelineView, dispute: DisputeView): Html {
  const admin = itemsOf(timeline, 'ADMIN');
  return html`<div class="columns sides">${side(timeline, 'BUYER', dispute)}${side(timeline, 'SELLER', dispute)}</div>
${admin.length === 0 ? html`` : card({ title: TITLES.ADMIN, body: list(admin, dispute.escrowId) })}`;
}

function side(timeline: TimelineView, of: Side, { buyerName, sellerName, escrowId }: DisputeView): Html {
  const items = itemsOf(timeline, of);
  const name = of === 'BUYER' ? buyerName : sellerName;
  const body = items.length === 0 ? html`<p class="soft">${t('Has not sent anything.')}</p>` : list(items, escrowId);
  return card({ title: TITLES[of], body: html`<p class="soft">${name}</p>${body}` });
}

function list(items: readonly TimelineItem[], escrowId: string): Html {
  return html`<ol class="said">${items.map(
    (item) =>
      html`<li><p><strong>${WORDS[item.event]}</strong> <span class="soft">${time(item.at)}</span></p>${textsOf(item, escrowId)}</li>`,
  )}</ol>`;
}

function itemsOf(timeline: TimelineView, of: Side): readonly TimelineItem[] {
  return timeline.filter(({ event, actor }) => actor === of && WORDS[event] !== undefined);
}
