import { DefaultLogger, Runtime, type WorkerOptions as TemporalWorkerOptions, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createActivities } from '../activities/index.ts';
import { FieldCipher, type FieldKey } from '../db/core/field-cipher.ts';
import { MessageProof } from '../db/core/message-proof.ts';
import { connect } from '../db/core/orm.ts';
import { refusePrivilegedRole } from '../db/core/role-check.ts';
import { WORKER_TIME_LIMITS } from '../db/core/time-limits.ts';
import type { AuditKey } from '../db/ledger/audit/checkpoint.ts';
import { startSealer } from '../db/ledger/sealer.ts';
import { startHousekeeping } from '../db/operations/housekeeping.ts';
import { createOperationsMetrics } from '../db/operations/operations-metrics.ts';
import { activityInterceptors, TRACING_SINKS } from '../observability/tracing/temporal-worker.ts';
import type { Providers } from '../providers/index.ts';
import type { TemporalSettings } from '../temporal/connection.ts';
import { createRunKeeper } from '../temporal/run-keeper.ts';
import { awaitTemporal } from './await-temporal.ts';
import { isPolling } from './polling.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

/** The worker: carries out what workflows decide, seals the ledger, and keeps the house. */

const ROUND_INTERVAL_MS = 1_000;
/** Local activities at once per connection to the database. Almost each of them waits for one; more would only wait longer. */
const LOCAL_ACTIVITIES_PER_CONNECTION = 2;
/** How long the next step of a run waits for the worker that has the run in memory before any other may take it. */
const STICKY_TIMEOUT = '2 seconds';
/** How long activities at work may take to finish when the worker is asked to stop. */
const SHUTDOWN_GRACE = '8 seconds';
/** Whoever does not end by then is left behind: Temporal gives the work to another worker. */
const SHUTDOWN_FORCE = '9 seconds';

export type WorkerOptions = TemporalSettings & {
  readonly temporalTaskQueue: string;
  /** Of the role `escrow_worker`. */
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  /** Open runs that are kept in memory; another one is read back from its history when it is needed. Absent: as many as the SDK chooses. */
  readonly temporalCachedRuns?: number | undefined;
  /** Of which this worker is a version, where it is versioned. */
  readonly temporalDeployment?: string | undefined;
  /** The release that this worker runs; absent: it is not versioned. */
  readonly temporalBuildId?: string | undefined;
  /** Built ahead; absent: bundled from source at the start. */
  readonly workflowBundle?: TemporalWorkerOptions['workflowBundle'] | undefined;
  readonly providers: Providers;
  /** The current one first. */
  readonly fieldEncryptionKeys: readonly FieldKey[];
  /** Whether a payout needs cash that came in for the company. */
  readonly mustPayoutsBeBacked: boolean;
  /** Signs the checkpoints of audits; absent: they are not signed. */
  readonly auditSigningKey?: AuditKey | undefined;
  readonly log: Logger;
  /** Where Temporal's SDK shows its own metrics, host:port; absent: nowhere. The first worker of a process decides. */
  readonly temporalMetricsAddress?: string | undefined;
  /** Aborted: the start gives up waiting for Temporal. */
  readonly signal?: AbortSignal;
};

export type RunningWorker = {
  /** Settles when the worker ends although nobody stopped it. */
  readonly failed: Promise<Error>;
  /** It has neither failed nor been asked to stop. */
  readonly isRunning: () => boolean;
  /** Temporal sees it poll: it takes work. */
  readonly isPolling: () => Promise<boolean>;
  /** What operators watch and only the database knows. */
  readonly metrics: Registry;
  readonly stop: () => Promise<void>;
};

/** Starts polling, once Temporal is there: until then it waits. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { log, temporalTaskQueue: taskQueue, temporalNamespace: namespace } = options;
  installRuntime(options);
  const { connection, client } = await awaitTemporal(options, log, options.signal);
  const orm = await connect({
    databaseUrl: options.databaseUrl,
    poolMax: options.databasePoolMax,
    applicationName: 'escrow-worker',
    timeLimits: WORKER_TIME_LIMITS,
  });
  await refusePrivilegedRole(orm, 'escrow_worker').catch(async (error: unknown) => {
    await Promise.all([orm.close(), connection.close()]);
    throw error;
  });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    activities: createActivities({
      orm,
      providers: options.providers,
      cipher: new FieldCipher(options.fieldEncryptionKeys),
      mustPayoutsBeBacked: options.mustPayoutsBeBacked,
      proof: new MessageProof(options.fieldEncryptionKeys),
      auditKey: options.auditSigningKey,
      runKeeper: createRunKeeper(client, taskQueue),
      onHealed: (healed) => log.warn(healed, 'the sweep healed a run'),
      onFailure: (activity, error) => log.error({ activity, err: error }, 'an activity failed and is tried again'),
    }),
    ...versioning(options),
    interceptors: { activity: [activityInterceptors(log)] },
    sinks: TRACING_SINKS,
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_FORCE,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    ...(options.temporalCachedRuns === undefined ? {} : { maxCachedWorkflows: options.temporalCachedRuns }),
    maxConcurrentLocalActivityExecutions: options.databasePoolMax * LOCAL_ACTIVITIES_PER_CONNECTION,
    workflowBundle: options.workflowBundle ?? (await bundleWorkflows(Runtime.instance().logger)),
  });
  const closing = new AbortController();
  const periodic = { intervalMs: ROUND_INTERVAL_MS, log, signal: closing.signal };
  const inTheBackground = Promise.all([startSealer(orm, periodic), startHousekeeping(orm, periodic)]);
  const running = worker.run();
  const close = async () => {
    closing.abort();
    await inTheBackground;
    await orm.close();
    await connection.close();
  };
  return {
    failed: new Promise((resolve) => {
      running.catch((error: unknown) => resolve(error instanceof Error ? error : new Error(String(error))));
    }),
    isRunning: () => worker.getState() === 'RUNNING',
    isPolling: async () =>
      worker.getState() === 'RUNNING' &&
      isPolling(connection, { namespace, taskQueue, identity: worker.options.identity }),
    metrics: createOperationsMetrics(orm),
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running.catch((error: unknown) => log.error({ err: error }, 'the worker ended badly'));
      await close();
    },
  };
}

/** Runs stay with the release that they began on, until they continue as new. */
function versioning({
  temporalDeployment: deploymentName,
  temporalBuildId: buildId,
}: WorkerOptions): Pick<TemporalWorkerOptions, 'workerDeploymentOptions'> {
  if (deploymentName === undefined || buildId === undefined) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  };
}

let isRuntimeInstalled = false;

/** Sends the SDK's own lines, and those of workflows, to our log. A process has one runtime, with its first settings. */
function installRuntime({ log, temporalMetricsAddress }: Pick<WorkerOptions, 'log' | 'temporalMetricsAddress'>): void {
  if (isRuntimeInstalled) return;
  isRuntimeInstalled = true;
  Runtime.install({
    // The SDK would stop the worker by itself at a signal; the composition root decides when.
    shutdownSignals: [],
    ...(temporalMetricsAddress === undefined
      ? {}
      : { telemetryOptions: { metrics: { prometheus: { bindAddress: temporalMetricsAddress } } } }),
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const write = level === 'ERROR' ? log.error : level === 'WARN' ? log.warn : log.debug;
      write.call(log, meta ?? {}, message);
    }),
  });
}
