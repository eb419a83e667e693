import { connect } from '../src/db/core/orm.ts';
import { verifyLedger } from '../src/db/ledger/verify.ts';
import { LOOPBACK } from '../src/sandbox/stack/ports.ts';
import { addressFor, withClient } from '../src/sandbox/stack/postgres-client.ts';
import { recordedSlopes, SLOPES, type SlopeName } from '../src/scripts/sizing-table.ts';
import { withInstallation } from './installation.ts';
import { type MadeEscrow, type Market, openMarket, registerMarket } from './market.ts';
import { inParallel, type Settings } from './measure.ts';
import { temporalMemory } from './processor-time.ts';
import type { Part, Quantity } from './report.ts';

/**
 * What a tenant, an open escrow and a finished escrow add to the databases, to Temporal's memory and to a full audit, at two sizes
 * (BENCH_SIZES: numbers of escrows, with a tenth as many tenants). The table of docs/scaling.md has the slopes of the larger size. Each
 * run compares both sizes with the slopes that the table has.
 */

const SIZES = (process.env.BENCH_SIZES ?? '200,600').split(',').map(Number);
const CALLERS = 16;
/** How much more a size may take than the table says. */
const LIMIT = 1.3;
/** Answers to keys are deleted after a day, and do not add up. */
const SERVICE_BYTES = `select pg_database_size(current_database()) - pg_total_relation_size('idempotency') as bytes`;
const BYTES = 'select pg_database_size(current_database()) as bytes';
/** For what an operation leaves to others: blocks, positions of events, Temporal's queues. */
const SETTLE_MS = 5_000;

type Usage = { readonly service: number; readonly temporal: number; readonly memory: number; readonly audit: number };

export function sizing({ show }: Settings): Promise<Part> {
  return withInstallation(async (installation) => {
    const { port } = await installation.startApi();
    await installation.startWorker();
    const apiUrl = `http://${LOOPBACK}:${port}`;
    const orm = await connect({ databaseUrl: installation.ownerUrl, poolMax: 1, applicationName: 'bench-sizing' });
    const use = async (): Promise<Usage> => {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      const bytes = (query: string, database?: string) =>
        withClient(addressFor(installation.ownerUrl, database === undefined ? {} : { database }), async (client) => {
          await client.query('vacuum');
          return Number((await client.query<{ bytes: string }>(query)).rows[0]?.bytes);
        });
      const startedAt = performance.now();
      await verifyLedger(orm.em.fork(), null);
      const audit = (performance.now() - startedAt) / 1_000;
      const [temporal, visibility] = [await bytes(BYTES, 'temporal'), await bytes(BYTES, 'temporal_visibility')];
      return { service: await bytes(SERVICE_BYTES), temporal: temporal + visibility, memory: temporalMemory(), audit };
    };
    const markets: Market[] = [];
    const recorded = recordedSlopes();
    const quantities: Quantity[] = [];
    let slopes: Record<SlopeName, number> | undefined;
    const first = openMarket({ info: { apiUrl, demo: await registerMarket(apiUrl) } }, CALLERS);
    await first.makeEscrow(); // plans, caches and pages that any size needs
    for (const size of SIZES) {
      const tenants = Math.round(size / 10);
      const before = await use();
      await inParallel(tenants, CALLERS, async (index) => {
        markets.push(openMarket({ info: { apiUrl, demo: await registerMarket(apiUrl) } }, 1));
        show?.({ what: 'tenants', done: index + 1, total: tenants });
      });
      const registered = await use();
      const escrows: { readonly market: Market; readonly made: MadeEscrow }[] = [];
      await inParallel(size, CALLERS, async (index) => {
        const market = markets[index % markets.length] ?? first;
        escrows.push({ market, made: await market.makeEscrow() });
        show?.({ what: 'open escrows', done: escrows.length, total: size });
      });
      const open = await use();
      await inParallel(size, CALLERS, async (index) => {
        const { market, made } = escrows[index] ?? { market: first, made: undefined };
        if (made === undefined) return;
        await market.post(`${made.path}/delivery-note`, made.items);
        await market.post(`${made.path}/goods-received`, made.items);
        await market.post(`${made.path}/release`);
        show?.({ what: 'finished escrows', done: index + 1, total: size });
      });
      const finished = await use();
      const each = (after: Usage, from: Usage, part: keyof Usage, count: number) =>
        Math.max(0, (after[part] - from[part]) / count);
      slopes = {
        'service bytes for a tenant': each(registered, before, 'service', tenants),
        'audit seconds for a tenant': each(registered, before, 'audit', tenants),
        'service bytes for an open escrow': each(open, registered, 'service', size),
        'Temporal bytes for an open escrow': each(open, registered, 'temporal', size),
        'Temporal memory for an open escrow': each(open, registered, 'memory', size),
        'service bytes for a finished escrow': each(finished, registered, 'service', size),
        'Temporal bytes for a finished escrow': each(finished, registered, 'temporal', size),
        'Temporal memory': before.memory,
      };
      const table = recorded ?? slopes;
      const name = `${size} escrows of ${tenants} tenants`;
      for (const part of ['service', 'temporal'] as const) {
        const label = part === 'service' ? 'service' : 'Temporal';
        const predicted =
          size * table[`${label} bytes for a finished escrow`] +
          (part === 'service' ? tenants * table['service bytes for a tenant'] : 0);
        const value = (finished[part] - before[part]) / predicted;
        quantities.push({
          what: `database of ${label === 'service' ? 'the service' : label}, ${name}, measured by table`,
          value,
          unit: '×',
          limit: LIMIT,
        });
      }
    }
    for (const market of [first, ...markets]) market.stop();
    await orm.close();
    const measured = slopes;
    if (measured === undefined) throw new Error('there is no size');
    return {
      quantities: [
        ...SLOPES.map(({ name, unit }): Quantity => ({ what: name, value: measured[name], unit })),
        ...quantities,
      ],
    };
  });
}
