import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isOutage } from '../db/core/database-errors.ts';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import { type Listener, type News, subscribeToNews } from '../db/core/listener.ts';
import { type Target, targetOf } from '../db/webhooks/endpoints.ts';
import {
  type DeliveryResult,
  type DueDelivery,
  disableEndpoint,
  dueDeliveries,
  fallAsleep,
  findCompanyOfEndpoint,
  leaveToRun,
  pullEvents,
  recordAttempts,
  type Sender,
} from '../db/webhooks/queue.ts';
import { Refusal } from '../domain/errors.ts';
import { type CompanyId, parseId, type WebhookId } from '../domain/ids.ts';
import {
  type DisabledReason,
  GIVE_UP_AFTER_MS,
  GONE_STATUS,
  retryDelayMs,
  webhookMessage,
} from '../domain/webhooks.ts';
import { webhookAttempts } from '../observability/metrics.ts';
import type { WebhookSender } from '../providers/webhooks.ts';

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

export type Endpoint = { readonly companyId: CompanyId; readonly id: WebhookId };

export type Deliveries = {
  /** Sends the events of an endpoint until none can be sent. The deliveries of a worker are those of an endpoint that it holds. */
  readonly deliver: (endpoint: Endpoint, sender: Sender, isCancelled?: () => boolean) => Promise<DeliveryRound>;
  /** Resolves when everything that was sent is recorded, also by rounds that nobody waits for any longer. */
  readonly recorded: () => Promise<unknown>;
};
export type Deliver = Deliveries['deliver'];

/** A round ends after this time, so that the run's history shows that it is alive. */
const ROUND_MS = 60_000;
/** How long a round of a run waits for the next event before it ends: a steady trickle of events is one round, not many. */
const LINGER_MS = 1_000;
const HEARTBEAT_MS = 2_000;
/** The longest time for which finished deliveries and new events wait for deliveries that are being sent. */
const SLICE_MS = 200;
const TIMEOUT_MS = 15_000;
/** The number of objects whose deliveries are sent at the same time. */
const IN_FLIGHT = 16;
/** How long an outage of the database may last before the events that were sent last are sent again. Less than a hold. */
const OUTAGE_MS = 20_000;
const AGAIN_MS = 200;

export function createDeliveries(dependencies: WebhookDependencies): Deliveries {
  const { orm, cipher, listener, stopping } = dependencies;

  async function deliverUntilIdle(
    endpoint: Endpoint,
    sending: Sending,
    sender: Sender,
    isCancelled: () => boolean,
    news: News | null,
  ): Promise<DeliveryRound> {
    const { companyId, id } = endpoint;
    const endsAt = Date.now() + ROUND_MS;
    let isFirst = sender.kind === 'run';
    let failingSince: Date | null = null;
    while (Date.now() < endsAt && !stopping.aborted && !isCancelled()) {
      const pulled = await pullEvents(orm, companyId, id, sender, isFirst);
      if (pulled.kind === 'busy') {
        if (!isFirst) break; // another sender took the endpoint, because this one was silent for too long
        await wait(LINGER_MS);
        continue;
      }
      if (pulled.kind === 'ended') {
        await record(endpoint, sending, await sending.stop());
        if (sender.kind === 'worker') await leaveToRun(orm.em.fork(), companyId, id, sender);
        return pulled;
      }
      isFirst = false;
      const due = sending.hasRoom() ? await dueDeliveries(orm.em.fork(), companyId, id, sending.objects()) : [];
      if (due.length > 0) sending.add(due, await targetOf(orm.em.fork(), cipher, companyId, id));
      const outcomes = await sending.outcomes(SLICE_MS);
      if (outcomes.length > 0) {
        const recorded = await record(endpoint, sending, outcomes);
        ({ failingSince } = recorded);
        if (recorded.reason !== null) {
          await record(endpoint, sending, await sending.stop());
          await disableEndpoint(orm.em.fork(), companyId, id, recorded.reason);
          return { kind: 'ended', reason: recorded.reason };
        }
      }
      if (sending.isBusy()) continue;
      if (news === null) break;
      if (due.length > 0 || outcomes.length > 0 || pulled.hasMore) continue;
      if (await news.isNews(LINGER_MS)) continue;
      const round = await sleep(endpoint, sender, failingSince);
      if (round.kind === 'waiting') return round;
    }
    await record(endpoint, sending, await sending.stop());
    return sender.kind === 'run' ? { kind: 'more' } : sleep(endpoint, sender, failingSince);
  }

  async function sleep({ companyId, id }: Endpoint, sender: Sender, failingSince: Date | null): Promise<DeliveryRound> {
    const { hasWork, nextAttemptAt } = await fallAsleep(orm.em.fork(), companyId, id, sender);
    if (hasWork) return { kind: 'more' };
    const retryInMs = nextAttemptAt === null ? null : Math.max(1, nextAttemptAt.getTime() - Date.now());
    return { kind: 'waiting', retryInMs, failingSince: failingSince?.toISOString() ?? null };
  }

  /** Records outcomes. `reason`: why the endpoint has to be disabled; null if it does not. */
  async function record(
    { companyId, id }: Endpoint,
    sending: Sending,
    outcomes: readonly DeliveryResult[],
  ): Promise<{ readonly failingSince: Date | null; readonly reason: DisabledReason | null }> {
    if (outcomes.length === 0) return { failingSince: null, reason: null };
    const { failingSince } = await recordAttempts(orm.em.fork(), companyId, id, outcomes);
    sending.forget(outcomes);
    if (outcomes.some(({ status }) => status === GONE_STATUS)) return { failingSince, reason: 'GONE' };
    const isFailing = failingSince !== null && Date.now() - failingSince.getTime() >= GIVE_UP_AFTER_MS;
    return { failingSince, reason: isFailing ? 'FAILING' : null };
  }

  const deliver: Deliver = async (endpoint, sender, isCancelled = () => false) => {
    const sending = startSending(dependencies.sender);
    const news = sender.kind === 'run' ? subscribeToNews(listener, endpoint.companyId, stopping) : null;
    try {
      return await deliverUntilIdle(endpoint, sending, sender, isCancelled, news);
    } catch (error) {
      // The next sender must not overtake what is being sent, nor send it again.
      const outcomes = await sending.stop();
      // The endpoint was removed during the round.
      if (error instanceof Refusal && error.code === 'not_found') return { kind: 'ended', reason: 'REMOVED' };
      await afterOutage(() => record(endpoint, sending, outcomes));
      if (sender.kind === 'worker') await afterOutage(() => sleep(endpoint, sender, null));
      throw error;
    } finally {
      news?.end();
    }
  };

  /** Repeats `work` while the database cannot be reached, for a while. */
  async function afterOutage(work: () => Promise<unknown>): Promise<void> {
    const endsAt = Date.now() + OUTAGE_MS;
    for (;;)
      try {
        await work();
        return;
      } catch (error) {
        if (!isOutage(error) || stopping.aborted || Date.now() > endsAt) throw error;
        await wait(AGAIN_MS);
      }
  }

  const rounds = new Set<Promise<unknown>>();
  return {
    deliver(...round) {
      const delivered = deliver(...round);
      const ended: Promise<unknown> = delivered.then(
        () => rounds.delete(ended),
        () => rounds.delete(ended),
      );
      rounds.add(ended);
      return delivered;
    },
    recorded: () => Promise.all(rounds),
  };
}

export function createWebhookActivities(orm: MikroORM, deliver: Deliver): WebhookActivities {
  return {
    async deliverEvents(webhookId) {
      const id = parseId('webhook', webhookId);
      if (id === undefined) throw ApplicationFailure.nonRetryable('invalid webhook id', 'invalid_id');
      const { cancelled, cancellationSignal } = Context.current();
      const work = async (): Promise<DeliveryRound> => {
        const companyId = await findCompanyOfEndpoint(orm.em.fork(), id);
        if (companyId === null) return { kind: 'ended', reason: 'REMOVED' };
        return deliver({ companyId, id }, { kind: 'run', id: randomUUID() }, () => cancellationSignal.aborted);
      };
      const beat = setInterval(() => heartbeat(), HEARTBEAT_MS);
      try {
        return await Promise.race([work(), cancelled]);
      } finally {
        clearInterval(beat);
      }
    },
  };
}

/**
 * The deliveries of one endpoint that are being sent, for IN_FLIGHT objects at a time. Those of one object are sent one after the
 * other, and end with the first failure. A slow object occupies one place, and the others go on.
 */
type Sending = {
  /** Whether another delivery would be sent at once. */
  readonly hasRoom: () => boolean;
  /** Whether something is being sent. */
  readonly isBusy: () => boolean;
  /** The objects with deliveries that are not recorded yet. Their next deliveries must not be added. */
  readonly objects: () => readonly string[];
  /** Sends deliveries, in their order for each object. Deliveries that were added before go to the new target, too. */
  readonly add: (due: readonly DueDelivery[], target: Target) => void;
  /** Waits until everything is sent, at most `maxMs`. Returns the outcomes. */
  readonly outcomes: (maxMs: number) => Promise<readonly DeliveryResult[]>;
  /** Starts no further deliveries, and waits for those in flight. Returns the outcomes. */
  readonly stop: () => Promise<readonly DeliveryResult[]>;
  /** Drops outcomes that were recorded. Until then each call returns them. */
  readonly forget: (recorded: readonly DeliveryResult[]) => void;
};

function startSending(sender: WebhookSender): Sending {
  const queue: { readonly objectId: string; readonly deliveries: readonly DueDelivery[] }[] = [];
  const unrecorded = new Set<string>();
  let finished: string[] = [];
  const outcomes: DeliveryResult[] = [];
  let workers = 0;
  let isStopped = false;
  let target: Target | undefined;
  let onIdle: () => void = () => undefined;

  async function sendObject(deliveries: readonly DueDelivery[]): Promise<void> {
    for (const delivery of deliveries) {
      if (isStopped || target === undefined) return;
      const outcome = await attempt(sender, target, delivery);
      outcomes.push(outcome);
      if (!outcome.isDelivered) return;
    }
  }

  async function work(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await sendObject(next.deliveries);
      finished.push(next.objectId);
    }
    workers -= 1;
    if (workers === 0) onIdle();
  }

  async function untilIdle(maxMs: number): Promise<readonly DeliveryResult[]> {
    if (workers > 0)
      await new Promise<void>((resolve) => {
        const overdue = setTimeout(resolve, maxMs);
        onIdle = () => {
          clearTimeout(overdue);
          resolve();
        };
      });
    for (const objectId of finished) unrecorded.delete(objectId);
    finished = [];
    return [...outcomes];
  }

  return {
    hasRoom: () => workers < IN_FLIGHT,
    isBusy: () => workers > 0,
    objects: () => [...unrecorded],
    add(due, newTarget) {
      target = newTarget;
      for (const [objectId, deliveries] of Map.groupBy(due, ({ event }) => event.objectId)) {
        unrecorded.add(objectId);
        queue.push({ objectId, deliveries });
      }
      for (let waiting = queue.length; waiting > 0 && workers < IN_FLIGHT; waiting -= 1) {
        workers += 1;
        void work(); // it never rejects, because the sender does not
      }
    },
    outcomes: untilIdle,
    stop() {
      isStopped = true;
      return untilIdle(2 * TIMEOUT_MS);
    },
    forget: (recorded) => outcomes.splice(0, recorded.length),
  };
}

async function attempt(
  sender: WebhookSender,
  target: Target,
  { id: deliveryId, event, failedAttempts }: DueDelivery,
): Promise<DeliveryResult> {
  const at = new Date();
  const answer = await sender.send({ ...target, message: webhookMessage(event), timeoutMs: TIMEOUT_MS });
  const { isDelivered, status } = answer;
  webhookAttempts.inc({ result: isDelivered ? 'delivered' : status === null ? 'unreachable' : 'refused' });
  const retryMs = isDelivered ? null : retryDelayMs(failedAttempts + 1, Math.random());
  const retryAt = retryMs === null ? null : new Date(Date.now() + retryMs);
  return { deliveryId, failedAttempts, at, retryAt, ...answer };
}
