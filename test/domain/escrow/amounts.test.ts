import { describe, expect, test } from '@jest/globals';
import { heldCentsOf } from '../../../src/domain/escrow/shares.ts';
import type { MilestoneId } from '../../../src/domain/ids.ts';
import { fromWire, toWire } from '../../../src/domain/messages/wire.ts';
import { command, feesOf, initiate, milestones, movements, must, plan, refusal, tell } from './build.ts';

const milestoneId = (name: string) => name as MilestoneId; // tests name milestones m1, m2, …
const amountsOf = (told: ReturnType<typeof tell>) =>
  told.state.milestones.map(({ shares }) => [
    Number(shares.systemFeeCents),
    Number(shares.sellerPayoutCents),
    Number(shares.buyerRefundCents),
    Number(heldCentsOf(shares)),
  ]);

describe('the held and paid amounts of an escrow, to the cent', () => {
  test.each([
    // total, bp, service bp, payer        held,   S,   V, payout
    [10_050n, 100, 0, 'SELLER', 10_050n, 101n, 0n, 9_949n],
    [49n, 100, 0, 'SELLER', 49n, 0n, 0n, 49n],
    [50n, 100, 0, 'SELLER', 50n, 1n, 0n, 49n],
    [1n, 100, 100, 'SELLER', 1n, 0n, 0n, 1n],
    [1n, 5000, 5000, 'SELLER', 1n, 1n, 0n, 0n],
    [10_050n, 100, 0, 'BUYER', 10_151n, 101n, 0n, 10_050n],
    [10_000n, 100, 250, 'SELLER', 10_000n, 100n, 250n, 9_650n],
    [10_000n, 100, 250, 'BUYER', 10_350n, 100n, 250n, 10_000n],
    [
      9_000_000_000_000_000_000n,
      100,
      0,
      'SELLER',
      9_000_000_000_000_000_000n,
      90_000_000_000_000_000n,
      0n,
      8_910_000_000_000_000_000n,
    ],
  ] as const)(
    '%s at %s and %s basis points, %s pays: held %s, fees %s and %s, payout %s',
    (totalCents, system, service, feePayer, held, s, v, payout) => {
      const begun = tell([
        initiate({
          terms: { totalCents, feePayer },
          fees: feesOf(system, service),
        }),
      ]);
      expect(begun.state).toMatchObject({ status: 'ACTIVE', heldCents: held });
      const released = tell([command('release', {})], begun.state);
      expect(released.state).toMatchObject({
        status: 'COMPLETED',
        heldCents: 0n,
        releasedCents: payout,
        feesCents: s + v,
      });
      const expected = {
        'account-of-buyer': -held,
        'account-of-seller': payout,
        'account-of-service-fee': v,
        'account-of-system-fee': s,
      };
      expect(movements(released.postings)).toEqual(
        Object.fromEntries(Object.entries(expected).filter(([, cents]) => cents !== 0n)),
      );
    },
  );

  test("cancelling also refunds the buyer's payment for fees", () => {
    const begun = tell([initiate({ terms: { totalCents: 10_050n, feePayer: 'BUYER' } })]);
    const { state } = tell([command('cancel', { actor: 'BUYER', adminId: null })], begun.state);
    expect(state).toMatchObject({ status: 'CANCELLED', refundedCents: 10_151n, heldCents: 0n });
  });

  test('milestones divide fees and payout separately, and sum exactly', () => {
    const told = tell([initiate({ terms: { totalCents: 10_001n }, milestones: milestones(33, 33, 34) })]);
    expect(amountsOf(told)).toEqual([
      [33, 3267, 0, 3300],
      [33, 3267, 0, 3300],
      [34, 3367, 0, 3401],
    ]);
  });

  test('equal percentages can differ by a cent in each part: 10,000 cents in quarters with two fees', () => {
    const told = tell([
      initiate({
        terms: { totalCents: 10_000n },
        fees: feesOf(100, 250),
        milestones: milestones(25, 25, 25, 25),
      }),
    ]);
    expect(told.state.milestones.map(({ shares }) => shares.serviceFeeCents)).toEqual([62n, 63n, 62n, 63n]);
    expect(amountsOf(told)).toEqual([
      [25, 2412, 0, 2499],
      [25, 2413, 0, 2501],
      [25, 2412, 0, 2499],
      [25, 2413, 0, 2501],
    ]);
  });

  test('1,001 cents in thirds', () => {
    const told = tell([initiate({ terms: { totalCents: 1_001n }, milestones: milestones(33.33, 33.33, 33.34) })]);
    expect(amountsOf(told)).toEqual([
      [3, 330, 0, 333],
      [3, 330, 0, 333],
      [4, 331, 0, 335],
    ]);
    const paid = tell(
      ['m1', 'm2', 'm3'].map((name) => command('release-milestone', { milestoneId: milestoneId(name) })),
      told.state,
    );
    expect(paid.state).toMatchObject({ status: 'COMPLETED', releasedCents: 991n, feesCents: 10n, heldCents: 0n });
  });

  test('a milestone of zero cents is released without a transaction', () => {
    const told = tell([initiate({ terms: { totalCents: 1n }, milestones: milestones(50, 50) })]);
    const first = tell([command('release-milestone', { milestoneId: milestoneId('m1') })], told.state);
    expect(first.postings).toEqual([]);
    expect(first.state.milestones[0]?.status).toBe('RELEASED');
  });

  test('an adjusted milestone keeps its fees and gives the rest back on its release', () => {
    const told = tell([initiate({ terms: { totalCents: 10_001n }, milestones: milestones(33, 33, 34) })]);
    const propose = command('adjust-milestone', {
      actor: 'BUYER',
      milestoneId: milestoneId('m2'),
      sellerPayoutCents: 3_000n,
    });
    const proposed = tell([propose], told.state).state;
    const answer = {
      actor: 'SELLER',
      milestoneId: milestoneId('m2'),
      negotiationId: must(proposed.negotiations[0]?.negotiationId),
    } as const;
    const agreed = tell([command('accept-negotiation', answer)], proposed);
    expect(amountsOf(agreed)[1]).toEqual([33, 3000, 267, 3300]);
    const paid = tell([command('release-milestone', { milestoneId: milestoneId('m2') })], agreed.state);
    expect(movements(paid.postings)).toEqual({
      'account-of-buyer': -3_033n,
      'account-of-seller': 3_000n,
      'account-of-system-fee': 33n,
    });
    expect(paid.state).toMatchObject({ refundedCents: 267n, heldCents: 6_701n });
  });

  test('a plan agreed after the first of three payments divides the rest', () => {
    const begun = tell([initiate({ terms: { totalCents: 10_001n }, milestones: milestones(33, 33, 34) })]).state;
    const first = tell([command('release-milestone', { milestoneId: milestoneId('m1') })], begun).state;
    expect(first.heldCents).toBe(6_701n);
    const proposed = tell([command('negotiate', { actor: 'SELLER', plan: plan(60n, 0n, 6_000n) })], first).state;
    const accepted = tell(
      [
        command('accept-negotiation', {
          actor: 'BUYER',
          milestoneId: null,
          negotiationId: must(proposed.negotiations[0]?.negotiationId),
        }),
      ],
      proposed,
    );
    expect(amountsOf(accepted).slice(1)).toEqual([
      [29, 2955, 315, 3299],
      [31, 3045, 326, 3402],
    ]);
    const released = tell([command('release', {})], accepted.state).state;
    expect(released).toMatchObject({ status: 'COMPLETED', releasedCents: 9_267n, refundedCents: 641n, feesCents: 93n });
  });

  test('a resolution 40/60 with refund: earlier payments, new payments and the refund sum to the total', () => {
    const begun = tell([initiate({ terms: { totalCents: 10_001n }, milestones: milestones(33, 33, 34) })]).state;
    const first = tell([command('release-milestone', { milestoneId: milestoneId('m1') })], begun).state;
    const disputed = tell([command('dispute', { actor: 'BUYER' })], first).state;
    const resolve = command('admin-resolve', { plan: plan(0n, 0n, 4_000n), adminId: 'admin' as never });
    const { state, postings } = tell([resolve], disputed);
    expect(state).toMatchObject({ status: 'RESOLVED', refundedCents: 2_701n, heldCents: 0n });
    expect(3_300n + 4_000n + state.refundedCents).toBe(10_001n);
    expect(state.milestones.map(({ status }) => status)).toEqual(['RELEASED', 'RELEASED', 'RELEASED']);
    expect(movements(postings)).toEqual({ 'account-of-buyer': -4_000n, 'account-of-seller': 4_000n });
  });

  test.each([
    ['a split plan that does not sum to the total', { splitPlan: plan(1n, 0n, 1n) }, 'split_mismatch'],
    ['milestones that do not total 100', { milestones: milestones(50, 49.99) }, 'milestones_must_total_100'],
    ['a total past what the ledger keeps', { terms: { totalCents: 9_200_000_000_000_000_001n } }, 'amount_too_large'],
    ['a buyer who is the seller', { terms: { sellerId: 'buyer' as never } }, 'same_party'],
  ])('%s is refused', (_what, fields, code) => {
    expect(refusal(null, initiate(fields))).toBe(code);
  });

  test('an explicit plan equals the held amount for every payer of the fees', () => {
    const { state } = tell([initiate({ terms: { feePayer: 'BUYER' }, splitPlan: plan(0n, 500n, 9_500n) })]);
    expect(state).toMatchObject({ heldCents: 10_000n, shares: { serviceFeeCents: 500n, buyerRefundCents: 0n } });
  });

  test('a state is unchanged after conversion to JSON and back', () => {
    const { state } = tell([initiate({ milestones: milestones(50, 50) })]);
    expect(fromWire(JSON.parse(JSON.stringify(toWire(state))))).toEqual(state);
  });
});
