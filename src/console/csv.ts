import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/** Lists as CSV (RFC 4180), written as the rows come: a file of a million rows never stands in memory. */

/**
 * Spreadsheets execute a cell that begins with one of these characters, also after blanks, in half and full width. A leading
 * quote makes the cell text. Numbers stay numbers.
 */
const FORMULA = /^\s*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/;
const INTEGER = /^-?\d+$/;
/** Spreadsheets may split lines at these characters, and would execute what follows: such cells are quoted. */
const OTHER_DELIMITERS = /[;\t|]/;

/** The fields of the first row name the columns. */
export function csvOf(rows: AsyncIterable<object>): ReadableStream {
  const writer = stringify({ header: true, record_delimiter: 'windows', quoted_match: OTHER_DELIMITERS });
  const source = Readable.from(cellsOf(rows));
  source.on('error', (error) => writer.destroy(error));
  return Readable.toWeb(source.pipe(writer)) as ReadableStream; // the same class under Node's own name
}

async function* cellsOf(rows: AsyncIterable<object>): AsyncGenerator<Record<string, string>> {
  for await (const row of rows)
    yield Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cellText(value)]));
}

/** A field of an API answer as a cell: text as it is, lists and objects as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return FORMULA.test(text) && !INTEGER.test(text) ? `'${text}` : text;
}
