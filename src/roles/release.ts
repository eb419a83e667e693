import { setTimeout as wait } from 'node:timers/promises';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import { loadConfig } from '../config/config.ts';
import { StartupError } from '../config/startup-error.ts';
import { GRPC, lazyClient } from '../temporal/connection.ts';
import { RENEW_SIGNAL } from '../workflows/messages.ts';
import type { Log } from './shared.ts';

/**
 * NOT_FOUND: no worker of the version has polled yet, or the run has ended. FAILED_PRECONDITION: not all queues are polled.
 */
const NOT_READY: ReadonlySet<number> = new Set([GRPC.NOT_FOUND, GRPC.FAILED_PRECONDITION]);
const WORKERS_WITHIN_MS = 120_000;
const RETRY_MS = 1_000;
/** After this time every part of Temporal starts runs on the release. */
const STARTS_WITHIN_MS = 5_000;
/** Runs that are busy, or that the list shows with a delay, are asked again. */
const MAX_PASSES = 60;

/** Earlier servers do not move a run to the current version when it continues as new, so it would do so for ever. */
const OLDEST_SERVER = { major: 1, minor: 30 };

/**
 * Makes the workers of TEMPORAL_BUILD_ID the current release, and asks the runs of other releases to continue as new on it, at
 * RELEASE_RUNS_PER_SECOND. Rolling back is the same with the previous build id. Workers of the other release must run until it
 * ends.
 */
export async function startRelease(
  env: NodeJS.ProcessEnv,
  log: Log,
  signal: AbortSignal,
  oldestServer = OLDEST_SERVER,
): Promise<undefined> {
  const config = loadConfig(env, 'release');
  const { temporalDeployment: deploymentName, temporalBuildId: buildId, temporalNamespace: namespace } = config;
  const { client, connection } = lazyClient(config);
  try {
    await requireVersionedServer(client, oldestServer);
    await makeCurrent(client, { namespace, deploymentName, buildId }, signal);
    log(`Workers of ${deploymentName} ${buildId} are the current release.`);
    // A run shows its version after its first workflow task. One that started after the release is on it, so the new runs of a
    // busy service do not keep this command running.
    const startedBefore = new Date(Date.now() + STARTS_WITHIN_MS).toISOString();
    const version = `${deploymentName}:${buildId}`;
    const query = [
      'ExecutionStatus = "Running"',
      'EscrowKind IS NOT NULL',
      `TaskQueue = "${config.temporalTaskQueue}"`,
      `((TemporalWorkerDeploymentVersion IS NULL AND StartTime < "${startedBefore}")` +
        ` OR TemporalWorkerDeploymentVersion != "${version}")`,
    ].join(' AND ');
    let moved = 0;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const asked = await renewAll(client, query, config.releaseRunsPerSecond, signal);
      moved += asked;
      if (asked === 0) {
        log(`All runs are on it. ${moved} signals were sent.`);
        return;
      }
      await wait(RETRY_MS, undefined, { signal });
    }
    throw new StartupError(`Some runs are still on another release: temporal workflow list --query '${query}'`);
  } finally {
    await connection.close();
  }
}

/** @throws StartupError if the server is older than `oldest`. Temporal Cloud reports no version and is up to date. */
async function requireVersionedServer(client: Client, oldest: typeof OLDEST_SERVER): Promise<void> {
  const { serverVersion = '' } = await client.workflowService.getSystemInfo({});
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(serverVersion) ?? [];
  if (major === undefined || minor === undefined) return;
  const isOld = Number(major) < oldest.major || (Number(major) === oldest.major && Number(minor) < oldest.minor);
  if (!isOld) return;
  throw new StartupError(
    `Versioned workers need Temporal ${oldest.major}.${oldest.minor} or later, and this server is ${serverVersion}. ` +
      'Upgrade the server, or restart all workers with the new release and without TEMPORAL_BUILD_ID.',
  );
}

type Version = { readonly namespace: string; readonly deploymentName: string; readonly buildId: string };

async function makeCurrent(client: Client, version: Version, signal: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + WORKERS_WITHIN_MS;
  for (;;) {
    try {
      await client.workflowService.setWorkerDeploymentCurrentVersion({ ...version, identity: 'npm run release' });
      return;
    } catch (error) {
      if (!isGrpcServiceError(error) || !NOT_READY.has(error.code)) throw error;
      if (Date.now() > giveUpAt)
        throw new StartupError(`No worker of ${version.deploymentName} ${version.buildId} polls. Start one first.`);
    }
    await wait(RETRY_MS, undefined, { signal });
  }
}

/** Asks every run that the query finds, at most `perSecond` each second. Returns how many it asked. */
async function renewAll(client: Client, query: string, perSecond: number, signal: AbortSignal): Promise<number> {
  let asked = 0;
  const startedAt = Date.now();
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const dueAt = startedAt + (asked / perSecond) * 1_000;
    if (dueAt > Date.now()) await wait(dueAt - Date.now(), undefined, { signal });
    await client.workflow
      .getHandle(workflowId, runId)
      .signal(RENEW_SIGNAL)
      .catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'WorkflowNotFoundError') throw error; // it has ended meanwhile
      });
    asked += 1;
  }
  return asked;
}
