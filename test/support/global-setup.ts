import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { logFileOf } from '../../src/sandbox/stack/child.ts';
import { lockDirectory } from '../../src/sandbox/stack/lock.ts';
import { EMBEDDED_NAMESPACE, startTemporal } from '../../src/sandbox/stack/temporal.ts';
import { findTemporalProgram } from '../../src/sandbox/stack/temporal-program.ts';
import { startMigratedPostgres } from './migrated-postgres.ts';
import { anyFreePort } from './ports.ts';
import { COMPILED_DIRECTORY, keepForTeardown, publishServers, TEMPLATE_DATABASE } from './servers.ts';
import { startSharedServices } from './shared-services.ts';

const DIRECTORY_PREFIX = 'escrow-test-';
const FRESH_MS = 60_000;
const BUNDLE_WORKFLOWS = fileURLToPath(new URL('../../src/scripts/bundle-workflows.ts', import.meta.url));

/** Starts one PostgreSQL and one Temporal for the whole run with the code of `npm start`, and migrates a template. */
export default async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= COMPILED_DIRECTORY;
  sweep();
  const dataDir = mkdtempSync(join(tmpdir(), DIRECTORY_PREFIX));
  lockDirectory(dataDir);
  const [{ child: postgres, ...database }, temporal, workflowBundleFile] = await Promise.all([
    startMigratedPostgres(dataDir, TEMPLATE_DATABASE),
    startClockwork(dataDir),
    bundleOnce(dataDir),
  ]);
  const sharedServices = await startSharedServices();
  keepForTeardown({ dataDir, children: [sharedServices, temporal.child, postgres] });
  publishServers({
    ...database,
    temporalAddress: temporal.address,
    temporalNamespace: EMBEDDED_NAMESPACE,
    postgresLogFile: logFileOf(dataDir, 'postgres'),
    workflowBundleFile,
    sharedServicesUrl: sharedServices.url,
  });
}

/**
 * Bundling takes seconds, so the run does it once for all its workers; and in a process of its own, because this one would keep the
 * bundler's memory until the run ends.
 */
async function bundleOnce(dataDir: string): Promise<string> {
  const file = join(dataDir, 'workflows.js');
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', BUNDLE_WORKFLOWS, file]);
  return file;
}

/** Removes the data of runs that were killed. Their servers ended with them. */
function sweep(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(DIRECTORY_PREFIX))) {
    const directory = join(tmpdir(), name);
    try {
      if (Date.now() - statSync(directory).mtimeMs < FRESH_MS) continue; // it may be about to be locked
      lockDirectory(directory);
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // Another run is using it, or it belongs to another user.
    }
  }
}

async function startClockwork(dataDir: string) {
  const program = await findTemporalProgram({ env: process.env, progress: (line) => console.error(line) });
  return startTemporal({
    ...{ program, dataDir, port: await anyFreePort(), uiPort: null, databaseFile: null },
    // A worker ends once its polls have ended. By default, they wait for a minute.
    settings: { 'matching.longPollExpirationInterval': '"5s"' },
  });
}
