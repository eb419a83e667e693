import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DefaultLogger } from '@temporalio/worker';
import { Client as Connection } from 'pg';
import { addressFor, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { bundleWorkflows } from '../../src/worker/workflow-bundle.ts';
import { audit } from '../chaos/audit.ts';
import {
  acknowledgedBy,
  Client,
  type Company,
  endAll,
  firstAcknowledged,
  newTrader,
  orderOf,
  register,
  type Trader,
} from '../chaos/clients.ts';
import { DATABASE, startWorld, type World } from '../chaos/servers.ts';
import { eventually } from '../support/eventually.ts';
import { RoleProcess } from '../support/role-process.ts';
import { runTrial } from '../support/trial.ts';
import { type Cluster, type Node, startCluster } from './patroni.ts';

/**
 * `npm run try:failover -- [kills]`: kills the primary of a PostgreSQL with two synchronous standbys (20 times) while clients trade: the
 * machine, the server alone, or a machine that hangs and goes on later; between the commit of a deposit, or of a turn of the sealer, and
 * its confirmation by the standbys; and during a migration. Each time a new deposit and a new escrow must succeed within 30 s, without a
 * restart, and the old primary must take no write. At the end nothing that was acknowledged is lost or doubled, and the books balance.
 * It lacks several members of etcd, a second HAProxy, a watchdog device, and Temporal on the same cluster.
 */

const CLIENTS = 6;
/** The number of operations that must succeed between two kills. */
const PROGRESS = 12;
const PATIENCE_MS = 180_000;
const BACK_WITHIN_S = 30;
/** How long a write to an old primary waits for its confirmation. */
const WRITE_MS = 2_000;
/** How long standbys receive nothing while a commit is awaited. */
const COMMIT_MS = 2_000;
const PROBE_EVERY_MS = 250;

const kills = Number(process.argv[2] ?? 20);
const dataDir = mkdtempSync(join(tmpdir(), 'escrow-failover-'));

type Scene = {
  readonly world: World;
  readonly cluster: Cluster;
  readonly company: Company;
  readonly trader: Trader;
  /** Migrations that were interrupted, until another one has completed them. */
  readonly migrations: Promise<void>[];
};

/** Kills the primary, and returns what has to happen before it is a standby again. */
type Kill = (primary: Node, scene: Scene) => Promise<() => void>;

const killMachine: Kill = async (primary) => {
  await primary.kill();
  return () => primary.start();
};

/** While standbys receive nothing, commits are on the primary's disk and wait: until then for one of this role that wrote to a table. */
const killDuringCommit =
  (role: string, table: string): Kill =>
  async (primary, { cluster }) => {
    const standbys = cluster.nodes.filter((node) => node !== primary);
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const standby of standbys) standby.signalReceiver(name);
    };
    await withClient(addressFor(primary.superuserUrl, { database: DATABASE }), (client) =>
      eventually(async () => {
        signal('SIGSTOP');
        const waits = async () => {
          const { rowCount } = await client.query(
            `select from pg_stat_activity a join pg_locks l using (pid)
             where a.wait_event = 'SyncRep' and a.usename = $1 and l.relation = to_regclass($2) and l.mode = 'RowExclusiveLock'`,
            [role, table],
          );
          return (rowCount ?? 0) > 0;
        };
        const isWaiting = await eventually(waits, COMMIT_MS).catch(() => false);
        if (isWaiting) await primary.kill();
        signal('SIGCONT');
        if (!isWaiting) await wait(COMMIT_MS);
        return isWaiting;
      }, PATIENCE_MS),
    );
    return () => primary.start();
  };

const KILLS: readonly (readonly [string, Kill])[] = [
  ['the machine', killMachine],
  [
    'the server',
    async (primary) => {
      await primary.kill('Patroni');
      return () => undefined; // Patroni starts it again
    },
  ],
  ["a deposit's commit", killDuringCommit('escrow_api', 'entry')],
  [
    'a machine that hangs',
    async (primary) => {
      primary.signal('SIGSTOP');
      return () => primary.signal('SIGCONT');
    },
  ],
  ["a sealer's turn", killDuringCommit('escrow_worker', 'block')],
  [
    'a migration',
    async (primary, scene) => {
      await killDuringMigration(primary, scene);
      return () => primary.start();
    },
  ],
];

async function tryFailover(): Promise<number> {
  const bundleFile = join(dataDir, 'workflows.js');
  writeFileSync(bundleFile, (await bundleWorkflows(new DefaultLogger('WARN'))).code);
  let cluster: Cluster | undefined;
  const world = await startWorld(dataDir, bundleFile, async (directory, passwords) => {
    cluster = await startCluster(directory, passwords);
    return cluster.store;
  });
  if (cluster === undefined) throw new Error('there is no cluster');
  try {
    const company = await register(world.apiUrl);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => Client.join(company, number)));
    for (const client of clients) client.start();
    const scene: Scene = { world, cluster, company, trader: await newTrader(company, 1_000_000), migrations: [] };
    const complaints = await killPrimaries(scene, clients);
    await Promise.all(scene.migrations);
    complaints.push(...(await endAll(clients)));
    const found = await audit(world.ownerUrl, clients);
    // The escrows that the probes began stay open.
    complaints.push(...found.complaints.filter((complaint) => !complaint.endsWith('escrows are not finished')));
    complaints.push(...world.unasked);
    for (const complaint of complaints.slice(0, 50)) console.error(complaint);
    console.log(
      `failover: kills ${kills}, acknowledged ${acknowledgedBy(clients)}, lost ${found.lost}, doubled ${found.doubled}, other faults ${complaints.length}`,
    );
    return complaints.length === 0 ? 0 : 1;
  } finally {
    await world.stop();
  }
}

async function killPrimaries(scene: Scene, clients: readonly Client[]): Promise<string[]> {
  const complaints: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await scene.cluster.whole();
    const before = acknowledgedBy(clients);
    await eventually(() => acknowledgedBy(clients) >= before + PROGRESS, PATIENCE_MS);
    const primary = await scene.cluster.primary();
    const [what, killPrimary] = KILLS[kill % KILLS.length] ?? ['the machine', killMachine];
    const bringBack = await killPrimary(primary, scene);
    const killedAt = performance.now();
    const seconds = async (work: Promise<void>) => {
      await work;
      return (performance.now() - killedAt) / 1_000;
    };
    const [deposits, escrows] = await Promise.all([seconds(firstDeposit(scene)), seconds(firstEscrow(scene))]);
    const taken = await writesTaken(primary, bringBack, scene.cluster);
    const back = `deposits again after ${deposits.toFixed(1)} s, escrows after ${escrows.toFixed(1)} s`;
    console.log(`${kill + 1}/${kills} ${what}: ${back}; ${acknowledgedBy(clients)} acknowledged`);
    if (Math.max(deposits, escrows) > BACK_WITHIN_S) complaints.push(`${what}: ${back}`);
    if (taken > 0) complaints.push(`${what}: the old primary took ${taken} writes`);
  }
  return complaints;
}

/** How many writes the old primary acknowledges while it comes back, until it is a standby. */
async function writesTaken(old: Node, bringBack: () => void, cluster: Cluster): Promise<number> {
  let taken = 0;
  let isBack = false;
  const writing = (async () => {
    while (!isBack) {
      if (await isTaken(old)) taken += 1;
      await wait(PROBE_EVERY_MS);
    }
  })();
  bringBack();
  await cluster.whole();
  isBack = true;
  await writing;
  return taken;
}

async function isTaken({ superuserUrl }: Node): Promise<boolean> {
  const client = new Connection({
    connectionString: superuserUrl,
    connectionTimeoutMillis: WRITE_MS,
    query_timeout: WRITE_MS,
  });
  client.on('error', () => undefined); // the query rejects too
  try {
    await client.connect();
    await client.query('create table if not exists taken_by_an_old_primary ()');
    await client.query(`comment on table taken_by_an_old_primary is '${randomUUID()}'`);
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** A migration of another database, killed in the middle. The next one completes it. */
async function killDuringMigration(primary: Node, { cluster, world, migrations }: Scene): Promise<void> {
  const database = `migrated_${randomUUID().slice(0, 8)}`;
  await withClient(cluster.superuserUrl, (client) => client.query(`create database ${database} owner escrow_owner`));
  const address = addressFor(world.ownerUrl, { database });
  const migrate = () => RoleProcess.start('migrate', { ...world.migrationEnvironment, DATABASE_URL: address });
  const interrupted = migrate();
  await withClient(addressFor(primary.superuserUrl, { database }), (client) =>
    eventually(async () => {
      const { rowCount } = await client.query(`select from pg_tables where tablename = 'account'`);
      return (rowCount ?? 0) > 0;
    }, PATIENCE_MS),
  );
  await primary.kill();
  const completed = async () => {
    await interrupted.exitCode;
    await eventually(async () => (await migrate().exitCode) === 0, PATIENCE_MS);
  };
  migrations.push(completed());
}

/** Resolves when a deposit that was sent after now is acknowledged. */
function firstDeposit({ company, trader }: Scene): Promise<void> {
  return firstAcknowledged(company, '/v1/payments/deposit', () => ({
    userId: trader.buyerId,
    amount: 10_000,
    currency: 'USD',
    externalReference: `probe-${randomUUID()}`,
  }));
}

function firstEscrow({ company, trader }: Scene): Promise<void> {
  return firstAcknowledged(company, '/v1/escrow/initiate', () => orderOf(trader, 1_000));
}

await runTrial(tryFailover, dataDir);
