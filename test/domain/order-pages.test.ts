import { expect, test } from '@jest/globals';
import { orderNumber } from '../../src/domain/order-pages.ts';

test.each(['order-1042', 'INV/2026/00017', '#ΑΒ_7', '注文-12', '01900000-0000-7000-8000-000000000001'])(
  '%s is an order number',
  (text) => {
    expect(orderNumber(text)).toBe(text);
  },
);

test.each([
  'Your account is blocked',
  'https://bank.example',
  'bank.example',
  'call\u200b077',
  'pay\u202eback',
  'A'.repeat(65),
  '',
])('%p is not: a message would say it under the name of the service', (text) => {
  expect(orderNumber(text)).toBeNull();
});
