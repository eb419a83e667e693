-- Incremental audits that read what is new and not the history, however many companies and entries there are. Three things made them read
-- all of it: no index finds entries by their ids alone, every account was recomputed, and heads were found by sorting all blocks.

-- Entries are never changed or deleted, so their ids are in the order of their pages.
create index entry_new on entry using brin (id) with (pages_per_range = 32, autosummarize = on);
create index audited_balance_account on audited_balance (account_id);
-- With statistics of few heads this index seemed as good as the key for the last head of a company, and each look read half of all heads.
drop index ledger_checkpoint_audit;
create index ledger_checkpoint_new on ledger_checkpoint using brin (audit_seq) with (pages_per_range = 4, autosummarize = on);

-- The oldest transaction that was running at the audit: it saw every row version that an older one wrote.
alter table ledger_audit add column oldest_running xid8;
-- The ids of entries after final_entry that the audit covered. The next audit would count them twice. sealed_beyond does not name all of their
-- transactions: a posting draws its position first and its entries last, and the sealer may read the two sequences in between.
alter table ledger_audit add column entries_beyond int8multirange;
alter table ledger_audit disable trigger ledger_audit_is_append_only;
update ledger_audit a set entries_beyond = (
  select range_agg(int8range(e.id, e.id, '[]'))
  from entry e join ledger_transaction t on t.company_id = coalesce(e.origin_id, e.company_id) and t.id = e.transaction_id
  where e.id > a.final_entry and (t.position <= a.final_position or a.sealed_beyond @> t.position))
where a.seq = (select max(seq) from ledger_audit);
alter table ledger_audit enable trigger ledger_audit_is_append_only;

-- Otherwise the function of 160-ledger-verify.sql.
create or replace function ledger_verify(p_company uuid, p_new_only boolean default false) returns jsonb
language plpgsql volatile security definer set search_path = public, pg_temp set jit = off
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  -- Where the audit starts: the state of the sealer at the last kept audit, or the beginning.
  start ledger_audit;
  v_position bigint := 0;
  v_entry bigint := 0;
  v_beyond int8multirange := '{}';
  v_entries_beyond int8multirange := '{}';
  -- The age in transactions of the newest row version that the last kept audit saw for certain. Null: it saw none.
  v_seen_age integer;
  found jsonb;
begin
  perform require_company(p_company);
  if p_new_only then
    if p_company is not null then
      raise exception 'an audit of what is new covers all companies' using errcode = 'invalid_parameter_value';
    end if;
    select * into start from ledger_audit order by seq desc limit 1;
    v_position := coalesce(start.final_position, 0);
    v_entry := coalesce(start.final_entry, 0);
    v_beyond := coalesce(start.sealed_beyond, '{}');
    v_entries_beyond := coalesce(start.entries_beyond, '{}');
    -- Otherwise the database was restored into a server with lower transaction ids.
    if start.oldest_running <= pg_snapshot_xmin(pg_current_snapshot()) then v_seen_age := age(start.oldest_running::xid); end if;
  else
    perform set_config('enable_nestloop', 'off', true); -- everything is read, so use hash joins
  end if;

  with kept as materialized (
    -- The head that the last kept audit found. An incremental audit starts after it.
    select c.id as company_id, k.block_seq, k.head, case when p_new_only then coalesce(k.block_seq, 0) else 0 end as start_seq
    from company c left join lateral (
      select k.block_seq, k.head from ledger_checkpoint k where k.company_id = c.id order by k.audit_seq desc limit 1) k on true
    where p_company is null or c.id = p_company
  ), link as (
    select k.start_seq, k.head, b from kept k join block b on b.company_id = k.company_id where not p_new_only
    union all
    -- "offset 0", here and below, makes the planner use an index even if it expects many rows. An incremental audit must not read
    -- the whole history.
    select k.start_seq, k.head, x.b from kept k cross join lateral (
      select b from block b where b.company_id = k.company_id and b.seq > k.start_seq offset 0) x where p_new_only
  ), chain as materialized (
    select (l.b).*, ledger_block_hash(l.b) as recomputed,
      lag((l.b).hash, 1, case when l.start_seq > 0 then l.head else '\x' end) over chained as before,
      lag((l.b).seq, 1, l.start_seq) over chained as seq_before
    from link l
    window chained as (partition by (l.b).company_id order by (l.b).seq)
  ), sealed_tx as materialized (
    select c.company_id, c.seq, s.id, s.hash from chain c, unnest(c.transaction_ids, c.transaction_hashes) s(id, hash)
  ), sealed_leg as materialized (
    select c.company_id, c.seq, s.id, s.hash from chain c, unnest(c.entry_ids, c.entry_hashes) s(id, hash)
  ), sealed_record as materialized (
    select c.company_id, c.seq, s.record, s.hash from chain c, unnest(c.records, c.record_hashes) s(record, hash)
    union all
    -- Unsealed records were hashed when they were written.
    select q.company_id, null, q.record, q.hash from seal_queue q where p_company is null or q.company_id = p_company
  ), tx as materialized (
    select t.id, t.company_id, t.position, t.status, t.posted_status, ledger_transaction_hash(t) as hash
    from ledger_transaction t
    where (p_company is null or t.company_id = p_company) and t.position > v_position and not v_beyond @> t.position
  ), leg as materialized (
    select e.id, e.transaction_id, e.account_id, e.company_id, e.origin_id, e.amount, e.currency, e.created_at,
      ledger_entry_hash(e) as hash, tx.company_id as transaction_company
    from entry e left join tx on tx.company_id = coalesce(e.origin_id, e.company_id) and tx.id = e.transaction_id
    where e.id > v_entry and not v_entries_beyond @> e.id and (p_company is null or e.company_id = p_company or tx.id is not null)
  ), record as materialized (
    select * from journal_rows(p_company, case when p_new_only then array(select s.company_id from sealed_record s order by s.record) end,
      case when p_new_only then array(select s.record from sealed_record s order by s.record) end)
  ), changed_hold as materialized (
    select distinct h.company_id, h.hold_id
    from (select s.company_id, split_part(s.record, '/', 2)::bigint as id from sealed_record s
          where p_new_only and s.record like 'hold\_change/%') s
    cross join lateral (
      select h.company_id, h.hold_id from hold_change h where h.company_id = s.company_id and h.id = s.id offset 0) h
  ), changes as materialized (
    select h.hold_id, max(h.amount_cents) filter (where h.kind = 'place') as amount, sum(h.amount_cents) as remaining,
      case when bool_or(h.kind = 'void') then 'CLOSED' else 'OPEN' end as status, min(h.account_id::text)::uuid as account_id,
      h.company_id
    from (
      select h.* from hold_change h where not p_new_only and (p_company is null or h.company_id = p_company)
      union all
      select h.* from changed_hold c cross join lateral (
        select h.* from hold_change h where h.company_id = c.company_id and h.hold_id = c.hold_id offset 0) h
    ) h
    group by h.company_id, h.hold_id
  ), held as materialized (
    select h.* from hold h where not p_new_only and (p_company is null or h.company_id = p_company)
    union all
    select h.* from changed_hold c cross join lateral (
      select h.* from hold h where h.company_id = c.company_id and h.id = c.hold_id offset 0) h
  ), moved as materialized (
    select account_id, sum(amount) as amount from leg group by account_id
  ), acc as materialized (
    select a.id, a.company_id, a.held, a.may_go_negative,
      a.posted + coalesce(d.amount, 0) as balance, coalesce(o.amount, 0) as open_holds,
      coalesce(m.amount, 0) + coalesce(case when p_new_only then (
        select sum(b.balance_cents) from audited_balance b where b.account_id = a.id) end, 0) as expected
    from account a
    left join (select company_id, account_id, sum(amount) as amount from account_delta group by 1, 2) d
      on d.company_id = a.company_id and d.account_id = a.id
    left join (select company_id, account_id, sum(remaining) as amount from hold where status = 'OPEN' group by 1, 2) o
      on o.company_id = a.company_id and o.account_id = a.id
    left join moved m on m.account_id = a.id
    where (p_company is null or a.company_id = p_company)
      -- An incremental audit leaves out the accounts that the last kept audit saw as they are: nothing is held or appended, no entry
      -- is new, and nobody wrote the row since.
      and (v_seen_age is null or age(a.xmin) <= v_seen_age or a.held <> 0 or not a.may_go_negative and a.posted < a.held
        or num_nonnulls(d.amount, o.amount, m.amount) > 0)
  ), sealed_move as materialized (
    select leg.account_id, leg.transaction_company as company_id, sum(leg.amount) as amount
    from leg join sealed_tx s on s.company_id = leg.transaction_company and s.id = leg.transaction_id group by 1, 2
  ), sealed as materialized (
    -- Grouped, because PostgreSQL expects few new entries, and a join would read what moved once for each account. An incremental audit leaves
    -- out the rows that nobody wrote since the last kept audit and nothing moved.
    select company_id, account_id, sum(amount) as moved, max(balance) as balance
    from (
      select b.company_id, b.account_id, null::numeric as amount, b.balance from sealed_balance b
      where (p_company is null or b.company_id = p_company) and (v_seen_age is null or age(b.xmin) <= v_seen_age)
      union all
      select m.company_id, m.account_id, m.amount, null from sealed_move m
      union all
      select b.company_id, b.account_id, null, b.balance
      from sealed_move m cross join lateral (
        select * from sealed_balance b where b.company_id = m.company_id and b.account_id = m.account_id offset 0) b
      where v_seen_age is not null
    ) x group by company_id, account_id
  ), with_status as materialized (
    select tx.id, tx.company_id, tx.posted_status, tx.status from tx
    union
    select t.id, t.company_id, t.posted_status, t.status
    from (select s.company_id, split_part(s.record, '/', 2)::bigint as id from sealed_record s
          where p_new_only and s.record like 'transaction\_status\_change/%') s
    cross join lateral (
      select c.company_id, c.transaction_id from transaction_status_change c
      where c.company_id = s.company_id and c.id = s.id offset 0) c
    cross join lateral (
      select t.* from ledger_transaction t where t.company_id = c.company_id and t.id = c.transaction_id offset 0) t
  ), last_status as materialized (
    (select distinct on (company_id, transaction_id) company_id, transaction_id, status_after from transaction_status_change
     where not p_new_only and (p_company is null or company_id = p_company)
     order by company_id, transaction_id, id desc)
    union all
    select w.company_id, w.id, c.status_after
    from with_status w cross join lateral (
      select c.status_after from transaction_status_change c
      where c.company_id = w.company_id and c.transaction_id = w.id order by c.id desc limit 1) c
    where p_new_only
  ), unsealed as materialized (
    select tx.company_id, tx.id from tx left join sealed_tx s on s.company_id = tx.company_id and s.id = tx.id where s.id is null
  ), keeper as materialized (
    select a.company_id, a.id as account_id from account a
    where not p_new_only and a.appends and (p_company is null or a.company_id = p_company)
    union
    select x.company_id, x.account_id from account_turnover x where not p_new_only and (p_company is null or x.company_id = p_company)
  ), hour as materialized (
    -- Turnover according to the entries, for every account that keeps it.
    select leg.company_id, leg.account_id, utc_start('hour', leg.created_at) as starts_at,
      sum(greatest(leg.amount, 0)) as credits, sum(greatest(-leg.amount, 0)) as debits
    from leg
    join sealed_tx s on s.company_id = leg.transaction_company and s.id = leg.transaction_id
    join keeper k on k.company_id = leg.company_id and k.account_id = leg.account_id
    where not p_new_only
    group by 1, 2, 3
    union all
    select touched.company_id, touched.account_id, touched.starts_at, e.credits, e.debits
    from (
      select distinct leg.company_id, leg.account_id, utc_start('hour', leg.created_at) as starts_at
      from leg join sealed_tx s on s.company_id = leg.transaction_company and s.id = leg.transaction_id
      where p_new_only
    ) touched cross join lateral (
      select from account a
      where a.company_id = touched.company_id and a.id = touched.account_id and (a.appends or exists (
        select from account_turnover x where x.company_id = a.company_id and x.account_id = a.id offset 0)) offset 0
    ) keeps cross join lateral (
      select coalesce(sum(greatest(e.amount, 0)), 0) as credits, coalesce(sum(greatest(-e.amount, 0)), 0) as debits
      from entry e
      -- Not "=": where accounts have few entries on average, PostgreSQL would read all entries of each by the primary key.
      where e.company_id is not distinct from touched.company_id and e.account_id = touched.account_id
        and e.created_at >= touched.starts_at and e.created_at < touched.starts_at + interval '1 hour'
        and (coalesce(e.origin_id, e.company_id), e.transaction_id) not in (select u.company_id, u.id from unsealed u)
    ) e
  ), turnover as materialized (
    select company_id, account_id, 'hour' as unit, starts_at, credits, debits from hour
    union all
    select company_id, account_id, 'day', utc_start('day', starts_at), sum(credits), sum(debits) from hour where not p_new_only
    group by 1, 2, 4
  ), mismatch (kind, company_id, account_id, transaction_id, entry_id, block_seq, record, expected, actual) as (
    -- The current books.
    select 'transaction_unbalanced', company_id, null::uuid, transaction_id, null::bigint, null::bigint,
      null::text, '0 ' || currency, sum(amount)::text
    from leg where transaction_company is not null
    group by transaction_id, company_id, currency having sum(amount) <> 0
    union all
    select 'balance', company_id, id, null, null, null, null, expected::text, balance::text from acc where expected <> balance
    union all
    select 'held', company_id, id, null, null, null, null, open_holds::text, held::text from acc where open_holds <> held
    union all
    select 'overdrawn', company_id, id, null, null, null, null, 'at least ' || held, balance::text
    from acc where balance < held and not may_go_negative
    union all
    select 'entry_without_transaction', leg.company_id, leg.account_id, leg.transaction_id, leg.id, null, null,
      'a transaction', 'none'
    from leg where leg.transaction_company is null and not exists (
      select from ledger_transaction t where t.company_id = coalesce(leg.origin_id, leg.company_id) and t.id = leg.transaction_id offset 0)
    union all
    select 'entry_without_account', leg.company_id, leg.account_id, leg.transaction_id, leg.id, null, null, 'an account', 'none'
    from leg left join account a on not p_new_only and a.company_id = leg.company_id and a.id = leg.account_id
    where a.id is null and (not p_new_only or not exists (
      select from account a where a.company_id = leg.company_id and a.id = leg.account_id offset 0))
    union all
    -- Compares the rows that change in place with the journal.
    select case when h.id is null then 'hold_deleted' when c.hold_id is null then 'hold_inserted' else 'hold_changed' end,
      coalesce(h.company_id, c.company_id), coalesce(h.account_id, c.account_id), h.transaction_id, null, null,
      'hold/' || coalesce(h.id, c.hold_id), concat_ws(' ', c.remaining, c.status), concat_ws(' ', h.remaining, h.status)
    from changes c full join held h on h.company_id = c.company_id and h.id = c.hold_id
    where (h.amount, h.remaining, h.status, h.account_id, h.company_id)
      is distinct from (c.amount, c.remaining, c.status, c.account_id, c.company_id)
    union all
    select 'status_changed', w.company_id, null, w.id, null, null, null, coalesce(l.status_after, w.posted_status), w.status
    from with_status w left join last_status l on l.company_id = w.company_id and l.transaction_id = w.id
    where w.status <> coalesce(l.status_after, w.posted_status)
    union all
    select 'turnover', a.company_id, a.id, null, null, null,
      coalesce(t.unit, x.unit) || ' ' || coalesce(t.starts_at, x.starts_at),
      concat_ws('/', t.credits, t.debits), concat_ws('/', x.credits, x.debits)
    from turnover t
    full join (
      select x.* from account_turnover x where not p_new_only and (p_company is null or x.company_id = p_company)
      union all
      select x.* from hour h cross join lateral (
        select x.* from account_turnover x where x.company_id = h.company_id and x.account_id = h.account_id and x.unit = 'hour'
          and x.starts_at = h.starts_at offset 0) x where p_new_only
    ) x on x.account_id = t.account_id and x.unit = t.unit and x.starts_at = t.starts_at
    join account a on a.company_id = coalesce(t.company_id, x.company_id) and a.id = coalesce(t.account_id, x.account_id)
    where (t.credits, t.debits) is distinct from (x.credits, x.debits)
    union all
    -- Compares the journal with the blocks.
    select case when r.record is null then 'record_deleted' when s.record is null then 'record_inserted'
      else 'record_changed' end,
      coalesce(s.company_id, r.company_id), null, null, null, s.seq, coalesce(s.record, r.record),
      encode(s.hash, 'hex'), encode(r.hash, 'hex')
    from sealed_record s full join record r on r.record = s.record where r.hash is distinct from s.hash
    union all
    -- Compares the books with the blocks.
    select case when t.id is null then 'transaction_deleted' else 'transaction_changed' end, s.company_id, null, s.id, null,
      s.seq, null, encode(s.hash, 'hex'), encode(t.hash, 'hex')
    from sealed_tx s left join tx t on t.company_id = s.company_id and t.id = s.id where t.hash is distinct from s.hash
    union all
    select 'transaction_inserted', tx.company_id, null, tx.id, null, null, null, 'in a block', 'in none'
    from unsealed u join tx on tx.company_id = u.company_id and tx.id = u.id cross join seal_progress p
    where (tx.position <= p.final_position or p.sealed_beyond @> tx.position)
    union all
    select case when leg.id is null then 'entry_deleted' else 'entry_changed' end, s.company_id, leg.account_id,
      leg.transaction_id, s.id, s.seq, null, encode(s.hash, 'hex'), encode(leg.hash, 'hex')
    from sealed_leg s left join leg on leg.id = s.id where leg.hash is distinct from s.hash
    union all
    select 'entry_inserted', leg.company_id, leg.account_id, leg.transaction_id, leg.id, s.seq, null,
      'in the block', leg.amount::text
    from leg join sealed_tx s on s.company_id = leg.transaction_company and s.id = leg.transaction_id left join sealed_leg l on l.id = leg.id
    where l.id is null
    union all
    select 'sealed_balance', b.company_id, b.account_id, null, null, null, null,
      (coalesce(a.balance_cents, 0) + coalesce(b.moved, 0))::text, b.balance::text
    from sealed b
    left join lateral (
      select a.balance_cents from audited_balance a
      where p_new_only and a.account_id = b.account_id and a.company_id = b.company_id offset 0) a on true
    where coalesce(a.balance_cents, 0) + coalesce(b.moved, 0) <> b.balance
    union all
    -- Checks the chain, and the heads that earlier audits kept.
    select 'block_changed', company_id, null, null, null, seq, null, encode(recomputed, 'hex'), encode(hash, 'hex')
    from chain where hash <> recomputed
    union all
    select 'chain_broken', company_id, null, null, null, seq, null, encode(before, 'hex'), encode(previous_hash, 'hex')
    from chain where previous_hash <> before
    union all
    select 'block_missing', company_id, null, null, null, seq_before + 1, null, (seq_before + 1)::text, seq::text
    from chain where seq <> seq_before + 1
    union all
    select case when b.seq is null then 'chain_cut' else 'chain_rewritten' end, k.company_id, null, null, null, k.block_seq, null,
      encode(k.head, 'hex'), encode(b.hash, 'hex')
    from kept k left join lateral (
      select b.seq, b.hash from block b where b.company_id = k.company_id and b.seq = k.block_seq offset 0) b on true
    where k.head is not null and b.hash is distinct from k.head
  ), head as (
    select k.company_id, coalesce(c.hash, case when p_new_only then k.head end) as hash
    from kept k left join (select distinct on (company_id) company_id, hash from chain order by company_id, seq desc) c
      on c.company_id = k.company_id
  )
  select jsonb_build_object(
    'checkedAccounts', (select count(*) from acc),
    'checkedTransactions', (select count(*) from tx),
    'unsealedTransactions', (select count(*) from unsealed),
    -- For one company its last hash. For all companies a hash over their last hashes.
    'chainHead', case when p_company is not null then (select encode(hash, 'hex') from head)
      else (select encode(sha256(string_agg(uuid_send(company_id) || hash, '\x' order by company_id)), 'hex')
            from head where hash is not null) end,
    'mismatches', coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'companyId', company_id, 'accountId', account_id,
        'transactionId', transaction_id, 'entryId', entry_id::text, 'blockSeq', block_seq::text, 'record', record,
        'expected', expected, 'actual', actual))
      from (select * from mismatch limit 1000) m), '[]'))
  into found;
  perform set_config('enable_nestloop', 'on', true);
  return found;
end $$;

-- The new events of an incremental audit are in the new blocks. A merge join read all blocks. The audit of one company reads its own.
do $$
begin
  execute replace(replace(pg_get_functiondef('audited_entities'::regproc),
    'join block b on b.company_id = c.id and b.seq > coalesce(k.block_seq, 0)',
    'cross join lateral (select * from block b where b.company_id = c.id and b.seq > coalesce(k.block_seq, 0) offset 0) b
        where $1 is null or c.id = $1'),
    'from seal_queue q', 'from seal_queue q where $1 is null or q.company_id = $1');
end $$;

-- The causes of new transactions are looked up. PostgreSQL takes a key that a statement makes for one of few rows, so that reading all deposits
-- of the audit log into a hash seemed cheaper. With so little memory it has no room for the hash of more than some hundred.
do $$
begin
  execute replace(replace(replace(pg_get_functiondef('transactions_without_cause'::regproc),
    E'declare\n', E'declare\n  v_work_mem constant text := current_setting(\'work_mem\');\n'),
    E'  return query\n', E'  if p_new_only then perform set_config(\'work_mem\', \'64kB\', true); end if;\n  return query\n'),
    E'    end;\nend ', E'    end;\n  perform set_config(\'work_mem\', v_work_mem, true);\nend ');
end $$;

-- Otherwise the function of 160-ledger-verify.sql.
create or replace function ledger_keep_audit(p_is_full boolean) returns table (seq bigint, at timestamptz, root bytea)
language plpgsql volatile security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  before ledger_audit;
  v_seq bigint;
  v_at constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_progress seal_progress;
  v_entries_beyond int8multirange;
begin
  select * into before from ledger_audit order by seq desc limit 1;
  select * into v_progress from seal_progress;
  v_seq := coalesce(before.seq, 0) + 1;
  with added as materialized (
    -- The blocks since the last kept audit.
    select c.id as company_id, case when not p_is_full then b.balances end as balances,
      array(select e.id from unnest(b.entry_ids) e(id) where e.id > v_progress.final_entry) as entries_beyond
    from company c
    left join lateral (
      select k.block_seq from ledger_checkpoint k where k.company_id = c.id order by k.audit_seq desc limit 1) k on true
    cross join lateral (
      select b.balances, b.entry_ids from block b where b.company_id = c.id and b.seq > coalesce(k.block_seq, 0) offset 0) b
  ), kept as (
    -- Accounts that these touched; a full audit recomputed all of them.
    insert into audited_balance as known (account_id, company_id, balance_cents)
    select s.account_id, s.company_id, s.balance from sealed_balance s where p_is_full
    union all
    select s.account_id, s.company_id, s.balance
    from (
      select distinct a.company_id, touched.account_id::uuid
      from added a cross join lateral jsonb_object_keys(a.balances) touched(account_id)
    ) t cross join lateral (
      select s.* from sealed_balance s where s.company_id = t.company_id and s.account_id = t.account_id offset 0) s
    on conflict (company_id, account_id) do update set balance_cents = excluded.balance_cents
      where known.balance_cents <> excluded.balance_cents
  )
  select range_agg(int8range(e.id, e.id, '[]')) into v_entries_beyond from added a cross join unnest(a.entries_beyond) e(id);
  v_entries_beyond := coalesce(v_entries_beyond, '{}')
    + coalesce(before.entries_beyond, '{}') * int8multirange(int8range(v_progress.final_entry, null, '()'));
  insert into ledger_checkpoint (audit_seq, company_id, block_seq, head)
  select v_seq, c.id, b.seq, b.hash
  from company c
  cross join lateral (select b.seq, b.hash from block b where b.company_id = c.id order by b.seq desc limit 1) b
  left join lateral (
    select k.block_seq from ledger_checkpoint k where k.company_id = c.id order by k.audit_seq desc limit 1) k on true
  where b.seq > coalesce(k.block_seq, 0);
  return query
    insert into ledger_audit (seq, at, is_full, final_position, final_entry, sealed_beyond, root, oldest_running, entries_beyond)
    values (v_seq, v_at, p_is_full, v_progress.final_position, v_progress.final_entry, v_progress.sealed_beyond,
      audit_root(before.root, v_seq, v_at), pg_snapshot_xmin(pg_current_snapshot()), v_entries_beyond)
    returning seq, at, root;
end $$;
