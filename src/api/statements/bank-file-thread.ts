import { parentPort, workerData } from 'node:worker_threads';
import { decodeXml, XmlError } from '../../iso20022/read.ts';
import { readCamt053, TooManyEntries } from './read-camt053.ts';

/** The entry of the thread that reads one bank file: bank-file-reader.ts starts it. */

export type BankFileNews =
  /** `lines` is JSON, which the database reads: the receiving thread does not look into it. */
  | {
      readonly kind: 'read';
      readonly statement: ReturnType<typeof readCamt053>['statement'];
      readonly lines: string;
      readonly entries: number;
    }
  | { readonly kind: 'refused'; readonly code: 'statement_invalid' | 'statement_too_large'; readonly detail: string };

function read(bytes: Uint8Array): BankFileNews {
  try {
    const { statement, lines, entries } = readCamt053(decodeXml(bytes));
    return { kind: 'read', statement, lines: JSON.stringify(lines), entries };
  } catch (error) {
    if (error instanceof TooManyEntries) return { kind: 'refused', code: 'statement_too_large', detail: error.message };
    if (error instanceof XmlError) return { kind: 'refused', code: 'statement_invalid', detail: error.message };
    throw error;
  }
}

parentPort?.postMessage(read(workerData));
