-- The sealer: puts transactions and records into blocks, folds deltas, and writes checkpoints.

-- The balance of an account right after an entry, for accounts whose entries do not carry it.
create function ledger_balance_at(p_company uuid, p_account uuid, p_entry bigint) returns bigint language sql stable as $$
  select coalesce(c.balance, 0) + coalesce((
    select sum(e.amount) from entry e
    where e.company_id = p_company and e.account_id = p_account and e.id > coalesce(c.entry_id, 0) and e.id <= p_entry), 0)::bigint
  from (select) start left join lateral (
    select * from balance_checkpoint b
    where b.company_id = p_company and b.account_id = p_account and b.entry_id <= p_entry order by b.entry_id desc limit 1
  ) c on true
$$;

-- The entries of a company's transactions, with the platform's half of their fees, always found by the index of transactions.
-- Without "offset 0", a planner with old statistics reads all entries of the ledger. PostgreSQL inlines the function.
create function entries_of(p_company uuid, p_transactions uuid[]) returns setof entry language sql stable as $$
  select e.* from unnest(p_transactions) t(id)
  cross join lateral (
    select e.* from entry e
    where e.company_id in (p_company, (select platform_company())) and e.transaction_id = t.id
      and coalesce(e.origin_id, e.company_id) = p_company offset 0) e
$$;

-- Seals the transactions since the last call, folds deltas, and writes checkpoints. Returns the number of sealed transactions, or
-- null if another session is sealing. It seals at most max_transactions, so call it again while it returns that number.
-- Without bitmaps: with old statistics, PostgreSQL read all entries of a company for each of its transactions.
create function ledger_seal(max_transactions integer) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp set enable_bitmapscan = off as $$
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
  batch record;
  link block;
  locked uuid[];
begin
  -- The order of the following statements determines which numbers are final, so each statement must see the current state.
  if current_setting('transaction_isolation') <> 'read committed' or pg_current_xact_id_if_assigned() is not null then
    raise exception 'ledger_seal needs a read committed transaction of its own' using errcode = 'invalid_transaction_state';
  end if;
  if not pg_try_advisory_xact_lock(hashtext('ledger_seal')) then return null; end if;

  -- Every transaction that drew one of these numbers already had an xid (see ledger_post), which is less than own_xid.
  select case when is_called then last_value else 0 end into drawn_position from ledger_transaction_position_seq;
  select case when is_called then last_value else 0 end into drawn_entry from entry_id_seq;
  own_xid := pg_current_xact_id();
  select pg_snapshot_xmin(pg_current_snapshot()) into oldest_running;
  select * into progress from seal_progress for update;

  select range_agg(int8range(position, position, '[]')), count(*) into new_positions, new_count
  from (
    select position from ledger_transaction
    where position > progress.final_position and not progress.sealed_beyond @> position
    order by position limit max_transactions
  ) t;

  -- One block for each company and each thousand transactions or records.
  for batch in
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
    select company_id, number, coalesce(t.ids, '{}') as ids, coalesce(t.hashes, '{}') as hashes,
      coalesce(r.records, '{}') as records, coalesce(r.hashes, '{}') as record_hashes
    from transactions t full join records r using (company_id, number)
    order by company_id, number
  loop
    link := null;
    link.company_id := batch.company_id;
    link.transaction_ids := batch.ids;
    link.transaction_hashes := batch.hashes;
    link.records := batch.records;
    link.record_hashes := batch.record_hashes;
    link.created_at := clock_timestamp();
    select b.seq + 1, b.hash into link.seq, link.previous_hash
    from block b where b.company_id = batch.company_id order by b.seq desc limit 1;
    link.seq := coalesce(link.seq, 1);
    link.previous_hash := coalesce(link.previous_hash, '\x');

    select coalesce(array_agg(e.id order by e.id), '{}'), coalesce(array_agg(ledger_entry_hash(e) order by e.id), '{}')
    into link.entry_ids, link.entry_hashes
    from entries_of(batch.company_id, batch.ids) e;

    with moved as (
      select e.company_id, e.account_id, sum(e.amount)::bigint as amount, count(*)::integer as entries
      from entries_of(batch.company_id, batch.ids) e group by e.company_id, e.account_id
    ), balance as (
      insert into sealed_balance as s (account_id, company_id, balance, entries_since_checkpoint)
      select m.account_id, batch.company_id, m.amount, m.entries from moved m
      on conflict (company_id, account_id) do update set balance = s.balance + excluded.balance,
        entries_since_checkpoint = s.entries_since_checkpoint + excluded.entries_since_checkpoint
      returning s.account_id, s.balance
    )
    select coalesce(jsonb_object_agg(b.account_id, b.balance::text), '{}'), coalesce(array_agg(m.account_id), '{}'),
      coalesce(array_agg(m.company_id), '{}')
    into link.balances, touched_now, owner_now from balance b join moved m on m.account_id = b.account_id;
    touched := touched || touched_now;
    owner := owner || owner_now;

    link.hash := ledger_block_hash(link);
    insert into block select link.*;
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
