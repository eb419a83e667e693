import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { type EmbeddedInfo, readEmbeddedInfo } from '../../src/roles/embedded-info.ts';
import { eventually } from '../support/eventually.ts';
import { anyFreePort } from '../support/ports.ts';
import { RoleProcess } from '../support/role-process.ts';
import { loseRun } from '../support/runs.ts';
import { send, untilAnswered } from '../support/service.ts';

/** The default of TEMPORAL_TASK_QUEUE. */
const TASK_QUEUE = 'escrow';

describe('npm start, stopped and started again', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'escrow-restart-'));
  let stack: RoleProcess;
  let info: EmbeddedInfo;

  beforeAll(start);
  afterAll(async () => {
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('finds data and running escrows', async () => {
    const escrowId = await begin();
    const { runId } = await runOf(escrowId);

    await stop();
    await start();

    expect(await runOf(escrowId)).toMatchObject({ runId, status: { name: 'RUNNING' } });
    expect(await post(`/v1/escrow/${escrowId}/release`)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
  });

  test("without Temporal's data: every open escrow gets a run again and can be finished", async () => {
    const [active, noted] = [await begin(), await begin()];
    const { body: detail } = await get(`/v1/escrow/${noted}`);
    const items = [{ itemId: detail.items[0].id, quantity: 2, price_per_item: 500 }];
    await post(`/v1/escrow/${noted}/delivery-note`, { items });

    await stop();
    for (const file of readdirSync(dataDir).filter((name) => name.startsWith('temporal.db')))
      rmSync(join(dataDir, file));
    await start();

    await eventually(() => isRunning(noted)); // although no command was sent to it
    expect(await post(`/v1/escrow/${noted}/goods-received`, { items })).toMatchObject({ status: 200 });
    for (const escrowId of [active, noted]) {
      const released = await post(`/v1/escrow/${escrowId}/release`);
      expect(released).toMatchObject({ status: 200, body: { status: 'COMPLETED', sellerPayout: '990' } });
    }
    expect(await get('/v1/ledger/verify-ledger-integrity')).toMatchObject({ body: { ok: true, mismatches: [] } });
  });

  test('rebuild-workflows beside it needs no configuration', async () => {
    const escrowId = await begin();
    await withTemporal((temporal) => loseRun({ temporal, taskQueue: TASK_QUEUE }, `escrow/${escrowId}`));

    const rebuild = RoleProcess.start('rebuild-workflows', { DATA_DIR: dataDir });

    expect(await rebuild.exitCode).toBe(0);
    expect(rebuild.output).toMatch(/^1 open escrows, links and withdrawals .* Healed: 1 missing, /m);
    expect(await isRunning(escrowId)).toBe(true);
  });

  async function start() {
    const ports = { PORT: await anyFreePort(), POSTGRES_PORT: await anyFreePort() };
    const temporalPorts = { TEMPORAL_PORT: await anyFreePort(), TEMPORAL_UI_PORT: await anyFreePort() };
    const env = Object.entries({ ...ports, ...temporalPorts }).map(([name, port]) => [name, String(port)]);
    stack = RoleProcess.start('all', { DATA_DIR: dataDir, ...Object.fromEntries(env) });
    await stack.says('The escrow service is ready.');
    const found = readEmbeddedInfo(dataDir);
    if (found === undefined) throw new Error('there is no embedded.json');
    info = found;
  }

  async function stop() {
    stack.signal('SIGTERM');
    expect(await stack.exitCode).toBe(0);
  }

  /** An escrow of 10 USD between the users of the demo company. */
  async function begin(): Promise<string> {
    const { buyerId, sellerId } = info.demo;
    const { body: accounts } = await get(`/v1/ledger/user/${buyerId}/accounts`);
    const account = accounts.find((one: { currency: string }) => one.currency === 'USD');
    await post('/v1/payments/deposit', { userId: buyerId, amount: 1_000, currency: 'USD' });
    const items = [{ name: 'Maize', quantity: 2, pricePerUnit: 500 }];
    const escrow = { buyerId, sellerId, buyerAccountId: account.id, items, externalReference: randomUUID() };
    return (await post('/v1/escrow/initiate', escrow)).body.id;
  }

  const headers = () => ({ 'x-api-key': info.demo.apiKey, 'x-company-id': info.demo.companyId });
  const get = (path: string) => send(`${info.apiUrl}${path}`, 'GET', { headers: headers() });
  const post = (path: string, body?: unknown) =>
    untilAnswered((key) =>
      send(`${info.apiUrl}${path}`, 'POST', {
        headers: { ...headers(), 'x-idempotency-key': key },
        ...(body === undefined ? {} : { body }),
      }),
    );

  const runOf = (escrowId: string) =>
    withTemporal((client) => client.workflow.getHandle(`escrow/${escrowId}`).describe());

  const isRunning = (escrowId: string) =>
    runOf(escrowId).then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    );

  async function withTemporal<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const connection = await Connection.connect({ address: info.temporalAddress });
    try {
      return await work(new Client({ connection }));
    } finally {
      await connection.close();
    }
  }
});
