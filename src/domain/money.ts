/**
 * Money is integer cents in `bigint`. Nothing here rounds twice, and no `number` is ever summed.
 */

export const CURRENCIES = ['USD', 'ZIG'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The largest amount a request may carry: the largest integer that JSON clients agree on. */
export const MAX_REQUEST_CENTS = 9_007_199_254_740_991n;
/** The largest total the ledger keeps, a little under PostgreSQL's bigint. */
export const MAX_TOTAL_CENTS = 9_200_000_000_000_000_000n;

const BASIS_POINTS = 10_000n;

/** `basisPoints` of `amountCents`, half a cent rounded up: (x·bp + 5000) div 10000. */
export function fee(amountCents: bigint, basisPoints: number): bigint {
  return (amountCents * BigInt(basisPoints) + BASIS_POINTS / 2n) / BASIS_POINTS;
}

export function minCents(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function sumCents(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

/**
 * Splits `amountCents` by integer weights so that the parts sum to it exactly: each part is the difference of two
 * rounded-down cumulative shares, so no part is off by a cent or more. All weights zero: the last part takes everything.
 */
export function allocate(amountCents: bigint, weights: readonly bigint[]): bigint[] {
  const totalWeight = sumCents(weights);
  if (totalWeight === 0n) return weights.map((_, index) => (index === weights.length - 1 ? amountCents : 0n));
  let cumulative = 0n;
  let allocated = 0n;
  return weights.map((weight) => {
    cumulative += weight;
    const upToHere = (amountCents * cumulative) / totalWeight;
    const part = upToHere - allocated;
    allocated = upToHere;
    return part;
  });
}

/** Cents as people read them: `25000n` is `250.00`. */
export function formatCents(amountCents: bigint): string {
  const digits = (amountCents < 0n ? -amountCents : amountCents).toString().padStart(3, '0');
  return `${amountCents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
