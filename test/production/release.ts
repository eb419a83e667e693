import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registerAttributes } from '../../src/roles/migrate.ts';
import { lockDirectory } from '../../src/sandbox/stack/lock.ts';
import { addressFor } from '../../src/sandbox/stack/postgres-client.ts';
import { bringNear } from '../support/deadline.ts';
import { eventually } from '../support/eventually.ts';
import globalSetup from '../support/global-setup.ts';
import globalTeardown from '../support/global-teardown.ts';
import { ownService } from '../support/own-service.ts';
import { type Build, Trader, twoReleases } from '../support/releases.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { publishServers, servers } from '../support/servers.ts';
import { newCompany, newParties } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';
import { startTemporalOnPostgres } from './temporal-server.ts';

/**
 * `npm run try:release -- 500`: this many open escrows, traffic, rolling restarts of the workers, and a release of incompatible workflow
 * code on the Temporal server that production runs; then a rollback. No command may fail, and no automatic release may be late by more
 * than a minute.
 */

const OPEN = Number(process.argv[2] ?? 200);
const CLIENTS = 4;
const REPLICAS = 2;
const RESTARTS = 12;
/** The number of commands between two restarts. */
const PROGRESS = 20;
const DUE = Math.min(20, OPEN);
const MAX_LATE_MS = 60_000;
const PATIENCE_MS = 600_000;

await globalSetup();
const dataDir = mkdtempSync(join(tmpdir(), 'escrow-release-try-'));
const lock = lockDirectory(dataDir);
const { namespace } = testTemporal();
const temporal = await startTemporalOnPostgres({
  dataDir,
  databaseUrl: addressFor(servers().ownerUrl, { database: 'postgres' }),
  namespace,
});
try {
  publishServers({ ...servers(), temporalAddress: temporal.address });
  await registerAttributes({ temporalAddress: temporal.address, temporalNamespace: namespace });
  process.exitCode = (await tryRelease()) ? 0 : 1;
} finally {
  await temporal.stop();
  await globalTeardown();
  lock.release();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();

async function tryRelease(): Promise<boolean> {
  const service = await ownService({ withWorker: false });
  const company = await newCompany(service);
  const releases = twoReleases(service);
  try {
    const replicas = [];
    while (replicas.length < REPLICAS) replicas.push(await releases.startWorker('1'));
    await move('1');
    const { escrow } = await newParties(company, (OPEN + 8) * 25_000);
    const escrows: string[] = [];
    const fill = async () => {
      while (escrows.length < OPEN) {
        const { status, body } = await company.post('/v1/escrow/initiate', escrow({ autoReleaseHours: 48 }));
        if (status !== 201) throw new Error(JSON.stringify(body));
        escrows.push(body.id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, fill));
    console.log(`${escrows.length} open escrows on release 1.`);

    const traders = Array.from({ length: CLIENTS }, () => new Trader(company));
    await restart(replicas, traders);
    await releases.startWorker('2');
    const due = await bringAllNear(escrows.slice(0, DUE));
    await move('2');
    const waiting = escrows.slice(DUE);
    await eventually(async () => (await releases.buildsOf(waiting)).join() === '2', PATIENCE_MS);
    await Promise.all(replicas.map((replica) => replica.kill()));
    const lateMs = await latest(due);
    await releases.startWorker('1');
    await move('1');
    await eventually(async () => (await releases.buildsOf(waiting)).join() === '1', PATIENCE_MS);
    await Promise.all(traders.map((trader) => trader.end()));

    const failures = traders.flatMap((trader) => trader.failures);
    const { body: books } = await company.get('/v1/ledger/verify-ledger-integrity');
    console.log(
      `release: open ${OPEN}, commands ${commandsOf(traders)}, failed ${failures.length}, slowest answer ${slowestOf(traders)} s, latest automatic release ${Math.round(lateMs / 1_000)} s late, books ${books.ok ? 'agree' : 'do not agree'}`,
    );
    if (failures.length > 0) console.log(failures.slice(0, 3));
    return failures.length === 0 && lateMs <= MAX_LATE_MS && books.ok;
  } finally {
    await releases.stop();
    await service.stop();
  }

  /** Replaces the workers of the release one by one, as an orchestrator does: each stops when the next one polls. */
  async function restart(replicas: RoleProcess[], traders: readonly Trader[]): Promise<void> {
    for (let turn = 0; turn < RESTARTS; turn += 1) {
      const before = commandsOf(traders);
      await eventually(() => commandsOf(traders) >= before + PROGRESS, PATIENCE_MS);
      replicas.push(await releases.startWorker('1'));
      const old = replicas.shift();
      old?.signal('SIGTERM');
      if ((await old?.exitCode) !== 0) throw new Error(`a worker did not stop in order: ${old?.output}`);
    }
    console.log(
      `${RESTARTS} restarts of workers: commands ${commandsOf(traders)}, slowest answer ${slowestOf(traders)} s`,
    );
  }

  async function move(build: Build): Promise<void> {
    const startedAt = performance.now();
    const { exitCode, output } = await releases.release(build);
    console.log(`${output.trim()} (${Math.round((performance.now() - startedAt) / 1_000)} s)`);
    if (exitCode !== 0) throw new Error('the release failed');
  }

  /** Gives these escrows a deadline in half a minute, in the middle of the release. */
  async function bringAllNear(ids: readonly string[]): Promise<Map<string, number>> {
    const dueAt = Date.now() + 30_000;
    for (const id of ids) {
      const { body } = await company.get(`/v1/escrow/${id}`);
      const item = { itemId: body.items[0].id, quantity: 2, price_per_item: 12_500 };
      await company.post(`/v1/escrow/${id}/delivery-note`, { items: [item] });
      await bringNear(service.database.ownerUrl, service.temporal, id, dueAt);
    }
    return new Map(ids.map((id) => [id, dueAt]));
  }

  /** The largest delay of a release after its deadline. */
  async function latest(due: ReadonlyMap<string, number>): Promise<number> {
    let lateMs = 0;
    for (const [id, dueAt] of due) {
      const entry = await eventually(async () => {
        const { body } = await company.get(`/v1/escrow/${id}/timeline`);
        return body.find(({ event }: { event: string }) => event === 'AUTO_RELEASED');
      }, PATIENCE_MS);
      lateMs = Math.max(lateMs, Date.parse(entry.at) - dueAt);
    }
    return lateMs;
  }
}

function commandsOf(traders: readonly Trader[]): number {
  return traders.reduce((sum, { done }) => sum + done, 0);
}

function slowestOf(traders: readonly Trader[]): string {
  return (Math.max(...traders.map(({ slowestMs }) => slowestMs)) / 1_000).toFixed(1);
}
