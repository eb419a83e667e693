import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { csvOf, spreadsheetText } from '../../csv/csv.ts';
import { type Currency, formatAmount } from '../../domain/money.ts';
import { clockOf, UTC } from '../../domain/time-zone.ts';
import { mapInTurns } from '../../turns/turns.ts';
import { loadFonts } from '../pdf/fonts.ts';
import type { Letterhead } from '../pdf/letterhead.ts';
import { drawLine, type Look, type Pen, shortened, widthOf, wrapped } from '../pdf/text.ts';

/** A report as a table, for its files. The first row of a kind says `LINE`, the sums say `TOTAL`. */

type ReportColumn = {
  /** The name in CSV files, and the title in PDF files. */
  readonly name: string;
  readonly title: string;
  readonly isAmount?: true;
  /** Never cut, like an amount. */
  readonly isId?: true;
  /** An instant in ISO 8601, which a PDF shows in the company's zone. */
  readonly isInstant?: true;
};
export type ReportRow = {
  readonly record: 'LINE' | 'TOTAL';
  readonly currency: Currency;
  /** Amounts are integer cents. A column that is missing is empty. */
  readonly cells: Readonly<Record<string, string>>;
};
export type Report = {
  readonly title: string;
  readonly company: Letterhead;
  /** Of the instants that a PDF shows. */
  readonly timeZone: string;
  /** The first instant of a period. */
  readonly from?: Date;
  /** The instant of the report, which does not belong to it any more. */
  readonly at: Date;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
};

export function csvReport({ columns, rows }: Report): ReadableStream {
  const names = ['record', 'currency', ...columns.map(({ name }) => name)];
  const lineOf = ({ record, currency, cells }: ReportRow) => ({
    record,
    currency,
    ...Object.fromEntries(columns.map(({ name }) => [name, spreadsheetText(cells[name] ?? '')])),
  });
  return csvOf(linesOf(rows, lineOf), names);
}

async function* linesOf<Line>(
  rows: readonly ReportRow[],
  lineOf: (row: ReportRow) => Line,
): AsyncGenerator<readonly Line[]> {
  yield await mapInTurns(rows, lineOf);
}

/** A4 in points. */
const PAGE = { left: 40, right: 555.28, top: 40, end: 790, footer: 806 } as const;
/** The address and the numbers of the company, at the right. */
const LETTERHEAD = { x: 335, width: 220, line: 11 } as const;
const LINE = 15;
const GAP = 6;
const ROWS_BETWEEN_TURNS = 50;
const SIZE = 8;
const GREY = '#666666';
const RULE = '#bbbbbb';

/**
 * The file depends on the report alone, so the report of a past instant has the same bytes whenever it is taken. pdf-renderer.ts has a
 * thread for it.
 */
export function pdfReport(report: Report): ReadableStream {
  const info = {
    Title: `${report.title} ${periodOf(report, UTC)}`,
    ...{ Author: report.company.name, CreationDate: report.at },
  };
  const pdf = new PDFDocument({
    ...{ size: 'A4', margin: 0, autoFirstPage: false, bufferPages: true, lang: 'en', displayTitle: true },
    info,
  });
  draw(pdf, report).catch((error: unknown) => pdf.destroy(error instanceof Error ? error : new Error(String(error))));
  return Readable.toWeb(pdf) as ReadableStream; // the same class under Node's own name
}

async function draw(pdf: PDFKit.PDFDocument, report: Report): Promise<void> {
  const { title, company, columns, rows } = report;
  const clock = clockOf(report.timeZone);
  const fonts = await loadFonts(pdf, [
    company.name,
    ...company.lines,
    ...rows.flatMap(({ cells }) => Object.values(cells)),
  ]);
  const pen: Pen = { pdf, fonts };
  const shown: readonly ReportColumn[] = [{ name: 'currency', title: 'Currency' }, ...columns];
  const places = placesOf(shown);
  const head = (y: number) => {
    for (const { column, x, width } of places) write(pen, column.title, x, y, width, column, { isBold: true });
    rule(pdf, y + LINE - 4);
    return y + LINE + 2;
  };
  pdf.addPage();
  const whole = { x: PAGE.left, width: PAGE.right - PAGE.left };
  pdf.fillColor('black');
  const line = (text: string, y: number, look: Look) => drawLine(pen, text, look, { ...whole, y, align: 'left' });
  line(shortened(pen, company.name, { size: 16, isBold: true }, whole.width), PAGE.top, { size: 16, isBold: true });
  line(title, PAGE.top + 24, { size: 12, isBold: false });
  pdf.fillColor(GREY);
  line(periodOf(report, report.timeZone), PAGE.top + 42, { size: SIZE, isBold: false });
  const look = { size: SIZE, isBold: false };
  const lines = company.lines.flatMap((text) => wrapped(pen, text, look, LETTERHEAD.width));
  for (const [index, text] of lines.entries())
    drawLine(pen, text, look, { ...LETTERHEAD, y: PAGE.top + 24 + index * LETTERHEAD.line, align: 'right' });
  let y = head(PAGE.top + Math.max(64, 36 + lines.length * LETTERHEAD.line));
  for (const [index, row] of rows.entries()) {
    if (y + LINE > PAGE.end) {
      pdf.addPage();
      y = head(PAGE.top);
    }
    const isBold = row.record === 'TOTAL';
    for (const { column, x, width } of places)
      write(pen, textOf(row, column, shown, clock), x, y, width, column, { isBold });
    rule(pdf, y + LINE - 4);
    y += LINE;
    if (index % ROWS_BETWEEN_TURNS === 0) await nextTurn();
  }
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    pdf.fillColor(GREY);
    drawLine(
      pen,
      `Page ${page + 1} of ${count}`,
      { size: 7, isBold: false },
      { ...whole, y: PAGE.footer, align: 'right' },
    );
  }
  pdf.end();
}

/** `Right before 2026-12-01 00:00:00 Africa/Harare (2026-11-30T22:00:00.000Z)`. */
function periodOf({ from, at }: Report, zone: string): string {
  const clock = clockOf(zone);
  const inZone = (instant: Date) =>
    zone === UTC ? instant.toISOString() : `${clock(instant)} ${zone} (${instant.toISOString()})`;
  return from === undefined ? `Right before ${inZone(at)}` : `${inZone(from)} until right before ${inZone(at)}`;
}

function textOf(
  row: ReportRow,
  { name, isAmount, isInstant }: ReportColumn,
  shown: readonly ReportColumn[],
  clock: (at: Date) => string,
): string {
  if (name === 'currency') return row.currency;
  const text = row.cells[name] ?? '';
  if (isInstant === true && text !== '') return clock(new Date(text));
  if (isAmount === true && text !== '') return grouped(BigInt(text), row.currency);
  return row.record === 'TOTAL' && name === shown[1]?.name && text === '' ? 'Total' : text;
}

/** Amounts get the same width each, and the other columns share the rest: an id twice as much as another text. */
function placesOf(columns: readonly ReportColumn[]) {
  const narrow = 46;
  const weightOf = ({ isId }: ReportColumn) => (isId === true ? 2 : 1);
  const amounts = columns.filter(({ isAmount }) => isAmount).length;
  const texts = columns.slice(1).filter(({ isAmount }) => isAmount !== true);
  const weights = texts.reduce((sum, column) => sum + weightOf(column), 0);
  const amountWidth = 84;
  const textWidth = (PAGE.right - PAGE.left - narrow - amounts * amountWidth) / Math.max(1, weights);
  let x: number = PAGE.left;
  return columns.map((column, index) => {
    const width = index === 0 ? narrow : column.isAmount === true ? amountWidth : textWidth * weightOf(column);
    const place = { column, x, width };
    x += width;
    return place;
  });
}

/** Amounts and ids are never cut: their letters get smaller. */
function write(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  width: number,
  { isAmount, isId }: Pick<ReportColumn, 'isAmount' | 'isId'>,
  { isBold }: { readonly isBold: boolean },
): void {
  if (text === '') return;
  const room = width - GAP;
  const isWhole = isAmount === true || isId === true;
  const size = isWhole ? SIZE * Math.min(1, room / widthOf(pen, text, { size: SIZE, isBold })) : SIZE;
  pen.pdf.fillColor('black');
  drawLine(
    pen,
    isWhole ? text : shortened(pen, text, { size, isBold }, room),
    { size, isBold },
    { x, y, width: isAmount === true ? width - 2 : room, align: isAmount === true ? 'right' : 'left' },
  );
}

function rule(pdf: PDFKit.PDFDocument, y: number): void {
  pdf.moveTo(PAGE.left, y).lineTo(PAGE.right, y).lineWidth(0.4).strokeColor(RULE).stroke();
}

/** `1,234.56`. */
function grouped(cents: bigint, currency: Currency): string {
  const [whole = '', rest] = formatAmount(cents, currency).split('.');
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, ','), ...(rest === undefined ? [] : [rest])].join('.');
}
