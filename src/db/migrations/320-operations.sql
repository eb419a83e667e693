-- Metrics for operators. One call returns everything that only the database knows.

-- The few rows that wait for an outside party, oldest first.
create index withdrawal_processing on withdrawal (created_at) where status = 'PROCESSING';
create index payment_link_processing on payment_link (id) where status = 'PROCESSING';
create index escrow_disputed on escrow (disputed_at, id) where status = 'DISPUTED';
-- Unexpected payments: late, or with a different amount.
create index payment_link_event_odd on payment_link_event (type) where type in ('LATE_MONEY', 'PAYMENT_MISMATCHED');

-- Counts of what is open stop at 100,000. The counts of unusual payments and payouts are complete: their rows are few, and found
-- through partial indexes. Ages are in seconds, and omitted if nothing waits.
create function operations_snapshot() returns table (metric text, label text, value double precision)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'open_escrows', e.status, count(*)::float8
    from (select status from escrow where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED') limit 100000) e
    group by e.status
  union all
  select 'oldest_dispute_seconds', null, extract(epoch from now() - min(disputed_at))::float8
    from escrow where status = 'DISPUTED' having count(*) > 0
  union all
  select 'open_withdrawals', null, count(*)::float8
    from (select from withdrawal where status = 'PROCESSING' limit 100000) w
  union all
  select 'oldest_withdrawal_seconds', null, extract(epoch from now() - w.created_at)::float8
    from (select created_at from withdrawal where status = 'PROCESSING' order by created_at limit 1) w
  union all
  select 'pending_payments', null, count(*)::float8
    from (select from payment_link where status = 'PROCESSING' limit 100000) l
  union all
  select 'oldest_payment_seconds', null, extract(epoch from now() - min(a.created_at))::float8
    from (select company_id, id from payment_link where status = 'PROCESSING' limit 10000) l
    cross join lateral (
      select created_at from payment_attempt where company_id = l.company_id and link_id = l.id order by created_at desc limit 1
    ) a
    having count(*) > 0
  union all
  select 'odd_payments', e.type, count(*)::float8
    from payment_link_event e where e.type in ('LATE_MONEY', 'PAYMENT_MISMATCHED') group by e.type
  union all
  select 'odd_payouts', e.type, count(*)::float8
    from withdrawal_event e where e.type in ('REVIEW_NEEDED', 'SETTLED_LATE') group by e.type
  union all
  select 'messaging_reports', m.kind, count(*)::float8
    from (select kind from messaging_event where recorded_at > now() - interval '1 hour' limit 100000) m group by m.kind
  union all
  select 'messaging_report_seconds', null, extract(epoch from now() - m.recorded_at)::float8
    from (select recorded_at from messaging_event order by recorded_at desc limit 1) m
  union all
  select u.metric, null, u.value from (
    select count(*)::float8 as transactions, coalesce(extract(epoch from clock_timestamp() - min(t.created_at)), 0)::float8 as lag
    from (
      select t.created_at from seal_progress p
      join ledger_transaction t on t.position > p.final_position and not p.sealed_beyond @> t.position
      limit 100000
    ) t
  ) s cross join lateral (values ('unsealed_transactions', s.transactions), ('seal_lag_seconds', s.lag)) u(metric, value)
$$;

-- Removes expired rows, at most p_limit of each kind: idempotency keys, refusals of commands, sessions that ended a month
-- ago (until then the reuse of a token still shows that it was stolen), and what is older than p_messages of one-time passwords, of
-- reports about messages, of messages to parties, and of the messages that a sandbox keeps. Rows that another call has locked are skipped.
create function sweep_expired(p_limit integer, p_messages interval) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  keys integer;
  refusals integer;
  tokens integer;
  sessions integer;
  passwords integer;
  reports integer;
  order_messages integer;
  kept_messages integer;
  lines integer;
begin
  delete from idempotency i using (
    select i.company_id, i.operation, i.key from idempotency i where i.expires_at < now()
    order by i.expires_at limit p_limit for update skip locked) old
  where i.company_id = old.company_id and i.operation = old.operation and i.key = old.key;
  get diagnostics keys = row_count;
  delete from refused_command where ctid = any (array(
    select r.ctid from refused_command r where r.expires_at < now() order by r.expires_at limit p_limit for update skip locked));
  get diagnostics refusals = row_count;
  delete from refresh_token t using (
    select t.company_id, t.id from refresh_token t where t.expires_at < now() - interval '30 days'
    order by t.expires_at limit p_limit for update skip locked) old
  where t.company_id = old.company_id and t.id = old.id;
  get diagnostics tokens = row_count;
  delete from session s using (
    select s.company_id, s.id from session s where s.last_used_at < now() - interval '37 days'
    order by s.last_used_at limit p_limit for update skip locked) old
  where s.company_id = old.company_id and s.id = old.id;
  get diagnostics sessions = row_count;
  delete from one_time_password where id = any (array(
    select o.id from one_time_password o where o.created_at < now() - p_messages order by o.created_at limit p_limit
    for update skip locked));
  get diagnostics passwords = row_count;
  delete from messaging_event where ctid = any (array(
    select m.ctid from messaging_event m where m.recorded_at < now() - p_messages order by m.recorded_at limit p_limit
    for update skip locked));
  get diagnostics reports = row_count;
  delete from order_message o using (
    select o.company_id, o.id from order_message o where o.status <> 'WAITING' and o.updated_at < now() - p_messages
    order by o.updated_at limit p_limit for update skip locked) old
  where o.company_id = old.company_id and o.id = old.id;
  get diagnostics order_messages = row_count;
  delete from sandbox_message m using (
    select m.company_id, m.id from sandbox_message m where m.sent_at < now() - p_messages limit p_limit for update skip locked) old
  where m.company_id = old.company_id and m.id = old.id;
  get diagnostics kept_messages = row_count;
  -- Of commands that never arrived: no message is carried out after so long.
  delete from announced_line a using (
    select a.company_id, a.command_id from announced_line a where a.created_at < now() - interval '2 days'
    order by a.created_at limit p_limit for update skip locked) old
  where a.company_id = old.company_id and a.command_id = old.command_id;
  get diagnostics lines = row_count;
  return greatest(keys, refusals, tokens, sessions, passwords, reports, order_messages, kept_messages, lines);
end $$;
