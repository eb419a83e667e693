import { isUtf8 } from 'node:buffer';
import type { Context } from 'hono';
import { Refusal } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';
import { JSON_LIMITS } from '../limits.ts';
import { freeMemory, readBody } from './body-limits.ts';

/**
 * Reads the JSON body of a request. It is parsed here, once, and nowhere else. Its depth, names and values are counted in the bytes
 * before that: parsing and validating what no operation accepts would hold up all other requests.
 */

/** The parsed body; undefined if it is empty and may be. Throws `invalid_json`. */
export async function readJson(c: Context<ApiEnv>, mayBeEmpty: boolean): Promise<unknown> {
  const bytes = c.get('body') ?? (await readBody(c));
  try {
    return bytes.length === 0 && mayBeEmpty ? undefined : parseJson(bytes);
  } finally {
    freeMemory(bytes);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Throws `invalid_json` for bytes that are not UTF-8, for more depth or names than `JSON_LIMITS`, for fractions that would be parsed
 * as whole numbers, and for other text than JSON.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw invalid('the body is not valid UTF-8');
  const excess = excessOf(bytes);
  if (excess !== undefined) throw invalid(`the body ${excess}`);
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw invalid('the body is not valid JSON');
  }
}

function invalid(detail: string): Refusal {
  return new Refusal('invalid_json', detail);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A colon outside a text follows a name, a comma a value: there are as many of both in every JSON text, but for each last value. */
function excessOf(bytes: Uint8Array): string | undefined {
  let depth = 0;
  let names = 0;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) {
      isInText = true;
    } else if (isDigit(byte)) {
      const end = endOfNumber(bytes, at);
      if (isLostFraction(bytes, at, end)) return 'has a fraction with too many digits';
      at = end - 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1;
      if (depth > JSON_LIMITS.depth) return `is nested more than ${JSON_LIMITS.depth} levels`;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
    } else if (byte === COLON) {
      names += 1;
      if (names > JSON_LIMITS.names) return `has more than ${JSON_LIMITS.names.toLocaleString('en')} names`;
    } else if (byte === COMMA) {
      values += 1;
      if (values > JSON_LIMITS.values) return `has more than ${JSON_LIMITS.values.toLocaleString('en')} values`;
    }
  }
  return undefined;
}

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const DOT = 0x2e;
const EXPONENTS: ReadonlySet<number | undefined> = new Set([0x45, 0x65]);
/** What a number consists of, besides digits: + - . E e */
const SIGNS: ReadonlySet<number | undefined> = new Set([0x2b, MINUS, DOT, ...EXPONENTS]);
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= ZERO && byte <= NINE;

function endOfNumber(bytes: Uint8Array, from: number): number {
  let end = from + 1;
  while (isDigit(bytes[end]) || SIGNS.has(bytes[end])) end += 1;
  return end;
}

/** A fraction within these limits never becomes a whole number. A body may have thousands of them, so they are not parsed here. */
const EXACT = { characters: 16, exponent: -300 } as const;

/** Whether JSON.parse makes a whole number of this fraction, as of 1.00000000000000001. That would pass as an amount. */
function isLostFraction(bytes: Uint8Array, from: number, end: number): boolean {
  let [digits, point, last, at] = [0, -1, -1, from];
  for (; at < end && !EXPONENTS.has(bytes[at]); at += 1)
    if (bytes[at] === DOT) point = digits;
    else {
      if (bytes[at] !== ZERO) last = digits;
      digits += 1;
    }
  const exponent = exponentIn(bytes, at + 1, end);
  const isFraction = last >= (point === -1 ? digits : point) + exponent;
  const isLong = end - from > EXACT.characters || exponent < EXACT.exponent;
  return isFraction && isLong && Number.isInteger(Number(Buffer.from(bytes.subarray(from, end)).toString('latin1')));
}

function exponentIn(bytes: Uint8Array, from: number, end: number): number {
  let size = 0;
  for (let at = from; at < end; at += 1) if (isDigit(bytes[at])) size = size * 10 + (bytes[at] ?? ZERO) - ZERO;
  return bytes[from] === MINUS ? -size : size;
}
