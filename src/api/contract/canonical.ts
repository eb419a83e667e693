import { createHash } from 'node:crypto';
import { UploadedFile } from '../bodies/uploaded-file.ts';

/** One canonical form of a parsed request, independent of field order and white space. */

/**
 * SHA-256 of `operation` and the parsed parts. A file counts by its content, not by its name or type. A null field counts in PATCH
 * only, where it clears.
 */
export async function digestOf(operation: string, parsed: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const parts = await Promise.all(
    Object.values(parsed).map(async (part) => (isObject(part) && hasFile(part) ? withFileDigests(part) : part)),
  );
  const names = Object.keys(parsed);
  const isPatch = operation.startsWith('PATCH ');
  const request = Object.fromEntries(
    names.map((name, index) => [name === 'form' ? 'json' : name, isPatch ? parts[index] : withoutNulls(parts[index])]),
  );
  return createHash('sha256')
    .update(`${operation}\n${canonical(request)}`)
    .digest();
}

/** A null field is the same as an absent one, except in metadata, which is stored as it is sent. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value) || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([name, inner]) => [name, name === 'metadata' ? inner : withoutNulls(inner)]),
  );
}

/** JSON with sorted names and without absent fields. */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${fields.join(',')}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function hasFile(part: Readonly<Record<string, unknown>>): boolean {
  return Object.values(part).some((value) => value instanceof UploadedFile);
}

async function withFileDigests(part: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const fields = Object.entries(part).map(async ([name, value]): Promise<[string, unknown]> => {
    return [name, value instanceof UploadedFile ? `sha256:${(await value.sha256()).toString('hex')}` : value];
  });
  return Object.fromEntries(await Promise.all(fields));
}
