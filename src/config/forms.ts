import { isIP } from 'node:net';
import { z } from 'zod';
import { type FieldKey, parseFieldKey } from '../db/core/field-cipher.ts';
import { type AuditKey, parseAuditKey } from '../db/ledger/audit/checkpoint.ts';

/** The forms of variables. The message of each one completes the sentence "must be …". */

/** In development too. Production requires more: see secrets.ts. */
const MIN_PASSWORD_CHARACTERS = 10;
export const MIN_SECRET_BYTES = 32;
export const SECRET_EXPECTED = `at least ${MIN_SECRET_BYTES} random bytes, as \`openssl rand -base64 48\` makes them`;

export const FIELD_KEYS_EXPECTED =
  'keys like 2026-01:<32 random bytes in base64, as `openssl rand -base64 32` makes them>, the current one first, ' +
  'separated by commas';

export const text = z.string().trim();
export const word = text.regex(/^[\x21-\x7e]+$/, 'visible ASCII characters without spaces');
export const flag = oneOf('true', 'false').transform((word) => word === 'true');
export const port = wholeNumber(1, 65_535);
export const password = text.min(MIN_PASSWORD_CHARACTERS, `at least ${MIN_PASSWORD_CHARACTERS} characters`);
export const secret = text.refine((value) => Buffer.byteLength(value) >= MIN_SECRET_BYTES, SECRET_EXPECTED);
export const httpUrl = url('https://escrow.example', 'http:', 'https:').transform((value) => value.replace(/\/+$/, ''));
export const databaseUrl = url('postgres://user:password@host:5432/database', 'postgres:', 'postgresql:');

export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return text.pipe(z.enum(words, `one of ${words.join(', ')}`));
}

export function wholeNumber(from: number, to: number) {
  const expected = `a whole number from ${from} to ${to}`;
  return z.coerce.number(expected).int(expected).min(from, expected).max(to, expected);
}

export function url(example: string, ...protocols: string[]) {
  return text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
    `an address like ${example}`,
  );
}

export function listOf(isItem: (item: string) => boolean, expected: string) {
  return text
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .refine((items) => items.every(isItem), `${expected}, separated by commas`);
}

export function parseFieldKeys(value: string, context: z.RefinementCtx): readonly FieldKey[] {
  const keys = value.split(',').map((part) => parseFieldKey(part.trim()));
  const known = keys.filter((key) => key !== undefined);
  if (known.length === keys.length && new Set(known.map(({ id }) => id)).size === keys.length) return known;
  context.addIssue({ code: 'custom', message: FIELD_KEYS_EXPECTED });
  return z.NEVER;
}

export function parseSigningKey(value: string, context: z.RefinementCtx): AuditKey {
  const key = parseAuditKey(value);
  if (key !== undefined) return key;
  context.addIssue({ code: 'custom', message: 'an Ed25519 private key: PKCS#8 DER in base64' });
  return z.NEVER;
}

export function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

export function isAddressOrNetwork(value: string): boolean {
  const [address = '', prefix, ...more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}
