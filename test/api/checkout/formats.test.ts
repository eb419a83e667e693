import { expect, test } from '@jest/globals';
import { formatMoment, formatMoney, formatTimeLeft } from '../../../src/api/checkout/formats.ts';
import { LANGUAGES } from '../../../src/api/checkout/texts/languages.ts';

/** Replaces non-breaking spaces by plain ones. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test.each([
  ['en', 'USD 1,250.00', '-USD 0.05'],
  ['fr', '1 250,00 USD', '-0,05 USD'],
  ['pt', '1250,00 USD', '-0,05 USD'],
] as const)('amounts in %s: %s, %s', (locale, amount, negative) => {
  expect(plain(formatMoney(125_000n, 'USD', LANGUAGES[locale]))).toBe(amount);
  expect(plain(formatMoney(-5n, 'USD', LANGUAGES[locale]))).toBe(negative);
});

test('an amount larger than a double is exact', () => {
  expect(formatMoney(9_007_199_254_740_993_01n, 'ZIG', LANGUAGES.en)).toMatch(/9,007,199,254,740,993\.01$/);
});

test.each([
  ['en', /^22 November 2026 at 12:05 UTC$/],
  ['fr', /^22 novembre 2026 à 12:05 UTC$/],
  ['pt', /^22 de novembro de 2026 às 12:05 UTC$/],
] as const)('times in %s', (locale, expected) => {
  expect(plain(formatMoment(new Date('2026-11-22T12:05:00Z'), LANGUAGES[locale], 'UTC'))).toMatch(expected);
});

test('times in the zone of a company', () => {
  const at = new Date('2026-11-22T22:05:00Z');
  expect(plain(formatMoment(at, LANGUAGES.en, 'Africa/Harare'))).toMatch(/^23 November 2026 at 00:05 (CAT|GMT\+2)$/);
});

test.each([
  [30_000, 'less than a minute left'],
  [90_000, '1 minute left'],
  [3_600_000 * 3 + 60_000, '3 hours 1 minute left'],
  [3_600_000 * 25, '1 day 1 hour left'],
])('%i ms: %s', (leftMs, expected) => {
  expect(formatTimeLeft(leftMs, LANGUAGES.en)).toBe(expected);
});
