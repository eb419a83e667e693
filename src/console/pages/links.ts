import { CURRENCY_CODES } from '../../domain/money.ts';
import { LINK_STATUSES } from '../../domain/payment-link/link.ts';
import { statusBadge, statusWords } from '../components/badge.ts';
import { form, select, textArea, textField } from '../components/form.ts';
import { html, icon, NOTHING } from '../components/html.ts';
import { isCurrency, money, type typedCents } from '../components/money.ts';
import { card, definitionList, emptyState, idText, timeline } from '../components/parts.ts';
import { qrCode } from '../components/qr.ts';
import { dataTable } from '../components/table.ts';
import { time } from '../components/time.ts';
import { actionField, amountOf, entered, optional } from '../entered.ts';
import { apiList, listPages } from '../list-page.ts';
import { objectLink } from '../object-links.ts';
import type { ConsolePage, Form, Visit } from '../page.ts';

/** Payment links: the list, one link with its attempts, and a new one. */

export const STATUS_FILTER = (values: readonly string[]) => ({
  name: 'status',
  label: 'Status',
  values: values.map((value) => ({ value, label: statusWords(value) })),
});
const WINDOW = [
  { name: 'createdFrom', label: 'Created from', type: 'date' },
  { name: 'createdTo', label: 'to', type: 'date' },
] as const;

const links = apiList('/v1/payments/links');
const list = listPages({
  path: '/links',
  title: 'Payment links',
  lead: 'A link takes one payment and funds its escrow.',
  who: 'read',
  menu: { section: 'Work', label: 'Payment links' },
  rows: links,
  rowsPerRequest: 100,
  filters: [STATUS_FILTER(LINK_STATUSES), { name: 'externalReference', label: 'Reference' }, ...WINDOW],
  columns: [
    { title: 'Reference', cell: ({ externalReference, id }) => externalReference ?? id },
    { title: 'Status', cell: ({ status }) => statusBadge(status) },
    { title: 'Amount', align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
    { title: 'Escrow', rank: 'second', cell: ({ escrowId }) => objectLink(escrowId) },
    { title: 'Created', rank: 'second', cell: ({ createdAt }) => time(createdAt) },
    { title: 'Expires', rank: 'second', cell: ({ expiresAt }) => time(expiresAt) },
  ],
  href: ({ id }) => `/console/links/${id}`,
  empty: { title: 'No payment links yet', text: 'Make one and send its address or QR code to the buyer.' },
  actions: () => html`<a class="button primary" href="/console/links/new">${icon('plus')}New link</a>`,
});

const one: ConsolePage = {
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
  body: html`<p class="soft">Whoever has this address can pay. Send it to the buyer only.</p><code class="secret" data-copy>${link.url}</code>${qrCode(link.url, 'The address of the payment link as a QR code')}<p><a href="${link.url}" target="_blank" rel="noopener noreferrer">Open the checkout</a></p>`,
})}</div>`,
    };
  },
};

const ITEMS = [0, 1, 2, 3, 4] as const;

const made: ConsolePage = {
  path: '/links/new',
  title: 'New payment link',
  who: 'operate',
  show: async (visit) => {
    const { value, error } = entered(visit, 'make');
    const currency = value('currency', CURRENCY_CODES[0]);
    return {
      trail: [['Payment links', '/links']],
      main: card({
        title: 'What is sold',
        body: form({
          action: '/console/links/new',
          csrf: visit.csrf,
          submit: 'Make the link',
          fields: [
            actionField('make'),
            textField({
              name: 'buyerId',
              label: 'Buyer',
              hint: 'The id of a user, usr_…',
              value: value('buyerId', visit.query.get('buyerId')),
              error: error('buyerId'),
              isRequired: true,
            }),
            textField({
              name: 'sellerId',
              label: 'Seller',
              hint: 'Without one: the default seller of the company, else the company.',
              value: value('sellerId'),
              error: error('sellerId'),
            }),
            select({
              name: 'currency',
              label: 'Currency',
              value: currency,
              options: CURRENCY_CODES.map((code) => ({ value: code, label: code })),
              isRequired: true,
              error: error('currency'),
            }),
            html`${ITEMS.map((index) => itemFields(index, visit))}`,
            textField({
              name: 'externalReference',
              label: 'Your reference',
              value: value('externalReference'),
              error: error('externalReference'),
              maxLength: 255,
            }),
            textArea({
              name: 'userReference',
              label: 'Memo',
              value: value('userReference'),
              error: error('userReference'),
              rows: 2,
            }),
          ],
        }),
      }),
    };
  },
  act: async ({ api }, sent) => {
    const currency = sent.text('currency');
    if (!isCurrency(currency)) return sent.refuse('currency', 'must be a currency of the service');
    const items = ITEMS.flatMap((index) => itemOf(sent, index, currency));
    if (items.length === 0) return sent.refuse('items.0.name', 'At least one item is needed.');
    const amount = items.reduce((sum, { quantity, pricePerUnit }) => sum + quantity * pricePerUnit, 0);
    const link = await api.post('/v1/payments/generate-escrow-payment-link', {
      idempotencyKey: sent.idempotencyKey,
      body: {
        buyerId: sent.text('buyerId'),
        sellerId: optional(sent.text('sellerId')),
        amount,
        currency,
        items,
        externalReference: optional(sent.text('externalReference')),
        userReference: optional(sent.text('userReference')),
      },
    });
    const { data } = await api.get('/v1/payments/links', { query: { limit: 100 } });
    const listed = data.find(({ hash }) => hash === link.hash);
    return {
      to: listed === undefined ? '/links' : `/links/${listed.id}`,
      flash: { tone: 'good', text: 'The link is made. Send its address or QR code to the buyer.' },
    };
  },
};

function itemFields(index: number, visit: Visit) {
  const { value, error } = entered(visit, 'make');
  const name = (field: string) => `items.${index}.${field}`;
  const isFirst = index === 0;
  return html`<fieldset class="item"><legend>Item ${index + 1}${isFirst ? NOTHING : html` <span class="optional">optional</span>`}</legend><div class="form-row">
${textField({ name: name('name'), label: 'Name', value: value(name('name')), error: error(name('name')), isRequired: isFirst, maxLength: 255 })}
${textField({ name: name('quantity'), label: 'Quantity', type: 'number', min: 1, value: value(name('quantity'), isFirst ? '1' : ''), error: error(name('quantity')), isRequired: isFirst })}
${textField({ name: name('pricePerUnit'), label: 'Price of one', inputMode: 'decimal', placeholder: '1,250.00', value: value(name('pricePerUnit')), error: error(name('pricePerUnit')), isRequired: isFirst })}</div></fieldset>`;
}

function itemOf(sent: Form, index: number, currency: Parameters<typeof typedCents>[1]) {
  const name = (field: string) => `items.${index}.${field}`;
  if (sent.text(name('name')) === '') return [];
  const quantity = Number(sent.text(name('quantity')));
  if (!Number.isSafeInteger(quantity) || quantity < 1) return sent.refuse(name('quantity'), 'must be a whole number');
  return [{ name: sent.text(name('name')), quantity, pricePerUnit: amountOf(sent, name('pricePerUnit'), currency) }];
}

export const linkPages: readonly ConsolePage[] = [...list, made, one];
