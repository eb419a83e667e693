import { type Config, loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { type RunningWorker, startWorker } from '../worker.ts';
import type { Log, RunningRole } from './running.ts';

/** Carries out workflows and seals the ledger. Any number of these run side by side. */
export async function startWorkerRole(env: NodeJS.ProcessEnv, log: Log): Promise<RunningRole> {
  const config = loadConfig(env, 'worker');
  const worker = await runWorker(config, config);
  log(`The worker polls ${config.temporalTaskQueue} at ${config.temporalAddress}.`);
  return worker;
}

/** What `all` has made itself, and `worker` is configured with. */
type Backends = Pick<Config<'worker'>, 'databaseUrl' | 'temporalAddress'>;

export function runWorker(config: Config<'worker'> | Config<'all'>, backends: Backends): Promise<RunningWorker> {
  return startWorker({ ...config, ...backends, log: createLog(config.logLevel) });
}
