-- The journal: append-only records of changes that happen in place elsewhere. An audit recomputes the changed rows from them.
--
--   hold_change                the amount that each posting added to a hold or took from it
--   transaction_status_change  every status that a transaction took after it was posted
--   *_event                    the event logs of escrows, payment links and withdrawals (event_table)
--   commitment, audit_log      who changed what else decides about money (362-commitments.sql)
--
-- A record is hashed in the statement that writes it. The hash waits in seal_queue until the sealer moves it into a block of
-- its company's chain. A record is therefore in the queue or in exactly one block, and a record in neither was forged.

create table seal_queue (
  company_id uuid not null,
  -- Table and key: 'hold_change/17', 'escrow_event/<escrow>/3'.
  record text not null,
  hash bytea not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- No role of the service may touch the queue: the trigger and the sealer run with the owner's rights.
call tenant_table('seal_queue', '');

-- The hash of a record. Callers set the time zone to UTC, because jsonb writes times in the session's time zone.
create function record_hash(p_row jsonb) returns bytea language sql immutable as
$$ select sha256(convert_to(p_row::text, 'UTF8')) $$;

-- Queues the rows that a statement added. The arguments are the columns that make the record's key; '-column' leaves a column out of
-- the record.
create function journal_added() returns trigger language plpgsql security definer
set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  key_columns constant text[] := array(select c from unnest(tg_argv) with ordinality a(c, at) where c not like '-%' order by at);
  left_out constant text[] := array(select substr(c, 2) from unnest(tg_argv) c where c like '-%');
begin
  insert into seal_queue (company_id, record, hash)
  select (a.row ->> 'company_id')::uuid,
    tg_table_name || (select string_agg('/' || (a.row ->> c.name), '' order by c.at)
      from unnest(key_columns) with ordinality c(name, at)),
    record_hash(a.row - left_out)
  from (select to_jsonb(added) from added) a(row);
  return null;
end $$;

-- Postings in flight. A posting gets its time before it commits, so a reader at a later time may not see it yet. ledger_post therefore
-- holds a lock whose key contains its start time, and readers find the oldest such lock in pg_locks. The keys of such locks are two
-- integers: the company, and milliseconds modulo 2^31 (24 days). All other advisory locks of the service have one key, so none of them
-- is read as a time.

-- The latest time before which no new posting can appear: entries of the company with an earlier time are visible to the next
-- statement. The function waits for the end of the current millisecond, so all postings that were answered before the call are
-- included.
create function ledger_closed_until(p_company uuid) returns timestamptz
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_end constant timestamptz := date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond';
  v_end_ms constant bigint := extract(epoch from v_end) * 1000;
  v_age_ms bigint;
begin
  perform pg_sleep(greatest(0, extract(epoch from v_end - clock_timestamp())));
  -- A posting that takes its lock after this scan has a later time than v_end. So may a posting that took it during the sleep.
  -- Its age is negative, so the difference is normalised around zero.
  select max((v_end_ms - l.objid::bigint + 1073741824) % 2147483648 - 1073741824) into v_age_ms
  from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 2 and l.database = (select oid from pg_database where datname = current_database())
    -- All companies post to the platform's accounts.
    and (l.classid::bigint = (hashtext(p_company::text)::bigint + 4294967296) % 4294967296 or p_company = platform_company());
  return v_end - greatest(v_age_ms, 0) * interval '1 millisecond';
end $$;

-- Seals what statements add to a table. Under `condition`, which must hold for every statement of the service, a row that another
-- statement adds is not sealed, so an audit names it.
create procedure sealed_table(name text, condition text, variadic arguments text[]) language plpgsql as $$
begin
  execute format('create trigger %I after insert on %I referencing new table as added for each statement when (%s)'
    ' execute function journal_added(%s)',
    name || '_journal', name, condition, (select string_agg(quote_literal(c), ', ') from unnest(arguments) c));
end $$;

-- Makes a table part of the journal: append-only, and sealed.
create procedure journal_table(name text, variadic key_columns text[]) language plpgsql as $$
begin
  execute format('create trigger %I before update or delete or truncate on %I for each statement execute function refuse_change()',
    name || '_is_append_only', name);
  call sealed_table(name, 'true', variadic key_columns);
end $$;

-- The condition that a statement is one of the service: of its roles, or of a program that acts for it as the owner (`connect` in
-- db/core/orm.ts).
create function by_service() returns text language sql immutable as $$
  select '(session_user in (''escrow_api'', ''escrow_worker'') or current_setting(''app.as_service'', true) = ''on'')'
$$;

create table hold_change (
  id bigint generated always as identity,
  transaction_id uuid not null,
  hold_id uuid not null,
  account_id uuid not null,
  company_id uuid not null,
  kind text not null check (kind in ('place', 'capture', 'void')),
  -- Signed: the change of the hold's remaining amount.
  amount_cents bigint not null,
  -- The time of the posting's entries. On one account the order of ids is the order of times.
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id)
);
create index hold_change_hold on hold_change (hold_id);
-- For the held amount of an account at some time. The index alone gives the sum.
create index hold_change_time on hold_change (account_id, created_at) include (amount_cents);
call tenant_table('hold_change', 'select');
call journal_table('hold_change', 'id');

create table transaction_status_change (
  id bigint generated always as identity,
  transaction_id uuid not null,
  company_id uuid not null,
  status_before text not null,
  status_after text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (company_id, id)
);
create index transaction_status_change_transaction on transaction_status_change (transaction_id);
call tenant_table('transaction_status_change', 'select');
call journal_table('transaction_status_change', 'id');

create function transaction_status_changed() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into transaction_status_change (transaction_id, company_id, status_before, status_after)
  values (new.id, new.company_id, old.status, new.status);
  return null;
end $$;
create trigger ledger_transaction_status_changed after update of status on ledger_transaction
  for each row when (old.status <> new.status) execute function transaction_status_changed();

-- Creates the append-only event table of an entity. Escrows, payment links and withdrawals share it.
create procedure event_table(name text, entity regclass, reference text) language plpgsql as $$
begin
  execute format($table$
    create table %1$I (
      %3$I uuid not null,
      seq integer not null,
      company_id uuid not null references company on delete restrict,
      command_id uuid not null,
      type text not null,
      actor text not null,
      at timestamptz not null,
      -- The status that the event led to.
      status text not null,
      data jsonb not null,
      source text not null default act_source(),
      primary key (company_id, %3$I, seq),
      unique (company_id, %3$I, command_id),
      foreign key (company_id, %3$I) references %2$s (company_id, id) on delete restrict
    )$table$, name, entity, reference);
  call tenant_table(name::regclass, 'select');
  execute format('grant insert on %I to escrow_worker', name);
  execute format('create trigger %I after insert on %I for each row execute function event_takes_line()', name || '_line', name);
  call journal_table(name, reference, 'seq');
end $$;
