import type { Message, Text } from '../language/message.ts';
import { type Html, html, NOTHING } from './html.ts';

type Cell = Html | Text | number | null;

export type Column<Row> = {
  readonly title: Message;
  readonly cell: (row: Row) => Cell;
  /** Numbers and amounts are aligned at the right. */
  readonly align?: 'end';
  /** Columns of the second rank are hidden on phones; the row's own page has them. */
  readonly rank?: 'second';
};

type Table<Row> = {
  /** Read by screen readers; shown only by the print style. */
  readonly caption: Message;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The address of a row's own page: its first cell becomes the link. */
  readonly href?: (row: Row) => string | null;
};

/**
 * A table that scrolls sideways inside its frame. `data-rows` marks the rows that arrow keys move through. Show an
 * `emptyState` instead if there are no rows.
 */
export function dataTable<Row>({ caption, columns, rows, href }: Table<Row>): Html {
  return html`<div class="table-frame" role="region" aria-label="${caption}" tabindex="0"><table class="table" data-rows>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col"${className(column)}>${column.title}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${columns.map((column, index) => cell(row, column, index === 0 ? (href?.(row) ?? null) : null))}</tr>\n`)}</tbody>
</table></div>`;
}

function cell<Row>(row: Row, column: Column<Row>, href: string | null): Html {
  const content = column.cell(row) ?? '';
  return html`<td${className(column)}>${href === null ? content : html`<a class="row-link" href="${href}">${content}</a>`}</td>`;
}

function className({ align, rank }: Pick<Column<never>, 'align' | 'rank'>): Html {
  const names = [align, rank].filter((name) => name !== undefined);
  return names.length === 0 ? NOTHING : html` class="${names.join(' ')}"`;
}
