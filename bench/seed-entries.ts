import { connect } from '../src/db/core/orm.ts';
import { verifyLedger } from '../src/db/ledger/verify.ts';
import { openBenchDatabase } from './database.ts';
import { ENTRIES_PER_ESCROW, seedBooks } from './seed/books.ts';

/**
 * `npm run bench:seed -- 1000000 [--verify]`: creates a company with 90 days of escrows, enough for that many entries.
 *
 * Each escrow is a deposit, a hold and a release: three transactions, eight entries, one closed hold, two events. SQL writes them
 * in large steps, and the real sealers seal the books and publish the feed. The rows are those that the service would leave, so a
 * full audit finds no mismatch (`--verify` runs it). An interrupted run continues when it is started again with the same number.
 * Two things differ from production: all escrows have the same amount, and answers to idempotency keys are missing, which the
 * service would have removed after a day.
 */

const entries = Number(process.argv[2]?.replaceAll('_', ''));
if (!Number.isInteger(entries) || entries < ENTRIES_PER_ESCROW) {
  console.error('Say how many entries, as in: npm run bench:seed -- 1000000');
  process.exit(1);
}
const database = await openBenchDatabase();
const orm = await connect({
  databaseUrl: database.ownerUrl,
  poolMax: 2,
  applicationName: 'bench-seed',
  isForService: true,
});
try {
  const { fieldKey } = database;
  await seedBooks(orm, { fieldKey, escrows: Math.round(entries / ENTRIES_PER_ESCROW), show: stopwatch() });
  if (process.argv.includes('--verify')) {
    const { ok, checkedTransactions, mismatches, durationMs } = await verifyLedger(orm.em.fork(), null);
    console.log(`audited in ${durationMs / 1_000} s: ${checkedTransactions} transactions`);
    if (!ok) throw new Error(`the audit found ${mismatches.length} mismatches: ${JSON.stringify(mismatches[0])}`);
  }
} finally {
  await orm.close();
  await database.stop();
}

function stopwatch(): (what: string) => void {
  let startedAt = performance.now();
  return (what) => {
    console.log(`${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    startedAt = performance.now();
  };
}
