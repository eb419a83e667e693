import type { StatementEntry } from '../../domain/ledger/statement.ts';
import type { StatementDocument } from './document.ts';
import type { Report, ReportRow } from './report-files.ts';

/** What the API and the thread that draws PDF files tell each other. */

/** `receipt`: of the checkout, as `receiptOf` in checkout/receipt.ts makes it. */
export type Drawing = StatementDocument | Report | { readonly receipt: object };

/** To the thread. */
export type PdfOrder =
  /** `rows`: the number of rows that follow in pieces. The drawing itself has none. */
  | { readonly kind: 'draw'; readonly id: number; readonly drawing: Drawing; readonly rows: number }
  | { readonly kind: 'rows'; readonly id: number; readonly rows: readonly Row[] }
  | { readonly kind: 'cancel'; readonly id: number };

/** From the thread. Every order to draw ends with `ended` or `failed`, also after it was cancelled. */
export type PdfNews =
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'ended'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: Error };

export type Row = StatementEntry | ReportRow;

/** The lines of a statement, or the rows of a report. A receipt is short. */
export function rowsOf(drawing: Drawing): readonly Row[] {
  if ('receipt' in drawing) return [];
  return 'statement' in drawing ? drawing.statement.entries : drawing.rows;
}

/** The drawing with these rows, which are of its kind. */
export function withRows(drawing: Drawing, rows: readonly Row[]): Drawing {
  if ('receipt' in drawing) return drawing;
  return 'statement' in drawing
    ? { ...drawing, statement: { ...drawing.statement, entries: rows as readonly StatementEntry[] } }
    : { ...drawing, rows: rows as readonly ReportRow[] };
}
