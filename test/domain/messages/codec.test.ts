import { expect, test } from '@jest/globals';
import { cents, integer, priceCents } from '../../../src/domain/messages/codec.ts';
import { MAX_REQUEST_CENTS, MAX_TOTAL_CENTS } from '../../../src/domain/money.ts';

/** The limits of numbers in messages. */

test.each([
  ['an amount', cents, MAX_TOTAL_CENTS],
  ['a price', priceCents, MAX_REQUEST_CENTS],
] as const)('%s has a largest value', (_what, codec, most) => {
  expect(codec.parse(String(most))).toBe(most);
  expect(codec.parse(String(most + 1n))).toBeUndefined();
  expect(codec.parse('-1')).toBeUndefined();
});

test('an integer is within its limits', () => {
  expect([0, 1, 9, 10].map(integer(1, 9).parse)).toEqual([undefined, 1, 9, undefined]);
});
