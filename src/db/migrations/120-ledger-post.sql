-- The account that balances a company's books when a posting has a leg on another company's account. A positive balance is what
-- the company owes the platform, and a negative balance is what others owe the company. It is opened when first needed.
create function intercompany_account(p_company uuid, p_currency text) returns uuid
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_id uuid;
begin
  for attempt in 1 .. 2 loop
    select a.id into v_id from account a
    where a.company_id = p_company and a.type = 'INTERCOMPANY' and a.currency = p_currency;
    exit when found;
    insert into account (id, company_id, ledger_id, type, currency, may_go_negative, appends)
    select gen_random_uuid(), l.company_id, l.id, 'INTERCOMPANY', p_currency, true, true
    from ledger l where l.company_id = p_company and l.user_id is null
    on conflict (company_id, ledger_id, type, currency) do nothing;
  end loop;
  return v_id;
end $$;

-- Writes the platform's half of the fees of posted transactions: the fee, and the claim on the company that owes it, which balances
-- the platform's books by themselves. It is the only function that writes rows of another company than the transaction's. It
-- appends deltas and locks nothing, so it can also run later.
create function post_platform_half(
  p_platform uuid, p_companies uuid[], p_transactions uuid[], p_accounts uuid[], p_amounts bigint[], p_currencies text[],
  p_at timestamptz
) returns void
language plpgsql volatile security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan as $$
begin
  with leg as materialized (
    select f.company_id, f.transaction_id, x.account_id, x.amount, f.currency, f.number, x.side
    from unnest(p_companies, p_transactions, p_accounts, p_amounts, p_currencies)
      with ordinality f(company_id, transaction_id, account_id, amount, currency, number)
    cross join lateral (values
      (1, f.account_id, f.amount), (2, intercompany_account(p_platform, f.currency), -f.amount)) x(side, account_id, amount)
  ), appended as (
    insert into account_delta (account_id, company_id, amount)
    select l.account_id, p_platform, sum(l.amount) from leg l group by l.account_id
  )
  insert into entry (transaction_id, account_id, company_id, origin_id, amount, currency, created_at)
  select l.transaction_id, l.account_id, p_platform, l.company_id, l.amount, l.currency, p_at
  from leg l order by l.number, l.side;
end $$;

-- Posts transactions in the order given and returns one row for each: posted, duplicate (the same key and content was posted
-- before), or refused with a code. A refused posting fails alone and leaves no trace. These are errors that roll back the call:
-- the same key with other content (LG001), an unbalanced posting, the id of another transaction or hold, a posting of another
-- tenant. Correct callers send none of the last three.
--
--   [{id, company_id, key, type, status, amount, currency, reference, escrow_id, metadata,
--     legs: [{account_id, amount}], holds: [{kind: place|capture|void, hold_id, account_id, amount}], request_id?, source?}]
--
-- The function runs a few statements over the whole batch, and one loop over arrays in memory that decides each posting. The
-- phases are the labelled blocks below:
--
--   claim_keys       inserts the transactions in key order; a second call with the same key waits here for the first
--   find_duplicates  a key that was claimed before with the same content is a duplicate; with other content, an error
--   read_postings    reads legs and hold changes into arrays
--   lock_accounts    locks, in id order, the accounts whose balance is needed; accounts that only append are not locked
--   fold_deltas      folds the deltas of the locked accounts, in a statement whose snapshot is younger than the locks
--   find_foreign     finds the platform's accounts among those that the company does not have
--   find_faults      finds the refusals that do not depend on balances, and reads the holds
--   decide           applies each posting to the balances in memory, or undoes it
--   pair_companies   adds the company's debt for legs on the platform's account
--   write            writes the result; post_platform_half writes the platform's rows
--   write_facts      writes the facts of deposits for the feed of events
--
-- Keys are claimed before accounts are locked, both in order, so two calls cannot deadlock. The phases share arrays instead of
-- calling functions, because passing an array to a function copies it.
create function ledger_post(p_postings jsonb)
-- `available` and `requested`, with insufficient_funds: the available balance of the account before the posting, and how much of
-- it the posting would have taken.
returns table (
  kind text, transaction_id uuid, created_at timestamptz, code text, account_id uuid, available numeric, requested numeric
)
language plpgsql volatile security definer
set search_path = public, pg_temp
-- A session plans these statements once, perhaps while tables are still empty. A sequential scan is never the right plan for
-- these tables. Without the last setting, PostgreSQL plans some of them at each call, which takes a third of the time.
set enable_seqscan = off
set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  max_postings constant integer := 1000;
  max_total constant bigint := 9200000000000000000;
  -- Above these an appending account is locked too, so unfolded deltas cannot sum to more than max_total.
  max_appended constant bigint := 1000000000000;
  max_unlocked constant bigint := 4600000000000000000;

  -- One element per posting.
  n constant integer := jsonb_array_length(p_postings);
  v_id uuid[];
  v_company uuid[];
  v_currency text[];
  v_hash bytea[];
  v_legs integer[];
  v_changes integer[];
  v_claimed boolean[];
  v_twin integer[];  -- the posting before this one, in this batch, with the same key
  v_kind text[];     -- posted, duplicate, refused; null while undecided
  v_time timestamptz[];
  v_code text[];
  v_culprit uuid[] := array_fill(null::uuid, array[n]);
  v_available numeric[] := array_fill(null::numeric, array[n]);
  v_requested numeric[] := array_fill(null::numeric, array[n]);

  -- One element per leg, postings in order.
  v_leg_posting integer[];
  v_leg_account uuid[];
  v_leg_amount bigint[];
  v_leg_at integer[];     -- the account's place in the arrays below
  v_leg_fault text[];     -- a refusal that does not depend on balances
  v_leg_is_foreign boolean[];  -- on the platform's account
  v_leg_balance bigint[];
  v_debited uuid[];
  v_platform uuid;  -- null unless a leg is on an account that the company does not have
  v_total numeric;        -- sum of all amounts that this call moves, locks or unlocks

  -- One element per change of a hold, postings in order.
  v_has_changes boolean := false;
  v_change_posting integer[];
  v_change_kind text[];
  v_change_hold uuid[];
  v_change_account uuid[] := '{}';
  v_change_amount bigint[];
  v_change_at integer[];
  v_change_hold_at integer[];
  v_change_fault text[];

  -- One element per account: first the locked ones in id order, then those that only append, then those of the platform.
  v_account uuid[];
  v_owner uuid[];
  v_type text[];
  v_account_currency text[];
  v_posted bigint[];
  v_posted_before bigint[];
  v_held bigint[];
  v_frozen boolean[];
  v_may_go_negative boolean[];
  v_appends boolean[];
  v_locked integer;
  v_own integer;         -- the number of accounts that are not the platform's half
  v_near_limit boolean;  -- whether any sum here could exceed max_total

  -- One element per hold that the batch names.
  v_hold uuid[];
  v_hold_company uuid[];
  v_hold_account uuid[];
  v_hold_amount bigint[];
  v_hold_remaining bigint[];
  v_hold_open boolean[];
  v_hold_placed_by integer[];  -- the posting here that placed it; null: it existed before; 0: not placed yet

  v_refused integer[] := '{}';  -- claimed transactions that are deleted again
  v_late integer[] := '{}';  -- posted under a key that a refused twin had claimed
  -- Taken before any position or entry id is drawn. The sealer needs this order to know which numbers are final.
  v_xid constant xid8 := pg_current_xact_id();
begin
  if n = 0 then return; end if;
  if n > max_postings then
    raise exception 'at most % postings at once', max_postings using errcode = 'program_limit_exceeded';
  end if;

  -- Marks the postings as in flight (see ledger_closed_until), before the time of any of them is drawn.
  perform pg_advisory_xact_lock_shared(hashtext(c.id::text), ((extract(epoch from clock_timestamp()) * 1000)::bigint % 2147483648)::integer)
  from (select distinct (p.doc ->> 'company_id')::uuid from jsonb_array_elements(p_postings) p(doc)) c(id);

  <<claim_keys>>
  begin
    -- Amounts are clamped to bigint's range. A posting with a clamped amount is refused as too large.
    with posting as materialized (
      select p.ordinality::integer as number, p.id, p.company_id, p.key, p.type, p.status, p.currency, p.reference,
        p.escrow_id, coalesce(p.metadata, '{}') as metadata, p.amount > max_total as too_large,
        least(p.amount, max_total)::bigint as amount, jsonb_array_length(p.legs) as legs, jsonb_array_length(p.holds) as holds,
        sha256(convert_to(jsonb_build_array(
          p.type, p.status, p.amount, p.currency, p.reference, p.escrow_id, p.legs, p.holds)::text, 'UTF8')) as hash,
        lag(p.ordinality::integer) over (partition by p.company_id, p.key, p.amount > max_total order by p.ordinality) as twin
      from rows from (jsonb_to_recordset(p_postings) as (id uuid, company_id uuid, key text, type text, status text,
        amount numeric, currency text, reference text, escrow_id uuid, metadata jsonb, legs jsonb, holds jsonb))
        with ordinality p
    ), claim as (
      insert into ledger_transaction
        (id, company_id, type, status, posted_status, amount, currency, key, reference, escrow_id, metadata, content_hash)
      select id, company_id, type, status, status, amount, currency, key, reference, escrow_id, metadata, hash
      from posting where twin is null and not too_large
      order by company_id, key
      on conflict do nothing
      returning company_id, key, created_at
    )
    select array_agg(id), array_agg(company_id), array_agg(currency), array_agg(hash), array_agg(legs), array_agg(holds),
      array_agg(twin), array_agg(created_at is not null), array_agg(created_at),
      array_agg(case when too_large then 'refused' end), array_agg(case when too_large then 'amount_too_large' end)
    into v_id, v_company, v_currency, v_hash, v_legs, v_changes, v_twin, v_claimed, v_time, v_kind, v_code
    from (
      select p.*, c.created_at
      from posting p left join claim c on c.company_id = p.company_id and c.key = p.key and p.twin is null and not p.too_large
      order by p.number
    ) q;

    -- The second check of tenancy: the API's role posts only for the companies of its transaction.
    if session_user = 'escrow_api' and exists (
      select from unnest(v_company) c(id) where (c.id = any (current_companies())) is not true
    ) then
      raise exception 'posting for another company' using errcode = 'insufficient_privilege';
    end if;
  end claim_keys;

  <<find_duplicates>>
  declare
    v_earlier ledger_transaction;
    v_undecided boolean := false;
  begin
    for i in 1 .. n loop
      if v_kind[i] is null and not v_claimed[i] and v_twin[i] is null then
        select t.* into v_earlier from ledger_transaction t
        where t.company_id = v_company[i] and t.key = p_postings -> (i - 1) ->> 'key';
        if not found then
          raise exception 'transaction % exists under another key', v_id[i] using errcode = 'unique_violation';
        elsif v_earlier.content_hash <> v_hash[i] then
          raise exception 'key % was used for transaction % with other content', v_earlier.key, v_earlier.id
            using errcode = 'LG001', detail = v_earlier.id;
        end if;
        v_kind[i] := 'duplicate';
        v_id[i] := v_earlier.id;
        v_time[i] := v_earlier.created_at;
      end if;
      v_undecided := v_undecided or v_kind[i] is null;
    end loop;
    if not v_undecided then
      return query select * from unnest(v_kind, v_id, v_time, v_code, v_culprit, v_available, v_requested);
      return;
    end if;
  end find_duplicates;

  <<read_postings>>
  begin
    select coalesce(array_agg(number), '{}'), coalesce(array_agg(account_id), '{}'), coalesce(array_agg(amount), '{}'),
      coalesce(array_agg(account_id) filter (where amount < 0), '{}'), coalesce(sum(abs(amount)), 0)
    into v_leg_posting, v_leg_account, v_leg_amount, v_debited, v_total
    from (
      select p.number::integer, (l.leg ->> 'account_id')::uuid as account_id,
        greatest(-max_total - 1, least((l.leg ->> 'amount')::numeric, max_total + 1))::bigint as amount, l.ordinality
      from jsonb_array_elements(p_postings) with ordinality p(doc, number),
        jsonb_array_elements(p.doc -> 'legs') with ordinality l(leg)
      order by p.number, l.ordinality
    ) q;

    if p_postings @? '$[*].holds[*]' then
      select array_agg(number), array_agg(kind), array_agg(hold_id), array_agg(account_id), array_agg(amount),
        v_total + sum(amount)
      into v_change_posting, v_change_kind, v_change_hold, v_change_account, v_change_amount, v_total
      from (
        select p.number::integer, c.kind, c.hold_id, c.account_id, least(coalesce(c.amount, 0), max_total + 1)::bigint as amount
        from jsonb_array_elements(p_postings) with ordinality p(doc, number),
          rows from (jsonb_to_recordset(p.doc -> 'holds') as (kind text, hold_id uuid, account_id uuid, amount numeric))
            with ordinality c
        order by p.number, c.ordinality
      ) q;
      v_has_changes := true;
    end if;
  end read_postings;

  <<lock_accounts>>
  begin
    -- A debit or a hold change needs the balance. A credit to an appending account does not, and neither does a debit
    -- of an appending account that may go negative.
    select coalesce(array_agg(id), '{}'), array_agg(company_id), array_agg(type), array_agg(currency), array_agg(posted),
      array_agg(held), array_agg(is_frozen), array_agg(may_go_negative), array_agg(appends),
      coalesce(bool_or(v_total + abs(posted) + held > max_unlocked), false)
    into v_account, v_owner, v_type, v_account_currency, v_posted, v_held, v_frozen, v_may_go_negative, v_appends, v_near_limit
    from (
      select acc.* from (
        select distinct v_company[n.posting] as company_id, n.account_id
        from unnest(v_leg_posting || v_change_posting, v_leg_account || v_change_account) n(posting, account_id)
      ) named
      join account acc on acc.company_id = named.company_id and acc.id = named.account_id
      where (
        not acc.appends
        or (not acc.may_go_negative and acc.id = any (v_debited))
        or acc.id = any (v_change_account)
        or v_total > max_appended or acc.posted not between -max_unlocked and max_unlocked)
      order by acc.id
      for no key update of acc
    ) locked;
    v_locked := cardinality(v_account);
  end lock_accounts;

  <<fold_deltas>>
  declare
    v_folded record;
  begin
    -- The deltas that other calls have appended to the locked accounts become part of their balance.
    if true = any (v_appends) then
      for v_folded in
        with gone as (
          delete from account_delta d using unnest(v_owner, v_account) a(company_id, id)
          where d.company_id = a.company_id and d.account_id = a.id returning d.account_id, d.amount)
        select array_position(v_account, g.account_id) as at, sum(g.amount)::bigint as amount from gone g group by g.account_id
      loop
        v_posted[v_folded.at] := v_posted[v_folded.at] + v_folded.amount;
      end loop;
    end if;

    -- The accounts that are not locked follow in the arrays. Their `posted` here holds only the amounts that this call appends.
    if exists (select from unnest(v_leg_account) l(id) where id <> all (v_account)) then
      select v_account || array_agg(id), v_owner || array_agg(company_id), v_type || array_agg(type),
        v_account_currency || array_agg(currency), v_posted || array_agg(posted), v_held || array_agg(held),
        v_frozen || array_agg(is_frozen), v_may_go_negative || array_agg(may_go_negative), v_appends || array_agg(appends)
      into v_account, v_owner, v_type, v_account_currency, v_posted, v_held, v_frozen, v_may_go_negative, v_appends
      from (
        select acc.* from (
          select v_company[l.posting] as company_id, l.account_id from unnest(v_leg_posting, v_leg_account) l(posting, account_id)
          except select * from unnest(v_owner, v_account)
        ) named
        join account acc on acc.company_id = named.company_id and acc.id = named.account_id
      ) unlocked;
    end if;
    v_own := cardinality(v_account);
  end fold_deltas;

  <<find_foreign>>
  declare
    v_foreign uuid[];
    v_is_huge boolean;
  begin
    select array_agg(distinct l.id) into v_foreign from unnest(v_leg_posting, v_leg_account) l(posting, id)
    where not exists (
      select from unnest(v_owner, v_account) a(company_id, id) where a.id = l.id and a.company_id = v_company[l.posting]);
    if v_foreign is not null then
      v_platform := platform_company();
      -- Close to the limit the deltas count too, and nobody else may append. Else they can never exceed it.
      select v_total > max_appended or coalesce(max(acc.posted), 0) > max_unlocked into v_is_huge
      from account acc where acc.company_id = v_platform and acc.id = any (v_foreign);
      if v_is_huge then
        v_near_limit := true;
        perform from account acc where acc.company_id = v_platform and acc.id = any (v_foreign) order by acc.id for no key update;
      end if;
      select v_account || coalesce(array_agg(id), '{}'), v_owner || array_agg(company_id), v_type || array_agg(type),
        v_account_currency || array_agg(currency), v_posted || array_agg(posted + case when v_is_huge then coalesce((
          select sum(d.amount) from account_delta d where d.company_id = v_platform and d.account_id = acc.id), 0)::bigint else 0 end),
        v_held || array_agg(held), v_frozen || array_agg(is_frozen), v_may_go_negative || array_agg(may_go_negative),
        v_appends || array_agg(true)
      into v_account, v_owner, v_type, v_account_currency, v_posted, v_held, v_frozen, v_may_go_negative, v_appends
      from account acc where acc.company_id = v_platform and acc.id = any (v_foreign) and acc.type = 'SYSTEM_FEE';
    end if;
    v_posted_before := v_posted;
  end find_foreign;

  <<find_faults>>
  begin
    -- The position of each leg's account in the arrays, and the faults that do not depend on balances: an unknown account (or one
    -- of another company: only the platform's fee account takes credits from others), another currency, an amount out of range.
    -- A batch of several companies has accounts that only some of its postings may use.
    select coalesce(array_agg(l.at), '{}'), coalesce(array_agg(case
        when l.at is null then 'unknown_account'
        when l.is_foreign and (v_type[l.at] <> 'SYSTEM_FEE' or l.amount < 0) then 'unknown_account'
        when v_account_currency[l.at] <> v_currency[l.posting] then 'currency_mismatch'
        when l.amount not between -max_total and max_total then 'amount_too_large'
      end), '{}'), coalesce(array_agg(l.is_foreign), '{}')
    into v_leg_at, v_leg_fault, v_leg_is_foreign
    from (
      select l.*, acc.at::integer as at, coalesce(acc.at > v_own, false) as is_foreign
      from unnest(v_leg_posting, v_leg_account, v_leg_amount) with ordinality l(posting, account_id, amount, number)
      left join unnest(v_account, v_owner) with ordinality acc(id, company_id, at)
        on acc.id = l.account_id and (acc.at > v_own or acc.company_id = v_company[l.posting])
      order by l.number
    ) l;

    -- The same for hold changes, and the current holds. The lock on the account protects them.
    if v_has_changes then
      if exists (
        select from unnest(v_change_kind, v_change_amount) c(kind, amount)
        where c.kind is null or c.kind not in ('place', 'capture', 'void') or c.amount < 0
      ) then
        raise exception 'broken hold change' using errcode = 'check_violation';
      end if;

      select array_agg(named.id), array_agg(hold.account_id), array_agg(hold.amount), array_agg(coalesce(hold.remaining, 0)),
        array_agg(coalesce(hold.status = 'OPEN', false)), array_agg(case when hold.id is null then 0 end), array_agg(named.company_id)
      into v_hold, v_hold_account, v_hold_amount, v_hold_remaining, v_hold_open, v_hold_placed_by,
        v_hold_company
      from (
        select distinct v_company[c.posting] as company_id, c.id from unnest(v_change_posting, v_change_hold) c(posting, id)
      ) named
      left join hold on hold.company_id = named.company_id and hold.id = named.id;

      select array_agg(acc_at), array_agg(hold_at), array_agg(case
          when acc_at is null or v_owner[acc_at] <> v_company[posting] then 'unknown_account'
          when v_account_currency[acc_at] <> v_currency[posting] then 'currency_mismatch'
          when amount > max_total then 'amount_too_large'
        end)
      into v_change_at, v_change_hold_at, v_change_fault
      from (
        select c.posting, c.amount, array_position(v_account, c.account_id) as acc_at,
          (select h.at::integer from unnest(v_hold, v_hold_company) with ordinality h(id, company_id, at)
            where h.id = c.hold_id and h.company_id = v_company[c.posting]) as hold_at
        from unnest(v_change_posting, v_change_account, v_change_hold, v_change_amount)
          with ordinality c(posting, account_id, hold_id, amount, number)
        order by c.number
      ) q;
    end if;

  end find_faults;

  <<decide>>
  declare
    leg_from integer; leg_to integer := 0; leg_done integer;
    change_from integer; change_to integer := 0; change_done integer;
    amount bigint; fault text; culprit uuid; v_net numeric; v_left numeric;
    a integer; h integer; v_short integer;
  begin
    -- Postings are decided in order. A posting that fails halfway is undone leg by leg.
    v_leg_balance := v_leg_amount; -- for the length; every element that is used gets its balance below
    for i in 1 .. n loop
      leg_from := leg_to + 1;
      leg_to := leg_to + coalesce(v_legs[i], 0);
      change_from := change_to + 1;
      change_to := change_to + coalesce(v_changes[i], 0);

      if v_kind[i] is null and v_twin[i] is not null then
        h := v_twin[i];
        if v_kind[h] = 'refused' then
          v_late := v_late || i; -- nothing was posted under this key, so this posting uses it if it succeeds
        elsif v_hash[h] <> v_hash[i] then
          raise exception 'key % is used twice at once with different content', p_postings -> (i - 1) ->> 'key'
            using errcode = 'LG001', detail = v_id[h];
        else
          v_kind[i] := 'duplicate';
          v_id[i] := v_id[h];
          v_time[i] := v_time[h];
        end if;
      end if;
      continue when v_kind[i] is not null;

      fault := null;
      leg_done := leg_from - 1;
      change_done := change_from - 1;

      for k in leg_from .. leg_to loop
        a := v_leg_at[k];
        amount := v_leg_amount[k];
        fault := v_leg_fault[k];
        if fault is null and v_near_limit and abs(v_posted[a]::numeric + amount) > max_total then
          fault := case when amount < 0 and not v_may_go_negative[a] then 'insufficient_funds' else 'amount_too_large' end;
        end if;
        if fault is not null then
          culprit := v_leg_account[k];
          exit;
        end if;
        v_posted[a] := v_posted[a] + amount;
        v_leg_balance[k] := v_posted[a];
        leg_done := k;
      end loop;

      if fault is null then
        for k in change_from .. change_to loop
          a := v_change_at[k];
          h := v_change_hold_at[k];
          fault := v_change_fault[k];
          if fault is not null then
            null;
          elsif v_change_kind[k] = 'place' then
            amount := v_change_amount[k];
            if v_hold_placed_by[h] is distinct from 0 then
              raise exception 'hold % exists', v_hold[h] using errcode = 'unique_violation';
            -- A frozen account may hold only the amount that the same posting credits: a deposit in transit.
            elsif v_frozen[a] and (
              select coalesce(sum(l.amount), 0)
              from unnest(v_leg_at[leg_from:leg_to], v_leg_amount[leg_from:leg_to]) l(at, amount)
              where l.at = a
            ) < (
              select sum(c.amount) from unnest(v_change_at[change_from:change_to], v_change_kind[change_from:change_to],
                v_change_amount[change_from:change_to]) c(at, kind, amount) where c.at = a and c.kind = 'place'
            ) then
              fault := 'account_frozen';
            elsif v_near_limit and v_held[a]::numeric + amount > max_total then
              fault := case when v_may_go_negative[a] then 'amount_too_large' else 'insufficient_funds' end;
            else
              v_hold_account[h] := v_account[a];
              v_hold_amount[h] := amount;
              v_hold_remaining[h] := amount;
              v_hold_open[h] := true;
              v_hold_placed_by[h] := i;
              v_held[a] := v_held[a] + amount;
            end if;
          elsif not v_hold_open[h] or v_hold_account[h] <> v_account[a] then
            fault := 'hold_not_open';
          elsif v_change_kind[k] = 'capture' then
            amount := v_change_amount[k];
            if amount > v_hold_remaining[h] then
              fault := 'hold_exceeded';
            else
              v_hold_remaining[h] := v_hold_remaining[h] - amount;
              v_held[a] := v_held[a] - amount;
            end if;
          else -- void
            v_change_amount[k] := v_hold_remaining[h]; -- the unlocked amount, in case the posting is undone
            v_held[a] := v_held[a] - v_hold_remaining[h];
            v_hold_remaining[h] := 0;
            v_hold_open[h] := false;
          end if;
          if fault is not null then
            culprit := v_change_account[k];
            exit;
          end if;
          change_done := k;
        end loop;
      end if;

      -- After the whole posting is applied: does it take money from a frozen account beyond its holds, or overdraw an account?
      if fault is null then
        for k in leg_from .. leg_to loop
          if v_leg_amount[k] < 0 then
            a := v_leg_at[k];
            if v_frozen[a] then
              select sum(l.amount) into v_net
              from unnest(v_leg_at[leg_from:leg_to], v_leg_amount[leg_from:leg_to]) l(at, amount) where l.at = a;
              select v_net + coalesce(sum(c.amount), 0) into v_net
              from unnest(v_change_at[change_from:change_to], v_change_kind[change_from:change_to],
                v_change_amount[change_from:change_to]) c(at, kind, amount) where c.at = a and c.kind = 'capture';
              if v_net < 0 then fault := 'account_frozen'; end if;
            end if;
            if fault is null and v_posted[a] < v_held[a] and not v_may_go_negative[a] then
              fault := 'insufficient_funds';
            end if;
            if fault is not null then
              culprit := v_account[a];
              exit;
            end if;
          end if;
        end loop;
        if fault is null then
          for k in change_from .. change_to loop
            a := v_change_at[k];
            if v_posted[a] < v_held[a] and not v_may_go_negative[a] then
              fault := 'insufficient_funds';
              culprit := v_account[a];
              exit;
            end if;
          end loop;
        end if;
      end if;

      if fault is null then
        v_kind[i] := 'posted';
        continue;
      end if;

      v_kind[i] := 'refused';
      v_code[i] := fault;
      v_culprit[i] := culprit;
      if v_claimed[i] then v_refused := v_refused || i; end if;
      v_short := case when fault = 'insufficient_funds' and leg_done = leg_to and change_done = change_to then a end;
      v_left := v_posted[v_short]::numeric - v_held[v_short];
      for k in leg_from .. leg_done loop
        v_posted[v_leg_at[k]] := v_posted[v_leg_at[k]] - v_leg_amount[k];
      end loop;
      for k in reverse change_done .. change_from loop
        a := v_change_at[k];
        h := v_change_hold_at[k];
        if v_change_kind[k] = 'place' then
          v_held[a] := v_held[a] - v_change_amount[k];
          v_hold_remaining[h] := 0;
          v_hold_open[h] := false;
          v_hold_placed_by[h] := 0;
        else
          v_held[a] := v_held[a] + v_change_amount[k];
          v_hold_remaining[h] := v_hold_remaining[h] + v_change_amount[k];
          v_hold_open[h] := true;
        end if;
      end loop;
      if v_short is not null then
        v_available[i] := v_posted[v_short]::numeric - v_held[v_short];
        v_requested[i] := v_available[i] - v_left;
      end if;
    end loop;

  end decide;

  <<pair_companies>>
  declare
    v_pair record;
    a integer;
  begin
    -- A leg on the platform's account (its fee) becomes a debt of this company, as one more leg. post_platform_half writes the leg
    -- itself, and the platform's claim.
    if true = any (v_leg_is_foreign) then
      for v_pair in
        select l.posting, v_company[l.posting] as owner, l.amount,
          intercompany_account(v_company[l.posting], v_currency[l.posting]) as account
        from unnest(v_leg_posting, v_leg_is_foreign, v_leg_amount) with ordinality l(posting, is_foreign, amount, number)
        where v_kind[l.posting] = 'posted' and l.is_foreign
        order by l.number
      loop
        a := array_position(v_account, v_pair.account);
        if a is null then
          a := cardinality(v_account) + 1;
          v_account[a] := v_pair.account;
          v_owner[a] := v_pair.owner;
          v_appends[a] := true;
          v_posted[a] := 0;
          v_posted_before[a] := 0;
        end if;
        v_posted[a] := v_posted[a] + v_pair.amount;
        v_leg_posting := v_leg_posting || v_pair.posting;
        v_leg_account := v_leg_account || v_pair.account;
        v_leg_amount := v_leg_amount || v_pair.amount;
        v_leg_at := v_leg_at || a;
        v_leg_is_foreign := v_leg_is_foreign || false;
      end loop;
    end if;
  end pair_companies;

  <<write>>
  declare
    v_now timestamptz;
    k integer;
  begin
    if cardinality(v_refused) > 0 then
      delete from ledger_transaction t using unnest(v_refused) r(number)
      where t.company_id = v_company[r.number] and t.id = v_id[r.number];
    end if;
    foreach k in array v_late loop
      if v_kind[k] = 'posted' then
        insert into ledger_transaction
          (id, company_id, type, status, posted_status, amount, currency, key, reference, escrow_id, metadata, content_hash)
        select id, company_id, type, status, status, amount, currency, key, reference, escrow_id, coalesce(metadata, '{}'),
          v_hash[k]
        from jsonb_to_record(p_postings -> (k - 1)) as (id uuid, company_id uuid, key text, type text, status text,
          amount bigint, currency text, reference text, escrow_id uuid, metadata jsonb)
        returning created_at into v_now;
        v_time[k] := v_now;
      end if;
    end loop;
    for i in 1 .. n loop -- duplicates of a posting of this batch, whose time is known only now
      if v_kind[i] = 'duplicate' and v_time[i] is null then v_time[i] := v_time[v_twin[i]]; end if;
    end loop;

    v_now := clock_timestamp(); -- after the locks: on a locked account, later entries never have earlier times
    update account acc set posted = b.posted, held = b.held, updated_at = v_now
    from unnest(v_owner[1:v_locked], v_account[1:v_locked], v_posted[1:v_locked], v_held[1:v_locked]) b(company_id, id, posted, held)
    where acc.company_id = b.company_id and acc.id = b.id and (acc.posted <> b.posted or acc.held <> b.held);

    if v_locked < cardinality(v_account) then
      insert into account_delta (account_id, company_id, amount)
      select b.id, b.company_id, b.posted - b.posted_before
      from unnest(v_account, v_owner, v_posted, v_posted_before) with ordinality b(id, company_id, posted, posted_before, at)
      where b.at > v_locked and b.posted <> b.posted_before and (b.at <= v_own or b.company_id is distinct from v_platform);
    end if;

    insert into entry (transaction_id, account_id, company_id, amount, currency, balance_after, created_at)
    select v_id[l.posting], l.account_id, v_owner[l.at], l.amount, v_currency[l.posting],
      case when not v_appends[l.at] then l.balance end, v_now
    from unnest(v_leg_posting, v_leg_account, v_leg_amount, v_leg_at, v_leg_balance, v_leg_is_foreign)
      with ordinality l(posting, account_id, amount, at, balance, is_foreign, number)
    where v_kind[l.posting] = 'posted' and not l.is_foreign
    order by l.number;

    if true = any (v_leg_is_foreign) then
      perform post_platform_half(v_platform, array_agg(v_company[l.posting] order by l.number),
        array_agg(v_id[l.posting] order by l.number), array_agg(l.account_id order by l.number),
        array_agg(l.amount order by l.number), array_agg(v_currency[l.posting] order by l.number), v_now)
      from unnest(v_leg_posting, v_leg_account, v_leg_amount, v_leg_is_foreign)
        with ordinality l(posting, account_id, amount, is_foreign, number)
      where l.is_foreign and v_kind[l.posting] = 'posted'
      having count(*) > 0;
    end if;

    if v_has_changes then
      insert into hold (id, company_id, account_id, transaction_id, amount, remaining, status)
      select h.id, v_company[h.placed_by], h.account_id, v_id[h.placed_by], h.amount, h.remaining,
        case when h.is_open then 'OPEN' else 'CLOSED' end
      from unnest(v_hold, v_hold_account, v_hold_amount, v_hold_remaining, v_hold_open, v_hold_placed_by)
        h(id, account_id, amount, remaining, is_open, placed_by)
      where h.placed_by > 0;

      update hold set remaining = h.remaining, status = case when h.is_open then 'OPEN' else 'CLOSED' end, updated_at = v_now
      from unnest(v_hold_company, v_hold, v_hold_remaining, v_hold_open, v_hold_placed_by) h(company_id, id, remaining, is_open, placed_by)
      where hold.company_id = h.company_id and hold.id = h.id and h.placed_by is null
        and (hold.remaining <> h.remaining or (hold.status = 'OPEN') <> h.is_open);

      insert into hold_change (transaction_id, hold_id, account_id, company_id, kind, amount_cents, created_at)
      select v_id[c.posting], c.hold_id, c.account_id, v_company[c.posting], c.kind,
        case c.kind when 'place' then c.amount else -c.amount end, v_now
      from unnest(v_change_posting, v_change_hold, v_change_account, v_change_kind, v_change_amount)
        with ordinality c(posting, hold_id, account_id, kind, amount, number)
      where v_kind[c.posting] = 'posted'
      order by c.number;
    end if;
  end write;

  -- Other postings belong to commands, whose own events are facts (340-events.sql).
  <<write_facts>>
  begin
    if p_postings @? '$[*] ? (@.type == "DEPOSIT")' then
      insert into event_fact (company_id, object_kind, object_id, change, at, snapshot, request_id, source)
      select v_company[p.number], 'deposit', v_id[p.number], 'RECEIVED', v_time[p.number],
        jsonb_build_object('status', p.doc ->> 'status'),
        coalesce(p.doc ->> 'request_id', nullif(current_setting('app.request_id', true), '')),
        coalesce(p.doc ->> 'source', act_source())
      from jsonb_array_elements(p_postings) with ordinality p(doc, number)
      where v_kind[p.number] = 'posted' and p.doc ->> 'type' = 'DEPOSIT'
      order by p.number;
    end if;
  end write_facts;

  return query select * from unnest(v_kind, v_id, v_time, v_code, v_culprit, v_available, v_requested);
end $$;
