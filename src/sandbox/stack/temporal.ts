import { mkdirSync } from 'node:fs';
import { Connection } from '@temporalio/client';
import { StartupError } from '../../config/startup-error.ts';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes.ts';
import { type Child, logFileOf, startChild } from './child.ts';
import { LOOPBACK } from './ports.ts';
import { pollUntil } from './wait.ts';

/** Temporal's development server: the real server and its UI in one program, with its state in one file or in memory. */
export type EmbeddedTemporal = { readonly child: Child; readonly address: string; readonly uiUrl: string | null };

export type TemporalOptions = {
  /** The path of the `temporal` program; see temporal-program.ts. */
  readonly program: string;
  readonly dataDir: string;
  readonly port: number;
  /** null means no UI. */
  readonly uiPort: number | null;
  /** null means in memory. */
  readonly databaseFile: string | null;
  /** Of Temporal's dynamic configuration, beside our own ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** If aborted, the start is cancelled. */
  readonly signal?: AbortSignal;
};

export const EMBEDDED_NAMESPACE = 'default';

const READY_TIMEOUT_MS = 60_000;
const PROBE_TIMEOUT_MS = 2_000;

const DYNAMIC_CONFIG = {
  'system.forceSearchAttributesCacheRefreshOnRead': true, // search attributes must exist before the first workflow
};

/** @throws StartupError when the server does not start. */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { program, dataDir, port, uiPort, databaseFile, settings = {} } = options;
  mkdirSync(dataDir, { recursive: true });
  const child = startChild({
    name: 'temporal',
    command: program,
    args: [
      ...['server', 'start-dev', '--ip', LOOPBACK, '--port', String(port), '--namespace', EMBEDDED_NAMESPACE],
      ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
      ...(databaseFile === null ? [] : ['--db-filename', databaseFile]),
      ...Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
      ...Object.entries({ ...DYNAMIC_CONFIG, ...settings }).flatMap(([key, value]) => [
        '--dynamic-config-value',
        `${key}=${value}`,
      ]),
      ...['--log-level', 'warn'],
    ],
    dataDir,
    signal: options.signal,
    stopSignal: 'SIGINT',
    // The user's own CLI settings (an environment, an address) concern other servers.
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'))),
      TEMPORAL_VERSION_CHECK_DISABLED: '1',
    },
  });
  const address = `${LOOPBACK}:${port}`;
  try {
    await waitUntilReady(child, address, options);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { child, address, uiUrl: uiPort === null ? null : `http://${LOOPBACK}:${uiPort}` };
}

async function waitUntilReady(
  child: Child,
  address: string,
  { dataDir, databaseFile }: TemporalOptions,
): Promise<void> {
  const outcome = await pollUntil(READY_TIMEOUT_MS, async () => {
    if (child.ending() !== undefined) return 'ended';
    return (await answersFromData(address)) ? 'ready' : undefined;
  });
  if (outcome === 'ready') return;
  const log = logFileOf(dataDir, 'temporal');
  if (outcome === undefined) {
    throw new StartupError(
      `The Temporal server did not get ready within ${READY_TIMEOUT_MS / 1000} s. Its log: ${log}`,
    );
  }
  throw new StartupError(
    `The Temporal server does not start (${child.ending()}): ${child.lastLines().at(-1) ?? 'no output'}. Its log: ${log}` +
      (databaseFile === null
        ? ''
        : `. Where ${databaseFile} is damaged, remove it: workflows are rebuilt from the database.`),
  );
}

/** Whether the server reads its namespace from its database in time. */
export async function answersFromData(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: PROBE_TIMEOUT_MS });
    try {
      await connection.withDeadline(Date.now() + PROBE_TIMEOUT_MS, () =>
        connection.workflowService.describeNamespace({ namespace: EMBEDDED_NAMESPACE }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
