import { statusBadge, statusWords } from '../../components/badge.ts';
import { html } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { card, definitionList, emptyState, idText, timeline } from '../../components/parts.ts';
import { qrCode } from '../../components/qr.ts';
import { dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage } from '../../page.ts';

/** One payment link with its attempts. */

export const one: ConsolePage = {
  path: '/links/:id',
  title: 'Payment link',
  who: 'read',
  show: async ({ api, params }) => {
    const link = await api.get('/v1/payments/links/{id}', { path: { id: params.id ?? '' } });
    const { currency } = link;
    const attempts =
      link.attempts.length === 0
        ? emptyState('No attempt yet', 'Nobody has started a payment on this link.')
        : dataTable({
            caption: 'Attempts to pay',
            rows: link.attempts,
            columns: [
              { title: 'By', cell: ({ kind }) => statusWords(kind) },
              { title: 'Status', cell: ({ status }) => statusBadge(status) },
              { title: 'Started', cell: ({ startedAt }) => time(startedAt) },
              { title: 'Provider', rank: 'second', cell: ({ provider }) => provider ?? '–' },
              { title: 'Asked', rank: 'second', align: 'end', cell: ({ checks }) => checks },
              { title: 'Asks again', rank: 'second', cell: ({ nextCheckAt }) => time(nextCheckAt) },
              { title: 'Refund', rank: 'second', cell: ({ refund }) => refund ?? '–' },
              { title: 'Deposit', cell: ({ transactionId }) => objectLink(transactionId) },
            ],
          });
    return {
      title: `Payment link ${link.externalReference ?? ''}`.trim(),
      trail: [['Payment links', '/links']],
      main: html`<div class="columns main-and-side"><div class="stack">
${card({
  title: 'Status',
  body: definitionList([
    ['Status', statusBadge(link.status)],
    ['Amount', money(link.amount, currency)],
    ['Escrow', html`${objectLink(link.escrowId)} ${statusBadge(link.escrowStatus)}`],
    ['Buyer', objectLink(link.buyerId)],
    ['Reference', link.externalReference],
    ['Created', time(link.createdAt)],
    ['Expires', time(link.expiresAt)],
    ['Paid by', objectLink(link.transactionId)],
    ['Id', idText(link.id)],
  ]),
})}
${card({ title: 'Attempts', body: attempts })}
${card({
  title: 'Timeline',
  body: timeline(
    link.timeline.map(({ event, actor, at, details }) => ({
      title: statusWords(event),
      at: time(at),
      by: statusWords(actor),
      detail: details.transactionId === null ? null : objectLink(details.transactionId),
    })),
  ),
})}</div>
${card({
  title: 'Address',
  body: html`<p class="soft">Anybody who has this address can pay. Send it to the buyer only.</p><code class="secret" data-copy="the address">${link.url}</code>${qrCode(link.url, 'The address of the payment link as a QR code')}<p><a href="${link.url}" target="_blank" rel="noopener noreferrer">Open the checkout</a></p>`,
})}</div>`,
    };
  },
};
