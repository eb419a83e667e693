import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Child } from '../../src/sandbox/stack/child.ts';
import { startPostgres } from '../../src/sandbox/stack/postgres.ts';
import { addressFor, SUPERUSER, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import type { MigratedPostgres } from './migrated-postgres.ts';
import { anyFreePort } from './ports.ts';

export type Replica = {
  readonly child: Child;
  /** The address of the same database and role on the replica. */
  via(databaseUrl: string): string;
};

/**
 * A streaming replica of `primary`, whose data is in `primaryDir`. The embedded PostgreSQL has no pg_basebackup: the files are copied
 * between pg_backup_start and pg_backup_stop.
 */
export async function startReplica(primary: MigratedPostgres, primaryDir: string, dataDir: string): Promise<Replica> {
  const superuserUrl = addressFor(primary.ownerUrl, { user: SUPERUSER, password: primary.superuserPassword });
  const data = join(dataDir, 'postgres');
  mkdirSync(dataDir, { recursive: true });
  const label = await withClient(superuserUrl, async (client) => {
    await client.query(`select pg_backup_start('replica', true)`);
    await promisify(execFile)('cp', ['-a', join(primaryDir, 'postgres'), data]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    return rows[0]?.labelfile ?? '';
  });
  const { uid, gid } = statSync(data);
  rmSync(join(data, 'postmaster.pid'), { force: true });
  for (const [name, content] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
    writeFileSync(join(data, name), content, { mode: 0o600 });
    chownSync(join(data, name), uid, gid);
  }
  const { hostname, port } = new URL(primary.ownerUrl);
  const source = `host=${hostname} port=${port} user=${SUPERUSER} password=${primary.superuserPassword}`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  const replicaPort = await anyFreePort();
  const { superuserPassword } = primary;
  const { child } = await startPostgres({ dataDir, port: replicaPort, superuserPassword, ownerPassword: '' });
  return {
    child,
    via(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(replicaPort);
      return url.href;
    },
  };
}
