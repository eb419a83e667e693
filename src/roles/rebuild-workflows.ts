import type { Client } from '@temporalio/client';
import { FINDINGS, sumHealed } from '../activities/findings.ts';
import { createSweep, sweepAll } from '../activities/sweep.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { requireDatabaseRole, requireDatabaseSchema } from '../config/database-checks.ts';
import { StartupError } from '../config/startup-error.ts';
import { connect } from '../db/core/orm.ts';
import { lazyClient } from '../temporal/connection.ts';
import { createRunKeeper } from '../temporal/run-keeper.ts';
import { ensureSchedules } from '../temporal/schedules.ts';
import { WORKFLOW_TASKS } from '../worker/polling.ts';
import { readEmbeddedInfo } from './embedded-info.ts';
import type { Log } from './shared.ts';

const VERSIONED = 2; // temporal.api.enums.v1.WorkerVersioningMode

/**
 * Compares the rows of all open escrows, links and withdrawals with their runs and repairs differences, as the schedule `rebuild`
 * does. Run it after a restore of a backup, or if Temporal lost its data. Beside `npm start` it needs no configuration.
 * It is safe to run at any time.
 */
export async function startRebuildWorkflows(env: NodeJS.ProcessEnv, log: Log): Promise<undefined> {
  const config = loadConfig(env, 'rebuild-workflows');
  const { databaseUrl, temporalAddress } = addressesOf(config);
  const { client, connection } = lazyClient({ ...config, temporalAddress });
  const orm = await connect({ databaseUrl, poolMax: 1, applicationName: 'escrow-rebuild-workflows' });
  try {
    // The embedded stack provides the owner's address; the owner also sees all companies.
    if (config.databaseUrl !== undefined) await requireDatabaseRole(orm, 'escrow_worker');
    await requireDatabaseSchema(orm);
    // Workers create the schedules when they start, so those that ran through a loss of Temporal's data have none.
    await ensureSchedules(client, config.temporalTaskQueue);
    const sweep = createSweep(orm, createRunKeeper(client, config.temporalTaskQueue), ({ workflowId, finding }) =>
      log(`${workflowId} was ${finding}`),
    );
    const rows = await sweepAll(sweep.sweepRows);
    const runs = await sweepAll(sweep.sweepRuns);
    const total = sumHealed(rows.healed, runs.healed);
    const healed = FINDINGS.map((finding) => `${total[finding]} ${finding}`).join(', ');
    log(
      `${rows.checked} open escrows, links and withdrawals and ${runs.checked} runs were checked. Healed: ${healed}.`,
    );
    if (await isReleaseMissing(client, config))
      log('No release is current, so Temporal gives versioned workers no new work: run npm run release.');
  } finally {
    await orm.close();
    await connection.close();
  }
}

/** Whether workers are versioned, and Temporal, as after the loss of its data, knows no current version. */
async function isReleaseMissing(
  client: Client,
  { temporalNamespace: namespace, temporalTaskQueue: name, temporalBuildId }: Config<'rebuild-workflows'>,
): Promise<boolean> {
  const { pollers, versioningInfo } = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType: WORKFLOW_TASKS,
  });
  const isVersioned =
    temporalBuildId !== undefined ||
    pollers.some(({ deploymentOptions }) => deploymentOptions?.workerVersioningMode === VERSIONED);
  return isVersioned && !versioningInfo?.currentDeploymentVersion;
}

function addressesOf({ databaseUrl, temporalAddress, dataDir }: Config<'rebuild-workflows'>) {
  if (databaseUrl !== undefined && temporalAddress !== undefined) return { databaseUrl, temporalAddress };
  const embedded = readEmbeddedInfo(dataDir);
  if (embedded !== undefined) return embedded;
  throw new StartupError(
    'Set DATABASE_URL (of the role escrow_worker) and TEMPORAL_ADDRESS, or DATA_DIR to the directory of an embedded stack that ' +
      'runs.',
  );
}
