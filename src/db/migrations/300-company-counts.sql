-- How many users, accounts, and escrows of each status a company has. Changes are appended by the transaction that makes them,
-- and housekeeping adds them up.

create table company_count (
  company_id uuid not null,
  -- 'users', 'accounts', 'escrows COMPLETED', …
  counted text not null,
  rows bigint not null,
  primary key (company_id, counted)
) with (fillfactor = 70);
call tenant_table('company_count', 'select');

-- Changes that are not added up yet. They are appended, so transactions of a company do not wait for each other.
create table company_count_change (
  company_id uuid not null,
  counted text not null,
  change bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index company_count_change_company on company_count_change (company_id);
call tenant_table('company_count_change', 'select');

-- Counts the rows that a statement added, under the name in the trigger's argument; escrows also by status.
create function company_count_added() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into company_count_change (company_id, counted, change)
  select a.company_id, concat_ws(' ', tg_argv[0], to_jsonb(a) ->> 'status'), count(*)
  from added a group by 1, 2;
  return null;
end $$;
create function company_count_moved() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into company_count_change (company_id, counted, change) values
    (old.company_id, tg_argv[0] || ' ' || old.status, -1), (new.company_id, tg_argv[0] || ' ' || new.status, 1);
  return null;
end $$;
create trigger escrow_counted after insert on escrow
  referencing new table as added for each statement execute function company_count_added('escrows');
create trigger escrow_moved after update of status on escrow
  for each row when (old.status <> new.status) execute function company_count_moved('escrows');
create trigger app_user_counted after insert on app_user
  referencing new table as added for each statement execute function company_count_added('users');
create trigger account_counted after insert on account
  referencing new table as added for each statement execute function company_count_added('accounts');

-- Adds up the changes. Returns at once if another call is doing it.
create function company_count_fold() returns void language plpgsql volatile security definer
set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('company_count')) then return; end if;
  with gone as (delete from company_count_change returning company_id, counted, change)
  insert into company_count as known (company_id, counted, rows)
  select g.company_id, g.counted, sum(g.change) from gone g group by 1, 2
  on conflict (company_id, counted) do update set rows = known.rows + excluded.rows;
end $$;

-- The current values of the counts in company_count.
create function company_counts(p_company uuid) returns table (counted text, rows bigint)
language sql stable set enable_seqscan = off as $$
  select c.counted, sum(c.rows)::bigint from (
    select known.counted, known.rows from company_count known where known.company_id = p_company
    union all
    select appended.counted, appended.change from company_count_change appended where appended.company_id = p_company
  ) c(counted, rows) group by c.counted having sum(c.rows) <> 0
$$;
