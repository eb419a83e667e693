import { loadConfig } from '../config/config.ts';
import { requireDatabaseSchema, requireFieldKeys, sessionUrl } from '../config/database-checks.ts';
import { StartupError } from '../config/startup-error.ts';
import { FieldCipher } from '../db/core/field-cipher.ts';
import { connect } from '../db/core/orm.ts';
import { CredentialProof } from '../db/identity/credential-proof.ts';
import { forgetOtherKeys } from '../db/operations/field-keys.ts';
import { rotateKeys } from '../db/operations/rotate-keys.ts';
import { rotateProofs } from '../db/operations/rotate-proofs.ts';
import type { Log } from './shared.ts';

/**
 * Re-encrypts every column of ENCRYPTED_COLUMNS with the current key, and signs administrators and API keys with it. To rotate:
 * add a new key at the end of FIELD_ENCRYPTION_KEYS of every API and worker, so that all of them read what is written with it. Then put
 * it first in all of them, run this as the owner of the database, and remove the old key. With TEMPORAL_ENCRYPT_PAYLOADS, keep the old
 * key until all runs from before the rotation have ended: histories are not changed. It may be interrupted and run again. Values that
 * no key decrypts are named, and the exit code is then 1.
 */
export async function startRotateKeys(env: NodeJS.ProcessEnv, log: Log): Promise<undefined> {
  const config = loadConfig(env, 'rotate-keys');
  const cipher = new FieldCipher(config.fieldEncryptionKeys);
  const orm = await connect({
    databaseUrl: sessionUrl(config),
    poolMax: 1,
    applicationName: 'escrow-rotate-keys',
    isForService: true,
  });
  try {
    await requireDatabaseSchema(orm);
    await requireFieldKeys(orm, config.fieldEncryptionKeys);
    const totals = await rotateKeys(orm, cipher, ({ column, rotated }) => log(`${column}: ${rotated} …`));
    for (const { column, rotated, unreadable } of totals) {
      log(`${column}: ${rotated} rotated.`);
      for (const id of unreadable) log(`${column} of ${id}: no key decrypts it.`);
    }
    for (const { table, rotated, unproven } of await rotateProofs(
      orm,
      new CredentialProof(config.fieldEncryptionKeys),
    )) {
      log(`${table}: ${rotated} signed.`);
      if (unproven > 0)
        log(`${table}: ${unproven} rows were not written by the service. Their credentials are refused.`);
    }
    await forgetOtherKeys(orm, cipher.currentKeyId);
    const unread = totals.reduce((sum, { unreadable }) => sum + unreadable.length, 0);
    if (unread > 0)
      throw new StartupError(
        `${unread} values are left, which no key decrypts. Add the key that wrote them, or enter the values again. All others are rotated.`,
      );
    log(`All rows use the key "${cipher.currentKeyId}". No other key is needed for the database.`);
    log('With TEMPORAL_ENCRYPT_PAYLOADS, keep the old key until all runs from before the rotation have ended.');
  } finally {
    await orm.close();
  }
}
