import type { Context } from 'hono';
import type { Position } from '../../db/core/list-reader.ts';
import type { ApiEnv } from '../context.ts';
import { cursorOf } from '../schemas/lists.ts';

/**
 * The headers of a list, whatever its shape: the total count, and the address of the next page. The list's query is in
 * schemas/lists.ts.
 */

type Asked = { readonly limit: number; readonly offset: number; readonly sort?: string };

/** Sets `X-Total-Count`, and `Link` with `rel="next"` while there are more rows. */
export function describeList(
  c: Context<ApiEnv>,
  { limit, offset, sort }: Asked,
  {
    total,
    records,
    next,
  }: { readonly total: number; readonly records: readonly unknown[]; readonly next?: Position | null },
  /** What the address of the next page says beside its page. */
  also: Readonly<Record<string, string>> = {},
): void {
  c.header('X-Total-Count', String(total));
  if (next === undefined) {
    if (offset + records.length < total && records.length > 0) linkNext(c, { ...also, limit, offset: offset + limit });
  } else if (next !== null && sort !== undefined) {
    linkNext(c, { limit, cursor: cursorOf(sort, next) });
  }
}

/** The answer of a list with its number of rows and its page, and its headers. */
export function pageAnswer<Row, View>(
  c: Context<ApiEnv>,
  asked: Asked,
  found: { readonly total: number; readonly records: readonly Row[]; readonly next?: Position | null },
  viewOf: (row: Row) => View,
): { data: View[]; total: number; limit: number; offset: number } {
  describeList(c, asked, found);
  const { limit, offset } = asked;
  return { data: found.records.map((row) => viewOf(row)), total: found.total, limit, offset };
}

/** Sets the same headers for the list that counts pages from 1. */
export function describePages(c: Context<ApiEnv>, page: number, limit: number, total: number): void {
  c.header('X-Total-Count', String(total));
  if (page * limit < total) linkNext(c, { page: page + 1, limit });
}

/** The answer of a list that goes on after an id, and its `Link`. `found` has one row more than `limit` if there are more. */
export function answerAfter<Row, View extends { readonly id: string | number }>(
  c: Context<ApiEnv>,
  limit: number,
  found: readonly Row[],
  viewOf: (row: Row) => View,
): { data: View[]; hasMore: boolean } {
  const data = found.slice(0, limit).map((row) => viewOf(row));
  const last = data.at(-1);
  const hasMore = found.length > limit;
  if (hasMore && last !== undefined) linkNext(c, { limit, after: last.id });
  return { data, hasMore };
}

/** Sets `Link` with `rel="next"`: the address of this request with `changes`. */
function linkNext(c: Context<ApiEnv>, changes: Readonly<Record<string, string | number>>): void {
  const { pathname, searchParams } = new URL(c.req.url);
  searchParams.delete('offset');
  for (const [name, value] of Object.entries(changes)) searchParams.set(name, String(value));
  c.header('Link', `<${c.var.baseUrl}${pathname}?${searchParams}>; rel="next"`);
}
