import { isIP } from 'node:net';
import { type AdapterNames, type ConfiguredAdapters, readAdapters } from './adapters.ts';
import { type Complaint, type Environment, given, parseEnvironment, type Variable } from './environment.ts';
import { complaintsAbout, type REQUIRED } from './requirements.ts';
import type { Role } from './role.ts';
import { ConfigError } from './startup-error.ts';

<<<<<<< HEAD
/** The configuration of a role, read from the environment. Nothing else reads the environment; main.ts passes it in. */
=======
/**
 * The configuration: every environment variable this service knows, in one schema. Nothing else reads the environment
 * (main.ts hands it over). `.env.example` says the same for people; a test keeps the two in step.
 */

/** Thrown when the environment makes no configuration. Its message names every variable that is wrong, at once. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError';
}

export const ROLES = ['all', 'api', 'worker', 'migrate', 'rotate-keys', 'rebuild-workflows', 'release'] as const;
/** What this process is: `all` is the embedded stack for development; `migrate` and `rotate-keys` end when they are done. */
export type Role = (typeof ROLES)[number];

const MIN_PASSWORD_CHARACTERS = 10;
const MIN_SECRET_BYTES = 32;

const FIELD_KEYS_EXPECTED =
  'keys like 2026-01:<32 random bytes in base64, as `openssl rand -base64 32` makes them>, the current one first, separated by commas';

const text = z.string().trim();
const word = text.regex(/^[\x21-\x7e]+$/, 'visible ASCII characters without spaces');
const flag = oneOf('true', 'false').transform((word) => word === 'true');
const port = wholeNumber(1, 65_535);
const password = text.min(MIN_PASSWORD_CHARACTERS, `at least ${MIN_PASSWORD_CHARACTERS} characters`);
const secret = text.refine(
  (value) => Buffer.byteLength(value) >= MIN_SECRET_BYTES,
  `at least ${MIN_SECRET_BYTES} bytes, as \`openssl rand -base64 48\` makes them`,
);
const httpUrl = url('https://escrow.example', 'http:', 'https:').transform((value) => value.replace(/\/+$/, ''));
const databaseUrl = url('postgres://user:password@host:5432/database', 'postgres:', 'postgresql:');

const TRACES_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Variable → what it must look like. What it is called in the configuration follows: DATA_DIR is `dataDir`. */
const environmentSchema = z.object({
  ESCROW_ENVIRONMENT: oneOf('development', 'test', 'production').default('development'),
  LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error', 'silent').default('info'),

  HOST: text.default('127.0.0.1'),
  PORT: port.default(3000),
  BASE_URL: httpUrl.optional(),
  CHECKOUT_URL: httpUrl.optional(),
  CORS_ALLOWED_ORIGINS: listOf(isOrigin, 'origins like https://shop.example').default([]),
  TRUSTED_PROXIES: listOf(isAddressOrNetwork, 'IP addresses or networks like 10.0.0.0/8').default([]),
  COMPANY_REGISTRATION: oneOf('open', 'closed').optional(),
  DEFAULT_PHONE_REGION: text.refine(isPhoneRegion, 'a two-letter country code like ZW').default(FALLBACK_PHONE_REGION),
  STOP_NOTICE_MS: wholeNumber(0, 25_000).default(800),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).optional(),
  RATE_LIMIT_PUBLIC_PER_MINUTE: wholeNumber(1, 1_000_000).optional(),

  DATABASE_URL: databaseUrl.optional(),
  DATABASE_API_PASSWORD: password.optional(),
  DATABASE_WORKER_PASSWORD: password.optional(),
  DATABASE_POOL_MAX: wholeNumber(1, 200).default(8),

  TEMPORAL_ADDRESS: text.regex(/^[^\s:/]+:\d{1,5}$/, 'host:port').optional(),
  TEMPORAL_NAMESPACE: text.default('default'),
  TEMPORAL_TASK_QUEUE: text.default('escrow'),
  TEMPORAL_API_KEY: text.optional(),
  TEMPORAL_API_KEY_FILE: text.optional(),
  TEMPORAL_ENCRYPT_PAYLOADS: flag.optional(),
  TEMPORAL_TLS: flag.optional(),
  TEMPORAL_TLS_SERVER_NAME: text.optional(),
  TEMPORAL_TLS_SERVER_CA_FILE: text.optional(),
  TEMPORAL_TLS_CLIENT_CERT_FILE: text.optional(),
  TEMPORAL_TLS_CLIENT_KEY_FILE: text.optional(),
  TEMPORAL_UI_URL: httpUrl.optional(),
  TEMPORAL_DEPLOYMENT: text.regex(/^[\w.-]{1,100}$/, 'a name of letters, digits, dots and dashes').default('escrow'),
  TEMPORAL_BUILD_ID: text.regex(/^[\w.-]{1,100}$/, 'a version like 1.4.0').optional(),
  RELEASE_RUNS_PER_SECOND: wholeNumber(1, 1_000).default(50),
  TEMPORAL_CACHED_RUNS: wholeNumber(2, 1_000_000).optional(),

  JWT_SECRET: secret.optional(),
  FIELD_ENCRYPTION_KEYS: text.transform(parseFieldKeys).optional(),
  AUDIT_SIGNING_KEY: text.transform(parseSigningKey).optional(),
  PLATFORM_ADMIN_EMAIL: z.email('an e-mail address').optional(),
  PLATFORM_ADMIN_PASSWORD: password.optional(),

  STORAGE: oneOf(...STORAGE_KINDS).default('postgres'),
  STORAGE_S3_ENDPOINT: httpUrl.optional(),
  STORAGE_S3_REGION: text.optional(),
  STORAGE_S3_BUCKET: text.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket').optional(),
  STORAGE_S3_ACCESS_KEY_ID: text.optional(),
  STORAGE_S3_SECRET_ACCESS_KEY: text.optional(),

  // What each gateway and operator needs is in the tables of adapters: see adapters.ts.
  GATEWAY: oneOf(...GATEWAY_NAMES).default('oppwa'),
  MOBILE_MONEY: oneOf(...OPERATOR_NAMES).default('http'),
  WHATSAPP_HOST: httpUrl.default('https://graph.facebook.com'),
  WHATSAPP_API_VERSION: text.regex(/^v\d{1,3}\.\d{1,2}$/, 'a version like v23.0').default('v23.0'),
  WHATSAPP_PHONE_NUMBER_ID: text.regex(/^\d{5,20}$/, "digits: the sending number's id, not the number").optional(),
  WHATSAPP_ACCESS_TOKEN: word.optional(),
  WHATSAPP_APP_SECRET: word.optional(),
  WHATSAPP_VERIFY_TOKEN: word.optional(),
  WHATSAPP_OTP_TEMPLATE: text.regex(/^[a-z0-9_]{1,512}$/, 'the name of a template').default('one_time_password'),
  WHATSAPP_OTP_LANGUAGE: text.regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'a language like en or en_US').default('en'),
  PAYOUT_ADDRESS: url('https://bank.example or file:///var/spool/payouts', 'http:', 'https:', 'file:').optional(),
  PAYOUT_TOKEN: word.optional(),
  PAYOUT_DEBTOR_NAME: text.max(140, 'at most 140 characters').optional(),
  PAYOUT_DEBTOR_ACCOUNT: word.max(34, 'at most 34 characters').optional(),
  PAYOUT_DEBTOR_BANK_CODE: word.max(35, 'at most 35 characters').optional(),

  PAYOUT_BACKING: oneOf('required', 'off').optional(),

  METRICS_PORT: port.optional(),
  // Names and meanings are OpenTelemetry's own; its SDK reads these, and those that are not here, by itself.
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_SERVICE_NAME: text.optional(),
  OTEL_SDK_DISABLED: flag.optional(),
  OTEL_PROPAGATORS: oneOf('tracecontext', 'tracecontext,baggage', 'none').default('tracecontext'),
  OTEL_TRACES_SAMPLER: oneOf(...TRACES_SAMPLERS).optional(),
  OTEL_TRACES_SAMPLER_ARG: text.regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'a number from 0 to 1').optional(),
  WORKFLOW_BUNDLE: text.optional(),

  DATA_DIR: text.default('.data'),
  POSTGRES_PORT: port.optional(),
  TEMPORAL_PORT: port.optional(),
  TEMPORAL_UI_PORT: port.optional(),
  SANDBOX_PORT: port.optional(),
});

type Environment = z.output<typeof environmentSchema>;
type Variable = keyof Environment;

/** Every variable there is, for the test that keeps `.env.example` complete. */
export const VARIABLES: readonly string[] = [
  ...Object.keys(environmentSchema.shape),
  ...ADAPTER_VARIABLES.map(({ name }) => name),
];

/** What a role cannot do without. `all` starts or makes what is missing. */
const REQUIRED = {
  all: [],
  api: ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'JWT_SECRET', 'FIELD_ENCRYPTION_KEYS'],
  worker: ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'FIELD_ENCRYPTION_KEYS'],
  migrate: ['DATABASE_URL', 'DATABASE_API_PASSWORD', 'DATABASE_WORKER_PASSWORD'],
  'rebuild-workflows': [],
  'rotate-keys': ['DATABASE_URL', 'FIELD_ENCRYPTION_KEYS'],
  release: ['TEMPORAL_ADDRESS', 'TEMPORAL_BUILD_ID'],
} as const satisfies Record<Role, readonly Variable[]>;

/** Everybody outside that the service talks to. Each group is set whole or not at all. */
const PROVIDERS = {
  messaging: ['WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_ACCESS_TOKEN', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN'],
  payout: ['PAYOUT_ADDRESS', 'PAYOUT_DEBTOR_NAME', 'PAYOUT_DEBTOR_ACCOUNT', 'PAYOUT_DEBTOR_BANK_CODE'],
} as const satisfies Record<string, readonly Variable[]>;
const PROVIDER_HOSTS: readonly string[] = [
  'WHATSAPP_HOST',
  'PAYOUT_ADDRESS',
  ...ADAPTER_VARIABLES.filter(({ form }) => form === 'host').map(({ name }) => name),
];

/** What a role cannot do without in production, besides. */
const REQUIRED_IN_PRODUCTION = {
  all: [],
  api: ['BASE_URL', ...PROVIDERS.messaging],
  worker: [...PROVIDERS.messaging, ...PROVIDERS.payout],
  migrate: ['TEMPORAL_ADDRESS', 'PLATFORM_ADMIN_EMAIL', 'PLATFORM_ADMIN_PASSWORD'],
  'rebuild-workflows': ['DATABASE_URL', 'TEMPORAL_ADDRESS'],
  'rotate-keys': [],
  release: [],
} as const satisfies Record<Role, readonly Variable[]>;

type RequiredVariable = (typeof REQUIRED)[Role][number] | (typeof REQUIRED_IN_PRODUCTION)[Role][number];

const CLIENT_CERTIFICATE = ['TEMPORAL_TLS_CLIENT_CERT_FILE', 'TEMPORAL_TLS_CLIENT_KEY_FILE'] as const;
const S3_SETTINGS = [
  'STORAGE_S3_ENDPOINT',
  'STORAGE_S3_REGION',
  'STORAGE_S3_BUCKET',
  'STORAGE_S3_ACCESS_KEY_ID',
  'STORAGE_S3_SECRET_ACCESS_KEY',
] as const;
>>>>>>> 3f91dea (Take new Temporal credentials without a restart; encrypt payloads)

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<S>;
type Present<V extends Variable> = { readonly [K in V as Camel<K>]: NonNullable<Environment[K]> };
export type Settings = { readonly [K in Variable as Camel<K>]: Environment[K] };

/** The settings of one role: what it requires is there. */
export type Config<R extends Role = Role> = Settings &
  Present<'BASE_URL' | 'CHECKOUT_URL' | (typeof REQUIRED)[R][number]> & {
    readonly role: R;
    readonly adapters: ConfiguredAdapters;
  };

/** @throws ConfigError that names every wrong variable */
export function loadConfig<R extends Role>(env: NodeJS.ProcessEnv, role: R): Config<R> {
  const isProduction = given(env, 'ESCROW_ENVIRONMENT') === 'production';
  if (role === 'all' && isProduction) {
    throw new ConfigError(
      'ESCROW_ENVIRONMENT is production, and the role "all" is for development: it starts its own database and sandbox ' +
        'providers. In production run the roles migrate, api and worker.',
    );
  }
  const { environment, complaints: malformed } = parseEnvironment(env);
  const names: AdapterNames = {
    gateway: environment?.GATEWAY ?? 'oppwa',
    mobileMoney: environment?.MOBILE_MONEY ?? 'http',
  };
  const complaints = [...malformed, ...complaintsAbout(env, role, names)];
  if (environment === undefined || complaints.length > 0) throw new ConfigError(describe(complaints, role));

  const settings = Object.fromEntries(Object.entries(environment).map(([variable, value]) => [camel(variable), value]));
  const baseUrl = environment.BASE_URL ?? `http://${hostInUrl(environment.HOST)}:${environment.PORT}`;
  return {
    ...settings,
    companyRegistration: environment.COMPANY_REGISTRATION ?? (isProduction ? 'closed' : 'open'),
    baseUrl,
    checkoutUrl: environment.CHECKOUT_URL ?? `${baseUrl}/checkout`,
    role,
    adapters: readAdapters((variable) => given(env, variable), names),
  } as unknown as Config<R>; // `camel` makes the names as `Camel` does, and `complaintsAbout` checked what the role requires
}

/** Whether a payout needs cash that came in for the company: in production, unless the configuration says otherwise. */
export function mustPayoutsBeBacked(config: Pick<Settings, 'payoutBacking' | 'escrowEnvironment'>): boolean {
  return (config.payoutBacking ?? (config.escrowEnvironment === 'production' ? 'required' : 'off')) === 'required';
}

function describe(complaints: readonly Complaint[], role: Role): string {
  const lines = complaints.map(({ variable, problem }) => `  ${variable} ${problem}.`);
  return [`The role "${role}" cannot start with this environment:`, ...lines, 'See .env.example.'].join('\n');
}

function camel(variable: string): string {
  return variable.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIP(host) === 6 ? `[${host}]` : host;
}
