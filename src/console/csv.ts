import { type CsvRow, csvOf, spreadsheetText } from '../csv/csv.ts';

/** Answers of the API as CSV. */

const INTEGER = /^-?\d+$/;

/** The fields of the first row name the columns. */
export const csvOfAnswers = (pages: AsyncIterable<readonly object[]>): ReadableStream => csvOf(cellsOf(pages));

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
