-- The test clock: how far a company's time is ahead of real time. Outside production, testers move it to reach deadlines.
-- Escrows, payment links, withdrawals and one-time passwords live in the company's time. Ledger, audit log, events, credentials
-- and limits of requests keep real time.
create table company_clock (
  company_id uuid primary key references company on delete restrict,
  ahead interval not null check (ahead >= interval '0'),
  -- The command that moved the clock last. Repeating it has no effect.
  moved_by uuid not null
);
call tenant_table('company_clock', 'select');
-- The migration for production revokes this (migrate.ts).
grant insert, update (ahead, moved_by) on company_clock to escrow_api;

-- How far the time of a company is ahead, in milliseconds. 0 for a company that never moved its clock.
create function company_ahead_ms(p_company_id uuid) returns float8
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((select extract(epoch from c.ahead) * 1000 from company_clock c where c.company_id = p_company_id), 0)::float8
$$;

-- Whether any company's clock was ever moved. Such a database is for tests.
create function is_any_clock_moved() returns boolean
language sql stable security definer set search_path = public, pg_temp as
$$ select exists (select from company_clock c where c.ahead > interval '0') $$;

-- The time of a company.
create function company_now(p_company_id uuid) returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select now() + make_interval(secs => company_ahead_ms(p_company_id) / 1000)
$$;
