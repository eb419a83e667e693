import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { FieldKey } from '../db/core/field-cipher.ts';
import { derivedKey } from '../db/core/keyed-mac.ts';

/**
 * Encrypts what Temporal stores of workflows: inputs, messages, results, and the texts of the UI. AES-256-GCM under keys that are
 * derived from FIELD_ENCRYPTION_KEYS; the first key encrypts, all of them decrypt. A payload names its key. Search attributes
 * stay readable, because Temporal has to compare them.
 */

const ENCODING = 'binary/encrypted';
/** No converter knows this encoding: the reader of a message treats it as malformed. */
const UNREADABLE = 'binary/unreadable';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;

const bytes = (text: string) => Buffer.from(text, 'utf8');
const textOf = (value: Uint8Array | null | undefined) => Buffer.from(value ?? []).toString('utf8');

export class EncryptingCodec implements PayloadCodec {
  readonly #current: { readonly id: string; readonly key: KeyObject };
  readonly #keys: ReadonlyMap<string, KeyObject>;

  constructor(fieldKeys: readonly FieldKey[]) {
    const derived = fieldKeys.map(({ id, key }) => ({
      id,
      key: derivedKey(key, 'escrow temporal payloads'),
    }));
    const [current] = derived;
    if (current === undefined) throw new Error('the encryption of payloads needs a key');
    this.#current = current;
    this.#keys = new Map(derived.map(({ id, key }) => [id, key]));
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.#encrypt(payload));
  }

  /**
   * Payloads that are not encrypted stay as they are, so that encryption can be switched on while runs are open. A payload that
   * cannot be decrypted becomes unreadable instead of an error: an error would block the run that received it.
   */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) =>
      textOf(payload.metadata?.encoding) === ENCODING ? (this.#decrypt(payload) ?? unreadable()) : payload,
    );
  }

  #encrypt(payload: Payload): Payload {
    const { id, key } = this.#current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bytes(id));
    const data = Buffer.concat([nonce, cipher.update(pack(payload)), cipher.final(), cipher.getAuthTag()]);
    return { metadata: { encoding: bytes(ENCODING), 'encryption-key-id': bytes(id) }, data };
  }

  #decrypt({ metadata, data }: Payload): Payload | undefined {
    const id = textOf(metadata?.['encryption-key-id']);
    const key = this.#keys.get(id);
    const sealed = Buffer.from(data ?? []);
    if (key === undefined || sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(bytes(id))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      return unpack(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]));
    } catch {
      return undefined; // it was changed, or encrypted with another key of this id
    }
  }
}

/** The metadata as JSON with its length before it, then the data. */
function pack({ metadata, data }: Payload): Buffer {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]);
  const head = bytes(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, data ?? Buffer.alloc(0)]);
}

function unpack(packed: Buffer): Payload {
  const end = LENGTH_BYTES + packed.readUInt32BE(0);
  const head: unknown = JSON.parse(packed.subarray(LENGTH_BYTES, end).toString('utf8'));
  const metadata = Object.entries(head ?? {}).map(([name, value]) => [name, Buffer.from(String(value), 'base64')]);
  return { metadata: Object.fromEntries(metadata), data: packed.subarray(end) };
}

function unreadable(): Payload {
  return { metadata: { encoding: bytes(UNREADABLE) }, data: new Uint8Array() };
}
