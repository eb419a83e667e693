import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { loadConfig } from '../../src/config/config.ts';
import { sendTraces } from '../../src/roles/shared.ts';
import { eventually } from '../support/eventually.ts';
import { type History, historyToText } from '../support/histories.ts';
import { offerLink } from '../support/links.ts';
import { type Collector, type ReceivedSpan, startCollector } from '../support/otlp.ts';
import { anyFreePort } from '../support/ports.ts';
import { type RoleProcess, startApiProcess, startWorkerProcess } from '../support/role-process.ts';
import { servers } from '../support/servers.ts';
import { newCompany, newParties, send, type TestCompany } from '../support/service.ts';
import { type OwnService, startService } from '../support/whole-service.ts';

/** An API and a worker in separate processes, as operators run them, and a collector to which both send traces. */

const SPAN_KIND = { server: 2, client: 3 };

let service: OwnService;
let collector: Collector;
let company: TestCompany;
let escrow: Awaited<ReturnType<typeof newParties>>['escrow'];
let worker: RoleProcess;
let api: RoleProcess;
let apiUrl: string;

beforeAll(async () => {
  [service, collector] = await Promise.all([startService({ withWorker: false }), startCollector()]);
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100', LOG_LEVEL: 'info' };
  const port = await anyFreePort();
  apiUrl = `http://127.0.0.1:${port}`;
  [worker, api, company] = await Promise.all([
    startWorkerProcess(service, traced),
    startApiProcess(service, port, traced),
    newCompany(service),
  ]);
  ({ escrow } = await newParties(company, 1_000_000_000));
  await company.post('/v1/escrow/initiate', escrow()); // the first one starts what the worker needs, and may take long
});
afterAll(async () => {
  await Promise.all([api?.kill(), worker?.kill()]);
  await collector.stop();
  await service.stop();
});

/** One command, as a client sends it to the API that is traced. */
function command(path: string, requestId: string, body?: unknown, headers: Record<string, string> = {}) {
  return send(`${apiUrl}${path}`, 'POST', {
    headers: {
      'x-api-key': company.apiKey,
      'x-company-id': company.id,
      'x-idempotency-key': randomUUID(),
      'x-request-id': requestId,
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** The spans of the request, once its last one has arrived: the span of the answer. */
async function traceOf(requestId: string, complete: (spans: readonly ReceivedSpan[]) => boolean) {
  return eventually(() => {
    const found = collector.spans.filter((span) => span.attributes['request.id'] === requestId);
    return complete(found) && found;
  });
}

const has = (name: string) => (spans: readonly ReceivedSpan[]) => spans.some((span) => span.name === name);

/** The names of the spans from the root of the trace to this one. */
function ancestry(spans: readonly ReceivedSpan[], span: ReceivedSpan | undefined): string[] {
  if (span === undefined) return [];
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...ancestry(spans, parent), span.name];
}

/** Waits for a line about the request with these fields in the log of a process, which comes through a pipe. */
const isLogged = (process: RoleProcess, requestId: string, fields: Readonly<Record<string, string>>) =>
  eventually(() =>
    process.output
      .split('\n')
      .slice(0, -1) // the last line may be incomplete
      .filter((line) => line.startsWith('{') && line.includes(requestId))
      .map((line) => JSON.parse(line))
      .some((line) => Object.entries({ requestId, ...fields }).every(([name, value]) => line[name] === value)),
  );

describe('a command', () => {
  const requestId = `request-${randomUUID()}`;
  let spans: readonly ReceivedSpan[];
  let escrowId: string;

  beforeAll(async () => {
    const { status, body } = await command('/v1/escrow/initiate', requestId, escrow());
    expect(status).toBe(201);
    escrowId = body.id;
    spans = await traceOf(
      requestId,
      (found) => has('POST /v1/escrow/initiate')(found) && has('escrowWorkflow.initiate')(found),
    );
  });

  test('is one trace, from the request over update, workflow and activity down to each statement', () => {
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const written = spans.find(({ name }) => name === 'insert escrow_event');
    expect(ancestry(spans, written)).toEqual([
      'POST /v1/escrow/initiate',
      'update initiate',
      'escrowWorkflow.initiate',
      'activity applyEscrowEvent',
      'insert escrow_event',
    ]);
    const posted = spans.find(({ name }) => name === 'select ledger_post');
    expect(ancestry(spans, posted).slice(-2)).toEqual(['activity applyEscrowEvent', 'select ledger_post']);
  });

  test('comes from both processes, and its first span is a server', () => {
    const [root] = spans.filter(({ parentSpanId }) => parentSpanId === '');
    expect(root).toMatchObject({ name: 'POST /v1/escrow/initiate', kind: SPAN_KIND.server, service: 'escrow-api' });
    expect(root?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/escrow/initiate',
      'http.response.status_code': 201,
      'company.id': company.id,
    });
    expect(spans.find(({ name }) => name === 'activity applyEscrowEvent')?.service).toBe('escrow-worker');
  });

  test('has the start of its run and the loading of its rows in its own trace', () => {
    const loaded = spans.find(({ name }) => name === 'activity loadEscrow');
    expect(ancestry(spans, loaded)).toEqual(['POST /v1/escrow/initiate', 'update initiate', 'activity loadEscrow']);
  });

  test('names its escrow by the id that the API answers', () => {
    const step = spans.find(({ name }) => name === 'escrowWorkflow.initiate');
    expect(step?.attributes['temporal.workflow.id']).toBe(`escrow/${escrowId}`);
  });

  test('no span begins before its parent, apart from clock differences', () => {
    const toleranceNs = 20_000_000n;
    for (const span of spans) {
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
      expect(span.endNs).toBeGreaterThanOrEqual(span.startNs);
      if (parent === undefined) continue;
      expect([span.name, span.startNs + toleranceNs >= parent.startNs]).toEqual([span.name, true]);
    }
  });

  test('is found by its request id in the logs of the API and of the worker', async () => {
    await isLogged(api, requestId, { msg: 'request', route: '/v1/escrow/initiate', escrowId });
    await isLogged(worker, requestId, { msg: 'activity', activity: 'applyEscrowEvent', escrowId });
  });

  test('a later command on the same run has its own trace, not that of the first command', async () => {
    const later = `request-${randomUUID()}`;
    expect((await command(`/v1/escrow/${escrowId}/release`, later)).status).toBe(200);
    const found = await traceOf(later, has('escrowWorkflow.release'));
    const written = found.find(({ name }) => name === 'update escrow');
    expect(ancestry(found, written)).toContain('escrowWorkflow.release');
    expect(found.some(({ traceId }) => traceId === spans[0]?.traceId)).toBe(false);
    await isLogged(worker, later, { activity: 'applyEscrowEvent' });
  });
});

test("a signal is traced like an update: from the gateway's notification to the status request", async () => {
  const requestId = `request-${randomUUID()}`;
  const link = await offerLink(service, company);
  const { checkoutId } = (await link.say('eft-pay/initiate')).body;
  await command('/v1/payments/eft-pay/webhook', requestId, { id: checkoutId });
  // They come from two processes, in any order.
  const spans = await traceOf(
    requestId,
    (found) => has('paymentLinkWorkflow.check-attempt')(found) && has('POST /v1/payments/eft-pay/webhook')(found),
  );
  const asked = spans.find(({ name }) => name === 'GET gateway');
  expect(ancestry(spans, asked)).toEqual([
    'POST /v1/payments/eft-pay/webhook',
    'signal check-attempt',
    'paymentLinkWorkflow.check-attempt',
    'activity checkAttempt',
    'GET gateway',
  ]);
});

test("a request with a traceparent gets a span under the caller's span", async () => {
  const requestId = `request-${randomUUID()}`;
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  await command('/v1/escrow/initiate', requestId, escrow(), { traceparent: `00-${traceId}-${spanId}-01` });
  const spans = await traceOf(requestId, has('POST /v1/escrow/initiate'));
  expect(spans.find(({ name }) => name === 'POST /v1/escrow/initiate')).toMatchObject({
    traceId,
    parentSpanId: spanId,
  });
});

test('a request without sampling creates no span', async () => {
  const [unsampled, sampled] = [`request-${randomUUID()}`, `request-${randomUUID()}`];
  const traceparent = '00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203331-00';
  expect((await command('/v1/escrow/initiate', unsampled, escrow(), { traceparent })).status).toBe(201);
  await command('/v1/escrow/initiate', sampled, escrow());
  await traceOf(sampled, has('escrowWorkflow.initiate'));
  expect(collector.spans.filter(({ attributes }) => attributes['request.id'] === unsampled)).toEqual([]);
  await isLogged(worker, unsampled, { activity: 'applyEscrowEvent' });
});

describe('the exported spans', () => {
  test('names are fixed words: no ids, no paths', async () => {
    const requestId = `request-${randomUUID()}`;
    await command('/v1/escrow/initiate', requestId, escrow());
    await traceOf(requestId, has('activity applyEscrowEvent'));
    const names = [...new Set(collector.spans.map(({ name }) => name))].join('\n');
    expect(names).toContain('activity applyEscrowEvent');
    expect(names).not.toMatch(/[0-9a-f]{8}-|_01|\d{3}|=|\?/);
  });

  test('contain no name, number, amount or reference, in any statement', async () => {
    const requestId = `request-${randomUUID()}`;
    const reference = `order-${randomUUID()}`;
    await command('/v1/identity/users', `${requestId}-user`, {
      mobileNumber: '+263771234567',
      idNumber: '63-7654321B00',
      firstName: 'Privatename',
      email: 'private@person.example',
    });
    const items = [{ name: 'Privatename', quantity: 1, pricePerUnit: 98_765_432 }];
    await command('/v1/escrow/initiate', requestId, escrow({ externalReference: reference, items }));
    await traceOf(`${requestId}-user`, has('insert app_user'));
    await traceOf(requestId, has('escrowWorkflow.initiate'));
    const raw = collector.raw();
    expect(raw).toContain('insert into');
    for (const personal of [
      '263771234567',
      '7654321',
      'Privatename',
      'private@',
      '98765432',
      reference,
      company.apiKey,
    ])
      expect([personal, raw.includes(personal)]).toEqual([personal, false]);
  });

  test('no trace begins with a statement: the sealer and the probes are not traced', async () => {
    await send(`${apiUrl}/health/ready`, 'GET');
    const later = `request-${randomUUID()}`;
    await command('/v1/escrow/initiate', later, escrow());
    await traceOf(later, has('escrowWorkflow.initiate'));
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === '');
    for (const { name } of roots) expect(name).toMatch(/^(POST|activity) /);
  });
});

describe('a history that was recorded with a request id and a trace', () => {
  const requestId = `request-${randomUUID()}`;
  let workflowId: string;
  let history: History;

  beforeAll(async () => {
    const { body } = await command('/v1/escrow/initiate', requestId, escrow());
    expect((await command(`/v1/escrow/${body.id}/release`, requestId)).status).toBe(200);
    workflowId = `escrow/${body.id}`;
    history = await service.temporal.workflow.getHandle(workflowId).fetchHistory();
  });

  test('is replayed by a worker that traces nothing', async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
    const workflowBundle = { codePath: servers().workflowBundleFile };
    await Worker.runReplayHistory({ workflowBundle }, history, workflowId);
  });

  test('has both in headers, and in no payload', () => {
    const headers: string[] = [];
    const payloads: string[] = [];
    JSON.parse(historyToText(history), function collect(key, value) {
      if (key === 'header' && value?.fields) headers.push(...Object.keys(value.fields));
      if (key === 'payloads') for (const { data } of value) payloads.push(Buffer.from(data ?? '', 'base64').toString());
      return value;
    });
    expect([...new Set(headers)].sort()).toEqual(['request-id', 'traceparent']);
    expect(payloads.join('\n')).toContain('commandId');
    expect(payloads.join('\n')).not.toContain(requestId);
  });
});

/** Makes a process print at its end how many modules of OpenTelemetry's SDK it has loaded. */
const LOADED = `process.on('exit', () => console.log('loaded:', Object.keys(process.getBuiltinModule('module')._cache).filter((file) => /opentelemetry.(sdk|exporter|otlp)/.test(file)).length))`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(LOADED)}`;

test('OpenTelemetry is not loaded without an endpoint', async () => {
  const untraced = await startApiProcess(service, await anyFreePort(), { NODE_OPTIONS });
  untraced.signal('SIGTERM');
  expect(await untraced.exitCode).toBe(0);
  expect(untraced.output).toContain('loaded: 0');
});

test('an unreachable collector delays neither requests nor a stop', async () => {
  const nowhere = `http://127.0.0.1:${await anyFreePort()}`;
  const port = await anyFreePort();
  const alone = await startApiProcess(service, port, { OTEL_EXPORTER_OTLP_ENDPOINT: nowhere, NODE_OPTIONS });
  const headers = { 'x-api-key': company.apiKey, 'x-company-id': company.id };
  const answer = await send(`http://127.0.0.1:${port}/v1/core/companies/me`, 'GET', { headers });
  expect(answer.status).toBe(200);
  const asked = performance.now();
  alone.signal('SIGTERM');
  expect(await alone.exitCode).toBe(0);
  expect(performance.now() - asked).toBeLessThan(15_000);
  expect(alone.output).toMatch(/loaded: [1-9]/);
});

test('OTEL_SDK_DISABLED switches it off, regardless of other settings', async () => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' };
  const tracing = await sendTraces(loadConfig(settings, 'all'));
  expect(trace.getTracer('test').startSpan('test').isRecording()).toBe(false);
  await tracing.stop();
});
