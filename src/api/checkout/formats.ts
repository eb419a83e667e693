import { type Currency, formatAmount } from '../../domain/money.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import type { Language } from './texts/languages.ts';

/** Numbers, amounts and times as a language writes them. */

export function formatCount(count: number, { locale }: Language): string {
  return new Intl.NumberFormat(locale).format(count);
}

/** `240 kB`, `1.2 MB`. */
export function formatBytes(bytes: number, { locale }: Language): string {
  const [value, unit] = bytes < 1_000_000 ? [Math.ceil(bytes / 1_000), 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}

/** `USD 1,250.00`, `1 250,00 USD`: the code instead of a symbol, because several currencies are dollars. Exact for any amount. */
export function formatMoney(amountCents: bigint, currency: Currency, { locale }: Language): string {
  const exact = formatAmount(amountCents, currency) as Intl.StringNumericLiteral; // digits with a point
  return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'code' }).format(exact);
}

/** `22 November 2026 at 12:05 UTC`, `22 November 2026 at 14:05 CAT`. */
export function formatMoment(at: Date, { locale }: Language, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    ...{ timeZone, timeZoneName: 'short' },
  } as Intl.DateTimeFormatOptions); // the spread loses the literal types
  return format.format(at);
}

const MINUTE_MS = 60_000;

/** How long the buyer still has, in the two largest units. */
export function formatTimeLeft(leftMs: number, { texts: { timeLeft } }: Language): string {
  if (leftMs < MINUTE_MS) return timeLeft.moments;
  if (leftMs < HOUR_MS) return timeLeft.minutes(Math.floor(leftMs / MINUTE_MS));
  if (leftMs < DAY_MS) return timeLeft.hours(Math.floor(leftMs / HOUR_MS), Math.floor((leftMs % HOUR_MS) / MINUTE_MS));
  return timeLeft.days(Math.floor(leftMs / DAY_MS), Math.floor((leftMs % DAY_MS) / HOUR_MS));
}
