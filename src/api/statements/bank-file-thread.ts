import { parentPort } from 'node:worker_threads';
import { Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { RefusalReason } from '../../domain/refusal-reasons.ts';
import { decodeXml, XmlError } from '../../iso20022/read.ts';
import { lowerPriorityOfThread } from '../../turns/low-priority.ts';
import { type ReadStatement, readCamt053 } from './read-camt053.ts';

/** The entry of a thread that reads bank files: bank-file-reader.ts starts it. */

/** Lists as JSON, in parts that the database reads one by one. The receiving thread does not look into them. */
type LinesAsJson = {
  /** The key of each entry, once. */
  readonly keys: readonly JsonPart[];
  readonly lines: readonly JsonPart[];
};
export type JsonPart = Uint8Array<ArrayBuffer>;

/** Short enough to be written into a statement of SQL in one turn of the event loop. */
const PART_CHARACTERS = 65_536;

export type BankFileNews =
  | {
      readonly kind: 'read';
      readonly statements: readonly (Omit<ReadStatement, 'lines'> & LinesAsJson)[];
    }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly reason: RefusalReason };

function read(bytes: Uint8Array): BankFileNews {
  try {
    const statements = readCamt053(decodeXml(bytes));
    return {
      kind: 'read',
      statements: statements.map((one) => ({
        ...one,
        keys: jsonParts([...new Set(one.lines.map(({ key }) => key))]),
        lines: jsonParts(one.lines),
      })),
    };
  } catch (error) {
    if (error instanceof XmlError)
      return { kind: 'refused', code: 'statement_invalid', reason: { code: error.fault, value: error.value } };
    if (error instanceof Refusal && error.reason !== undefined)
      return { kind: 'refused', code: error.code, reason: error.reason };
    throw error;
  }
}

function jsonParts(rows: readonly unknown[]): JsonPart[] {
  const parts: JsonPart[] = [];
  let waiting: string[] = [];
  let characters = 0;
  const end = () => {
    if (waiting.length > 0) parts.push(new TextEncoder().encode(`[${waiting.join()}]`));
    waiting = [];
    characters = 0;
  };
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (characters + json.length > PART_CHARACTERS) end();
    waiting.push(json);
    characters += json.length;
  }
  end();
  return parts;
}

lowerPriorityOfThread();
parentPort?.on('message', (bytes: Uint8Array) => {
  const news = read(bytes);
  // Moved, because the receiving thread would copy all of them in one turn.
  const moved = news.kind === 'read' ? news.statements.flatMap(({ keys, lines }) => [...keys, ...lines]) : [];
  parentPort?.postMessage(news, [...new Set(moved.map(({ buffer }) => buffer))]);
});
