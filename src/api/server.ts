import { serve } from '@hono/node-server';
import type { Logger } from 'pino';
import { connect } from '../db/orm.ts';
import type { Providers } from '../providers/index.ts';
import { lazyClient, type TemporalSettings } from '../temporal/connection.ts';
import { createApi } from './app.ts';
import { createTokens } from './auth/tokens.ts';
import { createCommands } from './commands.ts';
import type { ApiDependencies } from './context.ts';

export type ApiOptions = TemporalSettings & {
  readonly temporalTaskQueue: string;
  /** Of the role `escrow_api`. */
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  readonly jwtSecret: string;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly settings: ApiDependencies['settings'];
  readonly providers: Providers;
  readonly log: Logger;
};

export type RunningApi = {
  readonly port: number;
  /** Takes no more connections, lets requests at work finish, and lets go of database and Temporal. */
  readonly stop: () => Promise<void>;
};

/** Serves the HTTP interface. Rejects where the port cannot be had. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { log, settings, providers } = options;
  const orm = await connect({
    databaseUrl: options.databaseUrl,
    poolMax: options.databasePoolMax,
    applicationName: 'escrow-api',
  });
  const { client, connection } = lazyClient(options);
  const app = createApi({
    orm,
    log,
    settings,
    providers,
    tokens: createTokens(options.jwtSecret),
    commands: createCommands(client, options.temporalTaskQueue),
    isTemporalUp: async () => {
      await connection.withDeadline(Date.now() + 2_000, () => connection.workflowService.getSystemInfo({}));
      return true;
    },
  });
  const closeDependencies = () => Promise.all([orm.close(), connection.close()]);
  try {
    const { server, port } = await listen(app.fetch, options);
    return {
      port,
      stop: async () => {
        await new Promise((resolve) => server.close(resolve));
        await closeDependencies();
      },
    };
  } catch (error) {
    await closeDependencies();
    throw error;
  }
}

function listen(fetch: Parameters<typeof serve>[0]['fetch'], { host, port }: ApiOptions) {
  return new Promise<{ server: ReturnType<typeof serve>; port: number }>((resolve, reject) => {
    const server = serve({ fetch, hostname: host, port }, (info) => resolve({ server, port: info.port }));
    server.once('error', reject);
  });
}
