import type { Currency } from '../domain/money.ts';

/** What ISO 4217 calls our currencies: Zimbabwe Gold is ZWG (924) there, ZIG here. */
const ISO_4217 = { USD: 'USD', ZIG: 'ZWG' } as const satisfies Record<Currency, string>;

export function isoCurrency(currency: Currency): string {
  return ISO_4217[currency];
}

/** Our name of an ISO 4217 code; `undefined` for a currency we do not keep. */
export function currencyOfIso(code: string): Currency | undefined {
  return code === ISO_4217.USD ? 'USD' : code === ISO_4217.ZIG ? 'ZIG' : undefined;
}

const DECIMAL = /^(\d{1,17})(?:\.(\d{1,2}))?$/;

/** Cents of a decimal amount such as `92.00`, by its digits alone; `undefined` for anything else. */
export function parseDecimalCents(text: string): bigint | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
}
