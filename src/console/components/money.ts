import { CURRENCY_CODES, type Currency, formatAmount } from '../../domain/money.ts';
import { numberFormat } from '../language/formats.ts';
import type { Language } from '../language/languages.ts';
import { Message } from '../language/message.ts';
import { type Html, html } from './html.ts';

/** Amounts as pages show them. Cents come as `bigint` or as the API's strings of digits, and never become floats. */

export type Cents = bigint | string;

const MINUS = '\u2212';

/** `1,250.00`, `1 250,00`. Exact for any amount. The minus sign of a negative amount stands before its digits. */
export function amountText(cents: Cents, currency: Currency): Message {
  return written(cents, currency, (exact) => ({
    minimumFractionDigits: exact.split('.')[1]?.length ?? 0,
  }));
}

/** `USD 1,250.00`, `1 250,00 USD`: the code instead of a symbol, because several supported currencies are dollars. */
export function moneyText(cents: Cents, currency: Currency): Message {
  return written(cents, currency, () => ({ style: 'currency', currency, currencyDisplay: 'code' }));
}

function written(cents: Cents, currency: Currency, options: (exact: string) => Intl.NumberFormatOptions): Message {
  const value = BigInt(cents);
  const exact = formatAmount(value < 0n ? -value : value, currency) as Intl.StringNumericLiteral; // digits with a point
  return new Message(({ locale }) => {
    const parts = numberFormat(locale, options(exact)).formatToParts(exact);
    const first = parts.findIndex(({ type }) => type === 'integer');
    return parts.map((part, index) => (index === first && value < 0n ? MINUS : '') + part.value).join('');
  });
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
 * Digits without groups, or groups of three that are all separated by the same character; then decimals. A comma separates
 * groups in English, and decimals in French and Portuguese. Any other text could mean two amounts.
 */
const TYPED: { readonly [Tag in Language['tag']]: RegExp } = {
  en: /^(\d{1,17}|[1-9]\d{0,2}([, \u00a0\u202f])\d{3}(?:\2\d{3}){0,4})(?:\.(\d{0,4}))?$/,
  fr: /^(\d{1,17}|[1-9]\d{0,2}([ \u00a0\u202f])\d{3}(?:\2\d{3}){0,4})(?:[.,](\d{0,4}))?$/,
  pt: /^(\d{1,17}|[1-9]\d{0,2}([ \u00a0\u202f])\d{3}(?:\2\d{3}){0,4})(?:[.,](\d{0,4}))?$/,
};

/**
 * What a person types into an amount field, in units: `1250`, `1,250.00`, `1 250.5`; `1 250,50` in French and Portuguese. In
 * cents; undefined for any other text, and for more decimals than the currency has.
 */
export function typedCents(text: string, currency: Currency, { tag }: Language): bigint | undefined {
  const [, whole, , fraction = ''] = TYPED[tag].exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const decimals = formatAmount(0n, currency).split('.')[1]?.length ?? 0;
  if (fraction.length > decimals) return undefined;
  return BigInt(whole.replace(/[,\s]/g, '') + fraction.padEnd(decimals, '0'));
}
