import { resolve } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { assertUnlocked } from '../sandbox/stack/lock.ts';
import { isPortFree } from '../sandbox/stack/ports.ts';
import { startEmbeddedStack } from '../sandbox/stack/stack.ts';
import { StartupError } from '../startup-error.ts';
import type { Log, RunningRole } from './running.ts';

/** Everything in one process and its two servers, for development: nothing else to install, nothing to configure. */
export async function startAll(env: NodeJS.ProcessEnv, log: Log, signal: AbortSignal): Promise<RunningRole> {
  const config = loadConfig(env, 'all');
  const dataDir = resolve(config.dataDir);
  assertUnlocked(dataDir);
  await assertPortFree(config);
  const stack = await startEmbeddedStack(config, { env, log, signal });
  try {
    await migrate({
      databaseUrl: stack.databaseUrl,
      apiPassword: config.databaseApiPassword ?? stack.secrets.postgresApiPassword,
      workerPassword: config.databaseWorkerPassword ?? stack.secrets.postgresWorkerPassword,
    });
    log(`PostgreSQL is ready: ${stack.databaseUrl}`);
    log(`Temporal is ready: ${stack.temporalAddress}, UI ${stack.temporalUiUrl ?? 'none'}`);
    return { failed: stack.failed, stop: stack.stop };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Clients have the API's address written down, so it is never silently another. */
async function assertPortFree({ port, host }: Config<'all'>): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new StartupError(`PORT: ${port} is in use on ${host}. Stop what listens there, or set PORT to a free one.`);
}
