/**
 * The JSON form of domain values, for workflow payloads and jsonb columns. Amounts are decimal strings there, because neither
 * supports `bigint`. By convention every amount's name ends in `Cents`, and `fromWire` relies on that.
 */
export type Wire<T> = T extends bigint
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Element)[]
      ? readonly Wire<Element>[]
      : { readonly [Key in keyof T]: Wire<T[Key]> };

export function toWire<T>(value: T): Wire<T> {
  return convert(value, (_key, leaf) => (typeof leaf === 'bigint' ? leaf.toString() : leaf)) as Wire<T>; // by construction
}

export function fromWire<T>(value: Wire<T>): T {
  // By construction.
  return convert(value, (key, leaf) => (key.endsWith('Cents') && typeof leaf === 'string' ? BigInt(leaf) : leaf)) as T;
}

function convert(value: unknown, leaf: (key: string, value: unknown) => unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => convert(element, leaf, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner, leaf, name)]));
  return leaf(key, value);
}
