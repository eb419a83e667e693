-- Balances look up the entries of each transaction that is not sealed yet. With old statistics PostgreSQL joined the index of an entry's
-- transaction with that of all entries of its company, and read a company's entries once for each of its transactions: a balance took 10 s
-- for a backlog of 10,000. ledger_seal has the same setting.
alter function ledger_balance_before(uuid, uuid[], timestamptz) set enable_bitmapscan = off;
alter function appended_balances(uuid, uuid[], bigint[]) set enable_bitmapscan = off;
alter function ledger_cashflow(uuid, timestamptz, timestamptz, text, text) set enable_bitmapscan = off;
-- The same for the lines of a statement, which look up the other side of each transaction: 100 of them cost five times as much in a company
-- with 4,000 entries.
alter function statement_lines(uuid, uuid, bigint[]) set enable_bitmapscan = off;
-- The same for holds: a report on the liabilities to 10,000 users took 17 s.
alter function ledger_held_before(uuid, uuid[], timestamptz) set enable_bitmapscan = off;

-- From its sixth call in a session on, such a function had a plan for few accounts, which took the square of the number of accounts: a
-- trial balance of 20,000 accounts was answered 503.
alter function ledger_balance_before(uuid, uuid[], timestamptz) set plan_cache_mode = force_custom_plan;
alter function ledger_held_before(uuid, uuid[], timestamptz) set plan_cache_mode = force_custom_plan;
alter function appended_balances(uuid, uuid[], bigint[]) set plan_cache_mode = force_custom_plan;
