import { expect, test } from '@jest/globals';
import { liveThrough } from './payout-world.ts';

/** `npm run payout-histories` runs 100,000. */
const HISTORIES = Number(process.env.PAYOUT_HISTORIES ?? 4_000);
const FIRST_SEED = Number(process.env.PAYOUT_SEED ?? 1);
const ENDINGS = ['COMPLETED', 'FAILED', 'REVERSED', 'CANCELLED', 'neededOperator', 'paidAfterGivenBack'] as const;

test(`in ${HISTORIES} random conversations no payout is paid and given back, given back twice, or open for ever`, () => {
  const endings = {
    COMPLETED: 0,
    FAILED: 0,
    REVERSED: 0,
    CANCELLED: 0,
    PROCESSING: 0,
    neededOperator: 0,
    paidAfterGivenBack: 0,
  };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
    try {
      const { status, neededOperator, wasLate } = liveThrough(seed);
      endings[status] += 1;
      if (neededOperator) endings.neededOperator += 1;
      if (wasLate) endings.paidAfterGivenBack += 1;
    } catch (error) {
      throw new Error(`history ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  process.stdout.write(`${JSON.stringify(endings)}\n`);
  // The generator must reach every kind of ending; otherwise the test would show nothing about it.
  for (const ending of ENDINGS) expect(endings[ending]).toBeGreaterThan(HISTORIES / 100);
  expect(endings.PROCESSING).toBe(0);
}, 600_000);
