import type { EscrowView } from '../../api-types.ts';
import { type Html, html } from '../../components/html.ts';
import { moneyText } from '../../components/money.ts';
import type { Attempt, ConsolePage, Form } from '../../page.ts';
import { actionPage } from './action-page.ts';
import { ACTIONS } from './actions.ts';
import { noteField, wholeField } from './fields.ts';

/** The delivery note and the receipt: how many of each item. */

function quantities(escrow: EscrowView, attempt: Attempt | null): Html {
  return html`<fieldset class="items"><legend>Items</legend>${escrow.items.map((item) =>
    wholeField(
      {
        name: `quantity.${item.id}`,
        label: item.name ?? item.id,
        value: item.quantity,
        min: 0,
        max: item.quantity,
        hint: `Ordered: ${item.quantity}, at ${moneyText(String(item.pricePerUnit), escrow.currency)} each`,
      },
      attempt,
    ),
  )}</fieldset>`;
}

function countedOf({ items }: EscrowView, form: Form) {
  const counted = items.flatMap((item) => {
    const text = form.text(`quantity.${item.id}`);
    if (!/^\d{1,9}$/.test(text))
      return form.refuse(`quantity.${item.id}`, `${item.name ?? 'Item'}: enter a whole number.`);
    return Number(text) === 0 ? [] : [{ itemId: item.id, quantity: Number(text), price_per_item: item.pricePerUnit }];
  });
  if (counted.length === 0) form.refuse('items', 'Count at least one item.');
  const notes = form.text('notes');
  return { items: counted, ...(notes === '' ? {} : { notes }) };
}

const fields = (escrow: EscrowView, { attempt }: { readonly attempt: Attempt | null }) => [
  quantities(escrow, attempt),
  noteField({ name: 'notes', label: 'Notes', isRequired: false }, attempt),
];

export const ITEM_ACTIONS: readonly ConsolePage[] = [
  actionPage({
    action: ACTIONS.delivery,
    button: 'Record the delivery',
    consequence: () => 'The seller has sent these items. No money moves.',
    fields,
    async act(escrow, { api }, form) {
      const request = { path: { id: escrow.id }, body: countedOf(escrow, form), idempotencyKey: form.idempotencyKey };
      await api.post('/v1/escrow/{id}/delivery-note', request);
      return 'The delivery is recorded.';
    },
  }),
  actionPage({
    action: ACTIONS.receipt,
    button: 'Confirm the receipt',
    consequence: () => 'The buyer has received these items. No money moves now; an automatic release may be planned.',
    fields,
    async act(escrow, { api }, form) {
      const request = { path: { id: escrow.id }, body: countedOf(escrow, form), idempotencyKey: form.idempotencyKey };
      await api.post('/v1/escrow/{id}/goods-received', request);
      return 'The receipt is confirmed.';
    },
  }),
];
