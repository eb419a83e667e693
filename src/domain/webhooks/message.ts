import { EVENT_API_VERSION, EVENT_OBJECTS, type EventObject, type EventType } from '../events/event-types.ts';
import { type CompanyId, type EventId, publicId } from '../ids.ts';
import type { Source } from '../source.ts';
import type { Instant } from '../time.ts';

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
