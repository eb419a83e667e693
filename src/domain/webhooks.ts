import { EVENT_API_VERSION, EVENT_OBJECTS, type EventObject, type EventType } from './events/event-types.ts';
import { type CompanyId, type EventId, publicId } from './ids.ts';
import type { Source } from './source.ts';
import { HOUR_MS, type Instant } from './time.ts';

/** What an endpoint is sent, when a delivery is tried again, and when an endpoint is given up. Times are milliseconds. */

/** The body of a webhook: the event with `timestamp` for the time of the change, as Standard Webhooks names it. */
type WebhookMessage = {
  readonly id: string;
  readonly type: EventType | 'webhook.ping';
  readonly timestamp: Instant;
  readonly data: Readonly<Record<string, unknown>>;
  readonly apiVersion: string;
  readonly companyId: string;
  readonly object: { readonly kind: EventObject; readonly id: string } | null;
  /** The request that caused the change; null where time or the service itself did it. */
  readonly requestId: string | null;
  readonly source: Source;
  /** Null for a ping, which is not in the feed. */
  readonly position: number | null;
};

export function webhookMessage(event: {
  readonly id: EventId;
  readonly type: EventType;
  readonly createdAt: Date;
  readonly companyId: CompanyId;
  readonly objectKind: EventObject;
  readonly objectId: string;
  readonly requestId: string | null;
  readonly source: Source;
  readonly position: number;
  readonly data: Readonly<Record<string, unknown>>;
}): WebhookMessage {
  const { objectKind: kind } = event;
  return {
    id: publicId('event', event.id),
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    data: event.data,
    apiVersion: EVENT_API_VERSION,
    companyId: publicId('company', event.companyId),
    object: { kind, id: publicId(EVENT_OBJECTS[kind], event.objectId) },
    requestId: event.requestId,
    source: event.source,
    position: event.position,
  };
}

/** A message that only shows whether the receiver answers. */
export function pingMessage(id: string, companyId: CompanyId, timestamp: Instant, source: Source): WebhookMessage {
  return {
    id,
    type: 'webhook.ping',
    timestamp,
    data: {},
    apiVersion: EVENT_API_VERSION,
    companyId: publicId('company', companyId),
    object: null,
    requestId: null,
    source,
    position: null,
  };
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** The wait after each failed attempt, as Standard Webhooks recommends: about three days in all. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** A wait is lengthened by up to this share, so that deliveries that failed together do not return together. */
const MAX_JITTER_SHARE = 0.2;

/**
 * The wait before the next attempt after `failedAttempts` failed ones; null if there are no more attempts. `random` is from 0 to
 * 1.
 */
export function retryDelayMs(failedAttempts: number, random: number): number | null {
  const delay = RETRY_DELAYS_MS[failedAttempts - 1];
  return delay === undefined ? null : Math.round(delay * (1 + MAX_JITTER_SHARE * random));
}

/** An endpoint that has only failed for this long is disabled. */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** The HTTP status by which a receiver says that it is gone for good. */
export const GONE_STATUS = 410;

export const WEBHOOK_STATUSES = ['ENABLED', 'DISABLED'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Why an endpoint is disabled. */
export const DISABLED_REASONS = ['REQUESTED', 'GONE', 'FAILING'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Who added an endpoint. */
export type EndpointMaker = { readonly kind: 'api_key' | 'administrator'; readonly id: string };

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const MAX_ENDPOINTS = 20;
/** The longest time for which a replaced secret also signs. */
export const MAX_ROTATION_GRACE_SECONDS = 86_400;
/** Deliveries and their attempts are kept for this time. */
export const DELIVERY_RETENTION_DAYS = 30;
