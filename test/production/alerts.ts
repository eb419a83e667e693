import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { connect } from '../../src/db/core/orm.ts';
import { createOperationsMetrics } from '../../src/db/operations/operations-metrics.ts';
import { type MetricsServer, startMetricsServer } from '../../src/observability/metrics-server.ts';
import { anyFreePort, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import globalSetup from '../support/global-setup.ts';
import globalTeardown from '../support/global-teardown.ts';
import { offerLink } from '../support/links.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { loseRun } from '../support/runs.ts';
import { newCompany, newParties, newUser, type TestCompany } from '../support/service.ts';

/**
 * `npm run try:alerts` proves each rule of deploy/helm/files/rules.yaml on series of the service's own /metrics. It reads them
 * before and after the first event of each kind, and gives both to promtool as what Prometheus would have stored: no alert
 * fires on the series before, and the alert of the event fires on those after it.
 */

const RULES = 'deploy/helm/files/rules.yaml';
const PROMTOOL = 'github.com/prometheus/prometheus/cmd/promtool@v0.316.0';
/** When the event happens in every test. Prometheus has seen the series for that long. */
const EVENT_MINUTE = 60;
const MINUTES_PER_DAY = 1_440;
const QUIET_MINUTES = 240;
/** More than the limits of alerts on endpoints and healed runs. */
const MANY = 11;

type Scrape = ReadonlyMap<string, number>;

/** How the series go on after the event. */
type Sequel =
  | { readonly kind: 'stays' }
  /** What waits goes on waiting: ages grow by a minute each minute. */
  | { readonly kind: 'ages' }
  /** The event happens again, this often each minute. */
  | { readonly kind: 'repeats'; readonly perMinute: number };

const STAYS: Sequel = { kind: 'stays' };
const AGES: Sequel = { kind: 'ages' };

type Case = {
  readonly alert: string;
  /** Causes the event and returns the series after it. */
  readonly cause: () => Promise<Scrape>;
  readonly sequel: Sequel;
  /** The alert fires this long after the event. */
  readonly firesAfterMinutes: number;
  /** The labels of the alert besides its severity. */
  readonly labels?: Readonly<Record<string, string>>;
};

type Rule = {
  readonly alert?: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
};

const groups: { readonly rules: readonly Rule[] }[] = parse(readFileSync(RULES, 'utf8'));
const rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert !== undefined);
const expressions = groups.flatMap((group) => group.rules.map(({ expr }) => expr)).join('\n');
/** The metrics that the rules read. */
const METRICS = metricsIn(expressions);

if (spawnSync('promtool', ['--version']).status !== 0) {
  console.error(`try:alerts needs promtool on PATH: go install ${PROMTOOL}`);
  process.exit(1);
}
const directory = mkdtempSync(join(tmpdir(), 'escrow-alerts-'));
await globalSetup();
process.exitCode = await tryAlerts().catch((error: unknown) => {
  console.error(error);
  return 1;
});
await globalTeardown();
rmSync(directory, { recursive: true, force: true });
process.exit();

async function tryAlerts(): Promise<number> {
  const temporalMetricsAddress = `${LOOPBACK}:${await anyFreePort()}`;
  const service = await ownService({ temporalMetricsAddress });
  const orm = await connect({ databaseUrl: service.database.workerUrl, poolMax: 2, applicationName: 'try-alerts' });
  const operations = createOperationsMetrics(orm);
  let isReady = true;
  const alive = { host: LOOPBACK, port: 0, isHealthy: () => true, readiness: { worker: async () => isReady } };
  const whole = await startMetricsServer({ ...alive, more: () => operations, temporalMetricsAddress });
  const apiOnly = await startMetricsServer(alive);
  try {
    const company = await newCompany(service);
    const stage = {
      service,
      company,
      scrape: () => scrape(whole),
      scrapeApi: () => scrape(apiOnly),
      scrapeNotReady: async () => {
        isReady = false;
        return scrape(whole).finally(() => {
          isReady = true;
        });
      },
    };
    const before = await eventually(async () => {
      const found = await scrape(whole);
      return found.has('escrow_last_finished_seconds{task="sweep"}') && found;
    });
    const cases = casesOn(stage);
    const untested = rules.map(({ alert }) => alert).filter((alert) => !cases.some((one) => one.alert === alert));
    if (untested.length > 0) throw new Error(`no event for ${untested.join(', ')}`);
    const tests = [quietTest(before)];
    for (const one of cases) {
      const earlier = await scrape(whole);
      tests.push(testOf(one, earlier, await one.cause()));
      console.log(`recorded: ${one.alert}`);
    }
    return runPromtool(tests);
  } finally {
    await Promise.all([whole.stop(), apiOnly.stop(), orm.close()]);
    await service.stop();
  }
}

type Stage = {
  readonly service: OwnService;
  readonly company: TestCompany;
  readonly scrape: () => Promise<Scrape>;
  /** Of a process without a worker. */
  readonly scrapeApi: () => Promise<Scrape>;
  /** Of a worker that does not poll. */
  readonly scrapeNotReady: () => Promise<Scrape>;
};

function casesOn({ service, company, scrape: read, scrapeApi, scrapeNotReady }: Stage): Case[] {
  /** Waits until a series with this beginning has more than `above`. */
  const until = (series: string, above = 0) =>
    eventually(async () => {
      const found = await read();
      return [...found].some(([name, value]) => name.startsWith(series) && value > above) && found;
    });
  /** As the owner of the schema. */
  const sql = (statement: string) => withClient(service.database.ownerUrl, (client) => client.query(statement));
  /** As a superuser, without triggers. */
  const forge = (statements: string) =>
    withClient(service.database.superuserUrl, (client) =>
      client.query(`begin; set local session_replication_role = replica; ${statements}; commit`),
    );
  const deposit = async () => {
    const user = await newUser(company);
    await company.post('/v1/payments/deposit', { userId: user.id, amount: 100_000, currency: 'USD' });
    return user;
  };
  const escrow = async () => {
    const parties = await newParties(company);
    return String((await company.post('/v1/escrow/initiate', parties.escrow())).body.id);
  };
  const withdraw = async () => {
    const { usdAccountId } = await deposit();
    const externalReference = `sandbox-manual-${randomUUID()}`;
    const bank = {
      bank_name: 'A bank',
      branch_code: '6101',
      account_number: '01234567890123',
      account_name: 'T. Moyo',
    };
    const request = { accountId: usdAccountId, amount: 5_000, externalReference, ...bank };
    const { body } = await company.post('/v1/treasury/withdraw', request);
    return { externalReference, workflow: service.temporal.workflow.getHandle(`withdrawal/${body.id}`) };
  };
  const audit = () => company.get('/v1/ledger/verify-ledger-integrity');
  /** The owner's statements around `work`. */
  const during = async <T>(statement: string, undo: string, work: () => Promise<T>): Promise<T> => {
    await sql(statement);
    try {
      return await work();
    } finally {
      await sql(undo);
    }
  };
  /** A command that no worker answers. */
  const withoutWorker = async <T>(work: (escrowId: string) => Promise<T>): Promise<T> => {
    const id = await escrow();
    await service.stopWorker();
    try {
      return await work(id);
    } finally {
      await service.startWorker();
    }
  };
  const lateCommand = () =>
    withoutWorker(async (id) => {
      await company.post(`/v1/escrow/${id}/release`, undefined, randomUUID());
      return until('escrow_http_responses_total{class="5xx"}');
    });
  const deniedStep = async () => {
    const id = await escrow();
    const grant = 'insert on escrow_event';
    return during(`revoke ${grant} from escrow_worker`, `grant ${grant} to escrow_worker`, async () => {
      await company.post(`/v1/escrow/${id}/release`, undefined, randomUUID());
      return until('escrow_database_denials_total{activity="applyEscrowEvent"}');
    });
  };

  return [
    // Nothing happens, and that is the event.
    ...(
      [
        ['EscrowAuditOverdue', 25 * 60],
        ['EscrowSweepOverdue', 4 * 60],
        ['EscrowBackupOverdue', 3 * MINUTES_PER_DAY],
      ] as const
    ).map(([alert, firesAfterMinutes]) => ({ alert, cause: read, sequel: AGES, firesAfterMinutes })),
    { alert: 'EscrowNoWorker', cause: scrapeApi, sequel: STAYS, firesAfterMinutes: 10 },
    {
      alert: 'EscrowNotReady',
      cause: scrapeNotReady,
      sequel: STAYS,
      firesAfterMinutes: 10,
      labels: { part: 'worker' },
    },
    {
      alert: 'EscrowDatabaseNotReadable',
      cause: () =>
        during(
          'revoke execute on function operations_snapshot() from escrow_worker',
          'grant execute on function operations_snapshot() to escrow_worker',
          () => until('escrow_metrics_failures_total'),
        ),
      sequel: STAYS,
      firesAfterMinutes: 10,
    },
    { alert: 'EscrowErrors', cause: lateCommand, sequel: { kind: 'repeats', perMinute: 1 }, firesAfterMinutes: 10 },
    {
      alert: 'EscrowSlowCommands',
      cause: lateCommand,
      sequel: { kind: 'repeats', perMinute: 1 },
      firesAfterMinutes: 15,
    },
    ...(
      [
        ['EscrowSealerBehind', 'escrow_ledger_seal_lag_seconds'],
        ['EscrowEventsBehind', 'escrow_event_lag_seconds'],
      ] as const
    ).map(([alert, series]) => ({
      alert,
      cause: () =>
        withoutWorker(async () => {
          await deposit();
          return until(series);
        }),
      sequel: AGES,
      firesAfterMinutes: 10,
    })),
    {
      alert: 'EscrowEventsSetAside',
      async cause() {
        await sql(
          `insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
           select id, 'spaceship', id, 'LAUNCHED', now(), '{}' from company limit 1`,
        );
        return until('escrow_events_set_aside');
      },
      sequel: STAYS,
      firesAfterMinutes: 1,
    },
    // Before the runs of endpoints, whose quick tasks would hide it.
    {
      alert: 'EscrowWorkflowTasksWait',
      async cause() {
        const parties = await newParties(company);
        const initiate = [parties.escrow(), randomUUID()] as const;
        await withoutWorker(() => company.post('/v1/escrow/initiate', ...initiate));
        await eventually(async () => (await company.post('/v1/escrow/initiate', ...initiate)).status === 201);
        return read();
      },
      sequel: { kind: 'repeats', perMinute: 1 },
      firesAfterMinutes: 20,
    },
    {
      alert: 'EscrowWebhooksBehind',
      async cause() {
        const url = `http://${LOOPBACK}:${await anyFreePort()}/nobody`;
        for (let made = 0; made < MANY; made += 1) await company.post('/v1/webhooks', { url, events: ['*'] });
        await deposit();
        return eventually(async () => {
          const found = await read();
          return (
            [...found.keys()].filter((name) => name.startsWith('escrow_webhook_lag_seconds')).length >= MANY && found
          );
        });
      },
      sequel: AGES,
      firesAfterMinutes: 25,
    },
    {
      alert: 'EscrowWorkflowTasksFail',
      async cause() {
        const workflowId = `unknown-${randomUUID()}`;
        await service.temporal.workflow.start('noSuchWorkflow', { taskQueue: service.taskQueue, workflowId });
        const found = await until('temporal_workflow_task_execution_failed');
        await service.temporal.workflow.getHandle(workflowId).terminate();
        return found;
      },
      sequel: STAYS,
      firesAfterMinutes: 1,
    },
    {
      alert: 'EscrowGrantsChanged',
      cause: () =>
        during(
          'revoke insert on escrow_event from escrow_worker',
          'grant insert on escrow_event to escrow_worker',
          () => until('escrow_missing_grants'),
        ),
      sequel: STAYS,
      firesAfterMinutes: 1,
      labels: { grant: 'insert on table escrow_event to escrow_worker' },
    },
    {
      alert: 'EscrowActivitiesFail',
      cause: deniedStep,
      sequel: { kind: 'repeats', perMinute: 10 },
      firesAfterMinutes: 10,
      labels: { activity: 'applyEscrowEvent' },
    },
    { alert: 'EscrowDatabasePrivilegeMissing', cause: deniedStep, sequel: STAYS, firesAfterMinutes: 2 },
    {
      alert: 'EscrowRunsHealed',
      async cause() {
        const ids = await Promise.all(Array.from({ length: MANY }, escrow));
        for (const id of ids) await loseRun(service, `escrow/${id}`);
        return eventually(async () => {
          await service.temporal.schedule.getHandle(`rebuild/${service.taskQueue}`).trigger();
          const found = await read();
          return (found.get('escrow_runs_healed_total{finding="missing"}') ?? 0) >= MANY && found;
        });
      },
      sequel: STAYS,
      firesAfterMinutes: 2,
    },
    {
      alert: 'EscrowProviderUnreachable',
      async cause() {
        const link = await offerLink(service, company);
        await service.sandbox.outage('gateway', 60);
        await link.say('eft-pay/initiate');
        await service.sandbox.outage('gateway', 0);
        return until('escrow_provider_request_duration_seconds_count{provider="gateway",outcome="un');
      },
      sequel: { kind: 'repeats', perMinute: 10 },
      firesAfterMinutes: 15,
      labels: { provider: 'gateway' },
    },
    {
      alert: 'EscrowOrderMessagesFail',
      async cause() {
        await company.request('PATCH', '/v1/core/companies/me', { body: { order_pages: { enabled: true } } });
        const path = `/v1/escrow/${await escrow()}`;
        await company.post(`${path}/order-pages`);
        await service.sandbox.outage('messaging', 60);
        await company.post(`${path}/dispute`, { actor: 'BUYER', reason: 'Nothing came' });
        const found = await until('escrow_order_messages_total{outcome="failed"}');
        await service.sandbox.outage('messaging', 0);
        return found;
      },
      sequel: STAYS,
      firesAfterMinutes: 2,
    },
    {
      alert: 'EscrowWithdrawalsStuck',
      cause: () => withdraw().then(() => until('escrow_oldest_withdrawal_seconds')),
      sequel: AGES,
      firesAfterMinutes: MINUTES_PER_DAY + 10,
    },
    {
      alert: 'EscrowPayoutsThatNeedAPerson',
      async cause() {
        const { externalReference: reference, workflow } = await withdraw();
        await eventually(async () => {
          await service.sandbox.control('POST', '/payouts', { outcome: 'cancelled', reference });
          await workflow.signal('check-payout', {});
          return (await read()).get('escrow_odd_payouts{type="REVIEW_NEEDED"}') === 1;
        });
        return read();
      },
      sequel: STAYS,
      firesAfterMinutes: 2,
    },
    {
      alert: 'EscrowPaymentsStuck',
      async cause() {
        const link = await offerLink(service, company);
        await service.sandbox.mobileMoney(link.buyer.mobileNumber, 'silent');
        await link.say('accept-payment', { phoneNumber: link.buyer.mobileNumber });
        return until('escrow_oldest_payment_seconds');
      },
      sequel: AGES,
      firesAfterMinutes: 130,
    },
    {
      alert: 'EscrowLateOrOddMoney',
      async cause() {
        const link = await offerLink(service, company);
        const { body } = await link.say('eft-pay/initiate');
        await service.sandbox.control('POST', `/checkouts/${body.checkoutId}`, { outcome: 'success', amount: '1.00' });
        return until('escrow_odd_payments{type="PAYMENT_MISMATCHED"}');
      },
      sequel: STAYS,
      firesAfterMinutes: 2,
    },
    {
      alert: 'EscrowDisputesWait',
      async cause() {
        await company.post(`/v1/escrow/${await escrow()}/dispute`, { actor: 'BUYER', reason: 'Nothing came' });
        return until('escrow_oldest_dispute_seconds');
      },
      sequel: AGES,
      firesAfterMinutes: 3 * MINUTES_PER_DAY + 10,
    },
    {
      alert: 'EscrowCredentialGuessing',
      async cause() {
        await service.request('POST', '/v1/auth/login', { body: { email: company.owner.email, password: 'a guess' } });
        return until('escrow_http_refusals_total{code="invalid_credentials"}');
      },
      sequel: { kind: 'repeats', perMinute: 90 },
      firesAfterMinutes: 15,
    },
    {
      alert: 'EscrowEntitiesUnaudited',
      async cause() {
        await escrow();
        await forge(`
          insert into installation (kind, name, value) values ('migration', '999-later', 'x');
          insert into escrow_event (escrow_id, seq, company_id, command_id, type, actor, at, status, data)
          select escrow_id, seq + 1, company_id, gen_random_uuid(), 'LATER', actor, at, status, data || '{"type": "LATER"}'
          from escrow_event order by company_id, escrow_id, seq desc limit 1`);
        await audit();
        await forge(`
          delete from escrow_event where type = 'LATER';
          delete from installation where name = '999-later'`);
        return until('escrow_audit_unaudited_entities_total');
      },
      sequel: STAYS,
      firesAfterMinutes: 2,
    },
    // The last one, because the books stay broken.
    {
      alert: 'EscrowLedgerAuditFailed',
      async cause() {
        await deposit();
        await sql('alter table entry disable trigger user');
        await sql('update entry set amount = amount + 1 where id = (select max(id) from entry)');
        await audit();
        return until('escrow_audit_mismatches_total');
      },
      sequel: STAYS,
      firesAfterMinutes: 2,
    },
  ];
}

function metricsIn(expression: string): ReadonlySet<string> {
  return new Set(expression.match(/\b(escrow|temporal)_[a-z_]+/g));
}

function nameOf(series: string): string {
  return series.match(/^[a-z_]+/)?.[0] ?? '';
}

/** The series of the metrics that the rules read. */
async function scrape({ port }: MetricsServer): Promise<Scrape> {
  const text = await (await fetch(`http://${LOOPBACK}:${port}/metrics`)).text();
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    const at = line.lastIndexOf(' ');
    if (METRICS.has(nameOf(line))) series.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return series;
}

/** A test in the form of promtool. */
type PromtoolTest = { readonly name: string; readonly input_series: unknown; readonly alert_rule_test: unknown };

function isAge(series: string): boolean {
  return /_(lag_|oldest_|last_finished_)|_seconds(\{|$)/.test(series) && !/_sum/.test(series);
}

/** The values of a series each minute, in promtool's notation. */
function valuesOf(series: string, before: number | undefined, after: number | undefined, one: Case): string {
  const minutes = one.firesAfterMinutes + 5;
  const earlier = before === undefined ? `_x${EVENT_MINUTE}` : `${before}+0x${EVENT_MINUTE - 1}`;
  if (after === undefined) return `${earlier} _x${minutes}`;
  const rise = Math.max(0, after - (before ?? 0)); // a worker that starts again begins its SDK's counters again
  const isCounter = /_(total|count|sum|bucket|failed)(\{|$)/.test(series);
  const step =
    one.sequel.kind === 'ages' && isAge(series)
      ? 60
      : one.sequel.kind === 'repeats' && isCounter
        ? rise * one.sequel.perMinute
        : 0;
  return `${earlier} ${after}+${step}x${minutes}`;
}

function expectation(alert: string | undefined, minute: number, labels?: Readonly<Record<string, string>>) {
  const rule = rules.find((candidate) => candidate.alert === alert);
  if (rule === undefined) throw new Error(`there is no alert ${alert}`);
  const firing = { exp_labels: { ...rule.labels, ...labels }, exp_annotations: rule.annotations };
  return { eval_time: `${minute}m`, alertname: alert, exp_alerts: labels === undefined ? [] : [firing] };
}

/** No alert fires before the event, and this one fires after it. */
function testOf(one: Case, before: Scrape, after: Scrape): PromtoolTest {
  const expr = rules.find(({ alert }) => alert === one.alert)?.expr ?? '';
  const read = metricsIn(expr);
  const names = new Set([...before.keys(), ...after.keys()].filter((series) => read.has(nameOf(series))));
  return {
    name: one.alert,
    input_series: [...names].map((series) => ({
      series,
      values: valuesOf(series, before.get(series), after.get(series), one),
    })),
    alert_rule_test: [
      expectation(one.alert, EVENT_MINUTE - 1),
      expectation(one.alert, EVENT_MINUTE + one.firesAfterMinutes, one.labels ?? {}),
    ],
  };
}

/** No alert fires on a service in which nothing has happened yet. */
function quietTest(series: Scrape): PromtoolTest {
  return {
    name: 'before the first event',
    input_series: [...series].map(([name, value]) => ({ series: name, values: `${value}+0x${QUIET_MINUTES}` })),
    alert_rule_test: rules.flatMap(({ alert }) =>
      [EVENT_MINUTE, QUIET_MINUTES].map((minute) => expectation(alert, minute)),
    ),
  };
}

function runPromtool(tests: readonly PromtoolTest[]): number {
  writeFileSync(join(directory, 'rules.yaml'), stringify({ groups }));
  const file = join(directory, 'alerts.test.yaml');
  const options = { rule_files: ['rules.yaml'], evaluation_interval: '1m' };
  writeFileSync(file, stringify({ ...options, tests: tests.map((test) => ({ interval: '1m', ...test })) }));
  execFileSync('promtool', ['check', 'rules', join(directory, 'rules.yaml')], { stdio: 'inherit' });
  const { status } = spawnSync('promtool', ['test', 'rules', file], { stdio: 'inherit' });
  console.log(`alerts: ${rules.length} rules, ${tests.length - 1} events, ${status === 0 ? 'all ring' : 'some fail'}`);
  return status === 0 ? 0 : 1;
}
