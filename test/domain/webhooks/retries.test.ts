import { describe, expect, test } from '@jest/globals';
import { RETRY_DELAYS_MS, retryDelayMs } from '../../../src/domain/webhooks/retries.ts';

describe('retries', () => {
  test('come after 5 s, 30 s, 2 min, 10 min, 1 h, 3 h, 6 h, then each 12 h for three days, and then end', () => {
    const seconds = Array.from({ length: 14 }, (_, failed) => retryDelayMs(failed + 1, 0)).map(
      (ms) => ms && ms / 1_000,
    );
    expect(seconds).toEqual([5, 30, 120, 600, 3_600, 10_800, 21_600, ...Array.from({ length: 6 }, () => 43_200), null]);
  });

  test('are late by at most a fifth', () => {
    for (const [index, delay] of RETRY_DELAYS_MS.entries())
      expect(retryDelayMs(index + 1, 1)).toBeCloseTo(delay * 1.2, 0);
  });
});
