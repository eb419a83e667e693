import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { publicId } from '../../domain/ids.ts';
import type { StatementEntry } from '../../domain/ledger/statement.ts';
import { type Currency, formatAmount } from '../../domain/money.ts';
import { lastInstant, publicIdsOf, type StatementDocument } from './document.ts';

/** A4 in points. Rows are laid out first, so that every page knows the number of pages. */
const PAGE = { width: 595.28, left: 40, right: 555.28, top: 40, tableEnd: 780, footer: 800 } as const;
const HEADER_END = 220;
const LINE = 11;
const ROW_PADDING = 5;
const SIZE = { title: 16, body: 8, small: 7 } as const;
const GREY = '#666666';
const RULE = '#bbbbbb';

/** The built-in fonts cover Western European letters at no cost; other letters use an embedded font. */
const FONTS = {
  plain: 'Helvetica',
  bold: 'Helvetica-Bold',
  unicode: createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
} as const;
const BUILT_IN = /^[\x20-\x7e\xa0-\xff]*$/;

const COLUMNS = {
  date: { title: 'Date (UTC)', x: 40, width: 84, align: 'left' },
  details: { title: 'Details', x: 128, width: 188, align: 'left' },
  debit: { title: 'Debit', x: 316, width: 78, align: 'right' },
  credit: { title: 'Credit', x: 394, width: 78, align: 'right' },
  balance: { title: 'Balance', x: 472, width: 83, align: 'right' },
} as const;
type Column = keyof typeof COLUMNS;

type Row = {
  readonly cells: Readonly<Record<Column, string>>;
  /** Smaller lines below the details. */
  readonly notes: readonly string[];
  readonly isBold: boolean;
};

type Style = { readonly size?: number; readonly isBold?: boolean; readonly color?: string };

export function pdfStatement(document: StatementDocument): ReadableStream {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    info: {
      Title: `Statement ${publicId('account', document.account.id)}`,
      Author: document.companyName,
      CreationDate: document.createdAt,
    },
  });
  draw(pdf, document).catch((error: unknown) => pdf.destroy(error instanceof Error ? error : new Error(String(error))));
  return Readable.toWeb(pdf);
}

/** Draws page by page, and lets other requests run between two pages. */
async function draw(pdf: PDFKit.PDFDocument, document: StatementDocument): Promise<void> {
  const pages = paginate(rowsOf(document));
  for (const [index, rows] of pages.entries()) {
    pdf.addPage();
    let y = index === 0 ? drawHeader(pdf, document) : PAGE.top;
    y = drawTableHeader(pdf, y);
    for (const row of rows) y = drawRow(pdf, row, y);
    drawFooter(pdf, document, `Page ${index + 1} of ${pages.length}`);
    await nextTurn();
  }
  pdf.end();
}

function rowsOf({ statement, account }: StatementDocument): Row[] {
  const total = (details: string, cells: Partial<Record<Column, string>>): Row => ({
    cells: { date: '', details, debit: '', credit: '', balance: '', ...cells },
    notes: [],
    isBold: true,
  });
  return [
    total('Opening balance', {
      date: minute(statement.from),
      balance: money(statement.openingCents, account.currency),
    }),
    ...statement.entries.map((entry) => entryRow(entry, account.currency)),
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

function entryRow(entry: StatementEntry, currency: Currency): Row {
  const { amountCents } = entry;
  return {
    cells: {
      date: minute(entry.createdAt),
      details: entry.description,
      debit: amountCents < 0n ? money(-amountCents, currency) : '',
      credit: amountCents > 0n ? money(amountCents, currency) : '',
      balance: money(entry.balanceAfterCents, currency),
    },
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
      : [
          [
            `Gross ${money(breakdown.grossCents, currency)}`,
            ...(breakdown.feeCents === 0n ? [] : [`Fee ${money(breakdown.feeCents, currency)}`]),
            ...(breakdown.taxCents === 0n ? [] : [`Tax ${money(breakdown.taxCents, currency)}`]),
          ].join(', '),
        ]),
    ...(reference === null ? [] : [`Ref. ${reference}`]),
    ...(endToEndId === null ? [] : [`Bank ref. ${endToEndId}`]),
    transactionId,
  ];
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

function drawHeader(
  pdf: PDFKit.PDFDocument,
  { statement, account, companyName, createdAt }: StatementDocument,
): number {
  const width = PAGE.right - PAGE.left;
  write(pdf, companyName, PAGE.left, PAGE.top, width, 'left', { size: SIZE.title, isBold: true });
  write(pdf, 'Statement of account', PAGE.left, PAGE.top + 22, width, 'left', { size: 11 });
  const facts: readonly (readonly [string, string])[] = [
    ['Account', `${publicId('account', account.id)} (${account.type})`],
    ['Account holder', account.ledgerName],
    ['Currency', account.currency],
    ['Period', `${minute(statement.from)} to ${minute(lastInstant(statement))} UTC`],
    ['Opening balance', money(statement.openingCents, account.currency)],
    ['Total credits', money(statement.totalCreditsCents, account.currency)],
    ['Total debits', money(statement.totalDebitsCents, account.currency)],
    ['Closing balance', money(statement.closingCents, account.currency)],
    ['Held at opening', money(statement.openingHeldCents, account.currency)],
    ['Held at closing', money(statement.closingHeldCents, account.currency)],
    ['Issued', `${minute(createdAt)} UTC`],
  ];
  for (const [index, [name, value]] of facts.entries()) {
    const y = PAGE.top + 46 + index * (LINE + 1);
    write(pdf, name, PAGE.left, y, 90, 'left', { color: GREY });
    write(pdf, value, PAGE.left + 94, y, width - 94, 'left', { isBold: name.endsWith('balance') });
  }
  return HEADER_END;
}

function drawTableHeader(pdf: PDFKit.PDFDocument, y: number): number {
  for (const { title, x, width, align } of Object.values(COLUMNS))
    write(pdf, title, x, y, width, align, { isBold: true });
  return rule(pdf, y + LINE) + ROW_PADDING;
}

function drawRow(pdf: PDFKit.PDFDocument, row: Row, y: number): number {
  for (const [name, { x, width, align }] of Object.entries(COLUMNS))
    write(pdf, row.cells[name as Column], x, y, width, align, { isBold: row.isBold }); // the keys of COLUMNS
  const { x, width } = COLUMNS.details;
  for (const [index, line] of row.notes.entries())
    write(pdf, line, x, y + (index + 1) * LINE, width, 'left', { size: SIZE.small, color: GREY });
  return rule(pdf, y + heightOf(row) - ROW_PADDING) + ROW_PADDING;
}

function drawFooter(pdf: PDFKit.PDFDocument, { account }: StatementDocument, page: string): void {
  const width = PAGE.right - PAGE.left;
  const style = { size: SIZE.small, color: GREY };
  write(pdf, publicId('account', account.id), PAGE.left, PAGE.footer, width, 'left', style);
  write(pdf, page, PAGE.left, PAGE.footer, width, 'right', style);
}

/** One line of text, shortened to fit. */
function write(
  pdf: PDFKit.PDFDocument,
  text: string,
  x: number,
  y: number,
  width: number,
  align: 'left' | 'right',
  { size = SIZE.body, isBold = false, color = 'black' }: Style = {},
): void {
  if (text === '') return;
  pdf
    .font(BUILT_IN.test(text) ? FONTS[isBold ? 'bold' : 'plain'] : FONTS.unicode)
    .fontSize(size)
    .fillColor(color);
  const line = shorten(pdf, text, width - 4);
  const at = align === 'left' ? x : x + width - pdf.widthOfString(line);
  pdf.text(line, at, y, { lineBreak: false });
}

function shorten(pdf: PDFKit.PDFDocument, text: string, width: number): string {
  if (pdf.widthOfString(text) <= width) return text;
  const characters = [...text];
  let fits = 0;
  for (let tooLong = characters.length; tooLong - fits > 1; ) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (pdf.widthOfString(`${characters.slice(0, middle).join('')}...`) <= width) fits = middle;
    else tooLong = middle;
  }
  return `${characters.slice(0, fits).join('')}...`;
}

function rule(pdf: PDFKit.PDFDocument, y: number): number {
  pdf.moveTo(PAGE.left, y).lineTo(PAGE.right, y).lineWidth(0.4).strokeColor(RULE).stroke();
  return y;
}

/** `1,234.56`. */
function money(cents: bigint, currency: Currency): string {
  return formatAmount(cents, currency)
    .replace(/\B(?=(\d{3})+(?!\d)\.)/g, ',')
    .replace(/\B(?=(\d{3})+\.)/g, ',');
}

function minute(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}
