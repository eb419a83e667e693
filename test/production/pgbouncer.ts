import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../../src/sandbox/stack/child.ts';
import { anyFreePort, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { addressFor, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { postgresRunner } from '../../src/sandbox/stack/postgres-user.ts';
import { killableServer, type Passwords, type Store, startEmbeddedStore } from '../chaos/servers.ts';
import { eventually } from '../support/eventually.ts';

/** PostgreSQL behind the system's PgBouncer, as docs/scaling.md describes it. */

const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/usr/bin/pgbouncer'];
const READY_MS = 10_000;

/** Sessions for each role of the service. Few enough that its processes have to share them. */
export const SESSIONS = 4;

export function findPgBouncer(): { readonly program: string; readonly version: string } {
  const program = PROGRAMS.find((path) => spawnSync(path, ['--version']).status === 0);
  if (program === undefined) throw new Error('There is no PgBouncer on this machine: apt-get install pgbouncer.');
  const [first = ''] = execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n');
  return { program, version: first };
}

export async function startPooledStore(dataDir: string, passwords: Passwords): Promise<Store> {
  const direct = await startEmbeddedStore(dataDir, passwords);
  const port = await anyFreePort();
  const { program } = findPgBouncer();
  const users = join(dataDir, 'pgbouncer-users.txt');
  const settings = join(dataDir, 'pgbouncer.ini');
  writeFileSync(users, `"escrow_api" "${passwords.api}"\n"escrow_worker" "${passwords.worker}"\n`, { mode: 0o600 });
  const { hostname, port: postgresPort } = new URL(direct.ownerUrl);
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${postgresPort}`,
    '[pgbouncer]',
    `listen_addr = ${LOOPBACK}`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${SESSIONS}`,
    'max_client_conn = 200',
    'server_login_retry = 1',
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`, { mode: 0o600 });
  const pooledUrl = (user: string, password: string) => {
    const url = new URL(addressFor(direct.ownerUrl, { user, password }));
    url.port = String(port);
    return url.href;
  };
  const start = async () => {
    const runner = postgresRunner([program, dataDir]);
    const { command, args } = runner.wrap(program, [settings]);
    const child = startChild({ name: 'pgbouncer', command, args, dataDir, stopSignal: 'SIGINT', user: runner.user });
    await eventually(() => {
      if (child.ending() !== undefined) throw new Error(`PgBouncer ended: ${child.lastLines().join('\n')}`);
      return withClient(pooledUrl('escrow_api', passwords.api), async () => true).catch(() => false);
    }, READY_MS).catch(() => undefined); // before the migration the roles do not exist
    return child;
  };
  const pooler = killableServer('PgBouncer', dataDir, await start(), start);
  return {
    ownerUrl: direct.ownerUrl,
    addressesFor: (user, password) => ({
      DATABASE_URL: pooledUrl(user, password),
      DATABASE_DIRECT_URL: addressFor(direct.ownerUrl, { user, password }),
    }),
    servers: [...direct.servers, pooler],
  };
}
