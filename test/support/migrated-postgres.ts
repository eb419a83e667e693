import { randomBytes } from 'node:crypto';
import { migrate } from '../../src/db/migrations/migrate.ts';
import type { Child } from '../../src/sandbox/stack/child.ts';
import { ensureDatabase, startPostgres } from '../../src/sandbox/stack/postgres.ts';
import { addressFor, SUPERUSER, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { anyFreePort } from './ports.ts';

export type MigratedPostgres = {
  readonly child: Child;
  /** The database's address for the schema's owner. */
  readonly ownerUrl: string;
  readonly superuserPassword: string;
  readonly apiPassword: string;
  readonly workerPassword: string;
};

/** A separate PostgreSQL in `dataDir`, started with the code of `npm start`, with one migrated database. */
export async function startMigratedPostgres(dataDir: string, database: string): Promise<MigratedPostgres> {
  const passwords = {
    superuserPassword: newPassword(),
    apiPassword: newPassword(),
    workerPassword: newPassword(),
  };
  const postgres = await startPostgres({
    dataDir,
    port: await anyFreePort(),
    superuserPassword: passwords.superuserPassword,
    ownerPassword: newPassword(),
  });
  const ownerUrl = postgres.ownerUrl(database);
  await ensureDatabase(postgres.ownerUrl('postgres'), database);
  await forgetOnPowerLoss(postgres.ownerUrl('postgres'), passwords.superuserPassword);
  await migrate({ databaseUrl: ownerUrl, ...passwords, isProduction: false });
  return { child: postgres.child, ownerUrl, ...passwords };
}

/**
 * The databases of tests need not survive a loss of power, so the server does not wait for the disk. This costs most on machines
 * with slow disks: each commit, and each database that is created or dropped, otherwise waits. The server still survives
 * `kill -9`.
 */
async function forgetOnPowerLoss(ownerUrl: string, superuserPassword: string): Promise<void> {
  await withClient(addressFor(ownerUrl, { user: SUPERUSER, password: superuserPassword }), async (client) => {
    for (const setting of ['fsync', 'full_page_writes']) await client.query(`alter system set ${setting} = off`);
    await client.query('select pg_reload_conf()');
  });
}

function newPassword(): string {
  return randomBytes(18).toString('base64url');
}
