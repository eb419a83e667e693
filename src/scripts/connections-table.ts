import { DEFAULT_POOL_MAX } from '../config/environment.ts';

/** The table of docs/scaling.md: connections by the number of processes. */

const BLOCK = /(<!-- connections -->\n)[\s\S]*?(<!-- \/connections -->)/;

/** APIs, with as many workers. */
const SIZES = [10, 100, 1_000];
/** Each process listens for notifications on a connection of its own. */
const LISTENERS = 1;
/** PgBouncer's default_pool_size, for each role of the service. */
const POOLER_SESSIONS = 20;
const ROLES = 2;

/** The connections of this many processes to PostgreSQL, without a pooler. */
export function connectionsOf(processes: number): number {
  return processes * (DEFAULT_POOL_MAX + LISTENERS);
}

/** `page` with the table. Throws if the block for it is missing. */
export function withConnections(page: string): string {
  if (!BLOCK.test(page)) throw new Error('the page has no block <!-- connections --> … <!-- /connections -->');
  const rows = SIZES.map((size) => {
    const processes = size * ROLES;
    const cells = [
      size,
      connectionsOf(processes),
      ROLES * POOLER_SESSIONS + processes * LISTENERS,
      processes * DEFAULT_POOL_MAX,
    ];
    return `|${cells.map((cell) => cell.toLocaleString('en')).join('|')}|`;
  });
  const table = ['|APIs|without pooler|with pooler|`max_client_conn`|', '|---|---|---|---|', ...rows].join('\n');
  return page.replace(BLOCK, (_block, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}
