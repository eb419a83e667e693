import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { asRead } from '../../domain/look-alike.ts';
import { dialled } from '../../domain/phone.ts';
import type { EncryptedText, FieldCipher } from '../core/field-cipher.ts';

/**
 * Keyed hashes by which one person is recognised in the rows of several companies. Their key is random, stored encrypted, and never
 * changes: rotating FIELD_ENCRYPTION_KEYS encrypts it again. Without it the hashes tell nothing about numbers.
 */
type PersonHashes = {
  readonly ofIdNumber: (idNumber: string) => string;
  readonly ofPhone: (mobileNumber: string) => string;
  readonly ofBankAccount: (accountNumber: string) => string;
};

/** The id of the only row. */
const KEY_ID = '00000000-0000-4000-8000-000000000001';
const KEY_BYTES = 32;

/** The hashes of the database that a cipher belongs to; its key is read once. */
const known = new WeakMap<FieldCipher, PersonHashes>();

export async function personHashes(em: EntityManager, cipher: FieldCipher): Promise<PersonHashes> {
  const found = known.get(cipher);
  if (found !== undefined) return found;
  const key = createSecretKey((await findKey(em, cipher)) ?? (await makeKey(em, cipher)));
  const hash = (kind: string, text: string) =>
    createHmac('sha256', key)
      .update(
        `${kind}:${asRead(text)
          .replace(/[\s\p{Pd}]/gu, '')
          .toUpperCase()}`,
      )
      .digest('base64url');
  const hashes: PersonHashes = {
    ofIdNumber: (idNumber) => hash('id_number', idNumber),
    ofPhone: (mobileNumber) => hash('phone', dialled(mobileNumber)),
    ofBankAccount: (accountNumber) => hash('bank_account', accountNumber),
  };
  known.set(cipher, hashes);
  return hashes;
}

async function findKey(em: EntityManager, cipher: FieldCipher): Promise<Buffer | null> {
  const [row] = await em.execute<{ secret: EncryptedText }[]>('select secret::text as secret from person_key');
  return row === undefined ? null : Buffer.from(cipher.decrypt('person_key.secret', KEY_ID, row.secret), 'base64');
}

/** Another process may make the key at the same time; the first one stays. */
async function makeKey(em: EntityManager, cipher: FieldCipher): Promise<Buffer> {
  const secret = cipher.encrypt('person_key.secret', KEY_ID, randomBytes(KEY_BYTES).toString('base64'));
  // Outside of the caller's transaction: the key stays if the caller rolls back, because hashes may already use it.
  const own = em.fork({ keepTransactionContext: false, useContext: false });
  await own.execute('insert into person_key (id, secret) values (?, ?) on conflict do nothing', [KEY_ID, secret]);
  const key = await findKey(own, cipher);
  if (key === null) throw new Error('the key of persons is not stored');
  return key;
}
