import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import { card, definitionList, emptyState, idText, notice, timeline } from '../../components/parts.ts';
import { qrCode } from '../../components/qr.ts';
import { dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { type Message, t } from '../../language/message.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage } from '../../page.ts';
import { SOURCE_NAMES } from '../../source-names.ts';
import { offerFacts } from './terms.ts';

/** One payment link with its attempts. */

type LinkView = AnswerOf<Operation<'get', '/v1/payments/links/{id}'>>;
type Attempt = LinkView['attempts'][number];

const REFUND_WORDS: Readonly<Record<NonNullable<Attempt['refund']>, Message>> = {
  due: t('The refund is under way'),
  done: t('Refunded'),
  refused: t('The gateway refused the refund'),
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
    text: rich('{amount} of the payment was taken back: charged back, refunded at the gateway or reversed.', {
      amount: money(cents, currency),
    }),
  });
}

/** After a declined payment the buyer can pay again, so a link with a payment at work is still sent to buyers. */
function addressOf({ url, status }: LinkView): Html {
  const isPayable = status === 'PENDING' || status === 'PROCESSING';
  const text = isPayable
    ? t('Anybody who has this address can pay. Send it to the buyer only.')
    : t('Nobody can pay on this link any more. Its checkout says why.');
  const code = isPayable ? qrCode(url, t('The address of the payment link as a QR code')) : NOTHING;
  return html`<p class="soft">${text}</p><code class="secret" data-copy="${t('the address')}">${url}</code>${code}<p><a href="${url}" target="_blank" rel="noopener noreferrer">${t('Open the checkout')}</a></p>`;
}

export const one: ConsolePage = {
  path: '/links/:id',
  title: t('Payment link'),
  who: 'read',
  show: async ({ api, params }) => {
    const link = await api.get('/v1/payments/links/{id}', { path: { id: params.id ?? '' } });
    const { currency } = link;
    const { buyer, seller } = await api.get('/v1/escrow/{id}', { path: { id: link.escrowId } });
    const attempts =
      link.attempts.length === 0
        ? emptyState(t('No attempt yet'), t('Nobody has started a payment on this link.'))
        : dataTable({
            caption: t('Attempts to pay'),
            rows: link.attempts,
            columns: [
              { title: t('By'), cell: ({ kind }) => statusWords(kind) },
              {
                title: t('Status'),
                cell: ({ status, refund }) =>
                  html`${statusBadge(status)}${refund === null ? NOTHING : html`<br><span class="soft">${REFUND_WORDS[refund]}</span>`}`,
              },
              {
                title: t('Taken back'),
                align: 'end',
                cell: ({ takenBackAmount }) => (takenBackAmount === '0' ? '–' : money(takenBackAmount, currency)),
              },
              { title: t('Started'), rank: 'second', cell: ({ startedAt }) => time(startedAt) },
              { title: t('At the provider'), rank: 'second', cell: atProvider },
              {
                title: t('Next check'),
                rank: 'second',
                cell: ({ nextCheckAt, checks }) =>
                  html`${time(nextCheckAt)}<br><span class="soft">${t('{count} so far', { count: checks })}</span>`,
              },
              { title: t('Deposit'), cell: ({ transactionId }) => objectLink(transactionId) },
            ],
          });
    return {
      title:
        link.externalReference === null
          ? t('Payment link')
          : t('Payment link {reference}', { reference: link.externalReference }),
      trail: [[t('Payment links'), '/links']],
      main: html`${takenBack(link)}<div class="columns main-and-side"><div class="stack">
${card({
  title: t('Status'),
  body: definitionList([
    [t('Status'), statusBadge(link.status)],
    [t('Amount'), money(link.amount, currency)],
    [t('Escrow'), html`${objectLink(link.escrowId)} ${statusBadge(link.escrowStatus)}`],
    [t('Buyer'), html`<a href="/console/users/${link.buyerId}">${buyer.name ?? link.buyerId}</a>`],
    [
      t('Seller'),
      seller.id.startsWith('usr_')
        ? html`<a href="/console/users/${seller.id}">${seller.name ?? seller.id}</a>`
        : seller.name,
    ],
    ...offerFacts(link),
    [t('Created'), time(link.createdAt)],
    [t('Expires'), time(link.expiresAt)],
    [t('Paid by'), objectLink(link.transactionId)],
    [t('Id'), idText(link.id)],
  ]),
})}
${card({ title: t('Attempts'), body: attempts })}
${card({
  title: t('Timeline'),
  body: timeline(
    link.timeline.map(({ event, actor, at, source, details }) => ({
      title: html`${statusWords(event)}`,
      at: time(at),
      by: t('{by} ({source})', { by: statusWords(actor), source: SOURCE_NAMES[source] }),
      detail: details.transactionId === null ? null : objectLink(details.transactionId),
    })),
  ),
})}</div>
${card({ title: t('Address'), body: addressOf(link) })}</div>`,
    };
  },
};
