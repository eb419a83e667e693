import { loadConfig } from '../config/config.ts';
import { FieldCipher } from '../db/core/field-cipher.ts';
import { connect } from '../db/core/orm.ts';
import { CredentialProof } from '../db/identity/credential-proof.ts';
import { rotateKeys } from '../db/operations/rotate-keys.ts';
import { rotateProofs } from '../db/operations/rotate-proofs.ts';
import type { Log } from './shared.ts';

/**
 * Re-encrypts every column of ENCRYPTED_COLUMNS with the current key, and signs administrators and API keys with it. To rotate:
 * put a new key first in FIELD_ENCRYPTION_KEYS of every API and worker, run this as the owner of the database, and remove the old
 * key. With TEMPORAL_ENCRYPT_PAYLOADS, keep the old key until all runs from before the rotation have ended: histories are not
 * changed. It may be interrupted and run again.
 */
export async function startRotateKeys(env: NodeJS.ProcessEnv, log: Log): Promise<undefined> {
  const config = loadConfig(env, 'rotate-keys');
  const cipher = new FieldCipher(config.fieldEncryptionKeys);
  const orm = await connect({ databaseUrl: config.databaseUrl, poolMax: 1, applicationName: 'escrow-rotate-keys' });
  try {
    const totals = await rotateKeys(orm, cipher, ({ column, rotated }) => log(`${column}: ${rotated} …`));
    for (const { column, rotated } of totals) log(`${column}: ${rotated} rotated.`);
    for (const { table, rotated, unproven } of await rotateProofs(
      orm,
      new CredentialProof(config.fieldEncryptionKeys),
    )) {
      log(`${table}: ${rotated} signed.`);
      if (unproven > 0)
        log(`${table}: ${unproven} rows were not written by the service. Their credentials are refused.`);
    }
    log(`All rows use the key "${cipher.currentKeyId}". No other key is needed for the database.`);
    log('With TEMPORAL_ENCRYPT_PAYLOADS, keep the old key until all runs from before the rotation have ended.');
  } finally {
    await orm.close();
  }
}
