import type { Config } from '../config/config.ts';
import { StartupError } from '../config/startup-error.ts';
import { type MetricsServer, type MetricsServerOptions, startMetricsServer } from '../observability/metrics-server.ts';
import { anyFreePort, LOOPBACK } from '../sandbox/stack/ports.ts';

type MetricsConfig = Pick<Config, 'host' | 'metricsPort'>;

type Watched = Omit<MetricsServerOptions, 'host' | 'port'>;

/** Used if METRICS_PORT is not set. */
const NONE: MetricsServer = { port: 0, stop: () => Promise.resolve() };

/** Serves the process's metrics at METRICS_PORT. Without METRICS_PORT they are not served. */
export async function serveMetrics({ host, metricsPort }: MetricsConfig, watched: Watched): Promise<MetricsServer> {
  if (metricsPort === undefined) return NONE;
  try {
    return await startMetricsServer({ host, port: metricsPort, ...watched });
  } catch (cause) {
    throw new StartupError(`METRICS_PORT: ${metricsPort} is in use on ${host}. Set it to a free one.`, { cause });
  }
}

/** The address at which Temporal's SDK serves its metrics: loopback only. Our own server passes them on. */
export async function temporalMetricsAddress({ metricsPort }: MetricsConfig): Promise<string | undefined> {
  return metricsPort === undefined ? undefined : `${LOOPBACK}:${await anyFreePort()}`;
}
