import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { connect, inTenant } from '../src/db/core/orm.ts';
import { countEscrowHistory, findEscrowHistory } from '../src/db/escrow/escrow-history.ts';
import { findAccounts } from '../src/db/ledger/accounts.ts';
import { readCashflow, readSystemStats } from '../src/db/ledger/stats.ts';
import { findTransaction, listLedgerTransactions } from '../src/db/ledger/transactions.ts';
import type { CompanyId, LedgerId, TransactionId } from '../src/domain/ids.ts';
import { benchCompany, openBenchDatabase } from './database.ts';
import { percentile } from './measure.ts';
import { randomMoment, readPage, type Span, spanOf } from './statement-page.ts';

/**
 * `npm run bench:reads`, after `bench:seed`: the duration of the ledger's reads as the API does them (its role, row-level
 * security, one transaction each), compared with the read of one row by its primary key, in turns in the same run.
 *
 * A page of a statement is a window of about a hundred entries that ends at a random time. A page of history or transactions is
 * a hundred rows with their exact total.
 */

const ROUNDS = 300;
const WARM_UP = 30;
const PAGE_ENTRIES = 100;
const HOUR_MS = 3_600_000;
/**
 * The limit for a page's p99, as a multiple of the p99 of one row, because a busy machine slows both. The last column divides
 * by the row's p50. That ratio is stricter, and is meaningful only on a quiet machine.
 */
const TARGET = 20;

const database = await openBenchDatabase();
const orm = await connect({ databaseUrl: database.apiUrl, poolMax: 2, applicationName: 'bench-reads' });
const owner = await connect({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'bench-reads' });
try {
  await database.warm();
  await run(orm, owner.em.fork());
} finally {
  await Promise.all([orm.close(), owner.close()]);
  await database.stop();
}

type Read = {
  readonly name: string;
  readonly isHeldToTarget: boolean;
  readonly once: (em: EntityManager) => Promise<unknown>;
};

async function run(orm: MikroORM, owner: EntityManager): Promise<void> {
  const companyId = await benchCompany(owner);
  const [known] = await owner.execute<{ entries: string }[]>(
    `select reltuples::bigint as entries from pg_class where relname = 'entry'`,
  );
  console.log(`about ${known?.entries} entries, ${ROUNDS} rounds`);
  const reads = await readsOf(owner, companyId);
  const tookMs = new Map(reads.map(({ name }) => [name, [] as number[]]));
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (const { name, once } of reads) {
      const startedAt = performance.now();
      await inTenant(orm, companyId, once);
      if (round >= 0) tookMs.get(name)?.push(performance.now() - startedAt);
    }
  const [one] = tookMs.values();
  const base = { p50: percentile(one ?? [], 50), p99: percentile(one ?? [], 99) };
  const line = (name: string, ...figures: string[]) =>
    console.log(name.padEnd(50), ...figures.map((figure) => figure.padStart(10)));
  line('', 'p50 ms', 'p99 ms', 'p50 / p50', 'p99 / p99', 'p99 / p50');
  for (const { name, isHeldToTarget } of reads) {
    const [p50, p99] = [50, 99].map((percent) => percentile(tookMs.get(name) ?? [], percent)) as [number, number]; // two elements
    const ratio = p99 / base.p99;
    const verdict = !isHeldToTarget ? '' : ratio < TARGET ? `< ${TARGET}` : `misses ${TARGET}`;
    line(
      name,
      p50.toFixed(2),
      p99.toFixed(2),
      (p50 / base.p50).toFixed(1),
      ratio.toFixed(1),
      (p99 / base.p50).toFixed(1),
      verdict,
    );
  }
}

async function readsOf(owner: EntityManager, companyId: CompanyId): Promise<Read[]> {
  const all = await findAccounts(owner, companyId, { currency: 'USD' }, { limit: 1_000, offset: 0 });
  const users = all.filter(({ type }) => type === 'USER');
  const busiest = users.reduce((most, account) => (account.balanceCents > most.balanceCents ? account : most));
  const subjects = new Map<string, Span & { readonly ledger: LedgerId }>();
  for (const [name, account] of [
    ['user', users[0]],
    ['busy seller', busiest],
    ['CLEARING_DECLARED', all.find(({ type }) => type === 'CLEARING_DECLARED')],
  ] as const) {
    if (account === undefined) throw new Error(`no ${name}`);
    subjects.set(name, { ...(await spanOf(owner, account.id)), ledger: account.ledgerId });
  }
  const ids = await owner.execute<{ id: TransactionId }[]>(
    'select id from ledger_transaction where company_id = ? order by random() limit ?',
    [companyId, ROUNDS],
  );
  let turn = 0;
  return [
    {
      name: 'one row by primary key',
      isHeldToTarget: false,
      once: (em) => findTransaction(em, companyId, ids[turn++ % ids.length]?.id as TransactionId), // the list is not empty
    },
    ...[...subjects].map(([name, span]) => ({
      name: `statement of ${name} (${span.entries} entries)`,
      isHeldToTarget: true,
      once: (em: EntityManager) => readPage(em, companyId, span),
    })),
    {
      name: 'history, first page, total',
      isHeldToTarget: true,
      once: async (em) => {
        await findEscrowHistory(em, companyId, {}, { limit: PAGE_ENTRIES, offset: 0 });
        await countEscrowHistory(em, companyId, {});
      },
    },
    {
      name: 'history, up to a random moment, total',
      isHeldToTarget: true,
      once: async (em) => {
        const endDate = randomMoment(subjects.get('CLEARING_DECLARED') as Span); // set above
        await findEscrowHistory(em, companyId, { endDate }, { limit: PAGE_ENTRIES, offset: 0 });
        await countEscrowHistory(em, companyId, { endDate });
      },
    },
    ...[...subjects].map(([name, { ledger }]) => ({
      name: `transactions of the ledger of ${name}, total`,
      isHeldToTarget: false,
      once: async (em: EntityManager) => {
        await listLedgerTransactions(em, companyId, ledger, {}, { limit: PAGE_ENTRIES, offset: 0 });
      },
    })),
    {
      name: 'cashflow, 30 days',
      isHeldToTarget: false,
      once: (em) => {
        const to = new Date();
        const from = new Date(to.getTime() - 30 * 24 * HOUR_MS);
        return readCashflow(em, companyId, { from, to, interval: 'day', currency: null });
      },
    },
    { name: 'system statistics', isHeldToTarget: false, once: (em) => readSystemStats(em, companyId, new Date()) },
  ];
}
