import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import {
  makeOwn,
  runAsOwner,
  type Settings,
  type SystemPostgres,
  serve,
  startSystemPostgres,
} from './system-postgres.ts';

/** The ways to back up and to restore PostgreSQL that docs/operations/backup.md describes, with its settings. */

const PAGE = new URL('../../docs/operations/backup.md', import.meta.url);
/** Shorter than the page's, so that the trial waits less. */
export const ARCHIVE_TIMEOUT_S = 10;

const FILLING: Settings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  shared_buffers: '1GB',
};

export type Backups = {
  readonly programs: string;
  readonly port: number;
  /** The base backup, and the archive of the log. */
  readonly base: string;
  readonly archive: string;
  readonly dumpFile: string;
};

/** The first server while it is filled: nothing of it must be safe yet. */
export function startFilling({ programs, port }: Backups, dataDir: string): Promise<SystemPostgres> {
  return startSystemPostgres({ programs, dataDir, port, settings: FILLING });
}

/** The first server, which archives its log. */
export function startArchiving({ programs, port, archive }: Backups, dataDir: string): Promise<SystemPostgres> {
  makeOwn(programs, archive);
  return serve({ programs, dataDir, port, settings: settingsOfPage('archive', archive) });
}

export async function takeBaseBackup({ programs, base }: Backups, { superuserUrl }: SystemPostgres): Promise<void> {
  makeOwn(programs, base);
  const { port, hostname, username } = new URL(superuserUrl);
  const server = ['--host', hostname, '--port', port, '--username', username];
  await runAsOwner(programs, join(programs, 'pg_basebackup'), [...server, '--pgdata', base, '--checkpoint', 'fast']);
  await runAsOwner(programs, join(programs, 'pg_verifybackup'), [base]);
  await withClient(superuserUrl, (client) => client.query(`select task_finished('backup')`));
}

/** The base backup in a new directory, with the archived log up to `moment`, or to its end. It archives too. */
export async function restoreArchive(backups: Backups, dataDir: string, moment?: string): Promise<SystemPostgres> {
  const { programs, port, base, archive } = backups;
  makeOwn(programs, dataDir);
  await runAsOwner(programs, '/bin/cp', ['-a', `${base}/.`, dataDir]);
  writeFileSync(join(dataDir, 'recovery.signal'), '');
  const settings = {
    ...settingsOfPage('archive', archive),
    ...settingsOfPage('restore', archive),
    recovery_target_time: moment ?? '',
  };
  return serve({ programs, dataDir, port, settings });
}

/** Archives the log so far, before a server is given up that still runs. */
export async function archiveAll({ archive }: Backups, { superuserUrl }: SystemPostgres): Promise<void> {
  const file: string = await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as file');
    return rows[0].file;
  });
  await eventually(() => existsSync(join(archive, file)));
}

export async function dump({ programs, dumpFile }: Backups, { superuserUrl }: SystemPostgres): Promise<void> {
  rmSync(dumpFile, { force: true });
  await runAsOwner(programs, join(programs, 'pg_dump'), ['--format=custom', `--file=${dumpFile}`, superuserUrl]);
}

/** A dump does not contain roles, but its grants name them, so the owner creates them first. */
export async function restoreDump({ programs, port, dumpFile }: Backups, dataDir: string): Promise<SystemPostgres> {
  const server = await startSystemPostgres({ programs, dataDir, port });
  await withClient(server.ownerUrl, (client) =>
    client.query('create role escrow_api login; create role escrow_worker login'),
  );
  const args = ['--exit-on-error', `--dbname=${server.superuserUrl}`, dumpFile];
  await runAsOwner(programs, join(programs, 'pg_restore'), args);
  return server;
}

/** The settings in a block of the page, with `archive` as the directory that the page calls /archive. */
function settingsOfPage(block: 'archive' | 'restore', archive: string): Settings {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const text = blocks.find(([, language, lines = '']) => language === 'ini' && lines.includes(`${block}_command`))?.[2];
  if (text === undefined) throw new Error(`the page has no block with ${block}_command`);
  const lines = [...text.matchAll(/^\s*(\w+) = '(.*)'$/gm)];
  const settings = lines.map(([, name = '', value = '']) => [name, value.replaceAll('/archive/', `${archive}/`)]);
  return { ...Object.fromEntries(settings), ...(block === 'archive' ? { archive_timeout: ARCHIVE_TIMEOUT_S } : {}) };
}
