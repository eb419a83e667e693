import type { ItemId } from '../ids.ts';
import type { Deliveries, Escrow, OrderedItem, Pieces } from './escrow.ts';

/** What was delivered and received. Receipts add up to the order; notes count until a receipt shows what really came. */

export const NO_DELIVERIES: Deliveries = { noted: [], received: [] };

/** The deliveries after one more delivery note, or after one more receipt. */
export function counting(
  { terms, deliveries }: Pick<Escrow, 'terms' | 'deliveries'>,
  type: 'delivery-note' | 'goods-received' | 'DELIVERY_NOTED' | 'GOODS_RECEIVED',
  items: readonly Pieces[],
): Deliveries {
  const { noted, received } = deliveries;
  const isReceipt = type === 'goods-received' || type === 'GOODS_RECEIVED';
  return isReceipt
    ? { noted: [], received: added(terms.items, received, items) }
    : { noted: added(terms.items, noted, items), received };
}

/** Whether notes and receipts together cover the order. */
export function coversOrder(ordered: readonly OrderedItem[], { noted, received }: Deliveries): boolean {
  return ordered.every(({ itemId, quantity }) => piecesOf(noted, itemId) + piecesOf(received, itemId) >= quantity);
}

export function piecesOf(pieces: readonly Pieces[], itemId: ItemId | undefined): number {
  return pieces.reduce((sum, one) => (one.itemId === itemId ? sum + one.quantity : sum), 0);
}

function added(
  ordered: readonly OrderedItem[],
  before: readonly Pieces[],
  items: readonly Pieces[],
): readonly Pieces[] {
  return ordered.flatMap(({ itemId, quantity }) => {
    const pieces = Math.min(quantity, piecesOf(before, itemId) + piecesOf(items, itemId));
    return pieces === 0 ? [] : [{ itemId, quantity: pieces }];
  });
}
