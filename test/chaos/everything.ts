import { setTimeout as wait } from 'node:timers/promises';
import { NOTHING_HEALED } from '../../src/activities/findings.ts';
import { createSweep, type RunKeeper } from '../../src/activities/sweep.ts';
import { connect } from '../../src/db/core/orm.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { lazyClient } from '../../src/temporal/connection.ts';
import { createRunKeeper } from '../../src/temporal/run-keeper.ts';
import { RoleProcess } from '../support/role-process.ts';
import { auditBooks } from './books.ts';
import { CarelessClient, missingOf } from './careless-clients.ts';
import { register } from './clients.ts';
import type { World } from './servers.ts';

/**
 * `npm run chaos -- 100 everything`: kills all processes at once, like a power cut, while clients trade that do not repeat
 * failed requests, and automatic releases fall due. Nothing that was acknowledged may be lost, and nothing done twice. No release may be
 * late by more than a minute in which everything ran. Afterwards one sweep (`npm run rebuild-workflows`) must leave no run missing,
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
const MAX_LATE_MS = 60_000;

/** A time in which not everything ran, in epoch milliseconds. */
type Outage = { readonly from: number; readonly to: number };

export async function killEverything(world: World, kills: number): Promise<boolean> {
  const company = await register(world.apiUrl);
  const clients: CarelessClient[] = [];
  for (let number = 0; number < CLIENTS; number += 1) clients.push(await CarelessClient.join(company, number, world));
  for (const client of clients) client.start();
  const outages: Outage[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    await wait(UPTIME_MS.least + Math.random() * (UPTIME_MS.most - UPTIME_MS.least));
    const from = Date.now();
    await world.killAndRestartAll();
    const to = Date.now();
    outages.push({ from, to });
    console.error(`${kill}/${kills} everything, back after ${((to - from) / 1_000).toFixed(1)} s`);
  }
  await Promise.all(clients.map((client) => client.end()));
  await wait(UNTIL_OVERDUE_MS);

  const timers = await lateness(world, clients, outages);
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
  const lost = (await missingOf(world, clients)).length;
  const doubled = await countDoubled(world);
  const faults = await auditBooks(world.ownerUrl);
  for (const fault of faults.slice(0, 50)) console.error(fault);
  const { missing, behind, overdue, final, stuck } = after.found;
  console.log(
    `chaos of everything: kills ${kills}, escrows ${after.escrows}, released by themselves ${after.autoReleased} (due in an outage ${timers.dueInOutage} of ${timers.due}, latest ${(timers.latestMs / 1_000).toFixed(1)} s late), acknowledged ${clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)}, lost ${lost}, doubled ${doubled}; after one sweep missing ${missing}, behind ${behind}, overdue ${Math.max(overdue, after.overdueRows)}, open for final rows ${final}, stuck ${stuck}; books ${faults.length === 0 ? 'agree' : 'do not agree'}`,
  );
  return (
    code === 0 &&
    isClean(after) &&
    lost === 0 &&
    doubled === 0 &&
    timers.latestMs <= MAX_LATE_MS &&
    faults.length === 0 &&
    world.unasked.length === 0
  );
}

/** How late automatic releases were, without the time in which not everything ran. One that is missing is late until now. */
async function lateness({ ownerUrl }: World, clients: readonly CarelessClient[], outages: readonly Outage[]) {
  const due = clients.flatMap((client) => client.due);
  const releasedAt = await withClient(ownerUrl, async (database) => {
    const { rows } = await database.query(`select escrow_id as id, at from escrow_event where type = 'AUTO_RELEASED'`);
    return new Map<string, number>(rows.map(({ id, at }) => [id, at.getTime()]));
  });
  const lateMs = due.map(({ id, at }) => {
    const until = releasedAt.get(id) ?? Date.now();
    const downMs = outages.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, until) - Math.max(from, at)),
      0,
    );
    return until - at - downMs;
  });
  return {
    due: due.length,
    dueInOutage: due.filter(({ at }) => outages.some(({ from, to }) => from <= at && at <= to)).length,
    latestMs: Math.max(0, ...lateMs),
  };
}

/** The events and payments that an escrow has more than once. These clients do nothing twice, and release everything at once. */
async function countDoubled({ ownerUrl }: World): Promise<number> {
  return withClient(ownerUrl, async (database) => {
    const { rows } = await database.query(
      `select coalesce(sum(times - 1), 0)::int as doubled from (
         select count(*) as times from escrow_event group by escrow_id, replace(type, 'AUTO_RELEASED', 'FUNDS_RELEASED')
         union all
         select count(*) from ledger_transaction where escrow_id is not null group by escrow_id, type
       ) counted`,
    );
    return rows[0].doubled;
  });
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
