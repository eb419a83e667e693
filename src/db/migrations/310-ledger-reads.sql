-- Functions for reading the ledger. They add unsealed rows (those of about the last second) to the sums of
-- 140-ledger-activity.sql, so reads are always exact. If no sealer runs they are still exact, but slower. A time range consists
-- of whole days, the whole hours around them, and two parts of an hour that are read from an index. Its cost does not grow with
-- the ledger.
--
-- Functions that read across row-level security (unsealed marks, the platform's fee) are SECURITY DEFINER and take the company as
-- an argument, which for the API's role must be the company of its transaction.

-- The amounts that transactions of a company moved, by account type, including the platform's fee, whose entries the company
-- cannot see.
create function ledger_transaction_totals(p_company uuid, p_transactions uuid[])
returns table (transaction_id uuid, account_type text, amount bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, a.type, sum(e.amount)::bigint
  from unnest(p_transactions) asked(id)
  cross join lateral (select t.* from ledger_transaction t where t.company_id = p_company and t.id = asked.id offset 0) t
  cross join lateral (
    select e.* from entry e where e.company_id in (p_company, (select platform_company())) and e.transaction_id = t.id
      and coalesce(e.origin_id, e.company_id) = p_company offset 0) e
  cross join lateral (
    select a.type from account a where a.company_id = e.company_id and a.id = e.account_id offset 0) a
  where session_user <> 'escrow_api' or t.company_id = current_company()
  group by t.id, a.type
$$;

-- Null: all companies, which only the platform reads.
create function require_company(p_company uuid) returns void language plpgsql stable as $$
begin
  if session_user = 'escrow_api' and coalesce(p_company, platform_company()) is distinct from current_company() then
    raise exception 'reading for another company' using errcode = 'insufficient_privilege';
  end if;
end $$;

-- Unsealed transactions; of all companies if p_company is null. It is for the functions below, and no role may call it.
--
-- Below, `offset 0` forces one index look-up for each transaction. It prevents a join that reads all rows of an account or of the
-- table because it was planned for other row counts.
create function unsealed_transactions(p_company uuid) returns setof ledger_transaction
language sql stable security definer rows 100 set search_path = public, pg_temp as $$
  select t.* from seal_progress p, ledger_transaction t
  where t.position > p.final_position and not p.sealed_beyond @> t.position
    and (p_company is null or t.company_id = p_company)
$$;

-- The rows that ledger_activity will get for unsealed transactions.
create function unsealed_activity(p_company uuid, p_ledger uuid)
returns table (transaction_id uuid, type text, created_at timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform require_company(p_company);
  return query
    select touched.transaction_id, touched.type, touched.created_at
    from (
      -- Only the platform's ledger is touched by transactions of other companies.
      select coalesce(array_agg(t.company_id), '{}') as companies, coalesce(array_agg(t.id), '{}') as ids
      from unsealed_transactions(case when p_company = platform_company() then null else p_company end) t
    ) unsealed
    cross join lateral transaction_ledgers(unsealed.companies, unsealed.ids) touched
    where touched.ledger_id = p_ledger and touched.company_id = p_company
      -- The money of a payout can move after the transaction that locked it was sealed.
      and not exists (
        select from ledger_activity known
        where known.company_id = p_company and known.ledger_id = p_ledger and known.type = touched.type and known.created_at = touched.created_at
          and known.transaction_id = touched.transaction_id);
end $$;

-- The number of transactions of these types in [p_from, p_to): of the company (p_ledger null), or on one of its ledgers.
-- Whole days and hours come from the tally, the rest from an index; a user's ledger has no tally and is counted by its index.
create function ledger_transaction_count(p_company uuid, p_ledger uuid, p_types text[], p_from timestamptz, p_to timestamptz)
returns bigint language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  v_from constant timestamptz := coalesce(p_from, '-infinity');
  v_to constant timestamptz := coalesce(p_to, 'infinity');
  part record;
  -- Whole days and hours. The tally has no unsealed transactions; they are read from the index of transactions.
  whole_from timestamptz;
  whole_to timestamptz;
  counted bigint;
  total bigint := 0;
begin
  perform require_company(p_company);
  if p_ledger is not null and exists (
    select from ledger l where l.company_id = p_company and l.id = p_ledger and l.user_id is not null)  then
    select count(*) into total from ledger_activity a
    where a.company_id = p_company and a.ledger_id = p_ledger and a.type = any (p_types) and a.created_at >= v_from and a.created_at < v_to;
  else
    for part in select * from utc_parts(v_from, v_to) loop
      if part.unit is not null then
        select coalesce(sum(t.transactions), 0) into counted from transaction_tally t
        where t.company_id = p_company and t.scope_id = coalesce(p_ledger, p_company) and t.type = any (p_types) and t.unit = part.unit
          and t.starts_at >= part.starts and t.starts_at < part.ends;
        whole_from := coalesce(whole_from, part.starts);
        whole_to := part.ends;
      elsif p_ledger is not null then
        select count(*) into counted from ledger_activity a
        where a.company_id = p_company and a.ledger_id = p_ledger and a.type = any (p_types) and a.created_at >= part.starts
          and a.created_at < part.ends;
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

-- The sealed sum of an appending account before the start of an hour; null if there is none.
create function ledger_balance_sealed(p_company uuid, p_account uuid, p_hour timestamptz) returns numeric language sql stable as $$
  select sum(x.amount) from (
    select sum(x.credits - x.debits) from account_turnover x
    where x.company_id = p_company and x.account_id = p_account and x.unit = 'day' and x.starts_at < utc_start('day', p_hour)
    union all
    select sum(x.credits - x.debits) from account_turnover x
    where x.company_id = p_company and x.account_id = p_account and x.unit = 'hour' and x.starts_at >= utc_start('day', p_hour) and x.starts_at < p_hour
  ) x(amount)
$$;

-- The balances of a company's accounts right before an instant: of each account, every entry with an earlier time.
create function ledger_balance_before(p_company uuid, p_accounts uuid[], p_at timestamptz)
returns table (account_id uuid, balance numeric)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
  v_hour constant timestamptz := utc_start('hour', p_at);
begin
  perform require_company(p_company);
  return query
    with asked as materialized (
      select a.id, a.appends or exists (
          select from account_turnover x where x.company_id = p_company and x.account_id = a.id) as has_turnover
      from unnest(p_accounts) u(id) join account a on a.company_id = p_company and a.id = u.id
    ), moved (account_id, amount) as (
      -- Postings to an account without turnover lock it, so its entries took effect in the order of their times.
      select a.id, latest.balance_after from asked a
      cross join lateral (
        select e.balance_after from entry e
        where e.company_id = p_company and e.account_id = a.id and e.created_at < p_at
        order by e.created_at desc, e.id desc limit 1) latest
      where not a.has_turnover
      union all
      select a.id, ledger_balance_sealed(p_company, a.id, v_hour) from asked a where a.has_turnover
      union all
      select a.id, e.amount from asked a
      cross join lateral (
        select e.amount from entry e
        where e.company_id = p_company and e.account_id = a.id and e.created_at >= v_hour and e.created_at < p_at offset 0) e
      where a.has_turnover
      union all
      -- Only the platform's accounts are touched by transactions of other companies.
      select a.id, e.amount
      from unsealed_transactions(case when p_company = platform_company() then null else p_company end) t
      cross join lateral (
        select * from entry e
        where e.company_id = p_company and e.transaction_id = t.id and coalesce(e.origin_id, e.company_id) = t.company_id offset 0) e
      join asked a on a.id = e.account_id and a.has_turnover
      where e.created_at < v_hour
    )
    select a.id, coalesce(sum(m.amount), 0) from asked a left join moved m on m.account_id = a.id group by a.id;
end $$;

-- The balances after entries of appending accounts: the sum before the entry's hour, and the entries of that hour up to the
-- entry. One pass over the hours of an account and one pass over an hour's entries serve all requested entries. `p_accounts`: the
-- account of each entry.
create function appended_balances(p_company uuid, p_accounts uuid[], p_entries bigint[]) returns table (entry_id bigint, balance numeric)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform require_company(p_company);
  return query
    with wanted as materialized (
      select e.id, e.account_id, e.created_at, utc_start('hour', e.created_at) as hour
      from unnest(p_accounts, p_entries) asked(account_id, id)
      join entry e on e.company_id = p_company and e.account_id = asked.account_id and e.id = asked.id
    ), concerned as materialized (
      select w.account_id, w.hour, max(w.created_at) as until from wanted w group by w.account_id, w.hour
    ), first as materialized (
      select distinct on (c.account_id) c.account_id, c.hour, max(c.hour) over (partition by c.account_id) as last_hour
      from concerned c order by c.account_id, c.hour
    ), change (account_id, hour, is_start, amount) as (
      -- The sum before the first hour, then hour by hour, and the sum at the start of each requested hour.
      select f.account_id, f.hour, false, coalesce(ledger_balance_sealed(p_company, f.account_id, f.hour), 0) from first f
      union all
      select f.account_id, x.starts_at + interval '1 hour', false, x.credits - x.debits
      from first f cross join lateral (
        select * from account_turnover x
        where x.company_id = p_company and x.account_id = f.account_id and x.unit = 'hour' and x.starts_at >= f.hour
          and x.starts_at < f.last_hour offset 0) x
      union all
      select f.account_id, greatest(utc_start('hour', e.created_at) + interval '1 hour', f.hour), false, e.amount
      from unsealed_transactions(case when p_company = platform_company() then null else p_company end) t
      cross join lateral (
      select * from entry e
      where e.company_id = p_company and e.transaction_id = t.id and coalesce(e.origin_id, e.company_id) = t.company_id offset 0) e
      join first f on f.account_id = e.account_id
      union all
      select c.account_id, c.hour, true, 0 from concerned c
    ), before as materialized (
      select b.account_id, b.hour, b.amount from (
        select c.account_id, c.hour, c.is_start,
          sum(c.amount) over (partition by c.account_id order by c.hour, c.is_start) as amount
        from change c) b
      where b.is_start
    ), led_to as materialized (
      select e.id, b.amount + sum(e.amount) over (partition by c.account_id, c.hour order by e.created_at, e.id) as balance
      from concerned c
      join before b on b.account_id = c.account_id and b.hour = c.hour
      cross join lateral (
        select e.id, e.created_at, e.amount from entry e
        where e.company_id = p_company and e.account_id = c.account_id and e.created_at >= c.hour and e.created_at <= c.until offset 0) e
    )
    select w.id, l.balance from wanted w join led_to l on l.id = w.id;
end $$;

-- The held amounts of a company's accounts right before an instant.
create function ledger_held_before(p_company uuid, p_accounts uuid[], p_at timestamptz)
returns table (account_id uuid, held numeric)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
  perform require_company(p_company);
  return query
    select u.id, h.held from unnest(p_accounts) u(id)
    cross join lateral (
      select coalesce(sum(h.amount_cents), 0) as held from hold_change h
      where h.company_id = p_company and h.account_id = u.id and h.created_at < p_at) h;
end $$;

-- The time of the p_number-th last entry of an account in [p_from, p_to). Null if it has fewer, or is another company's.
create function latest_entry_time(p_company uuid, p_account uuid, p_from timestamptz, p_to timestamptz, p_number integer)
returns timestamptz
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
begin
  perform require_company(p_company);
  -- Only columns of the index entry_time, because the entries of one account are spread over the table.
  return (
    select e.created_at from entry e
    where e.company_id = p_company and e.account_id = p_account and e.created_at >= p_from and e.created_at < p_to
    order by e.created_at desc, e.id desc limit 1 offset p_number - 1);
end $$;

-- What a statement of an account over [p_from, p_to) consists of: the ids of its entries in the order of their effects, at most
-- p_limit, and their sums. Another company's account has none.
create function statement_outline(p_company uuid, p_account uuid, p_from timestamptz, p_to timestamptz, p_limit integer)
returns table (entry_ids bigint[], credits numeric, debits numeric, credit_count integer)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
begin
  perform require_company(p_company);
  return query
    select coalesce(array_agg(e.id order by e.id), '{}'), coalesce(sum(greatest(e.amount, 0)), 0),
      coalesce(sum(greatest(-e.amount, 0)), 0), count(*) filter (where e.amount > 0)::integer
    from (
      -- Only columns of the index entry_time, because the entries of one account are spread over the table.
      select e.id, e.amount from entry e
      where e.company_id = p_company and e.account_id = p_account and e.created_at >= p_from and e.created_at < p_to
      order by e.created_at limit p_limit
    ) e;
end $$;

-- The rates of the fees of an escrow's payment, which its event of this command paid: those at the creation. Null: a plan that was sent,
-- agreed or decided before.
create function paid_rates(p_company uuid, p_escrow uuid, p_command uuid) returns jsonb
language sql stable set search_path = public, pg_temp as $$
  select case when ev.type <> 'RESOLVED' and not exists (
      select from escrow_event agreed where agreed.company_id = p_company and agreed.escrow_id = p_escrow
        and agreed.seq < ev.seq and agreed.type = 'NEGOTIATION_ACCEPTED' and agreed.data ->> 'milestoneId' is null)
    then first.data -> 'fees' end
  from escrow_event ev join escrow_event first on first.company_id = p_company and first.escrow_id = p_escrow and first.seq = 1
  where ev.company_id = p_company and ev.escrow_id = p_escrow and ev.command_id = p_command
$$;

-- The rate of the transfer tax of a company at a time.
create function transfer_tax_rate(p_company uuid, p_currency text, p_at timestamptz) returns integer
language sql stable set search_path = public, pg_temp as $$
  select f.basis_points from fee_config f
  where f.company_id = p_company and f.kind = 'TRANSFER_TAX' and f.currency = p_currency and f.effective_from <= p_at
  order by f.effective_from desc limit 1
$$;

-- These entries of an account as the lines of a statement. Details of another company's transaction (a platform's fee) stay
-- hidden.
--
-- Gross, fee and tax are those of the whole transaction. The counterparty is the other side of the line:
--
--   a withdrawal       the payee's bank account on the account that pays, and the account's owner on all other accounts
--   an escrow payment  the seller on the buyer's accounts, and the buyer on all other accounts
--   anything else      the owner of the largest entry on the other side; EXTERNAL if it is the bank's
--
-- The value date is the bank's, once a bank statement confirms the line's money. Null: not known.
create function statement_lines(p_company uuid, p_account uuid, p_entries bigint[])
returns table (id bigint, transaction_id uuid, amount bigint, created_at timestamptz, type text, reference text, memo text,
  escrow_id uuid, withdrawal_id uuid, value_date date, gross bigint, fee bigint, tax bigint, rates jsonb, counterparty_kind text, counterparty_id uuid,
  counterparty_name text)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
  -- The user who owns the account; null for the company.
  v_owner uuid;
begin
  perform require_company(p_company);
  select l.user_id into v_owner from account a join ledger l on l.company_id = p_company and l.id = a.ledger_id
  where a.id = p_account and a.company_id = p_company;
  if not found then return; end if;
  return query
    select e.id, shown_transaction(t.id, t.key), e.amount, e.created_at, t.type,
      coalesce(own.reference, x.external_reference), own.metadata ->> 'userReference', own.escrow_id, w.id,
      confirmed.value_date, own.amount + coalesce(w.tax_cents, 0), case when own.id is not null then coalesce(fees.amount, 0) end,
      case when own.id is not null then coalesce(w.tax_cents, 0) end,
      case when w.tax_cents > 0 then jsonb_build_array(jsonb_build_object('kind', 'TRANSFER_TAX', 'cents', w.tax_cents::text,
        'basisPoints', transfer_tax_rate(p_company, w.currency, w.created_at))) else fees.rates end,
      party.kind, case party.kind when 'USER' then party.user_id when 'COMPANY' then p_company end,
      case party.kind
        when 'BANK_ACCOUNT' then (select d.account_name from payout_destination d where d.company_id = p_company and d.id = w.id)
        when 'EXTERNAL' then own.metadata ->> 'userReference'
        when 'USER' then
          (select nullif(concat_ws(' ', u.first_name, u.last_name), '') from app_user u
           where u.company_id = p_company and u.id = party.user_id)
        when 'COMPANY' then (select c.name from company c where c.id = p_company)
      end
    from (
      select * from entry e where e.company_id = p_company and e.account_id = p_account and e.id = any (p_entries) offset 0) e
    cross join lateral (
      select * from ledger_transaction t
      where t.company_id = coalesce(e.origin_id, p_company) and t.id = e.transaction_id offset 0) t
    left join lateral (select t.* where t.company_id = p_company) own on true
    left join lateral (
      select * from escrow x where x.company_id = p_company and x.id = own.escrow_id offset 0) x on true
    left join lateral (
      select * from withdrawal w where w.company_id = p_company and w.id = withdrawal_of_key(own.key) offset 0) w on true
    left join lateral (
      select b.value_date from bank_match m join bank_entry b on b.company_id = p_company and b.id = m.entry_id
      where m.company_id = p_company and m.transaction_id = any (array[
        own.id,
        -- The receipt that settled a deposit in transit, and the one that was assigned from SUSPENSE.
        (select c.id from bank_capture c join ledger_transaction s on s.company_id = p_company and s.id = c.id
         where c.company_id = p_company and c.matched_kind = 'TRANSIT_DEPOSIT' and c.matched_id = own.id and s.status = 'COMPLETED'
         limit 1),
        case when own.key like 'capture-assignment/%' then split_part(own.key, '/', 2)::uuid end])
      limit 1
    ) confirmed on true
    left join lateral (
      select sum(f.amount)::bigint as amount, jsonb_agg(jsonb_build_object('kind', f.type, 'cents', f.amount::text, 'basisPoints',
        (agreed.rates ->> case f.type when 'SERVICE_FEE' then 'serviceFeeBasisPoints' else 'systemFeeBasisPoints' end)::integer)
        order by f.type) as rates
      from (
      select a.type, sum(l.amount) as amount from (
        select * from entry l
        where l.company_id in (p_company, (select platform_company())) and l.transaction_id = own.id
          and coalesce(l.origin_id, l.company_id) = p_company offset 0) l
      cross join lateral (
        select a.type from account a where a.company_id = l.company_id and a.id = l.account_id offset 0) a
      where own.type = 'PAYMENT' and l.amount > 0 and a.type in ('SERVICE_FEE', 'SYSTEM_FEE')
      group by a.type) f
      cross join lateral (select paid_rates(p_company, own.escrow_id, own.id) as rates) agreed
    ) fees on true
    left join lateral (
      select a.type, o.user_id from (
        select * from entry l
        where l.company_id = p_company and l.transaction_id = own.id and l.origin_id is null offset 0) l
      join account a on a.company_id = p_company and a.id = l.account_id
      join ledger o on o.company_id = p_company and o.id = a.ledger_id
      where own.escrow_id is null and w.id is null
        and sign(l.amount) <> sign(e.amount) and a.type <> 'INTERCOMPANY'
      order by abs(l.amount) desc, l.id limit 1
    ) other on true
    left join lateral (
      select a.id, o.user_id from account a join ledger o on o.company_id = p_company and o.id = a.ledger_id
      where a.company_id = p_company and a.id = w.account_id) payer on true
    cross join lateral (
      select case
          when w.id is not null then payer.user_id
          when x.id is not null then case when v_owner = x.buyer_id then x.seller_id else x.buyer_id end
          else other.user_id
        end as user_id
    ) who
    cross join lateral (
      select who.user_id, case
          when own.id is null then null
          when w.id is not null and payer.id = p_account then 'BANK_ACCOUNT'
          when w.id is null and x.id is null and other.type is null then null
          when w.id is null and x.id is null and (other.type in ('BANK', 'TRANSIT') or other.type like 'CLEARING%') then 'EXTERNAL'
          when who.user_id is null then 'COMPANY'
          else 'USER'
        end as kind
    ) party;
end $$;

-- The cash flow of the company per period: money in and out on BANK and the clearing accounts. Periods without movement are omitted.
create function ledger_cashflow(p_company uuid, p_from timestamptz, p_to timestamptz, p_interval text, p_currency text)
returns table (period date, currency text, inflow numeric, outflow numeric)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
begin
  perform require_company(p_company);
  return query
    with bank as (
      select a.id, a.type, a.currency from account a
      where a.company_id = p_company and (a.type = 'BANK' or a.type like 'CLEARING%') and (p_currency is null or a.currency = p_currency)
    ), part as materialized (
      select * from utc_parts(p_from, p_to)
    ), flow (at, currency, inflow, outflow) as (
      select x.starts_at, b.currency, x.debits, x.credits
      from part p cross join bank b cross join lateral (
        select * from account_turnover x
        where x.company_id = p_company and x.account_id = b.id and x.unit = p.unit and x.starts_at >= p.starts and x.starts_at < p.ends offset 0) x
      where p.unit is not null
      union all
      select e.created_at, b.currency, greatest(-e.amount, 0), greatest(e.amount, 0)
      from part p cross join bank b cross join lateral (
        select e.created_at, e.amount from entry e
        where e.company_id = p_company and e.account_id = b.id and e.created_at >= p.starts and e.created_at < p.ends offset 0) e
      where p.unit is null
      union all
      select e.created_at, b.currency, greatest(-e.amount, 0), greatest(e.amount, 0)
      from unsealed_transactions(p_company) t
      cross join lateral (
      select * from entry e
      where e.company_id = p_company and e.transaction_id = t.id and coalesce(e.origin_id, e.company_id) = t.company_id offset 0) e
      join bank b on b.id = e.account_id
      join part p on p.unit is not null and e.created_at >= p.starts and e.created_at < p.ends
      union all
      -- Money that went from a clearing account to the bank was counted as it came in. The gateway's fee leaves the company.
      select e.created_at, b.currency, -abs(e.amount), -abs(e.amount)
      from bank_match m
      join entry e on e.company_id = m.company_id and e.transaction_id = m.transaction_id
      join bank b on b.id = e.account_id and b.type = 'BANK'
      where m.company_id = p_company and m.kind in ('CARD_SETTLEMENT', 'MOBILE_SETTLEMENT')
        and e.created_at >= p_from and e.created_at < p_to
    )
    select date_trunc(p_interval, f.at at time zone 'UTC')::date, f.currency, sum(f.inflow), sum(f.outflow)
    from flow f group by 1, 2;
end $$;
-- Reports at an instant. They read entries and changes of holds by their times alone, so a past instant always has the same amounts.

-- The balances of a company's accounts right before an instant, by type and currency: those below zero are debits.
create function report_trial_balance(p_company uuid, p_at timestamptz)
returns table (type text, currency text, accounts bigint, debit numeric, credit numeric)
language plpgsql stable security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  perform require_company(p_company);
  return query
    select a.type, a.currency, count(*), sum(greatest(-b.balance, 0)), sum(greatest(b.balance, 0))
    from ledger_balance_before(
      p_company, array(select a.id from account a where a.company_id = p_company and a.created_at < p_at), p_at) b
    join account a on a.company_id = p_company and a.id = b.account_id
    where b.balance <> 0
    group by a.type, a.currency order by a.type, a.currency;
end $$;

-- What a company owed each user right before an instant.
create function report_liabilities(p_company uuid, p_at timestamptz)
returns table (user_id uuid, currency text, balance numeric, held numeric)
language plpgsql stable security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  v_accounts constant uuid[] := array(
    select a.id from account a where a.company_id = p_company and a.type = 'USER' and a.created_at < p_at);
begin
  perform require_company(p_company);
  return query
    select l.user_id, a.currency, b.balance, h.held
    from ledger_balance_before(p_company, v_accounts, p_at) b
    join ledger_held_before(p_company, v_accounts, p_at) h on h.account_id = b.account_id
    join account a on a.company_id = p_company and a.id = b.account_id
    join ledger l on l.company_id = p_company and l.id = a.ledger_id
    where b.balance <> 0 or h.held <> 0
    order by l.user_id, a.currency;
end $$;

-- Fees and taxes in [p_from, p_to), by kind, currency and rate. The rate of an escrow's fee is the one of its creation; it is null
-- where the escrow was created with a split plan, or a plan was agreed or decided before the payment. The fees of other companies'
-- escrows are revenue of the platform. A tax that was given back counts against it.
create function report_revenue(p_company uuid, p_from timestamptz, p_to timestamptz)
returns table (kind text, currency text, basis_points integer, count bigint, base numeric, amount numeric)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
  perform require_company(p_company);
  return query
    with fee as (
      select a.type as kind, e.currency, e.amount, coalesce(e.origin_id, e.company_id) as company_id, e.transaction_id
      from account a join entry e on e.company_id = a.company_id and e.account_id = a.id
      where a.company_id in (p_company, platform_company()) and a.type in ('SERVICE_FEE', 'SYSTEM_FEE')
        and (a.company_id = p_company or e.origin_id = p_company)
        and e.created_at >= p_from and e.created_at < p_to and e.amount > 0
    ), escrow_fee as (
      select f.kind, f.currency, f.amount,
        (paid_rates(f.company_id, t.escrow_id, t.id)
          ->> case f.kind when 'SERVICE_FEE' then 'serviceFeeBasisPoints' else 'systemFeeBasisPoints' end)::integer as basis_points,
        (shares.s ->> 'sellerPayoutCents')::numeric + (shares.s ->> 'buyerRefundCents')::numeric
          + case when first.data -> 'terms' ->> 'feePayer' = 'BUYER' then 0
            else (shares.s ->> 'serviceFeeCents')::numeric + (shares.s ->> 'systemFeeCents')::numeric end as base
      from fee f
      join ledger_transaction t on t.company_id = f.company_id and t.id = f.transaction_id and t.type = 'PAYMENT'
      join escrow_event ev on ev.company_id = f.company_id and ev.escrow_id = t.escrow_id and ev.command_id = t.id
      join escrow_event first on first.company_id = f.company_id and first.escrow_id = t.escrow_id and first.seq = 1
      cross join lateral (select ev.data -> 'shares' as s) shares
    ), tax as (
      select e.currency, e.amount, w.amount_cents * case when e.amount > 0 then 1 else -1 end as base,
        transfer_tax_rate(p_company, e.currency, w.created_at) as basis_points
      from account a join entry e on e.company_id = a.company_id and e.account_id = a.id
      join ledger_transaction t on t.company_id = p_company and t.id = e.transaction_id
      join withdrawal w on w.company_id = p_company and w.id = withdrawal_of_key(t.key) and w.account_id <> a.id
      where a.company_id = p_company and a.type = 'TAX' and e.created_at >= p_from and e.created_at < p_to
    ), line as (
      select kind, currency, basis_points, 1 as sign, base, amount from escrow_fee
      union all
      select 'TRANSFER_TAX', currency, basis_points, case when amount > 0 then 1 else -1 end, base, amount from tax
    )
    select kind, currency, basis_points, sum(sign)::bigint, sum(base), sum(amount) from line
    group by kind, currency, basis_points order by kind, currency, basis_points nulls last;
end $$;

-- The metadata of a transaction, with the reason that a person gave for a reversal or an adjustment: words of people are not in the
-- ledger, because they can be erased.
create function shown_metadata(p_transaction ledger_transaction) returns jsonb language sql stable as $$
  select case when p_transaction.type not in ('REVERSAL', 'ADJUSTMENT') then p_transaction.metadata else p_transaction.metadata || coalesce((
    select jsonb_build_object('reason', c.content -> 'reason') from command_text c
    where c.company_id = p_transaction.company_id and c.command_id = p_transaction.id and c.content ? 'reason'), '{}') end
$$;
