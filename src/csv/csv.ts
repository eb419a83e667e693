import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/**
 * CSV by RFC 4180 that no spreadsheet executes. Rows are written as they arrive, so a large file is never in memory as a
 * whole.
 */

export type CsvRow = Readonly<Record<string, string>>;

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

/** Columns in the given order; absent: the fields of the first row. Cells are written as they are: see `spreadsheetText`. */
export function csvOf(rows: Iterable<CsvRow> | AsyncIterable<CsvRow>, columns?: readonly string[]): ReadableStream {
  const writer = stringify({
    header: true,
    record_delimiter: 'windows',
    quoted_match: OTHER_DELIMITERS,
    ...(columns === undefined ? {} : { columns: [...columns] }),
  });
  const source = Readable.from(rows);
  source.on('error', (error) => writer.destroy(error));
  return Readable.toWeb(source.pipe(writer)) as ReadableStream; // the same class under Node's own name
}
