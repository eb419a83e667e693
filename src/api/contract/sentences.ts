import type { z } from '@hono/zod-openapi';
import { isNear, nearestOf } from './unknown-names.ts';

/** Describes in words what is wrong with a field: a predicate that follows the field's name. */

type Issue = z.core.$ZodIssue;

/**
 * For example `must be at least 1` or `is required`. `request` is the parsed request: an issue gives the path of a value, not
 * the value.
 */
export function predicateOf(issue: Issue, request: unknown): string {
  // The validator's own messages begin with a capital letter; a schema's own messages already are predicates.
  if (!/^[A-Z]/.test(issue.message)) return issue.message;
  if (valueAt(request, issue.path) === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : choiceOf(issue.values.map(String), valueAt(request, issue.path));
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return 'must not be empty';
      return `must ${measureOf(issue.origin)} at least ${issue.minimum.toLocaleString('en')}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${measureOf(issue.origin)} at most ${issue.maximum.toLocaleString('en')}${unitOf(issue.origin, issue.maximum)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      if (issue.format === 'datetime' && isWithoutOffset(valueAt(request, issue.path))) return WITHOUT_OFFSET;
      return FORMAT_WORDS[issue.format] ?? 'has the wrong format';
    default:
      return 'is not valid';
  }
}

export const WITHOUT_OFFSET =
  'must carry Z or an offset, such as 2026-01-31T09:30:00Z: a time without one is another instant in each time zone';

/** Whether the value is a date-time of some time zone that it does not name. */
export function isWithoutOffset(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(value);
}

/** A longer list of values is in the description only. */
const MAX_LISTED_VALUES = 20;

/** Names the values to choose from, or of a long list the one that is nearest to `sent`. */
export function choiceOf(values: readonly string[], sent: unknown): string {
  if (values.length <= MAX_LISTED_VALUES) return `must be one of ${values.join(', ')}`;
  const nearest = typeof sent === 'string' ? nearestOf(sent, values) : undefined;
  const isMisspelt = typeof sent === 'string' && nearest !== undefined && isNear(sent, nearest);
  return `is not one of the known values${isMisspelt ? `; the nearest one is ${nearest}` : ''}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a URL',
  date: 'must be a date such as 2026-01-31',
  datetime: 'must be a date-time such as 2026-01-31T09:30:00Z',
};

function measureOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string, count: number | bigint): string {
  const isOne = Number(count) === 1;
  if (origin === 'string') return isOne ? ' character' : ' characters';
  if (origin === 'array') return isOne ? ' entry' : ' entries';
  return '';
}

function valueAt(request: unknown, path: readonly PropertyKey[]): unknown {
  let value = request;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return value; // the path leads through parsed values
    value = Reflect.get(value, name);
  }
  return value;
}
