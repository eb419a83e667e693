export type Query = Readonly<Record<string, string>>;

/** The address of a page with a query. Empty values are left out. */
export function addressOf(path: string, query: Query): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return search.size === 0 ? path : `${path}?${search}`;
}
