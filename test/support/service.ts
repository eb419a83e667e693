import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { generateApiKey } from '../../src/api/auth/api-keys.ts';
import { hashPassword } from '../../src/api/auth/passwords.ts';
import type { RateLimits } from '../../src/api/context.ts';
import { type ApiOptions, type RunningApi, startApi } from '../../src/api/server/server.ts';
import { type FieldKey, parseFieldKey } from '../../src/db/core/field-cipher.ts';
import { connect } from '../../src/db/core/orm.ts';
import { CredentialProof } from '../../src/db/identity/credential-proof.ts';
import { type AuditKey, parseAuditKey } from '../../src/db/ledger/audit/checkpoint.ts';
import { seedApiKey, seedPlatform } from '../../src/db/operations/seed.ts';
import { createLog } from '../../src/observability/log.ts';
import { createProviders } from '../../src/providers/index.ts';
import { createWebhookSender } from '../../src/providers/webhooks/sender.ts';
import type { TemporalSettings } from '../../src/temporal/connection.ts';
import { SCHEDULES } from '../../src/temporal/schedules.ts';
import { type RunningWorker, startWorker } from '../../src/worker/worker.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { nextMobileNumber } from './mobile-numbers.ts';
import { patientClient } from './patient-client.ts';
import { anyFreePort } from './ports.ts';
import { startTestSandbox, type TestSandbox } from './sandbox.ts';
import { servers } from './servers.ts';
import { testTemporal } from './temporal.ts';

/** The whole service on a separate database: a real API on a real port, and a real worker on the run's Temporal. */

export const PLATFORM = { email: 'platform@test.example', password: 'platform-password' };

/** More than the 10 s that a worker and an API take at most, on a busy machine. */
const STOP_MS = 40_000;

/** The secret with which every test service signs tokens. */
export const JWT_SECRET = 'a secret of the tests, long enough to sign tokens with';

/** The key with which every test service encrypts fields. */
export const FIELD_KEY = newFieldKey('test');

/** The key with which every test service signs the checkpoints of audits. */
export const AUDIT_KEY = newAuditKey();

function newAuditKey(): AuditKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = parseAuditKey(privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
  if (key === undefined) throw new Error('it made no key');
  return key;
}

export function newFieldKey(id: string): FieldKey {
  const key = parseFieldKey(`${id}:${randomBytes(32).toString('base64')}`);
  if (key === undefined) throw new Error('it made no key');
  return key;
}

export type Answer<Body = Record<string, unknown>> = {
  readonly status: number;
  readonly headers: Headers;
  // Each test checks the body itself.
  // biome-ignore lint/suspicious/noExplicitAny: asserted on, never trusted
  readonly body: Body extends Record<string, unknown> ? any : Body;
};

export type RequestOptions = {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sent unchanged, for bodies that no JSON serializer would write. */
  readonly rawBody?: string;
  /** Sent as multipart/form-data. */
  readonly form?: FormData;
};

export type TestService = {
  readonly url: string;
  readonly database: TestDatabase;
  readonly taskQueue: string;
  readonly temporal: ReturnType<typeof patientClient>['client'];
  readonly platform: { readonly companyId: string; readonly apiKey: string };
  /** The sandbox of this service alone. */
  readonly sandbox: TestSandbox;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Starts it again at the same address. */
  startApi(): Promise<void>;
  stopApi(): Promise<void>;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
};

export type ServiceOptions = Partial<Pick<ApiOptions, 'storage' | 'requestTimeoutMs' | 'log' | 'databaseReadUrl'>> & {
  /** The connection of API, worker and the test's client to Temporal, if it differs from the default. */
  readonly temporal?: Partial<TemporalSettings>;
  readonly withWorker?: boolean;
  readonly settings?: Partial<ApiOptions['settings']>;
  /** Very high unless the test sets them. */
  readonly rateLimits?: RateLimits;
  /** Absent: a fresh one on the run's PostgreSQL. */
  readonly database?: TestDatabase;
  /** The key with which the fields of that database are encrypted, if it is not the tests' own. */
  readonly fieldKey?: FieldKey;
  /** The address under which API and worker reach the database, for tests that put something in between. */
  readonly databaseVia?: (databaseUrl: string) => string;
};

export async function startService(options: ServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await freshDatabase());
  const fieldKey = options.fieldKey ?? FIELD_KEY;
  const { address, namespace, taskQueue } = testTemporal();
  const temporalSettings = {
    temporalAddress: address,
    temporalNamespace: namespace,
    temporalTaskQueue: taskQueue,
    ...options.temporal,
  };
  const log = options.log ?? createLog(process.env.TEST_LOG_LEVEL ?? 'silent');
  const platform = await seed(database, fieldKey);
  const sandbox = await startTestSandbox();
  const providers = createProviders(sandbox.settings, log);
  const { client, connection } = patientClient({ ...temporalSettings, fieldEncryptionKeys: [fieldKey] });

  const databaseVia = options.databaseVia ?? ((databaseUrl) => databaseUrl);
  const port = await anyFreePort();
  const url = `http://127.0.0.1:${port}`;
  const apiOptions: ApiOptions = {
    ...temporalSettings,
    databaseUrl: databaseVia(database.apiUrl),
    databaseReadUrl: options.databaseReadUrl,
    databasePoolMax: 8,
    jwtSecret: JWT_SECRET,
    fieldEncryptionKeys: [fieldKey],
    storage: options.storage ?? { kind: 'postgres' },
    ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
    host: '127.0.0.1',
    port,
    settings: {
      version: 'test',
      baseUrl: url,
      checkoutUrl: `${url}/checkout`,
      isProduction: false,
      isMessagingSandboxed: true,
      mustPayoutsBeBacked: options.settings?.mustPayoutsBeBacked ?? false,
      mayOnlyPlatformCapture: false,
      isRegistrationOpen: true,
      defaultPhoneRegion: 'ZW',
      corsAllowedOrigins: [],
      trustedProxies: ['127.0.0.1'],
      console: {
        secret: JWT_SECRET,
        idleTimeoutMs: 30 * 60_000,
        temporalUiUrl: 'http://temporal.example',
        temporalNamespace: namespace,
      },
      rateLimits: options.rateLimits ?? { requestsPerMinute: 1_000_000, publicRequestsPerMinute: 1_000_000 },
      ...options.settings,
    },
    providers,
    log,
  };
  let api: RunningApi | undefined;
  sandbox.callBack(url);
  let worker: RunningWorker | undefined;

  const service: TestService = {
    url,
    database,
    taskQueue,
    temporal: client,
    platform,
    sandbox,
    request: (method, path, requestOptions) => send(`${url}${path}`, method, requestOptions),
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
        databasePoolMax: 8,
        fieldEncryptionKeys: [fieldKey],
        isProduction: apiOptions.settings.isProduction,
        mustPayoutsBeBacked: apiOptions.settings.mustPayoutsBeBacked,
        auditSigningKey: AUDIT_KEY,
        workflowBundle: { codePath: servers().workflowBundleFile },
        providers,
        webhookSender: createWebhookSender({ isProduction: false }),
        log,
      });
      await pauseSchedules(client, taskQueue);
    },
    async stopWorker() {
      await worker?.stop();
      worker = undefined;
    },
    async stop() {
      await ends('the worker', service.stopWorker());
      await ends('the sandbox', sandbox.stop());
      await ends('the API', service.stopApi());
      await ends('the connection to Temporal', connection.close());
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
async function pauseSchedules({ schedule }: TestService['temporal'], taskQueue: string): Promise<void> {
  await Promise.all(SCHEDULES.map(({ name }) => schedule.getHandle(`${name}/${taskQueue}`).pause('a test')));
}

export async function send(url: string, method: string, options: RequestOptions = {}): Promise<Answer> {
  const { headers = {}, body, form, rawBody = body === undefined ? undefined : JSON.stringify(body) } = options;
  const sent = form ?? rawBody;
  const response = await fetch(url, {
    method,
    headers: { ...(rawBody === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (isEndless) await response.body?.cancel();
  const text = isEndless ? '' : await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** The answer; throws unless it is a success. */
export async function done(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** The id under which the service carried out the request. */
export function requestIdOf({ headers }: Answer): string {
  return headers.get('x-request-id') ?? '';
}

async function seed(database: TestDatabase, fieldKey: FieldKey): Promise<TestService['platform']> {
  const orm = await connect({ databaseUrl: database.ownerUrl, poolMax: 2, applicationName: 'test-seed' });
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

/** A client of one company with one key. */
export type TestCompany = {
  readonly id: string;
  readonly apiKey: string;
  readonly owner: { readonly email: string; readonly password: string; readonly token: string; readonly id: string };
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /**
   * With a fresh idempotency key it repeats a 503 as clients should, because a busy machine may answer it. A test that gives the key
   * gets each answer.
   */
  post(path: string, body?: unknown, key?: string): Promise<Answer>;
};

let counter = 0;

/** Registers a company, logs its owner in, and makes a key. */
export async function newCompany(service: TestService, name = 'Market'): Promise<TestCompany> {
  const owner = { email: `owner-${randomUUID()}@test.example`, password: 'owner-password' };
  // Repeated as by clients, because a busy machine may answer 503.
  const ask = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    done(
      untilAnswered((key) =>
        service.request('POST', path, { headers: { 'x-idempotency-key': key, ...headers }, body }),
      ),
    );
  const admin = { firstName: 'Olive', lastName: 'Owner', ...owner };
  const registered = await ask('/v1/core/companies', { name: `${name} ${++counter}`, admin });
  const id: string = registered.body.id;
  const session = await ask('/v1/auth/login', owner);
  const token: string = session.body.accessToken;
  const credentials = { authorization: `Bearer ${token}`, 'x-company-id': id };
  const made = await ask('/v1/core/companies/api-keys', { name: 'tests' }, credentials);
  return companyClient(service, {
    id,
    apiKey: made.body.key,
    owner: { ...owner, token, id: session.body.userId },
  });
}

/** A client of a company that exists. */
export function companyClient(
  service: TestService,
  company: Pick<TestCompany, 'id' | 'apiKey' | 'owner'>,
): TestCompany {
  const request = (method: string, path: string, options: RequestOptions = {}) =>
    service.request(method, path, {
      ...options,
      headers: { 'x-api-key': company.apiKey, 'x-company-id': company.id, ...options.headers },
    });
  return {
    ...company,
    request,
    get: (path) => request('GET', path),
    post(path, body, key) {
      const post = (once: string, headers: Record<string, string> = {}) =>
        request('POST', path, {
          headers: { ...headers, 'x-idempotency-key': once },
          ...(body === undefined ? {} : { body }),
        });
      // A repetition has the id of the first request, which may be the one that was carried out.
      return key === undefined ? untilAnswered((once) => post(once, { 'x-request-id': once })) : post(key);
    },
  };
}

/** Sends a request with one idempotency key until its answer is none of these statuses. Throws after `timeoutMs`. */
export function untilAnswered(
  send: (key: string) => Promise<Answer>,
  { repeated = [503], timeoutMs }: { readonly repeated?: readonly number[]; readonly timeoutMs?: number } = {},
): Promise<Answer> {
  const key = randomUUID();
  return eventually(async () => {
    const answer = await send(key);
    return !repeated.includes(answer.status) && answer;
  }, timeoutMs);
}

export type TestUser = {
  readonly id: string;
  readonly ledgerId: string;
  readonly usdAccountId: string;
  readonly mobileNumber: string;
};

export async function newUser(company: TestCompany, fields: Record<string, unknown> = {}): Promise<TestUser> {
  const mobileNumber = nextMobileNumber();
  const { body } = await company.post('/v1/identity/users', { mobileNumber, idNumber: '63-1234567A00', ...fields });
  const usd = body.accounts.find((account: { currency: string }) => account.currency === 'USD');
  return { id: body.id, ledgerId: body.ledgerId, usdAccountId: usd.id, mobileNumber: body.mobileNumber };
}

/** A buyer with money, a seller without, and the request for an escrow between them. */
export async function newParties(
  company: TestCompany,
  depositCents = 100_000,
  fields: { readonly buyer?: Record<string, unknown>; readonly seller?: Record<string, unknown> } = {},
) {
  const [buyer, seller] = [await newUser(company, fields.buyer), await newUser(company, fields.seller)];
  await company.post('/v1/payments/deposit', { userId: buyer.id, amount: depositCents, currency: 'USD' });
  const escrow = (fields: Record<string, unknown> = {}) => ({
    buyerId: buyer.id,
    sellerId: seller.id,
    buyerAccountId: buyer.usdAccountId,
    items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
    externalReference: `order-${randomUUID()}`,
    ...fields,
  });
  return { buyer, seller, escrow };
}
