import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { card, definitionList, emptyState, idText, notice, timeline } from '../../components/parts.ts';
import { qrCode } from '../../components/qr.ts';
import { dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage } from '../../page.ts';
import { LANGUAGES } from './terms.ts';

/** One payment link with its attempts. */

type LinkView = AnswerOf<Operation<'get', '/v1/payments/links/{id}'>>;
type Attempt = LinkView['attempts'][number];

const REFUND_WORDS: Readonly<Record<NonNullable<Attempt['refund']>, string>> = {
  due: 'The refund is under way',
  done: 'Refunded',
  refused: 'The gateway refused the refund',
};

/** What staff quote when they ask the gateway. */
function atProvider({ provider, merchantReference, checkoutId }: Attempt): Html {
  return html`${provider ?? '–'}<br><code class="id">${merchantReference}</code>${checkoutId === null ? NOTHING : html`<br><code class="id">${checkoutId}</code>`}`;
}

/** The escrow may have to be stopped, so this stands above everything else. */
function takenBack({ attempts, currency }: LinkView): Html {
  const cents = attempts.reduce((sum, { takenBackAmount }) => sum + BigInt(takenBackAmount), 0n);
  if (cents === 0n) return NOTHING;
  return notice({
    tone: 'bad',
    text: html`${money(cents, currency)} of the payment was taken back: charged back, refunded at the gateway or reversed.`,
  });
}

export const one: ConsolePage = {
  path: '/links/:id',
  title: 'Payment link',
  who: 'read',
  show: async ({ api, params }) => {
    const link = await api.get('/v1/payments/links/{id}', { path: { id: params.id ?? '' } });
    const { currency } = link;
    const { buyer, seller } = await api.get('/v1/escrow/{id}', { path: { id: link.escrowId } });
    const attempts =
      link.attempts.length === 0
        ? emptyState('No attempt yet', 'Nobody has started a payment on this link.')
        : dataTable({
            caption: 'Attempts to pay',
            rows: link.attempts,
            columns: [
              { title: 'By', cell: ({ kind }) => statusWords(kind) },
              {
                title: 'Status',
                cell: ({ status, refund }) =>
                  html`${statusBadge(status)}${refund === null ? NOTHING : html`<br><span class="soft">${REFUND_WORDS[refund]}</span>`}`,
              },
              {
                title: 'Taken back',
                align: 'end',
                cell: ({ takenBackAmount }) => (takenBackAmount === '0' ? '–' : money(takenBackAmount, currency)),
              },
              { title: 'Started', rank: 'second', cell: ({ startedAt }) => time(startedAt) },
              { title: 'At the provider', rank: 'second', cell: atProvider },
              {
                title: 'Next check',
                rank: 'second',
                cell: ({ nextCheckAt, checks }) =>
                  html`${time(nextCheckAt)}<br><span class="soft">${checks} so far</span>`,
              },
              { title: 'Deposit', cell: ({ transactionId }) => objectLink(transactionId) },
            ],
          });
    return {
      title: `Payment link ${link.externalReference ?? ''}`.trim(),
      trail: [['Payment links', '/links']],
      main: html`${takenBack(link)}<div class="columns main-and-side"><div class="stack">
${card({
  title: 'Status',
  body: definitionList([
    ['Status', statusBadge(link.status)],
    ['Amount', money(link.amount, currency)],
    ['Escrow', html`${objectLink(link.escrowId)} ${statusBadge(link.escrowStatus)}`],
    ['Buyer', html`<a href="/console/users/${link.buyerId}">${buyer.name ?? link.buyerId}</a>`],
    [
      'Seller',
      seller.id.startsWith('usr_')
        ? html`<a href="/console/users/${seller.id}">${seller.name ?? seller.id}</a>`
        : seller.name,
    ],
    ['Reference', link.externalReference],
    ['Created', time(link.createdAt)],
    ['Expires', time(link.expiresAt)],
    ['Paid by', objectLink(link.transactionId)],
    ['Language', link.locale === null ? 'The language of the buyer’s browser' : LANGUAGES[link.locale]],
    ['After the payment', link.successUrl],
    ['If the buyer cancels', link.cancelUrl],
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
