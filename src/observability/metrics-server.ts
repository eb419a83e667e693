import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { ready, registry } from './metrics.ts';

const TEMPORAL_TIMEOUT_MS = 2_000;

export type MetricsServerOptions = {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Whether the process is alive, for `GET /health`. A process that is not should be restarted. */
  readonly isHealthy: () => boolean;
  /** Whether each part takes work, for `GET /health/ready` and the gauge `escrow_ready`. */
  readonly readiness: Readonly<Partial<Record<'api' | 'worker', () => Promise<boolean>>>>;
  /** Further metrics besides this process's own; undefined until they exist. */
  readonly more?: (() => Registry | undefined) | undefined;
  /** The address of the metrics of Temporal's SDK, host:port; they are returned with ours. */
  readonly temporalMetricsAddress?: string | undefined;
};

export type MetricsServer = { readonly port: number; readonly stop: () => Promise<void> };

let isWatchingProcess = false;

/**
 * Serves `GET /metrics` for Prometheus, `GET /health` and `GET /health/ready` on a separate port. Rejects if the port is not
 * available.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  if (!isWatchingProcess) collectDefaultMetrics({ register: registry });
  isWatchingProcess = true;
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(request.method === 'HEAD' ? undefined : body);
    const answerHealth = (isGood: boolean) =>
      answer(isGood ? 200 : 503, 'application/json', JSON.stringify({ status: isGood ? 'ok' : 'unavailable' }));
    const path = request.url?.split('?', 1)[0];
    if (path === '/metrics')
      metricsText(options).then(
        (text) => answer(200, registry.contentType, text),
        () => answer(500, 'text/plain', 'the metrics cannot be collected\n'),
      );
    else if (path === '/health') answerHealth(options.isHealthy());
    else if (path === '/health/ready') void measureReadiness(options).then(answerHealth);
    else answer(404, 'text/plain', 'there are /metrics, /health and /health/ready\n');
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port, not on a pipe
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sets the gauge. Returns whether all parts are ready. */
async function measureReadiness({ readiness }: Pick<MetricsServerOptions, 'readiness'>): Promise<boolean> {
  const answers = await Promise.all(
    Object.entries(readiness).map(async ([part, isReady]) => {
      const answer = await isReady().catch(() => false);
      ready.set({ part }, answer ? 1 : 0);
      return answer;
    }),
  );
  return answers.every((answer) => answer);
}

async function metricsText({ more, temporalMetricsAddress, readiness }: MetricsServerOptions): Promise<string> {
  const parts = await Promise.all([
    measureReadiness({ readiness }).then(() => registry.metrics()),
    more?.()?.metrics() ?? '',
    temporalMetricsAddress === undefined ? '' : temporalMetrics(temporalMetricsAddress),
  ]);
  return parts.filter((part) => part !== '').join('\n');
}

/** The metrics of the SDK's core, which serves them at a separate address; empty if it does not answer. */
async function temporalMetrics(address: string): Promise<string> {
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(TEMPORAL_TIMEOUT_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
