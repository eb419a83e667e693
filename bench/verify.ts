import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../src/db/core/orm.ts';
import { verifyLedger } from '../src/db/ledger/verify.ts';
import { openBenchDatabase } from './database.ts';
import { summarize } from './measure.ts';
import { type Quantity, report } from './report.ts';
import { addEscrows, type SeedOptions, seedBooks, TRANSACTIONS_PER_ESCROW } from './seed/books.ts';

/**
 * `npm run bench:verify -- 1000000`: the time of the audit in a ledger of that many transactions, as a multiple of a sequential
 * scan of transactions and entries. The full audit compares everything. The incremental one runs after 1,002 new transactions. They
 * and the scan take turns.
 *
 * Each size has its own database, `.data/verify-<transactions>`, which is seeded if it is missing. An interrupted seeding
 * continues. Each round leaves its new transactions in the database.
 */

const NEW_ESCROWS = 334;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

const transactions = Number(process.argv[2]?.replaceAll('_', ''));
if (!Number.isInteger(transactions) || transactions < TRANSACTIONS_PER_ESCROW) {
  console.error('Say how many transactions, as in: npm run bench:verify -- 1000000');
  process.exit(1);
}
const database = await openBenchDatabase({ BENCH_DIR: `.data/verify-${transactions}` });
const orm = await connect({
  databaseUrl: database.ownerUrl,
  poolMax: 2,
  applicationName: 'bench-verify',
  isForService: true,
});
try {
  const seed = {
    fieldKey: database.fieldKey,
    escrows: Math.round(transactions / TRANSACTIONS_PER_ESCROW),
    isPublished: false,
    show: console.log,
  };
  await seedBooks(orm, seed);
  await database.warm();
  report(`verify-${transactions}`, { quantities: await measure(seed) }, `${rounds} rounds in turns, warm cache`);
} finally {
  await orm.close();
  await database.stop();
}

async function measure(seed: SeedOptions): Promise<Quantity[]> {
  const scan: number[] = [];
  const hashes: number[] = [];
  const full: number[] = [];
  const incremental: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    scan.push(await timed(() => inOneProcess(orm, 'count(*)', 'count(*)')));
    hashes.push(
      await timed(() => inOneProcess(orm, 'count(ledger_transaction_hash(r))', 'count(ledger_entry_hash(r))')),
    );
    full.push(await timed(() => audit(false)));
    await addEscrows(orm, seed, NEW_ESCROWS);
    incremental.push(await timed(() => audit(true)));
  }
  const [row] = await orm.em
    .fork()
    .execute<{ transactions: string; entries: string }[]>(
      'select (select count(*) from ledger_transaction) as transactions, (select count(*) from entry) as entries',
    );
  const scanMs = summarize(scan).median;
  const times = (what: string, ms: readonly number[]): Quantity[] => [
    { what, value: summarize(ms).median / 1_000, unit: 's' },
    { what: `${what}, in scans`, value: summarize(ms).median / scanMs, unit: 'times' },
  ];
  return [
    { what: 'transactions', value: Number(row?.transactions), unit: '' },
    { what: 'entries', value: Number(row?.entries), unit: '' },
    { what: 'sequential scan of transactions and entries', value: scanMs / 1_000, unit: 's' },
    ...times('the same scan with the hash of each row', hashes),
    ...times('full audit', full),
    ...times(`incremental audit after ${NEW_ESCROWS * TRANSACTIONS_PER_ESCROW} transactions`, incremental),
  ];
}

/** Throws if the audit finds a mismatch. Keeps its result, so that the next incremental audit starts there. */
async function audit(isNewOnly: boolean): Promise<void> {
  const { ok, mismatches } = await verifyLedger(orm.em.fork(), null, { isNewOnly, keep: true });
  if (!ok) throw new Error(`the audit found ${mismatches.length} mismatches: ${JSON.stringify(mismatches[0])}`);
}

/** Reads both tables once, without parallel workers. */
function inOneProcess(orm: MikroORM, ofTransactions: string, ofEntries: string): Promise<void> {
  return orm.em.fork().transactional(async (em: EntityManager) => {
    await em.execute('set local max_parallel_workers_per_gather = 0');
    await em.execute('set local enable_indexonlyscan = off');
    await em.execute(`select ${ofTransactions} from ledger_transaction r`);
    await em.execute(`select ${ofEntries} from entry r`);
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
