import { DAY_MS, type Instant } from './time.ts';

/** Days and clock times in a company's time zone, an IANA name such as Africa/Harare. */

/** The zone of companies that have not chosen one, and of the API. */
export const UTC = 'UTC';
/** A calendar day: 2026-11-22. */
export type Day = string;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/;

export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export function isDay(text: string): text is Day {
  return DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

/** The clock of a zone: `2026-11-22 14:05:00`. To make one takes long, so make one for many instants. */
export function clockOf(zone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const { year = '', month, day, hour, minute, second } = parts;
    return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`;
  };
}

export function dayIn(zone: string, at: Date): Day {
  return clockOf(zone)(at).slice(0, 10);
}

export function dayAfter(day: Day, days = 1): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

const MINUTE_MS = 60_000;
/** Clocks change by less than this within a day. */
const MAX_CHANGE_MS = 3 * 3_600_000;

/** The first instant of the day in the zone. Some zones skip midnight when their clocks go forward. */
export function startOfDay(day: Day, zone: string): Instant {
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (zone === UTC) return new Date(utc).toISOString();
  const clock = clockOf(zone);
  const offset = Date.parse(`${clock(new Date(utc)).replace(' ', 'T')}Z`) - utc;
  let low = utc - offset - MAX_CHANGE_MS;
  let high = utc - offset + MAX_CHANGE_MS;
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / MINUTE_MS / 2) * MINUTE_MS;
    if (clock(new Date(middle)).slice(0, 10) >= day) high = middle;
    else low = middle;
  }
  return new Date(high).toISOString();
}

/**
 * The instant at which a clock of the zone shows `2026-11-22T14:05`; null for other texts. Of a time that comes twice it is the first one,
 * and a time that is skipped is read with the clock before the change.
 */
export function instantAt(text: string, zone: string): Instant | null {
  const utc = Date.parse(`${text}Z`);
  if (!LOCAL_TIME.test(text) || Number.isNaN(utc)) return null;
  const clock = clockOf(zone);
  const offsetAt = (ms: number) =>
    Date.parse(`${clock(new Date(ms)).replace(' ', 'T')}Z`) - Math.floor(ms / 1_000) * 1_000;
  const [before, after] = [offsetAt(utc - DAY_MS), offsetAt(utc + DAY_MS)];
  const offset = [before, after].find((one) => offsetAt(utc - one) === one) ?? before;
  return new Date(utc - offset).toISOString();
}

/** The first and the last day of the month of `day`, or of a month `before` it. */
export function monthOf(day: Day, before = 0): { readonly first: Day; readonly last: Day } {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const at = (index: number, date: number) =>
    new Date(Date.UTC(year, month - 1 + index, date)).toISOString().slice(0, 10);
  return { first: at(-before, 1), last: at(1 - before, 0) };
}
