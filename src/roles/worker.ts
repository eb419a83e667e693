import { type Config, loadConfig, mustPayoutsBeBacked } from '../config/config.ts';
import { createLog } from '../observability/log.ts';
import { createProviders, type ProviderSettings } from '../providers/index.ts';
import { createWebhookSender } from '../providers/webhooks.ts';
import { type RunningWorker, startWorker } from '../worker/worker.ts';
import {
  type Log,
  providerSettings,
  type RunningRole,
  sendTraces,
  serveMetrics,
  stopFirst,
  temporalMetricsAddress,
} from './shared.ts';

/** Runs workflows and seals the ledger. Any number of these processes can run. */
export async function startWorkerRole(env: NodeJS.ProcessEnv, log: Log, signal: AbortSignal): Promise<RunningRole> {
  const config = loadConfig(env, 'worker');
  const tracing = await sendTraces(config);
  const temporalMetrics = await temporalMetricsAddress(config);
  let started: RunningWorker | undefined;
  // Served from the start: a worker that waits for Temporal is alive, but not ready.
  const metrics = await serveMetrics(config, {
    isHealthy: () => started?.isRunning() ?? true,
    readiness: { worker: async () => (await started?.isPolling()) ?? false },
    more: () => started?.metrics,
    temporalMetricsAddress: temporalMetrics,
  });
  const worker = await runWorker(config, config, providerSettings(config), temporalMetrics, signal).catch(
    stopFirst(metrics),
  );
  started = worker;
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

/** The values that `all` creates itself, and that `worker` reads from its configuration. */
type Backends = Pick<Config<'worker'>, 'databaseUrl' | 'temporalAddress' | 'fieldEncryptionKeys' | 'auditSigningKey'>;

export function runWorker(
  config: Config<'worker'> | Config<'all'>,
  backends: Backends,
  providers: ProviderSettings,
  temporalMetricsAddress: string | undefined,
  signal?: AbortSignal,
): Promise<RunningWorker> {
  const log = createLog(config.logLevel);
  return startWorker({
    ...config,
    ...backends,
    isProduction: config.escrowEnvironment === 'production',
    mustPayoutsBeBacked: mustPayoutsBeBacked(config),
    mayDecideBySignal: config.temporalDecisions === 'on',
    workflowBundle: config.workflowBundle === undefined ? undefined : { codePath: config.workflowBundle },
    providers: createProviders(providers, log),
    webhookSender: createWebhookSender({ isProduction: config.escrowEnvironment === 'production' }),
    log,
    temporalMetricsAddress,
    ...(signal === undefined ? {} : { signal }),
  });
}
