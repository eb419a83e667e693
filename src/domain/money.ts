/** Money is integer cents in `bigint`. No function rounds twice, and no `number` is ever summed. */

type CurrencyTerms = {
  /** The ISO 4217 code that providers, banks and statements use. */
  readonly iso: string;
  /** Digits after the decimal point. Amounts count the smallest unit. */
  readonly decimals: number;
  /** The rate that `seed-configs` sets for a company. */
  readonly transferTaxBasisPoints: number;
};

/**
 * All currencies of the service. Request schemas, accounts, ISO names, provider formats and the sandbox follow from this table.
 * A new currency is a row at the end of it, because lists and forms show the currencies in this order, and a migration that calls
 * `add_currency` with the same code, ISO code and decimals. A company that exists takes no transfer tax in the new currency until
 * it calls `seed-configs` again.
 */
export const CURRENCIES = {
  USD: { iso: 'USD', decimals: 2, transferTaxBasisPoints: 200 },
  /** Zimbabwe Gold is ZWG (924) in ISO 4217. */
  ZIG: { iso: 'ZWG', decimals: 2, transferTaxBasisPoints: 150 },
} as const satisfies Record<string, CurrencyTerms>;

export type Currency = keyof typeof CURRENCIES;
type IsoCurrency = (typeof CURRENCIES)[Currency]['iso'];

export const CURRENCY_CODES = Object.keys(CURRENCIES) as [Currency, ...Currency[]]; // Object.keys loses the key types
export const ISO_CURRENCIES = CURRENCY_CODES.map(isoCurrency) as [IsoCurrency, ...IsoCurrency[]]; // as many as there are codes
/** The currency of forms and pages in which nobody has chosen one yet. */
export const DEFAULT_CURRENCY: Currency = 'USD';

export function isoCurrency(currency: Currency): IsoCurrency {
  return CURRENCIES[currency].iso;
}

/** Our code for an ISO 4217 code; `undefined` for a currency that the service does not support. */
export function currencyOfIso(iso: string): Currency | undefined {
  return CURRENCY_CODES.find((code) => CURRENCIES[code].iso === iso);
}

/** The largest amount in a request: the largest integer that is exact in all JSON clients. */
export const MAX_REQUEST_CENTS = 9_007_199_254_740_991n;
/** An amount as a JSON integer. Throws where it would not be exact. */
export function integerCents(cents: bigint): number {
  if (cents > MAX_REQUEST_CENTS || cents < -MAX_REQUEST_CENTS)
    throw new RangeError('the amount cannot be an exact JSON integer');
  return Number(cents);
}

/** The largest total that the ledger stores, slightly below PostgreSQL's bigint maximum. */
export const MAX_TOTAL_CENTS = 9_200_000_000_000_000_000n;

const BASIS_POINTS = 10_000n;

/** `basisPoints` of `amountCents`, half a cent rounded up: (x·bp + 5000) div 10000. */
export function fee(amountCents: bigint, basisPoints: number): bigint {
  return (amountCents * BigInt(basisPoints) + BASIS_POINTS / 2n) / BASIS_POINTS;
}

export function minCents(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function maxCents(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
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

/** An amount in units of its currency: `25000n` in USD is `250.00`. */
export function formatAmount(amountCents: bigint, currency: Currency): string {
  const { decimals }: CurrencyTerms = CURRENCIES[currency];
  const digits = (amountCents < 0n ? -amountCents : amountCents).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${amountCents < 0n ? '-' : ''}${whole}${fraction}`;
}

const DECIMAL = /^(\d{1,17})(?:\.(\d{1,4}))?$/;

/** The inverse of `formatAmount` for non-negative amounts; `undefined` for any other text. Parses digits only, no floats. */
export function parseAmount(text: string, currency: Currency): bigint | undefined {
  const { decimals }: CurrencyTerms = CURRENCIES[currency];
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
