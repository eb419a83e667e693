import { parseId } from '../../../domain/ids.ts';
import { type Currency, DEFAULT_CURRENCY } from '../../../domain/money.ts';
import { form, select, textField } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { amountText, isCurrency, moneyText, typedCents } from '../../components/money.ts';
import { card } from '../../components/parts.ts';
import { actionField, amountOf, entered, wholeOf, withFieldNames } from '../../entered.ts';
import { joined, t } from '../../language/message.ts';
import type { ConsolePage, Form, Visit } from '../../page.ts';
import { CURRENCY_OPTIONS } from '../filters.ts';
import { filledMilestones, offerFields, termFields, termsOf } from './terms.ts';

/** A new payment link. */

/** As many as a refusal names. */
const MAX_NAMESAKES = 5;
const ITEMS = [0, 1, 2, 3, 4] as const;

export const made: ConsolePage = {
  path: '/links/new',
  title: t('New payment link'),
  who: 'operate',
  show: async (visit) => {
    const { value, error, isRefused } = entered(visit, 'make');
    const typed = value('currency', DEFAULT_CURRENCY);
    const currency = isCurrency(typed) ? typed : DEFAULT_CURRENCY;
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
              hint: t('Name, phone number or id of a user. The page of a user has a button for a new link.'),
              value: value('buyerId', visit.query.get('buyerId')),
              error: error('buyerId'),
              isRequired: true,
            }),
            textField({
              name: 'sellerId',
              label: t('Seller'),
              hint: t('Name, phone number or id. Without one: the default seller of the company, else the company.'),
              value: value('sellerId'),
              error: error('sellerId'),
            }),
            select({
              name: 'currency',
              label: t('Currency'),
              value: currency,
              options: CURRENCY_OPTIONS,
              isRequired: true,
              error: error('currency'),
            }),
            html`<div class="stack" hx-post="/console/links/new/total" hx-trigger="input delay:150ms" hx-include="closest form" hx-target="#link-total" hx-swap="outerHTML">${itemFields(0, visit)}<details class="more-terms"${isRefused ? html` open` : NOTHING}><summary>${t('More items')}</summary><div class="stack">${ITEMS.slice(1).map((index) => itemFields(index, visit))}</div></details></div>`,
            totalLine(currency, visit.refused === null ? 0n : typedTotal(visit.refused.form, currency)),
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
    const buyerId = await userNamed(api, sent, 'buyerId');
    const sellerId = sent.text('sellerId') === '' ? undefined : await userNamed(api, sent, 'sellerId');
    const amount = items.reduce((sum, { quantity, pricePerUnit }) => sum + quantity * pricePerUnit, 0);
    const link = await withFieldNames(
      api.post('/v1/payments/generate-escrow-payment-link', {
        idempotencyKey: sent.idempotencyKey,
        body: {
          buyerId,
          sellerId,
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

/** The user whose id, number or name was typed. Refuses the form where that is nobody, or several. */
async function userNamed(api: Visit['api'], sent: Form, field: string): Promise<string> {
  const typed = sent.text(field);
  if (parseId('user', typed) !== undefined) return typed;
  const found = await api.get('/v1/identity/users', { query: { q: typed, limit: MAX_NAMESAKES } });
  const [only, ...others] = found;
  if (only === undefined) return sent.refuse(field, t('Nobody has this name, number or id.'));
  if (others.length === 0) return only.id;
  const names = joined(
    found.map(({ firstName, lastName, mobileNumber }) =>
      [firstName, lastName, mobileNumber].filter((part) => part !== null).join(' '),
    ),
  );
  return sent.refuse(field, t('Several people match: {names}. Type the number.', { names }));
}

/** What the rows sum to; null while one of them is not complete. */
function typedTotal(typed: Form, currency: Currency): bigint | null {
  const rows = ITEMS.filter((index) => typed.text(`items.${index}.pricePerUnit`) !== '');
  const amounts = rows.map((index) => {
    const price = typedCents(typed.text(`items.${index}.pricePerUnit`), currency, typed.language);
    const quantity = typed.text(`items.${index}.quantity`);
    return price === undefined || !/^\d{1,9}$/.test(quantity) ? null : price * BigInt(quantity);
  });
  return amounts.reduce((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0n);
}

function totalLine(currency: Currency, cents: bigint | null): Html {
  return html`<p id="link-total" aria-live="polite">${t('The buyer pays')} <strong class="money">${cents === null ? '–' : moneyText(cents, currency)}</strong></p>`;
}

/** Answers the form while somebody types. It changes nothing. */
export const linkTotal: ConsolePage = {
  path: '/links/new/total',
  title: t('New payment link'),
  who: 'operate',
  inPlaceOfAnswer: (why) => html`<p id="link-total" aria-live="polite">${why}</p>`,
  show: async () => ({ main: totalLine(DEFAULT_CURRENCY, 0n) }),
  act: async (_visit, sent) => {
    const currency = sent.text('currency');
    const total = isCurrency(currency) ? typedTotal(sent, currency) : null;
    return { isFragment: true, main: totalLine(isCurrency(currency) ? currency : DEFAULT_CURRENCY, total) };
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

function itemOf(sent: Form, index: number, currency: Currency) {
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
