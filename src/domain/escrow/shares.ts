import { allocate, fee, minCents } from '../money.ts';

/** The division of an amount. The four parts sum to the amount that is held for it. */
export type Shares = {
  readonly systemFeeCents: bigint;
  readonly serviceFeeCents: bigint;
  readonly sellerPayoutCents: bigint;
  readonly buyerRefundCents: bigint;
};

/** A split in a proposal: the part that it does not name is returned to the buyer. */
export type SplitPlan = Omit<Shares, 'buyerRefundCents'>;

export const FEE_PAYERS = ['BUYER', 'SELLER'] as const;
export type FeePayer = (typeof FEE_PAYERS)[number];

export const NO_SHARES: Shares = {
  systemFeeCents: 0n,
  serviceFeeCents: 0n,
  sellerPayoutCents: 0n,
  buyerRefundCents: 0n,
};

/** The amount that leaves the buyer: fees and payout. */
export function paidCents(shares: SplitPlan): bigint {
  return shares.systemFeeCents + shares.serviceFeeCents + shares.sellerPayoutCents;
}

/** The amount that is held for these shares: the sum of all four parts. */
export function heldCentsOf(shares: Shares): bigint {
  return paidCents(shares) + shares.buyerRefundCents;
}

export function addShares(a: Shares, b: Shares): Shares {
  return {
    systemFeeCents: a.systemFeeCents + b.systemFeeCents,
    serviceFeeCents: a.serviceFeeCents + b.serviceFeeCents,
    sellerPayoutCents: a.sellerPayoutCents + b.sellerPayoutCents,
    buyerRefundCents: a.buyerRefundCents + b.buyerRefundCents,
  };
}

/** The plan's shares of `heldCents`; the remainder is the buyer's. Requires that the plan does not exceed `heldCents`. */
export function sharesOf(plan: SplitPlan, heldCents: bigint): Shares {
  return { ...plan, buyerRefundCents: heldCents - paidCents(plan) };
}

/**
 * The shares that result from the company's fees. By default the seller pays the fees out of the total. If the buyer pays them,
 * they are held in addition to it. Fees never exceed the total.
 */
export function defaultShares(
  totalCents: bigint,
  fees: { readonly systemFeeBasisPoints: number; readonly serviceFeeBasisPoints: number },
  feePayer: FeePayer,
): Shares {
  const systemFeeCents = minCents(fee(totalCents, fees.systemFeeBasisPoints), totalCents);
  const serviceFeeCents = minCents(fee(totalCents, fees.serviceFeeBasisPoints), totalCents - systemFeeCents);
  const sellerPayoutCents = feePayer === 'BUYER' ? totalCents : totalCents - systemFeeCents - serviceFeeCents;
  return { systemFeeCents, serviceFeeCents, sellerPayoutCents, buyerRefundCents: 0n };
}

/** Divides each part separately by `weights`, so that every part and the whole sum exactly. */
export function allocateShares(shares: Shares, weights: readonly bigint[]): Shares[] {
  const systemFees = allocate(shares.systemFeeCents, weights);
  const serviceFees = allocate(shares.serviceFeeCents, weights);
  const payouts = allocate(shares.sellerPayoutCents, weights);
  const refunds = allocate(shares.buyerRefundCents, weights);
  return weights.map((_, index) => ({
    systemFeeCents: systemFees[index] ?? 0n,
    serviceFeeCents: serviceFees[index] ?? 0n,
    sellerPayoutCents: payouts[index] ?? 0n,
    buyerRefundCents: refunds[index] ?? 0n,
  }));
}
