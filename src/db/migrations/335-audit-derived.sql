-- Audits the rows that the service derives for fast reads: ledger_activity, transaction_tally, balance_checkpoint, company_count
-- and open_escrow_tally. It also compares the RECEIVABLE accounts with the receivables. Other derived rows are audited by
-- ledger_verify.
--
-- All of them are recomputed from everything that is sealed, so this is part of a full audit only.

create function derived_mismatches(p_company uuid, p_limit integer)
returns table (kind text, company_id uuid, account_id uuid, transaction_id uuid, record text, expected text, actual text)
language plpgsql volatile security definer set search_path = public, pg_temp set jit = off as $$
#variable_conflict use_column
begin
  perform require_company(p_company);
  perform set_config('enable_nestloop', 'off', true); -- everything is read, so use hash joins
  return query
  with sealed as materialized (
    select t.id, t.company_id, t.type, t.created_at, t.escrow_id, shown_transaction(t.id, t.key) as shown_id
    from seal_progress p join ledger_transaction t on t.position <= p.final_position or p.sealed_beyond @> t.position
    -- Only the platform's ledger is touched by transactions of other companies.
    where p_company is null or t.company_id = p_company or p_company = platform_company()
  ), own as materialized (
    select a.id, a.ledger_id, a.company_id, l.user_id is null as is_company_owned
    from account a join ledger l on l.company_id = a.company_id and l.id = a.ledger_id
    where p_company is null or a.company_id = p_company
  ), touched as materialized (
    -- The same ledgers as in transaction_ledgers.
    select distinct shown.id as transaction_id, shown.type, shown.created_at, a.ledger_id, a.company_id, a.is_company_owned
    from (
      select coalesce(e.origin_id, e.company_id) as company_id, e.transaction_id, e.account_id from entry e where p_company is null or e.company_id = p_company
      union all
      select h.company_id, h.transaction_id, h.account_id from hold h
      union all
      select s.company_id, s.id, h.account_id from sealed s join hold h on h.company_id = s.company_id and h.id = s.escrow_id
    ) x
    join sealed s on s.company_id = x.company_id and s.id = x.transaction_id
    join sealed shown on shown.company_id = s.company_id and shown.id = s.shown_id
    join own a on a.id = x.account_id
  ), counted as (
    select t.ledger_id as scope_id, t.company_id, t.type, t.created_at from touched t where t.is_company_owned
    union all
    select s.company_id, s.company_id, s.type, s.created_at from sealed s where p_company is null or s.company_id = p_company
  ), tally as materialized (
    select c.scope_id, c.company_id, c.type, u.unit, utc_start(u.unit, c.created_at) as starts_at, count(*) as transactions
    from counted c cross join (values ('day'), ('hour')) u(unit)
    group by 1, 2, 3, 4, 5
  ), stored_checkpoint as materialized (
    select b.* from balance_checkpoint b where p_company is null or b.company_id = p_company
  ), running as (
    -- A checkpoint comes after the entry with its id.
    select r.account_id, r.company_id, r.id, r.stored,
      sum(r.amount) over (partition by r.account_id order by r.id, r.stored is not null rows unbounded preceding) as balance
    from (
      select e.account_id, e.company_id, e.id, e.amount, null::bigint as stored
      from entry e where e.account_id in (select b.account_id from stored_checkpoint b)
      union all
      select b.account_id, b.company_id, b.entry_id, 0, b.balance from stored_checkpoint b
    ) r
  ), row_count as (
    select u.company_id, 'users' as counted, count(*)::numeric as found
    from app_user u where p_company is null or u.company_id = p_company group by 1
    union all
    select a.company_id, 'accounts', count(*) from own a group by 1
    union all
    select e.company_id, 'escrows ' || e.status, count(*)
    from escrow e where p_company is null or e.company_id = p_company group by 1, 2
  ), stored_count as (
    select c.company_id, c.counted, sum(c.rows) as found from (
      select known.company_id, known.counted, known.rows from company_count known
      union all
      select appended.company_id, appended.counted, appended.change from company_count_change appended
    ) c where p_company is null or c.company_id = p_company
    group by 1, 2 having sum(c.rows) <> 0
  ), open_escrows as (
    select e.company_id, e.currency, e.status, count(*)::numeric as escrows, sum(coalesce(e.held_cents, 0)) as held
    from escrow e
    where e.status not in ('COMPLETED', 'CANCELLED', 'RESOLVED') and (p_company is null or e.company_id = p_company)
    group by 1, 2, 3
  ), stored_open as (
    select o.company_id, o.currency, o.status, sum(o.escrows) as escrows, sum(o.held_cents) as held from (
      select * from open_escrow_tally union all select * from open_escrow_change
    ) o where p_company is null or o.company_id = p_company
    group by 1, 2, 3 having (sum(o.escrows), sum(o.held_cents)) <> (0, 0)
  ), owed_to as (
    select b.company_id, b.currency, sum(b.remaining_cents) as remaining_cents
    from receivable_balance b where p_company is null or b.company_id = p_company group by 1, 2
  ), debited as (
    select a.id, a.company_id, a.currency,
      a.posted + coalesce((
        select sum(d.amount) from account_delta d where d.company_id = a.company_id and d.account_id = a.id), 0) as balance
    from account a where a.type = 'RECEIVABLE' and (p_company is null or a.company_id = p_company)
  )
  select * from (
    select 'activity'::text, coalesce(t.company_id, y.company_id), null::uuid, coalesce(t.transaction_id, y.transaction_id),
      'ledger_activity/' || coalesce(t.ledger_id, y.ledger_id), t.type, y.type
    from touched t
    full join (select y.* from ledger_activity y where p_company is null or y.company_id = p_company) y
      on y.ledger_id = t.ledger_id and y.type = t.type and y.created_at = t.created_at and y.transaction_id = t.transaction_id
        and y.company_id = t.company_id
    where t.transaction_id is null or y.transaction_id is null
    union all
    select 'tally', coalesce(t.company_id, y.company_id), null, null,
      concat_ws('/', 'transaction_tally', coalesce(t.scope_id, y.scope_id), coalesce(t.type, y.type), coalesce(t.unit, y.unit),
        coalesce(t.starts_at, y.starts_at)), t.transactions::text, y.transactions::text
    from tally t
    full join (select y.* from transaction_tally y where p_company is null or y.company_id = p_company) y
      on y.scope_id = t.scope_id and y.company_id = t.company_id and y.type = t.type and y.unit = t.unit
        and y.starts_at = t.starts_at
    where t.transactions is distinct from y.transactions
    union all
    select 'balance_checkpoint', r.company_id, r.account_id, null, 'balance_checkpoint/' || r.id, r.balance::text, r.stored::text
    from running r where r.stored <> r.balance
    union all
    select 'company_count', coalesce(r.company_id, s.company_id), null, null, 'company_count/' || coalesce(r.counted, s.counted),
      r.found::text, s.found::text
    from row_count r full join stored_count s on s.company_id = r.company_id and s.counted = r.counted
    where r.found is distinct from s.found
    union all
    select 'open_escrows', coalesce(o.company_id, s.company_id), null, null,
      concat_ws('/', 'open_escrow_tally', coalesce(o.currency, s.currency), coalesce(o.status, s.status)),
      o.escrows || ' holding ' || o.held, s.escrows || ' holding ' || s.held
    from open_escrows o
    full join stored_open s on s.company_id = o.company_id and s.currency = o.currency and s.status = o.status
    where (o.escrows, o.held) is distinct from (s.escrows, s.held)
    union all
    select 'receivable', coalesce(d.company_id, r.company_id), d.id, null, 'receivable/' || coalesce(d.currency, r.currency),
      (-coalesce(r.remaining_cents, 0))::text, d.balance::text
    from debited d full join owed_to r on r.company_id = d.company_id and r.currency = d.currency
    where coalesce(d.balance, 0) <> -coalesce(r.remaining_cents, 0)
  ) m limit p_limit;
  perform set_config('enable_nestloop', 'on', true);
end $$;
