import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { timeFormat } from '../language/formats.ts';
import { Message, t } from '../language/message.ts';
import { type Html, html } from './html.ts';

/** Instants in pages: in the company's time zone, with UTC in the title. */

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const DAY_AND_TIME = { ...DAY, hour: '2-digit', minute: '2-digit' } as const;

/** `22 Nov 2026, 11:56`. */
export function momentText(at: Date | string): Message {
  return new Message(({ locale, timeZone }) => timeFormat(locale, { ...DAY_AND_TIME, timeZone }).format(new Date(at)));
}

/** `22 Nov 2026`. */
export function dayText(at: Date | string): Message {
  return new Message(({ locale, timeZone }) => timeFormat(locale, { ...DAY, timeZone }).format(new Date(at)));
}

/** An instant; a dash where there is none. */
export function time(at: Date | string | null | undefined): Html {
  if (at == null) return html`<span class="none">–</span>`;
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" title="${iso.slice(0, 19).replace('T', ' ')} UTC">${momentText(iso)}</time>`;
}

const MINUTE_MS = 60_000;

/** `1 day`, `3 days`. */
export function daysText(days: number): Message {
  return t('{days, plural, one {# day} other {# days}}', { days });
}

/** How long ago, or how long until, in one unit: `3 days`, `12 min`. */
export function spanText(ms: number): Message {
  const span = Math.abs(ms);
  if (span < MINUTE_MS) return t('less than a minute');
  if (span < HOUR_MS) return t('{minutes} min', { minutes: Math.floor(span / MINUTE_MS) });
  if (span < 2 * DAY_MS) return t('{hours} h', { hours: Math.floor(span / HOUR_MS) });
  return daysText(Math.floor(span / DAY_MS));
}
