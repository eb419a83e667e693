-- Recomputes everything for one company, or for all (null), and names what does not fit. One statement, so one snapshot.
create function ledger_verify(p_company uuid) returns jsonb
language sql stable security definer set search_path = public, pg_temp as $$
  with tx as materialized (
    select t.id, t.company_id, t.position, ledger_transaction_hash(t) as hash
    from ledger_transaction t where p_company is null or t.company_id = p_company
  ), leg as materialized (
    select e.id, e.transaction_id, e.account_id, e.company_id, e.amount, e.currency, ledger_entry_hash(e) as hash,
      tx.company_id as transaction_company
    from entry e left join tx on tx.id = e.transaction_id
    where p_company is null or e.company_id = p_company or tx.id is not null
  ), acc as materialized (
    select a.id, a.company_id, a.held, a.may_go_negative,
      a.posted + coalesce((select sum(d.amount) from account_delta d where d.account_id = a.id), 0) as balance,
      coalesce((select sum(h.remaining) from hold h where h.account_id = a.id and h.status = 'OPEN'), 0) as open_holds
    from account a where p_company is null or a.company_id = p_company
  ), chain as materialized (
    select b.*, ledger_block_hash(b) as recomputed,
      lag(b.hash, 1, '\x') over link as before, row_number() over link as number
    from block b where p_company is null or b.company_id = p_company
    window link as (partition by b.company_id order by b.seq)
  ), sealed_tx as materialized (
    select c.company_id, c.seq, s.id, s.hash from chain c, unnest(c.transaction_ids, c.transaction_hashes) s(id, hash)
  ), sealed_leg as materialized (
    select c.company_id, c.seq, s.id, s.hash from chain c, unnest(c.entry_ids, c.entry_hashes) s(id, hash)
  ), mismatch (kind, company_id, account_id, transaction_id, entry_id, block_seq, expected, actual) as (
    -- The books as they stand.
    select 'transaction_unbalanced', min(transaction_company::text)::uuid, null::uuid, transaction_id, null::bigint, null::bigint,
      '0 ' || currency, sum(amount)::text
    from leg where transaction_company is not null group by transaction_id, currency having sum(amount) <> 0
    union all
    select 'balance', acc.company_id, acc.id, null, null, null, coalesce(sum(leg.amount), 0)::text, acc.balance::text
    from acc left join leg on leg.account_id = acc.id
    group by acc.id, acc.company_id, acc.balance having coalesce(sum(leg.amount), 0) <> acc.balance
    union all
    select 'held', company_id, id, null, null, null, open_holds::text, held::text from acc where open_holds <> held
    union all
    select 'overdrawn', company_id, id, null, null, null, 'at least ' || held, balance::text
    from acc where balance < held and not may_go_negative
    union all
    select 'entry_without_transaction', leg.company_id, leg.account_id, leg.transaction_id, leg.id, null, 'a transaction', 'none'
    from leg where not exists (select from ledger_transaction t where t.id = leg.transaction_id)
    union all
    select 'entry_without_account', leg.company_id, leg.account_id, leg.transaction_id, leg.id, null, 'an account', 'none'
    from leg where not exists (select from account a where a.id = leg.account_id)
    union all
    -- The books against the blocks.
    select case when tx.id is null then 'transaction_deleted' else 'transaction_changed' end, s.company_id, null, s.id, null,
      s.seq, encode(s.hash, 'hex'), encode(tx.hash, 'hex')
    from sealed_tx s left join tx on tx.id = s.id where tx.hash is distinct from s.hash
    union all
    select 'transaction_inserted', tx.company_id, null, tx.id, null, null, 'in a block', 'in none'
    from tx, seal_progress p
    where (tx.position <= p.final_position or p.sealed_beyond @> tx.position)
      and not exists (select from sealed_tx s where s.id = tx.id)
    union all
    select case when leg.id is null then 'entry_deleted' else 'entry_changed' end, s.company_id, leg.account_id,
      leg.transaction_id, s.id, s.seq, encode(s.hash, 'hex'), encode(leg.hash, 'hex')
    from sealed_leg s left join leg on leg.id = s.id where leg.hash is distinct from s.hash
    union all
    select 'entry_inserted', leg.company_id, leg.account_id, leg.transaction_id, leg.id, s.seq, 'in the block', leg.amount::text
    from leg join sealed_tx s on s.id = leg.transaction_id
    where not exists (select from sealed_leg l where l.id = leg.id)
    union all
    select 'sealed_balance', b.company_id, b.account_id, null, null, null, coalesce(sum(leg.amount), 0)::text, b.balance::text
    from sealed_balance b
    left join (leg join sealed_tx s on s.id = leg.transaction_id)
      on leg.account_id = b.account_id and leg.transaction_company = b.company_id
    where p_company is null or b.company_id = p_company
    group by b.company_id, b.account_id, b.balance having coalesce(sum(leg.amount), 0) <> b.balance
    union all
    -- The chain itself.
    select 'block_changed', company_id, null, null, null, seq, encode(recomputed, 'hex'), encode(hash, 'hex')
    from chain where hash <> recomputed
    union all
    select 'chain_broken', company_id, null, null, null, seq, encode(before, 'hex'), encode(previous_hash, 'hex')
    from chain where previous_hash <> before
    union all
    select 'block_missing', company_id, null, null, null, number, number::text, seq::text
    from (select *, lag(seq, 1, 0::bigint) over (partition by company_id order by seq) as previous_seq from chain) c
    where seq <> previous_seq + 1
  ), head as (
    select distinct on (company_id) company_id, hash from chain order by company_id, seq desc
  )
  select jsonb_build_object(
    'checkedAccounts', (select count(*) from acc),
    'checkedTransactions', (select count(*) from tx),
    'unsealedTransactions', (select count(*) from tx where not exists (select from sealed_tx s where s.id = tx.id)),
    -- One company: its last hash. All: a hash over every company's.
    'chainHead', case when p_company is not null then (select encode(hash, 'hex') from head)
      else (select encode(sha256(string_agg(uuid_send(company_id) || hash, '\x' order by company_id)), 'hex') from head) end,
    'mismatches', coalesce((
      select jsonb_agg(jsonb_build_object('kind', kind, 'companyId', company_id, 'accountId', account_id,
        'transactionId', transaction_id, 'entryId', entry_id::text, 'blockSeq', block_seq::text,
        'expected', expected, 'actual', actual))
      from (select * from mismatch limit 1000) m), '[]'))
$$;

revoke execute on function ledger_verify from public;
grant execute on function ledger_verify to escrow_api, escrow_worker;
