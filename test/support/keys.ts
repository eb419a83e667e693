import { createHash, randomBytes } from 'node:crypto';
import { type FieldKey, parseFieldKey } from '../../src/db/core/field-cipher.ts';
import { type AuditKey, parseAuditKey } from '../../src/db/ledger/audit/checkpoint.ts';

/** The secrets of every test service. They are constants, because a service may run in another process than its test. */

export const JWT_SECRET = 'a secret of the tests, long enough to sign tokens with';

/** The key with which test services encrypt fields. */
export const FIELD_KEY = fieldKeyOf('test', digest('the field key of the tests'));

/** The key with which test services sign the checkpoints of audits. */
export const AUDIT_KEY = auditKeyOf(digest('the audit key of the tests'));

export function newFieldKey(id: string): FieldKey {
  return fieldKeyOf(id, randomBytes(32));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function fieldKeyOf(id: string, bytes: Buffer): FieldKey {
  const key = parseFieldKey(`${id}:${bytes.toString('base64')}`);
  if (key === undefined) throw new Error('the field key is invalid');
  return key;
}

function auditKeyOf(seed: Buffer): AuditKey {
  /** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
  const header = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = parseAuditKey(Buffer.concat([header, seed]).toString('base64'));
  if (key === undefined) throw new Error('the audit key is invalid');
  return key;
}
