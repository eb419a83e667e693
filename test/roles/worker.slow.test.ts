import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { registerAttributes } from '../../src/roles/migrate.ts';
import { lazyClient } from '../../src/temporal/connection.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { anyFreePort } from '../support/ports.ts';
import { beginWorkerProcess, type RoleProcess, startWorkerProcess } from '../support/role-process.ts';
import { newCompany, newParties, send } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { startTemporalGate } from '../support/temporal-gate.ts';

/** On a busy machine Node takes many seconds to load a role. */
const START_MS = 120_000;

let service: OwnService;
let gate: Awaited<ReturnType<typeof startTemporalGate>>;
let metricsPort: number;
let worker: RoleProcess | undefined;
let lost: RoleProcess;

/** A worker whose namespace goes missing. Temporal's SDK polls for another minute. */
async function startLostWorker(): Promise<RoleProcess> {
  const { address } = testTemporal();
  const namespace = `lost-${randomUUID()}`;
  const { connection } = lazyClient({ temporalAddress: address, temporalNamespace: namespace });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as unknown as Long }, // the type of the wire; a number does as well
  });
  await eventually(async () => {
    await registerAttributes({ temporalAddress: address, temporalNamespace: namespace }).catch(() => undefined);
    return connection.workflowService.listSchedules({ namespace }).then(
      () => true,
      () => false,
    );
  });
  const started = await startWorkerProcess(service, { TEMPORAL_NAMESPACE: namespace });
  await connection.operatorService.deleteNamespace({ namespace });
  await connection.close();
  return started;
}

beforeAll(async () => {
  service = await ownService({ withWorker: false });
  gate = await startTemporalGate();
  metricsPort = await anyFreePort();
  lost = await startLostWorker();
});
afterEach(() => worker?.kill());
afterAll(async () => {
  await lost.kill();
  await gate.stop();
  await service.stop();
});

const begin = () =>
  beginWorkerProcess(service, {
    TEMPORAL_ADDRESS: gate.address,
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'warn',
  });

/** The status of the answer; 0 if nothing answers yet. */
const statusOf = (path: string) =>
  send(`http://127.0.0.1:${metricsPort}${path}`, 'GET').then(
    ({ status }) => status,
    () => 0,
  );
const becomes = (path: string, status: number) =>
  eventually(async () => (await statusOf(path)) === status || undefined, START_MS);

describe('a worker that starts while Temporal is down', () => {
  test('is alive and not ready, logs the missing dependency, and stops on request', async () => {
    gate.shut();
    worker = begin();
    await becomes('/health', 200);
    expect(await statusOf('/health/ready')).toBe(503);
    expect(await statusOf('/metrics')).toBe(200);
    await worker.says('waiting for Temporal');
    worker.signal('SIGTERM');
    expect(await worker.exitCode).toBe(0);
  });

  test('is ready and carries out commands while Temporal is up, and stays alive while it is not', async () => {
    gate.shut();
    worker = begin();
    await worker.says('waiting for Temporal');
    gate.open();
    await becomes('/health/ready', 200);
    const company = await newCompany(service);
    const { escrow } = await newParties(company);
    expect(await company.post('/v1/escrow/initiate', escrow())).toMatchObject({ status: 201 });

    gate.shut();
    await becomes('/health/ready', 503);
    expect(await statusOf('/health')).toBe(200);
    gate.open();
    await becomes('/health/ready', 200);
  });
});

test('a worker whose namespace went missing exits with 1 and says so', async () => {
  expect(await lost.exitCode).toBe(1);
  expect(lost.output).toContain('TEMPORAL_NAMESPACE: the namespace does not exist.');
});
