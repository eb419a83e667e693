import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { EventType } from '../../domain/events/event-types.ts';
import type { CompanyId, DeliveryId, EventId, WebhookId } from '../../domain/ids.ts';
import type { DeliveryStatus } from '../../domain/webhooks/retries.ts';
import { createListReader, type SortColumn } from '../core/list-reader.ts';

/** Deliveries as their company reads them. */

export type AttemptRecord = {
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
};

export type DeliveryRecord = {
  readonly id: DeliveryId;
  readonly eventId: EventId;
  readonly eventType: EventType;
  readonly status: DeliveryStatus;
  /** Null once the delivery has ended. */
  readonly nextAttemptAt: Date | null;
  /** The latest attempts, the newest first. */
  readonly attempts: readonly AttemptRecord[];
  readonly createdAt: Date;
};

export type DeliveryFilter = {
  readonly id?: DeliveryId | undefined;
  readonly endpointId?: WebhookId | undefined;
  readonly status?: readonly DeliveryStatus[] | undefined;
};

export const DELIVERY_SORTS = {
  createdAt: { column: 'd.created_at', kind: 'time' },
} as const satisfies Record<string, SortColumn>;

const SHOWN_ATTEMPTS = 20;

type Row = {
  id: DeliveryId;
  event_id: EventId;
  event_type: EventType;
  status: DeliveryStatus;
  next_attempt_at: Date;
  attempts: AttemptRecord[];
  created_at: Date;
};

const READER = createListReader<DeliveryFilter, Row, DeliveryRecord, keyof typeof DELIVERY_SORTS>({
  table: 'webhook_delivery',
  alias: 'd',
  columns: 'd.id, d.event_id, d.event_type, d.status, d.next_attempt_at, a.attempts, d.created_at',
  joins: `cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('at', t.at, 'durationMs', t.duration_ms, 'status', t.status, 'error', t.error,
        'answer', t.answer) order by t.id desc), '[]') as attempts
      from (select * from webhook_attempt w where w.delivery_id = d.id order by w.id desc limit ${SHOWN_ATTEMPTS}) t
    ) a`,
  conditions: { id: 'd.id = ?', endpointId: 'd.endpoint_id = ?', status: 'd.status = any(?::text[])' },
  sorts: DELIVERY_SORTS,
  defaultOrder: { by: 'createdAt', isDescending: true },
  toRecord: (row) => ({
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status,
    nextAttemptAt: row.status === 'PENDING' ? new Date(row.next_attempt_at) : null,
    attempts: row.attempts,
    createdAt: new Date(row.created_at),
  }),
});

/** The company's matching deliveries, newest first unless the page has another order. */
export const { list: listDeliveries } = READER;

/** Begins a delivery again, at once. Throws `not_found`. */
export async function retryDelivery(em: EntityManager, companyId: CompanyId, id: DeliveryId): Promise<DeliveryRecord> {
  const [changed] = await em.execute<{ endpoint_id: WebhookId }[]>(
    `update webhook_delivery set status = 'PENDING', failed_attempts = 0, next_attempt_at = now(), updated_at = now()
     where company_id = ? and id = ? returning endpoint_id`,
    [companyId, id],
  );
  if (changed === undefined) throw new Refusal('not_found', 'delivery not found');
  await em.execute('update webhook_endpoint set awake_until = null where id = ?', [changed.endpoint_id]);
  const [delivery] = await READER.find(em, companyId, { id }, { limit: 1, offset: 0 });
  if (delivery === undefined) throw new Error('a written delivery was not found');
  return delivery;
}
