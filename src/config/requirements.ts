import {
  ADAPTER_GROUPS,
  ADAPTER_VARIABLES,
  type AdapterNames,
  malformedAdapterVariables,
  missingAdapterVariables,
} from './adapters.ts';
import { type Complaint, given, type Variable } from './environment.ts';
import { FIELD_KEYS_EXPECTED, SECRET_EXPECTED } from './forms.ts';
import { isRealProvider, MAX_LARGEST, MIN_PREFIX, trustsStrangers } from './production.ts';
import type { ProcessRole } from './role.ts';
import { holdsPassword, SECRET_VARIABLES, weakness } from './secrets.ts';

/** The rules about variables together: what a role requires, which are set together, and what production refuses. */

/** The variables that a role requires. `all` starts or creates missing ones. */
export const REQUIRED = {
  all: [],
  api: ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'JWT_SECRET', 'FIELD_ENCRYPTION_KEYS'],
  worker: ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'FIELD_ENCRYPTION_KEYS'],
  migrate: ['DATABASE_URL', 'DATABASE_API_PASSWORD', 'DATABASE_WORKER_PASSWORD', 'FIELD_ENCRYPTION_KEYS'],
  'rebuild-workflows': [],
  'rotate-keys': ['DATABASE_URL', 'FIELD_ENCRYPTION_KEYS'],
  release: ['TEMPORAL_ADDRESS', 'TEMPORAL_BUILD_ID'],
} as const satisfies Record<ProcessRole, readonly Variable[]>;

/** The variables of the other external services. All variables of a group are set, or none. */
const PROVIDERS = {
  messaging: ['WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_ACCESS_TOKEN', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN'],
  mail: ['SMTP_URL', 'MAIL_FROM'],
  payout: ['PAYOUT_ADDRESS', 'PAYOUT_DEBTOR_NAME', 'PAYOUT_DEBTOR_ACCOUNT', 'PAYOUT_DEBTOR_BANK_CODE'],
} as const satisfies Record<string, readonly Variable[]>;
const PROVIDER_HOSTS: readonly string[] = [
  'WHATSAPP_HOST',
  'PAYOUT_ADDRESS',
  ...ADAPTER_VARIABLES.filter(({ form }) => form === 'host').map(({ name }) => name),
];

/** The variables that a role also requires in production. */
const REQUIRED_IN_PRODUCTION = {
  all: [],
  api: ['BASE_URL', ...PROVIDERS.messaging, ...PROVIDERS.mail],
  worker: [...PROVIDERS.messaging, ...PROVIDERS.payout],
  migrate: ['TEMPORAL_ADDRESS', 'PLATFORM_ADMIN_EMAIL', 'PLATFORM_ADMIN_PASSWORD'],
  'rebuild-workflows': ['DATABASE_URL', 'TEMPORAL_ADDRESS'],
  'rotate-keys': [],
  release: [],
} as const satisfies Record<ProcessRole, readonly Variable[]>;

type RequiredVariable = (typeof REQUIRED)[ProcessRole][number] | (typeof REQUIRED_IN_PRODUCTION)[ProcessRole][number];

const CLIENT_CERTIFICATE = ['TEMPORAL_TLS_CLIENT_CERT_FILE', 'TEMPORAL_TLS_CLIENT_KEY_FILE'] as const;
const S3_SETTINGS = [
  'STORAGE_S3_ENDPOINT',
  'STORAGE_S3_REGION',
  'STORAGE_S3_BUCKET',
  'STORAGE_S3_ACCESS_KEY_ID',
  'STORAGE_S3_SECRET_ACCESS_KEY',
] as const;

/** Everything that breaks a rule for this role. */
export function complaintsAbout(env: NodeJS.ProcessEnv, role: ProcessRole, adapters: AdapterNames): Complaint[] {
  const read = (variable: string) => given(env, variable);
  const isProduction = read('ESCROW_ENVIRONMENT') === 'production';
  const complaints = [
    ...missing(env, role, isProduction),
    ...tlsComplaints(env),
    ...providerComplaints(env),
    ...malformedAdapterVariables(read),
    ...storageComplaints(env),
  ];
  if (!isProduction) return complaints;
  const usesProviders = role === 'api' || role === 'worker';
  return [
    ...complaints,
    ...guessable(env),
    ...insecure(env),
    ...sandboxComplaints(env),
    ...(usesProviders ? missingAdapterVariables(read, adapters) : []),
  ];
}

function missing(env: NodeJS.ProcessEnv, role: ProcessRole, isProduction: boolean): Complaint[] {
  const required: readonly RequiredVariable[] = [
    ...REQUIRED[role],
    ...(isProduction ? REQUIRED_IN_PRODUCTION[role] : []),
  ];
  return required
    .filter((variable) => given(env, variable) === '')
    .map((variable) => ({ variable, problem: `is required; it must be ${EXPECTED[variable]}` }));
}

/** The meaning of each required variable, for the message that it is missing. */
const EXPECTED: Readonly<Record<RequiredVariable, string>> = {
  DATABASE_URL: 'an address like postgres://user:password@host:5432/database',
  DATABASE_API_PASSWORD: 'the password that the role escrow_api gets',
  DATABASE_WORKER_PASSWORD: 'the password that the role escrow_worker gets',
  TEMPORAL_BUILD_ID: 'the version of the workers that are to become the current release',
  TEMPORAL_ADDRESS: 'the host:port of the Temporal server',
  FIELD_ENCRYPTION_KEYS: FIELD_KEYS_EXPECTED,
  JWT_SECRET: SECRET_EXPECTED,
  BASE_URL: 'the public address of the API, like https://escrow.example',
  PLATFORM_ADMIN_EMAIL: "the platform administrator's e-mail address",
  PLATFORM_ADMIN_PASSWORD: "the platform administrator's first password",
  WHATSAPP_PHONE_NUMBER_ID: 'the id of the number that messages are sent from',
  WHATSAPP_ACCESS_TOKEN: "the messaging platform's access token",
  WHATSAPP_APP_SECRET: 'the secret that the messaging platform signs its notifications with',
  WHATSAPP_VERIFY_TOKEN: 'a random token of your choice; the messaging platform sends it to prove itself',
  SMTP_URL:
    'the address of the server that delivers mail to administrators, like smtps://user:password@mail.example:465',
  MAIL_FROM: 'the sender of that mail, like Escrow <no-reply@escrow.example>',
  PAYOUT_ADDRESS:
    'the address that payment files are sent to: https://bank.example, or the folder of a file-transfer program as file:///…',
  PAYOUT_DEBTOR_NAME: 'the name on the account that withdrawals are paid from',
  PAYOUT_DEBTOR_ACCOUNT: 'the number of the account that withdrawals are paid from',
  PAYOUT_DEBTOR_BANK_CODE: 'the clearing code of the bank that has that account',
};

function guessable(env: NodeJS.ProcessEnv): Complaint[] {
  return SECRET_VARIABLES.flatMap((variable) => {
    const value = given(env, variable);
    const problem = value === '' ? undefined : weakness(variable, value);
    if (problem === undefined) return [];
    return [{ variable, problem: holdsPassword(variable) ? `has a password that ${problem}` : problem }];
  });
}

function insecure(env: NodeJS.ProcessEnv): Complaint[] {
  return (['BASE_URL', 'CHECKOUT_URL', 'STORAGE_S3_ENDPOINT'] as const)
    .filter((variable) => given(env, variable).startsWith('http:'))
    .map((variable) => ({ variable, problem: 'must begin with https:// in production' }));
}

function sandboxComplaints(env: NodeJS.ProcessEnv): Complaint[] {
  const problem = 'must be a real provider with https:// in production, not a sandbox or test system';
  const complaints: Complaint[] = PROVIDER_HOSTS.filter((variable) => !isRealProvider(given(env, variable))).map(
    (variable) => ({ variable, problem }),
  );
  if (trustsStrangers(given(env, 'TRUSTED_PROXIES').split(',')))
    complaints.push({
      variable: 'TRUSTED_PROXIES',
      problem:
        `must list only your own proxies in production: no network larger than /${MIN_PREFIX[32]} (IPv4) or ` +
        `/${MIN_PREFIX[128]} (IPv6), and in total no more addresses than ${MAX_LARGEST} such networks have`,
    });
  return complaints;
}

function providerComplaints(env: NodeJS.ProcessEnv): Complaint[] {
  const lacksToken = given(env, 'PAYOUT_ADDRESS').startsWith('http') && given(env, 'PAYOUT_TOKEN') === '';
  const partial = [...Object.values(PROVIDERS), ...ADAPTER_GROUPS].flatMap((group: readonly string[]) => {
    const absent = group.filter((variable) => given(env, variable) === '');
    const isPartial = absent.length > 0 && absent.length < group.length;
    return isPartial ? absent.map((variable) => ({ variable, problem: `is required with ${group.join(', ')}` })) : [];
  });
  return lacksToken
    ? [...partial, { variable: 'PAYOUT_TOKEN', problem: 'is required where PAYOUT_ADDRESS is http' }]
    : partial;
}

function tlsComplaints(env: NodeJS.ProcessEnv): Complaint[] {
  const absent = CLIENT_CERTIFICATE.filter((variable) => given(env, variable) === '');
  return absent.length === 1
    ? absent.map((variable) => ({ variable, problem: 'is required with its counterpart' }))
    : [];
}

function storageComplaints(env: NodeJS.ProcessEnv): Complaint[] {
  if (given(env, 'STORAGE') !== 's3') return [];
  return S3_SETTINGS.filter((variable) => given(env, variable) === '').map((variable) => ({
    variable,
    problem: 'is required where STORAGE is s3',
  }));
}
