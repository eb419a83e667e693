import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { createLog } from '../observability/log.ts';
import type { RunningTracing } from '../observability/tracing/sdk.ts';

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
const NONE: RunningTracing = { stop: () => Promise.resolve() };

/** Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT. Without it, OpenTelemetry's SDK is not loaded. */
export async function sendTraces(config: TracingConfig): Promise<RunningTracing> {
  const endpoint = config.otelExporterOtlpTracesEndpoint ?? config.otelExporterOtlpEndpoint;
  if (endpoint === undefined || config.otelSdkDisabled) return NONE;
  const { startTracing } = await import('../observability/tracing/sdk.ts');
  return startTracing({
    serviceName: config.role === 'all' ? 'escrow' : `escrow-${config.role}`, // unless OTEL_SERVICE_NAME says otherwise
    version: VERSION,
    continuesCallers: config.otelPropagators !== 'none',
    log: createLog(config.logLevel),
  });
}
