import type { EscrowView, TimelineItem, TimelineView } from '../../api-types.ts';
import { statusBadge } from '../../components/badge.ts';
import { moneyBar } from '../../components/charts/share-bar.ts';
import { stateDiagram } from '../../components/charts/state-diagram.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { money, moneyText } from '../../components/money.ts';
import { card, definitionList, idText, notice } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { dayText, time } from '../../components/time.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { sentenceOfRefusal } from '../../problems.ts';
import { requireId } from './action-page.ts';
import { allowedActions } from './actions.ts';
import { openProposals, proposalWords } from './proposals.ts';
import { documentLink, statesOf, storyOf } from './story.ts';

/** One escrow: where its money is, where it stands, what happened, and what may be done now. */

export const escrowPage: ConsolePage = {
  path: '/escrows/:id',
  title: 'Escrow',
  who: 'read',
  async show(visit) {
    const path = { id: requireId(visit) };
    const [escrow, timeline] = await Promise.all([
      visit.api.get('/v1/escrow/{id}', { path }),
      visit.api.get('/v1/escrow/{id}/timeline', { path }),
    ]);
    return {
      title: escrow.externalReference ?? 'Escrow',
      trail: [['Escrows', '/escrows']],
      main: html`<div class="stack">
<div class="escrow-head">${statusBadge(escrow.status)} <span class="figure">${money(escrow.totalAmount, escrow.currency)}</span>${actionLinks(escrow, visit)}</div>
${moneyBar(sharesOf(escrow, timeline), escrow.currency)}
<div class="columns main-and-side side-second">
${card({ title: 'Where it stands', body: stateDiagram(escrow.status, statesOf(timeline, escrow)) })}
<div class="stack side">
${card({ title: 'What it waits for', body: waiting(escrow) })}
${card({ title: 'Facts', body: facts(escrow) })}
</div>
<div class="stack">
${card({ title: 'What happened', body: storyOf(timeline, escrow) })}
${milestoneCard(escrow)}${proposalCard(escrow)}${itemCard(escrow)}${fileCard(timeline)}
</div>
</div>
</div>`,
    };
  },
};

function actionLinks(escrow: EscrowView, { session }: Visit): Html {
  const actions = allowedActions(escrow, session.role);
  if (actions.length === 0) return html`<p class="soft">Nothing can be done: the escrow is final.</p>`;
  const link = ({ slug, label, tone }: (typeof actions)[number]) =>
    html`<a class="button ${tone === 'danger' ? 'danger-outline' : tone}" href="${slug === 'decide' ? `/console/disputes/${escrow.id}` : `/console/escrows/${escrow.id}/${slug}`}">${label}</a>`;
  const [first, ...others] = actions;
  return html`<div class="actions escrow-actions">${first === undefined ? NOTHING : link(first)}
<details class="more"><summary class="button">More actions</summary><div class="more-list">${others.map(link)}</div></details></div>`;
}

/** The fees are the rest of what was held: less what is still held, was paid out or went back. */
function sharesOf({ heldAmount, releasedAmount, refundedAmount }: EscrowView, timeline: TimelineView) {
  const [held, paid, refunded] = [BigInt(heldAmount), BigInt(releasedAmount), BigInt(refundedAmount)];
  const funded = timeline.reduce((most, item) => {
    const amount = item.event === 'INITIATED' || item.event === 'FUNDED' ? BigInt(item.details.heldAmount) : 0n;
    return amount > most ? amount : most;
  }, 0n);
  const fees = funded - held - paid - refunded;
  return [
    { name: 'Held', cents: held, kind: 'held' },
    { name: 'Paid to the seller', cents: paid, kind: 'paid' },
    { name: 'Back to the buyer', cents: refunded, kind: 'refunded' },
    { name: 'Fees', cents: fees > 0n ? fees : 0n, kind: 'fees' },
  ] as const;
}

function waiting(escrow: EscrowView): Html {
  return html`${plannedRelease(escrow)}<div id="run" hx-get="/console/escrows/${escrow.id}/run" hx-trigger="load" hx-swap="outerHTML"><p><a href="/console/escrows/${escrow.id}/run">Ask the running workflow</a></p></div>`;
}

function plannedRelease({ autoReleaseAt, releaseBlockedBy }: EscrowView): Html {
  if (releaseBlockedBy !== null)
    return notice({
      tone: 'bad',
      text: html`The automatic release was refused. ${sentenceOfRefusal(releaseBlockedBy)}${autoReleaseAt === null ? NOTHING : html` It is tried again on ${time(autoReleaseAt)}.`}`,
    });
  return autoReleaseAt === null ? NOTHING : html`<p>The money is released automatically on ${time(autoReleaseAt)}.</p>`;
}

function facts(escrow: EscrowView): Html {
  const { currency, fees } = escrow;
  const fee = (name: string, basisPoints: number, since: string) =>
    html`<div>${(basisPoints / 100).toFixed(2)} % ${name} <span class="soft">since ${dayText(since)}</span></div>`;
  const party = ({ id, name }: EscrowView['buyer']) =>
    html`${id.startsWith('usr_') ? html`<a href="/console/users/${id}">${name ?? id}</a>` : (name ?? id)}`;
  return definitionList([
    ['Id', idText(escrow.id)],
    ['Buyer', html`${party(escrow.buyer)}, ${accountLink(escrow.buyerAccountId)}`],
    ['Seller', html`${party(escrow.seller)}, ${accountLink(escrow.sellerAccountId)}`],
    ['Invoice', escrow.externalInvoiceNumber],
    ['Fees paid by', escrow.feePayer === 'BUYER' ? 'the buyer' : 'the seller'],
    [
      'Fees',
      fees === null
        ? 'By its own split'
        : html`${fee('system', fees.system_fee_basis_points, fees.system_fee_since)}${fee('service', fees.service_fee_basis_points, fees.service_fee_since)}`,
    ],
    [
      'Split',
      html`Seller ${money(escrow.splitPlan.seller_payout_cents, currency)}, system ${money(escrow.splitPlan.system_fee_cents, currency)}, service ${money(escrow.splitPlan.service_fee_cents, currency)}`,
    ],
    ['Dispute', disputeFact(escrow)],
    ['Charged back', BigInt(escrow.chargedBackAmount) === 0n ? null : money(escrow.chargedBackAmount, currency)],
    ['Created', time(escrow.createdAt)],
    ['Changed', time(escrow.updatedAt)],
  ]);
}

const accountLink = (id: string) => html`<a href="/console/ledger/accounts/${id}">account</a>`;

function disputeFact({ id, dispute }: EscrowView): Html | null {
  if (dispute === null) return null;
  const { openedBy, openedAt } = dispute;
  return html`<a href="/console/disputes/${id}">Opened by the ${openedBy.toLowerCase()}</a> on ${time(openedAt)}`;
}

function milestoneCard(escrow: EscrowView): Html {
  const { milestones, currency } = escrow;
  if (milestones.length === 0) return NOTHING;
  return card({
    title: 'Milestones',
    body: dataTable({
      caption: 'Milestones of the escrow',
      rows: milestones,
      columns: [
        {
          title: 'Milestone',
          cell: ({ title, description }) =>
            html`${title}${description === null ? NOTHING : html` <span class="soft">${description}</span>`}`,
        },
        { title: 'State', cell: ({ status }) => statusBadge(status) },
        { title: 'Part', align: 'end', cell: ({ percentage }) => `${percentage} %`, rank: 'second' },
        { title: 'Amount', align: 'end', cell: ({ amount }) => money(amount, currency) },
        { title: 'Seller', align: 'end', cell: ({ sellerPayout }) => money(sellerPayout, currency), rank: 'second' },
      ],
    }),
  });
}

function proposalCard(escrow: EscrowView): Html {
  const open = openProposals(escrow);
  if (open.length === 0) return NOTHING;
  const body = html`<ul class="plain">${open.map(
    (proposal) =>
      html`<li>${proposalWords(proposal, escrow)}. It lapses on ${time(proposal.negotiation.expiresAt)}.</li>`,
  )}</ul>`;
  return card({ title: 'Open proposals', body });
}

function itemCard({ items, currency }: EscrowView): Html {
  return card({
    title: 'Items',
    body: dataTable({
      caption: 'Items of the escrow',
      rows: items,
      columns: [
        {
          title: 'Item',
          cell: ({ name, description }) =>
            html`${name}${description === null ? NOTHING : html` <span class="soft">${description}</span>`}`,
        },
        { title: 'Quantity', align: 'end', cell: ({ quantity }) => quantity },
        { title: 'Each', align: 'end', cell: ({ pricePerUnit }) => moneyText(String(pricePerUnit), currency) },
      ],
    }),
  });
}

function fileCard(timeline: readonly TimelineItem[]): Html {
  const files = timeline.flatMap(({ details, at }) =>
    details.documentUrl === undefined ? [] : [{ url: details.documentUrl, at }],
  );
  if (files.length === 0) return NOTHING;
  return card({
    title: 'Files',
    body: html`${files.map(({ url, at }) => html`${documentLink(url)}<p class="soft">${time(at)}</p>`)}`,
  });
}
