import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessRole } from '../../src/config/role.ts';
import type { Child } from '../../src/sandbox/stack/child.ts';
import { lockDirectory } from '../../src/sandbox/stack/lock.ts';
import { anyFreePort } from '../../src/sandbox/stack/ports.ts';
import { ensureDatabase, startPostgres } from '../../src/sandbox/stack/postgres.ts';
import { addressFor } from '../../src/sandbox/stack/postgres-client.ts';
import { EMBEDDED_NAMESPACE, startTemporal } from '../../src/sandbox/stack/temporal.ts';
import { findTemporalProgram } from '../../src/sandbox/stack/temporal-program.ts';
import { eventually } from '../support/eventually.ts';
import { RoleProcess } from '../support/role-process.ts';

/** The service as in production, on servers of its own: every part is a process that can be killed and started again. */

const START_MS = 120_000;
export const DATABASE = 'escrow';

/** A process that can be killed. */
export type Victim = {
  readonly name: string;
  /** Kills it with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Resolves when it runs again. */
  readonly restart: () => Promise<void>;
};

export type World = {
  readonly apiUrl: string;
  readonly ownerUrl: string;
  /** The environment of a role with the rights of a worker. */
  readonly workerEnvironment: Readonly<Record<string, string>>;
  readonly migrationEnvironment: Readonly<Record<string, string>>;
  readonly victims: readonly Victim[];
  /** Kills everything at the same moment. */
  readonly killAndRestartAll: () => Promise<void>;
  /** Processes that ended without being killed. */
  readonly unasked: readonly string[];
  readonly stop: () => Promise<void>;
};

export type Passwords = {
  readonly superuser: string;
  readonly owner: string;
  readonly api: string;
  readonly worker: string;
};

/** What the service stores its rows in: PostgreSQL, and what is in front of it. */
export type Store = {
  /** PostgreSQL itself, as the owner of the schema. */
  readonly ownerUrl: string;
  /** The variables with the addresses of a role of the service. */
  readonly addressesFor: (user: string, password: string) => Record<string, string>;
  readonly servers: readonly Server[];
};

/** A part of the world that is not one of the service's processes. */
export type Server = Victim & { readonly stop: () => Promise<void> };

export async function startWorld(
  dataDir: string,
  bundleFile: string,
  startStore: (dataDir: string, passwords: Passwords) => Promise<Store> = startEmbeddedStore,
): Promise<World> {
  const lock = lockDirectory(dataDir);
  const [temporalPort, apiPort] = [await anyFreePort(), await anyFreePort()];
  const secrets = { superuser: secret(), owner: secret(), api: secret(), worker: secret() };
  const unasked: string[] = [];

  const program = await findTemporalProgram({ env: process.env, progress: (line) => console.error(line) });
  const startClockwork = () =>
    startTemporal({
      program,
      dataDir,
      port: temporalPort,
      uiPort: null,
      databaseFile: join(dataDir, 'temporal.db'),
    });

  const store = await startStore(dataDir, secrets);
  const { ownerUrl } = store;
  const clockwork = await startClockwork();

  const common = {
    TEMPORAL_ADDRESS: clockwork.address,
    TEMPORAL_NAMESPACE: EMBEDDED_NAMESPACE,
    FIELD_ENCRYPTION_KEYS: `chaos:${randomBytes(32).toString('base64')}`,
    JWT_SECRET: secret() + secret(),
    PORT: String(apiPort),
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_COMPANY_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
    WORKFLOW_BUNDLE: bundleFile,
  };
  const migrationEnvironment = {
    ...common,
    DATABASE_URL: ownerUrl,
    DATABASE_API_PASSWORD: secrets.api,
    DATABASE_WORKER_PASSWORD: secrets.worker,
    PLATFORM_ADMIN_EMAIL: 'platform@chaos.example',
    PLATFORM_ADMIN_PASSWORD: secret(),
  };
  const migrate = RoleProcess.start('migrate', migrationEnvironment);
  if ((await migrate.exitCode) !== 0) throw new Error(`migrate failed: ${migrate.output}`);
  const environmentOf = (user: 'api' | 'worker') => ({
    ...common,
    ...store.addressesFor(`escrow_${user}`, secrets[user]),
  });

  const workerEnvironment = environmentOf('worker');
  const victims = [
    ...store.servers,
    killableServer('Temporal', dataDir, clockwork.child, async () => (await startClockwork()).child),
    await role('worker', 'The worker polls', workerEnvironment),
    await role('api', 'The API answers', environmentOf('api')),
  ];
  return {
    apiUrl: `http://127.0.0.1:${apiPort}`,
    ownerUrl,
    workerEnvironment,
    migrationEnvironment,
    victims,
    async killAndRestartAll() {
      await Promise.all(victims.map((victim) => victim.kill()));
      for (const victim of victims) await victim.restart();
    },
    unasked,
    stop: async () => {
      for (const victim of victims.toReversed()) await victim.stop();
      lock.release();
    },
  };

  async function role(name: ProcessRole & ('api' | 'worker'), readyWord: string, env: Record<string, string>) {
    const start = async () => {
      const started = RoleProcess.start(name, env);
      let isKilled = false;
      void started.exitCode.then((code) => {
        if (!isKilled) unasked.push(`the ${name} ended by itself (exit code ${code}): ${started.output.slice(-500)}`);
      });
      const expectEnd = () => {
        isKilled = true;
      };
      await started.says(readyWord, START_MS);
      return { started, expectEnd };
    };
    let running = await start();
    return {
      name,
      kill: async () => {
        running.expectEnd();
        await running.started.kill();
      },
      restart: async () => {
        running = await start();
      },
      stop: async () => {
        running.expectEnd();
        running.started.signal('SIGTERM');
        await running.started.exitCode;
      },
    };
  }
}

/** PostgreSQL from npm, without anything in front of it. */
export async function startEmbeddedStore(dataDir: string, passwords: Passwords): Promise<Store> {
  const port = await anyFreePort();
  const start = () =>
    startPostgres({ dataDir, port, superuserPassword: passwords.superuser, ownerPassword: passwords.owner });
  const database = await start();
  await ensureDatabase(database.ownerUrl('postgres'), DATABASE);
  const ownerUrl = database.ownerUrl(DATABASE);
  return {
    ownerUrl,
    addressesFor: (user, password) => ({ DATABASE_URL: addressFor(ownerUrl, { user, password }) }),
    servers: [killableServer('PostgreSQL', dataDir, database.child, async () => (await start()).child)],
  };
}

/** A server that can be started again at the same address, after it was killed. */
export function killableServer(name: string, dataDir: string, first: Child, restart: () => Promise<Child>): Server {
  let child = first;
  return {
    name,
    kill: () => killServer(dataDir, child),
    restart: async () => {
      // A new database waits until the last session of the one before it has noticed.
      child = await eventually(() => restart().catch(() => undefined), START_MS);
    },
    stop: () => child.stop(),
  };
}

/** Kills a server with all its processes, and waits for its end. */
export async function killServer(dataDir: string, child: Child): Promise<void> {
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'run', `${child.name}.json`), 'utf8'));
  process.kill(-pid, 'SIGKILL');
  await child.exited;
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}
