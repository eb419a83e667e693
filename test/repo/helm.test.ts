import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { ADAPTER_VARIABLES } from '../../src/config/adapters.ts';
import { loadConfig } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/environment.ts';
import { parseRole } from '../../src/config/role.ts';
import { sampleOf } from '../support/production-values.ts';

/**
 * The chart of deploy/helm. Its renderings are committed, so that these tests need no helm. If
 * helm is installed, the tests also render the chart again.
 */

const CHART = 'deploy/helm';
const SERVE_SECONDS = 9;
const VALUES = readdirSync(join(CHART, 'ci')).sort();
const HELM = spawnSync('helm', ['version'], { encoding: 'utf8' }).status === 0;

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } };
type Probe = { httpGet: { path: string; port: string } };
type Container = {
  command: string[];
  env: Variable[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  readinessProbe?: Probe;
  livenessProbe?: Probe;
};
type Pod = { terminationGracePeriodSeconds: number; containers: Container[] };
type Resource = {
  kind: string;
  metadata: { name: string };
  spec: {
    template: { spec: Pod };
    groups: { rules: Rule[] }[];
    metrics: unknown[];
    ingress?: { from?: unknown[] }[] | null;
  };
};
type Rule = { alert?: string; expr: string; for?: string; labels?: { severity: string } };

const rendering = (values: string) => readFileSync(join(CHART, 'rendered', values), 'utf8');
const resourcesOf = (values: string): Resource[] =>
  parseAllDocuments(rendering(values))
    .map((document) => document.toJS())
    .filter((resource) => resource !== null);
const containersOf = (values: string) =>
  resourcesOf(values)
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .flatMap(({ spec }) => spec.template.spec.containers)
    .map((container) => [container.command.at(-1) ?? '', container] as const);

/** The same count as in render.sh. */
function hashOf(values: string): string {
  const files = ['files', 'templates'].flatMap((folder) =>
    readdirSync(join(CHART, folder))
      .sort()
      .map((file) => join(folder, file)),
  );
  const hash = createHash('sha256');
  for (const file of ['Chart.yaml', 'values.yaml', ...files, join('ci', values)])
    hash.update(readFileSync(join(CHART, file)));
  return hash.digest('hex');
}

describe.each(VALUES)('deploy/helm with ci/%s', (values) => {
  test('equals its committed rendering (else: deploy/helm/render.sh)', () => {
    expect(rendering(values).split('\n', 1)[0]).toContain(`sha256:${hashOf(values)}`);
  });

  test(
    HELM ? 'passes helm lint and renders as committed' : 'is not rendered here, because helm is not installed',
    () => {
      if (!HELM) return expect(rendering(values)).toContain('# Source: escrow-payments-service/templates/api.yaml');
      const helm = (...args: string[]) => spawnSync('helm', args, { cwd: CHART, encoding: 'utf8' });
      expect(helm('lint', '--strict', '--values', `ci/${values}`, '.')).toMatchObject({ status: 0 });
      const { stdout } = helm(
        ...['template', 'escrow', '.', '--namespace', 'escrow', '--kube-version', '1.34', '--values', `ci/${values}`],
      );
      expect(stdout).toBe(rendering(values).split('\n').slice(1).join('\n'));
    },
  );

  test.each(containersOf(values))('%s gets a configuration that production accepts', (role, { env }) => {
    expect(env.map(({ name }) => name).filter((name) => !VARIABLES.includes(name))).toEqual([]);
    const filled = env.map(({ name, value }) => [name, value ?? sampleOf(name)]);
    expect(loadConfig(Object.fromEntries(filled), parseRole(role))).toMatchObject({ escrowEnvironment: 'production' });
  });

  test('contains no secret: each is a reference', () => {
    expect(resourcesOf(values).map(({ kind }) => kind)).not.toContain('Secret');
    const secret = /PASSWORD|SECRET|TOKEN|_KEYS?$|^DATABASE_(READ_)?URL$/;
    for (const [, { env }] of containersOf(values))
      expect(env.filter(({ name, value }) => secret.test(name) && value !== undefined)).toEqual([]);
  });

  test('gives an API the time to leave the load balancer and to finish its requests', () => {
    const api = resourcesOf(values).find(({ kind, metadata }) => kind === 'Deployment' && /api$/.test(metadata.name));
    const pod = api?.spec.template.spec;
    const container = pod?.containers[0];
    const noticeMs = Number(container?.env.find(({ name }) => name === 'STOP_NOTICE_MS')?.value);
    const preStopSeconds = Number(container?.lifecycle?.preStop.exec.command[1]);
    expect(noticeMs).toBeGreaterThanOrEqual(5_000);
    expect(preStopSeconds).toBeGreaterThanOrEqual(5);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(preStopSeconds + noticeMs / 1_000 + SERVE_SECONDS);
  });

  test('probes the readiness of each role', () => {
    const paths = Object.fromEntries(
      containersOf(values).map(([role, { readinessProbe }]) => [role, readinessProbe?.httpGet.path]),
    );
    expect(paths).toEqual({ api: '/health/serving', worker: '/health/ready', migrate: undefined });
  });
});

test('Temporal Cloud is reached with a client certificate or with an API key', () => {
  const variables = (values: string) =>
    new Set(containersOf(values).flatMap(([, { env }]) => env.map(({ name }) => name)));
  expect(variables('temporal-cloud-mtls.yaml')).toContain('TEMPORAL_TLS_CLIENT_CERT_FILE');
  expect(variables('temporal-cloud-mtls.yaml')).not.toContain('TEMPORAL_API_KEY');
  expect(variables('temporal-cloud-api-key.yaml')).toContain('TEMPORAL_API_KEY_FILE');
});

test('versioned workers name their deployment and their release, and other roles do not', () => {
  const released = (values: string, role: string) => {
    const [, container] = containersOf(values).find(([name]) => name === role) ?? [];
    const named = container?.env.filter(({ name }) => /^TEMPORAL_(DEPLOYMENT|BUILD_ID)$/.test(name)) ?? [];
    return named.map(({ value }) => value);
  };
  expect(released('temporal-cloud-mtls.yaml', 'worker')).toEqual(['1.4.0', 'escrow']);
  expect(released('temporal-cloud-mtls.yaml', 'api')).toEqual([]);
  expect(released('production.yaml', 'worker')).toEqual([]);
});

test('a worker reads the signing key of audits if its Secret has one', () => {
  const [, worker] = containersOf('production.yaml').find(([role]) => role === 'worker') ?? [];
  expect(worker?.env.find(({ name }) => name === 'AUDIT_SIGNING_KEY')?.valueFrom).toEqual({
    secretKeyRef: { name: 'escrow-worker', key: 'AUDIT_SIGNING_KEY', optional: true },
  });
});

describe.each(ADAPTER_VARIABLES.filter(({ minSecretCharacters }) => minSecretCharacters !== undefined))(
  'the secret $name of a gateway or an operator',
  ({ name }) => {
    test.each(['api', 'worker'])('is read by the %s if its Secret has it, because another may be chosen', (role) => {
      const { secrets } = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8'));
      expect(secrets[role].optionalVariables).toContain(name);
      expect(secrets[role].variables).not.toContain(name);
    });

    test('has its row in docs/operations/secrets.md', () => {
      expect(readFileSync('docs/operations/secrets.md', 'utf8')).toContain(`\`${name}\``);
    });
  },
);

test.each(VALUES)('with ci/%s nobody reaches a role whom the values do not name', (values) => {
  const named = parse(readFileSync(join(CHART, 'ci', values), 'utf8')).networkPolicy ?? {};
  const { apiFrom, metricsFrom } = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')).networkPolicy;
  expect({ apiFrom, metricsFrom }).toEqual({ apiFrom: [], metricsFrom: [] });
  const policies = resourcesOf(values).filter(({ kind }) => kind === 'NetworkPolicy');
  const senders = (role: string) =>
    (policies.find(({ metadata }) => metadata.name.endsWith(`-${role}`))?.spec.ingress ?? []).map(({ from }) => from);
  const scrapers = named.metricsFrom === undefined ? [] : [named.metricsFrom];
  const ownApi = { podSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'api' }) } };
  expect(senders('api')).toEqual([...(named.apiFrom === undefined ? [] : [named.apiFrom]), ...scrapers]);
  expect(senders('worker')).toEqual([[ownApi], ...scrapers]);
  expect(senders('migrate')).toEqual([]);
});

test('autoscalers follow the event loop of APIs and the waiting time of workflow tasks', () => {
  const metrics = resourcesOf('production.yaml')
    .filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    .map(({ spec }) => JSON.stringify(spec.metrics));
  expect(metrics).toEqual([
    expect.stringContaining('nodejs_eventloop_lag_p99_seconds'),
    expect.stringContaining('escrow_workflow_task_schedule_to_start_p95_ms'),
  ]);
});

test('the alert rules are those of docs/operations/metrics.md', () => {
  const table = readFileSync('docs/operations/metrics.md', 'utf8').match(/\n\| alert [\s\S]*?\n\n/)?.[0] ?? '';
  const documented = [...table.matchAll(/^\| ([a-z ]+) \| /gm)]
    .map(([, name = '']) => `Escrow${name.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())}`)
    .slice(1);
  const groups: { rules: Rule[] }[] = parse(readFileSync(join(CHART, 'files/rules.yaml'), 'utf8'));
  const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));
  expect(documented.length).toBeGreaterThan(10);
  expect(alerts).toEqual(documented);
});
