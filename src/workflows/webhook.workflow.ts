import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow';
import type { DeliveryRound, WebhookActivities } from '../activities/webhook.activities.ts';
import { publicId } from '../domain/ids.ts';
import { HOUR_MS } from '../domain/time.ts';
import { GIVE_UP_AFTER_MS, GONE_STATUS } from '../domain/webhooks.ts';
import { NEWS_SIGNAL, type WebhookInput, webhookWorkflowId } from './messages.ts';
import { isHistoryLong, requireId } from './run/served-entity.ts';

const { deliverEvents } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '5 minutes',
  // A worker that was killed is replaced after this time.
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** A run without events looks whether its endpoint still exists. */
const IDLE_CHECK_MS = 24 * HOUR_MS;

const ENDED_BECAUSE: Readonly<Record<Extract<DeliveryRound, { kind: 'ended' }>['reason'], string>> = {
  REQUESTED: '**DISABLED** by the company.',
  GONE: `**DISABLED**: the receiver answered ${GONE_STATUS}.`,
  FAILING: `**DISABLED**: the receiver failed for ${GIVE_UP_AFTER_MS / HOUR_MS} hours.`,
  REMOVED: '**REMOVED** by the company.',
};

/**
 * Sends events to one endpoint for as long as the endpoint is enabled. The cursor, the queue and the attempts are in the
 * database, so a run can be lost and started at any time.
 */
export async function webhookWorkflow(input: WebhookInput): Promise<{ readonly status: string }> {
  const webhookId = publicId('webhook', requireId('webhook', input, 'webhookId', webhookWorkflowId));
  let hasNews = false;
  setHandler(
    defineSignal(NEWS_SIGNAL),
    () => {
      hasNews = true;
    },
    { description: 'There are events for the endpoint. Input: none.' },
  );
  // Any signal turns the loop, which bounds the history.
  setDefaultSignalHandler(() => {
    hasNews = true;
  });
  for (;;) {
    hasNews = false;
    const round = await deliverEvents(webhookId);
    if (round.kind === 'ended') {
      setCurrentDetails(ENDED_BECAUSE[round.reason]);
      if (hasNews) continue; // it was enabled meanwhile
      return { status: round.reason };
    }
    if (round.kind === 'more') hasNews = true;
    else setCurrentDetails(describe(round));
    if (isHistoryLong(webhookId)) await continueAsNew<typeof webhookWorkflow>({ webhookId });
    if (hasNews) continue;
    const retryInMs = round.kind === 'waiting' ? round.retryInMs : null;
    await condition(() => hasNews, Math.min(retryInMs ?? IDLE_CHECK_MS, IDLE_CHECK_MS));
  }
}

function describe(round: { readonly retryInMs: number | null; readonly failingSince: string | null }): string {
  const failing = round.failingSince === null ? '' : ` The receiver has failed since ${round.failingSince}.`;
  return round.retryInMs === null ? `Everything is delivered.${failing}` : `Waits for the next retry.${failing}`;
}
