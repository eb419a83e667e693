import { readdirSync, readFileSync } from 'node:fs';

/** The processor time of each part of an installation, from /proc (Linux only), in milliseconds since the processes started. */

/** Linux counts processor time in hundredths of a second for every program. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;
/** Node's name for the threads of worker_threads: in a worker, the thread that runs workflow code. */
const THREAD = 'WorkerThread';

export const PARTS = [
  'API',
  'worker, without workflow code',
  'worker, workflow thread',
  'Temporal',
  'PostgreSQL for the service',
  'PostgreSQL for Temporal',
  'PostgreSQL, log and cleaning',
] as const;
export type PartName = (typeof PARTS)[number];
export type ProcessorMs = Readonly<Record<PartName, number>>;

type Stat = { readonly name: string; readonly parent: number; readonly ms: number; readonly residentBytes: number };

/** The parts of the installation that this process started. */
export function processorTime(apis: readonly number[], workers: readonly number[]): ProcessorMs {
  const all = processes();
  const sums = new Map<PartName, number>(PARTS.map((part) => [part, 0]));
  const add = (part: PartName, ms: number) => sums.set(part, (sums.get(part) ?? 0) + ms);
  for (const [pid, { name, ms }] of all) {
    if (apis.includes(pid)) add('API', ms);
    else if (workers.includes(pid)) {
      const thread = threadMs(pid);
      add('worker, workflow thread', thread);
      add('worker, without workflow code', ms - thread);
    } else if (isDescendant(pid, all)) {
      if (name === 'server') add('Temporal', ms);
      if (name === 'postgres') add(postgresPart(pid), ms);
    }
  }
  return Object.fromEntries(sums) as ProcessorMs; // every part exists: checked above
}

/** The resident memory of a process. */
export function residentMb(pid: number): number {
  return (statOf(`/proc/${pid}/stat`)?.residentBytes ?? Number.NaN) / 1e6;
}

/** The resident memory of Temporal's processes. */
export function temporalMemory(): number {
  const all = processes();
  const servers = [...all].filter(([pid, { name }]) => name === 'server' && isDescendant(pid, all));
  return servers.reduce((sum, [, { residentBytes }]) => sum + residentBytes, 0);
}

function processes(): Map<number, Stat> {
  const all = new Map<number, Stat>();
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? statOf(`/proc/${entry}/stat`) : undefined;
    if (stat !== undefined) all.set(Number(entry), stat);
  }
  return all;
}

/** The processor time between two measurements, for one of `operations`. */
export function perOperation(before: ProcessorMs, after: ProcessorMs, operations: number): ProcessorMs {
  const parts = PARTS.map((part) => [part, (after[part] - before[part]) / operations]);
  return Object.fromEntries(parts) as ProcessorMs; // the same parts
}

/** Undefined if the process or thread has ended. */
function statOf(file: string): Stat | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    const end = text.lastIndexOf(')'); // the name may contain parentheses
    const fields = text.slice(end + 2).split(' ');
    return {
      name: text.slice(text.indexOf('(') + 1, end),
      parent: Number(fields[1]),
      ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      residentBytes: Number(fields[21]) * PAGE_BYTES,
    };
  } catch {
    return undefined;
  }
}

function threadMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => statOf(`/proc/${pid}/task/${id}/stat`));
  return threads.reduce((sum, thread) => sum + (thread?.name === THREAD ? thread.ms : 0), 0);
}

function isDescendant(pid: number, all: ReadonlyMap<number, Stat>): boolean {
  for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
  return false;
}

/** By the title that PostgreSQL gives each of its processes: `postgres: <role> <database> …`. */
function postgresPart(pid: number): PartName {
  const title = readTitle(pid);
  if (/: escrow_(api|worker) /.test(title)) return 'PostgreSQL for the service';
  return / temporal(_visibility)? /.test(title) ? 'PostgreSQL for Temporal' : 'PostgreSQL, log and cleaning';
}

function readTitle(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
