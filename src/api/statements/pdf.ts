import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { publicId } from '../../domain/ids.ts';
import type { RatedFee, StatementEntry } from '../../domain/ledger/statement.ts';
import { type Currency, formatAmount } from '../../domain/money.ts';
import { clockOf } from '../../domain/time-zone.ts';
import { loadFonts } from '../pdf/fonts.ts';
import { drawLine, type Pen, shortened, widthOf, wrapped } from '../pdf/text.ts';
import { lastInstant, publicIdsOf, type StatementDocument } from './document.ts';

/** A4 in points. Rows are laid out first, so that every page knows the number of pages. */
const PAGE = { width: 595.28, left: 40, right: 555.28, top: 40, tableEnd: 780, footer: 800 } as const;
/** The address and the numbers of the company, beside the facts. */
const LETTERHEAD = { x: 375, width: 180 } as const;
const HEADER_END = 234;
const LINE = 11;
const ROW_PADDING = 5;
const SIZE = { title: 16, body: 8, small: 7 } as const;
/** Between two columns. */
const GAP = 4;
const ROWS_BETWEEN_TURNS = 50;
const GREY = '#666666';
const RULE = '#bbbbbb';

const COLUMNS = {
  date: { title: 'Booked, value date', x: 40, width: 84, align: 'left' },
  details: { title: 'Details', x: 128, width: 188, align: 'left' },
  debit: { title: 'Debit', x: 316, width: 78, align: 'right' },
  credit: { title: 'Credit', x: 394, width: 78, align: 'right' },
  balance: { title: 'Balance', x: 472, width: 83, align: 'right' },
} as const;
type Column = keyof typeof COLUMNS;

type Row = {
  readonly cells: Readonly<Record<Column, string>>;
  /** A smaller line below the time. */
  readonly valueDate: string | null;
  /** Smaller lines below the details. */
  readonly notes: readonly string[];
  readonly isBold: boolean;
};

type Style = { readonly size?: number; readonly isBold?: boolean; readonly color?: string; readonly isWhole?: boolean };

/** The file that is drawn, with its fonts and the structure that screen readers follow. */
type Canvas = Pen & { readonly root: PDFKit.PDFStructureElement };

/** Draws until `signal` is aborted. Takes seconds of processor time for a long statement: pdf-renderer.ts has a thread for it. */
export function pdfStatement(document: StatementDocument, signal?: AbortSignal): ReadableStream<Uint8Array> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: 'en',
    displayTitle: true,
    tagged: true,
    pdfVersion: '1.7',
    info: {
      Title: `Statement ${publicId('account', document.account.id)}`,
      Author: document.company.name,
      CreationDate: document.createdAt,
    },
  });
  draw(pdf, document, signal).catch((error: unknown) =>
    pdf.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return Readable.toWeb(pdf);
}

/** Draws page by page. Other documents are drawn between two pages. */
async function draw(pdf: PDFKit.PDFDocument, document: StatementDocument, signal?: AbortSignal): Promise<void> {
  const rows = rowsOf(document);
  const fonts = await loadFonts(pdf, [
    ...factsOf(document).flat(),
    document.company.name,
    ...document.company.lines,
    ...rows.flatMap(textsOf),
  ]);
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const canvas = { pdf, fonts, root };
  const table = pdf.struct('Table');
  const pages = paginate(await fitted(canvas, rows, signal));
  for (const [index, rowsOfPage] of pages.entries()) {
    pdf.addPage();
    let y: number = PAGE.top;
    if (index === 0) {
      y = drawHeader(canvas, document);
      root.add(table);
    }
    y = drawTableHeader(canvas, index === 0 ? table : null, y);
    for (const row of rowsOfPage) y = drawRow(canvas, table, row, y);
    drawFooter(canvas, document, `Page ${index + 1} of ${pages.length}`);
    await nextTurn();
    signal?.throwIfAborted();
  }
  table.end();
  root.end();
  pdf.end();
}

/** The rows, their notes broken into lines that fit: a reference that accountants match is always complete. */
async function fitted(canvas: Canvas, rows: readonly Row[], signal?: AbortSignal): Promise<Row[]> {
  const look = { size: SIZE.small, isBold: false };
  const width = COLUMNS.details.width - GAP;
  const fitting: Row[] = [];
  for (const row of rows) {
    const lines = (note: string) =>
      widthOf(canvas, note, look) <= width ? [note] : wrapped(canvas, note, look, width);
    fitting.push({ ...row, notes: row.notes.flatMap(lines) });
    if (fitting.length % ROWS_BETWEEN_TURNS === 0) {
      await nextTurn();
      signal?.throwIfAborted();
    }
  }
  return fitting;
}

function textsOf({ cells, notes }: Row): string[] {
  return [cells.details, ...notes];
}

function rowsOf({ statement, account, timeZone }: StatementDocument): Row[] {
  const minute = minutesOf(timeZone);
  const total = (details: string, cells: Partial<Record<Column, string>>): Row => ({
    cells: { date: '', details, debit: '', credit: '', balance: '', ...cells },
    valueDate: null,
    notes: [],
    isBold: true,
  });
  return [
    total('Opening balance', {
      date: minute(statement.from),
      balance: money(statement.openingCents, account.currency),
    }),
    ...statement.entries.map((entry) => entryRow(entry, account.currency, minute)),
    total('Totals', {
      debit: money(statement.totalDebitsCents, account.currency),
      credit: money(statement.totalCreditsCents, account.currency),
    }),
    total('Closing balance', {
      date: minute(lastInstant(statement)),
      balance: money(statement.closingCents, account.currency),
    }),
  ];
}

function entryRow(entry: StatementEntry, currency: Currency, minute: Clock): Row {
  const { amountCents } = entry;
  return {
    cells: {
      date: minute(entry.createdAt),
      details: entry.description,
      debit: amountCents < 0n ? money(-amountCents, currency) : '',
      credit: amountCents > 0n ? money(amountCents, currency) : '',
      balance: money(entry.balanceAfterCents, currency),
    },
    valueDate: `Value ${entry.valueDate ?? minute(entry.createdAt).slice(0, 10)}`,
    notes: notesOf(entry, currency),
    isBold: false,
  };
}

function notesOf(entry: StatementEntry, currency: Currency): string[] {
  const { counterparty, breakdown, reference, amountCents } = entry;
  const { transactionId, endToEndId } = publicIdsOf(entry);
  const name = counterparty?.name ?? null;
  return [
    ...(name === null ? [] : [`${amountCents < 0n ? 'To' : 'From'} ${name}`]),
    ...(breakdown === null || breakdown.feeCents + breakdown.taxCents === 0n
      ? []
      : [`Gross ${money(breakdown.grossCents, currency)}`, ...breakdown.rates.map((rate) => feeLine(rate, currency))]),
    ...(reference === null ? [] : [`Ref. ${reference}`]),
    ...(endToEndId === null ? [] : [`Bank ref. ${endToEndId}`]),
    transactionId,
  ];
}

const FEE_NAMES = { SERVICE_FEE: 'Service fee', SYSTEM_FEE: 'Platform fee', TRANSFER_TAX: 'Transfer tax' } as const;

/** `Service fee 1.25 (0.5 %)`. */
function feeLine({ kind, cents, basisPoints }: RatedFee, currency: Currency): string {
  const rate = basisPoints === null ? 'as agreed' : `${basisPoints / 100} %`;
  return `${FEE_NAMES[kind]} ${money(cents, currency)} (${rate})`;
}

function heightOf(row: Row): number {
  return (1 + row.notes.length) * LINE + ROW_PADDING;
}

/** Totals and closing balance are never on a page without a row before them. */
function paginate(rows: readonly Row[]): Row[][] {
  const pages: Row[][] = [[]];
  let y = HEADER_END + LINE + ROW_PADDING;
  for (const [index, row] of rows.entries()) {
    const together = index === rows.length - 3 ? rows.slice(index) : [row];
    const needed = together.reduce((sum, each) => sum + heightOf(each), 0);
    if (y + needed > PAGE.tableEnd) {
      pages.push([]);
      y = PAGE.top + LINE + ROW_PADDING;
    }
    pages.at(-1)?.push(row);
    y += heightOf(row);
  }
  return pages;
}

function drawHeader(canvas: Canvas, document: StatementDocument): number {
  const { pdf, root } = canvas;
  const width = PAGE.right - PAGE.left;
  const heading = { size: SIZE.title, isBold: true };
  root.add(
    pdf.struct('P', {}, () => write(canvas, document.company.name, PAGE.left, PAGE.top, width, 'left', heading)),
  );
  const title = () => write(canvas, 'Statement of account', PAGE.left, PAGE.top + 22, width, 'left', { size: 11 });
  root.add(pdf.struct('H1', {}, title));
  const look = { size: SIZE.body, isBold: false };
  const lines = document.company.lines.flatMap((line) => wrapped(canvas, line, look, LETTERHEAD.width));
  for (const [index, line] of lines.entries())
    root.add(
      pdf.struct('P', {}, () => {
        pdf.fillColor(GREY);
        drawLine(canvas, line, look, { ...LETTERHEAD, y: PAGE.top + 46 + index * (LINE + 1), align: 'right' });
      }),
    );
  for (const [index, [name, value]] of factsOf(document).entries()) {
    const y = PAGE.top + 46 + index * (LINE + 1);
    const fact = () => {
      write(canvas, name, PAGE.left, y, 90, 'left', { color: GREY });
      write(canvas, value, PAGE.left + 94, y, LETTERHEAD.x - PAGE.left - 94, 'left', {
        isBold: name.endsWith('balance'),
      });
    };
    root.add(pdf.struct('P', {}, fact));
  }
  return HEADER_END;
}

function factsOf({
  statement,
  account,
  timeZone,
  createdAt,
}: StatementDocument): (readonly [name: string, value: string])[] {
  const minute = minutesOf(timeZone);
  return [
    ['Account', `${publicId('account', account.id)} (${account.type})`],
    ['Account holder', account.ledgerName],
    ['Currency', account.currency],
    ['Period', `${minute(statement.from)} to ${minute(lastInstant(statement))} ${timeZone}`],
    ['Opening balance', money(statement.openingCents, account.currency)],
    ['Held at opening', money(statement.openingHeldCents, account.currency)],
    ['Total credits', money(statement.totalCreditsCents, account.currency)],
    ['Total debits', money(statement.totalDebitsCents, account.currency)],
    ['Closing balance', money(statement.closingCents, account.currency)],
    ['Held at closing', money(statement.closingHeldCents, account.currency)],
    ['Issued', `${minute(createdAt)} ${timeZone}`],
  ];
}

/** The titles of the columns belong to the table once. On further pages they are repeated for the eye alone. */
function drawTableHeader(canvas: Canvas, table: PDFKit.PDFStructureElement | null, y: number): number {
  const { pdf } = canvas;
  const columns = Object.values(COLUMNS);
  const drawTitle = ({ title, x, width, align }: (typeof columns)[number]) =>
    write(canvas, title, x, y, width, align, { isBold: true });
  if (table === null)
    asArtifact(pdf, () => {
      for (const column of columns) drawTitle(column);
    });
  else
    addRow(
      pdf,
      table,
      columns.map((column) => {
        const options = { title: column.title, scope: 'Column' }; // the types of pdfkit lack `scope`
        return pdf.struct('TH', options, () => drawTitle(column));
      }),
    );
  return rule(pdf, y + LINE) + ROW_PADDING;
}

function drawRow(canvas: Canvas, table: PDFKit.PDFStructureElement, row: Row, y: number): number {
  const { pdf } = canvas;
  const drawCell = (name: Column) => () => {
    const { x, width, align } = COLUMNS[name];
    const isAmount = align === 'right';
    write(canvas, row.cells[name], x, y, width, align, { isBold: row.isBold, isWhole: isAmount });
    const below = name === 'details' ? row.notes : name === 'date' && row.valueDate !== null ? [row.valueDate] : [];
    canvas.pdf.fillColor(GREY);
    for (const [index, line] of below.entries())
      drawLine(
        canvas,
        line,
        { size: SIZE.small, isBold: false },
        { x, y: y + (index + 1) * LINE, width, align: 'left' },
      );
  };
  const names = Object.keys(COLUMNS) as Column[]; // its own keys
  addRow(
    pdf,
    table,
    names.map((name) => pdf.struct('TD', {}, drawCell(name))),
  );
  return rule(pdf, y + heightOf(row) - ROW_PADDING) + ROW_PADDING;
}

/** The cells are drawn when they are added. */
function addRow(
  pdf: PDFKit.PDFDocument,
  table: PDFKit.PDFStructureElement,
  cells: readonly PDFKit.PDFStructureElement[],
): void {
  const row = pdf.struct('TR');
  table.add(row);
  for (const cell of cells) row.add(cell);
  row.end();
}

function drawFooter(canvas: Canvas, { account }: StatementDocument, page: string): void {
  const width = PAGE.right - PAGE.left;
  const style = { size: SIZE.small, color: GREY };
  asArtifact(canvas.pdf, () => {
    write(canvas, publicId('account', account.id), PAGE.left, PAGE.footer, width, 'left', style);
    write(canvas, page, PAGE.left, PAGE.footer, width, 'right', style);
  });
}

/** Draws what screen readers skip. */
function asArtifact(pdf: PDFKit.PDFDocument, draw: () => void): void {
  pdf.markContent('Artifact');
  draw();
  pdf.endMarkedContent();
}

/** One line of text, shortened to fit. An amount is never cut: its letters get smaller. */
function write(
  canvas: Canvas,
  text: string,
  x: number,
  y: number,
  width: number,
  align: 'left' | 'right',
  { size = SIZE.body, isBold = false, color = 'black', isWhole = false }: Style = {},
): void {
  if (text === '') return;
  const look = { size, isBold };
  canvas.pdf.fillColor(color);
  const room = width - GAP;
  if (isWhole) look.size *= Math.min(1, room / widthOf(canvas, text, look));
  drawLine(canvas, isWhole ? text : shortened(canvas, text, look, room), look, { x, y, width, align });
}

function rule(pdf: PDFKit.PDFDocument, y: number): number {
  asArtifact(pdf, () => {
    pdf.moveTo(PAGE.left, y).lineTo(PAGE.right, y).lineWidth(0.4).strokeColor(RULE).stroke();
  });
  return y;
}

/** `1,234.56`. */
function money(cents: bigint, currency: Currency): string {
  return formatAmount(cents, currency)
    .replace(/\B(?=(\d{3})+(?!\d)\.)/g, ',')
    .replace(/\B(?=(\d{3})+\.)/g, ',');
}

type Clock = (at: Date) => string;

function minutesOf(timeZone: string): Clock {
  const clock = clockOf(timeZone);
  return (at) => clock(at).slice(0, 16);
}
