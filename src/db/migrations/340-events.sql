-- Events: the feed of changes that companies read.
--
--   event_fact  a change, written by triggers in the transaction of the change
--   event       the feed: facts with their position and their data, in the form that readers see
--   event_feed  the last position that was given
--   event_set_aside  facts that could not be described; the feed goes on without them until they are tried again
--
-- Transactions commit in another order than they draw numbers. Positions are therefore given after the commit, by one writer at a
-- time (db/events/event-sealer.ts): a reader that has seen position n never finds a new event below n (docs/adr/0021). An
-- object's row is locked while it changes, so the ids of its facts are in the order of its changes.

create table event_fact (
  id bigint generated always as identity,
  company_id uuid not null,
  -- Object and change name the type of the event (domain/events/event-types.ts). A change without a type is set aside; the
  -- triggers leave out internal changes.
  object_kind text not null,
  object_id uuid not null,
  change text not null,
  at timestamptz not null,
  -- The fields that later changes of the object overwrite. The sealer reads the other fields when it gives the position.
  snapshot jsonb,
  -- The request that caused the change; null where time or the service itself did it. Transactions carry it (db/core/driver.ts).
  request_id text default nullif(current_setting('app.request_id', true), ''),
  source text not null default act_source()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index event_fact_order on event_fact (id);
call tenant_table('event_fact', '');
grant select, insert, delete on event_fact to escrow_worker;

create table event (
  position bigint not null,
  id uuid not null,
  company_id uuid not null,
  type text not null,
  object_kind text not null,
  object_id uuid not null,
  created_at timestamptz not null,
  request_id text,
  source text not null,
  data jsonb not null,
  primary key (company_id, position),
  unique (company_id, id)
);
create index event_object on event (company_id, object_id, position);
create index event_company_time on event (company_id, created_at) include (position, type);
create index event_time on event (created_at);
call tenant_table('event', 'select');
grant insert on event to escrow_worker;

create table event_feed (
  only_row boolean primary key default true check (only_row),
  last_position bigint not null default 0
);
insert into event_feed default values;
grant select, update on event_feed to escrow_worker;

create table event_set_aside (
  fact_id bigint not null,
  company_id uuid not null,
  object_kind text not null,
  object_id uuid not null,
  change text not null,
  at timestamptz not null,
  snapshot jsonb,
  request_id text,
  source text not null,
  reason text not null,
  set_aside_at timestamptz not null default now(),
  primary key (company_id, fact_id)
);
call tenant_table('event_set_aside', '');
grant select, insert, delete on event_set_aside to escrow_worker;

-- Escrows, payment links and withdrawals. Their row already has the state that the event led to. Their times are those of the
-- company's clock, which can be ahead; events have real time. The triggers are named so that
-- they fire after the others.
create function escrow_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  select new.company_id, 'escrow', new.escrow_id, new.type, least(new.at, clock_timestamp()), e.state
  from escrow e where e.company_id = new.company_id and e.id = new.escrow_id;
  return null;
end $$;
create trigger zz_escrow_event_fact after insert on escrow_event for each row execute function escrow_fact();

create function payment_link_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  select new.company_id, 'payment_link', new.link_id, new.type, least(new.at, clock_timestamp()), l.state
  from payment_link l where l.company_id = new.company_id and l.id = new.link_id;
  return null;
end $$;
create trigger zz_payment_link_event_fact after insert on payment_link_event for each row
  when (new.type not in ('PAYMENT_PENDING', 'POLL_POSTPONED', 'POLL_HASTENED', 'CHANGE_NOTED'))
  execute function payment_link_fact();

create function withdrawal_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  select new.company_id, 'withdrawal', new.withdrawal_id, new.type, least(new.at, clock_timestamp()), w.state
  from withdrawal w where w.company_id = new.company_id and w.id = new.withdrawal_id;
  return null;
end $$;
create trigger zz_withdrawal_event_fact after insert on withdrawal_event for each row execute function withdrawal_fact();

-- Deposits are posted in batches of many requests, so ledger_post writes the facts of a batch itself, in one statement.

-- Settlement and reversal of deposits, and reversal of captures.
create function transaction_status_fact() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  select new.company_id, k.kind, new.id, case old.status when 'REVERSED' then 'REINSTATED' else new.status end, clock_timestamp(),
    jsonb_build_object('status', new.status, 'matchedKind', c.matched_kind, 'matchedId', c.matched_id)
  from (select case new.type when 'DEPOSIT' then 'deposit' else 'capture' end) k(kind)
  left join bank_capture c on c.company_id = new.company_id and c.id = new.id;
  return null;
end $$;
create trigger zz_transaction_status_fact after update of status on ledger_transaction for each row
  when (old.status <> new.status and new.type in ('DEPOSIT', 'BANK_CAPTURE')) execute function transaction_status_fact();

create function capture_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  select new.company_id, 'capture', new.id, case tg_op when 'INSERT' then 'RECEIVED' else 'ASSIGNED' end, clock_timestamp(),
    jsonb_build_object('status', t.status, 'matchedKind', new.matched_kind, 'matchedId', new.matched_id)
  from ledger_transaction t where t.company_id = new.company_id and t.id = new.id;
  return null;
end $$;
create trigger zz_capture_fact after insert on bank_capture for each row execute function capture_fact();
create trigger zz_capture_assigned_fact after update on bank_capture for each row
  when (old.matched_kind = 'SUSPENSE' and new.matched_kind = 'USER') execute function capture_fact();

-- The names of the columns that differ.
create function changed_columns(p_old jsonb, p_new jsonb, p_but text[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(n.key order by n.key), '[]') from jsonb_each(p_new) n
  where n.value is distinct from p_old -> n.key and n.key <> all (p_but)
$$;

create function bank_details_shown(p_row bank_details) returns jsonb language sql immutable as $$
  select jsonb_build_object('bankName', p_row.bank_name, 'branchCode', p_row.branch_code, 'maskedNumber', p_row.masked_number,
    'accountName', p_row.account_name)
$$;

-- Users. One change of a row may be several events.
create function user_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes text[] := '{}';
  -- A rotation of keys writes the same values with another key (db/operations/rotate-keys.ts).
  updated constant jsonb := case when current_setting('app.key_rotation', true) = 'on' then '[]' when tg_op = 'UPDATE' then changed_columns(to_jsonb(old), to_jsonb(new),
    '{kyc_level,identity_status,identity_status_reason,changed_since_approval,document_id,known_id_hash,id_number_hash,phone_hash,is_self_registered,
      bank_account_hash,erased_at,erasure_reason,created_at,updated_at}') end;
begin
  if tg_op = 'INSERT' then
    changes := '{CREATED}';
    if new.document_id is not null then changes := changes || '{DOCUMENT}'; end if;
  else
    if new.erased_at is distinct from old.erased_at then
      changes := '{ERASED}';
    elsif updated <> '[]' then
      changes := changes || '{UPDATED}';
    end if;
    if new.document_id is not null and new.document_id is distinct from old.document_id then
      changes := changes || '{DOCUMENT}';
    end if;
    if new.kyc_level >= 2 and old.kyc_level < 2 then changes := changes || '{APPROVED}'; end if;
    if new.kyc_level < 2 and old.kyc_level >= 2 and new.erased_at is null then changes := changes || '{APPROVAL_WITHDRAWN}'; end if;
    if new.identity_status = 'BLACKLISTED' and old.identity_status <> 'BLACKLISTED' then
      changes := changes || '{BLACKLISTED}';
    end if;
    if new.identity_status = 'CLEAR' and old.identity_status <> 'CLEAR' then changes := changes || '{CLEARED}'; end if;
  end if;
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  select new.company_id, 'user', new.id, c, clock_timestamp(), jsonb_build_object('firstName', new.first_name,
    'lastName', new.last_name, 'kycLevel', new.kyc_level, 'identityStatus', new.identity_status,
    'changedSinceApproval', new.changed_since_approval, 'customReference', new.custom_reference,
    'hasDocument', new.document_id is not null, 'createdAt', new.created_at,
    'changed', case c when 'UPDATED' then updated else '[]' end)
  from unnest(changes) with ordinality as changed(c, place) order by place;
  return null;
end $$;
create trigger zz_user_fact after insert on app_user for each row execute function user_fact();
create trigger zz_user_changed_fact after update on app_user for each row
  when (to_jsonb(old) - 'updated_at' is distinct from to_jsonb(new) - 'updated_at') execute function user_fact();

create function account_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  values (new.company_id, 'account', new.id, case when new.is_frozen then 'FROZEN' else 'UNFROZEN' end, clock_timestamp(),
    jsonb_build_object('isFrozen', new.is_frozen));
  return null;
end $$;
create trigger zz_account_fact after update of is_frozen on account for each row
  when (old.is_frozen <> new.is_frozen) execute function account_fact();

-- Bank details: those that were in effect or pending before, and the new ones, with masked numbers.
create function bank_details_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  select new.company_id, 'bank_details', new.ledger_id, 'CHANGED', clock_timestamp(), jsonb_build_object(
    'changedAt', new.changed_at, 'effectiveAt', new.effective_at, 'actorKind', new.actor_kind, 'actorId', new.actor_id,
    'after', bank_details_shown(new),
    'before', (select bank_details_shown(b) from bank_details b
      where b.company_id = new.company_id and b.ledger_id = new.ledger_id and b.id <> new.id
      order by b.created_at desc limit 1));
  return null;
end $$;
create trigger zz_bank_details_fact after insert on bank_details for each row execute function bank_details_fact();

-- Settings of the company: which of them changed.
create function company_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  select new.id, 'company', new.id, 'UPDATED', clock_timestamp(),
    jsonb_build_object('name', new.name, 'changed', changed_columns(to_jsonb(old), to_jsonb(new), '{id,name_key,created_at,updated_at}'));
  return null;
end $$;
create trigger zz_company_changed_fact after update on company for each row
  when (to_jsonb(old) - 'updated_at' is distinct from to_jsonb(new) - 'updated_at') execute function company_fact();

create function api_key_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  values (new.company_id, 'api_key', new.id,
    case when tg_op = 'INSERT' then 'CREATED' when new.is_active then 'ROLLED' else 'REVOKED' end, clock_timestamp(),
    jsonb_build_object('name', new.name, 'keyPrefix', new.key_prefix, 'isActive', new.is_active, 'role', new.role,
      'permissions', new.permissions, 'expiresAt', new.expires_at, 'activeUntil', new.active_until, 'createdBy', new.created_by,
      'createdAt', new.created_at));
  return null;
end $$;
create trigger zz_api_key_fact after insert on api_key for each row execute function api_key_fact();
create trigger zz_api_key_changed_fact after update of is_active, active_until on api_key for each row
  when ((old.is_active, old.active_until) is distinct from (new.is_active, new.active_until)) execute function api_key_fact();

create function administrator_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  values (new.company_id, 'administrator', new.id, case tg_op when 'INSERT' then 'ADDED' else 'REMOVED' end, clock_timestamp(),
    jsonb_build_object('firstName', new.first_name, 'lastName', new.last_name, 'email', new.email, 'role', new.role,
      'createdAt', new.created_at));
  return null;
end $$;
create trigger zz_administrator_fact after insert on administrator for each row execute function administrator_fact();
create trigger zz_administrator_removed_fact after update of removed_at on administrator for each row
  when (old.removed_at is null and new.removed_at is not null) execute function administrator_fact();

-- Removes events that are older than p_days, at most p_limit. Returns how many it removed.
create function event_sweep(p_days integer, p_limit integer) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  removed integer;
begin
  delete from event e using (
    select old.company_id, old.position from event old where old.created_at < now() - make_interval(days => p_days)
    order by old.created_at limit p_limit) old
  where e.company_id = old.company_id and e.position = old.position;
  get diagnostics removed = row_count;
  return removed;
end $$;
