import { type Branded, type Id, type IdKind, isUuid, parseId, publicId } from '../ids.ts';
import { MAX_REQUEST_CENTS, MAX_TOTAL_CENTS } from '../money.ts';
import type { Instant } from '../time.ts';

/**
 * How values are encoded in workflow messages. A message has the same JSON as the API's request bodies, so support can send
 * what the API reference shows. Input is never trusted: `parse` returns undefined for invalid values, and never throws.
 */
export type Codec<T> = {
  readonly parse: (raw: unknown) => T | undefined;
  readonly format: (value: T) => unknown;
};

export const id = <K extends IdKind>(kind: K): Codec<Id<K>> => ({
  parse: (raw) => (typeof raw === 'string' ? parseId(kind, raw) : undefined),
  format: (value) => publicId(kind, value),
});

/** The id of an object that clients never see: it has no prefix. */
export const internalId = <Name extends string>(): Codec<Branded<Name>> => ({
  parse: (raw) => (typeof raw === 'string' && isUuid(raw) ? (raw.toLowerCase() as Branded<Name>) : undefined), // checked
  format: (value) => value,
});

/** An amount in cents, as digits or as an integer: at most `most`. */
const centsUpTo = (most: bigint): Codec<bigint> => ({
  parse: (raw) => {
    const isInteger = typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0;
    if (!isInteger && !(typeof raw === 'string' && /^\d{1,19}$/.test(raw))) return undefined;
    const amount = BigInt(raw);
    return amount <= most ? amount : undefined;
  },
  format: (value) => value.toString(),
});

export const cents = centsUpTo(MAX_TOTAL_CENTS);
/** A price that answers show as a JSON integer. */
export const priceCents = centsUpTo(MAX_REQUEST_CENTS);

export const integer = (least: number, most: number): Codec<number> => ({
  parse: (raw) => (typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most ? raw : undefined),
  format: (value) => value,
});

export const flag: Codec<boolean> = {
  parse: (raw) => (typeof raw === 'boolean' ? raw : undefined),
  format: (value) => value,
};

/** A text of at most `most` UTF-16 code units. */
export const text = (most: number): Codec<string> => ({
  parse: (raw) => (typeof raw === 'string' && raw.length <= most ? raw : undefined),
  format: (value) => value,
});

export const oneOf = <const T extends string>(...values: readonly T[]): Codec<T> => ({
  parse: (raw) => values.find((value) => value === raw),
  format: (value) => value,
});

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

export const instant: Codec<Instant> = {
  parse: (raw) =>
    typeof raw === 'string' && INSTANT.test(raw) && !Number.isNaN(Date.parse(raw))
      ? new Date(raw).toISOString()
      : undefined,
  format: (value) => value,
};

/** Absent values and null both become null. */
export const optional = <T>(inner: Codec<T>): Codec<T | null> => ({
  parse: (raw) => (raw === undefined || raw === null ? null : inner.parse(raw)),
  format: (value) => (value === null ? null : inner.format(value)),
});

export const list = <T>(inner: Codec<T>, least: number, most: number): Codec<readonly T[]> => ({
  parse: (raw) => {
    if (!Array.isArray(raw) || raw.length < least || raw.length > most) return undefined;
    const parsed = raw.map(inner.parse).filter((element) => element !== undefined);
    return parsed.length === raw.length ? parsed : undefined;
  },
  format: (values) => values.map(inner.format),
});

/** A field whose name in messages is `name`. */
type NamedCodec<T> = Codec<T> & { readonly name?: string };
export const named = <T>(name: string, inner: Codec<T>): NamedCodec<T> => ({ ...inner, name });

/** An object with these fields. Other fields are ignored. */
export function record<T extends object>(fields: { readonly [Key in keyof T]-?: NamedCodec<T[Key]> }): Codec<T> {
  const keys = Object.keys(fields) as (keyof T & string)[]; // Object.keys loses the key types
  const nameOf = (key: keyof T & string) => fields[key].name ?? key;
  return {
    parse: (raw) => {
      if (typeof raw !== 'object' || raw === null) return undefined;
      const parsed: Partial<T> = {};
      for (const key of keys) {
        const name = nameOf(key);
        const value = fields[key].parse(Object.hasOwn(raw, name) ? Reflect.get(raw, name) : undefined);
        if (value === undefined) return undefined;
        parsed[key] = value;
      }
      return parsed as T; // every key of T was set
    },
    format: (value) => Object.fromEntries(keys.map((key) => [nameOf(key), fields[key].format(value[key])])),
  };
}
