import { loadConfig } from '../config/config.ts';
import { FieldCipher } from '../db/core/field-cipher.ts';
import { connect } from '../db/core/orm.ts';
import { rotateKeys } from '../db/operations/rotate-keys.ts';
import type { Log } from './running.ts';

/**
 * Encrypts national ids and account numbers with the current key. To rotate: put a new key first in FIELD_ENCRYPTION_KEYS of
 * every API and worker, run this, and take the old key away. It may be interrupted and run again.
 */
export async function startRotateKeys(env: NodeJS.ProcessEnv, log: Log): Promise<undefined> {
  const config = loadConfig(env, 'rotate-keys');
  const cipher = new FieldCipher(config.fieldEncryptionKeys);
  const orm = await connect({ databaseUrl: config.databaseUrl, poolMax: 1, applicationName: 'escrow-rotate-keys' });
  try {
    const totals = await rotateKeys(orm, cipher, ({ column, rotated }) => log(`${column}: ${rotated} …`));
    for (const { column, rotated } of totals) log(`${column}: ${rotated} rotated.`);
    log(`Everything is encrypted with the key "${cipher.currentKeyId}"; no other is needed any more.`);
  } finally {
    await orm.close();
  }
}
