import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { anyFreePort, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { postgresRunner } from '../../src/sandbox/stack/postgres-user.ts';
import { eventually } from '../support/eventually.ts';
import { findSystemPostgres } from '../support/system-programs.ts';

/** The system's PostgreSQL, with client programs that the embedded one lacks: pg_dump and pg_restore. */

const NEEDED = ['initdb', 'postgres', 'pg_dump', 'pg_restore'];
/** The schema calls functions of this version. */
const OLDEST = 18;
const OWNER = 'escrow_owner';

/** The directory of the newest version with all programs. Throws if there is none. */
export function findPrograms(): string {
  const found = findSystemPostgres(NEEDED, OLDEST);
  if (found === undefined)
    throw new Error(`There is no PostgreSQL ${OLDEST} on this machine, or in PATH, with ${NEEDED.join(', ')}.`);
  return found;
}

export type SystemPostgres = {
  readonly ownerUrl: string;
  /** Row-level security applies to the owner too, so a superuser takes the dump. */
  readonly superuserUrl: string;
  readonly stop: () => Promise<void>;
};

/** A fresh server that trusts this machine, with an empty database `escrow` of the role that owns the schema. */
export async function startSystemPostgres(programs: string, dataDir: string): Promise<SystemPostgres> {
  mkdirSync(dataDir, { recursive: true });
  const runner = postgresRunner([join(programs, 'postgres'), dataDir]);
  if (runner.owner !== undefined) chownSync(dataDir, runner.owner.uid, runner.owner.gid);
  const init = runner.wrap(join(programs, 'initdb'), [
    ...['--pgdata', dataDir, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'],
  ]);
  execFileSync(init.command, init.args, { ...runner.user, cwd: '/', stdio: 'ignore' });
  const port = await anyFreePort();
  const settings = { port, listen_addresses: LOOPBACK, unix_socket_directories: '' };
  const serve = runner.wrap(join(programs, 'postgres'), [
    '-D',
    dataDir,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = spawn(serve.command, serve.args, { ...runner.user, cwd: '/', stdio: 'ignore' });
  const urlOf = (user: string, database: string) => `postgres://${user}@${LOOPBACK}:${port}/${database}`;
  const maintenanceUrl = urlOf('postgres', 'postgres');
  await eventually(
    () => withClient(maintenanceUrl, (client) => client.query('select 1')).catch(() => undefined),
    60_000,
  );
  await withClient(maintenanceUrl, async (client) => {
    await client.query(`create role ${OWNER} login createrole nosuperuser nobypassrls`);
    await client.query(`create database escrow owner ${OWNER}`);
  });
  return { ownerUrl: urlOf(OWNER, 'escrow'), superuserUrl: urlOf('postgres', 'escrow'), stop: () => stop(child) };
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGINT');
  });
}
