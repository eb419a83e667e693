import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { permits } from '../../../domain/roles.ts';
import { statusBadge, statusWords } from '../../components/badge.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { money } from '../../components/money.ts';
import {
  card,
  definitionList,
  emptyState,
  idText,
  notice,
  qrCode,
  SOURCE_NAMES,
  timeline,
} from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { type Message, t } from '../../language/message.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage } from '../../page.ts';
import { itemCard } from '../escrows/escrow.ts';
import { offerFacts } from './terms.ts';

/** One payment link with its attempts. */

type LinkView = AnswerOf<Operation<'get', '/v1/payments/links/{id}'>>;
type Attempt = LinkView['attempts'][number];

const REFUND_WORDS: Readonly<Record<NonNullable<Attempt['refund']>, Message>> = {
  due: t('The refund is under way'),
  done: t('Refunded'),
  refused: t('The gateway refused the refund'),
};

/** Events whose names say little to people. */
const EVENT_WORDS: { readonly [event: string]: Message } = {
  POLL_POSTPONED: t('The provider has not decided, and is asked again later'),
  POLL_HASTENED: t('The provider is asked again soon'),
  CHANGE_NOTED: t('The gateway reported a change'),
  LATE_MONEY: t('The money came after the link had ended'),
};

/** What staff quote when they ask the gateway. */
function atProvider({ kind, provider, merchantReference, checkoutId }: Attempt): Html {
  return html`${kind === 'card' ? t('Card gateway') : t('Mobile money operator')} <span class="soft">${provider ?? ''}</span><br><code class="id">${merchantReference}</code>${checkoutId === null ? NOTHING : html`<br><code class="id">${checkoutId}</code>`}`;
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

/** Money of a payment that the link could not take any more. */
function cameLate({ status, attempts, currency, amount, buyerId }: LinkView): Html {
  const late = attempts.find((one) => one.status === 'succeeded' && one.takenBackAmount === '0');
  if (late === undefined || status === 'ACCEPTED') return NOTHING;
  const values = { amount: money(amount, currency) };
  if (late.refund === 'due' || late.refund === 'done')
    return notice({
      tone: 'info',
      text: rich('{amount} came after the order was cancelled and goes back to where it came from.', values),
    });
  const order = new URLSearchParams({ buyerId });
  return notice({
    tone: 'warn',
    text: html`<p>${rich('{amount} came after the link had ended, and went to the buyer’s balance. Tell the buyer, who can pay another link with the rest.', values)}</p><p class="row"><a class="button small" href="/console/links/new?${order.toString()}">${t('New link for this buyer')}</a> <a class="button small" href="/console/users/${buyerId}">${t('See the buyer’s balance')}</a>${late.transactionId === null ? NOTHING : html` <a class="button small" href="/console/transactions/${late.transactionId}">${t('Give it back')}</a>`}</p>`,
  });
}

/** Sends the address with the reader's own programs. */
function shareLinks({ url, externalReference }: LinkView): Html {
  const mail = new URLSearchParams({ subject: externalReference ?? '', body: url }).toString().replaceAll('+', '%20');
  return html`<p class="row"><a class="button small" href="mailto:?${mail}">${t('Send by e-mail')}</a> <a class="button small" href="https://wa.me/?text=${encodeURIComponent(url)}" target="_blank" rel="noopener noreferrer">${t('Send by WhatsApp')}</a></p>`;
}

/** After a declined payment the buyer can pay again, so a link with a payment at work is still sent to buyers. */
function addressOf(link: LinkView): Html {
  const { url, status } = link;
  const isPayable = status === 'PENDING' || status === 'PROCESSING';
  const text = isPayable
    ? t('Anybody who has this address can pay. Send it to the buyer only.')
    : t('Nobody can pay on this link any more. Its checkout says why.');
  const code = isPayable ? qrCode(url, t('The address of the payment link as a QR code')) : NOTHING;
  return html`<p class="soft">${text}</p><code class="secret" data-copy="${t('the address')}">${url}</code>${code}${isPayable ? shareLinks(link) : NOTHING}<p><a href="${url}" target="_blank" rel="noopener noreferrer">${t('Open the checkout')}</a></p>`;
}

export const one: ConsolePage = {
  path: '/links/:id',
  title: t('Payment link'),
  who: 'read',
  show: async ({ api, params, session }) => {
    const link = await api.get('/v1/payments/links/{id}', { path: { id: params.id ?? '' } });
    const { currency } = link;
    const escrow = await api.get('/v1/escrow/{id}', { path: { id: link.escrowId } });
    const { buyer, seller } = escrow;
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
      main: html`${takenBack(link)}${cameLate(link)}<div class="columns main-and-side"><div class="stack">
${card({
  title: t('Status'),
  actions:
    link.status === 'PENDING' && permits(session.role, 'operate')
      ? html`<a class="button small danger-outline" href="/console/escrows/${link.escrowId}/cancel">${t('Cancel the order')}</a>`
      : NOTHING,
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
${itemCard(escrow)}
${card({ title: t('Attempts'), body: attempts })}
${card({
  title: t('Timeline'),
  body: timeline(
    link.timeline.map(({ event, actor, at, source, details }) => ({
      title: html`${EVENT_WORDS[event] ?? statusWords(event)}`,
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
