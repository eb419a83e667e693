import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { type Child, startChild } from '../../src/sandbox/stack/child.ts';
import { isPortFree, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { cacheDirectory } from '../../src/sandbox/stack/temporal-program.ts';
import { eventually } from '../support/eventually.ts';

/** The Temporal server that production runs, on PostgreSQL; docker-compose.yml has the same as containers. */

export const SERVER_VERSION = 'v1.31.2';
const MODULES = ['go.temporal.io/server/cmd/server', 'go.temporal.io/server/cmd/tools/sql'];
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
const READY_MS = 120_000;
const RETENTION = '720 hours';

type Programs = { readonly server: string; readonly sql: string };

export type TemporalOptions = {
  readonly dataDir: string;
  /** Connects as a role that may create databases. */
  readonly databaseUrl: string;
  readonly namespace: string;
};

/** A server that can be started again at the same address, after it was killed. */
export type TemporalOnPostgres = { readonly address: string; readonly start: () => Promise<Child> };

export async function startTemporalOnPostgres(options: TemporalOptions): Promise<{ child: Child; address: string }> {
  const { address, start } = await prepareTemporal(options);
  return { child: await start(), address };
}

/** Makes the databases and the configuration. */
export async function prepareTemporal(options: TemporalOptions): Promise<TemporalOnPostgres> {
  const programs = buildPrograms();
  makeSchemas(programs, options.databaseUrl);
  const configFile = join(options.dataDir, 'temporal.json'); // YAML takes JSON
  const frontendPort = await lowFreePort();
  const config = await configuration(options.databaseUrl, frontendPort);
  writeFileSync(configFile, JSON.stringify(config, null, 2), { mode: 0o600 });
  const address = `${LOOPBACK}:${frontendPort}`;
  return { address, start: () => startServer(programs, configFile, address, options) };
}

async function startServer(
  programs: Programs,
  configFile: string,
  address: string,
  { dataDir, namespace }: TemporalOptions,
): Promise<Child> {
  const child = startChild({
    name: 'temporal',
    command: programs.server,
    args: ['--config-file', configFile, '--allow-no-auth', 'start'],
    dataDir,
    stopSignal: 'SIGTERM',
  });
  try {
    await eventually(() => {
      if (child.ending() !== undefined) throw new Error(`Temporal ended: ${child.lastLines().at(-1)?.slice(0, 500)}`);
      return registerNamespace(address, namespace);
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

async function configuration(databaseUrl: string, frontendPort: number): Promise<object> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  const store = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `${hostname}:${port}`,
      connectProtocol: 'tcp',
      user: username,
      password: decodeURIComponent(password),
      maxConns: 20,
      maxIdleConns: 20,
      maxConnLifetime: '1h',
    },
  });
  const services: Record<string, object> = {};
  for (const service of SERVICES) {
    const grpcPort = service === 'frontend' ? frontendPort : await lowFreePort();
    services[service] = { rpc: { grpcPort, membershipPort: await lowFreePort(), bindOnLocalHost: true } };
  }
  const rpcAddress = `${LOOPBACK}:${frontendPort}`;
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: 4,
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
    publicClient: { hostPort: rpcAddress },
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
