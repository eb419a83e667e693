import { loadConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import type { Log } from './running.ts';

/** Brings the database to this version's schema, and gives the roles of API and worker their passwords. */
export async function startMigrate(env: NodeJS.ProcessEnv, log: Log): Promise<undefined> {
  const config = loadConfig(env, 'migrate');
  await migrate({
    databaseUrl: config.databaseUrl,
    apiPassword: config.databaseApiPassword,
    workerPassword: config.databaseWorkerPassword,
  });
  log('The database is up to date.');
}
