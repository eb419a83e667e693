-- A company that came or grew after PostgreSQL collected statistics: it expects about no row of it, takes any index and joins by nested
-- loops. A file of 10,000 bank entries took minutes, and was answered 503. These functions are planned well without statistics.

-- Otherwise the function of 248-bank-statements.sql. It reads the entries by one list of ids, and looks into an index for each match:
-- `offset 0` keeps that lookup from becoming a join.
create or replace function bank_match_open(p_date date, p_id uuid, p_limit integer) returns table (date date, id uuid)
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  v_company constant uuid := current_company();
  v_ids uuid[];
  v_entries bank_entry[];
begin
  v_ids := array(
    select o.id from bank_entry o
    where o.company_id = v_company and (o.date, o.id) > (p_date, p_id)
      and not exists (select from bank_match m where m.company_id = o.company_id and m.entry_id = o.id offset 0)
    order by o.date, o.id limit p_limit);
  if v_ids = '{}' then return; end if;
  select array_agg(e order by e.date, e.id) into v_entries
  from bank_entry e where e.company_id = v_company and e.id = any(v_ids);
  perform bank_match_entries(v_entries);
  return query select (v_entries[cardinality(v_entries)]).date, (v_entries[cardinality(v_entries)]).id;
end $$;

-- Those that have this text, and this amount and direction if they are given: what is captured or paid later closes its open entry. A
-- reference may stand in thousands of entries, and a receipt must not wait for all of them: it closes one entry, the oldest of its
-- amount. A few more are tried, for what was committed at the same time. In the place of the functions of 248-bank-statements.sql.
drop function bank_match_named(uuid, text);
create function bank_match_named(p_company uuid, p_text text, p_cents bigint default null, p_direction text default null) returns void
language sql volatile as $$
  select bank_match_entries(coalesce(array_agg(e.o order by e.date, e.id), '{}')) from (
    select o, o.date, o.id from bank_entry o
    where o.company_id = p_company and o.search @> array[lower(btrim(p_text))]
      and (p_cents is null or o.amount_cents = p_cents) and (p_direction is null or o.direction = p_direction)
      and not exists (select from bank_match m where m.company_id = o.company_id and m.entry_id = o.id offset 0)
    order by o.date, o.id limit case when p_cents is not null then 10 end) e
$$;

-- After a reversal: the bank takes the receipt back.
create or replace function bank_match_text(p_text text) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  select bank_match_named(current_company(), p_text, p_direction => 'DEBIT')
$$;

create or replace function bank_reference_used() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bank_match_named(new.company_id, new.reference, new.amount_cents);
  if tg_table_name = 'intercompany_settlement' then
    perform bank_match_named(platform_company(), new.reference, new.amount_cents);
  end if;
  return null;
end $$;

-- Otherwise the function of 350-webhooks.sql. Here too `offset 0` keeps the look for an event from becoming a join, which read all events
-- of all companies.
create or replace function webhooks_to_wake(p_awake interval) returns table (id uuid, company_id uuid)
language sql volatile security definer set search_path = public, pg_temp as $$
  with asleep as materialized (
    select e.id, e.company_id, e.events, e.cursor_position, e.replay_after,
      (select max(v.position) from event v where v.company_id = e.company_id) as last
    from webhook_endpoint e
    where e.status = 'ENABLED' and (e.awake_until is null or e.awake_until < now())
      and (e.replay_after is not null
        or exists (select from event v where v.company_id = e.company_id and v.position > e.cursor_position)
        or exists (select from webhook_delivery d
          where d.company_id = e.company_id and d.endpoint_id = e.id and d.status = 'PENDING' and d.next_attempt_at <= now()
            and exists (select from event v where v.company_id = d.company_id and v.position = d.position offset 0) offset 0))
    order by e.id limit 1000 for update of e skip locked
  ), checked as materialized (
    select a.company_id, a.id, a.last, a.cursor_position,
      a.replay_after is not null
      or exists (select from webhook_delivery d
        where d.company_id = a.company_id and d.endpoint_id = a.id and d.status = 'PENDING' and d.next_attempt_at <= now()
          and exists (select from event v where v.company_id = d.company_id and v.position = d.position offset 0) offset 0)
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
