import type { MikroORM } from '@mikro-orm/postgresql';
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import { type Listener, type News, subscribeToNews } from '../db/core/listener.ts';
import { signingSecrets } from '../db/webhooks/endpoints.ts';
import {
  type AttemptOutcome,
  type DueDelivery,
  disableEndpoint,
  dueDeliveries,
  fallAsleep,
  hasNews,
  nextAttemptAt,
  pullEvents,
  recordAttempts,
} from '../db/webhooks/queue.ts';
import { Refusal } from '../domain/errors.ts';
import { type CompanyId, parseId, type WebhookId } from '../domain/ids.ts';
import { webhookMessage } from '../domain/webhooks/message.ts';
import {
  type DisabledReason,
  GIVE_UP_AFTER_MS,
  GONE_STATUS,
  isSuccess,
  retryDelayMs,
} from '../domain/webhooks/retries.ts';
import { webhookAttempts } from '../observability/metrics.ts';
import type { WebhookSender } from '../providers/webhooks/sender.ts';
import { webhookHeaders } from '../providers/webhooks/signature.ts';

export type DeliveryRound =
  /** The endpoint is disabled, for this reason, or was removed. */
  | { readonly kind: 'ended'; readonly reason: DisabledReason | 'REMOVED' }
  /** The time of the round is over, and there may be more. */
  | { readonly kind: 'more' }
  /** Nothing can be sent now. `retryInMs` null: no retry is planned. */
  | { readonly kind: 'waiting'; readonly retryInMs: number | null; readonly failingSince: string | null };

export interface WebhookActivities {
  /** Sends the events of an endpoint until none can be sent. Safe to repeat: an event may be sent again, with the same id. */
  deliverEvents(webhookId: string): Promise<DeliveryRound>;
}

export type WebhookDependencies = {
  readonly orm: MikroORM;
  readonly cipher: FieldCipher;
  readonly sender: WebhookSender;
  /** Wakes a round that waits for the events of a company. */
  readonly listener: Listener;
  /** Aborted when the worker stops: a round then ends after its batch. */
  readonly stopping: AbortSignal;
};

/** A round ends after this time, so that the run's history shows that it is alive. */
const ROUND_MS = 60_000;
/** How long a round waits for the next event before it ends: a steady trickle of events is one round, not many. */
const LINGER_MS = 1_000;
const HEARTBEAT_MS = 2_000;
export const TIMEOUT_MS = 10_000;
const IN_FLIGHT = 16;

export function createWebhookActivities(dependencies: WebhookDependencies): WebhookActivities {
  const { orm, cipher, listener, stopping } = dependencies;

  async function deliver(id: WebhookId): Promise<DeliveryRound> {
    let news: News | undefined;
    try {
      return await deliverUntilIdle(id, (companyId) => {
        news ??= subscribeToNews(listener, companyId, stopping);
        return news;
      });
    } finally {
      news?.end();
    }
  }

  async function deliverUntilIdle(id: WebhookId, newsOf: (companyId: CompanyId) => News): Promise<DeliveryRound> {
    const endsAt = Date.now() + ROUND_MS;
    let failingSince: Date | null = null;
    while (Date.now() < endsAt && !stopping.aborted) {
      const pulled = await pullEvents(orm, id);
      if (pulled.kind === 'ended') return pulled;
      const news = newsOf(pulled.companyId);
      const due = await dueDeliveries(orm.em.fork(), id);
      if (due.length > 0) {
        const secrets = await signingSecrets(orm.em.fork(), cipher, id);
        const outcomes = await sendAll(dependencies.sender, pulled.url, secrets, due);
        ({ failingSince } = await recordAttempts(orm.em.fork(), id, outcomes));
        const isGone = outcomes.some(({ status }) => status === GONE_STATUS);
        const isFailing = failingSince !== null && Date.now() - failingSince.getTime() >= GIVE_UP_AFTER_MS;
        if (!isGone && !isFailing) continue;
        const reason = isGone ? 'GONE' : 'FAILING';
        await disableEndpoint(orm.em.fork(), id, reason);
        return { kind: 'ended', reason };
      }
      if (pulled.hasMore) continue;
      if (await news.isNews(LINGER_MS)) continue;
      await fallAsleep(orm.em.fork(), id);
      // News that came before the run fell asleep woke nobody.
      if (await hasNews(orm.em.fork(), id)) continue;
      const next = await nextAttemptAt(orm.em.fork(), id);
      const retryInMs = next === null ? null : Math.max(1, next.getTime() - Date.now());
      return { kind: 'waiting', retryInMs, failingSince: failingSince?.toISOString() ?? null };
    }
    return { kind: 'more' };
  }

  return {
    async deliverEvents(webhookId) {
      const id = parseId('webhook', webhookId);
      if (id === undefined) throw ApplicationFailure.nonRetryable('this is no endpoint', 'invalid_id');
      const beat = setInterval(() => heartbeat(), HEARTBEAT_MS);
      try {
        return await Promise.race([deliver(id), Context.current().cancelled]);
      } catch (error) {
        if (error instanceof Refusal && error.code === 'not_found') return { kind: 'ended', reason: 'REMOVED' }; // during the round
        throw error;
      } finally {
        clearInterval(beat);
      }
    },
  };
}

/** Sends deliveries, 16 at a time. Those of one object go one after the other, and end with the first failure. */
async function sendAll(
  sender: WebhookSender,
  url: string,
  secrets: readonly string[],
  due: readonly DueDelivery[],
): Promise<AttemptOutcome[]> {
  const objects = [...Map.groupBy(due, ({ event }) => event.objectId).values()][Symbol.iterator]();
  const outcomes: AttemptOutcome[] = [];
  const work = async () => {
    for (const deliveries of objects)
      for (const delivery of deliveries) {
        const outcome = await attempt(sender, url, secrets, delivery);
        outcomes.push(outcome);
        if (!outcome.isDelivered) break;
      }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return outcomes;
}

async function attempt(
  sender: WebhookSender,
  url: string,
  secrets: readonly string[],
  { id: deliveryId, event, failedAttempts }: DueDelivery,
): Promise<AttemptOutcome> {
  const message = webhookMessage(event);
  const body = JSON.stringify(message);
  const at = new Date();
  const headers = webhookHeaders(secrets, { id: message.id, body, now: at });
  const answer = await sender.send({ url, headers, body, timeoutMs: TIMEOUT_MS });
  const isDelivered = isSuccess(answer.status);
  webhookAttempts.inc({ result: isDelivered ? 'delivered' : answer.status === null ? 'unreachable' : 'refused' });
  const retryMs = isDelivered ? null : retryDelayMs(failedAttempts + 1, Math.random());
  const retryAt = retryMs === null ? null : new Date(Date.now() + retryMs);
  return { deliveryId, at, isDelivered, retryAt, ...answer };
}
