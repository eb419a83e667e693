import { NOTHING_HEALED } from '../src/activities/findings.ts';
import { createSweep, type ListedRun, type RunKeeper, sweepAll } from '../src/activities/sweep.ts';
import { connect } from '../src/db/core/orm.ts';
import { withClient } from '../src/sandbox/stack/postgres-client.ts';
import { createRunKeeper } from '../src/temporal/run-keeper.ts';
import globalSetup from '../test/support/global-setup.ts';
import globalTeardown from '../test/support/global-teardown.ts';
import { ownService } from '../test/support/own-service.ts';
import { newCompany, newParties } from '../test/support/service.ts';
import { percentile } from './measure.ts';

/**
 * `npm run bench:sweep -- 100000 [2000]`: the time and memory of one sweep over so many open escrows. Their rows are in PostgreSQL. Their runs
 * are not started, because that takes longer than everything else: the sweep asks Temporal for each of them, and the answer is
 * completed as if they ran. The second number of escrows really has no run, and the sweep starts them; the runs that are then
 * open are listed and compared with their rows.
 */

const ROWS = Number(process.argv[2] ?? 5_000);
const MISSING = Number(process.argv[3] ?? 500);
if (!Number.isInteger(ROWS) || !Number.isInteger(MISSING) || MISSING > ROWS)
  throw new Error('say two numbers of escrows');

await globalSetup();
try {
  await measure();
} finally {
  await globalTeardown();
}
process.exit();

async function measure(): Promise<void> {
  const service = await ownService();
  const orm = await connect({ databaseUrl: service.database.workerUrl, poolMax: 2, applicationName: 'bench-sweep' });
  try {
    const company = await newCompany(service);
    const { escrow } = await newParties(company);
    const { body } = await company.post('/v1/escrow/initiate', escrow());
    const missing = new Set(await addRows(String(body.id), MISSING));
    const all = new Set([...missing, ...(await addRows(String(body.id), ROWS - MISSING))]);

    const real = createRunKeeper(service.temporal, service.taskQueue);
    const asIfRunning: RunKeeper = {
      ...real,
      async findRunning(workflowIds) {
        const listed = await real.findRunning(workflowIds);
        const known = new Set(listed.map(({ workflowId }) => workflowId));
        const others = workflowIds.filter((id) => !known.has(id) && all.has(id) && !missing.has(id));
        return [...listed, ...others.map(running)];
      },
    };
    const found = { ...NOTHING_HEALED };
    const sweep = createSweep(orm, asIfRunning, ({ finding }) => {
      found[finding] += 1;
    });

    const rows = await timed(sweep.sweepRows);
    console.log(`rows: ${rows.checked} in ${seconds(rows.ms)}, of which ${found.missing} runs were started`);
    const started = found.missing;
    const again = await timed(sweep.sweepRows);
    console.log(
      `rows again, none missing: ${again.checked} in ${seconds(again.ms)}, ${Math.round(again.checked / (again.ms / 1_000))} a second`,
    );
    console.log(
      `heap during that: ${again.heapMb.early.toFixed(0)} MB in its second third, ${again.heapMb.late.toFixed(0)} MB in its last`,
    );
    const runs = await timed(sweep.sweepRuns);
    console.log(
      `runs: ${runs.checked} in ${seconds(runs.ms)}, ${Math.round(runs.checked / (runs.ms / 1_000))} a second`,
    );
    console.log(
      `starting missing runs: ${Math.round(started / ((rows.ms - again.ms) / 1_000))} a second; found after it: ${JSON.stringify(found)}`,
    );
  } finally {
    await orm.close();
    await service.stop();
  }

  /** Adds escrows as rows only. Returns the ids of their workflows. */
  async function addRows(like: string, count: number): Promise<string[]> {
    const { rows } = await withClient(service.database.ownerUrl, (client) =>
      client.query(
        `insert into escrow (id, company_id, status, seq, buyer_id, seller_id, currency, total_cents, state, created_at, updated_at)
         select uuidv7(), company_id, status, seq, buyer_id, seller_id, currency, total_cents, state, created_at,
           updated_at - interval '1 hour'
         from escrow, generate_series(1, $2::int) where id = $1 returning id`,
        [like.slice('esc_'.length), count],
      ),
    );
    return rows.map(({ id }) => `escrow/esc_${id}`);
  }
}

function running(workflowId: string): ListedRun {
  return {
    workflowId,
    runId: '',
    companyId: null,
    startedAt: new Date(0),
    status: 'ACTIVE',
    deadline: null,
    isReachable: true,
  };
}

async function timed(sweepBatch: Parameters<typeof sweepAll>[0]) {
  const startedAt = performance.now();
  const heap: number[] = [];
  const { checked } = await sweepAll(async (from) => {
    const batch = await sweepBatch(from);
    heap.push(process.memoryUsage().heapUsed / 1e6);
    return batch;
  });
  const third = Math.floor(heap.length / 3);
  const heapMb = { early: percentile(heap.slice(third, 2 * third), 50), late: percentile(heap.slice(2 * third), 50) };
  return { checked, ms: performance.now() - startedAt, heapMb };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
