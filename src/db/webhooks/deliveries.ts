import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { EventType } from '../../domain/events/event-types.ts';
import type { CompanyId, DeliveryId, EventId, WebhookId } from '../../domain/ids.ts';
import type { DeliveryStatus } from '../../domain/webhooks.ts';
import { createListReader, type SortColumn } from '../core/list-reader.ts';
import { orNull, type RecordOf, readModel, time, value } from '../core/read-model.ts';

/** Deliveries as their company reads them, and sends them again. */

type AttemptRecord = {
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
};

type DeliveryFilter = {
  readonly id?: DeliveryId | undefined;
  readonly endpointId?: WebhookId | undefined;
  readonly status?: readonly DeliveryStatus[] | undefined;
};

export const DELIVERY_SORTS = {
  createdAt: { column: 'd.created_at', kind: 'time' },
} as const satisfies Record<string, SortColumn>;

const SHOWN_ATTEMPTS = 20;

const DELIVERY = readModel({
  id: value<DeliveryId>('d.id'),
  eventId: value<EventId>('d.event_id'),
  eventType: value<EventType>('d.event_type'),
  status: value<DeliveryStatus>('d.status'),
  /** Null once the delivery has ended. */
  nextAttemptAt: orNull(time("case when d.status = 'PENDING' then d.next_attempt_at end")),
  /** The latest attempts, the newest first. */
  attempts: value<readonly AttemptRecord[]>('a.attempts'),
  createdAt: time('d.created_at'),
});
export type DeliveryRecord = RecordOf<typeof DELIVERY>;

const READER = createListReader<DeliveryFilter, DeliveryRecord, keyof typeof DELIVERY_SORTS>({
  table: 'webhook_delivery',
  alias: 'd',
  ...DELIVERY,
  joins: `cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('at', t.at, 'durationMs', t.duration_ms, 'status', t.status, 'error', t.error,
        'answer', t.answer) order by t.id desc), '[]') as attempts
      from (select * from webhook_attempt w
        where w.company_id = d.company_id and w.delivery_id = d.id order by w.id desc limit ${SHOWN_ATTEMPTS}) t
    ) a`,
  conditions: { id: 'd.id = ?', endpointId: 'd.endpoint_id = ?', status: 'd.status = any(?::text[])' },
  sorts: DELIVERY_SORTS,
  defaultOrder: { by: 'createdAt', isDescending: true },
});

/** The company's matching deliveries, newest first unless the page has another order. */
export const { list: listDeliveries } = READER;

/** Begins a delivery again: it is due now. Throws `not_found`. */
export async function retryDelivery(em: EntityManager, companyId: CompanyId, id: DeliveryId): Promise<DeliveryRecord> {
  // The endpoint is locked first, as by those who send.
  const woken = await em.execute<unknown[]>(
    `update webhook_endpoint w set awake_until = null from webhook_delivery d
     where d.company_id = ? and d.id = ? and w.company_id = d.company_id and w.id = d.endpoint_id returning w.id`,
    [companyId, id],
  );
  if (woken.length === 0) throw new Refusal('not_found', 'delivery not found');
  await em.execute(
    `update webhook_delivery set status = 'PENDING', failed_attempts = 0, next_attempt_at = now(), updated_at = now()
     where company_id = ? and id = ?`,
    [companyId, id],
  );
  const [delivery] = await READER.find(em, companyId, { id }, { limit: 1, offset: 0 });
  if (delivery === undefined) throw new Error('a written delivery was not found');
  return delivery;
}

/**
 * Sends the events from `from` to `to` (exclusive; absent: until now) once more. Returns false if there are none. Throws
 * `not_found`, and `wrong_state` while another replay is at work.
 */
export async function replayEvents(
  em: EntityManager,
  companyId: CompanyId,
  id: WebhookId,
  { from, to }: { readonly from: Date; readonly to: Date | undefined },
): Promise<boolean> {
  const [endpoint] = await em.execute<{ is_replaying: boolean }[]>(
    'select replay_after is not null as is_replaying from webhook_endpoint where company_id = ? and id = ? for update',
    [companyId, id],
  );
  if (endpoint === undefined) throw new Refusal('not_found', 'endpoint not found');
  if (endpoint.is_replaying) throw new Refusal('wrong_state', 'another replay is running');
  const started = await em.execute<unknown[]>(
    `update webhook_endpoint set replay_after = r.first - 1, replay_until = r.last, replay_from = ?,
       replay_to = coalesce(?::timestamptz, 'infinity'), awake_until = null, updated_at = now()
     from (select min(position) as first, max(position) as last from event
       where company_id = ? and created_at >= ? and created_at < coalesce(?::timestamptz, 'infinity')) r
     where company_id = ? and id = ? and r.first is not null returning id`,
    [from, to ?? null, companyId, from, to ?? null, companyId, id],
  );
  return started.length > 0;
}
