import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/environment.ts';
import { trustsStrangers } from '../../src/config/production.ts';
import { type ProcessRole, parseRole } from '../../src/config/role.ts';
import { SECRET_VARIABLES } from '../../src/config/secrets.ts';
import { ConfigError } from '../../src/config/startup-error.ts';

const RANDOM_SECRET = 'wT3vYk9pQz7LmN2xRb8sHd4fGj6cVu1e';
const DATABASE_PASSWORD = 'pV6nRz2KqT8wYb4J';
const KEY = randomBytes(32).toString('base64');
const API = {
  DATABASE_URL: `postgres://escrow_api:${DATABASE_PASSWORD}@db:5432/escrow`,
  TEMPORAL_ADDRESS: 'temporal:7233',
  JWT_SECRET: RANDOM_SECRET,
  FIELD_ENCRYPTION_KEYS: `2026-01:${KEY}`,
};
const PROVIDERS = {
  GATEWAY_HOST: 'https://eu-prod.oppwa.com',
  GATEWAY_ENTITY_ID: '8a8294174b7ecb28014b9699220015ca',
  GATEWAY_ACCESS_TOKEN: 'OGE4Mjk0MTc0YjdlY2IyODAxNGI5Njk5MjIw',
  GATEWAY_WEBHOOK_KEY: randomBytes(32).toString('hex'),
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_ACCESS_TOKEN: 'EAAJB7vQp2mZt9wRb',
  WHATSAPP_APP_SECRET: '4b7ecb28014b9699220015ca8a829417',
  WHATSAPP_VERIFY_TOKEN: 'Zt9wRbKx7vQp2mNd',
  MOBILE_MONEY_HOST: 'https://money.example',
  MOBILE_MONEY_API_KEY: 'Kx7vQp2mZt9wRb',
};
const MAIL = {
  SMTP_URL: `smtps://ops:${RANDOM_SECRET}@mail.company.invalid:465`,
  MAIL_FROM: 'Escrow <no-reply@escrow.example>',
};
const MIGRATE = {
  DATABASE_URL: `postgres://owner:${DATABASE_PASSWORD}@db:5432/escrow`,
  DATABASE_API_PASSWORD: 'kq8ZtV3nWx5RfY7b',
  DATABASE_WORKER_PASSWORD: 'Jm4HsD9gLp2XcU6v',
  FIELD_ENCRYPTION_KEYS: `2026-01:${KEY}`,
};

/** The error message for this environment. */
function refusal(env: NodeJS.ProcessEnv, role: ProcessRole): string {
  try {
    loadConfig(env, role);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('It was not refused.');
}

describe('loadConfig', () => {
  test('needs nothing for the embedded stack', () => {
    expect(loadConfig({}, 'all')).toMatchObject({
      role: 'all',
      escrowEnvironment: 'development',
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://127.0.0.1:3000',
      checkoutUrl: 'http://127.0.0.1:3000/checkout',
      dataDir: '.data',
      databasePoolMax: 8,
      companyRegistration: 'open',
      corsAllowedOrigins: [],
      trustedProxies: [],
    });
  });

  test.each<[string, NodeJS.ProcessEnv, object]>([
    ['an empty variable is one not set', { PORT: '', DATABASE_URL: ' ' }, { port: 3000 }],
    ['a list is split at commas', { TRUSTED_PROXIES: '10.0.0.0/8, ::1' }, { trustedProxies: ['10.0.0.0/8', '::1'] }],
    [
      'no address ends in a slash',
      { BASE_URL: 'https://a.example/' },
      { baseUrl: 'https://a.example', checkoutUrl: 'https://a.example/checkout' },
    ],
    [
      'what listens everywhere is reached here',
      { HOST: '0.0.0.0', PORT: '8080' },
      { baseUrl: 'http://localhost:8080' },
    ],
    ['IPv6 hosts are bracketed', { HOST: '::1' }, { baseUrl: 'http://[::1]:3000' }],
    ['flags are true or false', { TEMPORAL_TLS: 'true' }, { temporalTls: true }],
  ])('%s', (_, env, expected) => {
    expect(loadConfig(env, 'all')).toMatchObject(expected);
  });

  test('reports all errors at once, each with the expected value', () => {
    const message = refusal(
      { PORT: '70000', DATABASE_URL: 'mysql://db', LOG_LEVEL: 'loud', JWT_SECRET: 'short' },
      'api',
    );
    for (const line of [
      'PORT must be a whole number from 1 to 65535.',
      'DATABASE_URL must be an address like postgres://user:password@host:5432/database.',
      'LOG_LEVEL must be one of debug, info, warn, error, silent.',
      'JWT_SECRET must be at least 32 random bytes',
      'TEMPORAL_ADDRESS is required',
    ]) {
      expect(message).toContain(line);
    }
  });

  test.each<[string, string]>([
    ['ESCROW_ENVIRONMENT', 'prod'],
    ['PORT', '3000.5'],
    ['FIELD_ENCRYPTION_KEYS', 'a:short'],
    ['FIELD_ENCRYPTION_KEYS', `a:${Buffer.alloc(32).toString('base64')}`],
    ['FIELD_ENCRYPTION_KEYS', `a:${KEY},a:${KEY}`],
    ['STORAGE', 'ftp'],
    ['STORAGE_S3_BUCKET', 'Not/a-bucket'],
    ['PORT', 'http'],
    ['BASE_URL', 'escrow.example'],
    ['CORS_ALLOWED_ORIGINS', 'https://shop.example/path'],
    ['CORS_ALLOWED_ORIGINS', '*'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TEMPORAL_ADDRESS', 'https://temporal'],
    ['TEMPORAL_TLS', 'yes'],
    ['PLATFORM_ADMIN_EMAIL', 'admin'],
    ['PLATFORM_ADMIN_PASSWORD', 'short'],
    ['DATABASE_POOL_MAX', '0'],
    ['TEMPORAL_CACHED_RUNS', '1'],
    ['TEMPORAL_CALL_STACKS', 'sometimes'],
    ['COMPANY_REGISTRATION', 'maybe'],
    ['GATEWAY_HOST', 'eu-prod.oppwa.com'],
    ['GATEWAY_WEBHOOK_KEY', 'not-64-hex-digits'],
    ['GATEWAY_ACCESS_TOKEN', 'two words'],
    ['WHATSAPP_API_VERSION', '../v23.0'],
    ['SMTP_URL', 'https://mail.example'],
    ['MAIL_FROM', 'Escrow'],
    ['WHATSAPP_PHONE_NUMBER_ID', '+263771234567'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['SANDBOX_PORT', '0'],
  ])('refuses %s=%s', (variable, value) => {
    expect(refusal({ [variable]: value }, 'all')).toContain(variable);
  });

  test('requires all settings of S3 if documents are stored there', () => {
    const message = refusal({ STORAGE: 's3', STORAGE_S3_BUCKET: 'documents' }, 'all');
    for (const variable of ['ENDPOINT', 'REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'])
      expect(message).toContain(`STORAGE_S3_${variable} is required`);
  });

  test.each(Object.entries({ ...PROVIDERS, ...MAIL }))(
    'requires all settings of a provider together: %s alone is refused',
    (name, value) => {
      expect(refusal({ ...API, [name]: value }, 'api')).toMatch(/is required with/);
    },
  );

  test('requires a client certificate and its key together', () => {
    expect(refusal({ TEMPORAL_TLS_CLIENT_CERT_FILE: 'client.pem' }, 'all')).toContain('TEMPORAL_TLS_CLIENT_KEY_FILE');
  });

  test.each<[ProcessRole, string[]]>([
    ['api', ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'JWT_SECRET', 'FIELD_ENCRYPTION_KEYS']],
    ['worker', ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'FIELD_ENCRYPTION_KEYS']],
    ['migrate', ['DATABASE_URL', 'DATABASE_API_PASSWORD', 'DATABASE_WORKER_PASSWORD', 'FIELD_ENCRYPTION_KEYS']],
  ])('the role %s requires %j', (role, variables) => {
    const lines = refusal({}, role)
      .split('\n')
      .filter((line) => line.includes('is required'));
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(variables);
  });
});

describe('loadConfig in production', () => {
  const production = { ESCROW_ENVIRONMENT: 'production' };

  test('refuses the role all in every spelling of production', () => {
    expect(refusal(production, 'all')).toContain('is for development');
    expect(refusal({ ESCROW_ENVIRONMENT: ' production ' }, 'all')).toContain('is for development');
  });

  test.each(['api', 'worker'] as const)('the role %s requires every provider', (role) => {
    const message = refusal({ ...production, ...API, BASE_URL: 'https://escrow.example' }, role);
    const providers = role === 'api' ? { ...PROVIDERS, ...MAIL } : PROVIDERS;
    for (const variable of Object.keys(providers)) expect(message).toContain(`${variable} is required`);
  });

  test('accepts strong secrets and addresses with TLS', () => {
    const api = { ...production, ...API, ...PROVIDERS, ...MAIL, BASE_URL: 'https://escrow.example' };
    expect(loadConfig(api, 'api').jwtSecret).toBe(RANDOM_SECRET);
    const admin = { PLATFORM_ADMIN_EMAIL: 'ops@escrow.example', PLATFORM_ADMIN_PASSWORD: 'Kx7vQp2mZt9wRb' };
    const env = { ...production, ...MIGRATE, ...admin, TEMPORAL_ADDRESS: 'temporal:7233' };
    expect(loadConfig(env, 'migrate').platformAdminEmail).toBe('ops@escrow.example');
  });

  test.each<[string, string, string]>([
    ['a placeholder', 'JWT_SECRET', 'change-me-change-me-change-me-change-me'],
    ['one letter again and again', 'JWT_SECRET', 'a'.repeat(40)],
    ['a short password', 'DATABASE_API_PASSWORD', 'kq8ZtV3nWx'],
    ['a word everyone tries', 'DATABASE_WORKER_PASSWORD', 'password-password'],
    ['a default', 'PLATFORM_ADMIN_PASSWORD', 'admin-admin-admin'],
    ['an address without TLS', 'BASE_URL', 'http://escrow.example'],
    ['a sandbox', 'GATEWAY_HOST', 'http://127.0.0.1:13000'],
    ["a gateway's test host", 'GATEWAY_HOST', 'https://eu-test.oppwa.com'],
    ["another gateway's test host", 'GATEWAY_HOST', 'https://testsecure.peachpayments.com'],
    ['a test host of the bank', 'PAYOUT_ADDRESS', 'https://api.uat.bank.example'],
    ['proxies of everybody', 'TRUSTED_PROXIES', '10.0.0.0/8,0.0.0.0/0'],
    ['proxies of half of everybody', 'TRUSTED_PROXIES', '128.0.0.0/1'],
    ['proxies of all of IPv6', 'TRUSTED_PROXIES', '::/0'],
    ['proxies of half of IPv6', 'TRUSTED_PROXIES', '::/1'],
    ['proxies of all of IPv4, mapped', 'TRUSTED_PROXIES', '::ffff:0:0/96'],
    ['proxies of all of IPv4, mapped and in decimal', 'TRUSTED_PROXIES', '::ffff:0.0.0.0/96'],
    ['proxies of half of IPv4, mapped', 'TRUSTED_PROXIES', '::ffff:128.0.0.0/97'],
    ['proxies of a network that contains the mapped one', 'TRUSTED_PROXIES', '::/64'],
    ['proxies of all that NAT64 translates', 'TRUSTED_PROXIES', '64:ff9b::/96'],
    ['proxies of all that a local NAT64 translates', 'TRUSTED_PROXIES', '64:ff9b:1::/48'],
    ['proxies of all of 6to4', 'TRUSTED_PROXIES', '2002::/16'],
    [
      'proxies of many networks that add up',
      'TRUSTED_PROXIES',
      Array.from({ length: 256 }, (_, first) => `${first}.0.0.0/8`).join(','),
    ],
    [
      'proxies of networks that add up across spellings',
      'TRUSTED_PROXIES',
      '10.0.0.0/8,::ffff:11.0.0.0/104,12.0.0.0/8,13.0.0.0/8,14.0.0.0/8',
    ],
    ['a sandbox with TLS', 'WHATSAPP_HOST', 'https://localhost:13000'],
    ['a provider without TLS', 'MOBILE_MONEY_HOST', 'http://money.internal'],
    ['a token anybody guesses', 'WHATSAPP_VERIFY_TOKEN', 'verify-me'],
    ['a sandbox by name', 'GATEWAY_HOST', 'https://gateway.localhost'],
    ['a sandbox by address', 'PAYOUT_ADDRESS', 'https://0.0.0.0:13000'],
    ['a weak password in an address', 'DATABASE_URL', 'postgres://escrow_api:escrow@db:5432/escrow'],
    ['one key again and again', 'FIELD_ENCRYPTION_KEYS', `2026-01:${Buffer.alloc(32, 'ab').toString('base64')}`],
    ['a webhook key of one digit', 'GATEWAY_WEBHOOK_KEY', '0'.repeat(64)],
    ['a token from a manual', 'GATEWAY_ACCESS_TOKEN', 'your-access-token-here'],
    ['a token from a sandbox', 'WHATSAPP_ACCESS_TOKEN', 'sandbox-access-token'],
    ['a short one', 'WHATSAPP_APP_SECRET', 'k3y'],
    ['a placeholder in an address', 'SMTP_URL', `smtps://ops:${'change-me-please'}@mail.example:465`],
    ['a placeholder', 'MOBILE_MONEY_API_KEY', 'placeholder-of-a-key'],
    ['a placeholder', 'PAYOUT_TOKEN', 'change-me-please'],
    ['a placeholder', 'STORAGE_S3_SECRET_ACCESS_KEY', 'YOUR_SECRET_ACCESS_KEY'],
    ['a placeholder', 'TEMPORAL_API_KEY', 'your_api_key_of_temporal'],
  ])('refuses %s for %s', (_, variable, value) => {
    const message = refusal(
      { ...production, ...API, ...PROVIDERS, ...MIGRATE, BASE_URL: 'https://escrow.example', [variable]: value },
      'api',
    );
    expect(message).toContain(variable);
    expect(message).not.toContain(value);
  });
});

test.each([
  '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,127.0.0.1,::1,100.64.0.0/10',
  '10.0.0.0/8,10.0.0.0/9,10.0.0.0/8,::ffff:10.0.0.0/104,10.1.0.0/16',
  'fd00:1:2::/48,2001:db8::/32',
])("accepts an operator's own proxies in production: %s", (networks) => {
  expect(trustsStrangers(networks.split(','))).toBe(false);
});

test('every variable that is named like a secret has a rule in production', () => {
  const sounding = VARIABLES.filter((name) => /PASSWORD|SECRET|TOKEN|_KEYS?$|(DATABASE|SMTP)_URL/.test(name));
  expect(SECRET_VARIABLES).toEqual(expect.arrayContaining(sounding));
});

describe('parseRole', () => {
  test.each(['all', 'api', 'worker', 'migrate'])('knows %s', (word) => expect(parseRole(word)).toBe(word));
  test.each([undefined, '', 'server'])('refuses %j and names the roles', (word) => {
    expect(() => parseRole(word)).toThrow('all, api, worker, migrate');
  });
});

test('.env.example documents every variable and no other', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const documented = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
  expect(documented.toSorted()).toEqual(VARIABLES.toSorted());
});
