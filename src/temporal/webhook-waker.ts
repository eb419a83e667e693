import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from '@temporalio/client';
import type { Deliver, Endpoint } from '../activities/webhook.activities.ts';
import { type PeriodicOptions, runPeriodically } from '../db/core/run-periodically.ts';
import { endpointsToWake, leaveToRun, type Sender } from '../db/webhooks/queue.ts';
import { type CompanyId, publicId, type WebhookId } from '../domain/ids.ts';
import { troubleLog } from '../observability/log.ts';
import {
  NEWS_SIGNAL,
  WEBHOOK_WORKFLOW,
  type WebhookInput,
  WORKFLOW_TASK_TIMEOUT,
  webhookWorkflowId,
} from '../workflows/messages.ts';
import { companyAttribute } from '../workflows/search-attributes.ts';

/**
 * Sends new events, and tells the runs of endpoints that there is other work: at once for companies with new events of this worker's
 * sealer, and every round for all others (retries and replays by request, runs and signals that were lost). The run of an endpoint sends
 * what failed, replays, what a killed worker left, and the events of slow receivers.
 */
type WebhookWaker = {
  /** Does not wait for Temporal. */
  readonly wakeSoon: (companies: readonly CompanyId[]) => void;
  /** Resolves when the loop has ended. */
  readonly ended: Promise<unknown>;
};

const CONCURRENCY = 16;
/** After this time the next endpoint does not wait for the receiver any longer. */
const PLACE_MS = 250;
/** An endpoint that needs more time is left to its run, for a while. */
const SLOW_MS = 2_000;
const SLOW_FOR_MS = 60_000;
/** Endpoints to which a worker sends at the same time; others are left to their runs. */
const MAX_ROUNDS = 200;
/** How long the end waits for rounds and signals. The worker then waits for the receivers, and until what was sent is recorded. */
const STOP_MS = 1_000;

export function startWebhookWaker(
  orm: MikroORM,
  client: Client,
  taskQueue: string,
  deliver: Deliver,
  options: PeriodicOptions,
): WebhookWaker {
  const trouble = troubleLog(options.log, 'sending new events');
  const signalTrouble = troubleLog(options.log, 'waking webhook workflows');
  /** Starts the run if there is none. */
  const signal = ({ id, companyId }: Endpoint) => {
    const input: WebhookInput = { webhookId: publicId('webhook', id) };
    return client.workflow.signalWithStart(WEBHOOK_WORKFLOW, {
      workflowId: webhookWorkflowId(id),
      taskQueue,
      args: [input],
      signal: NEWS_SIGNAL,
      signalArgs: [],
      typedSearchAttributes: companyAttribute(companyId),
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: 'Send events to an endpoint',
    });
  };
  /** The rounds in progress, and since when endpoints have been slow. */
  const rounds = new Set<Promise<void>>();
  const slow = new Map<WebhookId, number>();
  const isSlow = (id: WebhookId) => {
    const since = slow.get(id);
    if (since !== undefined && performance.now() - since > SLOW_FOR_MS) slow.delete(id);
    return slow.has(id);
  };
  const sendNews = async (endpoint: Endpoint, sender: Sender) => {
    const startedAt = performance.now();
    const round = await deliver(endpoint, sender);
    if (performance.now() - startedAt > SLOW_MS) slow.set(endpoint.id, performance.now());
    if (round.kind === 'more') wakeSoon([endpoint.companyId]);
    else if (round.kind === 'ended' || round.retryInMs !== null) await signal(endpoint);
  };
  const leave = async (endpoint: Endpoint, sender: Sender) => {
    await leaveToRun(orm.em.fork(), endpoint.companyId, endpoint.id, sender);
    await signal(endpoint);
  };
  const send = (endpoint: Endpoint, sender: Sender) => {
    const isForRun = rounds.size >= MAX_ROUNDS || isSlow(endpoint.id);
    const round = (isForRun ? leave(endpoint, sender) : sendNews(endpoint, sender)).then(
      trouble.worked,
      trouble.failed,
    );
    rounds.add(round);
    void round.then(() => rounds.delete(round));
    return Promise.race([round, wait(PLACE_MS, undefined, { ref: false })]);
  };
  /** New events do not wait for Temporal. */
  let signals: Promise<void> = Promise.resolve();
  const wake = async (companies: readonly CompanyId[] | null) => {
    const sender: Sender = { kind: 'worker', id: randomUUID() };
    const { held = [], others = [] } = Object.groupBy(
      await endpointsToWake(orm.em.fork(), companies, sender),
      ({ isHeld }) => (isHeld ? 'held' : 'others'),
    );
    if (others.length > 0)
      signals = signals.then(() => inParallel(others, signal)).then(signalTrouble.worked, signalTrouble.failed);
    await inParallel(held, (endpoint) => send(endpoint, sender));
  };
  const asked = new Set<CompanyId>();
  let areAllAsked = false;
  let inProgress: Promise<void> | undefined;
  const wakeAsked = () => {
    inProgress ??= (async () => {
      while ((areAllAsked || asked.size > 0) && !options.signal.aborted) {
        const companies = areAllAsked ? null : [...asked];
        areAllAsked = false;
        asked.clear();
        await wake(companies).then(trouble.worked, trouble.failed);
      }
      inProgress = undefined;
    })();
    return inProgress;
  };
  const wakeSoon = (companies: readonly CompanyId[]) => {
    for (const company of companies) asked.add(company);
    void wakeAsked(); // it never rejects
  };
  const loop = runPeriodically(
    () => {
      areAllAsked = true;
      return wakeAsked();
    },
    'sending new events',
    options,
  );
  const ended = loop
    .then(() => inProgress)
    .then(() => Promise.race([Promise.all([...rounds, signals]), wait(STOP_MS, undefined, { ref: false })]));
  return { wakeSoon, ended };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items[Symbol.iterator]();
  const next = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, next));
}
