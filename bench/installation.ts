import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { lockDirectory } from '../src/sandbox/stack/lock.ts';
import { anyFreePort } from '../src/sandbox/stack/ports.ts';
import { ensureDatabase, startPostgres } from '../src/sandbox/stack/postgres.ts';
import { addressFor } from '../src/sandbox/stack/postgres-client.ts';
import { bundleWorkflows } from '../src/worker/workflow-bundle.ts';
import { installedEnvironment, secret } from '../test/production/installed-environment.ts';
import { startTemporalOnPostgres } from '../test/production/temporal-server.ts';
import { RoleProcess, startRole } from '../test/support/role-process.ts';

/**
 * The processes of docker-compose.yml: PostgreSQL, the Temporal server on it (built with Go the first time), and the service's roles
 * with random secrets. The addresses of providers lead nowhere.
 */

const DATABASE = 'escrow';
const NAMESPACE = 'escrow';

/** The address at which a process reaches a server, which may be a proxy's. */
type Way = (url: string) => string;

export type Installation = {
  readonly ownerUrl: string;
  /** Starts an API at a free port, which it returns. `through` is the way to the database. */
  readonly startApi: (through?: Way) => Promise<{ readonly port: number; readonly pid: number }>;
  readonly startWorker: (through?: Way) => Promise<{ readonly pid: number }>;
  /** Ends all processes, in order. */
  readonly stop: () => Promise<void>;
};

/** Runs `work` on an installation with temporary data and without limits of rates. `more` adds to the environment of every role. */
export async function withInstallation<T>(
  work: (installation: Installation) => Promise<T>,
  more: Record<string, string> = {},
): Promise<T> {
  if (process.platform !== 'linux') throw new Error('this reads /proc, which only Linux has');
  const dataDir = mkdtempSync(join(tmpdir(), 'escrow-bench-'));
  const lock = lockDirectory(dataDir);
  const installation = await startInstallation(dataDir, {
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_COMPANY_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
    ...more,
  });
  try {
    return await work(installation);
  } finally {
    await installation.stop();
    lock.release();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** `more` adds to the environment of every role, or replaces what is there. `dataDir` must be locked by this process. */
async function startInstallation(dataDir: string, more: Record<string, string>): Promise<Installation> {
  const servers: { readonly stop: () => Promise<void> }[] = [];
  const roles: RoleProcess[] = [];
  const stop = async () => {
    for (const role of roles) role.signal('SIGTERM');
    for (const role of roles) await role.exitCode;
    for (const server of servers.toReversed()) await server.stop();
  };
  try {
    const bundleFile = join(dataDir, 'workflows.js');
    writeFileSync(bundleFile, (await bundleWorkflows(new DefaultLogger('WARN'))).code);
    const secrets = { superuser: secret(), owner: secret(), api: secret(), worker: secret() };

    console.log('Starting PostgreSQL …');
    const database = await startPostgres({
      dataDir,
      port: await anyFreePort(),
      superuserPassword: secrets.superuser,
      ownerPassword: secrets.owner,
    });
    servers.push(database.child);
    await ensureDatabase(database.ownerUrl('postgres'), DATABASE);
    const ownerUrl = database.ownerUrl(DATABASE);

    console.log('Starting Temporal on it …');
    const temporal = await startTemporalOnPostgres({
      dataDir,
      databaseUrl: database.ownerUrl('postgres'),
      namespace: NAMESPACE,
    });
    servers.push(temporal);

    const environment = { TEMPORAL_ADDRESS: temporal.address, WORKFLOW_BUNDLE: bundleFile };
    const common = { ...roleEnvironment(), ...environment, ...more };
    const urlOf = (user: 'api' | 'worker') => addressFor(ownerUrl, { user: `escrow_${user}`, password: secrets[user] });
    await migrate({
      ...common,
      DATABASE_URL: ownerUrl,
      DATABASE_API_PASSWORD: secrets.api,
      DATABASE_WORKER_PASSWORD: secrets.worker,
    });
    const start = async (role: 'api' | 'worker', readyWord: string, through: Way = String, env = {}) => {
      const started = await startRole(role, readyWord, { ...common, DATABASE_URL: through(urlOf(role)), ...env });
      roles.push(started);
      return started.pid;
    };
    return {
      ownerUrl,
      startApi: async (through) => {
        const port = await anyFreePort();
        return { port, pid: await start('api', 'The API answers', through, { PORT: String(port) }) };
      },
      startWorker: async (through) => ({ pid: await start('worker', 'The worker polls', through) }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function roleEnvironment(): Record<string, string> {
  return {
    ESCROW_ENVIRONMENT: 'test', // registration is open
    ...installedEnvironment(NAMESPACE),
  };
}

async function migrate(env: Record<string, string>): Promise<void> {
  const role = RoleProcess.start('migrate', env);
  const code = await role.exitCode;
  console.log(role.output.trim());
  if (code !== 0) throw new Error('migrate failed');
}
