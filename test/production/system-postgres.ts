import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { anyFreePort, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { SUPERUSER, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { postgresRunner } from '../../src/sandbox/stack/postgres-user.ts';
import { eventually } from '../support/eventually.ts';
import { findSystemPostgres } from '../support/system-programs.ts';

/** The system's PostgreSQL, with client programs that the embedded one lacks. */

const NEEDED = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup', 'pg_verifybackup'];
/** The schema calls functions of this version. */
const OLDEST = 18;
const OWNER = 'escrow_owner';
/** The replay of much log takes time. */
const READY_MS = 1_800_000;

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
  readonly dataDir: string;
  readonly stop: () => Promise<void>;
  /** Kills it with SIGKILL. */
  readonly kill: () => Promise<void>;
};

export type Settings = Readonly<Record<string, string | number>>;

export type SystemPostgresOptions = {
  readonly programs: string;
  readonly dataDir: string;
  /** Absent: any free one. */
  readonly port?: number;
  readonly settings?: Settings;
};

/** A fresh server that trusts this machine, with an empty database `escrow` of the role that owns the schema. */
export async function startSystemPostgres(options: SystemPostgresOptions): Promise<SystemPostgres> {
  const { programs, dataDir } = options;
  makeOwn(programs, dataDir);
  await runAsOwner(programs, join(programs, 'initdb'), [
    ...['--pgdata', dataDir, '--username', SUPERUSER, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'],
  ]);
  const server = await serve(options);
  await withClient(server.superuserUrl.replace(/escrow$/, 'postgres'), async (client) => {
    await client.query(`create role ${OWNER} login createrole nosuperuser nobypassrls`);
    await client.query(`create database escrow owner ${OWNER}`);
  });
  return server;
}

/** Serves an existing data directory, and waits until it accepts writes: the end of a recovery. */
export async function serve({ programs, dataDir, port, settings }: SystemPostgresOptions): Promise<SystemPostgres> {
  const runner = postgresRunner([join(programs, 'postgres'), dataDir]);
  const at = port ?? (await anyFreePort());
  const all = { port: at, listen_addresses: LOOPBACK, unix_socket_directories: '', ...settings };
  const { command, args } = runner.wrap(join(programs, 'postgres'), [
    '-D',
    dataDir,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const child = spawn(command, args, { ...runner.user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${String(chunk)}`.slice(-2_000);
  });
  const urlOf = (user: string, database: string) => `postgres://${user}@${LOOPBACK}:${at}/${database}`;
  await eventually(async () => {
    if (hasEnded(child)) throw new Error(`PostgreSQL ended: ${said}`);
    return withClient(urlOf(SUPERUSER, 'postgres'), async (client) => {
      const { rows } = await client.query('select pg_is_in_recovery() as is_in_recovery');
      return !rows[0].is_in_recovery;
    }).catch(() => undefined);
  }, READY_MS);
  return {
    ownerUrl: urlOf(OWNER, 'escrow'),
    superuserUrl: urlOf(SUPERUSER, 'escrow'),
    dataDir,
    stop: () => end(child, 'SIGINT'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Makes a directory that belongs to the user as whom PostgreSQL runs. */
export function makeOwn(programs: string, directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { owner } = postgresRunner([programs, directory]);
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
}

/** Runs a program as the user as whom PostgreSQL runs. */
export async function runAsOwner(programs: string, program: string, programArgs: readonly string[]): Promise<void> {
  const runner = postgresRunner([programs]);
  const { command, args } = runner.wrap(program, programArgs);
  await promisify(execFile)(command, [...args], { ...runner.user, cwd: '/' });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function end(child: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  if (hasEnded(child)) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
