import { setTimeout as wait } from 'node:timers/promises';
import { NOTHING_HEALED } from '../../src/activities/findings.ts';
import { createSweep, type RunKeeper } from '../../src/activities/sweep.ts';
import { connect } from '../../src/db/core/orm.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { lazyClient } from '../../src/temporal/connection.ts';
import { createRunKeeper } from '../../src/temporal/run-keeper.ts';
import { RoleProcess } from '../support/role-process.ts';
import { auditBooks } from './books.ts';
import { CarelessClient } from './careless-clients.ts';
import { register } from './clients.ts';
import type { World } from './servers.ts';

/**
 * `npm run chaos -- 100 everything`: kills all processes at once, like a power cut, while clients trade that do not repeat
 * failed requests, and automatic releases fall due. Afterwards one sweep (`npm run rebuild-workflows`) must leave no run missing,
 * outdated, overdue, or open for a final row.
 */

const CLIENTS = 8;
const TASK_QUEUE = 'escrow';
/** How long everything runs between two kills. */
const UPTIME_MS = { least: 1_000, most: 6_000 };
/** The sweep reports a deadline as overdue after a minute. */
const UNTIL_OVERDUE_MS = 70_000;
/** A healed run reads its row, and Temporal's lists follow. */
const SETTLE_MS = 120_000;

export async function killEverything(world: World, kills: number): Promise<boolean> {
  const company = await register(world.apiUrl);
  const clients: CarelessClient[] = [];
  for (let number = 0; number < CLIENTS; number += 1) clients.push(await CarelessClient.join(company, number, world));
  for (const client of clients) client.start();
  for (let kill = 1; kill <= kills; kill += 1) {
    await wait(UPTIME_MS.least + Math.random() * (UPTIME_MS.most - UPTIME_MS.least));
    const killedAt = performance.now();
    await world.killAndRestartAll();
    const seconds = ((performance.now() - killedAt) / 1_000).toFixed(1);
    console.error(`${kill}/${kills} everything, back after ${seconds} s`);
  }
  await Promise.all(clients.map((client) => client.end()));
  await wait(UNTIL_OVERDUE_MS);

  const before = await differences(world);
  console.error(`before the sweep: ${JSON.stringify(before.found)}, ${before.overdueRows} rows overdue`);
  const startedAt = performance.now();
  const sweep = RoleProcess.start('rebuild-workflows', world.workerEnvironment);
  const code = await sweep.exitCode;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.error(`${sweep.output.trim().split('\n').at(-1)} (${seconds} s)`);

  let after = await differences(world);
  const giveUpAt = Date.now() + SETTLE_MS;
  while (!isClean(after) && Date.now() < giveUpAt) {
    await wait(2_000);
    after = await differences(world);
  }
  const lost = await lostBy(world, clients);
  const faults = await auditBooks(world.ownerUrl);
  for (const fault of faults.slice(0, 50)) console.error(fault);
  const { missing, behind, overdue, final, stuck } = after.found;
  console.log(
    `chaos of everything: kills ${kills}, escrows ${after.escrows}, released by themselves ${after.autoReleased}, acknowledged ${clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)}, lost ${lost}; after one sweep missing ${missing}, behind ${behind}, overdue ${Math.max(overdue, after.overdueRows)}, open for final rows ${final}, stuck ${stuck}; books ${faults.length === 0 ? 'agree' : 'do not agree'}`,
  );
  return code === 0 && isClean(after) && lost === 0 && faults.length === 0 && world.unasked.length === 0;
}

type Differences = {
  readonly found: typeof NOTHING_HEALED;
  readonly overdueRows: number;
  readonly escrows: number;
  readonly autoReleased: number;
};

const isClean = ({ found, overdueRows }: Differences) =>
  overdueRows === 0 && Object.values(found).every((count) => count === 0);

/** What a sweep would repair. This call repairs nothing. */
async function differences({ workerEnvironment, ownerUrl }: World): Promise<Differences> {
  const { DATABASE_URL: databaseUrl = '', TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE = '' } = workerEnvironment;
  const orm = await connect({ databaseUrl, poolMax: 1, applicationName: 'chaos' });
  const { client, connection } = lazyClient({
    temporalAddress: TEMPORAL_ADDRESS,
    temporalNamespace: TEMPORAL_NAMESPACE,
  });
  const looking: RunKeeper = {
    ...createRunKeeper(client, TASK_QUEUE),
    start: async () => true,
    refresh: async () => true,
    isStuck: async () => false,
    terminate: async () => undefined,
  };
  try {
    const found = { ...NOTHING_HEALED };
    const { sweepRows, sweepRuns } = createSweep(orm, looking, ({ finding }) => {
      found[finding] += 1;
    });
    for (const sweepBatch of [sweepRows, sweepRuns])
      for (let next: string | null = null, isFirst = true; isFirst || next !== null; isFirst = false)
        next = (await sweepBatch(next)).next;
    const [row] = await withClient(ownerUrl, async (database) => {
      const { rows } = await database.query(`
        select (select count(*)::int from escrow) as escrows,
          (select count(*)::int from escrow_event where type = 'AUTO_RELEASED') as released,
          (select count(*)::int from escrow where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED', 'DISPUTED')
             and (state ->> 'autoReleaseAt')::timestamptz < now() - interval '1 minute') as overdue`);
      return rows;
    });
    return { found, overdueRows: row.overdue, escrows: row.escrows, autoReleased: row.released };
  } finally {
    await orm.close();
    await connection.close();
  }
}

/** The number of acknowledged events that the database does not have. */
async function lostBy({ ownerUrl }: World, clients: readonly CarelessClient[]): Promise<number> {
  const acknowledged = clients.flatMap((client) => client.acknowledged);
  return withClient(ownerUrl, async (database) => {
    const { rows } = await database.query(
      `select count(*)::int as lost from jsonb_to_recordset($1::jsonb) as a (id uuid, event text)
       where not exists (select from escrow_event e where e.escrow_id = a.id and e.type = a.event)`,
      [JSON.stringify(acknowledged)],
    );
    return rows[0].lost;
  });
}
