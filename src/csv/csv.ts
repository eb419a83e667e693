import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { inTurn, piecesOf } from '../turns/turns.ts';

/**
 * CSV by RFC 4180 that no spreadsheet executes. Pages of rows are written as they arrive, so a large file is never
 * in memory as a whole.
 */

export type CsvRow = Readonly<Record<string, string>>;

type CsvPages = AsyncIterable<readonly CsvRow[]>;

/** The characters after which spreadsheets may begin a cell: depending on locale and settings they split not only at commas. */
const OTHER_DELIMITERS = /[;\t|]/;

/**
 * Spreadsheets execute a cell that begins with one of `= + - @`, in half and full width, also after blanks. A program that splits
 * at another delimiter ignores quotes inside a line, so a cell may begin after each delimiter and line break within the text.
 */
const BEFORE_FORMULA = /(?<=^|[;|\t\r\n])(?=\s*[=+\-@\uff0b\uff0d\uff1d\uff20])|^(?=[\t\r])/g;

/** A customer's text with an apostrophe before each formula, which turns it into text. */
export function spreadsheetText(value: string): string {
  return value.replace(BEFORE_FORMULA, "'");
}

const FORMAT = { record_delimiter: 'windows', quoted_match: OTHER_DELIMITERS } as const;

/**
 * The file of these pages. A page, or a long page's piece, is one chunk: a chunk for each row would cost the streams and the connection more than the text
 * itself. Columns in the given order; absent: the fields of the first row. Cells are written as they are: see `spreadsheetText`.
 */
export function csvOf(pages: CsvPages, columns?: readonly string[]): ReadableStream {
  const chunks = Readable.from(chunksOf(pages, columns), { highWaterMark: 1 });
  return Readable.toWeb(chunks) as ReadableStream; // the same class under Node's own name
}

async function* chunksOf(pages: CsvPages, columns: readonly string[] | undefined): AsyncGenerator<Buffer> {
  let names = columns;
  let header = true;
  const chunkOf = (rows: readonly CsvRow[]) =>
    Buffer.from(stringify([...rows], { header, columns: [...(names ?? [])], ...FORMAT }));
  for await (const rows of pages) {
    const [first] = rows;
    if (first === undefined) continue;
    names ??= Object.keys(first);
    for (const piece of piecesOf(rows)) {
      yield await inTurn(() => chunkOf(piece));
      header = false;
    }
  }
  if (header && names !== undefined) yield chunkOf([]);
}
