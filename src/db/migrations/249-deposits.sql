-- Deposits of many requests and many companies, in one statement: each claims its key, is posted, and leaves its answer and its line in
-- the audit log.

-- Finds the account that each deposit credits, the source of its money, and its ledger key. `account_id` is null for an unknown user.
--   [{company_id, user_id, memo, is_transit, repeated_key, posting: {currency, reference, key}}]
-- The owner is the named user, else the user whose custom reference equals one of the references, else the company. A user's own
-- reference repeats, so the posting then has the other key. A session plans this once, perhaps while tables are still empty, so the plan
-- is fixed: no sequential scan, and `offset 0` makes the planner look each account up by its ledger. Without it the planner reads the
-- accounts of all users for each deposit.
create function deposit_accounts(p_deposits jsonb)
returns table (ordinal bigint, account_id uuid, contra_id uuid, ledger_key text, is_unique boolean)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  select d.ordinal,
    case when d.user_id is not null then
      (select a.id from ledger l
         cross join lateral (
           select a.id from account a
           where a.company_id = d.company_id and a.ledger_id = l.id and a.type = 'USER' and a.currency = d.currency offset 0) a
       where l.company_id = d.company_id and l.user_id = d.user_id and not exists (
         select from app_user u where u.company_id = d.company_id and u.id = d.user_id and u.erased_at is not null))
    else coalesce(
      (select a.id from app_user u
         cross join lateral (
           select l.id from ledger l where l.company_id = d.company_id and l.user_id = u.id offset 0) l
         cross join lateral (
           select a.id from account a
           where a.company_id = d.company_id and a.ledger_id = l.id and a.type = 'USER' and a.currency = d.currency offset 0) a
       where u.company_id = d.company_id and match_key(u.custom_reference) in (match_key(d.memo), match_key(d.reference))
       order by (match_key(u.custom_reference) = match_key(d.memo)) desc nulls last limit 1),
      (select a.id from account a
       where a.company_id = d.company_id and a.ledger_id = own.id and a.type = 'COMPANY' and a.currency = d.currency))
    end,
    (select a.id from account a
     where a.company_id = d.company_id and a.ledger_id = own.id and a.currency = d.currency
       and a.type = case when d.is_transit then 'TRANSIT' else 'CLEARING_DECLARED' end),
    case when is_users.are then d.repeated_key else d.posting ->> 'key' end,
    d.reference is not null and not is_users.are
  from (
    select q.*, q.posting ->> 'currency' as currency, q.posting ->> 'reference' as reference
    from rows from (jsonb_to_recordset(p_deposits)
      as (company_id uuid, user_id uuid, memo text, is_transit boolean, repeated_key text, posting jsonb)) with ordinality
      as q (company_id, user_id, memo, is_transit, repeated_key, posting, ordinal)
  ) d
  left join lateral (select l.id from ledger l where l.company_id = d.company_id and l.user_id is null offset 0) own on true
  cross join lateral (
    select exists (
      select from app_user u where u.company_id = d.company_id and match_key(u.custom_reference) = match_key(d.reference)
    ) as are offset 0) is_users;
end $$;

-- Carries out deposits, each of which is done or left as a whole. Returns one row for each:
--
--   answered, replay       `status` and `body` are the answer
--   reused, in_progress    what else a claim of the key may return (040-idempotency.sql)
--   resumed                an earlier attempt claimed the key under `command_id`, which the caller uses in a second call
--   delayed                nothing was done: the caller sends it again, with deposits of its own company only
--   refused                `code`; with duplicate_reference `duplicate_of`, a deposit or (`is_capture`) a bank capture
--
-- p_companies are those of the requests in this call, as their credentials say; each deposit is for the company of its own request. Where
-- they are several, nobody waits for another company: a deposit whose account or receipt is locked, or whose company erases a person, is
-- delayed, and any other wait that is longer than p_patience fails the call. Locks are taken in one order: erasures (358-erasure.sql), keys
-- of requests, receipts, accounts, keys of the ledger.
--
--   [{company_id, operation, key, fingerprint, command_id, user_id, memo, is_transit, repeated_key, posting, status, body, audit}]
--
-- `posting` is that of ledger_post without its accounts. `body` is the text of the answer in three parts, around the time and the
-- account.
create function deposit_all(p_companies uuid[], p_deposits jsonb, p_lock interval, p_lifetime interval, p_patience interval)
returns table (
  ordinal bigint, outcome text, command_id uuid, status integer, body text, code text, duplicate_of uuid, is_capture boolean
)
language plpgsql volatile security definer set search_path = public, pg_temp
-- As in ledger_post.
set enable_seqscan = off
set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  n constant integer := jsonb_array_length(p_deposits);
  is_shared constant boolean := cardinality(p_companies) > 1;
  v_company uuid[];
  v_asked uuid[];
  v_memo text[];
  v_reference text[];
  v_currency text[];
  v_amount bigint[];
  v_outcome text[];
  v_command uuid[];
  v_status integer[];
  v_body text[];
  v_answer_status integer[];
  v_answer jsonb[];
  v_account uuid[];
  v_contra uuid[];
  v_key text[];
  v_unique_key text[];
  v_code text[] := array_fill(null::text, array[n]);
  v_duplicate uuid[] := array_fill(null::uuid, array[n]);
  v_is_capture boolean[] := array_fill(false, array[n]);
  v_erasing uuid[];
  v_postings jsonb;
  v_numbers integer[];
  v_posted record;
begin
  select array_agg(d.company_id order by d.number), array_agg(d.command_id order by d.number), array_agg(d.memo order by d.number),
    array_agg(d.posting ->> 'reference' order by d.number), array_agg(d.posting ->> 'currency' order by d.number),
    array_agg(least((d.posting ->> 'amount')::numeric, 9223372036854775807)::bigint order by d.number),
    array_agg(d.status order by d.number), array_agg(d.body order by d.number)
  into v_company, v_asked, v_memo, v_reference, v_currency, v_amount, v_answer_status, v_answer
  from rows from (jsonb_to_recordset(p_deposits)
    as (company_id uuid, command_id uuid, memo text, posting jsonb, status integer, body jsonb)) with ordinality
    as d (company_id, command_id, memo, posting, status, body, number);

  if exists (select from unnest(v_company) c(id) where (c.id = any (p_companies)) is not true) or exists (
    select from jsonb_array_elements(p_deposits) d
    where (d -> 'company_id' = all (array[d #> '{posting,company_id}', d #> '{audit,company_id}'])) is not true
  ) then
    raise exception 'deposit for another company' using errcode = 'insufficient_privilege';
  end if;
  perform set_config('app.company_ids', p_companies::text, true);
  if is_shared then perform set_config('lock_timeout', extract(epoch from p_patience) * 1000 || 'ms', true); end if;

  select array_agg(c.id) into v_erasing from unnest(p_companies) c(id) where not await_erasure(c.id, not is_shared);

  <<claim>>
  begin
    select array_agg(case when c.outcome <> 'claimed' then c.outcome when c.command_id <> v_asked[c.ordinal] then 'resumed'
        when v_company[c.ordinal] = any (v_erasing) then 'delayed' else 'claimed' end order by c.ordinal),
      array_agg(c.command_id order by c.ordinal), array_agg(c.response_status order by c.ordinal),
      array_agg(c.response_body order by c.ordinal)
    into v_outcome, v_command, v_status, v_body
    from idempotency_claims(p_deposits, p_lock, p_lifetime) c;

    select array_agg(a.account_id order by a.ordinal), array_agg(a.contra_id order by a.ordinal), array_agg(a.ledger_key order by a.ordinal),
      array_agg(case when a.is_unique then a.ledger_key end order by a.ordinal)
    into v_account, v_contra, v_key, v_unique_key
    from deposit_accounts(p_deposits) a;
    for i in 1 .. n loop
      if v_outcome[i] = 'claimed' and v_account[i] is null then
        v_outcome[i] := 'refused';
        v_code[i] := 'unknown_user';
      end if;
    end loop;
  end claim;

  -- Of deposits with one reference the first goes on. The others learn its outcome in their next call.
  <<delay>>
  declare
    v_receipts bigint[];
    v_numbers_of_receipts integer[];
    v_locked uuid[];
  begin
    if num_nonnulls(variadic v_unique_key) > 0 then
      for v_posted in
        select k.number from (
          select u.number, row_number() over (partition by u.company_id, u.key order by u.number) as turn
          from unnest(v_company, v_unique_key, v_outcome) with ordinality u(company_id, key, outcome, number)
          where u.outcome = 'claimed' and u.key is not null) k
        where k.turn > 1
      loop
        v_outcome[v_posted.number] := 'delayed';
      end loop;
    end if;
    if num_nonnulls(variadic v_reference || v_memo) > 0 then
      select array_agg(receipt_key(d.company_id, d.currency, d.amount, r.reference)), array_agg(d.number)
      into v_receipts, v_numbers_of_receipts
      from unnest(v_company, v_currency, v_amount, v_reference, v_memo, v_outcome) with ordinality
        d(company_id, currency, amount, reference, memo, outcome, number)
      cross join lateral (values (d.reference), (d.memo)) r(reference)
      where d.outcome = 'claimed' and r.reference is not null;
      if not is_shared then
        perform lock_receipts(v_receipts);
      else
        for v_posted in
          select r.number from unnest(v_receipts, v_numbers_of_receipts) r(receipt, number) where not pg_try_advisory_xact_lock(receipt)
        loop
          v_outcome[v_posted.number] := 'delayed';
        end loop;
      end if;
      -- Separate statements, so they see rows that were committed during the wait for the locks.
      for v_posted in
        select d.number, captured_before(d.company_id, d.currency, d.amount, d.reference, d.memo) as capture_id
        from unnest(v_company, v_currency, v_amount, v_reference, v_memo, v_outcome) with ordinality
          d(company_id, currency, amount, reference, memo, outcome, number)
        where d.outcome = 'claimed' and coalesce(d.reference, d.memo) is not null
      loop
        continue when v_posted.capture_id is null;
        v_outcome[v_posted.number] := 'refused';
        v_code[v_posted.number] := 'duplicate_reference';
        v_duplicate[v_posted.number] := v_posted.capture_id;
        v_is_capture[v_posted.number] := true;
      end loop;
      for v_posted in
        select k.number, t.id from unnest(v_company, v_unique_key, v_outcome) with ordinality k(company_id, key, outcome, number)
        join ledger_transaction t on t.company_id = k.company_id and t.key = k.key
        where k.outcome = 'claimed' and t.id <> v_command[k.number]
      loop
        v_outcome[v_posted.number] := 'refused';
        v_code[v_posted.number] := 'duplicate_reference';
        v_duplicate[v_posted.number] := v_posted.id;
      end loop;
    end if;
    if is_shared then
      with named as materialized (
        select distinct c.company_id, c.account_id from unnest(v_company, v_account, v_outcome) c(company_id, account_id, outcome)
        where c.outcome = 'claimed'
      ), free as materialized (
        select acc.id from named join account acc on acc.company_id = named.company_id and acc.id = named.account_id
        where not acc.appends order by acc.id for no key update of acc skip locked
      )
      select array_agg(acc.id) into v_locked
      from named join account acc on acc.company_id = named.company_id and acc.id = named.account_id
      where not acc.appends and acc.id not in (select f.id from free f);
      if v_locked is not null then
        for i in 1 .. n loop
          if v_outcome[i] = 'claimed' and v_account[i] = any (v_locked) then v_outcome[i] := 'delayed'; end if;
        end loop;
      end if;
    end if;
  end delay;

  <<post>>
  begin
    select jsonb_agg(d.posting || jsonb_build_object(
        'key', v_key[d.number],
        -- The source is debited, and the account is credited. Money in transit is held there.
        'legs', (select jsonb_agg(l.leg || jsonb_build_object('account_id',
            case when (l.leg ->> 'amount')::numeric < 0 then v_contra[d.number] else v_account[d.number] end) order by l.at)
          from jsonb_array_elements(d.posting -> 'legs') with ordinality l(leg, at)),
        'holds', coalesce((select jsonb_agg(h.hold || jsonb_build_object('account_id', v_account[d.number]) order by h.at)
          from jsonb_array_elements(d.posting -> 'holds') with ordinality h(hold, at)), '[]')) order by d.number),
      array_agg(d.number::integer order by d.number)
    into v_postings, v_numbers
    from rows from (jsonb_to_recordset(p_deposits) as (posting jsonb)) with ordinality as d (posting, number)
    where v_outcome[d.number] = 'claimed';
    if v_postings is not null then
      for v_posted in
        select v_numbers[p.at] as number, p.kind, p.transaction_id, p.created_at, p.code
        from ledger_post(v_postings) with ordinality p(kind, transaction_id, created_at, code, account_id, available, requested, at)
      loop
        -- A duplicate with the id of the command: an earlier attempt posted it, and its answer was lost.
        if v_posted.kind = 'posted' or (v_posted.kind = 'duplicate' and v_posted.transaction_id = v_command[v_posted.number]) then
          v_outcome[v_posted.number] := 'answered';
          v_status[v_posted.number] := v_answer_status[v_posted.number];
          v_body[v_posted.number] := concat(v_answer[v_posted.number] ->> 0,
            to_char(v_posted.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), v_answer[v_posted.number] ->> 1,
            v_account[v_posted.number], v_answer[v_posted.number] ->> 2);
        else
          v_outcome[v_posted.number] := 'refused';
          v_code[v_posted.number] := coalesce(v_posted.code, 'duplicate_reference');
          v_duplicate[v_posted.number] := case v_posted.kind when 'duplicate' then v_posted.transaction_id end;
        end if;
      end loop;
    end if;
  end post;

  -- What was refused or left may be asked again under the same key.
  <<finish>>
  declare
    v_answers jsonb;
    v_lines jsonb;
    v_left jsonb;
  begin
    select jsonb_agg(f.answer) filter (where f.is_done), jsonb_agg(f.audit) filter (where f.is_done), jsonb_agg(f.answer) filter (where f.is_left)
    into v_answers, v_lines, v_left
    from (
      select d.audit, jsonb_build_object('company_id', d.company_id, 'operation', d.operation, 'key', d.key,
          'command_id', v_command[d.number], 'status', v_status[d.number], 'body', v_body[d.number]) as answer,
        v_outcome[d.number] = 'answered' as is_done, v_outcome[d.number] in ('refused', 'delayed', 'resumed') as is_left
      from rows from (jsonb_to_recordset(p_deposits) as (company_id uuid, operation text, key text, audit jsonb)) with ordinality
        as d (company_id, operation, key, audit, number)
    ) f;
    if v_answers is not null then
      perform idempotency_finishes(v_answers);
      perform audit_writes(v_lines);
    end if;
    if v_left is not null then perform idempotency_forget(v_left); end if;
  end finish;

  return query select r.ordinal, r.outcome, r.command_id, r.status, r.body, r.code, r.duplicate_of, r.is_capture
  from unnest(v_outcome, v_command, v_status, v_body, v_code, v_duplicate, v_is_capture) with ordinality
    r(outcome, command_id, status, body, code, duplicate_of, is_capture, ordinal);
end $$;
