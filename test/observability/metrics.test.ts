import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../../src/db/core/orm.ts';
import { createOperationsMetrics } from '../../src/db/operations/operations-metrics.ts';
import { type MetricsServer, startMetricsServer } from '../../src/observability/metrics-server.ts';
import { addressFor } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import { ordered, switchOn } from '../support/order-pages.ts';
import { newCompany, newParties, send, type TestCompany, untilAnswered } from '../support/service.ts';
import { type OwnService, startService } from '../support/whole-service.ts';

let service: OwnService;
let company: TestCompany;
let orm: MikroORM;
let server: MetricsServer;
let seriesBefore: readonly string[];
let isHealthy = true;
let isReady = true;

beforeAll(async () => {
  service = await startService();
  company = await newCompany(service);
  orm = await connect({ databaseUrl: service.database.workerUrl, poolMax: 1, applicationName: 'test' });
  const metrics = createOperationsMetrics(orm);
  server = await startMetricsServer({
    host: '127.0.0.1',
    port: 0,
    isHealthy: () => isHealthy,
    readiness: { worker: async () => isReady },
    more: () => metrics,
  });
  // A reading of the database that failed is shown again for a while.
  await eventually(async () => (await seriesValue('escrow_last_finished_seconds{task="sweep"}')) !== undefined);
  seriesBefore = await labelledSeries();
  await trade();
});
afterAll(async () => {
  await server.stop();
  await orm.close();
  await service.stop();
});

/** One escrow that is paid out, one that stays disputed while no message can be sent, a guessed password, and an unknown route. */
async function trade(): Promise<void> {
  const { escrow } = await newParties(company);
  const paid = await company.post('/v1/escrow/initiate', escrow());
  await company.post(`/v1/escrow/${paid.body.id}/release`);
  await company.post(`/v1/escrow/${paid.body.id}/release`);
  await switchOn(company);
  const open = await ordered(service, company);
  await service.sandbox.outage('messaging', 60);
  await company.post(`${open.path}/dispute`, { actor: 'BUYER', reason: 'It never came' });
  const guess = { email: company.owner.email, password: 'a wrong guess' };
  await untilAnswered(() => service.request('POST', '/v1/auth/login', { body: guess }));
  await service.request('POST', `/v1/nowhere/${company.id}`);
}

async function look(path = '/metrics') {
  return send(`http://127.0.0.1:${server.port}${path}`, 'GET');
}

/** The value of one time series; undefined if there is none. */
async function seriesValue(series: string): Promise<number | undefined> {
  const { body } = await look();
  const line = String(body)
    .split('\n')
    .find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** The names with labels of all series, but for durations by route and what has no value while nothing waits. */
async function labelledSeries(): Promise<string[]> {
  const { body } = await look();
  const lines = String(body)
    .split('\n')
    .filter((line) => /^escrow_/.test(line) && !/^escrow_(http_request_duration|oldest_|messaging_report_)/.test(line));
  return lines.map((line) => line.slice(0, line.lastIndexOf(' '))).sort();
}

describe('before its first event', () => {
  test('every series exists, so that Prometheus sees the event: none begins with it', async () => {
    expect(await labelledSeries()).toEqual(seriesBefore);
  });

  test.each([
    'escrow_http_responses_total{class="5xx"}',
    'escrow_http_refusals_total{code="otp_locked"}',
    'escrow_commands_total{entity="withdrawal",type="book-outcome",outcome="error"}',
    'escrow_command_duration_seconds_bucket{le="10",entity="payment-link"}',
    'escrow_ledger_postings_total{type="REVERSAL",outcome="duplicate"}',
    'escrow_replica_reads_total{outcome="foreign"}',
    'escrow_webhook_attempts_total{result="refused"}',
    'escrow_order_messages_total{outcome="retried"}',
    'escrow_provider_request_duration_seconds_count{provider="payout",outcome="unknown"}',
    'escrow_activity_failures_total{activity="auditLedger"}',
    'escrow_database_denials_total{activity="applyEscrowEvent"}',
    'escrow_database_denials_total{activity="request"}',
    'escrow_audit_mismatches_total{kind="transaction_unbalanced"}',
    'escrow_audit_unaudited_entities_total',
    'escrow_runs_healed_total{finding="stuck"}',
    'escrow_odd_payments{type="LATE_MONEY"}',
    'escrow_odd_payouts{type="REVIEW_NEEDED"}',
    'escrow_open_escrows{status="PENDING"}',
    'escrow_log_censored_fields_total',
    'escrow_metrics_failures_total',
  ])('%s is 0', async (series) => {
    expect(await seriesValue(series)).toBe(0);
  });
});

describe('GET /metrics tells', () => {
  test.each([
    [
      'requests by route',
      'escrow_http_request_duration_seconds_count{method="POST",route="/v1/escrow/initiate",status="201"}',
      2,
    ],
    [
      'requests by route, whatever id',
      'escrow_http_request_duration_seconds_count{method="POST",route="/v1/escrow/:id/release",status="200"}',
      1,
    ],
    ['refusals', 'escrow_http_refusals_total{code="wrong_state"}', 1],
    ['logins that failed', 'escrow_http_refusals_total{code="invalid_credentials"}', 1],
    ['commands that were done', 'escrow_commands_total{entity="escrow",type="initiate",outcome="done"}', 2],
    ['messages to parties that failed', 'escrow_order_messages_total{outcome="failed"}', 1],
    ['what the ledger posted', 'escrow_ledger_postings_total{type="PAYMENT",outcome="posted"}', 1],
    ['escrows that are open', 'escrow_open_escrows{status="DISPUTED"}', 1],
    ['that nothing waits at a bank', 'escrow_open_withdrawals', 0],
  ])('%s', async (_what, series, expected) => {
    await eventually(async () => (await seriesValue(series)) === expected); // readings of the database are kept for 5 s
    expect(await seriesValue(series)).toBe(expected);
  });

  test('the age of the oldest dispute, and no age if nothing waits', async () => {
    await eventually(async () => Number(await seriesValue('escrow_oldest_dispute_seconds')) > 0);
    expect(await seriesValue('escrow_oldest_withdrawal_seconds')).toBeUndefined();
  });

  test('metrics of Node', async () => {
    expect(await seriesValue('process_cpu_seconds_total')).toBeGreaterThan(0);
  });

  test('no id, number or address: labels are words from the code', async () => {
    const { body } = await look();
    const labels = [...new Set(String(body).match(/="[^"]*"/g))].join('\n');
    expect(labels).not.toMatch(/[0-9a-f]{8}-?[0-9a-f]{4}|\+?\d{8,}|@|nowhere/);
  });
});

test('the lag of the sealer is reported when no worker seals any more', async () => {
  await service.stopWorker();
  const before = await unsealed();
  await newParties(company); // the buyer gets a deposit
  expect(await unsealed()).toBe(before + 1);
});

async function unsealed(): Promise<number> {
  const [row] = await orm.em
    .fork()
    .execute<{ value: number }[]>(`select value from operations_snapshot() where metric = 'unsealed_transactions'`);
  return row?.value ?? Number.NaN;
}

describe('GET /health', () => {
  test.each([
    [true, 200, 'ok'],
    [false, 503, 'unavailable'],
  ])('says whether the process works: %s, %d', async (works, status, word) => {
    isHealthy = works;
    expect(await look('/health')).toMatchObject({ status, body: { status: word } });
  });

  test.each([
    [true, 200, 'ok'],
    [false, 503, 'unavailable'],
  ])('/health/ready, where the process takes work: %s, says %d', async (takesWork, status, word) => {
    isReady = takesWork;
    expect(await look('/health/ready')).toMatchObject({ status, body: { status: word } });
    expect(await seriesValue('escrow_ready{part="worker"}')).toBe(takesWork ? 1 : 0);
  });

  test('no other path is served', async () => {
    expect(await look('/v1/escrow')).toMatchObject({ status: 404 });
  });
});

test('while the database is down, its metrics are missing and the others are present', async () => {
  const databaseUrl = addressFor(service.database.workerUrl, { database: 'not_there' });
  const away = await connect({ databaseUrl, poolMax: 1, applicationName: 'test' });
  const text = await createOperationsMetrics(away).metrics();
  await away.close();
  expect(text).toContain('# HELP escrow_metrics_failures_total');
  expect(text).not.toMatch(/^escrow_open_escrows/m);
});
