-- The lines of a statement by sets: each table is read once for all lines, and joined by hash. With look-ups for each line PostgreSQL read all
-- transactions of the company for each, where most companies have one: 200 lines of a company with 20,000 took 1.3 s.
--
-- PostgreSQL takes a list of ids for ten. With this cost of a row of an index, none that reads all rows of an average company seems cheaper
-- than the one that finds ten ids. A single row is found by the bounds and the order of a row value, which only its key has.

create function account_at(p_company uuid, p_id uuid) returns setof account language sql stable as $$
  select * from account a where (a.company_id, a.id) >= (p_company, p_id) and (a.company_id, a.id) <= (p_company, p_id)
  order by a.company_id, a.id limit 1
$$;
create function ledger_at(p_company uuid, p_id uuid) returns setof ledger language sql stable as $$
  select * from ledger l where (l.company_id, l.id) >= (p_company, p_id) and (l.company_id, l.id) <= (p_company, p_id)
  order by l.company_id, l.id limit 1
$$;
create function user_at(p_company uuid, p_id uuid) returns setof app_user language sql stable as $$
  select * from app_user u where (u.company_id, u.id) >= (p_company, p_id) and (u.company_id, u.id) <= (p_company, p_id)
  order by u.company_id, u.id limit 1
$$;
create function transaction_at(p_company uuid, p_id uuid) returns setof ledger_transaction language sql stable as $$
  select * from ledger_transaction t where (t.company_id, t.id) >= (p_company, p_id) and (t.company_id, t.id) <= (p_company, p_id)
  order by t.company_id, t.id limit 1
$$;

create or replace function statement_lines(p_company uuid, p_account uuid, p_entries bigint[])
returns table (id bigint, transaction_id uuid, amount bigint, created_at timestamptz, type text, reference text, memo text,
  escrow_id uuid, withdrawal_id uuid, value_date date, gross bigint, fee bigint, tax bigint, rates jsonb, counterparty_kind text, counterparty_id uuid,
  counterparty_name text)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_nestloop = off set enable_mergejoin = off set enable_incremental_sort = off set cpu_index_tuple_cost = 1000 set jit = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_platform constant uuid := platform_company();
  -- The user who owns the account; null for the company.
  v_owner uuid;
begin
  perform require_company(p_company);
  select (select l.user_id from ledger_at(p_company, a.ledger_id) l) into v_owner from account_at(p_company, p_account) a;
  if not found then return; end if;
  return query
    with line as materialized (
      -- `p_entries` ascends.
      select e.id, e.transaction_id, e.origin_id, e.amount, e.created_at from entry e
      where (e.company_id, e.account_id, e.id) >= (p_company, p_account, p_entries[1])
        and (e.company_id, e.account_id, e.id) <= (p_company, p_account, p_entries[cardinality(p_entries)]) and e.id = any (p_entries)
    ), own as materialized (
      select t.id, t.key, t.type, t.amount, t.reference, t.metadata ->> 'userReference' as memo, t.escrow_id, withdrawal_of_key(t.key) as withdrawal_id
      from ledger_transaction t
      where t.company_id = p_company and t.id = any (array(select l.transaction_id from line l where l.origin_id is null))
    ), payout as materialized (
      select w.id, w.tax_cents, w.currency, w.created_at, w.account_id from withdrawal w
      where w.company_id = p_company and w.id = any (array(select o.withdrawal_id from own o where o.withdrawal_id is not null))
    ), purchase as materialized (
      select x.id, x.external_reference, case when v_owner = x.buyer_id then x.seller_id else x.buyer_id end as user_id from escrow x
      where x.company_id = p_company and x.id = any (array(select o.escrow_id from own o where o.escrow_id is not null))
    ), leg as materialized (
      select l.id, l.transaction_id, l.company_id, l.account_id, l.origin_id, l.amount from (
        select * from entry l
        where l.transaction_id = any (array(select o.id from own o where o.type = 'PAYMENT' or o.escrow_id is null)) offset 0) l
      where l.company_id in (p_company, v_platform) and coalesce(l.origin_id, l.company_id) = p_company
    ), side as materialized (
      select a.company_id, a.id, a.type, o.user_id from (select l.company_id, l.account_id from leg l union select p_company, w.account_id from payout w) l
      cross join lateral account_at(l.company_id, l.account_id) a cross join lateral ledger_at(a.company_id, a.ledger_id) o
    ), fees as materialized (
      select f.id, sum(f.amount)::bigint as amount,
        jsonb_agg(jsonb_build_object('kind', f.type, 'cents', f.amount::text, 'basisPoints',
          (f.agreed ->> case f.type when 'SERVICE_FEE' then 'serviceFeeBasisPoints' else 'systemFeeBasisPoints' end)::integer)
          order by f.type) as rates
      from (
        select o.id, a.type, sum(l.amount) as amount, paid_rates(p_company, o.escrow_id, o.id) as agreed
        from own o join leg l on l.transaction_id = o.id join side a on a.company_id = l.company_id and a.id = l.account_id
        where o.type = 'PAYMENT' and l.amount > 0 and a.type in ('SERVICE_FEE', 'SYSTEM_FEE')
        group by o.id, o.escrow_id, a.type) f
      group by f.id
    ), other as materialized (
      select distinct on (e.id) e.id, a.type, a.user_id
      from line e join leg l on l.transaction_id = e.transaction_id and (l.amount > 0) <> (e.amount > 0)
      join side a on a.company_id = l.company_id and a.id = l.account_id
      where e.origin_id is null and l.origin_id is null and a.type <> 'INTERCOMPANY'
      order by e.id, abs(l.amount) desc, l.id
    ), receipt (transaction_id, matched_id) as materialized (
      select o.id, o.id from own o
      union all
      -- The receipt that settled a deposit in transit, and the one that was assigned from SUSPENSE.
      select c.matched_id, c.id from bank_capture c cross join lateral transaction_at(p_company, c.id) s
      where c.company_id = p_company and c.matched_kind = 'TRANSIT_DEPOSIT' and c.matched_id = any (array(select o.id from own o))
        and s.status = 'COMPLETED'
      union all
      select o.id, split_part(o.key, '/', 2)::uuid from own o where o.key like 'capture-assignment/%'
    ), confirmed as materialized (
      select distinct on (r.transaction_id) r.transaction_id, b.value_date
      from (
        select * from bank_match m
        where m.company_id = p_company and m.transaction_id = any (array(select r.matched_id from receipt r)) offset 0) m
      join receipt r on r.matched_id = m.transaction_id
      join lateral (select * from bank_entry b where b.company_id = p_company and b.id = m.entry_id offset 0) b on true
      order by r.transaction_id, r.matched_id
    ), person as materialized (
      select u.id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as name
      from (select s.user_id from side s union select x.user_id from purchase x) p
      cross join lateral user_at(p_company, p.user_id) u
    ), party as (
      select e.id, e.transaction_id, e.amount, e.created_at, own.id as own_id, coalesce(own.key, f.key) as key, coalesce(own.type, f.type) as type,
        coalesce(own.reference, x.external_reference) as reference, own.memo, own.escrow_id, own.amount as net,
        w.id as withdrawal_id, w.tax_cents, w.currency, w.created_at as withdrawn_at,
        case when w.id is not null then payer.user_id when x.id is not null then x.user_id else other.user_id end as user_id,
        case
          when own.id is null then null
          when w.account_id = p_account then 'BANK_ACCOUNT'
          when w.id is not null or x.id is not null then 'USER'
          when other.type is null then null
          when other.type in ('BANK', 'TRANSIT') or other.type like 'CLEARING%' then 'EXTERNAL'
          else 'USER'
        end as kind
      from line e
      left join own on own.id = e.transaction_id and e.origin_id is null
      left join lateral (select * from transaction_at(e.origin_id, e.transaction_id) where e.origin_id is not null) f on true
      left join payout w on w.id = own.withdrawal_id
      left join purchase x on x.id = own.escrow_id
      left join side payer on payer.company_id = p_company and payer.id = w.account_id
      left join other on other.id = e.id and own.escrow_id is null and w.id is null
      where coalesce(own.id, f.id) is not null
    )
    select p.id, shown_transaction(p.transaction_id, p.key), p.amount, p.created_at, p.type, p.reference, p.memo, p.escrow_id, p.withdrawal_id,
      c.value_date, p.net + coalesce(p.tax_cents, 0), case when p.own_id is not null then coalesce(f.amount, 0) end,
      case when p.own_id is not null then coalesce(p.tax_cents, 0) end,
      case when p.tax_cents > 0 then jsonb_build_array(jsonb_build_object('kind', 'TRANSFER_TAX', 'cents', p.tax_cents::text,
        'basisPoints', transfer_tax_rate(p_company, p.currency, p.withdrawn_at))) else f.rates end,
      k.kind, case k.kind when 'USER' then p.user_id when 'COMPANY' then p_company end,
      case k.kind
        when 'BANK_ACCOUNT' then (select d.account_name from payout_destination d where d.company_id = p_company and d.id = p.withdrawal_id)
        when 'EXTERNAL' then p.memo
        when 'USER' then u.name
        when 'COMPANY' then (select c.name from company c where c.id = p_company)
      end
    from party p
    cross join lateral (select case when p.kind = 'USER' and p.user_id is null then 'COMPANY' else p.kind end as kind) k
    left join confirmed c on c.transaction_id = p.own_id
    left join fees f on f.id = p.own_id
    left join person u on u.id = p.user_id;
end $$;
