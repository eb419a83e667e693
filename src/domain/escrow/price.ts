import { type Refused, refuse } from '../entity.ts';
import { amountDetails } from '../errors.ts';
import { type Currency, MAX_TOTAL_CENTS } from '../money.ts';
import { MAX_BASIS_POINTS } from './escrow.ts';
import {
  allocateShares,
  defaultShares,
  type FeePayer,
  heldCentsOf,
  paidCents,
  type Shares,
  type SplitPlan,
  sharesOf,
} from './shares.ts';

/** The terms of an escrow that determine its price. */
type Offer = {
  readonly totalCents: bigint;
  readonly currency: Currency;
  readonly fees: { readonly systemFeeBasisPoints: number; readonly serviceFeeBasisPoints: number };
  readonly feePayer: FeePayer;
  /** Null: the fees decide. */
  readonly splitPlan: SplitPlan | null;
  /** One for each milestone. */
  readonly weightsBasisPoints: readonly number[];
};

/** What the buyer pays, and who gets it. */
type Price = {
  readonly kind: 'priced';
  readonly dueCents: bigint;
  readonly shares: Shares;
  /** The shares of each milestone. */
  readonly parts: readonly Shares[];
};

/** The price of an escrow, for a quote and for its initiation alike. */
export function priceOf({
  totalCents,
  currency,
  fees,
  feePayer,
  splitPlan,
  weightsBasisPoints,
}: Offer): Price | Refused {
  if (splitPlan !== null && paidCents(splitPlan) !== totalCents)
    return refuse(
      'split_mismatch',
      `the split plan sums to ${paidCents(splitPlan)}, the total is ${totalCents}`,
      amountDetails(totalCents, paidCents(splitPlan), currency),
    );
  const weight = weightsBasisPoints.reduce((sum, one) => sum + one, 0);
  if (weightsBasisPoints.length > 0 && weight !== MAX_BASIS_POINTS)
    return refuse('milestones_must_total_100', 'milestone percentages must total exactly 100');
  const shares = splitPlan === null ? defaultShares(totalCents, fees, feePayer) : sharesOf(splitPlan, totalCents);
  const dueCents = heldCentsOf(shares);
  if (dueCents > MAX_TOTAL_CENTS)
    return refuse(
      'amount_too_large',
      'the total exceeds the largest amount of the ledger',
      amountDetails(MAX_TOTAL_CENTS, dueCents, currency),
    );
  return { kind: 'priced', dueCents, shares, parts: allocateShares(shares, weightsBasisPoints.map(BigInt)) };
}
