import { z } from '@hono/zod-openapi';

/** Finds what a request has and its schema does not: names, with the nearest known name for each, and entries of lists. */

/** A name that the schema does not have. `path` is its position, such as `items.0.colour`. */
export type UnknownName = { readonly path: string; readonly nearest: string | undefined };

/** More than the typing errors of a person; the rest of a large foreign object is not compared. */
const MAX_UNKNOWN_NAMES = 20;
/** Only the start of a longer name is compared. */
const MAX_COMPARED_CHARACTERS = 64;
/** Shorter beginnings say too little. */
const MIN_BEGINNING_CHARACTERS = 3;

/** A list with more entries than the schema allows. */
type OverlongList = { readonly path: string; readonly most: number };

type Surplus = { readonly unknown: UnknownName[]; readonly overlong: OverlongList[] };

/** What `value` has, at any depth, and `schema` would drop or refuse: unknown fields, and lists that are too long. */
export function surplusOf(schema: unknown, value: unknown): Surplus {
  const found: Surplus = { unknown: [], overlong: [] };
  collect(schema, value, '', found);
  return found;
}

/** The names that are not among `known`. */
export function unknownNames(names: Iterable<string>, known: readonly string[], prefix = ''): UnknownName[] {
  const found: UnknownName[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    found.push({ path: `${prefix}${name}`, nearest: nearestOf(name, known) });
    if (found.length === MAX_UNKNOWN_NAMES) break;
  }
  return found;
}

function collect(schema: unknown, value: unknown, prefix: string, found: Surplus): void {
  const { unknown, overlong } = found;
  if (value === null || value === undefined || unknown.length >= MAX_UNKNOWN_NAMES) return;
  if (schema instanceof z.ZodObject) {
    if (typeof value !== 'object' || Array.isArray(value)) return;
    const shape: Readonly<Record<string, unknown>> = schema.shape;
    const room = MAX_UNKNOWN_NAMES - unknown.length;
    unknown.push(...unknownNames(Object.keys(value), Object.keys(shape), prefix).slice(0, room));
    for (const [name, inner] of Object.entries(value))
      if (Object.hasOwn(shape, name)) collect(shape[name], inner, `${prefix}${name}.`, found);
  } else if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return;
    const most = mostEntriesOf(schema);
    if (value.length > most) overlong.push({ path: prefix.slice(0, -1), most });
    else for (const [index, element] of value.entries()) collect(schema.element, element, `${prefix}${index}.`, found);
  } else if (schema instanceof z.ZodUnion) {
    const perOption = schema.options.map((option) => {
      const ofOption: Surplus = { unknown: [], overlong: [] };
      collect(option, value, prefix, ofOption);
      return ofOption;
    });
    const best = perOption.sort((a, b) => a.unknown.length - b.unknown.length)[0];
    unknown.push(...(best?.unknown ?? []));
    overlong.push(...(best?.overlong ?? []));
  } else if (schema instanceof z.ZodPipe) {
    // A form field may hold JSON in a string: its fields are those of the inner schema.
    if (typeof value === 'string') collect(schema.out, fieldsIn(value), prefix, found);
    else collect(schema.in, value, prefix, found);
  } else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  ) {
    collect(schema.unwrap(), value, prefix, found);
  }
}

function mostEntriesOf(schema: z.ZodArray): number {
  const limits = (schema._zod.def.checks ?? []).flatMap((check) =>
    check instanceof z.core.$ZodCheckMaxLength ? [check._zod.def.maximum] : [],
  );
  return Math.min(Number.POSITIVE_INFINITY, ...limits);
}

/** Other text has no fields. Most fields of requests are such text, and trying to parse each would cost more than all other checks. */
const HAS_FIELDS = /^\s*[[{]/;

function fieldsIn(text: string): unknown {
  if (!HAS_FIELDS.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The known name with the smallest edit distance from `name`, ignoring letter case and underscores. The beginning of a known name
 * counts as one edit: `stat` is nearer to `status` than to `sort`.
 */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const wanted = folded(name);
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const isBeginning = wanted.length >= MIN_BEGINNING_CHARACTERS && folded(candidate).startsWith(wanted);
    const edits = Math.min(isBeginning ? 1 : Number.POSITIVE_INFINITY, editsBetween(wanted, folded(candidate)));
    if (best === undefined || edits < best.edits) best = { candidate, edits };
  }
  return best?.candidate;
}

/** Whether two names look alike: at most half of the longer one differs, or one begins with the other. */
export function isNear(name: string, known: string): boolean {
  const [a, b] = [folded(name), folded(known)];
  if (a.length >= MIN_BEGINNING_CHARACTERS && b.startsWith(a)) return true;
  return editsBetween(a, b) <= Math.max(a.length, b.length) / 2;
}

function folded(name: string): string {
  return name.slice(0, MAX_COMPARED_CHARACTERS).toLowerCase().replace(/[_-]/g, '');
}

/** Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? a.length;
}
