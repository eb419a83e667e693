import { activityInfo } from '@temporalio/activity';
import { DefaultLogger, Runtime, type WorkerOptions as TemporalWorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type ActivityDependencies, createActivities } from '../activities/index.ts';
import { createDeliveries } from '../activities/webhook.activities.ts';
import { type DatabaseAddresses, requireFitDatabase, sessionUrl } from '../config/database-checks.ts';
import { isOutage } from '../db/core/database-errors.ts';
import { FieldCipher, type FieldKey } from '../db/core/field-cipher.ts';
import { createListener } from '../db/core/listener.ts';
import { MessageProof } from '../db/core/message-proof.ts';
import { connect } from '../db/core/orm.ts';
import { WORKER_TIME_LIMITS } from '../db/core/time-limits.ts';
import { EVENTS_CHANNEL, startEventSealer } from '../db/events/event-sealer.ts';
import type { AuditKey } from '../db/ledger/audit/checkpoint.ts';
import { startSealer } from '../db/ledger/sealer.ts';
import { startHousekeeping } from '../db/operations/housekeeping.ts';
import { createOperationsMetrics } from '../db/operations/operations-metrics.ts';
import { type TroubleLog, troubleLog } from '../observability/log.ts';
import { activityInterceptors, TRACING_SINKS } from '../observability/tracing/temporal-worker.ts';
import type { Providers } from '../providers/index.ts';
import type { WebhookSender } from '../providers/webhooks.ts';
import { converterOf, readsData, type TemporalSettings, workerConnection } from '../temporal/connection.ts';
import { createRunKeeper } from '../temporal/run-keeper.ts';
import { onCredentialsChanged } from '../temporal/watch-credentials.ts';
import { startWebhookWaker } from '../temporal/webhook-waker.ts';
import { awaitTemporal } from './await-temporal.ts';
import { startNotices } from './notices.ts';
import { isPolling } from './polling.ts';
import { TASK_LIMIT_MS } from './task-watch.ts';
import { bundleWorkflows, findShippedBundle } from './workflow-bundle.ts';
import { createWorkflowWorker } from './workflow-worker.ts';

/** The worker: runs workflows and activities, seals the ledger, and does housekeeping. */

const ROUND_INTERVAL_MS = 1_000;
/** The shortest wait between two rounds that assign committed changes their positions in the feed. */
const EVENT_INTERVAL_MS = 100;
/**
 * The number of concurrent local activities per database connection. Almost all of them wait for a connection; more of them
 * would only wait longer.
 */
const LOCAL_ACTIVITIES_PER_CONNECTION = 2;
/**
 * The number of concurrent activities that are not local. They wait for receivers and providers almost all of the time, each delivery to a
 * silent endpoint for 15 s, and take no thread meanwhile. The SDK's 100 would let the silent endpoints of five companies delay all others.
 */
const ACTIVITIES = 1_000;
/**
 * How long the next workflow task of a run waits for the worker that has the run in memory, before another worker may take it.
 */
const STICKY_TIMEOUT = '2 seconds';
/** How long activities in progress may take to finish when the worker is stopped. */
const SHUTDOWN_GRACE = '8 seconds';
/** An activity that has not ended by then is abandoned: Temporal gives it to another worker. */
const SHUTDOWN_FORCE = '9 seconds';

/** The database's addresses are those of the role `escrow_worker`. */
type WorkerOptions = TemporalSettings &
  DatabaseAddresses & {
    readonly temporalTaskQueue: string;
    /** Production refuses a database in which a test clock was moved. */
    readonly isProduction: boolean;
    readonly databasePoolMax: number;
    /** The number of open runs kept in memory. Other runs are replayed from their history when needed. Absent: the SDK chooses. */
    readonly temporalCachedRuns?: number | undefined;
    /** Whether workflows answer queries for their call stacks, as the Temporal UI shows them. They then cost more. */
    readonly temporalCallStacks?: boolean;
    /** The worker deployment to which this worker belongs, if it is versioned. */
    readonly temporalDeployment?: string | undefined;
    /** The release that this worker runs; absent if it is not versioned. */
    readonly temporalBuildId?: string | undefined;
    /** A prebuilt bundle; absent: the one that ships with the application, else the workflows are bundled from source at the start. */
    readonly workflowBundle?: TemporalWorkerOptions['workflowBundle'] | undefined;
    readonly providers: Providers;
    /** The current key comes first. */
    readonly fieldEncryptionKeys: readonly FieldKey[];
    /** Whether a payout needs cash that was received for the company. */
    readonly mustPayoutsBeBacked: boolean;
    readonly mayDecideBySignal: boolean;
    /** How long one-time passwords and reports about messages are kept. */
    readonly messageRetentionDays: number;
    /** Signs the checkpoints of audits; absent: they are unsigned. */
    readonly auditSigningKey?: AuditKey | undefined;
    /** Sends events to endpoints of companies. The worker closes it. */
    readonly webhookSender: WebhookSender;
    readonly log: Logger;
    /** The address of the SDK's own metrics, host:port; absent: none. The first worker of a process decides. */
    readonly temporalMetricsAddress?: string | undefined;
    /** If aborted, the start stops waiting for Temporal. */
    readonly signal?: AbortSignal;
  };

export type RunningWorker = {
  /** Settles when the worker ends without having been stopped. */
  readonly failed: Promise<Error>;
  /** Whether it has neither failed nor been asked to stop. */
  readonly isRunning: () => boolean;
  /** Whether Temporal sees the worker polling. */
  readonly isPolling: () => Promise<boolean>;
  /** Metrics for operators that only the database can provide. */
  readonly metrics: Registry;
  readonly stop: () => Promise<void>;
};

/** Waits for Temporal, then starts polling. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { log, temporalTaskQueue: taskQueue, temporalNamespace: namespace } = options;
  installRuntime(options);
  const { held, client } = await awaitTemporal(options, log, options.signal);
  const orm = await connect({
    databaseUrl: options.databaseUrl,
    poolMax: options.databasePoolMax,
    applicationName: 'escrow-worker',
    timeLimits: WORKER_TIME_LIMITS,
  });
  await requireFitDatabase(orm, 'escrow_worker', options).catch(async (error: unknown) => {
    await Promise.all([orm.close(), held.close()]);
    throw error;
  });
  const closing = new AbortController();
  const stopping = new AbortController();
  const listener = createListener({
    databaseUrl: sessionUrl(options),
    channel: EVENTS_CHANNEL,
    applicationName: 'escrow-worker-listener',
    trouble: troubleLog(log, 'the connection for notifications'),
  });
  const cipher = new FieldCipher(options.fieldEncryptionKeys);
  const { deliver, recorded } = createDeliveries({
    ...{ orm, cipher, listener },
    ...{ sender: options.webhookSender, stopping: stopping.signal },
  });
  const worker = await createWorkflowWorker({
    connection: held.current(),
    namespace,
    taskQueue,
    activities: createActivities({
      orm,
      providers: options.providers,
      cipher,
      mustPayoutsBeBacked: options.mustPayoutsBeBacked,
      mayDecideBySignal: options.mayDecideBySignal,
      proof: new MessageProof(options.fieldEncryptionKeys),
      auditKey: options.auditSigningKey,
      runKeeper: createRunKeeper(client, taskQueue),
      deliver,
      onHealed: (healed) => log.warn(healed, 'the sweep healed a run'),
      ...activityLog(log),
    }),
    ...versioning(options),
    ...converterOf(options),
    interceptors: { activity: [activityInterceptors(log)] },
    sinks: TRACING_SINKS,
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_FORCE,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    ...(options.temporalCachedRuns === undefined ? {} : { maxCachedWorkflows: options.temporalCachedRuns }),
    maxConcurrentActivityTaskExecutions: ACTIVITIES,
    maxConcurrentLocalActivityExecutions: options.databasePoolMax * LOCAL_ACTIVITIES_PER_CONNECTION,
    workflowBundle: options.workflowBundle ?? findShippedBundle() ?? (await bundleWorkflows(Runtime.instance().logger)),
    hasCallStacks: options.temporalCallStacks ?? false,
    onStuck: (workflowId) =>
      log.error({ workflowId, limitMs: TASK_LIMIT_MS }, 'a workflow task held its thread too long'),
  });
  const stopWatching = onCredentialsChanged(options, async () => {
    const next = await workerConnection(options);
    worker.connection = next;
    held.replace(next);
    log.info('connected to Temporal with new credentials');
  });
  const periodic = { intervalMs: ROUND_INTERVAL_MS, log, signal: closing.signal };
  const waker = startWebhookWaker(orm, client, taskQueue, deliver, { ...periodic, signal: stopping.signal });
  const inTheBackground = Promise.all([
    waker.ended,
    startSealer(orm, periodic),
    startEventSealer(
      orm,
      {
        ...periodic,
        intervalMs: EVENT_INTERVAL_MS,
        retryMs: ROUND_INTERVAL_MS,
      },
      waker.wakeSoon,
    ),
    startHousekeeping(orm, options.messageRetentionDays, periodic),
    startNotices(orm, options.providers.messaging, periodic),
  ]);
  const running = worker.run();
  const close = async () => {
    closing.abort();
    stopWatching();
    await inTheBackground;
    await listener.close();
    await options.webhookSender.close();
    await recorded();
    await orm.close();
    // The part of the SDK that a failed worker leaves may hold the connection. It ends with the process.
    await held.close().catch((error: unknown) => log.warn({ err: error }, 'the connection to Temporal stays open'));
  };
  return {
    failed: new Promise((resolve) => {
      running.then(
        () => stopping.signal.aborted || resolve(new Error('the worker ended without having been stopped')),
        (error: unknown) => resolve(error instanceof Error ? error : new Error(String(error))),
      );
    }),
    isRunning: () => worker.getState() === 'RUNNING',
    isPolling: async () =>
      worker.getState() === 'RUNNING' &&
      (await readsData(held.proxy, namespace)) &&
      isPolling(held.proxy, { namespace, taskQueue, identity: worker.options.identity }),
    metrics: createOperationsMetrics(orm),
    stop: async () => {
      stopping.abort();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running.catch((error: unknown) => log.error({ err: error }, 'the worker failed'));
      await close();
    },
  };
}

/** A run stays on the release on which it began, until it continues as new. */
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

/** Logs each failure of an activity, but of an outage only its beginning and its end. */
function activityLog(log: Logger): Pick<ActivityDependencies, 'onFailure' | 'onSuccess'> {
  const outages = new Map<string, TroubleLog>();
  return {
    onFailure(activity, error) {
      const { attempt, workflowExecution } = activityInfo();
      const where = { activity, attempt, workflowId: workflowExecution?.workflowId };
      if (!isOutage(error)) return log.error({ ...where, err: error }, 'an activity failed and will be retried');
      const outage = outages.get(activity) ?? troubleLog(log, `the activity ${activity}`);
      outages.set(activity, outage);
      outage.failed(error, where);
    },
    onSuccess: (activity) => outages.get(activity)?.worked(),
  };
}

let isRuntimeInstalled = false;

/**
 * Sends the log lines of the SDK and of workflows to our log. A process has one runtime, with the settings of its first worker.
 */
function installRuntime({ log, temporalMetricsAddress }: Pick<WorkerOptions, 'log' | 'temporalMetricsAddress'>): void {
  if (isRuntimeInstalled) return;
  isRuntimeInstalled = true;
  Runtime.install({
    // Without this the SDK would stop the worker at a signal by itself; the composition root decides when to stop.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {} },
      ...(temporalMetricsAddress === undefined
        ? {}
        : { metrics: { prometheus: { bindAddress: temporalMetricsAddress } } }),
    },
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const write = level === 'ERROR' ? log.error : level === 'WARN' ? log.warn : log.debug;
      write.call(log, meta ?? {}, message);
    }),
  });
}
