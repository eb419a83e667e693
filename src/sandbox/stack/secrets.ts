import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { generateApiKey } from '../../api/auth/api-keys.ts';
import { StartupError } from '../../config/startup-error.ts';
import { messageOf } from '../../observability/thrown.ts';

/**
 * The embedded stack's secrets: created at the first start and stored in `DATA_DIR/secrets.json`, readable by its owner only. A
 * secret that is added to this list later is created at the next start. No two machines share a secret.
 */
const generate = () => ({
  postgresSuperuserPassword: token(24),
  postgresOwnerPassword: token(24),
  postgresApiPassword: token(24),
  postgresWorkerPassword: token(24),
  jwtSecret: token(48),
  platformAdminPassword: token(12),
  platformApiKey: generateApiKey(false).key,
  demoOwnerPassword: token(12),
  demoApiKey: generateApiKey(false).key,
  fieldEncryptionKey: `embedded:${randomBytes(32).toString('base64')}`,
  /** An Ed25519 key as PKCS#8 DER in base64. */
  auditSigningKey: generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64'),
  messagingVerifyToken: token(18),
  messagingAppSecret: token(24),
  /** An AES-256 key in hex, as the card gateway hands it out. */
  gatewayWebhookKey: randomBytes(32).toString('hex'),
});

export type Secrets = Readonly<ReturnType<typeof generate>>;

const secretsSchema = z.record(z.string(), z.string().min(1));

/** @throws StartupError when the file cannot be read: new secrets would make the existing data inaccessible. */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json');
  const known = existsSync(file) ? readSecrets(file) : {};
  const secrets = { ...generate(), ...known };
  if (Object.keys(secrets).length > Object.keys(known).length) {
    mkdirSync(dataDir, { recursive: true });
    const unfinished = `${file}.unfinished`;
    writeFileSync(unfinished, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, file);
  }
  return secrets;
}

function readSecrets(file: string): Record<string, string> {
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StartupError(
      `${file} cannot be read (${messageOf(error)}). Restore it, or choose another DATA_DIR to begin afresh.`,
    );
  }
}

function token(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
