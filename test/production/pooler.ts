import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import pg from 'pg';
import { streamEvents } from '../../clients/typescript/src/event-stream.ts';
import { TenantQuery } from '../../src/db/core/tenant-read.ts';
import type { CompanyId } from '../../src/domain/ids.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { bundleWorkflows } from '../../src/worker/workflow-bundle.ts';
import { audit } from '../chaos/audit.ts';
import { acknowledgedBy, Client, type Company, endAll, get, register } from '../chaos/clients.ts';
import { startWorld, type World } from '../chaos/servers.ts';
import { eventually } from '../support/eventually.ts';
import { RoleProcess } from '../support/role-process.ts';
import { runTrial } from '../support/trial.ts';
import { findPgBouncer, SESSIONS, startPooledStore } from './pgbouncer.ts';

/**
 * `npm run try:pooler -- [kills]`: an API and a worker behind the system's PgBouncer in transaction mode. Clients trade and a reader
 * streams events while the pooler is killed and restarted (10 times). Nothing that was acknowledged may be lost or doubled, and no event
 * may be missing from the stream. It lacks several APIs, a second pooler and TLS. At the end it measures what unnamed statements cost.
 */

const CLIENTS = 8;
/** The number of operations that must succeed between two kills. */
const PROGRESS = 20;
const PATIENCE_MS = 120_000;
const ROUNDS = 5;
const READS = 2_000;
const READERS = 8;
const TENANT = `select set_config('app.company_id', $1, true)`;

const kills = Number(process.argv[2] ?? 10);
const dataDir = mkdtempSync(join(tmpdir(), 'escrow-pooler-'));
await runTrial(tryPooler, dataDir);

async function tryPooler(): Promise<number> {
  const { version } = findPgBouncer();
  const bundleFile = join(dataDir, 'workflows.js');
  writeFileSync(bundleFile, (await bundleWorkflows(new DefaultLogger('WARN'))).code);
  const world = await startWorld(dataDir, bundleFile, startPooledStore);
  try {
    const company = await register(world.apiUrl);
    const complaints = [...(await refusal(world)), ...(await trade(world, company))];
    const cost = await costOfUnnamed(world, company);
    for (const complaint of complaints.slice(0, 50)) console.error(complaint);
    console.log(`${version}: faults ${complaints.length}; ${cost}`);
    return complaints.length === 0 ? 0 : 1;
  } finally {
    await world.stop();
  }
}

/** A worker that would listen through the pooler does not start. */
async function refusal({ workerEnvironment }: World): Promise<string[]> {
  const { DATABASE_DIRECT_URL: _, ...lacking } = workerEnvironment;
  const worker = RoleProcess.start('worker', lacking);
  const isRefused = (await worker.exitCode) === 1 && worker.output.includes('DATABASE_URL leads through a pooler');
  return isRefused ? [] : [`a worker without DATABASE_DIRECT_URL: ${worker.output}`];
}

async function trade(world: World, company: Company): Promise<string[]> {
  const pooler = world.victims.find(({ name }) => name === 'PgBouncer');
  if (pooler === undefined) throw new Error('there is no pooler');
  const ending = new AbortController();
  const streamed = new Set<string>();
  const reading = readStream(company, streamed, ending.signal);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => Client.join(company, number)));
  for (const client of clients) client.start();
  for (let kill = 1; kill <= kills; kill += 1) {
    await progress(clients);
    const killedAt = performance.now();
    await pooler.kill();
    await pooler.restart();
    const seconds = ((performance.now() - killedAt) / 1_000).toFixed(1);
    console.error(`${kill}/${kills} PgBouncer, back after ${seconds} s; ${acknowledgedBy(clients)} acknowledged`);
  }
  await progress(clients);
  const complaints = await endAll(clients);
  const { lost, doubled, complaints: found } = await audit(world.ownerUrl, clients);
  complaints.push(...found);
  const { ok } = await get(company, '/v1/ledger/verify-ledger-integrity');
  if (ok !== true) complaints.push('the audit through the pooler found mismatches');
  const missing = await eventsMissing(world, streamed);
  if (missing > 0) complaints.push(`${missing} events are missing from the stream`);
  ending.abort();
  await reading;
  complaints.push(...world.unasked, ...(await sessionFaults(world)));
  console.log(
    `pooler: kills ${kills}, acknowledged ${acknowledgedBy(clients)}, lost ${lost}, doubled ${doubled}, ` +
      `events streamed ${streamed.size}, missing ${missing}`,
  );
  return complaints;
}

async function progress(clients: readonly Client[]): Promise<void> {
  const before = acknowledgedBy(clients);
  await eventually(() => acknowledgedBy(clients) >= before + PROGRESS, PATIENCE_MS);
}

async function readStream({ apiUrl, headers }: Company, into: Set<string>, signal: AbortSignal): Promise<void> {
  const ignore = () => undefined;
  const options = { url: `${apiUrl}/v1/events/stream`, headers, signal, onOpen: ignore, onLost: ignore };
  for await (const { id } of streamEvents(options)) into.add(id);
}

/** How many events of escrows the stream has not brought when it has had time for all. */
async function eventsMissing({ ownerUrl }: World, streamed: ReadonlySet<string>): Promise<number> {
  const count = async () => {
    const ids = await withClient(ownerUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(`select id from event where type like 'escrow.%'`);
      return rows.map(({ id }) => id);
    });
    const seen = new Set([...streamed].map((id) => id.slice(id.indexOf('_') + 1)));
    return ids.filter((id) => !seen.has(id)).length;
  };
  await eventually(async () => (await count()) === 0, PATIENCE_MS).catch(() => undefined); // counted below
  return count();
}

/** The roles share the pooler's sessions, and only listeners have sessions of their own. */
async function sessionFaults({ ownerUrl }: World): Promise<string[]> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ role: string; sessions: number }>(
      `select usename as role, count(*)::integer as sessions from pg_stat_activity
       where usename in ('escrow_api', 'escrow_worker') group by 1 order by 1`,
    );
    console.log(`sessions of PostgreSQL: ${rows.map(({ role, sessions }) => `${role} ${sessions}`).join(', ')}`);
    return rows
      .filter(({ sessions }) => sessions > SESSIONS + 1)
      .map(({ role, sessions }) => `${role} has ${sessions} sessions`);
  });
}

/** Reads of one escrow a second: prepared and unnamed statements directly, and unnamed ones through the pooler, in turns. */
async function costOfUnnamed({ workerEnvironment }: World, { headers }: Company): Promise<string> {
  const companyId = headers['x-company-id']?.replace(/^\w+_/, '') as CompanyId; // `register` got it from the API
  const text = `select e.*, b.id as buyer, s.id as seller from escrow e join app_user b on b.id = e.buyer_id
    join app_user s on s.id = e.seller_id where e.company_id = $1 order by e.created_at desc limit 1`;
  const { DATABASE_URL: pooled = '', DATABASE_DIRECT_URL: direct = '' } = workerEnvironment;
  const ways = [
    { what: 'prepared', url: direct, name: 'read' },
    { what: 'unnamed', url: direct, name: undefined },
    { what: 'unnamed through PgBouncer', url: pooled, name: undefined },
  ];
  const rates = ways.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { url, name }] of ways.entries()) {
      const pool = new pg.Pool({ connectionString: url, max: READERS });
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: READERS }, async () => {
          const client = await pool.connect();
          if (name !== undefined) await client.query({ name: 'tenant', text: TENANT, values: [companyId] });
          for (let read = 0; read < READS / READERS; read += 1)
            await client.query(
              new TenantQuery(
                companyId,
                { text, values: [companyId], ...(name === undefined ? {} : { name }) },
                name === undefined ? undefined : 'tenant',
              ),
            ).answered;
          client.release();
        }),
      );
      rates[index]?.push(READS / ((performance.now() - startedAt) / 1_000));
      await pool.end();
    }
  return ways.map(({ what }, index) => `${what} ${Math.round(median(rates[index] ?? []))} reads/s`).join(', ');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
