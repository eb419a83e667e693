-- Otherwise the function of 150-ledger-seal.sql. That one took five statements for each company with something to seal, which cost more
-- than the deposits themselves where each was of another company. This one writes the blocks of all companies in one statement.
-- It scans no table that grows: with a plan from when there were few rows, a round read all entries for each transaction and took 20 seconds, and every
-- round read all accounts.
create or replace function ledger_seal(max_transactions integer) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  block_size constant integer := 1000;
  checkpoint_every constant integer := 1000;
  progress seal_progress;
  drawn_position bigint;
  drawn_entry bigint;
  oldest_running xid8;
  own_xid xid8;
  new_positions int8multirange;
  new_count integer;
  touched uuid[] := '{}';
  touched_now uuid[];
  owner uuid[] := '{}';
  owner_now uuid[];
  links block[];
  locked uuid[];
begin
  -- The order of the following statements determines which numbers are final, so each statement must see the current state.
  if current_setting('transaction_isolation') <> 'read committed' or pg_current_xact_id_if_assigned() is not null then
    raise exception 'ledger_seal needs a read committed transaction of its own' using errcode = 'invalid_transaction_state';
  end if;
  if not pg_try_advisory_xact_lock(hashtext('ledger_seal')) then return null; end if;

  -- Every transaction that drew one of these numbers already had an xid (see ledger_post), which is less than own_xid. A posting draws its
  -- position before its entries. The entries are therefore read first: the transaction of each has one of the positions.
  select case when is_called then last_value else 0 end into drawn_entry from entry_id_seq;
  select case when is_called then last_value else 0 end into drawn_position from ledger_transaction_position_seq;
  own_xid := pg_current_xact_id();
  select pg_snapshot_xmin(pg_current_snapshot()) into oldest_running;
  select * into progress from seal_progress for update;

  select range_agg(int8range(position, position, '[]')), count(*) into new_positions, new_count
  from (
    select position from ledger_transaction
    where position > progress.final_position and not progress.sealed_beyond @> position
    order by position limit max_transactions
  ) t;

  -- One block for each company and each thousand transactions or records: the first blocks of all companies, then the second ones.
  for links in
    with queued as (
      delete from seal_queue where ctid = any (array(select ctid from seal_queue limit max_transactions))
      returning company_id, record, hash
    ), transactions as (
      select company_id, number, array_agg(id order by position) as ids, array_agg(hash order by position) as hashes
      from (
        select t.id, t.company_id, t.position, ledger_transaction_hash(t) as hash,
          (row_number() over (partition by t.company_id order by t.position) - 1) / block_size as number
        from ledger_transaction t where t.position > progress.final_position and new_positions @> t.position
      ) t
      group by company_id, number
    ), records as (
      select company_id, number, array_agg(record order by record) as records, array_agg(hash order by record) as hashes
      from (
        select q.*, (row_number() over (partition by q.company_id order by q.record) - 1) / block_size as number from queued q
      ) q
      group by company_id, number
    )
    select array_agg(row(company_id, null, coalesce(t.ids, '{}'), coalesce(t.hashes, '{}'), null, null, coalesce(r.records, '{}'),
      coalesce(r.hashes, '{}'), null, null, null, null)::block order by company_id)
    from transactions t full join records r using (company_id, number)
    group by number order by number
  loop
    with previous as materialized (
      select l.company_id, b.seq, b.hash from unnest(links) l
      cross join lateral (select b.seq, b.hash from block b where b.company_id = l.company_id order by b.seq desc limit 1) b
    ), leg as materialized (
      select l.company_id as poster, e.company_id, e.account_id, e.id, e.amount, ledger_entry_hash(e) as hash
      from unnest(links) l cross join lateral entries_of(l.company_id, l.transaction_ids) e
    ), entries as (
      select poster, array_agg(id order by id) as ids, array_agg(hash order by id) as hashes from leg group by poster
    ), moved as materialized (
      select poster, company_id, account_id, sum(amount)::bigint as amount, count(*)::integer as entries
      from leg group by poster, company_id, account_id
    ), balance as (
      insert into sealed_balance as s (account_id, company_id, balance, entries_since_checkpoint)
      select m.account_id, m.poster, m.amount, m.entries from moved m
      on conflict (company_id, account_id) do update set balance = s.balance + excluded.balance,
        entries_since_checkpoint = s.entries_since_checkpoint + excluded.entries_since_checkpoint
      returning s.company_id, s.account_id, s.balance
    ), balances as (
      select b.company_id, jsonb_object_agg(b.account_id, b.balance::text) as sums from balance b group by b.company_id
    ), made as (
      insert into block
      select (n.link).company_id, (n.link).seq, (n.link).transaction_ids, (n.link).transaction_hashes, (n.link).entry_ids,
        (n.link).entry_hashes, (n.link).records, (n.link).record_hashes, (n.link).balances, (n.link).previous_hash,
        ledger_block_hash(n.link), (n.link).created_at
      from (
        select row(l.company_id, coalesce(p.seq, 0) + 1, l.transaction_ids, l.transaction_hashes, coalesce(e.ids, '{}'),
          coalesce(e.hashes, '{}'), l.records, l.record_hashes, coalesce(b.sums, '{}'), coalesce(p.hash, '\x'), null,
          clock_timestamp())::block as link
        from unnest(links) l left join previous p using (company_id)
        left join entries e on e.poster = l.company_id left join balances b on b.company_id = l.company_id
        offset 0) n
    )
    select coalesce(array_agg(m.account_id), '{}'), coalesce(array_agg(m.company_id), '{}') into touched_now, owner_now from moved m;
    touched := touched || touched_now;
    owner := owner || owner_now;
  end loop;

  progress.sealed_beyond := progress.sealed_beyond + coalesce(new_positions, '{}');
  if progress.next_xid <= oldest_running
    and (new_count < max_transactions or upper(new_positions) > progress.next_position)
  then
    -- All transactions that could have used those numbers have ended. Their rows were visible above and are sealed.
    progress.final_position := progress.next_position;
    progress.final_entry := progress.next_entry;
    progress.sealed_beyond := progress.sealed_beyond * int8multirange(int8range(progress.final_position, null, '()'));
    progress.next_position := drawn_position;
    progress.next_entry := drawn_entry;
    progress.next_xid := own_xid;
  elsif progress.next_xid > own_xid then
    progress.next_xid := own_xid; -- restored into another server with a lower transaction id
  end if;
  update seal_progress set final_position = progress.final_position, final_entry = progress.final_entry,
    sealed_beyond = progress.sealed_beyond, next_position = progress.next_position, next_entry = progress.next_entry,
    next_xid = progress.next_xid;

  -- A busy account gets a checkpoint at the last final entry whenever it has enough new entries.
  with due as (
    select t.company_id, t.account_id
    from (select distinct * from unnest(owner, touched) t(company_id, account_id)) t
    join sealed_balance s on s.account_id = t.account_id
    where progress.final_entry > 0
    group by 1, 2 having sum(s.entries_since_checkpoint) >= checkpoint_every
  ), written as (
    insert into balance_checkpoint (account_id, company_id, entry_id, balance)
    select a.id, a.company_id, progress.final_entry, ledger_balance_at(a.company_id, a.id, progress.final_entry)
    from due join account a on a.company_id = due.company_id and a.id = due.account_id
    where a.appends
    on conflict do nothing
  )
  update sealed_balance s set entries_since_checkpoint = 0 from due where s.account_id = due.account_id;

  -- Fold deltas. Accounts that another call has locked are skipped, because that call folds them. This step is last to keep the
  -- locks short.
  select coalesce(array_agg(id), '{}') into locked from (
    select a.id from account a where (a.company_id, a.id) in (select d.company_id, d.account_id from account_delta d)
    order by a.id for no key update skip locked
  ) a;
  with gone as (
    delete from account_delta d where d.account_id = any (locked) returning d.company_id, d.account_id, d.amount
  ), total as (
    select g.company_id, g.account_id, sum(g.amount)::bigint as amount from gone g group by g.company_id, g.account_id
  )
  update account a set posted = a.posted + t.amount, updated_at = clock_timestamp() from total t
  where a.company_id = t.company_id and a.id = t.account_id;

  return new_count;
end $$;

-- Otherwise the function of 140-ledger-activity.sql, which ran once for each block: now once for the blocks of a statement.
create or replace function block_derive() returns trigger language plpgsql set enable_seqscan = off set jit = off as $$
declare
  -- The transactions of the blocks, with the company of each.
  v_companies uuid[];
  v_transactions uuid[];
begin
  select array_agg(b.company_id), array_agg(t.id) into v_companies, v_transactions
  from added b cross join lateral unnest(b.transaction_ids) t(id);

  with activity as (
    insert into ledger_activity (ledger_id, company_id, type, created_at, transaction_id)
    select ledger_id, company_id, type, created_at, transaction_id from transaction_ledgers(v_companies, v_transactions)
    on conflict do nothing
    returning company_id, ledger_id, type, created_at
  ), counted as (
    select l.id as scope_id, l.company_id, activity.type, activity.created_at
    from activity join ledger l on l.company_id = activity.company_id and l.id = activity.ledger_id where l.user_id is null
    union all
    select t.company_id, t.company_id, t.type, t.created_at
    from unnest(v_companies, v_transactions) asked(company_id, id)
    cross join lateral (
      select t.* from ledger_transaction t where t.company_id = asked.company_id and t.id = asked.id offset 0) t
  )
  insert into transaction_tally as known (scope_id, company_id, type, unit, starts_at, transactions)
  select c.scope_id, c.company_id, c.type, u.unit, utc_start(u.unit, c.created_at), count(*)
  from counted c cross join (values ('day'), ('hour')) u(unit)
  group by 1, 2, 3, 4, 5
  on conflict (company_id, scope_id, type, unit, starts_at) do update set transactions = known.transactions + excluded.transactions;

  insert into account_turnover as known (account_id, company_id, unit, starts_at, credits, debits)
  select e.account_id, e.company_id, u.unit, utc_start(u.unit, e.created_at),
    sum(greatest(e.amount, 0)), sum(greatest(-e.amount, 0))
  from added b cross join lateral entries_of(b.company_id, b.transaction_ids) e
  join account a on a.company_id = e.company_id and a.id = e.account_id cross join (values ('day'), ('hour')) u(unit)
  where (a.appends or exists (select from account_turnover x where x.company_id = a.company_id and x.account_id = a.id))
  group by 1, 2, 3, 4
  on conflict (company_id, account_id, unit, starts_at) do update
    set credits = known.credits + excluded.credits, debits = known.debits + excluded.debits;
  return null;
end $$;
drop trigger block_derive on block;
create trigger block_derive after insert on block referencing new table as added for each statement execute function block_derive();
