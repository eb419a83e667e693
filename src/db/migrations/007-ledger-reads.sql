-- What reading the ledger needs beside the books themselves: indexes, and sums that the sealer derives from each block, off
-- the path of posting. Whoever reads adds what is not sealed yet (about a second's worth), so reads are exact at any moment,
-- also while no sealer runs; they only get slower then.
--
--   ledger_activity   which transactions touched a ledger, by an entry or by a hold
--   transaction_tally how many transactions there are per type: of a company, and on a company's own ledger
--   account_turnover  credits and debits of an appending account, whose entries carry no balance
--   company_count     how many users, accounts, and escrows of each status a company has
--   account_freeze    who froze or unfroze an account, when and why
--
-- Tally and turnover are kept per UTC day and per UTC hour. A window in time is then whole days, the whole hours around them, and
-- two parts of an hour that are read from an index: it costs the same in the first month as after ten years.
--
-- Functions that read across row-level security (unsealed marks, the platform's fee) are SECURITY DEFINER and take the
-- company as an argument, which for the API's role must be the one its transaction is set to.

drop index ledger_transaction_listing;
create index ledger_transaction_by_type on ledger_transaction (company_id, type, created_at desc, id desc);
create index ledger_transaction_unfinished on ledger_transaction (company_id, status, created_at desc, id desc)
  where status <> 'COMPLETED';
-- A window in time on one account; on its own it gives the sums of part of an hour.
create index entry_time on entry (account_id, created_at, id) include (amount, transaction_id);

create table ledger_activity (
  ledger_id uuid not null,
  -- The ledger's company, which for a platform's fee is not the transaction's.
  company_id uuid not null,
  type text not null,
  created_at timestamptz not null,
  transaction_id uuid not null,
  primary key (ledger_id, type, created_at, transaction_id)
);
call tenant_table('ledger_activity', 'select');

create table transaction_tally (
  -- The company: all its transactions. Its own ledger: those that touched it.
  scope_id uuid not null,
  company_id uuid not null,
  type text not null,
  unit text not null check (unit in ('day', 'hour')),
  starts_at timestamptz not null,
  transactions bigint not null,
  primary key (scope_id, type, unit, starts_at)
) with (fillfactor = 70);
call tenant_table('transaction_tally', 'select');

create table account_turnover (
  account_id uuid not null,
  company_id uuid not null,
  unit text not null check (unit in ('day', 'hour')),
  starts_at timestamptz not null,
  -- Without sign. Numeric, because money that goes round passes a bigint before any balance does.
  credits numeric not null,
  debits numeric not null,
  primary key (account_id, unit, starts_at)
) with (fillfactor = 70);
call tenant_table('account_turnover', 'select');

create table company_count (
  company_id uuid not null,
  -- 'users', 'accounts', 'escrows COMPLETED', …
  counted text not null,
  rows bigint not null,
  primary key (company_id, counted)
) with (fillfactor = 70);
call tenant_table('company_count', 'select');

-- What is not added up yet: appended, so that no two transactions of a company wait for each other.
create table company_count_change (
  company_id uuid not null,
  counted text not null,
  change bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index company_count_change_company on company_count_change (company_id);
call tenant_table('company_count_change', 'select');

create table account_freeze (
  id uuid primary key,
  company_id uuid not null,
  account_id uuid not null references account on delete restrict,
  is_frozen boolean not null,
  reason text not null,
  -- The administrator or API key that asked for it.
  actor_kind text not null check (actor_kind in ('administrator', 'api_key')),
  actor_id uuid not null,
  created_at timestamptz not null default now()
);
create index account_freeze_account on account_freeze (account_id, created_at desc);
call tenant_table('account_freeze', 'select, insert');
create trigger account_freeze_is_append_only before update or delete or truncate on account_freeze
  for each statement execute function refuse_change();

-- Deriving ----------------------------------------------------------------------------------------------------------------

-- The ledgers that transactions touched: by an entry, by a hold they placed, or by the hold of the escrow they belong to.
create function transaction_ledgers(p_transactions uuid[])
returns table (transaction_id uuid, type text, created_at timestamptz, ledger_id uuid, company_id uuid)
language sql stable as $$
  select distinct t.id, t.type, t.created_at, a.ledger_id, a.company_id
  from ledger_transaction t
  cross join lateral (
    select e.account_id from entry e where e.transaction_id = t.id
    union all
    select h.account_id from hold h where h.transaction_id = t.id
    union all
    select h.account_id from hold h where h.id = t.escrow_id
  ) touched
  cross join lateral (select * from account a where a.id = touched.account_id offset 0) a
  where t.id = any (p_transactions)
$$;

-- The start of the UTC day or hour that a moment is in.
create function utc_start(p_unit text, p_at timestamptz) returns timestamptz language sql immutable as
$$ select date_trunc(p_unit, p_at at time zone 'UTC') at time zone 'UTC' $$;

-- The first start of a UTC day or hour that is not before a moment.
create function utc_next_start(p_unit text, p_at timestamptz) returns timestamptz language sql immutable as
$$ select case when p_at = utc_start(p_unit, p_at) then p_at
     else utc_start(p_unit, p_at) + case p_unit when 'day' then interval '24 hours' else interval '1 hour' end end $$;

-- [p_from, p_to) in parts, in order: what is left of an hour (unit null), whole hours, whole days, whole hours, part of an hour.
-- Empty parts are missing.
create function utc_parts(p_from timestamptz, p_to timestamptz)
returns table (unit text, starts timestamptz, ends timestamptz) language plpgsql immutable rows 5 as $$
declare
  hours_from constant timestamptz := least(utc_next_start('hour', p_from), p_to);
  hours_to constant timestamptz := greatest(utc_start('hour', p_to), hours_from);
  days_from constant timestamptz := least(utc_next_start('day', hours_from), hours_to);
  days_to constant timestamptz := greatest(utc_start('day', hours_to), days_from);
begin
  return query
    select * from (values
      (null, p_from, hours_from), ('hour', hours_from, days_from), ('day', days_from, days_to), ('hour', days_to, hours_to),
      (null, hours_to, p_to)) part(unit, starts, ends)
    where part.starts < part.ends;
end $$;

-- Counts the rows that a statement added, as what the trigger's argument says; escrows by their status too.
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

-- Adds the changes up. Who comes while another one is at it has nothing to do.
create function company_count_fold() returns void language plpgsql volatile security definer
set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('company_count')) then return; end if;
  with gone as (delete from company_count_change returning company_id, counted, change)
  insert into company_count as known (company_id, counted, rows)
  select g.company_id, g.counted, sum(g.change) from gone g group by 1, 2
  on conflict (company_id, counted) do update set rows = known.rows + excluded.rows;
end $$;

-- Each block adds its transactions to the sums, in the sealer's own transaction. A transaction is in one block only.
create function block_derive() returns trigger language plpgsql set enable_seqscan = off set jit = off as $$
begin
  with touched as materialized (
    select * from transaction_ledgers(new.transaction_ids)
  ), activity as (
    insert into ledger_activity (ledger_id, company_id, type, created_at, transaction_id)
    select ledger_id, company_id, type, created_at, transaction_id from touched
  ), counted as (
    select l.id as scope_id, l.company_id, touched.type, touched.created_at
    from touched join ledger l on l.id = touched.ledger_id where l.user_id is null
    union all
    select t.company_id, t.company_id, t.type, t.created_at
    from ledger_transaction t where t.id = any (new.transaction_ids)
  )
  insert into transaction_tally as known (scope_id, company_id, type, unit, starts_at, transactions)
  select c.scope_id, c.company_id, c.type, u.unit, utc_start(u.unit, c.created_at), count(*)
  from counted c cross join (values ('day'), ('hour')) u(unit)
  group by 1, 2, 3, 4, 5
  on conflict (scope_id, type, unit, starts_at) do update set transactions = known.transactions + excluded.transactions;

  insert into account_turnover as known (account_id, company_id, unit, starts_at, credits, debits)
  select e.account_id, e.company_id, u.unit, utc_start(u.unit, e.created_at),
    sum(greatest(e.amount, 0)), sum(greatest(-e.amount, 0))
  from entry e join account a on a.id = e.account_id cross join (values ('day'), ('hour')) u(unit)
  where e.transaction_id = any (new.transaction_ids)
    and (a.appends or exists (select from account_turnover x where x.account_id = a.id))
  group by 1, 2, 3, 4
  on conflict (account_id, unit, starts_at) do update
    set credits = known.credits + excluded.credits, debits = known.debits + excluded.debits;
  return null;
end $$;
create trigger block_derive after insert on block for each row execute function block_derive();

-- An account that begins to append gets the turnover it had so far; from then on the sealer keeps it, even when it is
-- switched back.
create function account_begin_turnover() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('ledger_seal')); -- the sealer's own: no block comes in between
  insert into account_turnover (account_id, company_id, unit, starts_at, credits, debits)
  select e.account_id, e.company_id, u.unit, utc_start(u.unit, e.created_at),
    sum(greatest(e.amount, 0)), sum(greatest(-e.amount, 0))
  from entry e join ledger_transaction t on t.id = e.transaction_id
  cross join seal_progress p cross join (values ('day'), ('hour')) u(unit)
  where e.account_id = new.id and (t.position <= p.final_position or p.sealed_beyond @> t.position)
  group by 1, 2, 3, 4
  on conflict do nothing;
  return null;
end $$;
create trigger account_begin_turnover after update of appends on account
  for each row when (new.appends and not old.appends) execute function account_begin_turnover();

-- Reading -----------------------------------------------------------------------------------------------------------------

create function require_company(p_company uuid) returns void language plpgsql stable as $$
begin
  if session_user = 'escrow_api' and p_company is distinct from current_company() then
    raise exception 'reading for another company' using errcode = 'insufficient_privilege';
  end if;
end $$;

-- What no block has yet; of all companies where p_company is null. For the functions below, no role may call it.
--
-- Below, `offset 0` keeps a look-up by transaction what it is: one step down an index for each row, and never a join that
-- reads an account's or the table's every row because a plan was made for other numbers.
create function unsealed_transactions(p_company uuid) returns setof ledger_transaction
language sql stable security definer rows 100 set search_path = public, pg_temp as $$
  select t.* from seal_progress p, ledger_transaction t
  where t.position > p.final_position and not p.sealed_beyond @> t.position
    and (p_company is null or t.company_id = p_company)
$$;

-- ledger_activity's rows of transactions that no block has yet.
create function unsealed_activity(p_company uuid, p_ledger uuid)
returns table (transaction_id uuid, type text, created_at timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform require_company(p_company);
  return query
    select touched.transaction_id, touched.type, touched.created_at
    from transaction_ledgers(array(
      -- Only the platform's ledger is touched by transactions of others.
      select t.id from unsealed_transactions(case when p_company = platform_company() then null else p_company end) t
    )) touched
    where touched.ledger_id = p_ledger and touched.company_id = p_company;
end $$;

-- How many transactions of these types there are in [p_from, p_to): of the company (p_ledger null), or on one of its ledgers.
-- Whole days and hours come from the tally, the rest from an index; a user's ledger has no tally and is counted by its index.
create function ledger_transaction_count(p_company uuid, p_ledger uuid, p_types text[], p_from timestamptz, p_to timestamptz)
returns bigint language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  v_from constant timestamptz := coalesce(p_from, '-infinity');
  v_to constant timestamptz := coalesce(p_to, 'infinity');
  part record;
  -- What lies in whole days and hours. The tally has no unsealed transactions; the index of transactions has them.
  whole_from timestamptz;
  whole_to timestamptz;
  counted bigint;
  total bigint := 0;
begin
  perform require_company(p_company);
  if p_ledger is not null and exists (select from ledger l where l.id = p_ledger and l.user_id is not null) then
    select count(*) into total from ledger_activity a
    where a.ledger_id = p_ledger and a.type = any (p_types) and a.created_at >= v_from and a.created_at < v_to;
  else
    for part in select * from utc_parts(v_from, v_to) loop
      if part.unit is not null then
        select coalesce(sum(t.transactions), 0) into counted from transaction_tally t
        where t.scope_id = coalesce(p_ledger, p_company) and t.type = any (p_types) and t.unit = part.unit
          and t.starts_at >= part.starts and t.starts_at < part.ends;
        whole_from := coalesce(whole_from, part.starts);
        whole_to := part.ends;
      elsif p_ledger is not null then
        select count(*) into counted from ledger_activity a
        where a.ledger_id = p_ledger and a.type = any (p_types) and a.created_at >= part.starts and a.created_at < part.ends;
      else
        select count(*) into counted from ledger_transaction t
        where t.company_id = p_company and t.type = any (p_types) and t.created_at >= part.starts and t.created_at < part.ends;
      end if;
      total := total + counted;
    end loop;
  end if;

  if p_ledger is null then
    select count(*) into counted from unsealed_transactions(p_company) t
    where t.type = any (p_types) and t.created_at >= whole_from and t.created_at < whole_to;
  else
    select count(*) into counted from unsealed_activity(p_company, p_ledger) a
    where a.type = any (p_types) and a.created_at >= v_from and a.created_at < v_to;
  end if;
  return total + counted;
end $$;

-- What the blocks have on an appending account before the start of an hour; null where they have nothing.
create function ledger_balance_sealed(p_account uuid, p_hour timestamptz) returns numeric language sql stable as $$
  select sum(x.amount) from (
    select sum(x.credits - x.debits) from account_turnover x
    where x.account_id = p_account and x.unit = 'day' and x.starts_at < utc_start('day', p_hour)
    union all
    select sum(x.credits - x.debits) from account_turnover x
    where x.account_id = p_account and x.unit = 'hour' and x.starts_at >= utc_start('day', p_hour) and x.starts_at < p_hour
  ) x(amount)
$$;

-- The balance of an account right before an instant: every entry with an earlier time.
create function ledger_balance_before(p_company uuid, p_account uuid, p_at timestamptz) returns numeric
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  v_hour constant timestamptz := utc_start('hour', p_at);
  has_turnover boolean;
  balance numeric;
begin
  perform require_company(p_company);
  select a.appends or exists (select from account_turnover x where x.account_id = a.id) into has_turnover
  from account a where a.id = p_account and a.company_id = p_company;
  if has_turnover is null then return null; end if;

  if not has_turnover then
    -- On a locked account the order of times is the order of effects.
    select e.balance_after into balance from entry e
    where e.account_id = p_account and e.created_at < p_at order by e.created_at desc, e.id desc limit 1;
    return coalesce(balance, 0);
  end if;

  select sum(moved.amount) into balance from (
    select ledger_balance_sealed(p_account, v_hour)
    union all
    select sum(e.amount) from entry e where e.account_id = p_account and e.created_at >= v_hour and e.created_at < p_at
    union all
    select sum(e.amount)
    from account a
    cross join lateral unsealed_transactions(case when a.type = 'SYSTEM_FEE' then null else p_company end) t
    cross join lateral (select * from entry e where e.transaction_id = t.id offset 0) e
    where a.id = p_account and e.account_id = a.id and e.created_at < v_hour
  ) moved(amount);
  return coalesce(balance, 0);
end $$;

-- The balances that entries of appending accounts led to: what was before the entry's hour, and in that hour what came no later.
-- One pass over the hours of an account, and one over an hour's entries, serve all that are asked for.
create function appended_balances(p_company uuid, p_entries bigint[]) returns table (entry_id bigint, balance numeric)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform require_company(p_company);
  return query
    with wanted as materialized (
      select e.id, e.account_id, e.created_at, utc_start('hour', e.created_at) as hour
      from entry e where e.id = any (p_entries) and e.company_id = p_company
    ), concerned as materialized (
      select w.account_id, w.hour, max(w.created_at) as until from wanted w group by w.account_id, w.hour
    ), first as materialized (
      select distinct on (c.account_id) c.account_id, c.hour, max(c.hour) over (partition by c.account_id) as last_hour
      from concerned c order by c.account_id, c.hour
    ), change (account_id, hour, is_start, amount) as (
      -- What was before the first hour in one sum, then hour by hour, and where each hour in question starts.
      select f.account_id, f.hour, false, coalesce(ledger_balance_sealed(f.account_id, f.hour), 0) from first f
      union all
      select f.account_id, x.starts_at + interval '1 hour', false, x.credits - x.debits
      from first f cross join lateral (
        select * from account_turnover x
        where x.account_id = f.account_id and x.unit = 'hour' and x.starts_at >= f.hour and x.starts_at < f.last_hour offset 0) x
      union all
      select f.account_id, greatest(utc_start('hour', e.created_at) + interval '1 hour', f.hour), false, e.amount
      from unsealed_transactions(case when p_company = platform_company() then null else p_company end) t
      cross join lateral (select * from entry e where e.transaction_id = t.id offset 0) e
      join first f on f.account_id = e.account_id
      union all
      select c.account_id, c.hour, true, 0 from concerned c
    ), before as materialized (
      select b.account_id, b.hour, b.amount from (
        select c.account_id, c.hour, c.is_start, sum(c.amount) over (partition by c.account_id order by c.hour, c.is_start) as amount
        from change c) b
      where b.is_start
    ), led_to as materialized (
      select e.id, b.amount + sum(e.amount) over (partition by c.account_id, c.hour order by e.created_at, e.id) as balance
      from concerned c
      join before b on b.account_id = c.account_id and b.hour = c.hour
      cross join lateral (
        select e.id, e.created_at, e.amount from entry e
        where e.account_id = c.account_id and e.created_at >= c.hour and e.created_at <= c.until offset 0) e
    )
    select w.id, l.balance from wanted w join led_to l on l.id = w.id;
end $$;

-- What company_count counts, as of now.
create function company_counts(p_company uuid) returns table (counted text, rows bigint)
language sql stable set enable_seqscan = off as $$
  select c.counted, sum(c.rows)::bigint from (
    select known.counted, known.rows from company_count known where known.company_id = p_company
    union all
    select appended.counted, appended.change from company_count_change appended where appended.company_id = p_company
  ) c(counted, rows) group by c.counted having sum(c.rows) <> 0
$$;

-- The entries of an account in [p_from, p_to), at most p_limit. What another company's transaction (a platform's fee) says
-- about itself stays hidden.
create function statement_lines(p_company uuid, p_account uuid, p_from timestamptz, p_to timestamptz, p_limit integer)
returns table (id bigint, transaction_id uuid, amount bigint, created_at timestamptz, type text, reference text, memo text)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
begin
  perform require_company(p_company);
  return query
    select e.id, e.transaction_id, e.amount, e.created_at, t.type,
      case when t.company_id = p_company then coalesce(t.reference, x.external_reference) end,
      case when t.company_id = p_company then t.metadata ->> 'userReference' end
    from (
      -- Nothing that entry_time does not have: the entries of one account lie far apart.
      select e.id, e.transaction_id, e.amount, e.created_at from entry e
      where e.account_id = p_account and e.created_at >= p_from and e.created_at < p_to
        and exists (select from account a where a.id = p_account and a.company_id = p_company)
      order by e.created_at limit p_limit
    ) e
    cross join lateral (select * from ledger_transaction t where t.id = e.transaction_id offset 0) t
    left join lateral (select * from escrow x where x.id = t.escrow_id offset 0) x on true;
end $$;

-- What crossed the company's border, per period: money the outside world (the BANK accounts) gave and took. Periods that had
-- none are missing.
create function ledger_cashflow(p_company uuid, p_from timestamptz, p_to timestamptz, p_interval text, p_currency text)
returns table (period date, currency text, inflow numeric, outflow numeric)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
begin
  perform require_company(p_company);
  return query
    with bank as (
      select a.id, a.currency from account a
      where a.company_id = p_company and a.type = 'BANK' and (p_currency is null or a.currency = p_currency)
    ), part as materialized (
      select * from utc_parts(p_from, p_to)
    ), flow (at, currency, inflow, outflow) as (
      select x.starts_at, b.currency, x.debits, x.credits
      from part p cross join bank b cross join lateral (
        select * from account_turnover x
        where x.account_id = b.id and x.unit = p.unit and x.starts_at >= p.starts and x.starts_at < p.ends offset 0) x
      where p.unit is not null
      union all
      select e.created_at, b.currency, greatest(-e.amount, 0), greatest(e.amount, 0)
      from part p cross join bank b cross join lateral (
        select e.created_at, e.amount from entry e
        where e.account_id = b.id and e.created_at >= p.starts and e.created_at < p.ends offset 0) e
      where p.unit is null
      union all
      select e.created_at, b.currency, greatest(-e.amount, 0), greatest(e.amount, 0)
      from unsealed_transactions(p_company) t
      cross join lateral (select * from entry e where e.transaction_id = t.id offset 0) e
      join bank b on b.id = e.account_id
      join part p on p.unit is not null and e.created_at >= p.starts and e.created_at < p.ends
    )
    select date_trunc(p_interval, f.at at time zone 'UTC')::date, f.currency, sum(f.inflow), sum(f.outflow)
    from flow f group by 1, 2;
end $$;

revoke execute on function unsealed_transactions, account_begin_turnover, company_count_added, company_count_moved,
  company_count_fold, unsealed_activity, ledger_transaction_count, ledger_balance_before, appended_balances, statement_lines,
  ledger_cashflow from public;
grant execute on function unsealed_activity, ledger_transaction_count, ledger_balance_before, appended_balances, statement_lines,
  ledger_cashflow to escrow_api, escrow_worker;
grant execute on function company_count_fold to escrow_worker;
