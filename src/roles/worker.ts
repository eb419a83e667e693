import { type Config, loadConfig } from '../config/config.ts';
import { createLog } from '../observability/log.ts';
import { createProviders, type ProviderSettings } from '../providers/index.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import { serveMetrics, temporalMetricsAddress } from './metrics.ts';
import { providerSettings } from './providers.ts';
import { type Log, type RunningRole, stopFirst } from './running.ts';
import { sendTraces } from './tracing.ts';

/** Carries out workflows and seals the ledger. Any number of these run side by side. */
export async function startWorkerRole(env: NodeJS.ProcessEnv, log: Log): Promise<RunningRole> {
  const config = loadConfig(env, 'worker');
  const tracing = await sendTraces(config);
  const temporalMetrics = await temporalMetricsAddress(config);
  const worker = await runWorker(config, config, providerSettings(config), temporalMetrics);
  const metrics = await serveMetrics(config, {
    isHealthy: worker.isRunning,
    more: worker.metrics,
    temporalMetricsAddress: temporalMetrics,
  }).catch(stopFirst(worker));
  log(`The worker polls ${config.temporalTaskQueue} at ${config.temporalAddress}.`);
  return {
    failed: worker.failed,
    stop: async () => {
      await worker.stop();
      await metrics.stop();
      await tracing.stop();
    },
  };
}

/** What `all` has made itself, and `worker` is configured with. */
type Backends = Pick<Config<'worker'>, 'databaseUrl' | 'temporalAddress' | 'fieldEncryptionKeys'>;

export function runWorker(
  config: Config<'worker'> | Config<'all'>,
  backends: Backends,
  providers: ProviderSettings,
  temporalMetricsAddress: string | undefined,
): Promise<RunningWorker> {
  const log = createLog(config.logLevel);
  return startWorker({
    ...config,
    ...backends,
    workflowBundle: config.workflowBundle === undefined ? undefined : { codePath: config.workflowBundle },
    providers: createProviders(providers, log),
    log,
    temporalMetricsAddress,
  });
}
