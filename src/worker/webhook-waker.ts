import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from '@temporalio/client';
import { type PeriodicOptions, runPeriodically } from '../db/core/run-periodically.ts';
import { endpointsToWake } from '../db/webhooks/queue.ts';
import { troubleLog } from '../observability/log.ts';
import { wakeWebhookRun } from '../temporal/runs.ts';

/**
 * Tells the runs of endpoints that there is work: at once after new events of this worker's sealer, and every round for all else
 * (retries and replays by request, runs and signals that were lost).
 */
type WebhookWaker = {
  /** Does not wait for Temporal. */
  readonly wakeSoon: () => void;
  /** Resolves when the loop has ended. */
  readonly ended: Promise<void>;
};

const CONCURRENCY = 16;

export function startWebhookWaker(
  orm: MikroORM,
  client: Client,
  taskQueue: string,
  options: PeriodicOptions,
): WebhookWaker {
  const trouble = troubleLog(options.log, 'waking webhook workflows');
  const wake = async () => {
    const endpoints = (await endpointsToWake(orm.em.fork()))[Symbol.iterator]();
    const work = async () => {
      for (const endpoint of endpoints) await wakeWebhookRun(client, taskQueue, endpoint);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  };
  let inProgress: Promise<void> | undefined;
  let isAsked = false;
  const wakeSoon = () => {
    isAsked = true;
    inProgress ??= (async () => {
      while (isAsked && !options.signal.aborted) {
        isAsked = false;
        await wake().then(trouble.worked, trouble.failed);
      }
      inProgress = undefined;
    })();
  };
  const loop = runPeriodically(
    async () => {
      wakeSoon();
      await inProgress;
    },
    'waking webhook workflows',
    options,
  );
  return { wakeSoon, ended: loop.then(() => inProgress) };
}
