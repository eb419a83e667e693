import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import type { ProcessRole } from '../../src/config/role.ts';
import { lockDirectory } from '../../src/sandbox/stack/lock.ts';
import { anyFreePort } from '../../src/sandbox/stack/ports.ts';
import { ensureDatabase, startPostgres } from '../../src/sandbox/stack/postgres.ts';
import { addressFor } from '../../src/sandbox/stack/postgres-client.ts';
import { bundleWorkflows } from '../../src/worker/workflow-bundle.ts';
import { killableServer, type Victim } from '../chaos/servers.ts';
import { type Build, incompatible } from '../support/releases.ts';
import { MAIN, RoleProcess, startRole } from '../support/role-process.ts';
import { fieldKeyText, installedEnvironment, secret } from './installed-environment.ts';
import { startLoadBalancer } from './load-balancer.ts';
import { type Layout, startTemporalOnPostgres } from './temporal-server.ts';

/**
 * The installation of docker-compose.yml as processes: PostgreSQL, the Temporal server on it (as one process, or as a cluster), two APIs
 * behind a load balancer and two workers, all with ESCROW_ENVIRONMENT=production and random secrets. Of the outside world only the addresses exist: they are
 * names that lead nowhere, because production takes no sandbox.
 */

const DATABASE = 'escrow';
const NAMESPACE = 'escrow';

export type Installation = {
  /** The load balancer's address. */
  readonly apiUrl: string;
  readonly ownerUrl: string;
  /** Reaches Temporal with the rights of a worker. */
  readonly temporal: { readonly temporalAddress: string; readonly temporalNamespace: string };
  /** Every process of the installation. */
  readonly victims: readonly Victim[];
  /** Those of Temporal. */
  readonly temporalNodes: readonly Victim[];
  /** Starts two workers of a build, makes it current, moves all runs to it, and drains the workers of the build before. */
  release(build: Build): Promise<void>;
  /** Runs the migrations of a build. */
  migrate(build: Build): Promise<void>;
  /** Stops each API as a deployment does, and starts it again with the code of `build`, one after the other. */
  restartApis(build: Build): Promise<void>;
  /** Replaces the key of stored fields by the steps of docs/operations/secrets.md, while processes of `build` work. */
  rotateKeys(build: Build): Promise<void>;
  /** Processes that ended without being asked to. */
  readonly unasked: readonly string[];
  stop(): Promise<void>;
};

export type InstallationOptions = {
  readonly layout?: Layout;
  /** The directory with the code of the builds, as the image has it. By default it is this code. */
  readonly root?: string;
  /** The directory with the code of build 2. By default it is this code, with other steps in its workflows. */
  readonly next?: string;
};

export async function startInstallation(
  dataDir: string,
  { layout, root, next }: InstallationOptions = {},
): Promise<Installation> {
  const lock = lockDirectory(dataDir);
  const bundles = { '1': join(dataDir, '1.js'), '2': join(dataDir, '2.js') };
  if (root === undefined) writeFileSync(bundles['1'], (await bundleWorkflows(new DefaultLogger('WARN'))).code);
  else copyFileSync(join(root, 'dist/workflows.js'), bundles['1']);
  if (next === undefined) writeFileSync(bundles['2'], incompatible(readFileSync(bundles['1'], 'utf8')));
  else execFileSync(process.execPath, ['src/scripts/bundle-workflows.ts', bundles['2']], { cwd: next });
  const main = root === undefined ? MAIN : join(root, 'src/main.ts');
  const mains = { '1': main, '2': next === undefined ? main : join(next, 'src/main.ts') };
  const secrets = { superuser: secret(), owner: secret(), api: secret(), worker: secret() };
  const unasked: string[] = [];

  console.log('Starting PostgreSQL …');
  const port = await anyFreePort();
  const startDatabase = () =>
    startPostgres({ dataDir, port, superuserPassword: secrets.superuser, ownerPassword: secrets.owner });
  const database = await startDatabase();
  await ensureDatabase(database.ownerUrl('postgres'), DATABASE);
  const ownerUrl = database.ownerUrl(DATABASE);

  console.log('Starting Temporal on it …');
  const temporal = await startTemporalOnPostgres({
    dataDir,
    databaseUrl: database.ownerUrl('postgres'),
    namespace: NAMESPACE,
    ...(layout === undefined ? {} : { layout }),
  });
  const postgres = killableServer('PostgreSQL', dataDir, database.child, async () => (await startDatabase()).child);

  const common = {
    ...productionEnvironment(),
    FIELD_ENCRYPTION_KEYS: fieldKeyText('first'),
    TEMPORAL_ADDRESS: temporal.address,
  };
  const urlOf = (user: 'api' | 'worker') => addressFor(ownerUrl, { user: `escrow_${user}`, password: secrets[user] });
  const workerEnvironment = (build: Build) => ({
    ...common,
    DATABASE_URL: urlOf('worker'),
    WORKFLOW_BUNDLE: bundles[build],
    TEMPORAL_BUILD_ID: build,
  });
  const migrate = (build: Build) =>
    runToItsEnd(
      'migrate',
      {
        ...common,
        DATABASE_URL: ownerUrl,
        DATABASE_API_PASSWORD: secrets.api,
        DATABASE_WORKER_PASSWORD: secrets.worker,
      },
      mains[build],
    );
  const release = (build: Build) => runToItsEnd('release', { ...common, TEMPORAL_BUILD_ID: build }, mains[build]);
  await migrate('1');

  console.log('Starting two workers and two APIs …');
  const apiPorts = [await anyFreePort(), await anyFreePort()];
  const startWorkers = (build: Build) =>
    Promise.all(
      [1, 2].map((number) =>
        role(
          'worker',
          `worker ${number}`,
          'The worker polls',
          () => workerEnvironment(build),
          () => mains[build],
        ),
      ),
    );
  let workers = await startWorkers('1');
  await release('1');
  let apiBuild: Build = '1';
  const apis = await Promise.all(
    apiPorts.map((apiPort, index) =>
      role(
        'api',
        `API ${index + 1}`,
        'The API answers',
        () => ({ ...common, DATABASE_URL: urlOf('api'), PORT: String(apiPort) }),
        () => mains[apiBuild],
      ),
    ),
  );
  const balancer = await startLoadBalancer(apiPorts);
  const replaceWorkers = async (build: Build, meanwhile?: () => Promise<void>) => {
    const before = workers;
    workers = await startWorkers(build);
    await meanwhile?.();
    await Promise.all(before.map((worker) => worker.stop()));
  };
  const restartApis = async (build: Build) => {
    apiBuild = build;
    for (const api of apis) {
      await api.stop();
      await api.restart();
    }
  };

  return {
    apiUrl: balancer.url,
    ownerUrl,
    get victims() {
      return [...apis, ...workers, postgres, ...temporal.nodes];
    },
    temporal: { temporalAddress: temporal.address, temporalNamespace: NAMESPACE },
    temporalNodes: temporal.nodes,
    release: (build) => replaceWorkers(build, () => release(build)),
    migrate,
    restartApis,
    async rotateKeys(build) {
      const [before, after] = [common.FIELD_ENCRYPTION_KEYS, fieldKeyText('second')];
      const useKeys = async (keys: string) => {
        common.FIELD_ENCRYPTION_KEYS = keys;
        await replaceWorkers(build);
        await restartApis(build);
      };
      await useKeys(`${before},${after}`); // all processes read what some of them will write with the new key
      await useKeys(`${after},${before}`);
      await runToItsEnd('rotate-keys', { ...common, DATABASE_URL: ownerUrl }, mains[build]);
      await useKeys(after);
    },
    unasked,
    async stop() {
      balancer.stop();
      await Promise.all([...apis, ...workers].map((one) => one.stop()));
      await temporal.stop();
      await postgres.stop();
      lock.release();
    },
  };

  async function role(
    kind: ProcessRole & ('api' | 'worker'),
    name: string,
    readyWord: string,
    env: () => Record<string, string>,
    main: () => string,
  ) {
    const start = async () => {
      const started = await startRole(kind, readyWord, env(), main());
      const state = { started, isAsked: false };
      void started.exitCode.then((code) => {
        if (!state.isAsked) unasked.push(`${name} ended by itself (exit code ${code}): ${started.output.slice(-500)}`);
      });
      return state;
    };
    let running = await start();
    return {
      name,
      kill: async () => {
        running.isAsked = true;
        await running.started.kill();
      },
      restart: async () => {
        running = await start();
      },
      stop: async () => {
        running.isAsked = true;
        running.started.signal('SIGTERM');
        const code = await running.started.exitCode;
        if (code !== 0 && code !== null) unasked.push(`${name} stopped with exit code ${code}`);
      },
    };
  }
}

async function runToItsEnd(
  role: ProcessRole & ('migrate' | 'release' | 'rotate-keys'),
  env: Record<string, string>,
  main: string,
): Promise<void> {
  const process = RoleProcess.start(role, env, main);
  const code = await process.exitCode;
  console.log(process.output.trim());
  if (code !== 0) throw new Error(`${role} failed`);
}

function productionEnvironment(): Record<string, string> {
  return {
    ESCROW_ENVIRONMENT: 'production',
    BASE_URL: 'https://escrow.invalid', // what terminates TLS in front of it
    COMPANY_REGISTRATION: 'open', // the clients register a company
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_COMPANY_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
    ...installedEnvironment(NAMESPACE),
  };
}
