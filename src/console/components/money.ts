import { CURRENCY_CODES, type Currency, formatAmount } from '../../domain/money.ts';
import { type Html, html } from './html.ts';

/** Amounts as pages show them. Cents come as `bigint` or as the API's strings of digits, and never become floats. */

export type Cents = bigint | string;

const GROUPED = new Intl.NumberFormat('en');
const MINUS = '\u2212';
const NO_BREAK_SPACE = '\u00a0';

/** `1,250.00`, or `−1,250.00`. Exact for any amount. */
export function amountText(cents: Cents, currency: Currency): string {
  const value = BigInt(cents);
  const [whole = '0', ...fraction] = formatAmount(value < 0n ? -value : value, currency).split('.');
  return `${value < 0n ? MINUS : ''}${[GROUPED.format(BigInt(whole)), ...fraction].join('.')}`;
}

/** `USD 1,250.00`: the code instead of a symbol, because several supported currencies are dollars. */
export function moneyText(cents: Cents, currency: Currency): string {
  return `${currency}${NO_BREAK_SPACE}${amountText(cents, currency)}`;
}

/** An amount with tabular digits. */
export function money(cents: Cents, currency: Currency): Html {
  return html`<span class="money">${moneyText(cents, currency)}</span>`;
}

/** Whether a text of an API answer is one of our currencies. */
export function isCurrency(text: unknown): text is Currency {
  return CURRENCY_CODES.some((code) => code === text);
}

/**
 * What a person types into an amount field, in units: `1250`, `1,250.00`, `1 250.5`. In cents; undefined for any other text, and
 * for more decimals than the currency has.
 */
export function typedCents(text: string, currency: Currency): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,3}(?:[,\s]?\d{3})*|\d{1,17})(?:\.(\d{0,4}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const decimals = formatAmount(0n, currency).split('.')[1]?.length ?? 0;
  if (fraction.length > decimals) return undefined;
  return BigInt(whole.replace(/[,\s]/g, '') + fraction.padEnd(decimals, '0'));
}
