import { type Day, dayAfter, dayIn, isDay, monthOf, startOfDay, UTC } from '../domain/time-zone.ts';
import { addressOf, type Query } from './addresses.ts';
import { type Html, html, NOTHING } from './components/html.ts';
import { t } from './language/message.ts';
import type { Visit } from './page.ts';

/** Windows of days, as people type them: days of the company's zone. The API takes days of UTC, and instants. */

const FIRST_DAYS: readonly string[] = ['createdFrom', 'startDate', 'updatedSince'];
const LAST_DAYS: readonly string[] = ['createdTo', 'endDate'];

/** The query for the API: its days become the instants at which they begin or end in the zone. */
export function inZone<Asked extends Query>(query: Asked, timeZone: string): Asked {
  const instants = Object.entries(query).map(([name, value]) => [name, instantOf(name, value, timeZone)]);
  return Object.fromEntries(instants) as Asked; // the same names
}

function instantOf(name: string, value: string, timeZone: string): string {
  if (timeZone === UTC || !isDay(value)) return value;
  if (FIRST_DAYS.includes(name)) return startOfDay(value, timeZone);
  // The end of a window belongs to it.
  if (LAST_DAYS.includes(name)) return new Date(Date.parse(startOfDay(dayAfter(value), timeZone)) - 1).toISOString();
  return value;
}

export function todayOf({ now, language }: Pick<Visit, 'now' | 'language'>): Day {
  return dayIn(language.timeZone, now);
}

/** Links to this and the last month. `path`: of the page, with its other filters in `query`. */
export function monthLinks(visit: Visit, path: string, query: Query, [from, to]: readonly [string, string]): Html {
  const link = (before: number) => {
    const { first, last } = monthOf(todayOf(visit), before);
    const isShown = query[from] === first && query[to] === last;
    return html`<a href="${addressOf(path, { ...query, [from]: first, [to]: last })}"${isShown ? html` aria-current="true"` : NOTHING}>${before === 0 ? t('This month') : t('Last month')}</a>`;
  };
  return html`<span class="presets">${link(0)} ${link(1)}</span>`;
}
