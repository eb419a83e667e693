import type { RateLimits } from '../api/context.ts';
import { RATE_LIMITS } from '../api/limits.ts';
import { type ApiOptions, type RunningApi, startApi } from '../api/server/server.ts';
import {
  bankDetailsCoolingHours,
  type Config,
  loadConfig,
  mayOnlyPlatformCapture,
  mustPayoutsBeBacked,
} from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { createLog } from '../observability/log.ts';
import { createProviders, type ProviderSettings } from '../providers/index.ts';
import type { StorageSettings } from '../providers/storage/index.ts';
import { type Log, providerSettings, type RunningRole, sendTraces, serveMetrics, stopFirst } from './shared.ts';

/** Serves the HTTP interface. Any number of these processes can run. */
export async function startApiRole(env: NodeJS.ProcessEnv, log: Log): Promise<RunningRole> {
  const config = loadConfig(env, 'api');
  const tracing = await sendTraces(config);
  const api = await serveApi(config, config, providerSettings(config));
  const metrics = await serveMetrics(config, { isHealthy: () => true, readiness: { api: api.isReady } }).catch(
    stopFirst(api),
  );
  log(`The API answers at ${config.baseUrl}.`);
  return {
    failed: new Promise(() => undefined),
    stop: async () => {
      await api.stop();
      await metrics.stop();
      await tracing.stop();
    },
  };
}

/** The values that `all` creates itself, and that `api` reads from its configuration. */
type Backends = Pick<
  Config<'api'>,
  'databaseUrl' | 'temporalAddress' | 'temporalUiUrl' | 'jwtSecret' | 'fieldEncryptionKeys'
> &
  Required<Pick<ApiOptions, 'stopNoticeMs'>>;

export function serveApi(
  config: Config<'api'> | Config<'all'>,
  backends: Backends,
  providers: ProviderSettings,
): Promise<RunningApi> {
  const log = createLog(config.logLevel);
  return startApi({
    ...config,
    ...backends,
    settings: {
      version: VERSION,
      baseUrl: config.baseUrl,
      checkoutUrl: config.checkoutUrl,
      isProduction: config.escrowEnvironment === 'production',
      isMessagingSandboxed: config.role === 'all',
      mustPayoutsBeBacked: mustPayoutsBeBacked(config),
      mayOnlyPlatformCapture: mayOnlyPlatformCapture(config),
      bankCharacterSet: config.bankCharacterSet,
      bankDetailsCoolingHours: bankDetailsCoolingHours(config),
      defaultPhoneRegion: config.defaultPhoneRegion,
      isRegistrationOpen: config.companyRegistration === 'open',
      personalDataRetentionDays: config.personalDataRetentionDays,
      corsAllowedOrigins: config.corsAllowedOrigins,
      trustedProxies: config.trustedProxies,
      rateLimits: rateLimits(config),
      console:
        config.console === 'off'
          ? null
          : {
              secret: backends.jwtSecret,
              idleTimeoutMs: config.consoleIdleMinutes * 60_000,
              temporalUiUrl: backends.temporalUiUrl ?? null,
              temporalNamespace: config.temporalNamespace,
            },
    },
    storage: storageSettings(config),
    areDocumentsPrepared: true,
    providers: createProviders(providers, log),
    log,
  });
}

/** On a developer's machine all requests, also those of tests, come from one address, so the limits are very high there. */
function rateLimits(config: Config<'api'> | Config<'all'>): RateLimits {
  const factor = config.role === 'all' ? 100 : 1;
  return {
    requestsPerMinute: config.rateLimitPerMinute ?? RATE_LIMITS.requestsPerMinute * factor,
    companyRequestsPerMinute: config.rateLimitCompanyPerMinute ?? RATE_LIMITS.companyRequestsPerMinute * factor,
    companyRequestsAtOnce: RATE_LIMITS.companyRequestsAtOnce * factor,
    companyLongRequestsAtOnce: RATE_LIMITS.companyLongRequestsAtOnce,
    companyLargeUploadsAtOnce: RATE_LIMITS.companyLargeUploadsAtOnce,
    largeUploadsAtOnce: RATE_LIMITS.largeUploadsAtOnce,
    largeUploadsReserved: RATE_LIMITS.largeUploadsReserved,
    publicRequestsPerMinute: config.rateLimitPublicPerMinute ?? RATE_LIMITS.publicRequestsPerMinute * factor,
  };
}

function storageSettings(config: Config<'api'> | Config<'all'>): StorageSettings {
  if (config.storage === 'postgres') return { kind: 'postgres' };
  const { storageS3Endpoint: endpoint, storageS3Region: region, storageS3Bucket: bucket } = config;
  const { storageS3AccessKeyId: accessKeyId, storageS3SecretAccessKey: secretAccessKey } = config;
  if (!endpoint || !region || !bucket || !accessKeyId || !secretAccessKey)
    throw new Error('the configuration has no S3 settings'); // loadConfig requires them
  return { kind: 's3', endpoint, region, bucket, accessKeyId, secretAccessKey };
}
