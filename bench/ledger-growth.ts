import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { connect, inTenant } from '../src/db/core/orm.ts';
import { sealLedger, startSealer } from '../src/db/ledger/sealer.ts';
import { benchCompany, openBenchDatabase } from './database.ts';
import { usdAccounts } from './market.ts';
import { inTurns, type Rate, type Settings, type Subject } from './measure.ts';
import { any, poster } from './postings.ts';
import { report } from './report.ts';
import { readPage, spanOf } from './statement-page.ts';

/**
 * `npm run bench:growth [-- 100000 1000000 10000000]`: Postings and pages of statements in ledgers with these numbers of
 * entries, in turns. Each size has its own database, `.data/bench-<entries>`, which is seeded if it is missing (10 million:
 * about 15 minutes and 20 GB).
 */

const CALLERS = 64;
/** The same interval as in the worker. */
const SEAL_INTERVAL_MS = 1_000;
/** The largest allowed ratio between the cost at the largest size and the cost at the smallest. */
const WORSE = 1.3;
const settings: Settings = { rounds: Number(process.env.BENCH_ROUNDS ?? 5), seconds: 5, warmUpSeconds: 2 };
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [100_000, 1_000_000, 10_000_000];

const opened = [];
try {
  for (const size of sizes) opened.push(await openSize(size));
  const rates = await inTurns(
    opened.flatMap(({ postings, pages }) => [postings, pages]),
    settings,
  );
  const figure = ({ name }: Subject, reference: Subject | undefined) => ({
    what: name,
    rates: rates.get(name) ?? ([] as Rate[]),
    reference: reference?.name ?? name,
    target: 1 / WORSE,
  });
  const [smallest] = opened;
  const figures = [
    ...opened.map(({ postings }) => figure(postings, smallest?.postings)),
    ...opened.map(({ pages }) => figure(pages, smallest?.pages)),
  ];
  report('ledger-growth', { figures }, `${settings.rounds} rounds of ${settings.seconds} s in turns`);
} finally {
  for (const { close } of opened) await close();
}

async function openSize(entries: number) {
  const BENCH_DIR = `.data/bench-${entries}`;
  if (!existsSync(BENCH_DIR)) {
    console.log(`${entries} entries are written …`);
    await promisify(execFile)(process.execPath, ['bench/seed-entries.ts', String(entries)], {
      env: { ...process.env, BENCH_DIR },
    });
  }
  const database = await openBenchDatabase({ BENCH_DIR });
  const orm = await connect({
    databaseUrl: database.ownerUrl,
    poolMax: 8,
    applicationName: 'bench-growth',
    isForService: true,
  });
  const reader = await connect({ databaseUrl: database.apiUrl, poolMax: 1, applicationName: 'bench-growth' });
  const companyId = await benchCompany(orm.em.fork());
  while ((await sealLedger(orm.em.fork())) !== 0); // left by an earlier run
  const sealing = new AbortController();
  const sealer = startSealer(orm, {
    intervalMs: SEAL_INTERVAL_MS,
    log: pino({ level: 'warn' }),
    signal: sealing.signal,
  });
  await database.warm();
  const accounts = await usdAccounts(orm, companyId);
  const post = poster(orm, companyId);
  const span = await spanOf(orm.em.fork(), accounts.bank);
  return {
    postings: {
      name: `postings at ${entries} entries`,
      callers: CALLERS,
      once: () => post(accounts.bank, any(accounts.users)),
    } satisfies Subject,
    pages: {
      name: `statement pages at ${entries} entries`,
      callers: 1,
      once: () => inTenant(reader, companyId, (em) => readPage(em, companyId, span)),
    } satisfies Subject,
    async close() {
      sealing.abort();
      await sealer;
      await Promise.all([orm.close(), reader.close()]);
      await database.stop();
    },
  };
}
