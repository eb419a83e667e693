import type { Config } from '../config/config.ts';
import { StartupError } from '../config/startup-error.ts';
import { type MetricsServer, type MetricsServerOptions, startMetricsServer } from '../observability/metrics-server.ts';
import { anyFreePort, LOOPBACK } from '../sandbox/stack/ports.ts';

type MetricsConfig = Pick<Config, 'host' | 'metricsPort'>;

type Watched = Omit<MetricsServerOptions, 'host' | 'port'>;

/** What takes a role off the network where it is switched off. */
const NONE: MetricsServer = { port: 0, stop: () => Promise.resolve() };

/** Shows the process's metrics where METRICS_PORT says; nowhere without it. */
export async function serveMetrics({ host, metricsPort }: MetricsConfig, watched: Watched): Promise<MetricsServer> {
  if (metricsPort === undefined) return NONE;
  try {
    return await startMetricsServer({ host, port: metricsPort, ...watched });
  } catch (cause) {
    throw new StartupError(`METRICS_PORT: ${metricsPort} cannot be had on ${host}. Set it to a free one.`, { cause });
  }
}

/** Where Temporal's SDK is to show its metrics: on this machine alone, for our own server to pass on. */
export async function temporalMetricsAddress({ metricsPort }: MetricsConfig): Promise<string | undefined> {
  return metricsPort === undefined ? undefined : `${LOOPBACK}:${await anyFreePort()}`;
}
