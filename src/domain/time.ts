/** Time in domain values. Nothing here reads a clock: `now` is always an argument. */

/** An instant as ISO 8601 in UTC, always with milliseconds: such strings sort in the order of time. */
export type Instant = string;

/** The order of time, for `sort`. */
export function byInstant(a: { readonly at: Instant }, b: { readonly at: Instant }): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export function addHours(instant: Instant, hours: number): Instant {
  return addMs(instant, hours * HOUR_MS);
}

export function addMs(instant: Instant, ms: number): Instant {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** The test clock moves by at most a year at once. */
export const MAX_ADVANCE_HOURS = 366 * 24;
/** A company's time is at most ten years ahead of real time. */
export const MAX_CLOCK_AHEAD_HOURS = 10 * MAX_ADVANCE_HOURS;
