import { camt053Statement } from './camt053.ts';
import { csvStatement } from './csv.ts';
import { type EntryPages, type StatementHead, wholeDocument } from './document.ts';
import type { Drawing } from './pdf-orders.ts';

/** Draws a file for the company that asks. */
type Draw = (drawing: Drawing) => Promise<ReadableStream<Uint8Array>>;

/** The formats of a statement other than JSON: their names in requests, and their writers. */
export const STATEMENT_FILES = {
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    write: csvStatement,
  },
  pdf: {
    mediaType: 'application/pdf',
    contentType: 'application/pdf',
    extension: 'pdf',
    write: async (head: StatementHead, pages: EntryPages, draw: Draw) => draw(await wholeDocument(head, pages)),
  },
  'camt.053': {
    mediaType: 'application/xml',
    contentType: 'application/xml; charset=utf-8',
    extension: 'xml',
    write: camt053Statement,
  },
} as const satisfies Record<
  string,
  {
    readonly mediaType: string;
    readonly contentType: string;
    readonly extension: string;
    readonly write: (head: StatementHead, pages: EntryPages, draw: Draw) => ReadableStream | Promise<ReadableStream>;
  }
>;

type StatementFile = keyof typeof STATEMENT_FILES;
export const STATEMENT_FORMATS = ['json', 'csv', 'pdf', 'camt.053'] as const satisfies readonly (
  | 'json'
  | StatementFile
)[];
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

const JSON_MEDIA_TYPE = 'application/json';
/** All media types of a statement for `Accept`; JSON comes first and also answers `*`. */
export const STATEMENT_MEDIA_TYPES: readonly string[] = [
  JSON_MEDIA_TYPE,
  ...Object.values(STATEMENT_FILES).map(({ mediaType }) => mediaType),
];

export function formatOfMediaType(mediaType: string): StatementFormat {
  const files = Object.entries(STATEMENT_FILES) as [StatementFile, (typeof STATEMENT_FILES)[StatementFile]][]; // the object's own keys
  return files.find(([, file]) => file.mediaType === mediaType)?.[0] ?? 'json';
}
