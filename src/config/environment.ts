import { z } from 'zod';
import { FALLBACK_PHONE_REGION, isPhoneRegion } from '../domain/phone.ts';
import { BANK_CHARACTER_SETS } from '../domain/withdrawal/bank-text.ts';
import { STORAGE_KINDS } from '../providers/storage/port.ts';
import { ADAPTER_VARIABLES, DEFAULT_ADAPTERS, GATEWAY_NAMES, OPERATOR_NAMES } from './adapters.ts';
import {
  databaseUrl,
  flag,
  httpUrl,
  isAddressOrNetwork,
  isOrigin,
  listOf,
  oneOf,
  parseFieldKeys,
  parseSigningKey,
  password,
  port,
  secret,
  text,
  url,
  wholeNumber,
  word,
} from './forms.ts';

/** Every environment variable of the service, with its form and its default. A test compares the table with `.env.example`. */

const TRACES_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** On few cores a small pool is faster. */
export const DEFAULT_POOL_MAX = 8;

/** Variable → its form. Its name in the configuration follows: DATA_DIR is `dataDir`. */
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
  PERSONAL_DATA_RETENTION_DAYS: wholeNumber(0, 36_500).optional(),
  DOCUMENT_RETENTION_DAYS: wholeNumber(1, 36_500).optional(),
  MESSAGE_RETENTION_DAYS: wholeNumber(2, 3_650).default(30),
  CONSOLE: oneOf('on', 'off').default('on'),
  CONSOLE_IDLE_MINUTES: wholeNumber(1, 720).default(30),
  DEFAULT_PHONE_REGION: text.refine(isPhoneRegion, 'a two-letter country code like ZW').default(FALLBACK_PHONE_REGION),
  STOP_NOTICE_MS: wholeNumber(0, 25_000).default(800),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 1_000_000).optional(),
  RATE_LIMIT_COMPANY_PER_MINUTE: wholeNumber(1, 1_000_000).optional(),
  RATE_LIMIT_PUBLIC_PER_MINUTE: wholeNumber(1, 1_000_000).optional(),

  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_API_PASSWORD: password.optional(),
  DATABASE_WORKER_PASSWORD: password.optional(),
  DATABASE_POOL_MAX: wholeNumber(1, 200).default(DEFAULT_POOL_MAX),

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
  TEMPORAL_DEPLOYMENT: text
    .regex(/^[\w.-]{1,100}$/, 'a name of letters, digits, dots, dashes and underscores')
    .default('escrow'),
  TEMPORAL_BUILD_ID: text.regex(/^[\w.-]{1,100}$/, 'a version like 1.4.0').optional(),
  RELEASE_RUNS_PER_SECOND: wholeNumber(1, 1_000).default(50),
  TEMPORAL_CACHED_RUNS: wholeNumber(2, 1_000_000).optional(),
  TEMPORAL_CALL_STACKS: flag.default(false),

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

  // The variables of each gateway and operator are in the tables of adapters: see adapters.ts.
  GATEWAY: oneOf(...GATEWAY_NAMES).default(DEFAULT_ADAPTERS.gateway),
  MOBILE_MONEY: oneOf(...OPERATOR_NAMES).default(DEFAULT_ADAPTERS.mobileMoney),
  WHATSAPP_HOST: httpUrl.default('https://graph.facebook.com'),
  WHATSAPP_API_VERSION: text.regex(/^v\d{1,3}\.\d{1,2}$/, 'a version like v23.0').default('v23.0'),
  WHATSAPP_PHONE_NUMBER_ID: text.regex(/^\d{5,20}$/, "digits: the sending number's id, not the number").optional(),
  WHATSAPP_ACCESS_TOKEN: word.optional(),
  WHATSAPP_APP_SECRET: word.optional(),
  WHATSAPP_VERIFY_TOKEN: word.optional(),
  WHATSAPP_OTP_TEMPLATE: text.regex(/^[a-z0-9_]{1,512}$/, 'the name of a template').default('one_time_password'),
  WHATSAPP_BANK_DETAILS_TEMPLATE: text
    .regex(/^[a-z0-9_]{1,512}$/, 'the name of a template')
    .default('bank_details_changed'),
  WHATSAPP_OTP_LANGUAGE: text.regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'a language like en or en_US').default('en'),
  SMTP_URL: url('smtps://user:password@mail.example:465', 'smtp:', 'smtps:').optional(),
  MAIL_FROM: text
    .regex(/^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/, 'an address like Escrow <no-reply@escrow.example>')
    .max(255, 'at most 255 characters')
    .optional(),
  PAYOUT_ADDRESS: url('https://bank.example or file:///var/spool/payouts', 'http:', 'https:', 'file:').optional(),
  PAYOUT_TOKEN: word.optional(),
  PAYOUT_DEBTOR_NAME: text.max(140, 'at most 140 characters').optional(),
  PAYOUT_DEBTOR_ACCOUNT: word.max(34, 'at most 34 characters').optional(),
  PAYOUT_DEBTOR_BANK_CODE: word.max(35, 'at most 35 characters').optional(),

  PAYOUT_BACKING: oneOf('platform', 'required', 'off').optional(),
  TEMPORAL_DECISIONS: oneOf('on', 'off').default('on'),
  BANK_CHARACTER_SET: oneOf(...BANK_CHARACTER_SETS).default('swift'),
  BANK_DETAILS_COOLING_HOURS: wholeNumber(0, 720).optional(),

  METRICS_PORT: port.optional(),
  // OpenTelemetry's own names and meanings. Its SDK also reads these and further variables from the environment.
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

export type Environment = z.output<typeof environmentSchema>;
export type Variable = keyof Environment;

/** All variables, for the test that compares them with `.env.example`. */
export const VARIABLES: readonly string[] = [
  ...Object.keys(environmentSchema.shape),
  ...ADAPTER_VARIABLES.map(({ name }) => name),
];

/** A fault of a variable. `problem` follows its name in a sentence. */
export type Complaint = { readonly variable: string; readonly problem: string };

/** Parses the variables that are set. An empty variable counts as not set, because .env and compose files write it so. */
export function parseEnvironment(env: NodeJS.ProcessEnv): {
  environment: Environment | undefined;
  complaints: Complaint[];
} {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success) return { environment: parsed.data, complaints: [] };
  const complaints = parsed.error.issues.map((issue) => ({
    variable: String(issue.path[0]),
    problem: `must be ${issue.message}`,
  }));
  return { environment: undefined, complaints };
}

/** The trimmed value of a variable; '' if it is not set. */
export function given(env: NodeJS.ProcessEnv, variable: string): string {
  return (env[variable] ?? '').trim();
}
