import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { generateApiKey } from '../../src/api/auth/api-keys.ts';
import { HASH_WORK, hashPassword } from '../../src/api/auth/passwords.ts';
import type { RateLimits } from '../../src/api/context.ts';
import { RATE_LIMITS } from '../../src/api/limits.ts';
import { type ApiOptions, type RunningApi, startApi } from '../../src/api/server/server.ts';
import type { FieldKey } from '../../src/db/core/field-cipher.ts';
import { connect } from '../../src/db/core/orm.ts';
import { CredentialProof } from '../../src/db/identity/credential-proof.ts';
import { seedApiKey, seedPlatform } from '../../src/db/operations/seed.ts';
import { createLog } from '../../src/observability/log.ts';
import { createProviders } from '../../src/providers/index.ts';
import { createWebhookSender } from '../../src/providers/webhooks.ts';
import type { TemporalSettings } from '../../src/temporal/connection.ts';
import { SCHEDULES } from '../../src/temporal/schedules.ts';
import { type RunningWorker, startWorker } from '../../src/worker/worker.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { AUDIT_KEY, FIELD_KEY, JWT_SECRET } from './keys.ts';
import { anyFreePort } from './ports.ts';
import { startTestSandbox } from './sandbox.ts';
import { servers } from './servers.ts';
import { clientOf, PLATFORM, type TestService, type WithTemporal, withTemporal } from './service.ts';
import { testTemporal } from './temporal.ts';

/** The whole service in this process, on a separate database: a real API on a real port, and a real worker on the run's Temporal. */

// The tests register thousands of companies, and log their owners in.
Object.assign(HASH_WORK, { memoryCost: 64, timeCost: 1 });

/** More than the 10 s that a worker and an API take at most, on a busy machine. */
const STOP_MS = 40_000;

/** Enough for what tests do at once. Each connection makes plans of its own, which cost 10 MB and a tenth of the tests' processor time. */
const DATABASE_POOL_MAX = 4;

export type OwnService = TestService &
  WithTemporal & {
    readonly database: TestDatabase;
    /** Starts it again at the same address. */
    startApi(): Promise<void>;
    stopApi(): Promise<void>;
    startWorker(): Promise<void>;
    stopWorker(): Promise<void>;
  };

export type ServiceOptions = Partial<
  Pick<ApiOptions, 'storage' | 'requestTimeoutMs' | 'streamLifetimeMs' | 'waits' | 'log' | 'databaseReadUrl'>
> & {
  /** The connection of API, worker and the test's client to Temporal, if it differs from the default. */
  readonly temporal?: Partial<TemporalSettings>;
  readonly withWorker?: boolean;
  readonly mayDecideBySignal?: boolean;
  readonly settings?: Partial<ApiOptions['settings']>;
  /** Very high unless the test sets them. */
  readonly rateLimits?: Partial<RateLimits>;
  /** Absent: a fresh one on the run's PostgreSQL. */
  readonly database?: TestDatabase;
  /** The key with which the fields of that database are encrypted, if it is not the tests' own. */
  readonly fieldKey?: FieldKey;
  /** The address under which API and worker reach the database, for tests that put something in between. */
  readonly databaseVia?: (databaseUrl: string) => string;
  /** Where the process's first worker serves the metrics of Temporal's SDK. */
  readonly temporalMetricsAddress?: string;
};

const UNLIMITED: RateLimits = {
  requestsPerMinute: 1_000_000,
  companyRequestsPerMinute: 1_000_000,
  companyRequestsAtOnce: 1_000,
  companyLongRequestsAtOnce: RATE_LIMITS.companyLongRequestsAtOnce,
  companyLargeUploadsAtOnce: RATE_LIMITS.companyLargeUploadsAtOnce,
  largeUploadsAtOnce: RATE_LIMITS.largeUploadsAtOnce,
  largeUploadsReserved: RATE_LIMITS.largeUploadsReserved,
  publicRequestsPerMinute: 1_000_000,
};

/**
 * For programs, and for tests that look into the process of a service: its metrics, its console, the requests that it sends. The
 * others use ownService().
 */
export async function startService(options: ServiceOptions = {}): Promise<OwnService> {
  const database = options.database ?? (await freshDatabase());
  const fieldKey = options.fieldKey ?? FIELD_KEY;
  const { address, namespace, taskQueue } = testTemporal();
  const temporalSettings = {
    temporalAddress: address,
    temporalNamespace: namespace,
    temporalTaskQueue: taskQueue,
    ...options.temporal,
  };
  // Without a stream, each log adds two exit listeners to the test process.
  const log = options.log ?? createLog(process.env.TEST_LOG_LEVEL ?? 'silent', process.stdout);
  const platform = await seed(database, fieldKey);
  const sandbox = await startTestSandbox();
  const providers = createProviders(sandbox.settings, log);

  const databaseVia = options.databaseVia ?? ((databaseUrl) => databaseUrl);
  const port = await anyFreePort();
  const url = `http://127.0.0.1:${port}`;
  const apiOptions: ApiOptions = {
    ...temporalSettings,
    databaseUrl: databaseVia(database.apiUrl),
    databaseReadUrl: options.databaseReadUrl,
    databasePoolMax: DATABASE_POOL_MAX,
    jwtSecret: JWT_SECRET,
    fieldEncryptionKeys: [fieldKey],
    storage: options.storage ?? { kind: 'postgres' },
    ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
    ...(options.streamLifetimeMs === undefined ? {} : { streamLifetimeMs: options.streamLifetimeMs }),
    ...(options.waits === undefined ? {} : { waits: options.waits }),
    host: '127.0.0.1',
    port,
    settings: {
      version: 'test',
      baseUrl: url,
      checkoutUrl: `${url}/checkout`,
      isProduction: false,
      isMessagingSandboxed: true,
      mustPayoutsBeBacked: options.settings?.mustPayoutsBeBacked ?? false,
      bankDetailsCoolingHours: 0,
      bankCharacterSet: 'swift',
      mayOnlyPlatformCapture: false,
      isRegistrationOpen: true,
      personalDataRetentionDays: 0,
      defaultPhoneRegion: 'ZW',
      corsAllowedOrigins: [],
      trustedProxies: ['127.0.0.1'],
      console: {
        secret: JWT_SECRET,
        idleTimeoutMs: 30 * 60_000,
        temporalUiUrl: 'http://temporal.example',
        temporalNamespace: namespace,
      },
      rateLimits: { ...UNLIMITED, ...options.rateLimits },
      ...options.settings,
    },
    providers,
    log,
  };
  let api: RunningApi | undefined;
  sandbox.callBack(url);
  let worker: RunningWorker | undefined;

  const client = await withTemporal(
    clientOf({ url, database, taskQueue, platform, sandbox }, { ...temporalSettings, fieldEncryptionKeys: [fieldKey] }),
  );
  const service: OwnService = {
    ...client,
    database,
    async startApi() {
      api = await startApi(apiOptions);
    },
    async stopApi() {
      await api?.stop();
      api = undefined;
    },
    async startWorker() {
      worker = await startWorker({
        ...temporalSettings,
        databaseUrl: databaseVia(database.workerUrl),
        databasePoolMax: DATABASE_POOL_MAX,
        fieldEncryptionKeys: [fieldKey],
        isProduction: apiOptions.settings.isProduction,
        mustPayoutsBeBacked: apiOptions.settings.mustPayoutsBeBacked,
        mayDecideBySignal: options.mayDecideBySignal ?? true,
        messageRetentionDays: 30,
        auditSigningKey: AUDIT_KEY,
        workflowBundle: { codePath: servers().workflowBundleFile },
        providers,
        webhookSender: createWebhookSender({ isProduction: false }),
        temporalMetricsAddress: options.temporalMetricsAddress,
        log,
      });
      await pauseSchedules(client.temporal, taskQueue);
    },
    async stopWorker() {
      await worker?.stop();
      worker = undefined;
    },
    async stop() {
      await ends('the worker', service.stopWorker());
      await ends('the sandbox', sandbox.stop());
      await ends('the API', service.stopApi());
      await ends('the connection to Temporal', client.stop());
      await ends('the database', database.drop());
    },
  };
  await service.startApi();
  if (options.withWorker !== false) await service.startWorker();
  return service;
}

/** Names the part that does not end: the time limit of a hook would name none. */
async function ends(part: string, end: Promise<unknown>): Promise<void> {
  const overdue = new AbortController();
  const late = wait(STOP_MS, undefined, { signal: overdue.signal }).then(
    () => Promise.reject(new Error(`${part} has not ended after ${STOP_MS} ms`)),
    () => undefined, // it ended
  );
  try {
    await Promise.race([end, late]);
  } finally {
    overdue.abort();
  }
}

/** A sweep or an audit on the hour would heal what a test broke, or count among what it reads. Tests trigger the schedules. */
async function pauseSchedules({ schedule }: Client, taskQueue: string): Promise<void> {
  await Promise.all(SCHEDULES.map(({ name }) => schedule.getHandle(`${name}/${taskQueue}`).pause('a test')));
}

async function seed(database: TestDatabase, fieldKey: FieldKey): Promise<TestService['platform']> {
  const orm = await connect({
    databaseUrl: database.ownerUrl,
    poolMax: 2,
    applicationName: 'test-seed',
    isForService: true,
  });
  try {
    const credentials = new CredentialProof([fieldKey]);
    const companyId = await seedPlatform(orm, credentials, {
      email: PLATFORM.email,
      passwordHash: await hashPassword(PLATFORM.password),
    });
    const { key, keyHash, keyPrefix } = generateApiKey(false);
    await seedApiKey(orm, credentials, companyId, { keyHash, keyPrefix, role: 'SUPER_ADMIN' });
    return { companyId, apiKey: key };
  } finally {
    await orm.close();
  }
}
