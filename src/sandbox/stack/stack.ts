import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartupError } from '../../config/startup-error.ts';
import { type Child, logFileOf, stopLeftover } from './child.ts';
import { lockDirectory } from './lock.ts';
import { choosePort } from './ports.ts';
import { type EmbeddedPostgres, ensureDatabase, preparePostgres, startPostgres } from './postgres.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { answersFromData, type EmbeddedTemporal, startTemporal } from './temporal.ts';
import { findTemporalProgram } from './temporal-program.ts';
import { watchTemporal } from './temporal-watch.ts';

/** The part of the configuration that the stack needs. */
export type EmbeddedStackConfig = {
  readonly dataDir: string;
  /** If set, this database is used and none is started. */
  readonly databaseUrl?: string | undefined;
  readonly postgresPort?: number | undefined;
  /** If set, this server is used and none is started. */
  readonly temporalAddress?: string | undefined;
  readonly temporalUiUrl?: string | undefined;
  readonly temporalPort?: number | undefined;
  readonly temporalUiPort?: number | undefined;
  /** How long the Temporal server may not answer before it is restarted. */
  readonly temporalIllAfterMs?: number | undefined;
};

export type EmbeddedStack = {
  /** Connects as the schema's owner. */
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  readonly secrets: Secrets;
  /** Settles when one of the servers ends without having been stopped. */
  readonly failed: Promise<StartupError>;
  /** Stops Temporal, then PostgreSQL, then releases the data directory. */
  stop(): Promise<void>;
};

/** Below the range for outgoing connections, so these ports are usually free. */
export const USUAL_PORTS = { postgres: 15_432, temporal: 7_233, temporalUi: 8_233, sandbox: 13_000 } as const;

const DATABASE = 'escrow';

export type StackContext = {
  /** For finding the Temporal program. */
  readonly env: NodeJS.ProcessEnv;
  /** Receives progress messages, one line each. */
  readonly log: (line: string) => void;
  /** If aborted, the start is cancelled. */
  readonly signal: AbortSignal;
};

/**
 * Starts a PostgreSQL and a Temporal server of our own, unless the configuration names others.
 * @throws StartupError when one cannot start; servers that had started are stopped first
 */
export async function startEmbeddedStack(config: EmbeddedStackConfig, context: StackContext): Promise<EmbeddedStack> {
  const dataDir = resolve(config.dataDir);
  const lock = lockDirectory(dataDir);
  const children: Child[] = [];
  let stopping = false;
  const stop = async () => {
    stopping = true;
    for (const child of children.toReversed()) await child.stop();
    lock.release();
  };
  try {
    if (existsSync(join(dataDir, 'postgres')) && !existsSync(join(dataDir, 'secrets.json'))) {
      throw new StartupError(
        `${join(dataDir, 'secrets.json')} is missing, and with it the password of the database beside it. ` +
          'Restore it, or choose another DATA_DIR to begin afresh.',
      );
    }
    for (const name of ['temporal', 'postgres']) await stopLeftover(dataDir, name);
    const secrets = loadSecrets(dataDir);
    let databaseUrl = config.databaseUrl;
    if (databaseUrl === undefined) {
      const postgres = await startDatabase(config, dataDir, secrets, context);
      children.push(postgres.child);
      databaseUrl = postgres.ownerUrl(DATABASE);
      await ensureDatabase(postgres.ownerUrl('postgres'), DATABASE);
    }
    let temporal: { address: string; uiUrl: string | null };
    if (config.temporalAddress === undefined) {
      const embedded = await startClockwork(config, dataDir, context);
      children.push(embedded.child);
      temporal = embedded;
    } else {
      temporal = { address: config.temporalAddress, uiUrl: config.temporalUiUrl ?? null };
    }
    const failed = Promise.race(
      children.map(async ({ name, exited }) => {
        const how = await exited;
        if (stopping) return new Promise<never>(() => undefined); // we stopped it ourselves
        return new StartupError(
          `The ${name} server exited unexpectedly (${how}). Its log: ${logFileOf(dataDir, name)}`,
        );
      }),
    );
    return { databaseUrl, temporalAddress: temporal.address, temporalUiUrl: temporal.uiUrl, secrets, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatabase(
  config: EmbeddedStackConfig,
  dataDir: string,
  secrets: Secrets,
  { log, signal }: StackContext,
): Promise<EmbeddedPostgres> {
  const { postgresSuperuserPassword: superuserPassword, postgresOwnerPassword: ownerPassword } = secrets;
  await preparePostgres({ dataDir, superuserPassword });
  const port = await choosePort('POSTGRES_PORT', config.postgresPort, USUAL_PORTS.postgres);
  log(`Starting PostgreSQL on port ${port} …`);
  return startPostgres({ dataDir, port, superuserPassword, ownerPassword, signal });
}

async function startClockwork(
  config: EmbeddedStackConfig,
  dataDir: string,
  { env, log, signal }: StackContext,
): Promise<EmbeddedTemporal> {
  const program = await findTemporalProgram({ env, progress: log, signal });
  const port = await choosePort('TEMPORAL_PORT', config.temporalPort, USUAL_PORTS.temporal);
  const uiPort = await choosePort('TEMPORAL_UI_PORT', config.temporalUiPort, USUAL_PORTS.temporalUi);
  log(`Starting Temporal on port ${port}, its UI on port ${uiPort} …`);
  const restart = () =>
    startTemporal({ program, dataDir, port, uiPort, databaseFile: join(dataDir, 'temporal.db'), signal });
  const started = await restart();
  const probe = () => answersFromData(started.address);
  return { ...started, child: watchTemporal(started, { restart, probe, log, illAfterMs: config.temporalIllAfterMs }) };
}
