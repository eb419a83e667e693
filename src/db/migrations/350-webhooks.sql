-- Webhooks: endpoints that receive events, and their deliveries.
--
--   webhook_endpoint  where events are sent, and how far it has got in the feed (cursor_position)
--   webhook_delivery  one event for one endpoint: pending, delivered, or given up
--   webhook_attempt   every attempt and its answer
--
-- The run of an endpoint (webhook/whe_…) holds no data: it only decides when the next batch is due.

create table webhook_endpoint (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  url text not null check (length(url) <= 2048),
  -- Types of events, or '*'.
  events text[] not null check (cardinality(events) between 1 and 100),
  description text,
  status text not null default 'ENABLED' check (status in ('ENABLED', 'DISABLED')),
  disabled_reason text check (disabled_reason in ('REQUESTED', 'GONE', 'FAILING')),
  secret encrypted_text not null,
  -- The previous secret, which also signs until then.
  previous_secret encrypted_text,
  previous_secret_until timestamptz,
  -- Every event up to here has a delivery, or is not one of the endpoint's types.
  cursor_position bigint not null,
  -- Events after replay_after, up to replay_until, become deliveries once more if their time is from replay_from to replay_to
  -- (exclusive). Null: no replay.
  replay_after bigint,
  replay_until bigint,
  replay_from timestamptz,
  replay_to timestamptz,
  -- The first failure since the last success.
  failing_since timestamptz,
  -- The endpoint's run is active, or was told to start, until this time. A lost run or signal delays deliveries by at most this
  -- time.
  awake_until timestamptz,
  -- The administrator or the API key that added the endpoint.
  created_by_kind text not null check (created_by_kind in ('api_key', 'administrator')),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  check ((status = 'DISABLED') = (disabled_reason is not null)),
  check (num_nulls(replay_after, replay_until, replay_from, replay_to) in (0, 4))
);
create index webhook_endpoint_company on webhook_endpoint (company_id, created_at);
call tenant_table('webhook_endpoint', 'select');
call directory_table('webhook_endpoint', 'webhook_endpoint', 'id');
call named_column('webhook_endpoint', 'created_by', '{administrator,api_key}');
grant insert, delete, update (url, events, description, status, disabled_reason, secret, previous_secret, previous_secret_until,
    replay_after, replay_until, replay_from, replay_to, failing_since, awake_until, updated_at)
  on webhook_endpoint to escrow_api;
grant update (status, disabled_reason, cursor_position, replay_after, replay_until, replay_from,
    replay_to, failing_since, awake_until, updated_at)
  on webhook_endpoint to escrow_worker;

create table webhook_delivery (
  -- In time order, so that deliveries of one statement, which share created_at, keep the order of their events.
  id uuid not null default uuidv7(),
  endpoint_id uuid not null,
  company_id uuid not null,
  position bigint not null,
  event_id uuid not null,
  event_type text not null,
  object_id uuid not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  -- Failed attempts since the delivery was last begun: a retry or a replay begins it again.
  failed_attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, endpoint_id, position),
  foreign key (company_id, endpoint_id) references webhook_endpoint (company_id, id) on delete cascade
) with (fillfactor = 70);
create index webhook_delivery_pending on webhook_delivery (company_id, endpoint_id, object_id, position) where status = 'PENDING';
create index webhook_delivery_due on webhook_delivery (company_id, endpoint_id, next_attempt_at) where status = 'PENDING';
create index webhook_delivery_age on webhook_delivery (created_at);
call tenant_table('webhook_delivery', 'select');
grant update (status, failed_attempts, next_attempt_at, updated_at) on webhook_delivery to escrow_api, escrow_worker;
grant insert on webhook_delivery to escrow_worker;

create table webhook_attempt (
  id bigint generated always as identity,
  delivery_id uuid not null,
  company_id uuid not null,
  at timestamptz not null,
  duration_ms integer not null,
  -- The status of the answer. Null: none came, and `error` says why.
  status integer,
  error text,
  -- The beginning of the answer.
  answer text,
  primary key (company_id, delivery_id, id),
  foreign key (company_id, delivery_id) references webhook_delivery (company_id, id) on delete cascade
);
call tenant_table('webhook_attempt', 'select');
grant insert on webhook_attempt to escrow_worker;

-- A foreign key with cascade deletes as the owner of the table, so the API needs no right to delete deliveries.

create function webhook_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  values (new.company_id, 'webhook_endpoint', new.id, case new.status when 'DISABLED' then 'DISABLED' else 'ENABLED' end,
    clock_timestamp(), jsonb_build_object('url', new.url, 'events', new.events, 'description', new.description,
      'status', new.status, 'disabledReason', new.disabled_reason, 'createdBy', new.created_by,
      'createdByKind', new.created_by_kind,
      'createdAt', new.created_at));
  return null;
end $$;
create trigger zz_webhook_fact after update of status on webhook_endpoint for each row
  when (old.status <> new.status) execute function webhook_fact();

-- The company of an endpoint: the endpoint's run knows only its id.
create function webhook_company(p_id uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as
$$ select d.company_id from directory d where d.kind = 'webhook_endpoint' and d.key = p_id::text $$;

-- Endpoints of all companies whose run must be woken, because something is due and no run is active. Marks them as awake. The
-- cursor of an endpoint without matching events moves on without its run. The limit counts endpoints with something new only, so
-- idle endpoints do not delay others.
create function webhooks_to_wake(p_awake interval) returns table (id uuid, company_id uuid)
language sql volatile security definer set search_path = public, pg_temp as $$
  with asleep as materialized (
    select e.id, e.company_id, e.events, e.cursor_position, e.replay_after,
      (select max(v.position) from event v where v.company_id = e.company_id) as last
    from webhook_endpoint e
    where e.status = 'ENABLED' and (e.awake_until is null or e.awake_until < now())
      and (e.replay_after is not null
        or exists (select from event v where v.company_id = e.company_id and v.position > e.cursor_position)
        or exists (select from webhook_delivery d join event v on v.company_id = d.company_id and v.position = d.position
          where d.company_id = e.company_id and d.endpoint_id = e.id and d.status = 'PENDING' and d.next_attempt_at <= now()))
    order by e.id limit 1000 for update of e skip locked
  ), checked as materialized (
    select a.company_id, a.id, a.last, a.cursor_position,
      a.replay_after is not null
      or exists (select from webhook_delivery d join event v on v.company_id = d.company_id and v.position = d.position
        where d.company_id = a.company_id and d.endpoint_id = a.id and d.status = 'PENDING' and d.next_attempt_at <= now())
      or (a.last > a.cursor_position and exists (select from event v
        where v.company_id = a.company_id and v.position > a.cursor_position and a.events && array['*', v.type])) as is_due
    from asleep a
  ), changed as (
    update webhook_endpoint w set
      awake_until = case when c.is_due then now() + p_awake else w.awake_until end,
      cursor_position = case when c.is_due then w.cursor_position else c.last end
    from checked c where w.company_id = c.company_id and w.id = c.id and (c.is_due or c.last > c.cursor_position)
    returning w.id, w.company_id, c.is_due
  )
  select changed.id, changed.company_id from changed where is_due
$$;

-- Removes deliveries older than p_days with their attempts, at most p_limit. A pending delivery stays while its event does.
create function webhook_sweep(p_days integer, p_limit integer) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  removed integer;
begin
  delete from webhook_delivery d using (
    select d.company_id, d.id from webhook_delivery d
    where d.created_at < now() - make_interval(days => p_days)
      and (d.status <> 'PENDING' or not exists (select from event e where e.company_id = d.company_id and e.position = d.position))
    order by d.created_at limit p_limit) old
  where d.company_id = old.company_id and d.id = old.id;
  get diagnostics removed = row_count;
  return removed;
end $$;

-- How far events and webhooks are behind, for metrics. Ages are in seconds. Every part has a limit, except the number of failing
-- endpoints.
create function event_snapshot() returns table (metric text, label text, value double precision)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'event_lag_seconds', null::text, coalesce(extract(epoch from clock_timestamp() - min(f.at)), 0)::float8
    from (select at from event_fact order by id limit 1) f
  union all
  select 'events_set_aside', null, count(*)::float8 from (select from event_set_aside limit 10000) s
  union all
  select 'webhooks_failing', null, count(*)::float8
    from webhook_endpoint w where w.status = 'ENABLED' and w.failing_since is not null
  union all
  (select 'webhook_lag_seconds', w.id::text, extract(epoch from clock_timestamp() - min(o.since))::float8 as lag
    from (select id, company_id, cursor_position, events from webhook_endpoint where status = 'ENABLED' limit 10000) w
    cross join lateral (
      (select d.created_at as since from webhook_delivery d
        where d.company_id = w.company_id and d.endpoint_id = w.id and d.status = 'PENDING' order by d.position limit 1)
      union all
      (select v.created_at from event v where v.company_id = w.company_id and v.position > w.cursor_position
        and w.events && array['*', v.type] order by v.position limit 1)
    ) o
    group by w.id order by lag desc limit 100)
$$;
