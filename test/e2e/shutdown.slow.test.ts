import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '../../src/observability/thrown.ts';
import { eventually, SLOW_MACHINE_MS } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { anyFreePort } from '../support/ports.ts';
import { type RoleProcess, startApiProcess, startWorkerProcess } from '../support/role-process.ts';
import { done, newCompany, newParties, send, type TestCompany, untilAnswered } from '../support/service.ts';

/** A stop ends within this time, whatever work is in progress. */
const STOP_MS = 10_000;
/** How long a stopping API still accepts requests. The readiness check is asked many times in it, on a busy machine too. */
const NOTICE_MS = 3_000;
const CLIENTS = 6;
/** The minimum number of operations by the clients; with fewer the test would show little. */
const MANY = 10;

let service: OwnService;
let company: TestCompany;
let ports: readonly number[];
let metricsPort: number;
let apis: RoleProcess[] = [];
let workers: RoleProcess[] = [];
/** Ports whose readiness check answered 503: a load balancer sends them nothing more. */
const notReady = new Set<number>();

beforeAll(async () => {
  service = await ownService({ withWorker: false });
  company = await newCompany(service);
  ports = [await anyFreePort(), await anyFreePort()];
  metricsPort = await anyFreePort();
  [apis, workers] = await Promise.all([
    Promise.all(ports.map((port) => startApiProcess(service, port, { STOP_NOTICE_MS: String(NOTICE_MS) }))),
    Promise.all([startWorkerProcess(service, { METRICS_PORT: String(metricsPort) }), startWorkerProcess(service)]),
  ]);
  await warmUp();
});
afterAll(async () => {
  await Promise.all([...apis, ...workers].map((role) => role.kill()));
  await service.stop();
});

describe('under load, of two processes that share the work', () => {
  test('an API that is stopped reports it first, fails no request, and exits within 10 s', async () => {
    const load = new Load();
    await eventually(() => load.done >= MANY);
    const [leaving] = apis;
    const ready = watchReadiness(ports[0] ?? 0);
    await eventually(() => load.done >= MANY + CLIENTS);

    const stoppedAfterMs = await stop(leaving);

    const before = load.done;
    await eventually(() => load.done >= before + MANY);
    await load.end();
    expect(load.failures).toEqual([]);
    expect((await ready).slice(-2)).toEqual([503, 'nobody answers']);
    expect(stoppedAfterMs).toBeLessThan(STOP_MS + SLOW_MACHINE_MS);
  });

  test("a worker shows its own and Temporal's metrics, and leaves its escrows to the other without a failed request", async () => {
    const load = new Load();
    await eventually(() => load.done >= MANY);
    const metrics = async () => (await send(`http://127.0.0.1:${metricsPort}/metrics`, 'GET')).body;
    await eventually(async () =>
      /^escrow_ledger_posting_duration_seconds_count(\{[^}]*\})? [1-9]/m.test(await metrics()),
    );
    expect(await metrics()).toMatch(/^temporal_workflow_task_execution_latency/m);
    expect(await send(`http://127.0.0.1:${metricsPort}/health`, 'GET')).toMatchObject({ status: 200 });

    const stoppedAfterMs = await stop(workers[0]);

    const before = load.done;
    await eventually(() => load.done >= before + MANY);
    await load.end();
    expect(load.failures).toEqual([]);
    expect(stoppedAfterMs).toBeLessThan(STOP_MS + SLOW_MACHINE_MS);
  });

  test('the books balance at the end', async () => {
    const { body } = await company.get('/v1/ledger/verify-ledger-integrity');
    expect(body).toMatchObject({ ok: true, mismatches: [] });
  });
});

/** Begins escrows on each API. The first ones start what the processes need, and may take longer than a command may. */
async function warmUp(): Promise<void> {
  const { escrow } = await newParties(company, 10_000_000);
  const begin = (port: number) => {
    const body = escrow();
    return done(
      untilAnswered((key) =>
        send(`http://127.0.0.1:${port}/v1/escrow/initiate`, 'POST', { headers: credentials(key), body }),
      ),
    );
  };
  await Promise.all([...ports, ...ports].map(begin));
}

const credentials = (key: string) => ({
  'x-api-key': company.apiKey,
  'x-company-id': company.id,
  'x-idempotency-key': key,
});

/** Stops the process as an orchestrator does, and returns the duration. */
async function stop(role: RoleProcess | undefined): Promise<number> {
  const askedAt = performance.now();
  role?.signal('SIGTERM');
  expect(await role?.exitCode).toBe(0);
  return performance.now() - askedAt;
}

/** Checks readiness as a load balancer does. Returns the answers until the server stopped answering. */
async function watchReadiness(port: number): Promise<(number | string)[]> {
  const said: (number | string)[] = [];
  for (;;) {
    const word = await send(`http://127.0.0.1:${port}/health/ready`, 'GET', { headers: { connection: 'close' } }).then(
      ({ status }) => status,
      () => 'nobody answers',
    );
    if (said.at(-1) !== word) said.push(word);
    if (word === 503) notReady.add(port);
    if (word === 'nobody answers') return said;
    await wait(20); // the stop that is measured needs the processor too
  }
}

/** Clients that repeatedly begin and release an escrow, on the APIs that are ready. */
class Load {
  done = 0;
  readonly failures: unknown[] = [];
  #isEnding = false;
  readonly #clients: Promise<void>[];

  constructor() {
    this.#clients = Array.from({ length: CLIENTS }, (_, number) => this.#work(number));
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#clients);
  }

  async #work(number: number): Promise<void> {
    const { escrow } = await newParties(company, 10_000_000);
    for (let turn = number; !this.#isEnding; turn += 1) {
      const begun = await this.#post(turn, '/v1/escrow/initiate', escrow());
      if (begun !== undefined) await this.#post(turn, `/v1/escrow/${begun.id}/release`);
    }
  }

  async #post(turn: number, path: string, body?: unknown): Promise<{ id: string } | undefined> {
    const options = { headers: credentials(randomUUID()), ...(body === undefined ? {} : { body }) };
    for (let attempt = 0; attempt < ports.length; attempt += 1) {
      const ready = ports.filter((port) => !notReady.has(port));
      const port = ready[(turn + attempt) % ready.length];
      try {
        const answer = await send(`http://127.0.0.1:${port}${path}`, 'POST', options);
        if (answer.status < 300) this.done += 1;
        else this.failures.push({ path, status: answer.status, body: answer.body });
        return answer.status < 300 ? answer.body : undefined;
      } catch (error) {
        if (codeOf(causeOf(error)) === 'ECONNREFUSED') continue; // nothing was sent
        this.failures.push({ path, error: String(causeOf(error)) });
        return undefined;
      }
    }
    this.failures.push({ path, error: 'nobody listens' });
    return undefined;
  }
}

function causeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'cause') : undefined;
}
