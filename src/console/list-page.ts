import type { Arguments, ListPath, Operation, RowOf } from '../../clients/typescript/src/types.ts';
import { type CsvRow, csvOf, spreadsheetText } from '../csv/csv.ts';
import type { Permission } from '../domain/roles.ts';
import { loggedFile } from '../observability/logged-file.ts';
import { addressOf, type Query } from './addresses.ts';
import { ApiProblem, type ListAnswer } from './api-client.ts';
import { form, type Option, select, textField } from './components/form.ts';
import { type Html, html, icon, NOTHING } from './components/html.ts';
import { MAX_COUNTED_ROWS, pagination } from './components/pagination.ts';
import { emptyState } from './components/parts.ts';
import { type Column, dataTable } from './components/table.ts';
import { type Message, t } from './language/message.ts';
import { problemNotice } from './layout.ts';
import type { ConsolePage, Screen, Visit } from './page.ts';
import { inZone, monthLinks } from './time-window.ts';

/**
 * A list of the API as a page: filters in the address, a table, and the whole list as CSV. One declaration gives the page and
 * its export.
 */

type Rows<Row> = {
  readonly rows: readonly Row[];
  /** Null if the API does not count this list. */
  readonly total: number | null;
  /** What leads to the next page; null on the last one. */
  readonly next: Query | null;
};

type Filter = {
  readonly name: string;
  readonly label: Message;
  readonly type?: 'text' | 'date' | 'datetime-local';
  /** The values of a choice; the empty one for no filter is added. */
  readonly values?: readonly Option[];
};

/** The part of a list that an export needs. */
type ExportedList<Row extends object> = {
  readonly path: `/${string}`;
  readonly title: Message;
  readonly who: Permission;
  readonly rows: (visit: Visit, query: Query) => Promise<Rows<Row>>;
  readonly filters: readonly Pick<Filter, 'name'>[];
  /** The largest page that the API's list gives. */
  readonly rowsPerRequest: 100 | 1_000;
};

type ListPage<Row extends object> = Omit<ExportedList<Row>, 'filters'> & {
  readonly lead: Html | Message;
  /** Fewer where each row has forms, so that the page stays small. */
  readonly rowsPerPage?: number;
  readonly menu?: ConsolePage['menu'];
  readonly filters: readonly Filter[];
  /** May depend on the visit: its role decides about columns with actions. */
  readonly columns: readonly Column<NoInfer<Row>>[] | ((visit: Visit) => readonly Column<NoInfer<Row>>[]);
  readonly href?: (row: NoInfer<Row>) => string | null;
  readonly empty: { readonly title: Message; readonly text: Message };
  /** Links and buttons at the top. */
  readonly actions?: (visit: Visit) => Html;
  readonly act?: ConsolePage['act'];
};

const ROWS_PER_PAGE = 25;
/** The first request of an export asks for few rows, so that the file begins at once. */
const FIRST_EXPORTED_ROWS = 100;
/** How often an export waits for its turn under the rate limit, before it gives up. */
const MAX_WAITS = 1_000;
const LONGEST_WAIT_SECONDS = 60;

/** The page and its export. */
export function listPages<Row extends object>(list: ListPage<Row>): readonly ConsolePage[] {
  const { path, title, who, menu, act } = list;
  return [
    {
      path,
      title,
      who,
      ...(menu === undefined ? {} : { menu }),
      ...(act === undefined ? {} : { act }),
      show: (visit) => screen(list, visit),
    },
    exportPage(list),
  ];
}

/** The whole list as a file. */
export function exportPage<Row extends object>(list: ExportedList<Row>): ConsolePage {
  const { path, title, who } = list;
  return {
    path: `${path}/export.csv`,
    title: t('{list} as CSV', { list: title }),
    who,
    show: (visit) => exported(list, visit),
  };
}

/**
 * Reads one page of an API list. The API validates the query, which comes from the page's address. `isCountedWhole`: the list is
 * short and has no parameter `maxTotal`.
 */
export function apiList<Path extends ListPath>(
  path: Path,
  fixed: (visit: Visit) => { readonly path?: object; readonly query?: Query } = () => ({}),
  { isCountedWhole = false }: { readonly isCountedWhole?: boolean } = {},
): (visit: Visit, query: Query) => Promise<Rows<RowOf<Operation<'get', Path>>>> {
  return async (visit, { maxTotal = '', ...query }) => {
    const { path: parameters, query: always } = fixed(visit);
    const counted = isCountedWhole || maxTotal === '' ? {} : { maxTotal };
    const request = { path: parameters, query: { ...always, ...query, ...counted } } as unknown; // the API validates text from the address
    const answer: ListAnswer<unknown> = await visit.api.list(path, ...([request] as Arguments<Operation<'get', Path>>));
    const body = answer.body as RowOf<Operation<'get', Path>>[] | { data: RowOf<Operation<'get', Path>>[] }; // both shapes of lists
    const rows = Array.isArray(body) ? body : body.data;
    return { rows, total: answer.total, next: nextOf(answer, rows.length, query) };
  };
}

/** By cursor; by offset for the lists without one. */
function nextOf({ nextCursor, total }: ListAnswer<unknown>, shown: number, query: Query): Query | null {
  if (nextCursor !== null) return { cursor: nextCursor };
  if (query.cursor !== undefined || total === null || shown === 0) return null;
  const offset = Number(query.offset ?? 0) + shown;
  return offset < total ? { offset: String(offset) } : null;
}

/** Days in the query are those of the company's zone. */
function read<Row extends object>(list: ExportedList<Row>, visit: Visit, query: Query): Promise<Rows<Row>> {
  return list.rows(visit, inZone(query, visit.language.timeZone));
}

/** A filter that the API refuses stays in its field, with the reason above it. */
async function screen<Row extends object>(list: ListPage<Row>, visit: Visit): Promise<Screen> {
  const filters = filtersOf(list, visit);
  const place = placeOf(visit);
  try {
    const found = await read(list, visit, {
      limit: String(list.rowsPerPage ?? ROWS_PER_PAGE),
      maxTotal: String(MAX_COUNTED_ROWS),
      ...filters,
      ...place,
    });
    return foundScreen(list, visit, { filters, place, found });
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'validation_failed' || list.filters.length === 0) throw error;
    return {
      status: error.status,
      main: html`<div class="page-head"><p>${list.lead}</p></div>${problemNotice(error)}${filterForm(list, visit, filters)}`,
    };
  }
}

type Shown<Row> = { readonly filters: Query; readonly place: Query; readonly found: Rows<Row> };

function foundScreen<Row extends object>(
  list: ListPage<Row>,
  visit: Visit,
  { filters, place, found }: Shown<Row>,
): Screen {
  const { rows, total, next } = found;
  const columns = typeof list.columns === 'function' ? list.columns(visit) : list.columns;
  const { path, href, empty } = list;
  const isFiltered = Object.keys(filters).length > 0;
  const table =
    rows.length === 0
      ? emptyState(
          isFiltered ? t('Nothing matches') : empty.title,
          isFiltered ? t('Change or clear the filters.') : empty.text,
        )
      : html`${dataTable({ caption: list.title, columns, rows, ...(href === undefined ? {} : { href }) })}
${pagination({
  shown: rows.length,
  total,
  next: next === null ? null : here(visit, { ...filters, ...next }),
  first: Object.keys(place).length === 0 ? null : here(visit, filters),
})}`;
  return {
    main: html`<div class="page-head"><p>${list.lead}</p><div class="actions">${list.actions?.(visit) ?? NOTHING}${rows.length === 0 ? NOTHING : exportLink(path, visit, filters, total)}</div></div>
${list.filters.length === 0 ? NOTHING : filterForm(list, visit, filters)}
<div class="card">${table}</div>`,
  };
}

/** The console's script shows the progress of the download; without it the browser does. */
export function exportLink(path: string, visit: Visit, filters: Query, total: number | null): Html {
  const address = addressOf(`${pathWith(visit, path)}/export.csv`, filters);
  const isKnown = total !== null && total !== MAX_COUNTED_ROWS;
  const rows = !isKnown ? NOTHING : html` data-rows-total="${total}"`;
  return html`<a class="button" href="${address}" download data-export${rows}>${icon('download')}CSV</a>`;
}

function filterForm<Row extends object>({ filters }: ListPage<Row>, visit: Visit, values: Query): Html {
  const fields = filters.map(({ name, label, type, values: choices }) =>
    choices === undefined
      ? textField({ name, label, value: values[name] ?? '', ...(type === undefined ? {} : { type }) })
      : select({ name, label, value: values[name] ?? '', options: [{ value: '', label: t('All') }, ...choices] }),
  );
  const names = filters.map(({ name }) => name);
  const isWindow = names.includes('createdFrom') && names.includes('createdTo');
  const isPeriod = names.includes('startDate') && names.includes('endDate');
  const clear =
    Object.keys(values).length === 0
      ? NOTHING
      : html`<a class="button small" href="${here(visit, {})}">${t('Clear filters')}</a>`;
  return form({
    className: 'filters',
    method: 'get',
    action: here(visit, {}),
    fields: html`${fields}${clear}${isWindow ? monthLinks(visit, here(visit, {}), values, ['createdFrom', 'createdTo']) : NOTHING}${isPeriod ? monthLinks(visit, here(visit, {}), values, ['startDate', 'endDate']) : NOTHING}`,
    submit: t('Filter'),
    tone: 'plain',
  });
}

/** A problem with the first page is answered as a problem; later the file has begun. */
async function exported<Row extends object>(list: ExportedList<Row>, visit: Visit): Promise<Response> {
  const filters = { ...filtersOf(list, visit), maxTotal: '1' }; // nobody looks at the total
  const first = await read(list, visit, {
    ...filters,
    limit: String(Math.min(FIRST_EXPORTED_ROWS, list.rowsPerRequest)),
  });
  const name = list.path.replace(/^\/|\/:\w+/g, '').replaceAll('/', '-');
  return new Response(loggedFile(csvOfAnswers(allPages(list, visit, filters, first)), visit.c.var), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

/** Page after page through the API, each only when the last was sent. */
async function* allPages<Row extends object>(
  list: ExportedList<Row>,
  visit: Visit,
  filters: Query,
  first: Rows<Row>,
): AsyncGenerator<readonly Row[]> {
  const { maxExportedRows } = visit.settings;
  let page = first;
  for (let count = 0; ; ) {
    yield page.rows;
    count += page.rows.length;
    const { next } = page;
    if (next === null) return;
    if (count >= maxExportedRows) throw new Error(`an export has at most ${maxExportedRows} rows`);
    page = await inTurn(() => read(list, visit, { ...filters, limit: String(list.rowsPerRequest), ...next }));
  }
}

/** Repeats a request that the rate limit refused, when it says that there is room again. */
async function inTurn<T>(request: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'too_many_requests' || waits >= MAX_WAITS) throw error;
      const seconds = Math.min(Math.max(error.retryAfterSeconds ?? 1, 1), LONGEST_WAIT_SECONDS);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
  }
}

/** The filters in the address that this list has; others are left out. */
function filtersOf<Row extends object>({ filters }: ExportedList<Row>, { query }: Visit): Query {
  return Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = (query.get(name) ?? '').trim();
      return value === '' ? [] : [[name, value] as const];
    }),
  );
}

const PLACES = ['cursor', 'offset', 'after', 'page'];

function placeOf({ query }: Visit): Query {
  return Object.fromEntries(
    PLACES.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
  );
}

/** The address of this page with another query. */
function here({ c }: Visit, query: Query): string {
  return addressOf(new URL(c.req.url).pathname, query);
}

/** The list's own address, with its parameters filled in. */
function pathWith({ params }: Visit, path: string): string {
  return `/console${path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`;
}

const INTEGER = /^-?\d+$/;

/** Answers of the API as CSV. The fields of the first row name the columns. */
const csvOfAnswers = (pages: AsyncIterable<readonly object[]>): ReadableStream => csvOf(cellsOf(pages));

async function* cellsOf(pages: AsyncIterable<readonly object[]>): AsyncGenerator<CsvRow[]> {
  for await (const rows of pages)
    yield rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellText(value)])));
}

/** A field of an API answer as a cell: text as it is, lists and objects as JSON. Numbers stay numbers. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return INTEGER.test(text) ? text : spreadsheetText(text);
}
