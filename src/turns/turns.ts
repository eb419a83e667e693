import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Long work of this process, such as writing a list of thousands of rows, is divided into pieces that take a few milliseconds. One
 * piece at a time runs, whatever request it belongs to, and the event loop is free for as long as the piece took: other requests are
 * answered between two pieces.
 */

/** Rows are handled until this time is over. */
const PIECE_MS = 4;
/** Rows that are handled together, where a row alone costs more. */
const ROWS_AT_ONCE = 100;
/** A piece can seem long because the machine is busy. */
const MAX_REST_MS = 10;
/** Bytes that are handled together: searched, hashed or copied in about a millisecond. */
const BYTES_AT_ONCE = 262_144;
/** The rate of reading large bodies, all together. V8 frees what they leave behind in full collections, which take some 20 ms each. */
const READ_BYTES_PER_MS = 20_000;
/** This much is read without a wait. */
const READ_AHEAD_MS = 50;
/** The JSON of shorter lists is written at once. */
const SHORT_ROWS = 20;

let line: Promise<unknown> = Promise.resolve();
let freeUntil = 0;

let readUntil = 0;

/** Waits until more may be read after so many bytes of a large body. */
export async function paceReading(bytes: number): Promise<void> {
  const now = performance.now();
  readUntil = Math.max(now, readUntil) + bytes / READ_BYTES_PER_MS;
  if (readUntil - now > READ_AHEAD_MS) await wait(readUntil - now);
}

/** Runs a piece of work when its turn comes. */
export function inTurn<T>(work: () => T): Promise<T> {
  const done = line.then(async () => {
    await wait(Math.max(0, freeUntil - performance.now()));
    const beganAt = performance.now();
    try {
      return work();
    } finally {
      const endedAt = performance.now();
      freeUntil = endedAt + Math.min(MAX_REST_MS, endedAt - beganAt);
    }
  });
  line = done.catch(() => undefined); // its caller gets the error
  return done;
}

/** Handles each row, the first ones at once. What takes no longer than a piece never waits. */
async function eachInTurns<Row>(rows: readonly Row[], handle: (row: Row) => void): Promise<void> {
  const left = rows.values();
  const handleSome = () => {
    const until = performance.now() + PIECE_MS;
    for (let next = left.next(); next.done !== true; next = left.next()) {
      handle(next.value);
      if (performance.now() >= until) return true;
    }
    return false;
  };
  if (handleSome()) while (await inTurn(handleSome));
}

/** `rows.map(convert)`, in turns. */
export async function mapInTurns<Row, Converted>(
  rows: readonly Row[],
  convert: (row: Row, index: number) => Converted,
): Promise<Converted[]> {
  const converted: Converted[] = [];
  await eachInTurns(rows, (row) => converted.push(convert(row, converted.length)));
  return converted;
}

/** The chunks in one piece. Copying takes 3 ms for each megabyte, nearly all of it for the new memory. */
export async function concatInTurns(chunks: readonly Uint8Array[]): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  await eachInTurns(chunks, (chunk) => {
    bytes.set(chunk, at);
    at += chunk.length;
  });
  return bytes;
}

/** The SHA-256 of the bytes. The Web Crypto API works on another thread, but copies all of them at once before. */
export async function sha256InTurns(bytes: Uint8Array): Promise<Buffer> {
  const hash = createHash('sha256');
  await eachInTurns(bytePiecesOf(bytes), (piece) => hash.update(piece));
  return hash.digest();
}

/** `bytes.indexOf(searched, from)`, in turns. */
export async function indexOfInTurns(bytes: Buffer, searched: Buffer, from: number): Promise<number> {
  let found = -1;
  await eachInTurns(placesIn(bytes, from), (at) => {
    if (found !== -1) return;
    const index = bytes.subarray(at, at + BYTES_AT_ONCE + searched.length - 1).indexOf(searched);
    if (index !== -1) found = at + index;
  });
  return found;
}

/** Views of the bytes, each of which is handled in about a millisecond. */
export function bytePiecesOf(bytes: Uint8Array): Uint8Array[] {
  return placesIn(bytes, 0).map((at) => bytes.subarray(at, at + BYTES_AT_ONCE));
}

function placesIn({ length }: Uint8Array, from: number): number[] {
  return Array.from(
    { length: Math.max(0, Math.ceil((length - from) / BYTES_AT_ONCE)) },
    (_, index) => from + index * BYTES_AT_ONCE,
  );
}

/** The same rows in pieces for one turn each. */
export function* piecesOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE);
}

/** The JSON of an object or a list, as bytes. Its own list, or those in its fields, are written in turns. */
export async function jsonInTurns(value: object): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  const add = (text: string) => parts.push(Buffer.from(text));
  const addList = async (rows: readonly unknown[]) => {
    let before = '[';
    await eachInTurns(rows, (row) => {
      add(`${before}${JSON.stringify(row) ?? 'null'}`);
      before = ',';
    });
    add(before === '[' ? '[]' : ']');
  };
  if (Array.isArray(value)) await addList(value);
  else {
    let before = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      const isList = isLong(field);
      add(`${before}${JSON.stringify(name)}:${isList ? '' : JSON.stringify(field)}`);
      if (isList) await addList(field);
      before = ',';
    }
    add(before === '{' ? '{}' : '}');
  }
  return concatInTurns(parts);
}

/**
 * The JSON of an object with these fields, and with lists that are read in pages while it is sent. If a page cannot be read, the
 * stream fails before the end of the object.
 */
export function jsonOfPages(
  fields: object,
  lists: readonly (readonly [name: string, pages: AsyncIterable<readonly unknown[]>])[],
): ReadableStream {
  async function* chunks() {
    const head = JSON.stringify(fields).slice(0, -1);
    yield Buffer.from(head);
    let before = head === '{' ? '' : ',';
    for (const [name, pages] of lists) {
      yield Buffer.from(`${before}${JSON.stringify(name)}:[`);
      let separator = '';
      for await (const page of pages)
        for (const piece of piecesOf(page)) {
          yield await inTurn(() => Buffer.from(separator + JSON.stringify(piece).slice(1, -1)));
          separator = ',';
        }
      yield Buffer.from(']');
      before = ',';
    }
    yield Buffer.from('}');
  }
  return Readable.toWeb(Readable.from(chunks(), { highWaterMark: 1 })) as ReadableStream; // the same class under Node's own name
}

/** Whether the JSON of this value should be written in turns. */
export function isLongJson(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return isLong(value) || Object.values(value).some(isLong);
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > SHORT_ROWS;
}
