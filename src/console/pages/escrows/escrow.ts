import { isFinal } from '../../../domain/escrow/escrow.ts';
import type { EscrowView, TimelineItem, TimelineView } from '../../api-types.ts';
import { statusBadge } from '../../components/badge.ts';
import { moneyBar } from '../../components/charts/share-bar.ts';
import { stateDiagram } from '../../components/charts/state-diagram.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { money, moneyText } from '../../components/money.ts';
import { numberText } from '../../components/numbers.ts';
import { card, definitionList, idText, notice } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { dayText, time } from '../../components/time.ts';
import { type Message, t } from '../../language/message.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { sentenceOfRefusal } from '../../problems.ts';
import { strangersFile } from '../../responses.ts';
import { type Receivable, settledParts } from '../receipts/receivables.ts';
import { requireId } from './action-page.ts';
import { possibleActions, releaseHindrance } from './actions.ts';
import { type Circumstances, circumstancesOf } from './circumstances.ts';
import { openProposals, proposalWords } from './proposals.ts';
import { answerRequests, requestCard, waitingRequests } from './requests.ts';
import { documentLink, remainingOf, splitWords, staffOf, statesOf, storyOf } from './story.ts';

/** One escrow: where its money is, where it stands, what happened, and what may be done now. */

export const escrowPage: ConsolePage = {
  path: '/escrows/:id',
  title: t('Escrow'),
  who: 'read',
  async show(visit) {
    const path = { id: requireId(visit) };
    const [escrow, timeline, staff, requests] = await Promise.all([
      visit.api.get('/v1/escrow/{id}', { path }),
      visit.api.get('/v1/escrow/{id}/timeline', { path }),
      staffOf(visit),
      waitingRequests(visit, path.id),
    ]);
    const [circumstances, debts] = await Promise.all([
      circumstancesOf(visit.api, escrow, timeline),
      debtsOf(visit, escrow),
    ]);
    const blocked = releaseHindrance(circumstances);
    return {
      title: escrow.externalReference ?? t('Escrow'),
      trail: [[t('Escrows'), '/escrows']],
      main: html`<div class="stack">
<div class="escrow-head">${statusBadge(escrow.status)} <span class="figure">${money(escrow.totalAmount, escrow.currency)}</span>${actionLinks(escrow, visit, circumstances)}</div>
${blocked === null ? NOTHING : notice({ tone: 'warn', text: blocked })}
${requestCard(visit, escrow, requests)}
${moneyBar(sharesOf(escrow, timeline), escrow.currency)}
<div class="columns main-and-side side-second">
${card({ title: t('Progress'), body: stateDiagram(escrow.status, statesOf(timeline, escrow)) })}
<div class="stack side">
${card({ title: t('What it waits for'), body: waiting(escrow, blocked !== null) })}
${card({ title: t('Facts'), body: facts(escrow, debts) })}
</div>
<div class="stack">
${card({ title: t('What happened'), body: storyOf(timeline, escrow, staff) })}
${milestoneCard(escrow)}${proposalCard(escrow)}${itemCard(escrow)}${fileCard(timeline)}
</div>
</div>
</div>`,
    };
  },
  act: answerRequests,
};

function actionLinks(escrow: EscrowView, { session }: Visit, circumstances: Circumstances): Html {
  const actions = possibleActions(escrow, session.role, circumstances);
  if (actions.length === 0)
    return html`<p class="soft">${isFinal(escrow.status) ? t('Nothing can be done: the escrow is final.') : t('Your role can do nothing here now.')}</p>`;
  const link = ({ slug, label, tone }: (typeof actions)[number]) =>
    html`<a class="button ${tone === 'danger' ? 'danger-outline' : tone}" href="${slug === 'decide' ? `/console/disputes/${escrow.id}` : `/console/escrows/${escrow.id}/${slug}`}">${label}</a>`;
  const [first, ...others] = actions;
  return html`<div class="actions escrow-actions">${first === undefined ? NOTHING : link(first)}
<details class="more"><summary class="button">${t('More actions')}</summary><div class="more-list">${others.map(link)}</div></details></div>`;
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
    { name: t('Held'), cents: held, kind: 'held' },
    { name: t('Paid to the seller'), cents: paid, kind: 'paid' },
    { name: t('Unlocked for the buyer'), cents: refunded, kind: 'refunded' },
    { name: t('Fees'), cents: fees > 0n ? fees : 0n, kind: 'fees' },
  ] as const;
}

function waiting(escrow: EscrowView, isHindered: boolean): Html {
  return html`${plannedRelease(escrow, isHindered)}<div id="run" hx-get="/console/escrows/${escrow.id}/run" hx-trigger="load" hx-swap="outerHTML"><p><a href="/console/escrows/${escrow.id}/run">${t('Ask the running workflow')}</a></p></div>`;
}

function plannedRelease(escrow: EscrowView, isHindered: boolean): Html {
  const { autoReleaseAt, releaseBlockedBy, currency } = escrow;
  if (releaseBlockedBy !== null)
    return notice({
      tone: 'bad',
      text:
        autoReleaseAt === null
          ? t('The automatic release was refused. {reason}', { reason: sentenceOfRefusal(releaseBlockedBy) })
          : rich('The automatic release was refused. {reason} It is tried again on {time}.', {
              reason: sentenceOfRefusal(releaseBlockedBy),
              time: time(autoReleaseAt),
            }),
    });
  if (autoReleaseAt === null) return NOTHING;
  const at = { time: time(autoReleaseAt) };
  return isHindered
    ? html`<p>${rich('The automatic release is planned for {time}, and is refused if nothing changes.', at)}</p>`
    : html`<p>${rich('The money is released automatically on {time}: {split}.', { ...at, split: splitWords(remainingOf(escrow), currency) })}</p>`;
}

/** The debts for the payment, if it was taken back. */
async function debtsOf(
  { api }: Visit,
  { id: escrowId, chargedBackAmount }: EscrowView,
): Promise<readonly Receivable[]> {
  if (BigInt(chargedBackAmount) === 0n) return [];
  return (await api.get('/v1/treasury/receivables', { query: { escrowId, limit: MAX_DEBTS } })).data;
}
const MAX_DEBTS = 20;

function chargedBack({ chargedBackAmount, currency }: EscrowView, debts: readonly Receivable[]): Html | null {
  if (BigInt(chargedBackAmount) === 0n) return null;
  const open = debts.filter(({ remaining_amount }) => remaining_amount !== '0');
  return html`${money(chargedBackAmount, currency)}${debts.map(settledParts)}${open.map(
    ({ remaining_amount }) =>
      html`<div><a href="/console/receivables">${t('Open')} ${money(remaining_amount, currency)}</a></div>`,
  )}`;
}

function facts(escrow: EscrowView, debts: readonly Receivable[]): Html {
  const { currency, fees } = escrow;
  const fee = (rate: Message, since: string) =>
    html`<div>${rate} <span class="soft">${t('since {day}', { day: dayText(since) })}</span></div>`;
  const party = ({ id, name }: EscrowView['buyer']) =>
    html`${id.startsWith('usr_') ? html`<a href="/console/users/${id}">${name ?? id}</a>` : (name ?? id)}`;
  return definitionList([
    [t('Id'), idText(escrow.id)],
    [t('Buyer'), html`${party(escrow.buyer)}, ${accountLink(escrow.buyerAccountId)}`],
    [t('Seller'), html`${party(escrow.seller)}, ${accountLink(escrow.sellerAccountId)}`],
    [t('Invoice'), escrow.externalInvoiceNumber],
    [t('Fees paid by'), escrow.feePayer === 'BUYER' ? t('the buyer') : t('the seller')],
    [
      t('Fees'),
      fees === null
        ? t('By its own split')
        : html`${fee(t('{percent} % system', { percent: numberText(fees.system_fee_basis_points / 100, 2) }), fees.system_fee_since)}${fee(t('{percent} % service', { percent: numberText(fees.service_fee_basis_points / 100, 2) }), fees.service_fee_since)}`,
    ],
    [
      t('Split'),
      rich('Seller {seller}, system {system}, service {service}', {
        seller: money(escrow.splitPlan.seller_payout_cents, currency),
        system: money(escrow.splitPlan.system_fee_cents, currency),
        service: money(escrow.splitPlan.service_fee_cents, currency),
      }),
    ],
    [t('Dispute'), disputeFact(escrow)],
    [t('Charged back'), chargedBack(escrow, debts)],
    [t('Created'), time(escrow.createdAt)],
    [t('Changed'), time(escrow.updatedAt)],
  ]);
}

const accountLink = (id: string) => html`<a href="/console/ledger/accounts/${id}">${t('account')}</a>`;

function disputeFact({ id, dispute }: EscrowView): Html | null {
  if (dispute === null) return null;
  const { openedBy, openedAt } = dispute;
  const opened = openedBy === 'BUYER' ? t('Opened by the buyer') : t('Opened by the seller');
  return rich('{opened} on {time}', {
    opened: html`<a href="/console/disputes/${id}">${opened}</a>`,
    time: time(openedAt),
  });
}

function milestoneCard(escrow: EscrowView): Html {
  const { milestones, currency } = escrow;
  if (milestones.length === 0) return NOTHING;
  return card({
    title: t('Milestones'),
    body: dataTable({
      caption: t('Milestones of the escrow'),
      rows: milestones,
      columns: [
        {
          title: t('Milestone'),
          cell: ({ title, description }) =>
            html`${title}${description === null ? NOTHING : html` <span class="soft">${description}</span>`}`,
        },
        { title: t('State'), cell: ({ status }) => statusBadge(status) },
        {
          title: t('Part'),
          align: 'end',
          cell: ({ percentage }) => t('{percent} %', { percent: numberText(percentage) }),
          rank: 'second',
        },
        { title: t('Amount'), align: 'end', cell: ({ amount }) => money(amount, currency) },
        { title: t('Seller'), align: 'end', cell: ({ sellerPayout }) => money(sellerPayout, currency), rank: 'second' },
      ],
    }),
  });
}

function proposalCard(escrow: EscrowView): Html {
  const open = openProposals(escrow);
  if (open.length === 0) return NOTHING;
  const body = html`<ul class="plain">${open.map(
    (proposal) =>
      html`<li>${rich('{proposal}. It lapses on {time}.', { proposal: proposalWords(proposal, escrow), time: time(proposal.negotiation.expiresAt) })}</li>`,
  )}</ul>`;
  return card({ title: t('Open proposals'), body });
}

export function itemCard({ items, currency }: EscrowView): Html {
  return card({
    title: t('Items'),
    body: dataTable({
      caption: t('Items of the escrow'),
      rows: items,
      columns: [
        {
          title: t('Item'),
          cell: ({ name, description }) =>
            html`${name}${description === null ? NOTHING : html` <span class="soft">${description}</span>`}`,
        },
        { title: t('Quantity'), align: 'end', cell: ({ quantity }) => quantity },
        { title: t('Received'), align: 'end', cell: ({ receivedQuantity }) => receivedQuantity },
        { title: t('Each'), align: 'end', cell: ({ pricePerUnit }) => moneyText(String(pricePerUnit), currency) },
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
    title: t('Files'),
    body: html`${files.map(({ url, at }) => html`${documentLink(url)}<p class="soft">${time(at)}</p>`)}`,
  });
}

/** A file that buyer or seller sent on the order page. */
export const filePage: ConsolePage = {
  path: '/escrows/:id/files/:fileId',
  title: t('File'),
  who: 'read',
  isBackground: true,
  show: async ({ api, params: { id = '', fileId = '' } }) =>
    strangersFile(await api.download('/v1/escrow/{id}/files/{fileId}', '*/*', { path: { id, fileId } }), false),
};
