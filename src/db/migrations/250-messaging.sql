-- What the messaging platform has told us: that somebody wrote, and how far our own messages came. It tells the same more than
-- once and in any order, so each fact is a row of its own, written once. Neither numbers nor texts are kept: nothing
-- needs them.

create table messaging_event (
  -- The platform's id of the message, whoever sent it.
  message_id text not null check (length(message_id) between 1 and 255),
  -- `received` came to us; the others are what became of one we sent.
  kind text not null check (kind in ('received', 'sent', 'delivered', 'read', 'failed')),
  recorded_at timestamptz not null default now(),
  primary key (message_id, kind)
);
create index messaging_event_age on messaging_event (recorded_at);
-- It belongs to no tenant: the API writes it through the function alone.
alter table messaging_event enable row level security;
alter table messaging_event force row level security;
create policy owner on messaging_event to current_user using (true) with check (true);
create policy worker on messaging_event for select to escrow_worker using (true);
grant select on messaging_event to escrow_worker;

-- Records facts, [{"messageId", "kind"}], and answers how many were new. The platform repeats itself for days, not longer: older rows go, a few with
-- each call.
create function messaging_record(p_events jsonb) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  new_count integer;
begin
  delete from messaging_event where ctid = any (array(
    select ctid from messaging_event where recorded_at < now() - interval '30 days' order by recorded_at limit 200));
  insert into messaging_event (message_id, kind)
    -- In one order for all, so that two callers with the same facts do not wait for each other crosswise.
    select distinct fact."messageId", fact.kind from jsonb_to_recordset(p_events) as fact ("messageId" text, kind text)
    order by 1, 2
    on conflict do nothing;
  get diagnostics new_count = row_count;
  return new_count;
end $$;
