import { type RunningApi, startApi } from '../api/server.ts';
import { type Config, loadConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createProviders, type ProviderSettings } from '../providers/index.ts';
import { VERSION } from '../version.ts';
import { providerSettings } from './providers.ts';
import type { Log, RunningRole } from './running.ts';

/** Serves the HTTP interface. Any number of these run side by side. */
export async function startApiRole(env: NodeJS.ProcessEnv, log: Log): Promise<RunningRole> {
  const config = loadConfig(env, 'api');
  const api = await serveApi(config, config, providerSettings(config));
  log(`The API answers at ${config.baseUrl}.`);
  return { failed: new Promise(() => undefined), stop: api.stop };
}

/** What `all` has made itself, and `api` is configured with. */
type Backends = Pick<Config<'api'>, 'databaseUrl' | 'temporalAddress' | 'jwtSecret'>;

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
      isProduction: config.escrowEnvironment === 'production',
      isRegistrationOpen: config.companyRegistration === 'open',
      corsAllowedOrigins: config.corsAllowedOrigins,
    },
    providers: createProviders(providers, log),
    log,
  });
}
