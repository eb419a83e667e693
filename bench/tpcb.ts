import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findSystemPostgres } from '../test/support/system-programs.ts';
import { percentile, type Rate, type Subject } from './measure.ts';

/**
 * The reference: pgbench's TPC-B-like transaction with prepared statements, on the same server, in turns with the subject. If
 * pgbench is missing, Node runs the same transaction. Scale 10.
 */

const SCALE = 10;

async function prepareTables(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`select to_regclass('tpcb_branches') as made`);
    if (rows[0]?.made !== null) return;
    await client.query(
      `
      create table tpcb_branches (bid int primary key, bbalance int not null) with (fillfactor = 70);
      create table tpcb_tellers (tid int primary key, bid int not null, tbalance int not null) with (fillfactor = 70);
      create table tpcb_accounts (aid int primary key, bid int not null, abalance int not null) with (fillfactor = 70);
      create table tpcb_history (tid int, bid int, aid int, delta int, mtime timestamp);
      insert into tpcb_branches select n, 0 from generate_series(1, ${SCALE}) n;
      insert into tpcb_tellers select n, (n - 1) / 10 + 1, 0 from generate_series(1, ${SCALE * 10}) n;
      insert into tpcb_accounts select n, (n - 1) / 100000 + 1, 0 from generate_series(1, ${SCALE * 100_000}) n;
      `,
    );
    await client.query('vacuum analyze tpcb_accounts');
  } finally {
    await client.end();
  }
}

export type Tpcb = { readonly subject: Subject; readonly stop: () => Promise<void> };

/**
 * Runs Debian's pgbench if it is installed, else the same in Node: `connections` connections, each with one transaction at a
 * time.
 */
export async function openTpcb(databaseUrl: string, connections: number): Promise<Tpcb> {
  const program = findPgbench();
  if (program === undefined) {
    await prepareTables(databaseUrl);
    return tpcbInNode(databaseUrl, connections);
  }
  await promisify(execFile)(program, ['--initialize', '--quiet', `--scale=${SCALE}`, databaseUrl]);
  return {
    subject: {
      name: `pgbench TPC-B, ${connections} connections`,
      measure: (seconds) => pgbench(program, databaseUrl, connections, seconds),
    },
    stop: async () => {},
  };
}

function findPgbench(): string | undefined {
  const directory = findSystemPostgres(['pgbench']);
  return directory === undefined ? undefined : join(directory, 'pgbench');
}

async function pgbench(program: string, databaseUrl: string, connections: number, seconds: number): Promise<Rate> {
  const directory = mkdtempSync(join(tmpdir(), 'pgbench-'));
  try {
    const { stdout } = await promisify(execFile)(program, [
      ...['--protocol=prepared', '--no-vacuum', `--client=${connections}`, '--jobs=1', `--time=${seconds}`],
      ...['--log', `--log-prefix=${join(directory, 'log')}`, databaseUrl],
    ]);
    const [, perSecond] = /^tps = ([\d.]+)/m.exec(stdout) ?? [];
    if (perSecond === undefined) throw new Error(`pgbench said: ${stdout}`);
    // One line per transaction; its third column is the duration in microseconds.
    const tookMs = readdirSync(directory)
      .flatMap((file) => readFileSync(join(directory, file), 'utf8').trim().split('\n'))
      .map((line) => Number(line.split(' ')[2]) / 1000);
    return { perSecond: Number(perSecond), p50Ms: percentile(tookMs, 50), p99Ms: percentile(tookMs, 99) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function tpcbInNode(databaseUrl: string, connections: number): Promise<Tpcb> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  return {
    subject: {
      name: `TPC-B from Node, ${connections} connections`,
      callers: connections,
      once: (caller) => transaction(clients[caller] as pg.Client),
    },
    stop: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

async function transaction(client: pg.Client): Promise<void> {
  const named = (name: string, text: string, values: number[]) => client.query({ name, text, values });
  const random = (most: number) => 1 + Math.floor(Math.random() * most);
  const [aid, bid, tid, delta] = [random(SCALE * 100_000), random(SCALE), random(SCALE * 10), random(10_000) - 5_000];
  await client.query('begin');
  await named('a', 'update tpcb_accounts set abalance = abalance + $1 where aid = $2', [delta, aid]);
  await named('s', 'select abalance from tpcb_accounts where aid = $1', [aid]);
  await named('t', 'update tpcb_tellers set tbalance = tbalance + $1 where tid = $2', [delta, tid]);
  await named('b', 'update tpcb_branches set bbalance = bbalance + $1 where bid = $2', [delta, bid]);
  await named('h', 'insert into tpcb_history values ($1, $2, $3, $4, current_timestamp)', [tid, bid, aid, delta]);
  await client.query('commit');
}
