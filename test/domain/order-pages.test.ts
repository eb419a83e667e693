import { expect, test } from '@jest/globals';
import type { EscrowId } from '../../src/domain/ids.ts';
import { orderName } from '../../src/domain/order-pages.ts';

const ID = '01900000-0000-7000-8000-000000000002' as EscrowId;

test.each(['order-1042', 'INV/2026/00017', '#ΑΒ_7', '注文-12', '01900000-0000-7000-8000-000000000001'])(
  '%s is the name of an order',
  (text) => {
    expect(orderName(text, ID)).toBe(text);
  },
);

test.each([
  null,
  'Your account is blocked',
  'https://bank.example',
  'bank.example',
  'call\u200b077',
  'pay\u202eback',
  'A'.repeat(65),
  '',
])('%p is not: a message would say it under the name of the service', (text) => {
  expect(orderName(text, ID)).toBe(`esc_${ID}`);
});
