import { type Text, t } from '../language/message.ts';
import { type Html, html, icon, NOTHING } from './html.ts';
import { countText } from './numbers.ts';

export type Pages = {
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

/** The query of the next page, from the API's `Link` header; null on the last page. */
export function nextQuery(link: string | null): string | null {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(link ?? '') ?? [];
  return address === undefined ? null : new URL(address, 'http://console').search;
}
