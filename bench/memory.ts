import { setTimeout as wait } from 'node:timers/promises';
import { LOOPBACK } from '../src/sandbox/stack/ports.ts';
import { type Installation, withInstallation } from './installation.ts';
import { type Market, openMarket, registerMarket } from './market.ts';
import { summarize } from './measure.ts';
import { residentMb } from './processor-time.ts';
import { type Quantity, report } from './report.ts';

/**
 * `npm run bench:memory -- 30`: the resident memory of one API and one worker under load for that many minutes, with Temporal on
 * PostgreSQL. BENCH_CALLERS (4) callers repeat whole lives of escrows. Every fifth escrow stays open, so that the worker soon keeps as
 * many runs as it may (TEMPORAL_CACHED_RUNS), and evicts one for each that begins. The memory of the last third is compared with that of
 * the second third: the first one fills caches.
 */

const minutes = Number(process.argv[2]);
if (!Number.isInteger(minutes) || minutes < 3) {
  console.error('Say how many minutes, at least 3, as in: npm run bench:memory -- 30');
  process.exit(1);
}
const CALLERS = Number(process.env.BENCH_CALLERS ?? 4);
const CACHED_RUNS = 300;
const OPEN_EVERY = 5;
const SAMPLE_MS = 10_000;
const MOST_GROWTH = 1.1;

type Sample = { readonly minute: number; readonly apiMb: number; readonly workerMb: number };

await withInstallation(measure, { TEMPORAL_CACHED_RUNS: String(CACHED_RUNS) });

async function measure(installation: Installation): Promise<void> {
  const api = await installation.startApi();
  const worker = await installation.startWorker();
  const apiUrl = `http://${LOOPBACK}:${api.port}`;
  const market = openMarket({ info: { apiUrl, demo: await registerMarket(apiUrl) } }, CALLERS);
  const endsAt = performance.now() + minutes * 60_000;
  const lives = { finished: 0, left: 0 };
  const callers = Array.from({ length: CALLERS }, () => live(market, lives, endsAt));
  const samples = await sample(api.pid, worker.pid, endsAt);
  await Promise.all(callers);
  market.stop();
  report(
    'memory',
    {
      quantities: [
        { what: 'escrows that were paid out', value: lives.finished, unit: 'escrows' },
        {
          what: `escrows that stayed open, of which a worker keeps ${CACHED_RUNS}`,
          value: lives.left,
          unit: 'escrows',
        },
        ...growth(
          'API',
          samples.map(({ apiMb }) => apiMb),
        ),
        ...growth(
          'worker',
          samples.map(({ workerMb }) => workerMb),
        ),
      ],
    },
    `${minutes} minutes, ${CALLERS} callers`,
  );
}

async function live(market: Market, lives: { finished: number; left: number }, endsAt: number): Promise<void> {
  for (let made = 1; performance.now() < endsAt; made += 1) {
    const { path, items } = await market.makeEscrow();
    await market.post(`${path}/delivery-note`, items);
    if (made % OPEN_EVERY === 0) {
      lives.left += 1;
      continue;
    }
    await market.post(`${path}/goods-received`, items);
    await market.post(`${path}/release`);
    lives.finished += 1;
  }
}

async function sample(api: number, worker: number, endsAt: number): Promise<Sample[]> {
  const startedAt = performance.now();
  const samples: Sample[] = [];
  for (let at = startedAt + SAMPLE_MS; at < endsAt; at += SAMPLE_MS) {
    await wait(at - performance.now());
    const minute = (performance.now() - startedAt) / 60_000;
    const taken = { minute, apiMb: residentMb(api), workerMb: residentMb(worker) };
    samples.push(taken);
    if (samples.length % 6 === 0)
      console.log(`${minute.toFixed(0)} min: API ${taken.apiMb.toFixed(0)} MB, worker ${taken.workerMb.toFixed(0)} MB`);
  }
  return samples;
}

/** The medians of the second and the last third. */
function growth(who: string, mb: readonly number[]): Quantity[] {
  const third = Math.floor(mb.length / 3);
  const [second, last] = [mb.slice(third, 2 * third), mb.slice(2 * third)].map((part) => summarize(part).median);
  return [
    { what: `memory of the ${who}, second third`, value: second ?? 0, unit: 'MB' },
    { what: `memory of the ${who}, last third`, value: last ?? 0, unit: 'MB' },
    {
      what: `memory of the ${who}, last third by second third`,
      value: (last ?? 0) / (second ?? 1),
      unit: '',
      limit: MOST_GROWTH,
    },
  ];
}
