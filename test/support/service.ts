import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { TemporalSettings } from '../../src/temporal/connection.ts';
import type { TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { importOnce } from './import-once.ts';
import { nextMobileNumber } from './mobile-numbers.ts';
import { sandboxAt, type TestSandbox } from './sandbox.ts';
import { servers } from './servers.ts';

/** A service as its clients see it. This file imports no code of `src`, because jest evaluates every import again for each test file. */

const PATIENT_CLIENT = new URL('./patient-client.ts', import.meta.url);

export const PLATFORM = { email: 'platform@test.example', password: 'platform-password' };

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

/** What a test knows of a service, which may run in another process. */
export type ServiceDescription = {
  readonly url: string;
  readonly database: Omit<TestDatabase, 'drop'>;
  readonly taskQueue: string;
  readonly platform: { readonly companyId: string; readonly apiKey: string };
  readonly sandbox: Pick<TestSandbox, 'url' | 'settings'>;
};

export type TestService = ServiceDescription & {
  /** The sandbox of this service alone. */
  readonly sandbox: TestSandbox;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  connectTemporal(): Promise<Client>;
  /** Ends what the test opened, and the service if it is the test's own. */
  stop(): Promise<void>;
};

/** With the test's own client of Temporal. Only the tests that need it ask for it. */
export type WithTemporal = { readonly temporal: Client };

export async function withTemporal<Service extends TestService>(service: Service): Promise<Service & WithTemporal> {
  return { ...service, temporal: await service.connectTemporal() };
}

/** A client of the service. `settings`: of the connection to Temporal, if they differ from the default. */
export function clientOf(description: ServiceDescription, settings: Partial<TemporalSettings> = {}): TestService {
  let connecting: ReturnType<typeof connect> | undefined;
  const connect = async () => {
    const { patientClient } = await importOnce<typeof import('./patient-client.ts')>(PATIENT_CLIENT);
    const { FIELD_KEY } = await import('./keys.ts');
    return patientClient({
      temporalAddress: servers().temporalAddress,
      temporalNamespace: servers().temporalNamespace,
      fieldEncryptionKeys: [FIELD_KEY],
      ...settings,
    });
  };
  return {
    ...description,
    sandbox: sandboxAt(description.sandbox),
    request: (method, path, options) => send(`${description.url}${path}`, method, options),
    async connectTemporal() {
      connecting ??= connect();
      return (await connecting).client;
    },
    async stop() {
      await (await connecting)?.connection.close();
    },
  };
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
  const answered = isJson ? JSON.parse(text) : text;
  if (response.status >= 400 && INTERNAL_ID.test(Object(answered).detail ?? ''))
    throw new Error(`${method} ${url}: a refusal shows an internal id: ${answered.detail}`);
  return { status: response.status, headers: response.headers, body: answered };
}

/** A UUID without the prefix of its kind: clients know ids only with it. */
const INTERNAL_ID = /(?<![\w-])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

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

/**
 * Sends a request with one idempotency key until its answer is none of these statuses, and no earlier one of its tries is still in
 * progress. Throws after `timeoutMs`.
 */
export function untilAnswered(
  send: (key: string) => Promise<Answer>,
  { repeated = [503], timeoutMs }: { readonly repeated?: readonly number[]; readonly timeoutMs?: number } = {},
): Promise<Answer> {
  const key = randomUUID();
  return eventually(async () => {
    const answer = await send(key);
    const isInProgress = answer.status === 409 && answer.body.code === 'idempotency_in_progress';
    return !repeated.includes(answer.status) && !isInProgress && answer;
  }, timeoutMs);
}

export type TestUser = {
  readonly id: string;
  readonly ledgerId: string;
  readonly usdAccountId: string;
  readonly mobileNumber: string;
};

/** The national id of a person with this number. A person is blacklisted in all companies, so tests share no id. */
export const idNumberOf = (mobileNumber: string): string => `63-${mobileNumber.slice(-7)}A00`;

export async function newUser(company: TestCompany, fields: Record<string, unknown> = {}): Promise<TestUser> {
  const mobileNumber = nextMobileNumber();
  const { body } = await done(
    company.post('/v1/identity/users', { mobileNumber, idNumber: idNumberOf(mobileNumber), ...fields }),
  );
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
