import { createMaintenanceActivities } from '../activities/maintenance.activities.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { StartupError } from '../config/startup-error.ts';
import { connect } from '../db/core/orm.ts';
import { lazyClient } from '../temporal/connection.ts';
import { runOfOpen } from '../temporal/open-run.ts';
import { signalRun, startIfMissing } from '../temporal/runs.ts';
import { REFRESH_SIGNAL } from '../workflows/messages.ts';
import { readEmbeddedInfo } from './embedded-info.ts';
import type { Log } from './running.ts';

/**
 * Starts runs for all open escrows, links and withdrawals that have none, as a schedule does every hour, and has those that
 * run read their rows again: for who has just restored a backup or lost a Temporal cluster. Beside `npm start` it needs no configuration. Safe to run at any time.
 */
export async function startRebuildWorkflows(env: NodeJS.ProcessEnv, log: Log): Promise<undefined> {
  const config = loadConfig(env, 'rebuild-workflows');
  const { databaseUrl, temporalAddress } = addressesOf(config);
  const { client, connection } = lazyClient({ ...config, temporalAddress });
  const orm = await connect({ databaseUrl, poolMax: 1, applicationName: 'escrow-rebuild-workflows' });
  try {
    const { startMissingRuns } = createMaintenanceActivities(orm, async (open) => {
      const run = runOfOpen(open);
      if (await startIfMissing(client, config.temporalTaskQueue, run)) return true;
      // Where the database was restored, this run remembers more than it does.
      await signalRun(client, config.temporalTaskQueue, run, REFRESH_SIGNAL, {});
      return false;
    });
    let [checked, started] = [0, 0];
    let last: string | null = null;
    do {
      const batch = await startMissingRuns(last);
      checked += batch.checked;
      started += batch.started;
      last = batch.last;
    } while (last !== null);
    log(`${checked} open escrows, links and withdrawals, ${started} of them had no workflow and have one now.`);
  } finally {
    await orm.close();
    await connection.close();
  }
}

function addressesOf({ databaseUrl, temporalAddress, dataDir }: Config<'rebuild-workflows'>) {
  if (databaseUrl !== undefined && temporalAddress !== undefined) return { databaseUrl, temporalAddress };
  const embedded = readEmbeddedInfo(dataDir);
  if (embedded !== undefined) return embedded;
  throw new StartupError(
    'Set DATABASE_URL (of the role escrow_worker) and TEMPORAL_ADDRESS, or DATA_DIR to the directory of an embedded stack that runs.',
  );
}
