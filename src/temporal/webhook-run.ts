import type { Client } from '@temporalio/client';
import { type CompanyId, publicId, type WebhookId } from '../domain/ids.ts';
import { webhookWorkflowId } from '../domain/messages/workflow-ids.ts';
import { NEWS_SIGNAL, WEBHOOK_WORKFLOW, type WebhookInput, WORKFLOW_TASK_TIMEOUT } from '../workflows/messages.ts';
import { companyAttribute } from '../workflows/search-attributes.ts';

/** Tells the run of an endpoint that there is work, and starts it if there is none. */
export async function wakeWebhookRun(
  client: Client,
  taskQueue: string,
  { id, companyId }: { readonly id: WebhookId; readonly companyId: CompanyId },
): Promise<void> {
  const input: WebhookInput = { webhookId: publicId('webhook', id) };
  await client.workflow.signalWithStart(WEBHOOK_WORKFLOW, {
    workflowId: webhookWorkflowId(id),
    taskQueue,
    args: [input],
    signal: NEWS_SIGNAL,
    signalArgs: [],
    typedSearchAttributes: companyAttribute(companyId),
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    staticSummary: 'Send events to an endpoint',
  });
}
