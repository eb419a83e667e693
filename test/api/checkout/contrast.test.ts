import { expect, test } from '@jest/globals';
import { contrast, isReadableOn, WHITE } from '../../../src/api/checkout/contrast.ts';

test.each([
  ['#ffffff', '#000000', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#0d6a4e', '#ffffff', 6.59],
])('%s on %s: %d, whichever is the text', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 1);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

test('WCAG AA begins at 4.5', () => {
  expect(isReadableOn(WHITE, '#767676')).toBe(true);
  expect(isReadableOn(WHITE, '#777777')).toBe(false);
});
