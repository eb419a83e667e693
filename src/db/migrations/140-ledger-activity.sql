-- Indexes and sums that the sealer derives from each block, outside the posting path. 310-ledger-reads.sql reads them.
--
--   ledger_activity   which transactions touched a ledger, by an entry or by a hold
--   transaction_tally how many transactions there are per type: of a company, and on a company's own ledger
--   account_turnover  credits and debits of an appending account, whose entries carry no balance
--
-- Tally and turnover are stored per UTC day and per UTC hour.

create table ledger_activity (
  ledger_id uuid not null,
  -- The ledger's company. For a platform fee it differs from the transaction's company.
  company_id uuid not null,
  type text not null,
  created_at timestamptz not null,
  transaction_id uuid not null,
  primary key (company_id, ledger_id, type, created_at, transaction_id)
);
call tenant_table('ledger_activity', 'select');

create table transaction_tally (
  -- The company's id: all its transactions. The id of its own ledger: the transactions that touched that ledger.
  scope_id uuid not null,
  company_id uuid not null,
  type text not null,
  unit text not null check (unit in ('day', 'hour')),
  starts_at timestamptz not null,
  transactions bigint not null,
  primary key (company_id, scope_id, type, unit, starts_at)
) with (fillfactor = 70);
call tenant_table('transaction_tally', 'select');

create table account_turnover (
  account_id uuid not null,
  company_id uuid not null,
  unit text not null check (unit in ('day', 'hour')),
  starts_at timestamptz not null,
  -- Absolute amounts. Numeric, because money that moves repeatedly exceeds a bigint here before any balance does.
  credits numeric not null,
  debits numeric not null,
  primary key (company_id, account_id, unit, starts_at)
) with (fillfactor = 70);
call tenant_table('account_turnover', 'select');

-- A payout is posted twice: a transaction with the withdrawal's id locks the money, and a second one moves it once the bank has
-- paid, even if the bank had refused the payment before. Readers get one transaction with the withdrawal's id. The keys are those
-- of src/domain/withdrawal/postings.ts.

-- The withdrawal that a posting's key names; null for the keys of other postings.
create function withdrawal_of_key(p_key text) returns uuid language sql immutable as $$
  select case when p_key ~ '^withdrawal/[0-9a-f-]{36}/' then split_part(p_key, '/', 2)::uuid end
$$;

-- The id under which readers see a transaction.
create function shown_transaction(p_id uuid, p_key text) returns uuid language sql immutable as $$
  select case when p_key like 'withdrawal/%/settled' or p_key like 'withdrawal/%/settled-late/1' then withdrawal_of_key(p_key)
    else p_id end
$$;

-- The keys of the transaction that first moves a withdrawal's money: before or after the bank has refused the payment.
create function settlement_keys(p_withdrawal uuid) returns text[] language sql immutable as
$$ select array['withdrawal/' || p_withdrawal || '/settled', 'withdrawal/' || p_withdrawal || '/settled-late/1'] $$;

-- The ledgers that transactions touched: by an entry, by a placed hold, or by the hold of the transaction's escrow. Transactions
-- have the ids, types and times that readers see. `p_companies`: the company of each.
create function transaction_ledgers(p_companies uuid[], p_transactions uuid[])
returns table (transaction_id uuid, type text, created_at timestamptz, ledger_id uuid, company_id uuid)
language sql stable as $$
  select distinct s.id, s.type, s.created_at, a.ledger_id, a.company_id
  from unnest(p_companies, p_transactions) asked(company_id, id)
  cross join lateral (
    select * from ledger_transaction t where t.company_id = asked.company_id and t.id = asked.id offset 0) t
  cross join lateral (
    select * from ledger_transaction s where s.company_id = t.company_id and s.id = shown_transaction(t.id, t.key) offset 0) s
  cross join lateral (
    select e.company_id, e.account_id from entry e
    where e.company_id in (t.company_id, (select platform_company())) and e.transaction_id = t.id
      and coalesce(e.origin_id, e.company_id) = t.company_id
    union all
    select h.company_id, h.account_id from hold h where h.company_id = t.company_id and h.transaction_id = t.id
    union all
    select h.company_id, h.account_id from hold h where h.company_id = t.company_id and h.id = t.escrow_id
  ) touched
  cross join lateral (
    select * from account a where a.company_id = touched.company_id and a.id = touched.account_id offset 0) a
$$;

-- The start of the UTC day or hour that contains an instant.
create function utc_start(p_unit text, p_at timestamptz) returns timestamptz language sql immutable as
$$ select date_trunc(p_unit, p_at at time zone 'UTC') at time zone 'UTC' $$;

-- The first start of a UTC day or hour at or after an instant.
create function utc_next_start(p_unit text, p_at timestamptz) returns timestamptz language sql immutable as
$$ select case when p_at = utc_start(p_unit, p_at) then p_at
     else utc_start(p_unit, p_at) + case p_unit when 'day' then interval '24 hours' else interval '1 hour' end end $$;

-- [p_from, p_to) in parts, in order: the rest of an hour (unit null), whole hours, whole days, whole hours, part of an hour.
-- Empty parts are omitted.
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

-- Each block adds its transactions to the sums, in the sealer's own transaction. A transaction is in one block only. The two
-- transactions of a payout can be in two blocks, so a ledger may already have the activity.
create function block_derive() returns trigger language plpgsql set enable_seqscan = off set jit = off as $$
begin
  with touched as materialized (
    select * from transaction_ledgers(
      array_fill(new.company_id, array[cardinality(new.transaction_ids)]), new.transaction_ids)
  ), activity as (
    insert into ledger_activity (ledger_id, company_id, type, created_at, transaction_id)
    select ledger_id, company_id, type, created_at, transaction_id from touched
    on conflict do nothing
    returning company_id, ledger_id, type, created_at
  ), counted as (
    select l.id as scope_id, l.company_id, activity.type, activity.created_at
    from activity join ledger l on l.company_id = activity.company_id and l.id = activity.ledger_id where l.user_id is null
    union all
    select t.company_id, t.company_id, t.type, t.created_at
    from ledger_transaction t where t.company_id = new.company_id and t.id = any (new.transaction_ids)
  )
  insert into transaction_tally as known (scope_id, company_id, type, unit, starts_at, transactions)
  select c.scope_id, c.company_id, c.type, u.unit, utc_start(u.unit, c.created_at), count(*)
  from counted c cross join (values ('day'), ('hour')) u(unit)
  group by 1, 2, 3, 4, 5
  on conflict (company_id, scope_id, type, unit, starts_at) do update set transactions = known.transactions + excluded.transactions;

  insert into account_turnover as known (account_id, company_id, unit, starts_at, credits, debits)
  select e.account_id, e.company_id, u.unit, utc_start(u.unit, e.created_at),
    sum(greatest(e.amount, 0)), sum(greatest(-e.amount, 0))
  from entries_of(new.company_id, new.transaction_ids) e
  join account a on a.company_id = e.company_id and a.id = e.account_id cross join (values ('day'), ('hour')) u(unit)
  where (a.appends or exists (select from account_turnover x where x.company_id = a.company_id and x.account_id = a.id))
  group by 1, 2, 3, 4
  on conflict (company_id, account_id, unit, starts_at) do update
    set credits = known.credits + excluded.credits, debits = known.debits + excluded.debits;
  return null;
end $$;
create trigger block_derive after insert on block for each row execute function block_derive();

-- An account that starts to append gets the sum of its turnover so far. From then on the sealer maintains it, even if appending
-- is switched off again.
create function account_begin_turnover() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('ledger_seal')); -- the sealer's lock: no block is added meanwhile
  insert into account_turnover (account_id, company_id, unit, starts_at, credits, debits)
  select e.account_id, e.company_id, u.unit, utc_start(u.unit, e.created_at),
    sum(greatest(e.amount, 0)), sum(greatest(-e.amount, 0))
  from entry e join ledger_transaction t on t.company_id = coalesce(e.origin_id, e.company_id) and t.id = e.transaction_id
  cross join seal_progress p cross join (values ('day'), ('hour')) u(unit)
  where e.company_id = new.company_id and e.account_id = new.id and (t.position <= p.final_position or p.sealed_beyond @> t.position)
  group by 1, 2, 3, 4
  on conflict do nothing;
  return null;
end $$;
create trigger account_begin_turnover after update of appends on account
  for each row when (new.appends and not old.appends) execute function account_begin_turnover();
