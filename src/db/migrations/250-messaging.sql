-- Reports of the messaging platform: received messages, and the delivery status of sent messages. The platform repeats reports
-- and sends them in any order, so each report is one row, written once. Numbers and texts are not stored, because nothing needs
-- them.

create table messaging_event (
  -- The platform's id of the message, for received and sent messages.
  message_id text not null check (length(message_id) between 1 and 255),
  -- `received`: a message to the service. The others are the status of a sent message.
  kind text not null check (kind in ('received', 'sent', 'delivered', 'read', 'failed')),
  recorded_at timestamptz not null default now(),
  primary key (message_id, kind)
);
create index messaging_event_age on messaging_event (recorded_at);
-- Not a tenant table. The API writes it only through the function.
alter table messaging_event enable row level security;
alter table messaging_event force row level security;
create policy owner on messaging_event to current_user using (true) with check (true);
create policy worker on messaging_event for select to escrow_worker using (true);
grant select on messaging_event to escrow_worker;

-- Records facts, [{"messageId", "kind"}], and returns how many were new. sweep_expired removes old ones: the platform repeats reports
-- for some days only.
create function messaging_record(p_events jsonb) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  new_count integer;
begin
  insert into messaging_event (message_id, kind)
    -- Sorted, so two callers with the same facts cannot deadlock.
    select distinct fact."messageId", fact.kind from jsonb_to_recordset(p_events) as fact ("messageId" text, kind text)
    order by 1, 2
    on conflict do nothing;
  get diagnostics new_count = row_count;
  return new_count;
end $$;
