import type { EscrowView } from '../../api-types.ts';
import { type Html, html } from '../../components/html.ts';
import { moneyText } from '../../components/money.ts';
import { t } from '../../language/message.ts';
import type { ConsolePage, Form, RefusedForm } from '../../page.ts';
import { actionPage } from './action-page.ts';
import { ACTIONS } from './actions.ts';
import { noteField, wholeField } from './fields.ts';

/** The delivery note and the receipt: how many of each item. */

type Item = EscrowView['items'][number];

/** A field for each item, with as many pieces as it may count. */
function quantities(escrow: EscrowView, refused: RefusedForm | null, mostOf: (item: Item) => number): Html {
  const hint = ({ quantity, receivedQuantity: received, pricePerUnit }: Item) => {
    const price = moneyText(String(pricePerUnit), escrow.currency);
    return received === 0
      ? t('Ordered: {quantity}, at {price} each', { quantity, price })
      : t('Ordered: {quantity}, received: {received}, at {price} each', { quantity, received, price });
  };
  return html`<fieldset class="items"><legend>${t('Items')}</legend>${escrow.items.map((item) =>
    wholeField(
      {
        name: `quantity.${item.id}`,
        label: item.name ?? item.id,
        value: mostOf(item),
        min: 0,
        max: mostOf(item),
        hint: hint(item),
      },
      refused,
    ),
  )}</fieldset>`;
}

function countedOf({ items }: EscrowView, form: Form) {
  const counted = items.flatMap((item) => {
    const text = form.text(`quantity.${item.id}`);
    if (!/^\d{1,9}$/.test(text))
      return form.refuse(`quantity.${item.id}`, t('{label}: enter a whole number.', { label: item.name ?? t('Item') }));
    return Number(text) === 0 ? [] : [{ itemId: item.id, quantity: Number(text), price_per_item: item.pricePerUnit }];
  });
  if (counted.length === 0) form.refuse('items', t('Enter a quantity for at least one item.'));
  const notes = form.text('notes');
  return { items: counted, ...(notes === '' ? {} : { notes }) };
}

const fieldsWith =
  (mostOf: (item: Item) => number) =>
  (escrow: EscrowView, { refused }: { readonly refused: RefusedForm | null }) => [
    quantities(escrow, refused, mostOf),
    noteField({ name: 'notes', label: t('Notes'), isRequired: false }, refused),
  ];

export const ITEM_ACTIONS: readonly ConsolePage[] = [
  actionPage({
    action: ACTIONS.delivery,
    button: t('Record the delivery'),
    consequence: () => t('The seller has sent these items. No money moves.'),
    fields: fieldsWith(({ quantity }) => quantity), // delivery notes may be repeated
    async act(escrow, { api }, form) {
      const request = { path: { id: escrow.id }, body: countedOf(escrow, form), idempotencyKey: form.idempotencyKey };
      await api.post('/v1/escrow/{id}/delivery-note', request);
      return t('The delivery is recorded.');
    },
  }),
  actionPage({
    action: ACTIONS.receipt,
    button: t('Confirm the receipt'),
    consequence: () =>
      t('The buyer has received these items. No money moves now; an automatic release may be planned.'),
    fields: fieldsWith(({ quantity, receivedQuantity }) => quantity - receivedQuantity),
    async act(escrow, { api }, form) {
      const request = { path: { id: escrow.id }, body: countedOf(escrow, form), idempotencyKey: form.idempotencyKey };
      await api.post('/v1/escrow/{id}/goods-received', request);
      return t('The receipt is confirmed.');
    },
  }),
];
