import { connectionsOf } from './connections-table.ts';
import { recorded } from './figures-table.ts';

/**
 * The table of docs/scaling.md: what an installation needs, by its open escrows and its tenants, from the figures of `npm run bench --
 * sizing`, `scale`, and of `bench:memory` and `bench:verify`.
 */

const BLOCK = /(<!-- sizing -->\n)[\s\S]*?(<!-- \/sizing -->)/;

/** What `npm run bench -- sizing` records. */
export const SLOPES = [
  { name: 'service bytes for a tenant', unit: 'B' },
  { name: 'audit seconds for a tenant', unit: 's' },
  { name: 'service bytes for an open escrow', unit: 'B' },
  { name: 'Temporal bytes for an open escrow', unit: 'B' },
  { name: 'Temporal memory for an open escrow', unit: 'B' },
  { name: 'service bytes for a finished escrow', unit: 'B' },
  { name: 'Temporal bytes for a finished escrow', unit: 'B' },
  { name: 'Temporal memory', unit: 'B' },
] as const;
export type SlopeName = (typeof SLOPES)[number]['name'];

const OPEN_ESCROWS = [1_000, 100_000, 10_000_000];
const TENANTS = [10, 1_000, 100_000];

// What the table assumes, and the page says.
const OPEN_DAYS = 14;
const COMMANDS = 4;
const DEPOSITS = 1;
const TRANSACTIONS = 3;
/** The busiest second by the average one. */
const PEAK = 5;
/** Processors by what the busiest second takes. */
const RESERVE = 2;
const RETENTION_DAYS = 30;

/** Of each role, so that one may stop. */
const LEAST_PROCESSES = 2;
const DEPOSITS_PER_SEALER = 4_000;
/** Temporal's documentation: a shard has been responsible for tens of thousands of executions. */
const ESCROWS_PER_SHARD = 10_000;
const LEAST_SHARDS = 512;
/** What PostgreSQL takes besides its cache. */
const POSTGRES_BYTES = 1e9;
const HOSTED_EXECUTIONS = 128_000; // history.hostLevelCacheMaxSize
const DAY_S = 86_400;
const YEAR_DAYS = 365;

/** Undefined if `npm run bench -- sizing` has not been recorded. */
export function recordedSlopes(): Record<SlopeName, number> | undefined {
  const found = recorded('sizing');
  if (found === undefined) return undefined;
  return Object.fromEntries(SLOPES.map(({ name }) => [name, numberOf(found, name)])) as Record<SlopeName, number>; // every slope
}

/** `page` with the table. Throws if the block for it, or a figure, is missing. */
export function withSizing(page: string): string {
  if (!BLOCK.test(page)) throw new Error('the page has no block <!-- sizing --> … <!-- /sizing -->');
  const slopes = recordedSlopes();
  const [scale, memory, verify] = [recorded('scale'), recorded('memory'), recorded('verify-1000000')];
  if (slopes === undefined || scale === undefined || memory === undefined || verify === undefined)
    throw new Error('a benchmark has not been recorded');
  const processorMs = (part: string, operation: 'deposits' | 'commands') =>
    numberOf(scale, `${part}: one of the ${operation}, 1 API and 1 worker`);
  const lifeMs = (...parts: string[]) =>
    parts.reduce(
      (sum, part) => sum + COMMANDS * processorMs(part, 'commands') + DEPOSITS * processorMs(part, 'deposits'),
      0,
    );
  const apiMs = lifeMs('API');
  const workerMs = lifeMs('worker, without workflow code', 'worker, workflow thread');
  const serverMs = lifeMs('Temporal', 'PostgreSQL for the service', 'PostgreSQL for Temporal');
  const auditS = numberOf(verify, 'full audit') / numberOf(verify, 'transactions');

  const rows = OPEN_ESCROWS.flatMap((open) =>
    TENANTS.map((tenants) => {
      const aDay = open / OPEN_DAYS;
      const peak = (aDay / DAY_S) * PEAK;
      const cores = (ms: number) => (peak * RESERVE * ms) / 1_000;
      const apis = Math.max(LEAST_PROCESSES, Math.ceil(cores(apiMs)));
      const workers = Math.max(LEAST_PROCESSES, Math.ceil(cores(workerMs)));
      const tenantBytes = tenants * slopes['service bytes for a tenant'];
      const temporalBytes =
        open * slopes['Temporal bytes for an open escrow'] +
        aDay * RETENTION_DAYS * slopes['Temporal bytes for a finished escrow'];
      const memoryBytes =
        apis * numberOf(memory, 'memory of the API, last third') * 1e6 +
        workers * numberOf(memory, 'memory of the worker, last third') * 1e6 +
        slopes['Temporal memory'] +
        Math.min(open, HOSTED_EXECUTIONS) * slopes['Temporal memory for an open escrow'] +
        POSTGRES_BYTES +
        open * (slopes['service bytes for an open escrow'] + slopes['Temporal bytes for an open escrow']) +
        tenantBytes;
      const finished = aDay * YEAR_DAYS;
      const cells = [
        open,
        tenants,
        aDay,
        Math.max(2, cores(apiMs + workerMs + serverMs)),
        memoryBytes / 1e9,
        (finished * slopes['service bytes for a finished escrow'] + tenantBytes) / 1e9,
        temporalBytes / 1e9,
        Math.max(LEAST_SHARDS, 2 ** Math.ceil(Math.log2(open / ESCROWS_PER_SHARD))),
        connectionsOf(apis + workers),
        Math.max(1, Math.ceil((peak * TRANSACTIONS) / DEPOSITS_PER_SEALER)),
        (finished * TRANSACTIONS * auditS + tenants * slopes['audit seconds for a tenant']) / 3_600,
      ];
      return `|${cells.map(shown).join('|')}|`;
    }),
  );
  const table = [
    '|open escrows|tenants|escrows a day|cores|memory, GB|disk a year, GB|Temporal, GB|shards|connections|sealers|full audit of a year, h|',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
  return page.replace(BLOCK, (_block, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

/** Two figures that mean something, and no more. */
function shown(value: number): string {
  const digits = value < 1 ? 1 : 2;
  return Number(value < 0.05 ? 0.1 : Number.isInteger(value) ? value : value.toPrecision(digits)).toLocaleString('en');
}

function numberOf(quantities: ReadonlyMap<string, number>, name: string): number {
  const value = quantities.get(name);
  if (value === undefined) throw new Error(`"${name}" has not been recorded`);
  return value;
}
