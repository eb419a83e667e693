import { parentPort } from 'node:worker_threads';
import { decodeXml, XmlError } from '../../iso20022/read.ts';
import { type ReadStatement, readCamt053, TooManyEntries } from './read-camt053.ts';

/** The entry of a thread that reads bank files: bank-file-reader.ts starts it. */

export type BankFileNews =
  | {
      readonly kind: 'read';
      /** `lines` is JSON, which the database reads: the receiving thread does not look into it. */
      readonly statements: readonly (Omit<ReadStatement, 'lines'> & { readonly lines: string })[];
    }
  | { readonly kind: 'refused'; readonly code: 'statement_invalid' | 'statement_too_large'; readonly detail: string };

function read(bytes: Uint8Array): BankFileNews {
  try {
    const statements = readCamt053(decodeXml(bytes));
    return { kind: 'read', statements: statements.map((one) => ({ ...one, lines: JSON.stringify(one.lines) })) };
  } catch (error) {
    if (error instanceof TooManyEntries) return { kind: 'refused', code: 'statement_too_large', detail: error.message };
    if (error instanceof XmlError) return { kind: 'refused', code: 'statement_invalid', detail: error.message };
    throw error;
  }
}

parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(read(bytes)));
