-- Balances look up the entries of each transaction that is not sealed yet. With old statistics PostgreSQL joined the index of an entry's
-- transaction with that of all entries of its company, and read a company's entries once for each of its transactions: a balance took 10 s
-- for a backlog of 10,000. ledger_seal has the same setting.
alter function ledger_balance_before(uuid, uuid[], timestamptz) set enable_bitmapscan = off;
alter function appended_balances(uuid, uuid[], bigint[]) set enable_bitmapscan = off;
alter function ledger_cashflow(uuid, timestamptz, timestamptz, text, text) set enable_bitmapscan = off;
-- The same for holds: a report on the liabilities to 10,000 users took 17 s.
alter function ledger_held_before(uuid, uuid[], timestamptz) set enable_bitmapscan = off;

-- From its sixth call in a session on, such a function had a plan for few accounts, which took the square of the number of accounts: a
-- trial balance of 20,000 accounts was answered 503.
alter function ledger_balance_before(uuid, uuid[], timestamptz) set plan_cache_mode = force_custom_plan;
alter function appended_balances(uuid, uuid[], bigint[]) set plan_cache_mode = force_custom_plan;

-- PostgreSQL takes a company that came after it collected statistics for one without rows. An index of all rows of the company then seems as good
-- as one of a transaction or an account, and all its rows were read for each row of an answer: the liabilities to 10,000 users took more than a
-- minute. A plan for any company takes each for an average one.
alter function ledger_held_before(uuid, uuid[], timestamptz) set plan_cache_mode = force_generic_plan;
alter function ledger_cashflow(uuid, timestamptz, timestamptz, text, text) set plan_cache_mode = force_generic_plan;
alter function report_trial_balance(uuid, timestamptz) set plan_cache_mode = force_generic_plan;
alter function report_liabilities(uuid, timestamptz) set plan_cache_mode = force_generic_plan;
alter function report_revenue(uuid, timestamptz, timestamptz) set plan_cache_mode = force_generic_plan;
alter function unsealed_activity(uuid, uuid) set plan_cache_mode = force_generic_plan;
alter function unsealed_activity(uuid, uuid) set enable_bitmapscan = off;
-- The two that are planned for the number of their accounts look into the index of transactions without the company: `offset 0` keeps it out,
-- and keeps the look for what is known an own one. Balances are matched with what was asked by one list, because PostgreSQL knows neither number.
do $$
declare
  reader regprocedure;
begin
  foreach reader in array array['ledger_balance_before(uuid, uuid[], timestamptz)', 'appended_balances(uuid, uuid[], bigint[])',
    'unsealed_activity(uuid, uuid)']::regprocedure[]
  loop
    execute replace(replace(replace(pg_get_functiondef(reader), E'select * from entry e\n',
      E'select * from (select * from entry where transaction_id = t.id offset 0) e\n'),
      'w.id, l.balance from wanted w join led_to l on l.id = w.id', 'l.id, l.balance from led_to l where l.id = any (p_entries)'),
      'known.transaction_id = touched.transaction_id)', 'known.transaction_id = touched.transaction_id offset 0)');
  end loop;
end $$;

-- The balance of one account, which a statement reads, keeps its plan: making it took seven eighths of the time.
do $$
begin
  execute replace(pg_get_functiondef('ledger_balance_before(uuid, uuid[], timestamptz)'::regprocedure), 'perform require_company(p_company);',
    $body$perform require_company(p_company);
  perform set_config('plan_cache_mode', case cardinality(p_accounts) when 1 then 'force_generic_plan' else 'force_custom_plan' end, true);$body$);
end $$;

-- The entries of these transactions on the company's accounts. As the owner, because row-level security puts the company into the look.
create function posted_entries(p_company uuid, p_transactions uuid[]) returns setof entry
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  perform require_company(p_company);
  return query
    select e.* from unnest(p_transactions) t(id) cross join lateral (select * from entry where transaction_id = t.id offset 0) e
    where e.company_id = p_company;
end $$;
grant execute on function posted_entries to escrow_api;

-- PostgreSQL puts this one into its statement, because it has no query of its own: 1,000 calls took 18 ms, and these take 2.
create function reason_of_transaction(p_company uuid, p_transaction uuid) returns jsonb language sql stable as $$
  select coalesce((
    select jsonb_build_object('reason', c.content -> 'reason') from command_text c
    where c.company_id = p_company and c.command_id = p_transaction and c.content ? 'reason'), '{}')
$$;
grant execute on function reason_of_transaction to escrow_api, escrow_worker;
create or replace function shown_metadata(p_transaction ledger_transaction) returns jsonb language sql stable as $$
  select case when p_transaction.type not in ('REVERSAL', 'ADJUSTMENT') then p_transaction.metadata
    else p_transaction.metadata || reason_of_transaction(p_transaction.company_id, p_transaction.id) end
$$;
