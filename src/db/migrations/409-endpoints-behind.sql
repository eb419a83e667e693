-- Otherwise the function of 350-webhooks.sql. It looked for the oldest work of every endpoint: with 500 companies that took most of the time of
-- the platform's page. Two index look-ups for each endpoint now find those with work, and the limit counts only these.
-- "exists" would read all events where one company has most of them: PostgreSQL expects a newer one soon.
create or replace function event_snapshot() returns table (metric text, label text, value double precision)
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
    from (
      select id, company_id, cursor_position, events from webhook_endpoint e
      where e.status = 'ENABLED' and (
        (select v.position from event v where v.company_id = e.company_id and v.position > e.cursor_position
          order by v.position limit 1) is not null
        or exists (select from webhook_delivery d
          where d.company_id = e.company_id and d.endpoint_id = e.id and d.status = 'PENDING' offset 0))
      limit 10000) w
    cross join lateral (
      (select d.created_at as since from webhook_delivery d
        where d.company_id = w.company_id and d.endpoint_id = w.id and d.status = 'PENDING' order by d.position limit 1)
      union all
      (select v.created_at from event v where v.company_id = w.company_id and v.position > w.cursor_position
        and w.events && array['*', v.type] order by v.position limit 1)
    ) o
    group by w.id order by lag desc limit 100)
$$;

-- platform_concerns (360-platform.sql) compared the names of all companies with each other, which took most of its time beside 10,000. Names are
-- now counted, and only companies that share one are looked up.
do $$
begin
  execute replace(pg_get_functiondef('platform_concerns(integer, integer)'::regprocedure), $old$from company c where exists (
      select from company o where o.name_key = c.name_key and o.id <> c.id and (o.created_at, o.id) < (c.created_at, c.id))$old$,
    $new$from (select o.name_key from company o group by o.name_key having count(*) > 1 offset 0) shared
    cross join lateral (
      select y.id, y.updated_at from company y where y.name_key = shared.name_key order by y.created_at, y.id offset 1) c$new$);
end $$;
