import type { Config } from '../config/config.ts';
import { StartupError } from '../config/startup-error.ts';
import { VERSION } from '../config/version.ts';
import { createLog } from '../observability/log.ts';
import { type MetricsServer, type MetricsServerOptions, startMetricsServer } from '../observability/metrics-server.ts';
import type { RunningTracing } from '../observability/tracing/sdk.ts';
import type { ProviderSettings } from '../providers/index.ts';
import { anyFreePort, LOOPBACK } from '../sandbox/stack/ports.ts';

/** The parts that several roles have. */

/** A role that runs until it is stopped. The roles that end by themselves have none. */
export type RunningRole = {
  /** Settles when it cannot continue. */
  readonly failed: Promise<Error>;
  /** Takes no new work, finishes work in progress, and closes all connections. */
  stop(): Promise<void>;
};

export type Log = (line: string) => void;

/** Stops a part that has started if a later one fails, and rethrows the failure. */
export function stopFirst(part: { stop(): Promise<void> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await part.stop();
    throw error;
  };
}

type MetricsConfig = Pick<Config, 'host' | 'metricsPort'>;

type Watched = Omit<MetricsServerOptions, 'host' | 'port'>;

/** Used if METRICS_PORT is not set. */
const NO_METRICS: MetricsServer = { port: 0, stop: () => Promise.resolve() };

/** Serves the process's metrics at METRICS_PORT. Without METRICS_PORT they are not served. */
export async function serveMetrics({ host, metricsPort }: MetricsConfig, watched: Watched): Promise<MetricsServer> {
  if (metricsPort === undefined) return NO_METRICS;
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

type TracingConfig = Pick<
  Config,
  | 'role'
  | 'logLevel'
  | 'otelExporterOtlpEndpoint'
  | 'otelExporterOtlpTracesEndpoint'
  | 'otelSdkDisabled'
  | 'otelPropagators'
>;

/** Used if tracing is off. */
const NO_TRACING: RunningTracing = { stop: () => Promise.resolve() };

/** Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT. Without it, OpenTelemetry's SDK is not loaded. */
export async function sendTraces(config: TracingConfig): Promise<RunningTracing> {
  const endpoint = config.otelExporterOtlpTracesEndpoint ?? config.otelExporterOtlpEndpoint;
  if (endpoint === undefined || config.otelSdkDisabled) return NO_TRACING;
  const { startTracing } = await import('../observability/tracing/sdk.ts');
  return startTracing({
    serviceName: config.role === 'all' ? 'escrow' : `escrow-${config.role}`, // unless OTEL_SERVICE_NAME says otherwise
    version: VERSION,
    continuesCallers: config.otelPropagators !== 'none',
    log: createLog(config.logLevel),
  });
}

/** The configured providers. The configuration has all settings of a provider or none. */
export function providerSettings(config: Config<'api'> | Config<'worker'>): ProviderSettings {
  const { whatsappPhoneNumberId, whatsappAccessToken, whatsappAppSecret, whatsappVerifyToken } = config;
  const { payoutAddress: address, payoutToken: token } = config;
  const debtor = whole({
    name: config.payoutDebtorName,
    accountNumber: config.payoutDebtorAccount,
    bankCode: config.payoutDebtorBankCode,
  });
  return {
    ...config.adapters,
    messaging: whole({
      host: config.whatsappHost,
      apiVersion: config.whatsappApiVersion,
      phoneNumberId: whatsappPhoneNumberId,
      accessToken: whatsappAccessToken,
      appSecret: whatsappAppSecret,
      verifyToken: whatsappVerifyToken,
      template: { name: config.whatsappOtpTemplate, language: config.whatsappOtpLanguage },
      bankDetailsTemplate: config.whatsappBankDetailsTemplate,
    }),
    mail: whole({ url: config.smtpUrl, from: config.mailFrom }),
    payout:
      address === undefined || debtor === undefined
        ? undefined
        : { address, token, debtor, characterSet: config.bankCharacterSet },
  };
}

type Whole<T> = { readonly [Key in keyof T]: NonNullable<T[Key]> };

/** The settings if none is missing. */
function whole<T extends object>(settings: T): Whole<T> | undefined {
  const isWhole = Object.values(settings).every((value) => value !== undefined);
  return isWhole ? (settings as Whole<T>) : undefined; // just checked
}
