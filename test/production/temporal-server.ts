import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { type Child, type ChildSpec, startChild } from '../../src/sandbox/stack/child.ts';
import { isPortFree, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { cacheDirectory } from '../../src/sandbox/stack/temporal-program.ts';
import { killableServer, type Server } from '../chaos/servers.ts';
import { eventually } from '../support/eventually.ts';
import { startLoadBalancer } from './load-balancer.ts';

/**
 * The Temporal server that production runs, on PostgreSQL: one process, as in docker-compose.yml, or a cluster of several, as
 * docs/scaling.md describes it.
 */

export const SERVER_VERSION = 'v1.31.2';
const MODULES = ['go.temporal.io/server/cmd/server', 'go.temporal.io/server/cmd/tools/sql'];
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
type Service = (typeof SERVICES)[number];
const READY_MS = 120_000;
const RETENTION = '720 hours';

/** The processes of a cluster, by the services that each runs. */
export type Layout = {
  readonly historyShards: number;
  /** How many connections each process has to each of the two databases. */
  readonly connections: number;
  readonly nodes: Readonly<Record<string, readonly Service[]>>;
  /** Dynamic configuration. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
};

/** A worker that is stopped waits for what Temporal gives it at that moment. Otherwise such a task waits for its timeout. */
export const SETTINGS = { 'frontend.enableCancelWorkerPollsOnShutdown': true } as const;

export const ONE_PROCESS: Layout = {
  historyShards: 4,
  connections: 20,
  nodes: { temporal: SERVICES },
  settings: SETTINGS,
};

type Programs = { readonly server: string; readonly sql: string };

export type TemporalOptions = {
  readonly dataDir: string;
  /** Connects as a role that may create databases. */
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly layout?: Layout;
};

export type TemporalOnPostgres = {
  /** A frontend, or the load balancer in front of several. */
  readonly address: string;
  /** The processes, each of which can be killed and started again at its address. */
  readonly nodes: readonly Server[];
  readonly stop: () => Promise<void>;
};

export async function startTemporalOnPostgres(options: TemporalOptions): Promise<TemporalOnPostgres> {
  const { dataDir, databaseUrl, namespace, layout = ONE_PROCESS } = options;
  const programs = buildPrograms();
  makeSchemas(programs, databaseUrl);
  const planned: { name: string; services: readonly Service[]; port: number }[] = [];
  for (const [name, services] of Object.entries(layout.nodes))
    planned.push({ name, services, port: await lowFreePort() });
  const values = Object.entries(layout.settings ?? {}).map(([key, value]) => [key, [{ value }]]);
  const settingsFile = join(dataDir, 'temporal-settings.json');
  writeFileSync(settingsFile, JSON.stringify(Object.fromEntries(values), null, 2));
  const frontends = planned.filter(({ services }) => services.includes('frontend')).map(({ port }) => port);
  const balancer = frontends.length === 1 ? undefined : await startLoadBalancer(frontends);
  const address = balancer === undefined ? `${LOOPBACK}:${frontends[0]}` : new URL(balancer.url).host;
  const startPlanned = async ({ name, services, port }: (typeof planned)[number]) => {
    const configFile = join(dataDir, `${name}.json`); // YAML takes JSON
    const config = {
      ...(await configuration(databaseUrl, layout, services, port, address)),
      dynamicConfigClient: { filepath: settingsFile, pollInterval: '10s' },
    };
    writeFileSync(configFile, JSON.stringify(config, null, 2), { mode: 0o600 });
    const isReady = () =>
      services.includes('frontend')
        ? registerNamespace(`${LOOPBACK}:${port}`, namespace)
        : isPortFree(port).then((isFree) => !isFree);
    const roles = services.map((service) => `--service=${service}`);
    const start = () =>
      startNode(isReady, {
        name,
        command: programs.server,
        args: ['--config-file', configFile, '--allow-no-auth', 'start', ...roles],
        dataDir,
        stopSignal: 'SIGTERM',
      });
    return killableServer(name, dataDir, await start(), start);
  };
  // Temporal writes the cluster's metadata at the first start. Two processes that do it at once conflict, and one ends.
  const nodes = await Promise.all(planned.slice(0, 1).map(startPlanned));
  nodes.push(...(await Promise.all(planned.slice(1).map(startPlanned))));
  return {
    address,
    nodes,
    async stop() {
      balancer?.stop();
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

async function startNode(isReady: () => Promise<boolean>, spec: ChildSpec): Promise<Child> {
  const child = startChild(spec);
  try {
    await eventually(() => {
      if (child.ending() !== undefined) throw new Error(`Temporal ended: ${child.lastLines().at(-1)?.slice(0, 500)}`);
      return isReady();
    }, READY_MS);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return child;
}

/** Built once per machine, into the cache of the embedded stack. */
function buildPrograms(): Programs {
  const directory = join(dirname(cacheDirectory(process.env)), `temporal-server-${SERVER_VERSION}`);
  const programs = { server: join(directory, 'server'), sql: join(directory, 'sql') };
  if (existsSync(programs.server) && existsSync(programs.sql)) return programs;
  console.log(`Building the Temporal server ${SERVER_VERSION} with Go, once; this takes minutes …`);
  mkdirSync(directory, { recursive: true });
  for (const module of MODULES)
    execFileSync('go', ['install', `${module}@${SERVER_VERSION}`], {
      env: { ...process.env, GOBIN: directory },
      stdio: 'inherit',
    });
  return programs;
}

function makeSchemas({ sql }: Programs, databaseUrl: string): void {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const tool = (database: string, ...command: string[]) => {
    const { status, stdout, stderr } = spawnSync(sql, ['--database', database, ...command], {
      encoding: 'utf8',
      env: {
        SQL_PLUGIN: 'postgres12',
        SQL_HOST: hostname,
        SQL_PORT: port,
        SQL_USER: username,
        SQL_PASSWORD: decodeURIComponent(password),
      },
    });
    if (status !== 0) throw new Error(`temporal-sql-tool ${command[0]} ${database}: ${stdout}${stderr}`);
  };
  for (const [database, schema] of [
    ['temporal', 'postgresql/v12/temporal'],
    ['temporal_visibility', 'postgresql/v12/visibility'],
  ] as const) {
    tool(database, 'create-database');
    tool(database, 'setup-schema', '--version', '0.0');
    tool(database, 'update-schema', '--schema-name', schema);
  }
}

/** Each process has ports of its own, also for the services that it does not run. Processes find each other in the database. */
async function configuration(
  databaseUrl: string,
  { historyShards, connections }: Layout,
  own: readonly Service[],
  firstPort: number,
  rpcAddress: string,
): Promise<object> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const store = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `${hostname}:${port}`,
      connectProtocol: 'tcp',
      user: username,
      password: decodeURIComponent(password),
      maxConns: connections,
      maxIdleConns: connections,
      maxConnLifetime: '1h',
    },
  });
  const services: Record<string, object> = {};
  for (const service of SERVICES) {
    const grpcPort = service === own[0] ? firstPort : await lowFreePort();
    services[service] = { rpc: { grpcPort, membershipPort: await lowFreePort(), bindOnLocalHost: true } };
  }
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: historyShards,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: { default: store('temporal'), visibility: store('temporal_visibility') },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: LOOPBACK } },
    services,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcAddress } },
    },
  };
}

/** Temporal stores its members' ports as smallint, so they must not exceed 32,767. Systems assign higher ones. */
async function lowFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isPortFree(port)) return port;
  }
  throw new Error('no port below 32768 is free');
}

/** True once the namespace exists and can be used. */
async function registerNamespace(address: string, namespace: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: 2_000 });
    const { workflowService } = connection;
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(RETENTION) })
      .catch((error: unknown) => {
        if (!isGrpcServiceError(error) || error.code !== 6) throw error; // it was there
      });
    await workflowService.listOpenWorkflowExecutions({ namespace });
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}
