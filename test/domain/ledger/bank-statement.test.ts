import { describe, expect, test } from '@jest/globals';
import { settledBy, settledByHand } from '../../../src/domain/ledger/bank-statement.ts';

const payments = (...cents: number[]) =>
  cents.map((amount, index) => ({ entryId: String(index + 1), amountCents: BigInt(amount) }));

describe('the payments that a settlement pays', () => {
  test.each([
    ['one, in full', [10_000], 10_000, 0, [10_000, '1']],
    ['one, less the fee', [10_000], 9_700, 300, [10_000, '1']],
    ['the fewest that explain it', [10_000, 100], 9_700, 400, [10_000, '1']],
    ['two, less the fee', [10_000, 5_000, 7_000], 14_625, 250, [15_000, '2']],
    ['with a chargeback in between', [10_000, -4_000, 10_000], 15_520, 300, [16_000, '3']],
    ['not one whose fee is a cent too high', [10_000], 9_699, 300, null],
    ['not less than was paid', [10_000], 10_001, 300, null],
    ['nothing', [], 1, 5_000, null],
  ] as const)('%s', (_what, amounts, net, basisPoints, expected) => {
    const found = settledBy(payments(...amounts), BigInt(net), basisPoints);
    expect(found && [Number(found.grossCents), found.upTo]).toEqual(expected);
  });

  test('by hand are those that its amount reaches', () => {
    expect(settledByHand(payments(10_000, 5_000, 7_000), 12_000n)).toBe('2');
    expect(settledByHand(payments(10_000, 5_000), 10_000n)).toBe('1');
    expect(settledByHand(payments(10_000), 50_000n)).toBe('1');
    expect(settledByHand([], 1n)).toBeNull();
  });
});
