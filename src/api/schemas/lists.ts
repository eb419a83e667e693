import { z } from '@hono/zod-openapi';
import { isPosition, type Order, type Page, type Position, type SortColumn } from '../../db/core/list-reader.ts';
import { DAY_MS } from '../../domain/time.ts';
import { choiceOf, isWithoutOffset, WITHOUT_OFFSET } from '../contract/sentences.ts';
import { LIST_LIMITS, type ListKind } from '../limits.ts';
import { InvalidRequest } from '../problem.ts';

/**
 * The query parameters of a list: its page, its order, and a time window. The headers of its responses are in contract/lists.ts,
 * and its rows come from db/core/list-reader.ts. Amounts are read with `centsQuery`.
 */

export const integerText = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .openapi({ type: 'integer', minimum: least, maximum: most });
const integerOr = (byDefault: number, least: number, most: number) =>
  integerText(least, most).default(byDefault).openapi({ default: byDefault });

/** `limit` and `offset`. A page size over the maximum is an error; it is not silently reduced. */
export function paging(kind: ListKind) {
  const { maxLimit, defaultLimit } = LIST_LIMITS[kind];
  return z.object({
    limit: integerOr(defaultLimit, 1, maxLimit).describe('The most rows of a page.'),
    offset: integerOr(0, 0, LIST_LIMITS.maxOffset).describe('How many rows come before the page.'),
  });
}

/** `page` and `limit`, for the list that counts pages. */
export function pages() {
  const { maxLimit, defaultLimit } = LIST_LIMITS.page;
  return z.object({
    page: integerOr(1, 1, LIST_LIMITS.maxOffset / maxLimit).describe('The number of the page, from 1.'),
    limit: integerOr(defaultLimit, 1, maxLimit).describe('The most rows of a page.'),
  });
}

const MAX_CURSOR_CHARACTERS = 255;

/** The same parameters with `sort` and a cursor. */
export function listing<const Sort extends string>(
  kind: ListKind,
  sorts: { readonly [Name in Sort]: SortColumn },
  byDefault: NoInfer<Sort | `-${Sort}`>,
) {
  const names = Object.keys(sorts) as Sort[]; // Object.keys loses the key types
  const orders: readonly unknown[] = names.flatMap((name) => [`-${name}`, name]);
  return paging(kind).extend({
    sort: z
      .custom<Sort | `-${Sort}`>((value) => orders.includes(value), `must be one of ${orders.join(', ')}`)
      .optional()
      .transform((sort) => sort ?? byDefault)
      .openapi({
        type: 'string',
        enum: [...orders],
        default: byDefault,
        description: 'A leading minus reverses the order: the latest or largest comes first.',
      }),
    cursor: z
      .string()
      .max(MAX_CURSOR_CHARACTERS)
      .optional()
      .openapi({ description: 'From the `Link` header of the previous page. Cannot be combined with `offset`.' }),
    maxTotal: integerText(1, LIST_LIMITS.maxOffset)
      .optional()
      .openapi({
        description:
          'Rows are counted up to this number, which makes long lists faster: a total of this number means this many rows or ' +
          'more. Any other total is exact.',
      }),
  });
}

/** The response of a list of the kind `page`. */
export const pageResponse = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).describe('The rows of this page.'),
    total: z.int().describe('The number of rows on all pages.'),
    limit: z.int().describe('The size of a page.'),
    offset: z.int().describe('As in the request.'),
  });

type ListQuery<Sort extends string> = {
  readonly limit: number;
  readonly offset: number;
  readonly sort: Sort | `-${Sort}`;
  readonly cursor?: string | undefined;
  readonly maxTotal?: number | undefined;
};

/** The page that a query requests. Throws `validation_failed` for a cursor of another order, or of no list. */
function pageOf<Sort extends string>(
  { limit, offset, sort, cursor, maxTotal }: ListQuery<Sort>,
  sorts: { readonly [Name in Sort]: SortColumn },
): Page<Sort> {
  const order = orderOf(sort);
  if (cursor === undefined) return { limit, offset, order, maxTotal };
  if (offset > 0) throw invalidCursor('must not be sent together with offset');
  const after = positionOf(cursor, sort);
  if (after === undefined || !isPosition(sorts[order.by], after))
    throw invalidCursor('is not a cursor of this list in this order');
  return { limit, offset, order, maxTotal, after };
}

function orderOf<Sort extends string>(sort: Sort | `-${Sort}`): Order<Sort> {
  const isDescending = sort.startsWith('-');
  return { by: (isDescending ? sort.slice(1) : sort) as Sort, isDescending }; // slice loses the union type
}

/** Encodes `position` in the order of `sort` as a cursor. Opaque to clients. */
export function cursorOf(sort: string, { key, id }: Position): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

const Cursor = z.tuple([z.string(), z.string(), z.string()]);

function positionOf(cursor: string, sort: string): Position | undefined {
  try {
    const [of, key, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return of === sort ? { key, id } : undefined;
  } catch {
    return undefined;
  }
}

function invalidCursor(message: string): InvalidRequest {
  return new InvalidRequest('validation_failed', [{ path: 'cursor', message }]);
}

const escaped = (values: readonly string[]) => values.map((value) => value.replaceAll('.', '\\.')).join('|');

/** One or several values, separated by commas: `status=ACTIVE,DISPUTED`. */
export function anyOf<const Value extends string>(values: readonly [Value, ...Value[]]) {
  const words = values.join(', ');
  return z
    .string()
    .transform((text, context): Value[] => {
      const parts = text.split(',').map((part) => part.trim());
      const chosen = values.filter((value) => parts.includes(value));
      const unknown = parts.find((part) => !chosen.some((value) => value === part));
      if (unknown === undefined) return chosen;
      const choice = choiceOf(values, unknown);
      const several = choice.startsWith('must') ? ', or several separated by commas' : '';
      context.addIssue({ code: 'custom', message: `${choice}${several}` });
      return z.NEVER;
    })
    .openapi({
      type: 'string',
      description: `One of ${words}, or several separated by commas.`,
      pattern: `^ *(?:${escaped(values)}) *(?:, *(?:${escaped(values)}) *)*$`,
    });
}

export const DAY_OR_INSTANT = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:Z|[+-]\\d{2}:\\d{2}))?$',
  example: '2026-01-31',
} as const;
const FROM = { ...DAY_OR_INSTANT, description: 'A UTC day, or a date-time with Z or an offset.' } as const;
const TO = { ...DAY_OR_INSTANT, description: 'A UTC day (included), or a date-time with Z or an offset.' } as const;

/** When rows were created, and the earliest time of their last change: spread into a list's query. */
export const changedBetween = () => ({
  createdFrom: startInstant().optional().openapi(FROM),
  createdTo: endInstant().optional().openapi(TO),
  updatedSince: startInstant().optional().openapi(FROM),
});

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** PostgreSQL reads years of four digits, from 0001 on; all our dates are within them. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
export const storableDate = (instantMs: number) => new Date(Math.min(Math.max(instantMs, EARLIEST_MS), LATEST_MS));

const dayOrInstant = () =>
  z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: ({ input }) =>
      isWithoutOffset(input)
        ? WITHOUT_OFFSET
        : 'must be a date such as 2026-01-31 or a date-time such as 2026-01-31T09:30:00Z',
  });

/** The first instant of a UTC day, or the given instant. */
export const startInstant = () => dayOrInstant().transform((value) => storableDate(Date.parse(value)));
/** The first instant after a UTC day (the end day is included), or the instant after the given one. */
const endInstant = () =>
  dayOrInstant().transform((value) => storableDate(Date.parse(value) + (DATE.test(value) ? DAY_MS : 1)));

/** A time window: `startDate` is included; `endDate` ends it, and handlers receive it as an exclusive bound. */
export const dateRange = () =>
  z.object({
    startDate: startInstant().optional().openapi(FROM),
    endDate: endInstant().optional().openapi(TO),
  });

export function isOrdered(range: { startDate?: Date | undefined; endDate?: Date | undefined }): boolean {
  return range.startDate === undefined || range.endDate === undefined || range.startDate < range.endDate;
}
/** Zod takes the message out of the object that it is given, so each refinement gets its own. */
export const startAfterEnd = () => ({ message: 'must not be after endDate', path: ['startDate'] });

type CreatedWindow = { readonly createdFrom?: Date | undefined; readonly createdTo?: Date | undefined };

/**
 * Splits a list's query: the page, and the remaining parameters as filters. Throws `validation_failed` for a wrong cursor, and for
 * a window that ends before it starts.
 */
export function splitQuery<Sort extends string, Query extends ListQuery<Sort> & CreatedWindow>(
  query: Query & ListQuery<Sort>,
  sorts: { readonly [Name in Sort]: SortColumn },
): { page: Page<Sort>; filter: Omit<Query, keyof ListQuery<Sort>> } {
  const { limit: _limit, offset: _offset, sort: _sort, cursor: _cursor, maxTotal: _maxTotal, ...filter } = query;
  const { createdFrom, createdTo } = query;
  if (createdFrom !== undefined && createdTo !== undefined && createdFrom >= createdTo)
    throw new InvalidRequest('validation_failed', [{ path: 'createdFrom', message: 'must not be after createdTo' }]);
  return { page: pageOf(query, sorts), filter };
}
