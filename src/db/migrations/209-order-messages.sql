-- The messages to the parties of escrows with order pages: what happened, and the reminders before an automatic release. A row is
-- written in the transaction of its cause, so none is forgotten, and its key makes it the only one. The API sends it when it is due
-- (api/orders/messages.ts).

-- What causes each message, and who gets it: one row for each cause. OTHER is who did not act. A reminder has no event, but comes
-- `hours_before` the automatic release.
create function order_message_causes() returns table (kind text, event text, hours_before integer, receiver text)
language sql immutable as $$
  values ('DELIVERY', 'DELIVERY_NOTED', null::integer, 'BUYER'),
    ('RELEASE_IN_48_HOURS', null, 48, 'BUYER'),
    ('RELEASE_IN_6_HOURS', null, 6, 'BUYER'),
    ('PROPOSAL', 'NEGOTIATION_PROPOSED', null, 'OTHER'),
    ('DISPUTE', 'DISPUTED', null, 'OTHER'),
    ('DECISION', 'RESOLVED', null, 'BOTH'),
    ('SETTLEMENT', 'NEGOTIATION_ACCEPTED', null, 'OTHER'),
    ('PAYOUT', 'FUNDS_RELEASED', null, 'SELLER'),
    ('PAYOUT', 'AUTO_RELEASED', null, 'SELLER'),
    ('PAYOUT', 'MILESTONE_RELEASED', null, 'SELLER')
$$;

create table order_message (
  id uuid not null default gen_random_uuid(),
  company_id uuid not null references company on delete restrict,
  escrow_id uuid not null,
  party text not null check (party in ('BUYER', 'SELLER')),
  kind text not null,
  -- The number of the event, or the date of the release.
  cause text not null,
  -- By the company's clock. Later after a send that failed.
  due_at timestamptz not null,
  -- SENDING: it is sent now, or a process ended meanwhile; it is not sent again. NOT_SENT: `reason` says why. STALE: it was not true
  -- any more when it was due, and nobody was told.
  status text not null default 'WAITING' check (status in ('WAITING', 'SENDING', 'SENT', 'FAILED', 'NOT_SENT', 'STALE')),
  reason text check (reason in ('SWITCHED_OFF', 'STOPPED', 'LIMIT', 'NO_NUMBER')),
  attempts integer not null default 0,
  -- Keyed hash of the number, once the message was to be sent.
  number_hash text,
  -- When the company was told that it is due, in real time.
  announced_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, escrow_id, party, kind, cause),
  foreign key (company_id, escrow_id) references escrow (company_id, id) on delete restrict
);
create index order_message_due on order_message (due_at) where status = 'WAITING';
create index order_message_company_due on order_message (company_id, due_at) where status = 'WAITING';
create index order_message_number on order_message (number_hash, announced_at desc) where number_hash is not null;
create index order_message_age on order_message (updated_at) where status <> 'WAITING';
call tenant_table('order_message', 'select');
grant update (status, reason, attempts, number_hash, due_at, announced_at, updated_at) on order_message to escrow_api;

-- The numbers whose owners want no such messages, by their keyed hash. One-time passwords are still sent: their owners ask for them.
create table message_stop (
  number_hash text primary key,
  stopped_at timestamptz not null default now()
);
alter table message_stop enable row level security;
alter table message_stop force row level security;
create policy owner on message_stop to current_user using (true) with check (true);

create function message_stop_set(p_number_hash text, p_is_stopped boolean) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  delete from message_stop where number_hash = p_number_hash and not p_is_stopped;
  insert into message_stop (number_hash) select p_number_hash where p_is_stopped on conflict do nothing;
$$;

-- The parties of an escrow that have a page, in a company that has them switched on.
create function order_page_parties(p_company_id uuid, p_escrow_id uuid) returns table (party text)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.party from order_page o join company c on c.id = o.company_id
  cross join lateral (values ('BUYER', o.buyer_hash), ('SELLER', o.seller_hash)) p (party, hash)
  where o.company_id = p_company_id and o.id = p_escrow_id and p.hash is not null and (c.order_pages ->> 'enabled')::boolean
$$;

create function order_message_of_event() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_message (company_id, escrow_id, party, kind, cause, due_at)
  select new.company_id, new.escrow_id, p.party, k.kind, new.seq, new.at
  from order_message_causes() k join order_page_parties(new.company_id, new.escrow_id) p
    on k.receiver in ('BOTH', p.party) or (k.receiver = 'OTHER' and p.party <> new.actor)
  where k.event = new.type and (k.kind <> 'SETTLEMENT' or new.data ? 'settlement')
  on conflict do nothing;
  return null;
end $$;
create trigger escrow_event_message after insert on escrow_event for each row
  when (new.type in ('DELIVERY_NOTED', 'NEGOTIATION_PROPOSED', 'DISPUTED', 'RESOLVED', 'NEGOTIATION_ACCEPTED', 'FUNDS_RELEASED',
    'AUTO_RELEASED', 'MILESTONE_RELEASED'))
  execute function order_message_of_event();

-- Plans the reminders before the automatic release as it stands, in place of those that were planned.
create function order_reminders_plan(p_company_id uuid, p_escrow_id uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  delete from order_message m using order_message_causes() k
    where m.company_id = p_company_id and m.escrow_id = p_escrow_id and m.status = 'WAITING' and m.attempts = 0
      and k.kind = m.kind and k.hours_before is not null;
  insert into order_message (company_id, escrow_id, party, kind, cause, due_at)
    select e.company_id, e.id, p.party, k.kind, e.state ->> 'autoReleaseAt', d.due_at
    from escrow e join order_page_parties(e.company_id, e.id) p on true
      join order_message_causes() k on k.hours_before is not null and k.receiver in ('BOTH', p.party)
      cross join lateral (select instant(e.state ->> 'autoReleaseAt') - make_interval(hours => k.hours_before)) d (due_at)
    where e.company_id = p_company_id and e.id = p_escrow_id and e.status <> 'DISPUTED' and d.due_at > company_now(e.company_id)
    on conflict do nothing;
$$;

create function order_reminders_changed() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform order_reminders_plan(new.company_id, new.id);
  return null;
end $$;
create trigger escrow_reminders after update of state on escrow for each row
  when (old.state -> 'autoReleaseAt' is distinct from new.state -> 'autoReleaseAt') execute function order_reminders_changed();
create trigger order_page_reminders after insert or update of version, buyer_hash on order_page for each row
  execute function order_reminders_changed();

-- The messages that are due, at most p_limit. Clocks of companies are never behind real time, and few are ahead.
create function order_messages_due(p_limit integer) returns table (company_id uuid, id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  (select m.company_id, m.id from order_message m where m.status = 'WAITING' and m.due_at <= now() order by m.due_at limit p_limit)
  union all
  (select m.company_id, m.id from company_clock c cross join lateral (
      select o.company_id, o.id from order_message o where o.company_id = c.company_id and o.status = 'WAITING'
        and o.due_at > now() and o.due_at <= now() + c.ahead order by o.due_at limit p_limit) m
    where c.ahead > interval '0' limit p_limit)
  limit p_limit
$$;

-- Why nothing is sent to a number now: it was told to stop, or it has had as much as DATABASE_LIMITS (api/limits.ts) allows. The lock
-- serialises replicas.
create function order_message_obstacle(p_number_hash text) returns text
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('order_message/' || p_number_hash, 0));
  return case
    when exists (select from message_stop s where s.number_hash = p_number_hash) then 'STOPPED'
    when (select m.announced_at from order_message m where m.number_hash = p_number_hash order by m.announced_at desc
      offset 19 limit 1) > now() - interval '1 hour' then 'LIMIT'
    when (select m.announced_at from order_message m where m.number_hash = p_number_hash order by m.announced_at desc
      offset 59 limit 1) > now() - interval '1 day' then 'LIMIT'
  end;
end $$;

-- Whether or not the service sends it, the company is told that it is due.
create function order_message_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  values (new.company_id, 'order_message', new.id, 'DUE', clock_timestamp(), jsonb_build_object('escrowId', new.escrow_id,
    'party', new.party, 'kind', new.kind, 'dueAt', new.due_at, 'notSentBecause', new.reason));
  return null;
end $$;
create trigger zz_order_message_fact after update of announced_at on order_message for each row
  when (old.announced_at is null and new.announced_at is not null) execute function order_message_fact();
