import type { EntityManager } from '@mikro-orm/postgresql';
import { type CompanyId, isUuid } from '../../domain/ids.ts';
import { mapInTurns } from '../../turns/turns.ts';
import { textArray } from './bound.ts';
import type { SqlRow } from './read-model.ts';

/**
 * The reader for all lists of a company's rows: typed filters, a page, the total, and the position of the next page. A page
 * after a given row is found through its index at any depth, and neither repeats nor skips rows when others are added.
 */

/** The end of a page: the sort key and the id of its last row. */
export type Position = { readonly key: string; readonly id: string };

export type Order<Sort extends string> = { readonly by: Sort; readonly isDescending: boolean };

export type Page<Sort extends string = string> = {
  readonly limit: number;
  readonly offset: number;
  /** Absent: the reader's first sort, newest first. */
  readonly order?: Order<Sort> | undefined;
  /** The page begins after this row. */
  readonly after?: Position | undefined;
  /** Counting stops at this number, unless the reader has a stored total. Absent: the total is exact. */
  readonly maxTotal?: number | undefined;
};

export type Listed<Found> = {
  readonly records: readonly Found[];
  /** Exact, or the page's `maxTotal`, which means this many rows or more. */
  readonly total: number;
  /** Null on the last page. */
  readonly next: Position | null;
};

/** The time filters of most lists. */
export type TimeFilter = {
  readonly createdFrom?: Date | undefined;
  /** Exclusive. */
  readonly createdTo?: Date | undefined;
  readonly updatedSince?: Date | undefined;
};

/** The conditions of a `TimeFilter` on the table with this alias. */
export function timeConditions(alias: string): { readonly [Name in keyof Required<TimeFilter>]: string } {
  return {
    createdFrom: `${alias}.created_at >= ?`,
    createdTo: `${alias}.created_at < ?`,
    updatedSince: `${alias}.updated_at >= ?`,
  };
}

/** A window of time; without a bound it is open. */
export type TimeWindow = {
  readonly startDate?: Date | undefined;
  /** Exclusive. */
  readonly endDate?: Date | undefined;
};

/** The condition that a row was created in a window. Its two values are `boundsOf` the window. */
export function createdIn(alias: string): string {
  return `${alias}.created_at >= coalesce(?::timestamptz, '-infinity')
    and ${alias}.created_at < coalesce(?::timestamptz, 'infinity')`;
}

export function boundsOf({ startDate, endDate }: TimeWindow): readonly [Date | null, Date | null] {
  return [startDate ?? null, endDate ?? null];
}

/** `time`: a timestamptz column, its key in UTC with microseconds. `integer`: a bigint column. */
export type SortColumn = {
  readonly column: string;
  readonly kind: 'time' | 'integer';
  /** Of tables whose ids are numbers. The others have UUIDs. */
  readonly ids?: 'integer';
};

/** Lists are sorted by the time of creation, most of them also by the time of the last change. */
export const createdSort = (alias: string) =>
  ({ createdAt: { column: `${alias}.created_at`, kind: 'time' } }) as const satisfies Record<string, SortColumn>;
export const timeSorts = (alias: string) =>
  ({ ...createdSort(alias), updatedAt: { column: `${alias}.updated_at`, kind: 'time' } }) as const satisfies Record<
    string,
    SortColumn
  >;

export const NEWEST_FIRST = { by: 'createdAt', isDescending: true } as const satisfies Order<'createdAt'>;

const KEY_SQL = {
  time: { read: (column: string) => `(${column} at time zone 'UTC')::text`, bind: "(?::timestamp at time zone 'UTC')" },
  integer: { read: (column: string) => `${column}::text`, bind: '?::bigint' },
} as const satisfies Record<SortColumn['kind'], { read: (column: string) => string; bind: string }>;

const KEY_FORMS = {
  time: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$/,
  integer: /^\d{1,18}$/,
} as const satisfies Record<SortColumn['kind'], RegExp>;

/** How SQL reads and binds the keys of a column of this kind. */
export const sortKey = (kind: SortColumn['kind']) => KEY_SQL[kind];

/** Whether the database can read a position that came from outside. */
export function isPosition({ kind, ids }: SortColumn, { key, id }: Position): boolean {
  const isId = ids === 'integer' ? KEY_FORMS.integer.test(id) : isUuid(id);
  return isId && KEY_FORMS[kind].test(key) && (kind !== 'time' || isInCalendar(key));
}

/** JavaScript takes 30 February for 2 March. PostgreSQL does not, and has no year 0. */
function isInCalendar(key: string): boolean {
  const second = key.slice(0, 'yyyy-mm-dd hh:mm:ss'.length).replace(' ', 'T');
  const instant = new Date(`${second}Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(second) && !key.startsWith('0000');
}

type FilterValue = string | Date | boolean | readonly string[];

/** Filter → condition. Each `?` in it is the filter's value; a list of values is a text array. */
export type Conditions<Filter> = { readonly [Name in keyof Required<Filter>]: string };

type ListSource<Filter, Found, Sort extends string> = {
  readonly table: string;
  /** The alias of the table in conditions, columns and sorts. */
  readonly alias: string;
  /** With `toRecord`: a read model. */
  readonly columns: string;
  /** Joined to the rows of the page only. */
  readonly joins?: string;
  readonly conditions: Conditions<Filter>;
  readonly sorts: { readonly [Name in Sort]: SortColumn };
  readonly defaultOrder: Order<Sort>;
  readonly toRecord: (row: SqlRow, em: EntityManager) => Found;
  /** The total from a stored count, which is read with the page; null for filters without one, whose rows are counted. */
  readonly storedTotal?: (companyId: CompanyId, filter: Filter) => Bound | null;
};

/** An expression with its values. */
export type Bound = { readonly sql: string; readonly values: readonly unknown[] };

/** The sum of a company's stored counts with these names (300-company-counts.sql). They are exact in every transaction. */
export function sumOfCompanyCounts(companyId: CompanyId, names: readonly string[]): Bound {
  return {
    sql: '(select coalesce(sum(c.rows), 0)::integer from company_counts(?) c where c.counted = any (?::text[]))',
    values: [companyId, textArray(names)],
  };
}

/** `Asked`, if it has no filters besides those of `Filter`: a query parameter without a condition does not compile. */
export type Exactly<Filter, Asked> = Asked & { readonly [Name in Exclude<keyof Asked, keyof Filter>]: never };

type ListReader<Filter, Found, Sort extends string> = {
  /** Reads the page only. */
  readonly find: (em: EntityManager, companyId: CompanyId, filter: Filter, page: Page<Sort>) => Promise<Found[]>;
  /** Reads the page, the total, and the position of the next page. */
  readonly list: <Asked extends Filter>(
    em: EntityManager,
    companyId: CompanyId,
    filter: Exactly<Filter, Asked>,
    page: Page<Sort>,
  ) => Promise<Listed<Found>>;
};

export function createListReader<Filter extends object, Found, Sort extends string>(
  source: ListSource<Filter, Found, Sort>,
): ListReader<Filter, Found, Sort> {
  const { table, alias, columns, joins = '', conditions, sorts, defaultOrder, toRecord, storedTotal } = source;

  function where(companyId: CompanyId, filter: Filter) {
    const { clauses, values } = clausesOf(conditions, filter);
    return { clauses: [`${alias}.company_id = ?`, ...clauses], values: [companyId, ...values] };
  }

  async function rows(
    em: EntityManager,
    companyId: CompanyId,
    filter: Filter,
    page: Page<Sort>,
    total: Bound | null = null,
  ) {
    const { by, isDescending } = page.order ?? defaultOrder;
    const { column, kind } = sorts[by];
    const { clauses, values } = where(companyId, filter);
    if (page.after !== undefined) {
      clauses.push(`(${column}, ${alias}.id) ${isDescending ? '<' : '>'} (${KEY_SQL[kind].bind}, ?)`);
      values.push(page.after.key, page.after.id);
    }
    const direction = isDescending ? 'desc' : 'asc';
    const order = `${column} ${direction}, ${alias}.id ${direction}`;
    return em.execute<(SqlRow & { list_key: string; list_id: string; list_total: number | null })[]>(
      `select ${columns}, ${KEY_SQL[kind].read(column)} as list_key, ${alias}.id::text as list_id, ${total?.sql ?? 'null'} as list_total
       from (select ${alias}.* from ${table} ${alias} where ${clauses.join(' and ')} order by ${order} limit ? offset ?) ${alias}
       ${joins} order by ${order}`,
      [...(total?.values ?? []), ...values, page.limit, page.offset],
    );
  }

  function counted(companyId: CompanyId, filter: Filter, most: number | null): Bound {
    const { clauses, values } = where(companyId, filter);
    const sql = `(select count(*)::integer from (select from ${table} ${alias} where ${clauses.join(' and ')} limit ?) counted)`;
    return { sql, values: [...values, most] };
  }

  async function count(em: EntityManager, { sql, values }: Bound): Promise<number> {
    const [row] = await em.execute<{ total: number }[]>(`select ${sql} as total`, [...values]);
    return row?.total ?? 0;
  }

  return {
    find: async (em, companyId, filter, page) =>
      (await rows(em, companyId, filter, page)).map((row) => toRecord(row, em)),
    list: async (em, companyId, filter, page) => {
      const stored = storedTotal?.(companyId, filter) ?? null;
      const found = await rows(em, companyId, filter, withOneMore(page), stored);
      const total =
        found[0]?.list_total ?? (await count(em, stored ?? counted(companyId, filter, page.maxTotal ?? null)));
      const { shown, next } = pageOf(found, page, ({ list_key: key, list_id: id }) => ({ key, id }));
      return { records: await mapInTurns(shown, (row) => toRecord(row, em)), total, next };
    },
  };
}

/** The page and one extra row, which tells whether there is another page. */
export function withOneMore<Asked extends Page>(page: Asked): Asked {
  return { ...page, limit: page.limit + 1 };
}

/** The rows of a page that was read `withOneMore`, and the position of the next page. */
export function pageOf<Row>(
  found: readonly Row[],
  { limit }: Pick<Page, 'limit'>,
  positionOf: (row: Row) => Position,
): { readonly shown: readonly Row[]; readonly next: Position | null } {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, next: last === undefined || found.length === shown.length ? null : positionOf(last) };
}

/** The conditions of the filters that are given, and their values. */
export function clausesOf<Filter extends object>(
  conditions: Conditions<Filter>,
  filter: Filter,
): { readonly clauses: readonly string[]; readonly values: readonly unknown[] } {
  // Object.entries loses the key types; a filter has strings, dates, booleans and lists of strings.
  const entries = Object.entries(filter) as [keyof Filter, FilterValue | undefined][];
  const given = entries.flatMap(([name, value]) =>
    value === undefined ? [] : [{ clause: conditions[name], bound: isList(value) ? textArray(value) : value }],
  );
  return {
    clauses: given.map(({ clause }) => `(${clause})`),
    values: given.flatMap(({ clause, bound }) => Array(clause.split('?').length - 1).fill(bound)),
  };
}

function isList(value: FilterValue): value is readonly string[] {
  return Array.isArray(value);
}
