import { join, resolve } from 'node:path';
import { hashSecret, shownPart } from '../api/auth/api-keys.ts';
import { hashPassword } from '../api/auth/passwords.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { StartupError } from '../config/startup-error.ts';
import { FieldCipher, type FieldKey, parseFieldKey } from '../db/core/field-cipher.ts';
import { connect } from '../db/core/orm.ts';
import { CredentialProof } from '../db/identity/credential-proof.ts';
import { parseAuditKey } from '../db/ledger/audit/checkpoint.ts';
import { migrate } from '../db/migrations/migrate.ts';
import { seedApiKey, seedDemo, seedPlatform } from '../db/operations/seed.ts';
import { publicId } from '../domain/ids.ts';
import { startSandbox } from '../sandbox/providers/server.ts';
import { assertUnlocked } from '../sandbox/stack/lock.ts';
import { choosePort, isPortFree } from '../sandbox/stack/ports.ts';
import { addressFor } from '../sandbox/stack/postgres-client.ts';
import type { Secrets } from '../sandbox/stack/secrets.ts';
import { type EmbeddedStack, startEmbeddedStack, USUAL_PORTS } from '../sandbox/stack/stack.ts';
import { serveApi } from './api.ts';
import { closingBlock, type EmbeddedInfo, writeEmbeddedInfo } from './embedded-info.ts';
import { registerAttributes } from './migrate.ts';
import { type Log, type RunningRole, sendTraces, serveMetrics, temporalMetricsAddress } from './shared.ts';
import { runWorker } from './worker.ts';

const PLATFORM_ADMIN_EMAIL = 'admin@platform.localhost.example';
const DEMO_OWNER_EMAIL = 'owner@demo.localhost.example';

/** Runs everything in one process and its two servers, for development. Nothing else is installed or configured. */
export async function startAll(env: NodeJS.ProcessEnv, log: Log, signal: AbortSignal): Promise<RunningRole> {
  const config = loadConfig(env, 'all');
  const dataDir = resolve(config.dataDir);
  assertUnlocked(dataDir);
  await assertPortFree(config);
  const stack = await startEmbeddedStack(config, { env, log, signal });
  const started: { stop: () => Promise<void> }[] = [stack];
  const stop = async () => {
    for (const part of started.toReversed()) await part.stop();
  };
  try {
    started.push(await sendTraces(config));
    const sandboxPort = await choosePort('SANDBOX_PORT', config.sandboxPort, USUAL_PORTS.sandbox);
    const sandbox = await startSandbox(sandboxPort, stack.secrets, join(dataDir, 'sandbox-bank.jsonl'));
    started.push(sandbox);
    sandbox.callBack(config.baseUrl);
    const info = await prepare(config, stack, sandbox.url, log);
    const backends = (user: 'api' | 'worker') => ({
      databaseUrl: addressFor(stack.databaseUrl, {
        user: `escrow_${user}`,
        password: databasePassword(config, stack, user),
      }),
      temporalAddress: stack.temporalAddress,
      temporalUiUrl: stack.temporalUiUrl ?? undefined,
      fieldEncryptionKeys: fieldKeys(config, stack.secrets),
      auditSigningKey: config.auditSigningKey ?? parseAuditKey(stack.secrets.auditSigningKey),
    });
    log('Starting the worker …');
    const temporalMetrics = await temporalMetricsAddress(config);
    const worker = await runWorker(config, backends('worker'), sandbox.settings, temporalMetrics);
    started.push(worker);
    const api = await serveApi(
      config,
      { ...backends('api'), stopNoticeMs: 0, jwtSecret: config.jwtSecret ?? stack.secrets.jwtSecret },
      sandbox.settings,
    );
    started.push(api);
    started.push(
      await serveMetrics(config, {
        isHealthy: worker.isRunning,
        readiness: { api: api.isReady, worker: worker.isPolling },
        more: () => worker.metrics,
        temporalMetricsAddress: temporalMetrics,
      }),
    );
    writeEmbeddedInfo(info, dataDir);
    log(closingBlock(info, dataDir));
    return { failed: Promise.race([stack.failed, worker.failed]), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Schema, search attributes, and the demo companies and users. Safe to repeat at every start. */
async function prepare(
  config: Config<'all'>,
  stack: EmbeddedStack,
  sandboxUrl: string,
  log: Log,
): Promise<EmbeddedInfo> {
  await migrate({
    databaseUrl: stack.databaseUrl,
    apiPassword: databasePassword(config, stack, 'api'),
    workerPassword: databasePassword(config, stack, 'worker'),
    isProduction: config.escrowEnvironment === 'production',
  });
  log(`PostgreSQL is ready: ${stack.databaseUrl}`);
  await registerAttributes({ ...config, temporalAddress: stack.temporalAddress });
  log(`Temporal is ready: ${stack.temporalAddress}, UI ${stack.temporalUiUrl ?? 'none'}`);
  const people = await seedPeople(config, stack);
  return {
    apiUrl: config.baseUrl,
    docsUrl: `${config.baseUrl}/docs`,
    checkoutUrl: config.checkoutUrl,
    temporalAddress: stack.temporalAddress,
    temporalUiUrl: stack.temporalUiUrl,
    databaseUrl: stack.databaseUrl,
    sandboxUrl,
    ...people,
    messaging: { verifyToken: stack.secrets.messagingVerifyToken, appSecret: stack.secrets.messagingAppSecret },
    gateway: { webhookKey: stack.secrets.gatewayWebhookKey },
  };
}

async function seedPeople(
  config: Config<'all'>,
  { databaseUrl, secrets }: { databaseUrl: string; secrets: Secrets },
): Promise<Pick<EmbeddedInfo, 'platformAdmin' | 'demo'>> {
  const email = config.platformAdminEmail ?? PLATFORM_ADMIN_EMAIL;
  const password = config.platformAdminPassword ?? secrets.platformAdminPassword;
  const keys = fieldKeys(config, secrets);
  const credentials = new CredentialProof(keys);
  const orm = await connect({ databaseUrl, poolMax: 1, applicationName: 'escrow-seed', isForService: true });
  try {
    const platformId = await seedPlatform(orm, credentials, { email, passwordHash: await hashPassword(password) });
    await seedApiKey(orm, credentials, platformId, { ...storedKey(secrets.platformApiKey), role: 'SUPER_ADMIN' });
    const demo = await seedDemo(orm, credentials, new FieldCipher(keys), {
      email: DEMO_OWNER_EMAIL,
      passwordHash: await hashPassword(secrets.demoOwnerPassword),
    });
    await seedApiKey(orm, credentials, demo.companyId, { ...storedKey(secrets.demoApiKey), role: 'OWNER' });
    return {
      platformAdmin: { email, password, companyId: publicId('company', platformId), apiKey: secrets.platformApiKey },
      demo: {
        companyId: publicId('company', demo.companyId),
        apiKey: secrets.demoApiKey,
        ownerEmail: DEMO_OWNER_EMAIL,
        ownerPassword: secrets.demoOwnerPassword,
        buyerId: publicId('user', demo.buyerId),
        sellerId: publicId('user', demo.sellerId),
      },
    };
  } finally {
    await orm.close();
  }
}

/** The embedded key stays in the list, so that values that it encrypted can be read with any later configuration. */
function fieldKeys(config: Config<'all'>, secrets: Secrets): readonly FieldKey[] {
  const embedded = parseFieldKey(secrets.fieldEncryptionKey);
  if (embedded === undefined) throw new StartupError('secrets.json: fieldEncryptionKey is invalid. Restore it.');
  return [...(config.fieldEncryptionKeys ?? []), embedded];
}

function storedKey(key: string) {
  return { keyHash: hashSecret(key), keyPrefix: shownPart(key) };
}

function databasePassword(config: Config<'all'>, { secrets }: EmbeddedStack, user: 'api' | 'worker'): string {
  return user === 'api'
    ? (config.databaseApiPassword ?? secrets.postgresApiPassword)
    : (config.databaseWorkerPassword ?? secrets.postgresWorkerPassword);
}

/** Clients store the API's address, so it does not change silently. */
async function assertPortFree({ port, host }: Config<'all'>): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new StartupError(`PORT: ${port} is in use on ${host}. Stop what listens there, or set PORT to a free one.`);
}
