-- Until when the ledgers of several companies are closed (115-ledger-journal.sql), with one look at the locks and one wait for all requests that
-- ask at the same time. `ordinal` is the place in p_companies, `at` a time after the wait.
create function ledgers_closed_until(p_companies uuid[]) returns table (ordinal bigint, until timestamptz, at timestamptz)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_end constant timestamptz := date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond';
  v_end_ms constant bigint := extract(epoch from v_end) * 1000;
  v_platform constant uuid := platform_company();
begin
  perform pg_sleep(greatest(0, extract(epoch from v_end - clock_timestamp())));
  -- A posting that takes its lock after this scan has a later time than v_end. So may a posting that took it during the sleep.
  -- Its age is negative, so the difference is normalised around zero.
  return query
    with flight as materialized (
      select l.classid::bigint as company, (v_end_ms - l.objid::bigint + 1073741824) % 2147483648 - 1073741824 as age_ms
      from pg_locks l
      where l.locktype = 'advisory' and l.objsubid = 2 and l.database = (select oid from pg_database where datname = current_database())
    )
    select asked.ordinal, v_end - greatest(posting.age_ms, 0) * interval '1 millisecond', clock_timestamp()
    from unnest(p_companies) with ordinality as asked (id, ordinal)
    cross join lateral (
      select max(f.age_ms) as age_ms from flight f
      -- All companies post to the platform's accounts.
      where f.company = (hashtext(asked.id::text)::bigint + 4294967296) % 4294967296 or asked.id = v_platform) posting;
end $$;
grant execute on function ledgers_closed_until to escrow_api;

create or replace function ledger_closed_until(p_company uuid) returns timestamptz
language sql volatile security definer set search_path = public, pg_temp as
$$ select c.until from ledgers_closed_until(array[p_company]) c $$;
