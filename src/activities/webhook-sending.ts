import type { DeliveryResult, DueDelivery } from '../db/webhooks/queue.ts';
import { webhookMessage } from '../domain/webhooks/message.ts';
import { isSuccess, retryDelayMs } from '../domain/webhooks/retries.ts';
import { webhookAttempts } from '../observability/metrics.ts';
import type { WebhookSender } from '../providers/webhooks/sender.ts';
import { webhookHeaders } from '../providers/webhooks/signature.ts';

const TIMEOUT_MS = 15_000;
/** The number of objects whose deliveries are sent at the same time. */
const IN_FLIGHT = 16;

type Target = { readonly url: string; readonly secrets: readonly string[] };

/**
 * The deliveries of one endpoint that are being sent, for IN_FLIGHT objects at a time. Those of one object are sent one after the
 * other, and end with the first failure. A slow object occupies one place, and the others go on.
 */
export type Sending = {
  /** Whether another delivery would be sent at once. */
  readonly hasRoom: () => boolean;
  /** Whether something is being sent. */
  readonly isBusy: () => boolean;
  /** The objects with deliveries that are not recorded yet. Their next deliveries must not be added. */
  readonly objects: () => readonly string[];
  /** Sends deliveries, in their order for each object. Deliveries that were added before go to the new target, too. */
  readonly add: (due: readonly DueDelivery[], target: Target) => void;
  /** Waits until everything is sent, at most `maxMs`. Returns the outcomes that no earlier call returned. */
  readonly outcomes: (maxMs: number) => Promise<DeliveryResult[]>;
  /** Starts no further deliveries, and waits for those in flight. Returns the outcomes that no earlier call returned. */
  readonly stop: () => Promise<DeliveryResult[]>;
};

export function startSending(sender: WebhookSender): Sending {
  const queue: { readonly objectId: string; readonly deliveries: readonly DueDelivery[] }[] = [];
  const unrecorded = new Set<string>();
  let finished: string[] = [];
  let outcomes: DeliveryResult[] = [];
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

  async function untilIdle(maxMs: number): Promise<DeliveryResult[]> {
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
    const taken = outcomes;
    outcomes = [];
    return taken;
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
  };
}

async function attempt(
  sender: WebhookSender,
  { url, secrets }: Target,
  { id: deliveryId, event, failedAttempts }: DueDelivery,
): Promise<DeliveryResult> {
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
