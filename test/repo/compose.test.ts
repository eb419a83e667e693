import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { ADAPTER_VARIABLES } from '../../src/config/adapters.ts';
import { loadConfig } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/environment.ts';
import { parseRole } from '../../src/config/role.ts';
import { PRIVATE_LOG_SETTINGS } from '../../src/sandbox/stack/postgres.ts';
import { addressFor, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { SERVER_VERSION, SETTINGS } from '../production/temporal-server.ts';
import { freshDatabase } from '../support/database.ts';
import { sampleOf } from '../support/production-values.ts';

type Service = {
  readonly image?: string;
  readonly command?: string[];
  readonly entrypoint?: string[];
  readonly environment?: Record<string, string>;
  readonly depends_on?: Record<string, { condition: string }>;
  readonly deploy?: { replicas: number };
  readonly healthcheck?: object;
  readonly ports?: string[];
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: string[];
  readonly cap_drop?: string[];
  readonly security_opt?: string[];
  readonly configs?: { readonly source: string; readonly target: string }[];
};
type Compose = {
  readonly services: Record<string, Service>;
  readonly configs: Record<string, { readonly content: string }>;
};

const file = readFileSync('docker-compose.yml', 'utf8');
const { services, configs }: Compose = parse(file, { merge: true });
const ours = Object.entries(services).filter(([, { image }]) => image === 'escrow-payments-service');

const OF_ADAPTERS = ADAPTER_VARIABLES.map(({ name }) => name);
/**
 * Not required by compose but by the service, for the adapters that are chosen. A folder of a file-transfer program needs no
 * PAYOUT_TOKEN; with https://… a worker requires it.
 */
const REQUIRED_BY_SERVICE: readonly string[] = ['PAYOUT_TOKEN', ...OF_ADAPTERS];

/** An operator's .env: every variable that is required, with a value that production accepts. */
function filledIn(value: string): string {
  return value.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind: string, fallback: string) =>
    kind === '?' || REQUIRED_BY_SERVICE.includes(name) ? sampleOf(name) : fallback,
  );
}

const TEMPORAL_DATABASES = ['temporal', 'temporal_visibility'];

/** Statements as psql runs them: one after the other; `\\gexec` runs what a query answers. */
async function runScript(url: string, script: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const [, statement = '', end] of script.matchAll(/([\s\S]+?)(;|\\gexec)\s*(?:\n|$)/g)) {
      const { rows } = await client.query<Record<string, string>>(statement);
      if (end === '\\gexec') for (const row of rows) await client.query(Object.values(row)[0] ?? '');
    }
  });
}

describe('docker-compose.yml', () => {
  test('runs migrations, two APIs and two workers, on PostgreSQL and on Temporal with its schema and namespace set up', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(['api', 'migrate', 'worker']);
    expect(services.api?.deploy?.replicas).toBe(2);
    expect(services.worker?.deploy?.replicas).toBe(2);
    expect(services.migrate?.depends_on).toMatchObject({
      postgres: { condition: 'service_healthy' },
      'temporal-namespace': { condition: 'service_completed_successfully' },
    });
    for (const name of ['api', 'worker']) expect(services[name]?.depends_on).toHaveProperty('migrate');
    for (const name of ['postgres', 'temporal', 'api', 'worker']) expect(services[name]?.healthcheck).toBeDefined();
  });

  test.each(ours)('%s gets a configuration that production accepts, and no unused variable', (_name, service) => {
    const given = Object.entries(service.environment ?? {}).map(([name, value]) => [name, filledIn(String(value))]);
    expect(given.map(([name]) => name).filter((name) => !VARIABLES.includes(name ?? ''))).toEqual([]);
    const env = Object.fromEntries(given.filter(([, value]) => value !== ''));
    expect(loadConfig(env, parseRole(service.command?.at(-1)))).toMatchObject({ escrowEnvironment: 'production' });
  });

  /** Variables that an operator's .env does not pass on, with the reason. */
  const NOT_PASSED = {
    'made by compose for each role': ['ESCROW_ENVIRONMENT', 'DATABASE_URL'],
    'of a pooler, which compose does not have': ['DATABASE_DIRECT_URL'],
    'fixed inside the container': ['HOST', 'PORT', 'METRICS_PORT', 'WORKFLOW_BUNDLE'],
    'of the command `npm run release`': ['RELEASE_RUNS_PER_SECOND'],
    'of the embedded stack': ['DATA_DIR', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT', 'SANDBOX_PORT'],
  };

  test('passes every variable of .env.example to the roles, except those that it sets itself', () => {
    const inExample = [...readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(
      ([, name]) => name,
    );
    const passed = ours.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).flatMap(([name, value]) => (String(value).includes(`\${${name}`) ? [name] : [])),
    );
    const inAddresses = ['DATABASE_API_PASSWORD', 'DATABASE_WORKER_PASSWORD'];
    const expected = inExample.filter(
      (name) =>
        !Object.values(NOT_PASSED)
          .flat()
          .includes(name ?? ''),
    );
    expect([...new Set([...passed, ...inAddresses])].sort()).toEqual(expected.sort());
  });

  test.each(ours)('%s changes no file of its image and has no privilege, as in the chart', (_name, service) => {
    expect(service).toMatchObject({
      ...{ read_only: true, tmpfs: ['/tmp'] },
      ...{ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
    });
  });

  test('gives secrets only to the roles that read them', () => {
    const holders = (name: string) =>
      ours.filter(([, { environment = {} }]) => name in environment).map(([role]) => role);
    for (const name of ['JWT_SECRET', 'STORAGE_S3_SECRET_ACCESS_KEY'])
      expect([name, ...holders(name)]).toEqual([name, 'api']);
    for (const name of ['PAYOUT_TOKEN', 'AUDIT_SIGNING_KEY'])
      expect([name, ...holders(name)]).toEqual([name, 'worker']);
    expect(holders('PLATFORM_ADMIN_PASSWORD')).toEqual(['migrate']);
  });

  test('gives an API the time of the longest STOP_NOTICE_MS to stop', () => {
    const longest = loadConfig({ STOP_NOTICE_MS: '25000' }, 'all').stopNoticeMs;
    expect(() => loadConfig({ STOP_NOTICE_MS: String(longest + 1) }, 'all')).toThrow('STOP_NOTICE_MS');
    expect(parseInt(services.api?.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(longest + WAIT_LIMITS.drainMs);
  });

  test('names in docs/operations/secrets.md every variable that it requires', () => {
    const section = readFileSync('docs/operations/secrets.md', 'utf8');
    const required = [...file.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
    expect(required.length).toBeGreaterThan(20);
    expect([...new Set(required)].filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  test('requires no variable of a gateway or an operator, because another may be chosen', () => {
    expect(OF_ADAPTERS.filter((name) => file.includes(`\${${name}:?`))).toEqual([]);
  });

  test('runs the Temporal server that `npm run try:production` tries, with its own tools', () => {
    const version = SERVER_VERSION.slice(1);
    expect(services.temporal?.image).toBe(`temporalio/server:${version}`);
    expect(services['temporal-schema']?.image).toBe(`temporalio/admin-tools:${version}`);
    expect(services['temporal-namespace']?.image).toBe(`temporalio/admin-tools:${version}`);
  });

  test('gives Temporal its settings in the file without which the image does not start', () => {
    const [mounted] = services.temporal?.configs ?? [];
    expect(mounted?.target).toBe('/etc/temporal/config/dynamicconfig/docker.yaml');
    const settings = Object.entries(SETTINGS).map(([name, value]) => [name, [{ value }]]);
    expect(parse(configs[mounted?.source ?? '']?.content ?? '')).toEqual(Object.fromEntries(settings));
  });

  test("Temporal's database user owns Temporal's databases, and cannot connect to the service's", async () => {
    for (const name of ['temporal', 'temporal-schema'] as const)
      expect(JSON.stringify(services[name]?.environment)).not.toMatch(/escrow_owner|POSTGRES_PASSWORD/);
    const database = await freshDatabase();
    const asSuperuser = addressFor(database.superuserUrl, { database: 'postgres' });
    const asTemporal = (name: string) =>
      withClient(
        addressFor(database.ownerUrl, { user: 'temporal', password: 'a password', database: name }),
        (client) => client.query('create table of_temporal (id int)'),
      );
    const script = String(services['temporal-database']?.command?.[0]).match(/<<'SQL'\n([\s\S]*?)SQL/)?.[1] ?? '';
    try {
      for (const time of ['first', 'again']) {
        await runScript(
          asSuperuser,
          script.replaceAll('database escrow ', `database ${database.name} `).replaceAll(":'password'", "'a password'"),
        );
        await expect(asTemporal(database.name)).rejects.toMatchObject({ code: '42501' });
        if (time === 'first') for (const name of TEMPORAL_DATABASES) await asTemporal(name);
      }
      await withClient(database.apiUrl, (client) => client.query('select 1'));
    } finally {
      for (const name of TEMPORAL_DATABASES)
        await runScript(asSuperuser, `drop database if exists ${name} with (force);`);
      await database.drop();
      await runScript(asSuperuser, 'drop role if exists temporal;');
    }
  });

  test('publishes no port beyond this machine', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published.length).toBeGreaterThan(0);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('contains no secret: each comes from the environment, and only those of optional features may be empty', () => {
    const secrets = file.match(/^\s*\w*(PASSWORD|PWD|SECRET|TOKEN|KEYS?|API_KEY): .*/gm) ?? [];
    expect(secrets.length).toBeGreaterThan(8);
    const optional = ['TEMPORAL_API_KEY', 'STORAGE_S3_SECRET_ACCESS_KEY', 'AUDIT_SIGNING_KEY', ...REQUIRED_BY_SERVICE];
    const isOptional = (line: string) => optional.some((name) => line.endsWith(`: \${${name}:-}`));
    expect(secrets.filter((line) => !/: \$\{\w+:\?/.test(line) && !isOptional(line))).toEqual([]);
  });
});

test('PostgreSQL keeps values out of its log, as the embedded server does', () => {
  const settings = Object.entries(PRIVATE_LOG_SETTINGS).map(([name, value]) => `-c${name}=${value}`);
  expect(services.postgres?.command).toEqual(expect.arrayContaining(['postgres', ...settings]));
});
