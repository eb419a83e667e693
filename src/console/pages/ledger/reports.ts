import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import type { Currency } from '../../../domain/money.ts';
import { dayAfter, isDay, monthOf, startOfDay } from '../../../domain/time-zone.ts';
import { addressOf, type Query } from '../../addresses.ts';
import { statusWords } from '../../components/badge.ts';
import { form, hidden, select, textField } from '../../components/form.ts';
import { type Html, html, icon, NOTHING, rich } from '../../components/html.ts';
import { amountText } from '../../components/money.ts';
import { percentText } from '../../components/numbers.ts';
import { offsetPage, offsetPages } from '../../components/pagination.ts';
import { card, emptyState } from '../../components/parts.ts';
import { type Column, dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { type Message, t } from '../../language/message.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { monthLinks, todayOf } from '../../time-window.ts';
import { CURRENCY_FILTER_OPTIONS } from '../filters.ts';

/** The reports that close a month, one at a time, and their files. Days are those of the company's zone. */

const PATHS = {
  'trial-balance': '/v1/ledger/reports/trial-balance',
  liabilities: '/v1/ledger/reports/liabilities',
  revenue: '/v1/ledger/reports/revenue',
  receivables: '/v1/treasury/receivables',
} as const;
type Name = keyof typeof PATHS;
const NAMES = Object.keys(PATHS) as readonly Name[]; // its own keys
type Answer<Of extends Name> = AnswerOf<Operation<'get', (typeof PATHS)[Of]>>;

const LABELS: { readonly [Of in Name]: Message } = {
  'trial-balance': t('Trial balance'),
  liabilities: t('Liabilities to users'),
  revenue: t('Revenue'),
  receivables: t('Receivables'),
};

const FORMATS = { csv: 'text/csv', pdf: 'application/pdf' } as const;
const ROWS_PER_PAGE = 50;
const FIELDS = ['at', 'from', 'to', 'currency'] as const;

const asked = ({ query }: Visit): Name => NAMES.find((name) => name === query.get('report')) ?? 'trial-balance';

/** The report's own fields, as the address has them. */
function fieldsOf({ query }: Visit, report: Name): Query {
  const own = FIELDS.filter((name) => name === 'currency' || (name === 'at') !== (report === 'revenue'));
  return Object.fromEntries(own.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])));
}

/** The same for the API: a day is its first instant in the zone, and the last day of a period belongs to it. */
function instantsOf(fields: Query, { language: { timeZone } }: Visit): Query {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!isDay(value)) return [name, value];
      return [name, startOfDay(name === 'to' ? dayAfter(value) : value, timeZone)];
    }),
  );
}

export const reports: ConsolePage = {
  path: '/reports',
  title: t('Reports'),
  who: 'read',
  menu: { section: 'Money', label: t('Reports') },
  show: async (visit) => {
    const report = asked(visit);
    const fields = fieldsOf(visit, report);
    return {
      title: LABELS[report],
      trail: [[t('Reports'), '/reports']],
      main: html`<div class="stack"><div><nav class="tabs" aria-label="${t('Reports')}">${NAMES.map(
        (name) =>
          html`<a href="${addressOf('/console/reports', { ...fieldsOf(visit, name), report: name })}"${name === report ? html` aria-current="page"` : NOTHING}>${LABELS[name]}</a>`,
      )}</nav></div>${card({
        title: LABELS[report],
        body: html`${windowForm(visit, report, fields)}${fileButtons()}${await SHOWN[report](visit, fields)}`,
      })}</div>`,
    };
  },
};

export const reportFile: ConsolePage = {
  path: '/reports/file',
  title: t('Reports'),
  who: 'read',
  isBackground: true,
  show: async (visit) => {
    const report = asked(visit);
    const format = visit.query.get('format') === 'pdf' ? 'pdf' : 'csv';
    const query = { ...instantsOf(fieldsOf(visit, report), visit), format };
    const file = await visit.api.download(PATHS[report], FORMATS[format], { query } as never); // the API validates text from the address
    const headers = new Headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    for (const name of ['content-type', 'content-disposition']) headers.set(name, file.headers.get(name) ?? '');
    return new Response(file.body, { headers });
  },
};

const FORM = 'report';

function windowForm(visit: Visit, report: Name, fields: Query): Html {
  const day = (name: 'at' | 'from' | 'to', label: Message) =>
    textField({ name, label, type: 'date', value: fields[name]?.slice(0, 10) ?? '' });
  return form({
    className: 'filters',
    id: FORM,
    method: 'get',
    action: '/console/reports',
    submit: t('Show'),
    tone: 'plain',
    fields: [
      hidden('report', report),
      ...(report === 'revenue' ? [day('from', t('From')), day('to', t('to'))] : [day('at', t('At the beginning of'))]),
      select({
        name: 'currency',
        label: t('Currency'),
        value: fields.currency ?? '',
        options: CURRENCY_FILTER_OPTIONS,
      }),
      report === 'revenue'
        ? monthLinks(visit, '/console/reports', { ...fields, report }, ['from', 'to'])
        : closingLinks(visit, report, fields),
    ],
  });
}

/** Links to the instants at which the last two months ended. */
function closingLinks(visit: Visit, report: Name, fields: Query): Html {
  const link = (monthsBefore: number, label: Message) => {
    const at = monthOf(todayOf(visit), monthsBefore).first;
    return html`<a href="${addressOf('/console/reports', { ...fields, report, at })}"${fields.at === at ? html` aria-current="true"` : NOTHING}>${label}</a>`;
  };
  return html`<span class="presets">${link(0, t('This month'))} ${link(1, t('Last month'))}</span>`;
}

/** Buttons of the form above, so that a file has what stands in its fields. After it, because Enter presses the first. */
function fileButtons(): Html {
  return html`<p class="row">${Object.keys(FORMATS).map(
    (format) =>
      html`<button class="button small" form="${FORM}" name="format" value="${format}" formaction="/console/reports/file">${icon('download')}${format.toUpperCase()}</button>`,
  )}</p>`;
}

const SHOWN: { readonly [Of in Name]: (visit: Visit, fields: Query) => Promise<Html> } = {
  'trial-balance': async (visit, fields) => {
    const { at, lines, totals } = await read('trial-balance', visit, fields);
    return html`${instantNote(at)}${table(t('Accounts'), lines, totals, [
      { title: t('Account'), line: ({ type }) => statusWords(type), total: () => t('Total') },
      CURRENCY,
      { title: t('Accounts'), align: 'end', rank: 'second', line: ({ accounts }) => accounts },
      amounts(t('Debit'), 'debit'),
      amounts(t('Credit'), 'credit'),
    ])}`;
  },
  liabilities: async (visit, fields) => {
    const { at, data, totals, total } = await read('liabilities', visit, { ...fields, ...pageQuery(visit) });
    return html`${instantNote(at)}${table(t('Users'), data, totals, [
      {
        title: t('User'),
        line: ({ userId, name }) => html`<a href="/console/users/${userId}">${name ?? userId}</a>`,
        total: () => t('Total'),
      },
      CURRENCY,
      amounts(t('Balance'), 'balance'),
      { ...amounts(t('Held'), 'held'), rank: 'second' },
      { ...amounts(t('Available'), 'available'), rank: 'second' },
    ])}${pages(visit, 'liabilities', { fields, shown: data.length, total })}`;
  },
  revenue: async (visit, fields) => {
    const { from, to, lines, totals } = await read('revenue', visit, fields);
    return html`<p class="soft">${rich('From {from} until right before {to}.', { from: time(from), to: time(to) })}</p>${table(
      t('Fees'),
      lines,
      totals,
      [
        { title: t('Kind'), line: ({ kind }) => statusWords(kind), total: ({ kind }) => statusWords(kind) },
        CURRENCY,
        {
          title: t('Rate'),
          align: 'end',
          line: ({ basis_points: rate }) => (rate === null ? t('By split plan') : percentText(rate)),
          total: () => t('Total'),
        },
        { title: t('Count'), align: 'end', rank: 'second', line: ({ count }) => count },
        {
          title: t('Taken of'),
          align: 'end',
          rank: 'second',
          line: ({ base, currency }) => amountText(base, currency),
        },
        amounts(t('Amount'), 'amount'),
      ],
      (line, total) => line.kind === total.kind,
    )}`;
  },
  receivables: async (visit, fields) => {
    const at = { at: visit.now.toISOString(), ...fields };
    const { data, totals, total, ...found } = await read('receivables', visit, { ...at, ...pageQuery(visit) });
    return html`${instantNote(found.at ?? at.at)}${table(t('Entries'), data, totals, [
      {
        title: t('Why'),
        line: ({ id, reason }) => html`<a href="/console/transactions/${id}">${statusWords(reason)}</a>`,
        total: () => t('Total'),
      },
      CURRENCY,
      { title: t('Owed by'), line: ({ userId, accountId }) => objectLink(userId ?? accountId) },
      { title: t('Since'), rank: 'second', line: ({ created_at }) => time(created_at) },
      { title: t('Of'), align: 'end', rank: 'second', line: ({ amount, currency }) => amountText(amount, currency) },
      amounts(t('Open'), 'remaining_amount'),
    ])}${pages(visit, 'receivables', { fields, shown: data.length, total })}`;
  },
};

async function read<Of extends Name>(report: Of, visit: Visit, fields: Query): Promise<Answer<Of>> {
  const request = { query: instantsOf(fields, visit) } as never; // the API validates text from the address
  return (await visit.api.get(PATHS[report], request)) as Answer<Of>; // the answer of this path
}

type Cell = ReturnType<Column<never>['cell']>;
type Line = { readonly currency: Currency };
type ReportColumn<Row, Sum> = Omit<Column<never>, 'cell'> & {
  readonly line: (row: Row) => Cell;
  /** Absent: the sums have nothing in this column. */
  readonly total?: (sum: Sum) => Cell;
};

/** The lines of a currency, or of another part, and then their sum in bold. */
function table<Row extends Line, Sum extends Line>(
  caption: Message,
  lines: readonly Row[],
  totals: readonly Sum[],
  columns: readonly ReportColumn<NoInfer<Row>, NoInfer<Sum>>[],
  isPart: (line: Row, total: Sum) => boolean = () => true,
): Html {
  if (totals.length === 0) return emptyState(t('Nothing to report'), t('There are no amounts at this time.'));
  const rows = totals.flatMap((sum): ({ readonly row: Row } | { readonly sum: Sum })[] => [
    ...lines.filter((row) => row.currency === sum.currency && isPart(row, sum)).map((row) => ({ row })),
    { sum },
  ]);
  return dataTable({
    caption,
    rows,
    columns: columns.map(({ line, total, ...column }) => ({
      ...column,
      cell: (one: (typeof rows)[number]) =>
        'row' in one ? line(one.row) : html`<strong>${total?.(one.sum) ?? ''}</strong>`,
    })),
  });
}

const CURRENCY = {
  title: t('Currency'),
  line: ({ currency }: Line) => currency,
  total: ({ currency }: Line) => currency,
} as const;

/** A column of amounts that lines and sums have. */
function amounts<Key extends string>(title: Message, key: Key) {
  const shown = (one: Line & { readonly [Name in Key]: string }) => amountText(one[key], one.currency);
  return { title, align: 'end', line: shown, total: shown } as const;
}

function instantNote(at: string): Html {
  return html`<p class="soft">${rich('As everything stood right before {time}.', { time: time(at) })}</p>`;
}

const pageOf = ({ query }: Visit) => offsetPage(query, ROWS_PER_PAGE);

function pageQuery(visit: Visit): Query {
  const { limit, offset } = pageOf(visit);
  return { limit: String(limit), offset: String(offset) };
}

function pages(
  visit: Visit,
  report: Name,
  { fields, ...page }: { readonly fields: Query; readonly shown: number; readonly total: number },
): Html {
  return offsetPages(['/console/reports', { ...fields, report }], { ...page, offset: pageOf(visit).offset });
}
