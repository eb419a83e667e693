import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';

/**
 * Encryption of single fields at rest: AES-256-GCM under a key from the configuration. A value is bound to its table, column
 * and row, so that it cannot be moved to another row in the database. A value names its key, so that keys can be rotated.
 */

/** A key and its id, which the encrypted values contain. */
export type FieldKey = { readonly id: string; readonly key: Buffer };

/** Columns that hold encrypted values. Key rotation covers every column in this list; the SQL type is `encrypted_text`. */
export const ENCRYPTED_COLUMNS = [
  'administrator.totp_secret',
  'app_user.id_number',
  'app_user.bank_account',
  'checkout_registration.id_number',
  'bank_details.account_number',
  'order_request.secret',
  'person_key.secret',
  'payout_destination.account_number',
  'webhook_endpoint.secret',
  'webhook_endpoint.previous_secret',
] as const;
export type EncryptedColumn = (typeof ENCRYPTED_COLUMNS)[number];

const WHERE_MONEY_GOES = ['bank_name', 'branch_code', 'account_name'] as const;
/** Columns of the same row that an encrypted value is bound to: a value does not decrypt if one of them was changed. */
export const BOUND_COLUMNS: Partial<Record<EncryptedColumn, readonly string[]>> = {
  'bank_details.account_number': WHERE_MONEY_GOES,
  'payout_destination.account_number': WHERE_MONEY_GOES,
};

declare const brand: unique symbol;
/** `<key id>.<base64url of nonce, ciphertext and tag>`. */
export type EncryptedText = string & { readonly [brand]: 'encrypted' };

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** A random key has about thirty different bytes; a typed key or a key of zeros has fewer. */
const MIN_DISTINCT_BYTES = 12;
const KEY = /^([a-z0-9-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/** Parses a key in the form `id:base64`; `undefined` if it is malformed or too easy to guess. */
export function parseFieldKey(text: string): FieldKey | undefined {
  const [, id, encoded] = KEY.exec(text) ?? [];
  if (id === undefined || encoded === undefined) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length === KEY_BYTES && new Set(key).size >= MIN_DISTINCT_BYTES ? { id, key } : undefined;
}

/** A text that only this key makes, and from which the key cannot be found. */
export function checkValueOf({ key }: FieldKey): string {
  return createHmac('sha256', key).update('escrow field key check').digest('hex').slice(0, 32);
}

export class FieldCipher {
  readonly #current: { readonly id: string; readonly key: KeyObject };
  readonly #keys: ReadonlyMap<string, KeyObject>;

  /** Encrypts with the first key, decrypts with any. */
  constructor(keys: readonly FieldKey[]) {
    // Node takes 15 µs longer to use a key of bytes than a key object.
    const objects = keys.map(({ id, key }) => ({ id, key: createSecretKey(key) }));
    const [current] = objects;
    if (current === undefined) throw new Error('field encryption needs a key');
    this.#current = current;
    this.#keys = new Map(objects.map(({ id, key }) => [id, key]));
  }

  get currentKeyId(): string {
    return this.#current.id;
  }

  /** `bound`: the values of BOUND_COLUMNS. */
  encrypt(column: EncryptedColumn, rowId: string, text: string, bound: readonly string[] = []): EncryptedText {
    const { id, key } = this.#current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
      context(column, rowId, bound),
    );
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${sealed.toString('base64url')}` as EncryptedText; // the only place that creates them
  }

  /**
   * Throws if the value or a bound one was changed, if it was moved from another row, or encrypted with a key that is not
   * configured.
   */
  decrypt(column: EncryptedColumn, rowId: string, value: EncryptedText, bound: readonly string[] = []): string {
    const [id = '', encoded = ''] = value.split('.');
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`${column} is encrypted with the key "${id}", which is not configured`);
    const sealed = Buffer.from(encoded, 'base64url');
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(context(column, rowId, bound))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  }
}

/** The plain text of bank details. Throws `details_unreadable` if the value was changed, or moved from another row. */
export function readDetails(
  cipher: FieldCipher,
  column: EncryptedColumn,
  rowId: string,
  value: EncryptedText,
  bound: readonly string[] = [],
): string {
  const text = readOrNull(cipher, column, rowId, value, bound);
  if (text === null) throw new Refusal('details_unreadable');
  return text;
}

/** The same; null for a value that cannot be read. */
export function readOrNull(
  cipher: FieldCipher,
  column: EncryptedColumn,
  rowId: string,
  value: EncryptedText,
  bound: readonly string[] = [],
): string | null {
  try {
    return cipher.decrypt(column, rowId, value, bound);
  } catch {
    return null;
  }
}

function context(column: EncryptedColumn, rowId: string, bound: readonly string[]): Buffer {
  const names = BOUND_COLUMNS[column] ?? [];
  if (bound.length !== names.length) throw new Error(`${column} is bound to ${names.length} values`);
  return Buffer.from(`${column}:${rowId}${names.length === 0 ? '' : JSON.stringify(bound)}`);
}
