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

-- Replaces the function of 248-bank-statements.sql, which read all movements of a reference for each entry that has it. The
-- entries are those of one company. The movements that nothing confirms yet are read once for all entries that want them: of those with a
-- text, direction and amount as many as there are entries. Then each entry in turn takes the oldest that is left for its texts. `offset 0`
-- keeps each lookup one in its own index: PostgreSQL would read all entries of the company for each movement.
create or replace function bank_match_entries(p_entries bank_entry[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
declare
  v_company constant uuid := p_entries[1].company_id;
  -- The movements, group by group, and oldest first within one. A group has the place of its first movement as its number.
  v_kinds text[];
  v_ids uuid[];
  v_positions bigint[];
  v_groups integer[];
  -- The number of a group by its key, and the place of its first movement that is left, by its number.
  v_numbers jsonb;
  v_next integer[];
  v_entry record;
  v_group integer;
  v_from integer;
  v_matched integer[] := '{}';
  v_taken integer[] := '{}';
begin
  with wanted as materialized (
    select concat_ws(' ', e.currency, e.direction, e.amount_cents, w.word) as key, e.currency, e.direction, e.amount_cents, w.word,
      count(*) as entries
    from unnest(p_entries) e cross join lateral (select distinct w.word from unnest(e.search) w(word)) w
    group by e.currency, e.direction, e.amount_cents, w.word
  ), movement as materialized (
    select w.key, f.kind, f.id, f.position, row_number() over (order by w.key, f.position)::integer as place,
      row_number() over (partition by w.key order by f.position)::integer as place_in_group
    from wanted w cross join lateral (
      select c.kind, c.id, t.position
      from (
        select 'CAPTURE' as kind, c.id from bank_capture c
        where w.direction = 'CREDIT' and c.company_id = v_company and lower(btrim(c.reference)) = w.word
          and c.currency = w.currency and c.amount_cents = w.amount_cents
        union
        select 'REVERSAL', r.id from bank_capture c cross join lateral (
          select r.id from ledger_transaction r where r.company_id = v_company and r.key = 'reversal/' || c.id offset 0) r
        where w.direction = 'DEBIT' and c.company_id = v_company and lower(btrim(c.reference)) = w.word
        union
        select 'PAYOUT', (v.data ->> 'transactionId')::uuid from withdrawal_event v
        where v.company_id = v_company
          and v.withdrawal_id = case when w.word ~ '^wd[0-9a-f]{32}$' then substr(w.word, 3)::uuid end
        union
        select 'INTERCOMPANY', i.id from intercompany_settlement i
        where i.company_id = v_company and i.amount_cents = w.amount_cents and lower(btrim(i.reference)) = w.word
        union
        select 'INTERCOMPANY', i.receipt_id from intercompany_settlement i
        where v_company = (select platform_company()) and i.amount_cents = w.amount_cents and lower(btrim(i.reference)) = w.word
      ) c cross join lateral (
        select t.position from ledger_transaction t
        where t.company_id = v_company and t.id = c.id and t.currency = w.currency
          and exists (
            select from (select * from entry where transaction_id = t.id offset 0) l
              join account a on a.company_id = l.company_id and a.id = l.account_id and a.type = 'BANK'
            where l.company_id = t.company_id and l.origin_id is null
              and l.amount = case w.direction when 'CREDIT' then -w.amount_cents else w.amount_cents end)
        offset 0) t
      where not exists (select from bank_match m where m.company_id = v_company and m.transaction_id = c.id offset 0)
      order by t.position limit w.entries) f
  )
  select array_agg(kind order by place), array_agg(id order by place), array_agg(position order by place),
    array_agg(place - place_in_group + 1 order by place), jsonb_object_agg(key, place - place_in_group + 1)
  into v_kinds, v_ids, v_positions, v_groups, v_numbers from movement having count(*) > 0;
  if v_numbers is null then return; end if;

  v_next := v_groups;
  for v_entry in
    select e.ordinality::integer as place, coalesce((
      select array_agg((v_numbers ->> concat_ws(' ', e.currency, e.direction, e.amount_cents, w.word))::integer)
      from unnest(e.search) w(word)), '{}') as groups
    from unnest(p_entries) with ordinality e order by e.ordinality
  loop
    v_from := null;
    foreach v_group in array v_entry.groups loop
      if v_groups[v_next[v_group]] = v_group
        and (v_from is null or v_positions[v_next[v_group]] < v_positions[v_next[v_from]]) then v_from := v_group; end if;
    end loop;
    continue when v_from is null;
    v_matched := v_matched || v_entry.place;
    v_taken := v_taken || v_next[v_from];
    v_next[v_from] := v_next[v_from] + 1;
  end loop;

  insert into bank_match (entry_id, company_id, kind, transaction_id)
  select (p_entries[m.entry]).id, v_company, v_kinds[m.movement], v_ids[m.movement]
  from unnest(v_matched, v_taken) m(entry, movement)
  on conflict do nothing;
end $$;

-- Those that have this text, and this amount and direction if they are given: what is captured or paid later closes its open entry. A
-- reference may stand in thousands of entries, and a receipt must not wait for all of them: it closes one entry, the oldest of its
-- amount. A few more are tried, for what was committed at the same time. They replace the functions of 248-bank-statements.sql.
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
-- A delivery behind a planned retry of its object wakes nobody: the run has nothing to send, and would be woken again and again.
-- It looks at the endpoints of these companies, or at all (null).
-- With p_sender, the caller sends to endpoints that have nothing but new events (is_held) itself, and holds them meanwhile.
-- held_by: who began to send last. A sender that finds another one there has lost the endpoint.
alter table webhook_endpoint add column held_until timestamptz, add column held_by uuid;
grant update (held_until, held_by) on webhook_endpoint to escrow_worker;
drop function webhooks_to_wake(interval);
create function webhooks_to_wake(p_awake interval, p_companies uuid[] default null, p_sender uuid default null)
returns table (id uuid, company_id uuid, is_held boolean)
language plpgsql volatile security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  return query
  with asleep as materialized (
    select e.id, e.company_id, e.events, e.cursor_position, s.is_sendable,
      p_sender is not null and e.failing_since is null and e.replay_after is null and not exists (select from webhook_delivery d
        where d.company_id = e.company_id and d.endpoint_id = e.id and d.status = 'PENDING') as is_held,
      (select max(v.position) from event v where v.company_id = e.company_id) as last
    from webhook_endpoint e cross join lateral (
      select e.replay_after is not null or exists (select from webhook_delivery d
        where d.company_id = e.company_id and d.endpoint_id = e.id and d.status = 'PENDING' and d.next_attempt_at <= now()
          and not exists (select from webhook_delivery b
            where b.company_id = d.company_id and b.endpoint_id = d.endpoint_id and b.object_id = d.object_id
              and b.status = 'PENDING' and b.position < d.position and b.next_attempt_at > now() offset 0)
          and exists (select from event v where v.company_id = d.company_id and v.position = d.position offset 0) offset 0)
        as is_sendable offset 0) s
    where e.status = 'ENABLED' and (e.awake_until is null or e.awake_until < now())
      and (e.held_until is null or e.held_until < now())
      and (p_companies is null or e.company_id = any (p_companies))
      -- Not "exists", which would read all events where one company has most of them: PostgreSQL expects a newer one soon.
      and (s.is_sendable or (select v.position from event v where v.company_id = e.company_id and v.position > e.cursor_position
        order by v.position limit 1) is not null)
    order by e.id limit 1000 for update of e skip locked
  ), checked as materialized (
    select a.company_id, a.id, a.last, a.cursor_position, a.is_held,
      a.is_sendable or (a.last > a.cursor_position and exists (select from event v
        where v.company_id = a.company_id and v.position > a.cursor_position and a.events && array['*', v.type])) as is_due
    from asleep a
  ), changed as (
    update webhook_endpoint w set
      awake_until = case when c.is_due then now() + p_awake else w.awake_until end,
      held_until = case when c.is_due and c.is_held then now() + p_awake end,
      held_by = case when c.is_due and c.is_held then p_sender else w.held_by end,
      cursor_position = case when c.is_due then w.cursor_position else c.last end
    from checked c where w.company_id = c.company_id and w.id = c.id and (c.is_due or c.last > c.cursor_position)
    returning w.id, w.company_id, c.is_due, c.is_held
  )
  select changed.id, changed.company_id, changed.is_held from changed where is_due;
end $$;
grant execute on function webhooks_to_wake to escrow_worker;
