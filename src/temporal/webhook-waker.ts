import type { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from '@temporalio/client';
import { type PeriodicOptions, runPeriodically } from '../db/core/run-periodically.ts';
import { endpointsToWake } from '../db/webhooks/queue.ts';
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
 * Tells the runs of endpoints that there is work: at once those of companies with new events of this worker's sealer, and every round
 * all others (retries and replays by request, runs and signals that were lost).
 */
type WebhookWaker = {
  /** Does not wait for Temporal. */
  readonly wakeSoon: (companies: readonly CompanyId[]) => void;
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
  /** Starts the run if there is none. */
  const signal = ({ id, companyId }: { readonly id: WebhookId; readonly companyId: CompanyId }) => {
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
  const wake = async (companies: readonly CompanyId[] | null) => {
    const endpoints = (await endpointsToWake(orm.em.fork(), companies))[Symbol.iterator]();
    const work = async () => {
      for (const endpoint of endpoints) await signal(endpoint);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
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
    'waking webhook workflows',
    options,
  );
  return { wakeSoon, ended: loop.then(() => inProgress) };
}
