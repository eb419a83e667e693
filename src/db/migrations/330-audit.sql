-- Audits the causes of the books: every transaction has a cause, and every escrow, payment link and withdrawal equals the folded
-- state of its events. SQL finds the causes and reads the entities; src/db/ledger/audit folds the events.

-- Deposits over the API are in the audit log, which commits with them.
create index audit_log_created on audit_log (resource) where status = 201;

-- Transactions without an event, a capture or a request that caused them. The key's first part names the origin; a transaction of
-- an unknown origin has no cause.
create function transactions_without_cause(p_company uuid, p_new_only boolean)
returns table (transaction_id uuid, company_id uuid, key text)
-- A plan for each call: after a recent position it looks up each cause, and for all transactions it reads all causes.
language plpgsql stable security definer set search_path = public, pg_temp set jit = off
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  v_start constant bigint := coalesce(
    (select a.final_position from ledger_audit a where p_new_only order by a.seq desc limit 1), 0);
begin
  perform require_company(p_company);
  return query
  select t.id, t.company_id, t.key
  from ledger_transaction t
  cross join lateral (
    select split_part(t.key, '/', 1) as origin,
      -- Keys contain a uuid after the origin, except those made from a client's reference.
      case when split_part(t.key, '/', 2) ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
        then split_part(t.key, '/', 2)::uuid end as named
  ) k
  where t.position > v_start and (p_company is null or t.company_id = p_company)
    and not case k.origin
      when 'escrow' then exists (
        select from escrow_event e where e.escrow_id = t.escrow_id and e.command_id = k.named and e.company_id = t.company_id)
      when 'withdrawal' then exists (
        select from withdrawal_event e where e.withdrawal_id = k.named and e.company_id = t.company_id
          and (t.id = e.withdrawal_id or t.id = (e.data ->> 'transactionId')::uuid))
      when 'gateway' then exists (
        select from payment_attempt a join payment_link_event e on e.company_id = t.company_id and e.link_id = a.link_id
        where a.company_id = t.company_id and a.id = k.named and t.id = (e.data ->> 'transactionId')::uuid)
      when 'refund-refused' then exists (
        select from payment_attempt a join payment_link_event e on e.company_id = t.company_id and e.link_id = a.link_id
        where a.company_id = t.company_id and a.id = k.named and t.id = (e.data ->> 'transactionId')::uuid)
      when 'mobile-money' then exists (
        select from payment_attempt a join payment_link_event e on e.company_id = t.company_id and e.link_id = a.link_id
        where a.company_id = t.company_id and a.id = k.named and t.id = (e.data ->> 'transactionId')::uuid)
      when 'payment-change' then exists (
        select from payment_attempt a join payment_link_event e on e.company_id = t.company_id and e.link_id = a.link_id
        where a.company_id = t.company_id and a.id = k.named and t.id = (e.data ->> 'transactionId')::uuid)
      when 'receivable' then exists (
        select from receivable_settlement s
        where s.receivable_id = k.named and s.transaction_id = t.id and s.company_id = t.company_id)
      -- One transaction in the company's books, and one in the platform's.
      when 'intercompany' then exists (
        select from intercompany_settlement s where s.id = k.named and s.amount_cents = t.amount
          and (t.id, t.company_id) in ((s.id, s.company_id), (s.receipt_id, platform_company())))
      -- A settlement or a fee that an entry of the bank caused.
      when 'bank-entry' then exists (
        select from bank_match m where m.entry_id = k.named and m.transaction_id = t.id and m.company_id = t.company_id)
      when 'capture' then exists (
        select from bank_capture c where c.id = t.id and c.company_id = t.company_id and c.amount_cents = t.amount)
      when 'capture-assignment' then exists (
        select from bank_capture c where c.id = k.named and c.company_id = t.company_id and c.matched_kind = 'USER')
      when 'reversal' then exists (
        select from ledger_transaction r
        where r.id = k.named and r.company_id = t.company_id and r.status in ('REVERSED', 'FAILED'))
      when 'deposit' then exists (
        select from audit_log l where l.resource = 'txn_' || t.id and l.status = 201 and l.company_id = t.company_id)
      when 'deposit-reference' then exists (
        select from audit_log l where l.resource = 'txn_' || t.id and l.status = 201 and l.company_id = t.company_id)
      else false
    end;
end $$;

-- Encrypted bank details with the columns that they are bound to, by company and id. The service decrypts them to find values that
-- were changed.
create function stored_details(p_column text, p_bound text[], p_company uuid, p_after_company uuid, p_after uuid, p_limit integer)
returns table (company_id uuid, id uuid, value text, bound text[])
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  perform require_company(p_company);
  if p_column not in ('payout_destination.account_number', 'bank_details.account_number', 'app_user.bank_account') then
    raise exception 'no bank details in %', p_column using errcode = 'invalid_parameter_value';
  end if;
  return query execute format($q$
    select t.company_id, t.id, t.%1$I::text, array[%3$s]::text[] from %2$I t
    where ($1 is null or t.company_id = $1) and (t.company_id, t.id) > ($2, $3) and t.%1$I is not null
    order by t.company_id, t.id limit $4$q$, split_part(p_column, '.', 2), split_part(p_column, '.', 1),
    (select string_agg(format('t.%I', b.name), ', ' order by b.at) from unnest(p_bound) with ordinality b(name, at)))
  using p_company, p_after_company, p_after, p_limit;
end $$;

-- The next entities of a kind, by company and id: the stored row, its events in order, the hold under its id, and the transactions that
-- belong to it. Amounts are texts, because JSON numbers lose cents beyond 2^53. p_new_only: those with an event since the
-- last kept audit.
create function audited_entities(p_kind text, p_company uuid, p_new_only boolean, p_after_company uuid, p_after uuid, p_limit integer)
returns table (id uuid, company_id uuid, stored jsonb, events jsonb, hold jsonb, transactions jsonb)
language plpgsql stable security definer set search_path = public, pg_temp set jit = off set enable_seqscan = off as $$
#variable_conflict use_column
declare
  -- The columns that must equal the folded state, and the transactions of an entity.
  facts constant jsonb := '{
    "escrow": ["buyer_id", "seller_id", "currency", "total_cents"],
    "payment_link": ["escrow_id", "buyer_id", "currency", "amount_cents"],
    "withdrawal": ["account_id", "currency", "amount_cents", "tax_cents"]
  }';
  reference constant text := case p_kind when 'escrow' then 'escrow_id' when 'payment_link' then 'link_id'
    when 'withdrawal' then 'withdrawal_id' end;
  ids text;
begin
  perform require_company(p_company);
  if not facts ? p_kind then
    raise exception 'no entity %', p_kind using errcode = 'invalid_parameter_value';
  end if;
  ids := case when p_new_only then format($q$
      select distinct s.company_id, split_part(s.record, '/', 2)::uuid as id
      from (
        select b.company_id, unnest(b.records) as record
        from company c
        left join lateral (
          select k.block_seq from ledger_checkpoint k where k.company_id = c.id order by k.audit_seq desc limit 1) k on true
        join block b on b.company_id = c.id and b.seq > coalesce(k.block_seq, 0)
        union all
        select q.company_id, q.record from seal_queue q
      ) s where s.record like %L$q$, replace(p_kind, '_', '\_') || '\_event/%')
    else format('select x.company_id, x.id from %I x where $1 is null or x.company_id = $1', p_kind) end;
  return query execute format($q$
    select x.id, x.company_id,
      jsonb_build_object('status', x.status, 'seq', x.seq, 'state', x.state) || %2$s,
      coalesce((
        select jsonb_agg(jsonb_build_object('seq', e.seq, 'status', e.status, 'type', e.type, 'commandId', e.command_id,
          'data', e.data) order by e.seq)
        from %3$I e where e.company_id = x.company_id and e.%4$I = x.id), '[]'),
      (select jsonb_build_object('remaining', h.remaining::text, 'amount', h.amount::text, 'status', h.status,
          'account_id', h.account_id) from hold h where h.company_id = x.company_id and h.id = x.id),
      coalesce((
        select jsonb_agg(jsonb_build_object('id', t.id, 'type', t.type, 'status', t.status, 'amount', t.amount::text,
          'legs', (select coalesce(jsonb_agg(jsonb_build_object('accountId', e.account_id, 'amountCents', e.amount::text)
            order by e.id), '[]') from entry e join account a on a.company_id = e.company_id and a.id = e.account_id
            -- The ledger adds the INTERCOMPANY pairs by itself.
            where e.company_id in (t.company_id, (select platform_company())) and e.transaction_id = t.id
              and coalesce(e.origin_id, e.company_id) = t.company_id and a.type <> 'INTERCOMPANY')))
        from ledger_transaction t
        where t.company_id = x.company_id and t.id in (
          select x.id
          union all select (e.data ->> 'transactionId')::uuid from %3$I e where e.company_id = x.company_id and e.%4$I = x.id
          union all select e.command_id from %3$I e where e.company_id = x.company_id and e.%4$I = x.id
          union all select o.id from ledger_transaction o where o.company_id = x.company_id and o.escrow_id = x.id)), '[]')
    from (
      select i.company_id, i.id from (%5$s) i where (i.company_id, i.id) > ($2, $3) order by i.company_id, i.id limit $4) page
    join %1$I x on x.company_id = page.company_id and x.id = page.id
    order by x.company_id, x.id$q$,
    p_kind,
    (select format('jsonb_build_object(%s)', string_agg(format('%L, x.%I::text', c.name, c.name), ', '))
     from jsonb_array_elements_text(facts -> p_kind) c(name)),
    p_kind || '_event', reference, ids)
  using p_company, p_after_company, p_after, p_limit;
end $$;
