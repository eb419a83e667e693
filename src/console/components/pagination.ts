import { addressOf, type Query } from '../addresses.ts';
import { type Text, t } from '../language/message.ts';
import { type Html, html, icon, NOTHING } from './html.ts';
import { countText } from './numbers.ts';

type Pages = {
  /** Rows on this page, and of the whole list; null where the API counts none. */
  readonly shown: number;
  readonly total: number | null;
  /** The address of the next page, and of the list's beginning; null where there is none. */
  readonly next: string | null;
  readonly first: string | null;
};

/** Rows are counted up to this number: a total of this number means this many or more. */
export const MAX_COUNTED_ROWS = 10_001;

function countedText(shown: number, total: number | null): Text {
  if (total === null) return t('{shown} shown', { shown });
  if (total === MAX_COUNTED_ROWS) return t('{shown} of {total}+', { shown, total: countText(total - 1) });
  return t('{shown} of {total}', { shown, total: countText(total) });
}

/** Below a list. Pages are read by cursor, so there is no page number to jump to. */
export function pagination({ shown, total, next, first }: Pages): Html {
  return html`<nav class="pages" aria-label="${t('Pages')}"><span class="soft">${countedText(shown, total)}</span>
<span class="pages-links">${first === null ? NOTHING : html`<a class="button small" href="${first}" rel="first">${icon('arrowLeft')}${t('First page')}</a>`}
${next === null ? NOTHING : html`<a class="button small" href="${next}" rel="next">${t('Next page')}${icon('arrowRight')}</a>`}</span></nav>`;
}

/** The query parameters of a page that is read by offset, as the address of the console's page has them. */
export function offsetPage(query: URLSearchParams, rows: number): { readonly limit: number; readonly offset: number } {
  const offset = query.get('offset') ?? '';
  return { limit: rows, offset: /^\d{1,9}$/.test(offset) ? Number(offset) : 0 };
}

/** Below such a list; nothing if it has one page. */
export function offsetPages(
  address: readonly [path: string, query: Query],
  { offset, shown, total }: { readonly offset: number; readonly shown: number; readonly total: number },
): Html {
  const [path, query] = address;
  if (total <= shown && offset === 0) return NOTHING;
  const next = offset + shown;
  return pagination({
    shown,
    total,
    next: next < total ? addressOf(path, { ...query, offset: String(next) }) : null,
    first: offset === 0 ? null : addressOf(path, query),
  });
}

/** The query of the next page, from the API's `Link` header; null on the last page. */
export function nextQuery(link: string | null): string | null {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(link ?? '') ?? [];
  return address === undefined ? null : new URL(address, 'http://console').search;
}
