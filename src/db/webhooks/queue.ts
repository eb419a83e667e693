import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { type CompanyId, type DeliveryId, publicId, type WebhookId } from '../../domain/ids.ts';
import type { DisabledReason } from '../../domain/webhooks.ts';
import { textArray } from '../core/bound.ts';
import { EVENT_COLUMNS, type EventRecord, type EventRow, eventRecordOf } from '../events/events.ts';

/** The deliveries that a worker or a run works through: from the feed into the queue, and from the queue to the receiver. */

/** Events that one call moves from the feed into the queue. */
const PULL_LIMIT = 200;
/** Deliveries that may wait in the queue of an endpoint; the feed keeps the rest. */
const MAX_PENDING = 10_000;
/** Deliveries in one batch. */
const BATCH_LIMIT = 200;
/** How long a run counts as being at work after its last sign of life. */
const AWAKE_SECONDS = 30;

/**
 * Who sends: a worker, which then holds the endpoint (`held_until`), if it has nothing but new events: no failure since the last success,
 * no replay, and no pending delivery (`webhooks_to_wake`). Otherwise an activity of its run, which waits during a hold. `id`: of this hold
 * or activity (`held_by`: who began to send last).
 */
export type Sender = { readonly kind: 'run' | 'worker'; readonly id: string };

/** `ended`: the endpoint is disabled, for this reason, or was removed. `busy`: another sender has it. */
type Pulled =
  | { readonly kind: 'busy' }
  | { readonly kind: 'ended'; readonly reason: DisabledReason | 'REMOVED' }
  | { readonly kind: 'pulled'; readonly hasMore: boolean };

/**
 * Makes deliveries of the next events: those of a replay, and those after the cursor. One transaction with the cursor, so each
 * event becomes one delivery. Marks the run as awake, and the endpoint as held if a worker sends. `isFirst`: a run may take the endpoint,
 * from an activity that was lost too. Otherwise the sender must still have it.
 */
export function pullEvents(
  orm: MikroORM,
  companyId: CompanyId,
  endpointId: WebhookId,
  { kind, id }: Sender,
  isFirst: boolean,
): Promise<Pulled> {
  return orm.em.fork().transactional(async (em) => {
    const [endpoint] = await em.execute<
      {
        cursor: string;
        replay_after: string | null;
        replay_until: string | null;
        replay_from: string | null;
        replay_to: string | null;
        pending: number;
      }[]
    >(
      `update webhook_endpoint w set awake_until = now() + make_interval(secs => ?), held_by = ?,
         held_until = case when ? then now() + make_interval(secs => ?) end
       where company_id = ? and id = ? and status = 'ENABLED'
         and case when ? then held_until is null or held_until <= now() else held_by = ? end
       returning cursor_position::text as cursor, replay_after::text as replay_after,
         replay_until::text as replay_until, replay_from::text as replay_from,
         replay_to::text as replay_to,
         (select count(*)::integer from (select from webhook_delivery d
            where d.company_id = w.company_id and d.endpoint_id = w.id and d.status = 'PENDING' limit ?) p) as pending`,
      [AWAKE_SECONDS, id, kind === 'worker', AWAKE_SECONDS, companyId, endpointId, isFirst, id, MAX_PENDING],
    );
    if (endpoint === undefined) return whyNotPulled(em, companyId, endpointId);
    if (endpoint.pending >= MAX_PENDING) return { kind: 'pulled', hasMore: false };
    let hasMore = false;
    if (endpoint.replay_after !== null) {
      const last = await enqueue(em, companyId, endpointId, endpoint.replay_after, {
        until: endpoint.replay_until,
        from: endpoint.replay_from,
        to: endpoint.replay_to,
      });
      hasMore = last !== null && last !== endpoint.replay_until;
      if (hasMore)
        await em.execute('update webhook_endpoint set replay_after = ? where company_id = ? and id = ?', [
          last,
          companyId,
          endpointId,
        ]);
      else
        await em.execute(
          `update webhook_endpoint set replay_after = null, replay_until = null, replay_from = null, replay_to = null
           where company_id = ? and id = ?`,
          [companyId, endpointId],
        );
    }
    const last = await enqueue(em, companyId, endpointId, endpoint.cursor, { until: null, from: null, to: null });
    if (last === null) return { kind: 'pulled', hasMore };
    await em.execute('update webhook_endpoint set cursor_position = ? where company_id = ? and id = ?', [
      last,
      companyId,
      endpointId,
    ]);
    return { kind: 'pulled', hasMore: true };
  });
}

async function whyNotPulled(em: EntityManager, companyId: CompanyId, endpointId: WebhookId): Promise<Pulled> {
  const [row] = await em.execute<{ reason: DisabledReason | null }[]>(
    'select disabled_reason as reason from webhook_endpoint where company_id = ? and id = ?',
    [companyId, endpointId],
  );
  if (row?.reason === null) return { kind: 'busy' };
  return { kind: 'ended', reason: row?.reason ?? 'REMOVED' };
}

/** The part of the feed that a replay sends: up to a position, with times from `from` to `to` (exclusive). Null: no bound. */
type FeedPart = { readonly until: string | null; readonly from: string | null; readonly to: string | null };

/** Enqueues the next events after a position. Returns the last position that it looked at; null if there is none. */
async function enqueue(
  em: EntityManager,
  companyId: CompanyId,
  endpointId: WebhookId,
  after: string,
  { until, from, to }: FeedPart,
): Promise<string | null> {
  const [row] = await em.execute<{ last: string | null }[]>(
    `with next as materialized (
       select e.position, e.id, e.company_id, e.type, e.object_id, e.created_at, w.events
       from webhook_endpoint w join event e on e.company_id = w.company_id
       where w.company_id = ? and w.id = ? and e.position > ? and (?::bigint is null or e.position <= ?::bigint) order by e.position limit ?
     ), queued as (
       insert into webhook_delivery as d (endpoint_id, company_id, position, event_id, event_type, object_id)
       select ?, n.company_id, n.position, n.id, n.type, n.object_id from next n
       where n.events && array['*', n.type] and n.created_at >= coalesce(?::timestamptz, '-infinity')
         and n.created_at < coalesce(?::timestamptz, 'infinity') order by n.position
       on conflict (company_id, endpoint_id, position) do update
         set status = 'PENDING', failed_attempts = 0, next_attempt_at = now(), updated_at = now()
     )
     select max(position)::text as last from next`,
    [companyId, endpointId, after, until, until, PULL_LIMIT, endpointId, from, to],
  );
  return row?.last ?? null;
}

export type DueDelivery = {
  readonly id: DeliveryId;
  readonly failedAttempts: number;
  readonly event: EventRecord;
};

type DueRow = EventRow & { delivery_id: DeliveryId; failed_attempts: number };

/**
 * The deliveries of an endpoint that may be sent now, oldest first. A delivery waits while an earlier one of its object waits for a retry.
 * One pass finds them: an endpoint that was down has many, and a look for each of them could read all others.
 */
const DUE = `select w.* from (
    select p.id, p.company_id, p.object_id, p.position, p.failed_attempts, p.next_attempt_at,
      min(p.position) filter (where p.next_attempt_at > now()) over (partition by p.object_id) as waits_from
    from webhook_delivery p where p.company_id = ? and p.endpoint_id = ? and p.status = 'PENDING'
  ) w
  where w.next_attempt_at <= now() and (w.waits_from is null or w.waits_from > w.position) order by w.position`;

/** The deliveries that may be sent now, oldest first. `busyObjects`: objects whose deliveries are left out. */
export async function dueDeliveries(
  em: EntityManager,
  companyId: CompanyId,
  endpointId: WebhookId,
  busyObjects: readonly string[] = [],
): Promise<DueDelivery[]> {
  const rows = await em.execute<DueRow[]>(
    `select d.id as delivery_id, d.failed_attempts, ${EVENT_COLUMNS}
     from (${DUE}) d
     cross join lateral (select v.* from event v where v.company_id = d.company_id and v.position = d.position offset 0) e
     where d.object_id <> all (?::uuid[])
     order by d.position limit ?`,
    [companyId, endpointId, textArray(busyObjects), BATCH_LIMIT],
  );
  return rows.map((row) => ({ id: row.delivery_id, failedAttempts: row.failed_attempts, event: eventRecordOf(row) }));
}

export type DeliveryResult = {
  readonly deliveryId: DeliveryId;
  /** The failed attempts before this one. */
  readonly failedAttempts: number;
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly isDelivered: boolean;
  /** When a failed delivery is tried again; null if it was delivered, or if it is given up. */
  readonly retryAt: Date | null;
};

/**
 * Writes the outcomes of a batch, and the time of the first failure since the last success. A failure plans no retry if the delivery was
 * begun again, or attempted by another sender, meanwhile. Answers to a delivery that was erased meanwhile are left out
 * (402-erased-repetitions.sql). Locks the endpoint first, as its changes do.
 */
export async function recordAttempts(
  em: EntityManager,
  companyId: CompanyId,
  endpointId: WebhookId,
  outcomes: readonly DeliveryResult[],
): Promise<{ readonly failingSince: Date | null }> {
  const rows = outcomes.map((one) => ({
    delivery_id: one.deliveryId,
    failed_attempts: one.failedAttempts,
    at: one.at.toISOString(),
    duration_ms: one.durationMs,
    status: one.status,
    error: one.error,
    answer: one.answer,
    is_delivered: one.isDelivered,
    retry_at: one.retryAt?.toISOString() ?? null,
  }));
  const [row] = await em.execute<{ failing_since: Date | null }[]>(
    `with endpoint as materialized (
       select w.company_id from webhook_endpoint w where w.company_id = ? and w.id = ? for no key update
     ), outcome as materialized (
       select o.*, d.company_id, d.erased_at,
         o.is_delivered or (d.status = 'PENDING' and d.failed_attempts = o.failed_attempts) as is_current
       from endpoint w
       cross join jsonb_to_recordset(?::jsonb) as o (delivery_id uuid, failed_attempts integer, at timestamptz, duration_ms integer,
         status integer, error text, answer text, is_delivered boolean, retry_at timestamptz)
       join webhook_delivery d on d.company_id = w.company_id and d.id = o.delivery_id
       order by d.id for update of d
     ), changed as (
       update webhook_delivery d set updated_at = now(), next_attempt_at = coalesce(o.retry_at, d.next_attempt_at),
         status = case when o.is_delivered then 'DELIVERED' when o.retry_at is null then 'FAILED' else 'PENDING' end,
         failed_attempts = d.failed_attempts + case when o.is_delivered then 0 else 1 end
       from outcome o where d.company_id = ? and d.id = o.delivery_id and o.is_current
     ), attempted as (
       insert into webhook_attempt (delivery_id, company_id, at, duration_ms, status, error, answer)
       select o.delivery_id, o.company_id, o.at, o.duration_ms, o.status, o.error,
         case when o.erased_at > o.at then null else o.answer end
       from outcome o order by o.at
     )
     update webhook_endpoint w set awake_until = now() + make_interval(secs => ?), failing_since =
       case when exists (select from outcome where is_delivered) then null
         when exists (select from outcome where is_current) then coalesce(w.failing_since, now()) else w.failing_since end
     where w.company_id = ? and w.id = ? returning w.failing_since`,
    [companyId, endpointId, JSON.stringify(rows), companyId, AWAKE_SECONDS, companyId, endpointId],
  );
  return { failingSince: row?.failing_since == null ? null : new Date(row.failing_since) };
}

/** Disables an endpoint that is enabled, with a line in the company's audit log. A trigger writes the event. */
export async function disableEndpoint(
  em: EntityManager,
  companyId: CompanyId,
  endpointId: WebhookId,
  reason: DisabledReason,
): Promise<void> {
  await em.execute(
    `with disabled as (
       update webhook_endpoint set status = 'DISABLED', disabled_reason = ?, awake_until = null, held_until = null, updated_at = now()
       where company_id = ? and id = ? and status = 'ENABLED' returning id, company_id
     )
     insert into audit_log (company_id, actor_kind, actor_id, operation, resource, status)
     select company_id, 'service', id, ?, ?, 200 from disabled`,
    [reason, companyId, endpointId, `DISABLE /v1/webhooks/{id} (${reason})`, publicId('webhook', endpointId)],
  );
}

/** The company of an endpoint; null if the endpoint was removed. */
export async function findCompanyOfEndpoint(em: EntityManager, endpointId: WebhookId): Promise<CompanyId | null> {
  const [row] = await em.execute<{ company: CompanyId | null }[]>('select webhook_company(?) as company', [endpointId]);
  return row?.company ?? null;
}

/**
 * Marks the run as asleep and ends the hold of a worker, so that new events wake the run, unless another sender has the endpoint; and then
 * looks once more. `hasWork`: there is work already. A notification that came before the mark did not wake the run, and a retry may have
 * fallen due since the run last looked.
 */
export async function fallAsleep(
  em: EntityManager,
  companyId: CompanyId,
  endpointId: WebhookId,
  sender: Sender,
): Promise<{ readonly hasWork: boolean; readonly nextAttemptAt: Date | null }> {
  const endpoint = [companyId, endpointId];
  await em.execute(
    'update webhook_endpoint set awake_until = null, held_until = null where company_id = ? and id = ? and held_by = ?',
    [...endpoint, sender.id],
  );
  // One statement, so that no retry falls due between two looks. Work is also an event or a replay that the queue does not have yet.
  const [row] = await em.execute<{ has_work: boolean; next: Date | null }[]>(
    `select w.status = 'ENABLED' and (w.replay_after is not null
         or exists (select from event e where e.company_id = w.company_id and e.position > w.cursor_position))
       or exists (select from (${DUE}) d
         cross join lateral (select from event v where v.company_id = d.company_id and v.position = d.position offset 0) e) as has_work,
       (select min(next_attempt_at) from webhook_delivery
        where company_id = ? and endpoint_id = ? and status = 'PENDING' and next_attempt_at > now()) as next
     from webhook_endpoint w where w.company_id = ? and w.id = ?`,
    [...endpoint, ...endpoint, ...endpoint],
  );
  // Without a row the endpoint was removed, which the run's next look names.
  return { hasWork: row?.has_work ?? true, nextAttemptAt: row?.next == null ? null : new Date(row.next) };
}

/** Ends the hold of a worker, which tells the run instead. */
export async function leaveToRun(
  em: EntityManager,
  companyId: CompanyId,
  endpointId: WebhookId,
  { id }: Sender,
): Promise<void> {
  await em.execute('update webhook_endpoint set held_until = null where company_id = ? and id = ? and held_by = ?', [
    companyId,
    endpointId,
    id,
  ]);
}

/**
 * The endpoints of these companies, or of all (null), for which there is work (399-grown-companies.sql). Marks them as awake. Their runs must be
 * woken, except of those that the caller holds: it sends their events itself, as this sender. Without one it holds none.
 */
export async function endpointsToWake(
  em: EntityManager,
  companies: readonly CompanyId[] | null,
  sender?: Sender,
): Promise<EndpointToWake[]> {
  const rows = await em.execute<{ id: WebhookId; company_id: CompanyId; is_held: boolean }[]>(
    'select id, company_id, is_held from webhooks_to_wake(make_interval(secs => ?), ?::uuid[], ?::uuid)',
    [AWAKE_SECONDS, companies === null ? null : textArray(companies), sender?.id ?? null],
  );
  return rows.map(({ id, company_id: companyId, is_held: isHeld }) => ({ id, companyId, isHeld }));
}

export type EndpointToWake = { readonly id: WebhookId; readonly companyId: CompanyId; readonly isHeld: boolean };
