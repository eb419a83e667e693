import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { loadConfig, parseRole, VARIABLES } from '../../src/config/config.ts';

type Service = {
  readonly image?: string;
  readonly command?: string[];
  readonly environment?: Record<string, string>;
  readonly depends_on?: Record<string, { condition: string }>;
  readonly deploy?: { replicas: number };
  readonly healthcheck?: object;
  readonly ports?: string[];
};

const file = readFileSync('docker-compose.yml', 'utf8');
const { services }: { services: Record<string, Service> } = parse(file, { merge: true });
const ours = Object.entries(services).filter(([, { image }]) => image === 'escrow-payments-service');

/** What an operator would have in .env: every variable that compose insists on, with a value that production accepts. */
function filledIn(value: string): string {
  return value.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind: string, fallback: string) =>
    kind === '?' ? sampleOf(name) : fallback,
  );
}

function sampleOf(name: string): string {
  if (name === 'FIELD_ENCRYPTION_KEYS') return `2026-01:${randomBytes(32).toString('base64')}`;
  if (name === 'GATEWAY_WEBHOOK_KEY') return '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
  if (name === 'WHATSAPP_PHONE_NUMBER_ID') return '106540352242922';
  if (name.endsWith('_HOST') || name.endsWith('_URL') || name === 'PAYOUT_ADDRESS') return 'https://provider.invalid';
  if (name.endsWith('_EMAIL')) return 'ops@company.invalid';
  return `t8-${Buffer.from(name).toString('base64url')}-Wm4Zq7Rk2Vx9Lp3Nf6`.slice(0, 34);
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

  test.each(ours)(
    '%s gets a configuration that production accepts, and no variable that nobody reads',
    (_name, service) => {
      const given = Object.entries(service.environment ?? {}).map(([name, value]) => [name, filledIn(String(value))]);
      expect(given.map(([name]) => name).filter((name) => !VARIABLES.includes(name ?? ''))).toEqual([]);
      const env = Object.fromEntries(given.filter(([, value]) => value !== ''));
      expect(loadConfig(env, parseRole(service.command?.at(-1)))).toMatchObject({ escrowEnvironment: 'production' });
    },
  );

  test('publishes nothing beyond this machine', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published.length).toBeGreaterThan(0);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('holds no secret: each comes from the environment, and is insisted on', () => {
    const secrets = file.match(/^\s*\w*(PASSWORD|PWD|SECRET|TOKEN|KEYS?|API_KEY): .*/gm) ?? [];
    expect(secrets.length).toBeGreaterThan(8);
    expect(secrets.filter((line) => !/: \$\{\w+:\?/.test(line))).toEqual([]);
  });
});
