import { type Config, loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createProviders, type ProviderSettings } from '../providers/index.ts';
import { type RunningWorker, startWorker } from '../worker.ts';
import { providerSettings } from './providers.ts';
import type { Log, RunningRole } from './running.ts';

/** Carries out workflows and seals the ledger. Any number of these run side by side. */
export async function startWorkerRole(env: NodeJS.ProcessEnv, log: Log): Promise<RunningRole> {
  const config = loadConfig(env, 'worker');
  const worker = await runWorker(config, config, providerSettings(config));
  log(`The worker polls ${config.temporalTaskQueue} at ${config.temporalAddress}.`);
  return worker;
}

/** What `all` has made itself, and `worker` is configured with. */
type Backends = Pick<Config<'worker'>, 'databaseUrl' | 'temporalAddress' | 'fieldEncryptionKeys'>;

export function runWorker(
  config: Config<'worker'> | Config<'all'>,
  backends: Backends,
  providers: ProviderSettings,
): Promise<RunningWorker> {
  const log = createLog(config.logLevel);
  return startWorker({
    ...config,
    ...backends,
    workflowBundle: config.workflowBundle === undefined ? undefined : { codePath: config.workflowBundle },
    providers: createProviders(providers, log),
    log,
  });
}
