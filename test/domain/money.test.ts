import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  allocate,
  CURRENCY_CODES,
  currencyOfIso,
  fee,
  formatAmount,
  ISO_CURRENCIES,
  isoCurrency,
  maxCents,
  minCents,
  parseAmount,
  sumCents,
} from '../../src/domain/money.ts';

describe('a fee', () => {
  test.each([
    { amount: 10_050n, basisPoints: 100, expected: 101n, why: 'half a cent rounds up' },
    { amount: 49n, basisPoints: 100, expected: 0n, why: 'less than half a cent is nothing' },
    { amount: 50n, basisPoints: 100, expected: 1n, why: 'exactly half a cent is a cent' },
    { amount: 25n, basisPoints: 200, expected: 1n, why: 'a transfer tax of 2 %' },
    { amount: 24n, basisPoints: 200, expected: 0n, why: 'a transfer tax too small to take' },
    { amount: 10_050n, basisPoints: 150, expected: 151n, why: 'a transfer tax of 1.5 %' },
    { amount: 9_804n, basisPoints: 200, expected: 196n, why: 'the most that 10000 covers with 2 % on top' },
    { amount: 9_805n, basisPoints: 200, expected: 196n, why: 'a cent more than 10000 covers' },
    { amount: 0n, basisPoints: 100, expected: 0n, why: 'nothing of nothing' },
    { amount: 10_050n, basisPoints: 0, expected: 0n, why: 'a rate of zero' },
    { amount: 9_007_199_254_740_991n, basisPoints: 10_000, expected: 9_007_199_254_740_991n, why: 'no float anywhere' },
  ])('of $basisPoints bp on $amount is $expected: $why', ({ amount, basisPoints, expected }) => {
    expect(fee(amount, basisPoints)).toBe(expected);
  });

  test('is never further than half a cent from the exact share', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 16n), fc.integer({ min: 0, max: 10_000 }), (amount, basisPoints) => {
        const error = fee(amount, basisPoints) * 10_000n - amount * BigInt(basisPoints);
        expect(error > -5_000n && error <= 5_000n).toBe(true);
      }),
    );
  });
});

describe('an allocation', () => {
  test.each([
    { amount: 100n, weights: [33n, 33n, 34n], expected: [33n, 33n, 34n], why: 'the system fee of three milestones' },
    { amount: 9_901n, weights: [33n, 33n, 34n], expected: [3_267n, 3_267n, 3_367n], why: 'their payouts' },
    { amount: 60n, weights: [33n, 34n], expected: [29n, 31n], why: 'a negotiated fee over the rest' },
    { amount: 6_000n, weights: [33n, 34n], expected: [2_955n, 3_045n], why: 'its payout' },
    { amount: 641n, weights: [33n, 34n], expected: [315n, 326n], why: 'its refund' },
    { amount: 1n, weights: [1n, 1n, 1n], expected: [0n, 0n, 1n], why: 'a cent cannot be split' },
    { amount: 10n, weights: [0n, 1n], expected: [0n, 10n], why: 'no weight, no part' },
    { amount: 10n, weights: [0n, 0n], expected: [0n, 10n], why: 'no weights at all: the last takes everything' },
    { amount: 10n, weights: [7n], expected: [10n], why: 'one takes all' },
    { amount: 0n, weights: [1n, 2n], expected: [0n, 0n], why: 'nothing to split' },
  ])('of $amount by $weights is $expected: $why', ({ amount, weights, expected }) => {
    expect(allocate(amount, weights)).toEqual(expected);
  });

  test('sums to the amount, and no part is a cent or more from its exact share', () => {
    const weights = fc.array(fc.bigInt(0n, 10_000n), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 16n), weights, (amount, parts) => {
        const allocated = allocate(amount, parts);
        const total = sumCents(parts);
        expect(sumCents(allocated)).toBe(amount);
        if (total === 0n) return;
        allocated.forEach((part, index) => {
          const error = part * total - amount * (parts[index] ?? 0n);
          expect(error > -total && error < total).toBe(true);
        });
      }),
    );
  });
});

test.each([
  [0n, '0.00'],
  [5n, '0.05'],
  [-5n, '-0.05'],
  [25_000n, '250.00'],
  [-123_456n, '-1234.56'],
])('%d cents are written as %s', (cents, text) => {
  expect(formatAmount(cents, 'USD')).toBe(text);
});

test.each([
  ['92.00', 9_200n],
  ['92.5', 9_250n],
  ['92', 9_200n],
  ['90071992547409.93', 9_007_199_254_740_993n],
  ['92.005', undefined],
  ['-1.00', undefined],
  ['1e3', undefined],
  ['', undefined],
])('the text %s is read as %s cents', (text, cents) => {
  expect(parseAmount(text, 'USD')).toBe(cents);
});

test('ISO codes are unique, and each maps back to its currency', () => {
  expect(new Set(ISO_CURRENCIES).size).toBe(CURRENCY_CODES.length);
  for (const code of CURRENCY_CODES) expect(currencyOfIso(isoCurrency(code))).toBe(code);
  expect(currencyOfIso('EUR')).toBeUndefined();
});

test('minCents returns the smaller of two amounts, which caps a fee', () => {
  expect(minCents(3n, 2n)).toBe(2n);
  expect(minCents(2n, 3n)).toBe(2n);
});

test('maxCents returns the larger of two amounts', () => {
  expect(maxCents(3n, 2n)).toBe(3n);
  expect(maxCents(2n, 3n)).toBe(3n);
});
