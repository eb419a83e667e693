-- What reading the ledger needs beside the books themselves: indexes, and sums that the sealer derives from each block, off
-- the path of posting. Whoever reads adds what is not sealed yet (about a second's worth), so reads are exact at any moment,
-- also while no sealer runs; they only get slower then.
--
--   ledger_activity   which transactions touched a ledger, by an entry or by a hold
--   transaction_tally how many transactions there are per type and day: of a company, and on a company's own ledger
--   account_turnover  credits and debits per hour of an appending account, whose entries carry no balance
--   account_freeze    who froze or unfroze an account, when and why
--
-- Functions that read across row-level security (unsealed marks, the platform's fee) are SECURITY DEFINER and take the
-- company as an argument, which for the API's role must be the one its transaction is set to.

drop index ledger_transaction_listing;
create index ledger_transaction_by_type on ledger_transaction (company_id, type, created_at desc, id desc);
create index ledger_transaction_unfinished on ledger_transaction (company_id, status, created_at desc, id desc)
  where status <> 'COMPLETED';
-- A window in time on one account; on its own it gives the sums of part of an hour.
create index entry_time on entry (account_id, created_at) include (amount);

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
  -- UTC.
  day date not null,
  transactions bigint not null,
  primary key (scope_id, type, day)
) with (fillfactor = 70);
call tenant_table('transaction_tally', 'select');

create table account_turnover (
  account_id uuid not null,
  company_id uuid not null,
  hour timestamptz not null,
  -- Without sign. Numeric, because money that goes round passes a bigint before any balance does.
  credits numeric not null,
  debits numeric not null,
  primary key (account_id, hour)
) with (fillfactor = 70);
call tenant_table('account_turnover', 'select');

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
  join account a on a.id = touched.account_id
  where t.id = any (p_transactions)
$$;

create function utc_day(p_at timestamptz) returns date language sql immutable as
$$ select (p_at at time zone 'UTC')::date $$;

create function utc_hour(p_at timestamptz) returns timestamptz language sql immutable as
$$ select date_trunc('hour', p_at at time zone 'UTC') at time zone 'UTC' $$;

-- Each block adds its transactions to the sums, in the sealer's own transaction. A transaction is in one block only.
create function block_derive() returns trigger language plpgsql set enable_seqscan = off set jit = off as $$
begin
  with touched as materialized (
    select * from transaction_ledgers(new.transaction_ids)
  ), activity as (
    insert into ledger_activity (ledger_id, company_id, type, created_at, transaction_id)
    select ledger_id, company_id, type, created_at, transaction_id from touched
  ), counted as (
    select l.id as scope_id, l.company_id, touched.type, utc_day(touched.created_at) as day, count(*) as transactions
    from touched join ledger l on l.id = touched.ledger_id where l.user_id is null
    group by 1, 2, 3, 4
    union all
    select t.company_id, t.company_id, t.type, utc_day(t.created_at), count(*)
    from ledger_transaction t where t.id = any (new.transaction_ids)
    group by 1, 2, 3, 4
  )
  insert into transaction_tally as known (scope_id, company_id, type, day, transactions)
  select * from counted
  on conflict (scope_id, type, day) do update set transactions = known.transactions + excluded.transactions;

  insert into account_turnover as known (account_id, company_id, hour, credits, debits)
  select e.account_id, e.company_id, utc_hour(e.created_at),
    sum(greatest(e.amount, 0)), sum(greatest(-e.amount, 0))
  from entry e join account a on a.id = e.account_id
  where e.transaction_id = any (new.transaction_ids)
    and (a.appends or exists (select from account_turnover x where x.account_id = a.id))
  group by 1, 2, 3
  on conflict (account_id, hour) do update
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
  insert into account_turnover (account_id, company_id, hour, credits, debits)
  select e.account_id, e.company_id, utc_hour(e.created_at), sum(greatest(e.amount, 0)), sum(greatest(-e.amount, 0))
  from entry e join ledger_transaction t on t.id = e.transaction_id, seal_progress p
  where e.account_id = new.id and (t.position <= p.final_position or p.sealed_beyond @> t.position)
  group by 1, 2, 3
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
-- Whole days come from the tally, the rest from an index; a user's ledger has no tally and is counted by its index.
create function ledger_transaction_count(p_company uuid, p_ledger uuid, p_types text[], p_from timestamptz, p_to timestamptz)
returns bigint language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  v_from constant timestamptz := coalesce(p_from, '-infinity');
  v_to constant timestamptz := coalesce(p_to, 'infinity');
  v_scope constant uuid := coalesce(p_ledger, p_company);
  v_has_tally constant boolean := p_ledger is null
    or exists (select from ledger l where l.id = p_ledger and l.user_id is null);
  -- [whole_from, whole_to) are whole days inside the window; empty where it has none.
  whole_from timestamptz := v_from;
  whole_to timestamptz := v_to;
  total bigint := 0;
  counted bigint;
begin
  perform require_company(p_company);
  if not v_has_tally then
    whole_from := v_to;
    whole_to := v_to;
  else
    if isfinite(v_from) and v_from <> utc_day(v_from)::timestamp at time zone 'UTC' then
      whole_from := least((utc_day(v_from) + 1)::timestamp at time zone 'UTC', v_to);
    end if;
    if isfinite(v_to) then
      whole_to := greatest(utc_day(v_to)::timestamp at time zone 'UTC', whole_from);
    end if;
    select coalesce(sum(t.transactions), 0) into counted from transaction_tally t
    where t.scope_id = v_scope and t.type = any (p_types)
      and t.day >= case when isfinite(whole_from) then utc_day(whole_from) else '-infinity'::date end
      and t.day < case when isfinite(whole_to) then utc_day(whole_to) else 'infinity'::date end;
    total := counted;
  end if;

  if p_ledger is null then
    select count(*) into counted from ledger_transaction t
    where t.company_id = p_company and t.type = any (p_types) and t.created_at >= v_from and t.created_at < whole_from;
    total := total + counted;
    select count(*) into counted from ledger_transaction t
    where t.company_id = p_company and t.type = any (p_types) and t.created_at >= whole_to and t.created_at < v_to;
    total := total + counted;
    select count(*) into counted from unsealed_transactions(p_company) t
    where t.type = any (p_types) and t.created_at >= whole_from and t.created_at < whole_to;
    return total + counted;
  end if;

  select count(*) into counted from ledger_activity a
  where a.ledger_id = p_ledger and a.type = any (p_types) and a.created_at >= v_from and a.created_at < whole_from;
  total := total + counted;
  select count(*) into counted from ledger_activity a
  where a.ledger_id = p_ledger and a.type = any (p_types) and a.created_at >= whole_to and a.created_at < v_to;
  total := total + counted;
  select count(*) into counted from unsealed_activity(p_company, p_ledger) a
  where a.type = any (p_types) and a.created_at >= v_from and a.created_at < v_to;
  return total + counted;
end $$;

-- The balance of an account right before an instant: every entry with an earlier time.
create function ledger_balance_before(p_company uuid, p_account uuid, p_at timestamptz) returns numeric
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  v_hour constant timestamptz := utc_hour(p_at);
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

  select
    coalesce((select sum(x.credits - x.debits) from account_turnover x where x.account_id = p_account and x.hour < v_hour), 0)
    + coalesce((
      select sum(e.amount) from entry e
      where e.account_id = p_account and e.created_at >= v_hour and e.created_at < p_at), 0)
    + coalesce((
      select sum(e.amount) from unsealed_transactions(case when a.type = 'SYSTEM_FEE' then null else p_company end) t
      cross join lateral (select * from entry e where e.transaction_id = t.id offset 0) e
      where e.account_id = p_account and e.created_at < v_hour), 0)
  into balance from account a where a.id = p_account;
  return balance;
end $$;

-- The balances that entries of appending accounts led to: whole hours before, the part of the hour, and of the entries of the
-- same instant those that came no later. One pass over an account's hours serves all its entries.
create function appended_balances(p_company uuid, p_entries bigint[]) returns table (entry_id bigint, balance numeric)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform require_company(p_company);
  return query
    with wanted as materialized (
      select e.id, e.account_id, e.created_at, utc_hour(e.created_at) as hour
      from entry e where e.id = any (p_entries) and e.company_id = p_company
    ), concerned as materialized (
      select w.account_id, min(w.hour) as first_hour, max(w.hour) as last_hour from wanted w group by w.account_id
    ), change as (
      -- What was before the first hour in one sum, and then hour by hour.
      select c.account_id, c.first_hour as hour, false as counts, x.amount
      from concerned c cross join lateral (
        select coalesce(sum(x.credits - x.debits), 0) as amount from account_turnover x
        where x.account_id = c.account_id and x.hour < c.first_hour) x
      union all
      select c.account_id, x.hour, true, x.amount
      from concerned c cross join lateral (
        select x.hour, x.credits - x.debits as amount from account_turnover x
        where x.account_id = c.account_id and x.hour >= c.first_hour and x.hour < c.last_hour offset 0) x
      union all
      select c.account_id, greatest(utc_hour(e.created_at), c.first_hour - interval '1 hour'), true, e.amount
      from unsealed_transactions(case when p_company = platform_company() then null else p_company end) t
      cross join lateral (select * from entry e where e.transaction_id = t.id offset 0) e
      join concerned c on c.account_id = e.account_id
      union all
      select distinct w.account_id, w.hour, false, 0::numeric from wanted w
    ), before as materialized (
      select distinct on (c.account_id, c.hour) c.account_id, c.hour, c.amount from (
        select c.account_id, c.hour, c.counts, sum(c.amount) over (partition by c.account_id order by c.hour, c.counts) as amount
        from change c) c
      where not c.counts
    )
    select w.id, b.amount
      + coalesce((select sum(e.amount) from entry e
          where e.account_id = w.account_id and e.created_at >= w.hour and e.created_at < w.created_at), 0)
      + (select sum(e.amount) from entry e
          where e.account_id = w.account_id and e.created_at = w.created_at and e.id <= w.id)
    from wanted w join before b on b.account_id = w.account_id and b.hour = w.hour;
end $$;

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
      select * from entry e
      where e.account_id = p_account and e.company_id = p_company and e.created_at >= p_from and e.created_at < p_to
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
declare
  -- [whole_from, whole_to) are whole hours inside the window; empty where it has none.
  whole_from timestamptz := case when p_from = utc_hour(p_from) then p_from else utc_hour(p_from) + interval '1 hour' end;
  whole_to timestamptz;
begin
  perform require_company(p_company);
  whole_from := least(whole_from, p_to);
  whole_to := greatest(utc_hour(p_to), whole_from);
  return query
    with bank as (
      select a.id, a.currency from account a
      where a.company_id = p_company and a.type = 'BANK' and (p_currency is null or a.currency = p_currency)
    ), flow (at, currency, inflow, outflow) as (
      select x.hour, b.currency, x.debits, x.credits
      from bank b join account_turnover x on x.account_id = b.id and x.hour >= whole_from and x.hour < whole_to
      union all
      select e.created_at, b.currency, greatest(-e.amount, 0), greatest(e.amount, 0)
      from bank b join entry e on e.account_id = b.id and e.created_at >= p_from and e.created_at < whole_from
      union all
      select e.created_at, b.currency, greatest(-e.amount, 0), greatest(e.amount, 0)
      from bank b join entry e on e.account_id = b.id and e.created_at >= whole_to and e.created_at < p_to
      union all
      select e.created_at, b.currency, greatest(-e.amount, 0), greatest(e.amount, 0)
      from unsealed_transactions(p_company) t
      cross join lateral (select * from entry e where e.transaction_id = t.id offset 0) e
      join bank b on b.id = e.account_id
      where e.created_at >= whole_from and e.created_at < whole_to
    )
    select date_trunc(p_interval, f.at at time zone 'UTC')::date, f.currency, sum(f.inflow), sum(f.outflow)
    from flow f group by 1, 2;
end $$;

revoke execute on function unsealed_transactions, account_begin_turnover, unsealed_activity, ledger_transaction_count,
  ledger_balance_before, appended_balances, statement_lines, ledger_cashflow from public;
grant execute on function unsealed_activity, ledger_transaction_count, ledger_balance_before, appended_balances, statement_lines,
  ledger_cashflow to escrow_api, escrow_worker;
