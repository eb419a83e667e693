import { CURRENCY_CODES, DEFAULT_CURRENCY } from '../../../domain/money.ts';
import { form, select, textField } from '../../components/form.ts';
import { html, NOTHING } from '../../components/html.ts';
import { amountText, isCurrency, type typedCents } from '../../components/money.ts';
import { card } from '../../components/parts.ts';
import { actionField, amountOf, entered, optional, wholeOf, withFieldNames } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { ConsolePage, Form, Visit } from '../../page.ts';
import { filledMilestones, offerFields, termFields, termsOf } from './terms.ts';

/** A new payment link. */

const ITEMS = [0, 1, 2, 3, 4] as const;

export const made: ConsolePage = {
  path: '/links/new',
  title: t('New payment link'),
  who: 'operate',
  show: async (visit) => {
    const { value, error, isRefused } = entered(visit, 'make');
    const currency = value('currency', DEFAULT_CURRENCY);
    return {
      trail: [[t('Payment links'), '/links']],
      main: card({
        title: t('Items for sale'),
        body: form({
          action: '/console/links/new',
          csrf: visit.csrf,
          submit: t('Create link'),
          fields: [
            actionField('make'),
            textField({
              name: 'buyerId',
              label: t('Buyer'),
              hint: t('The id of a user, usr_… The page of a user has a button for a new link.'),
              value: value('buyerId', visit.query.get('buyerId')),
              error: error('buyerId'),
              isRequired: true,
            }),
            textField({
              name: 'sellerId',
              label: t('Seller'),
              hint: t('Without one: the default seller of the company, else the company.'),
              value: value('sellerId'),
              error: error('sellerId'),
            }),
            select({
              name: 'currency',
              label: t('Currency'),
              value: currency,
              options: CURRENCY_CODES.map((code) => ({ value: code, label: code })),
              isRequired: true,
              error: error('currency'),
            }),
            itemFields(0, visit),
            html`<details class="more-terms"${isRefused ? html` open` : NOTHING}><summary>${t('More items')}</summary><div class="stack">${ITEMS.slice(1).map((index) => itemFields(index, visit))}</div></details>`,
            ...offerFields(visit, { isFolded: false }),
            termFields(visit),
          ],
        }),
      }),
    };
  },
  act: async ({ api }, sent) => {
    const currency = sent.text('currency');
    if (!isCurrency(currency)) return sent.refuse('currency', t('Choose a currency of the service.'));
    const filled = ITEMS.filter((index) => sent.text(`items.${index}.name`) !== '');
    const items = filled.map((index) => itemOf(sent, index, currency));
    if (items.length === 0) return sent.refuse('items.0.name', t('At least one item is needed.'));
    const amount = items.reduce((sum, { quantity, pricePerUnit }) => sum + quantity * pricePerUnit, 0);
    const link = await withFieldNames(
      api.post('/v1/payments/generate-escrow-payment-link', {
        idempotencyKey: sent.idempotencyKey,
        body: {
          buyerId: sent.text('buyerId'),
          sellerId: optional(sent.text('sellerId')),
          amount,
          currency,
          items,
          ...termsOf(sent),
        },
      }),
      rowNames({ items: filled, milestones: filledMilestones(sent) }),
    );
    return {
      to: `/links/${link.id}`,
      flash: { tone: 'good', text: t('The link is created. Send its address or QR code to the buyer.') },
    };
  },
};

function itemFields(index: number, visit: Visit) {
  const { value, error } = entered(visit, 'make');
  const name = (field: string) => `items.${index}.${field}`;
  const isFirst = index === 0;
  return html`<fieldset class="item"><legend>${t('Item {number}', { number: index + 1 })}${isFirst ? NOTHING : html` <span class="optional">${t('optional')}</span>`}</legend><div class="form-row">
${textField({ name: name('name'), label: t('Name'), value: value(name('name')), error: error(name('name')), isRequired: isFirst, maxLength: 255 })}
${textField({ name: name('quantity'), label: t('Quantity'), type: 'number', min: 1, value: value(name('quantity'), isFirst ? '1' : ''), error: error(name('quantity')), isRequired: isFirst })}
${textField({ name: name('pricePerUnit'), label: t('Price of one'), inputMode: 'decimal', placeholder: amountText(125_000n, 'USD'), value: value(name('pricePerUnit')), error: error(name('pricePerUnit')), isRequired: isFirst })}</div></fieldset>`;
}

function itemOf(sent: Form, index: number, currency: Parameters<typeof typedCents>[1]) {
  const name = (field: string) => `items.${index}.${field}`;
  const quantity = wholeOf(sent, name('quantity'));
  return { name: sent.text(name('name')), quantity, pricePerUnit: amountOf(sent, name('pricePerUnit'), currency) };
}

/** The API counts the rows that were sent. Rows of the form may be empty. */
function rowNames(rows: Readonly<Record<string, readonly number[]>>) {
  return (path: string) => {
    const [list = '', index = '', ...rest] = path.split('.');
    const row = Object.hasOwn(rows, list) ? rows[list]?.[Number(index)] : undefined;
    return row === undefined ? path : [list, row, ...rest].join('.');
  };
}
