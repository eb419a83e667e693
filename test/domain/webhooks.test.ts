import { describe, expect, test } from '@jest/globals';
import { RETRY_DELAYS_MS, retryDelayMs } from '../../src/domain/webhooks.ts';

describe('retries', () => {
  test('come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, as Standard Webhooks recommends, and then end', () => {
    const seconds = Array.from({ length: 10 }, (_, failed) => retryDelayMs(failed + 1, 0)).map(
      (ms) => ms && ms / 1_000,
    );
    expect(seconds).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  });

  test('are late by at most a fifth', () => {
    for (const [index, delay] of RETRY_DELAYS_MS.entries())
      expect(retryDelayMs(index + 1, 1)).toBeCloseTo(delay * 1.2, 0);
  });
});
