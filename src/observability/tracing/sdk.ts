import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  NodeTracerProvider,
  RandomIdGenerator,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { takeChosenSpanId } from './spans.ts';

/**
 * OpenTelemetry's SDK: samples spans and sends them by OTLP. It is loaded only if an endpoint is configured
 * (roles/tracing.ts). It reads its other settings from OTEL_* itself, by OpenTelemetry's rules: sampler, headers, batches,
 * limits.
 */

type TracingSettings = {
  readonly serviceName: string;
  readonly version: string;
  /** Whether a caller's `traceparent` is continued. */
  readonly continuesCallers: boolean;
  readonly log: Logger;
};

export type RunningTracing = {
  /** Sends the remaining spans, within a time limit. */
  readonly stop: () => Promise<void>;
};

/** An unreachable collector must not delay a stop. */
const STOP_TIMEOUT_MS = 1_000;

export function startTracing({ serviceName, version, continuesCallers, log }: TracingSettings): RunningTracing {
  diag.setLogger(diagnostics(log), DiagLogLevel.WARN);
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    idGenerator: idGenerator(),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register(continuesCallers ? {} : { propagator: null });
  return {
    stop: async () => {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref());
      const flushed = provider.shutdown().catch((error: unknown) => log.warn({ err: error }, 'spans were lost'));
      await Promise.race([flushed, timeout]);
    },
  };
}

function idGenerator(): IdGenerator {
  const random = new RandomIdGenerator();
  return {
    generateTraceId: () => random.generateTraceId(),
    generateSpanId: () => takeChosenSpanId() ?? random.generateSpanId(),
  };
}

/** Sends the SDK's messages to our log, without their details, which may quote spans. */
function diagnostics(log: Logger) {
  const say = (level: 'warn' | 'error' | 'debug') => (message: string) => log[level]({ said: message }, 'tracing');
  return { error: say('warn'), warn: say('warn'), info: say('debug'), debug: say('debug'), verbose: say('debug') };
}
