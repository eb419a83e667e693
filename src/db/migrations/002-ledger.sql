-- The ledger: double entry in integer cents.
--
-- Money moves only through ledger_post. It writes what later may not change: a transaction and its entries. Everything else
-- here is derived and can be recomputed from them: balances, deltas, checkpoints, blocks.
--
--   account            posted (folded) and held cents of one account
--   account_delta      credits to busy accounts that are not folded into `posted` yet; balance = posted + deltas
--   ledger_transaction one posting: what was asked, by which key
--   entry              one leg of a transaction; never changed, never deleted
--   hold               money locked for a purpose: placed, captured in parts, voided
--   block              per company, a chain of hashes over sealed transactions and entries
--   sealed_balance     balances as the blocks have them
--   balance_checkpoint balances of busy accounts at some entry, so that a statement need not add up from the start
--
-- There are no foreign keys from entry, account_delta and ledger_transaction to account and company: each would lock the
-- referenced row once per posting, and these are the busiest rows of all. ledger_post reads every account it writes for;
-- accounts and companies are never deleted (triggers below, privileges); ledger_verify looks for orphans.

create table ledger (
  id uuid primary key,
  company_id uuid not null references company on delete restrict,
  -- Null: the company's own ledger.
  user_id uuid references app_user on delete restrict,
  name text not null,
  bank_name text,
  branch_code text,
  account_number encrypted_text,
  account_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (company_id, user_id),
  -- Lets an account prove that its company is its ledger's.
  unique (id, company_id)
);
call tenant_table('ledger', 'select, insert');
grant update (name, bank_name, branch_code, account_number, account_name, updated_at) on ledger to escrow_api, escrow_worker;

create table account (
  id uuid primary key,
  company_id uuid not null,
  ledger_id uuid not null,
  type text not null
    check (type in ('USER', 'COMPANY', 'SERVICE_FEE', 'TAX', 'SUSPENSE', 'TRANSIT', 'BANK', 'SYSTEM_FEE')),
  currency text not null check (currency in ('USD', 'ZIG')),
  posted bigint not null default 0,
  held bigint not null default 0 check (held >= 0),
  may_go_negative boolean not null,
  -- Busy accounts are credited by a delta row, without locking this one. Switched off, what is still appended is folded by
  -- the sealer within a second, and only then counts for debits.
  appends boolean not null,
  is_frozen boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (ledger_id, type, currency),
  foreign key (ledger_id, company_id) references ledger (id, company_id) on delete restrict,
  -- Deltas that are not folded yet only add to an account that may not go negative, so this holds for it too.
  constraint account_not_overdrawn check (may_go_negative or posted >= held),
  constraint account_contra_side check (may_go_negative = (type in ('TRANSIT', 'BANK')))
) with (fillfactor = 70); -- room on the page: a balance changes in place, without touching an index
create index account_company on account (company_id, type);
call tenant_table('account', 'select');
grant insert (id, company_id, ledger_id, type, currency, may_go_negative, appends) on account to escrow_api, escrow_worker;
grant update (is_frozen, appends, updated_at) on account to escrow_api, escrow_worker;

create table account_delta (
  account_id uuid not null,
  company_id uuid not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index account_delta_account on account_delta (account_id);
call tenant_table('account_delta', 'select');

create table ledger_transaction (
  id uuid primary key,
  company_id uuid not null,
  type text not null check (type in
    ('DEPOSIT', 'ESCROW_HOLD', 'PAYMENT', 'REFUND', 'WITHDRAWAL', 'REVERSAL', 'BANK_CAPTURE', 'ADJUSTMENT')),
  -- The one thing that changes later; see ledger_transaction_guard.
  status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REVERSED')),
  amount bigint not null check (amount between 0 and 9200000000000000000),
  currency text not null check (currency in ('USD', 'ZIG')),
  key text not null,
  reference text,
  escrow_id uuid,
  metadata jsonb not null default '{}',
  -- Of everything that makes two postings equal: not of the id, not of the metadata.
  content_hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  -- The order in which postings were asked for; the sealer walks along it.
  position bigint generated always as identity,
  -- The database transaction that wrote this row: while it lasts, the row may be taken back.
  xid xid8 not null default pg_current_xact_id(),
  unique (company_id, key)
);
create index ledger_transaction_position on ledger_transaction (position);
create index ledger_transaction_listing on ledger_transaction (company_id, created_at desc, id desc);
create index ledger_transaction_reference on ledger_transaction (company_id, reference) where reference is not null;
create index ledger_transaction_escrow on ledger_transaction (escrow_id) where escrow_id is not null;
call tenant_table('ledger_transaction', 'select');
grant update (status) on ledger_transaction to escrow_api, escrow_worker;

create table entry (
  -- Drawn after the accounts are locked: on a locked account, the order of ids is the order of effects.
  id bigint generated always as identity primary key,
  transaction_id uuid not null,
  account_id uuid not null,
  -- The account's company, which for a platform's fee is not the transaction's.
  company_id uuid not null,
  -- Signed: a credit is positive, a debit negative.
  amount bigint not null check (amount <> 0),
  currency text not null,
  -- Null on accounts that append; ledger_balance_at computes it.
  balance_after bigint,
  created_at timestamptz not null
);
create index entry_account on entry (account_id, id);
create index entry_transaction on entry (transaction_id);
call tenant_table('entry', 'select');

create table hold (
  id uuid primary key,
  company_id uuid not null,
  account_id uuid not null references account on delete restrict,
  -- The transaction that placed it.
  transaction_id uuid not null references ledger_transaction on delete restrict,
  amount bigint not null check (amount > 0),
  remaining bigint not null check (remaining between 0 and amount),
  status text not null check (status in ('OPEN', 'CLOSED')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (status = 'OPEN' or remaining = 0)
) with (fillfactor = 70);
create index hold_open on hold (account_id) where status = 'OPEN';
create index hold_transaction on hold (transaction_id);
call tenant_table('hold', 'select');

-- One link of a company's chain: which transactions and entries it seals, with a hash of each, so that a change can be named.
create table block (
  company_id uuid not null references company on delete restrict,
  seq bigint not null,
  transaction_ids uuid[] not null,
  transaction_hashes bytea[] not null,
  entry_ids bigint[] not null,
  entry_hashes bytea[] not null,
  -- {account: balance}: what all of the company's sealed transactions come to, on each account touched here.
  balances jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (company_id, seq)
);
call tenant_table('block', 'select');

-- The latest of each of those balances. On the platform's fee accounts every company has its own share.
create table sealed_balance (
  account_id uuid not null,
  -- The company of the transactions, as in block.
  company_id uuid not null,
  balance bigint not null,
  entries_since_checkpoint integer not null,
  primary key (account_id, company_id)
) with (fillfactor = 70);
call tenant_table('sealed_balance', 'select');

-- The balance of an appending account after one of its entries, which no later entry can slip before.
create table balance_checkpoint (
  account_id uuid not null,
  company_id uuid not null,
  entry_id bigint not null,
  balance bigint not null,
  primary key (account_id, entry_id)
);
call tenant_table('balance_checkpoint', 'select');

-- How far the sealer is, over all companies; no role is granted anything here. Positions are drawn by transactions that
-- commit in another order, so it keeps two marks.
create table seal_progress (
  only_row boolean primary key default true check (only_row),
  -- Up to here every position is sealed, or was never used, and none can appear any more.
  final_position bigint not null default 0,
  -- The same for entry ids.
  final_entry bigint not null default 0,
  -- Sealed positions beyond final_position.
  sealed_beyond int8multirange not null default '{}',
  -- Numbers up to these were drawn when the database transaction next_xid began: once every older one has ended, they
  -- become final.
  next_position bigint not null default 0,
  next_entry bigint not null default 0,
  next_xid xid8 not null default '0'
);
insert into seal_progress default values;

-- What may not happen, whoever asks ---------------------------------------------------------------------------------------

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger entry_immutable before update or delete or truncate on entry
  for each statement execute function ledger_refuse_change();
create trigger block_immutable before update or delete or truncate on block
  for each statement execute function ledger_refuse_change();
create trigger account_kept before delete or truncate on account
  for each statement execute function ledger_refuse_change();
create trigger hold_kept before delete or truncate on hold
  for each statement execute function ledger_refuse_change();
create trigger ledger_transaction_kept before truncate on ledger_transaction
  for each statement execute function ledger_refuse_change();

-- Only the status of a transaction changes, and only forward. A row may vanish in the database transaction that wrote it,
-- before anyone could see it: so a refused posting leaves no trace.
create function ledger_transaction_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.xid = pg_current_xact_id() then return old; end if;
    raise exception 'transaction % is never deleted', old.id using errcode = 'restrict_violation';
  end if;
  if to_jsonb(old) - 'status' <> to_jsonb(new) - 'status' then
    raise exception 'only the status of transaction % may change', old.id using errcode = 'restrict_violation';
  end if;
  if old.status <> new.status and not (
    (old.status = 'PENDING' and new.status in ('PROCESSING', 'COMPLETED', 'FAILED'))
    or (old.status = 'PROCESSING' and new.status in ('COMPLETED', 'FAILED'))
    or (old.status = 'COMPLETED' and new.status = 'REVERSED')
  ) then
    raise exception 'transaction % cannot go from % to %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_transaction_guard before update or delete on ledger_transaction
  for each row execute function ledger_transaction_guard();

-- Every statement that adds entries adds balanced ones. Checked once per statement over just the new rows, which is
-- stricter than a check at commit and much cheaper than one per row.
create function entry_balanced() returns trigger language plpgsql as $$
declare
  broken uuid;
begin
  select transaction_id into broken from added group by transaction_id, currency having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'transaction % is not balanced', broken using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger entry_balanced after insert on entry
  referencing new table as added for each statement execute function entry_balanced();

-- Posting -----------------------------------------------------------------------------------------------------------------

-- Posts transactions in the order given and answers one row for each: posted, duplicate (the same key and content was
-- posted before), or refused with a code. A refused posting fails alone and leaves no trace. The same key with other content
-- is an error (LG001) that undoes the call, and so is what no correct caller sends: an unbalanced posting, the id of
-- another transaction or hold, a posting of another tenant.
--
--   [{id, company_id, key, type, status, amount, currency, reference, escrow_id, metadata,
--     legs: [{account_id, amount}], holds: [{kind: place|capture|void, hold_id, account_id, amount}]}]
--
-- A few statements over the whole batch, and one loop over arrays in memory that decides posting by posting:
--
--   1. claim the keys by inserting the transactions, in key order; who comes second waits here and then finds the first
--   2. lock, in id order, the accounts whose balance must be known; accounts that only append are not locked
--   3. fold the deltas of the locked accounts: a statement of its own, whose snapshot is younger than the locks
--   4. decide: apply each posting to the balances in memory, or take it back
--   5. write what came of it
--
-- Keys come before accounts and both are taken in order, so two calls cannot wait for each other in a circle.
create function ledger_post(p_postings jsonb)
returns table (kind text, transaction_id uuid, created_at timestamptz, code text, account_id uuid)
language plpgsql volatile security definer
set search_path = public, pg_temp
-- A session plans these statements once, perhaps while tables are still empty; none of these tables is worth scanning whole.
set enable_seqscan = off
set jit = off
as $$
#variable_conflict use_column
declare
  max_postings constant integer := 1000;
  max_total constant bigint := 9200000000000000000;
  -- Beyond these an appending account is locked too, so that unfolded deltas cannot add up past max_total.
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

  -- One element per leg, postings in order.
  v_leg_posting integer[];
  v_leg_account uuid[];
  v_leg_amount bigint[];
  v_leg_at integer[];     -- the account's place in the arrays below
  v_leg_fault text[];     -- a refusal that no balance can change
  v_leg_balance bigint[];
  v_debited uuid[];
  v_total numeric;        -- of everything this call moves, locks or unlocks

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

  -- One element per account: first the locked ones in id order, then those that only append.
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
  v_near_limit boolean;  -- whether any sum here could pass max_total at all

  -- One element per hold that the batch names.
  v_hold uuid[];
  v_hold_account uuid[];
  v_hold_amount bigint[];
  v_hold_remaining bigint[];
  v_hold_open boolean[];
  v_hold_placed_by integer[];  -- the posting here that placed it; null: it was there before; 0: not placed yet

  v_refused uuid[] := '{}';  -- claimed above, to be given back
  v_late integer[] := '{}';  -- posted under a key that a refused twin had claimed
  v_undecided boolean := false;
  v_earlier ledger_transaction;
  v_folded record;
  v_net numeric;
  v_now timestamptz;
  -- Taken before any position or entry id is drawn: the sealer relies on it to know which numbers are final.
  v_xid constant xid8 := pg_current_xact_id();

  leg_from integer; leg_to integer := 0; leg_done integer;
  change_from integer; change_to integer := 0; change_done integer;
  amount bigint; fault text; culprit uuid;
  a integer; h integer; k integer;
begin
  if n = 0 then return; end if;
  if n > max_postings then
    raise exception 'at most % postings at once', max_postings using errcode = 'program_limit_exceeded';
  end if;

  -- 1. Read the postings and claim their keys. Amounts are cut to bigint's range: what was cut is refused as too large.
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
      (id, company_id, type, status, amount, currency, key, reference, escrow_id, metadata, content_hash)
    select id, company_id, type, status, amount, currency, key, reference, escrow_id, metadata, hash
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

  -- The second wall of tenancy: the API's role posts only for the company its transaction is set to.
  if session_user = 'escrow_api' and exists (
    select from unnest(v_company) c(id) where c.id is distinct from current_company()
  ) then
    raise exception 'posting for another company' using errcode = 'insufficient_privilege';
  end if;

  -- A key taken before this call, by the same content, is a duplicate.
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

  if v_undecided then

  -- 2. Lock the accounts. A debit, or anything about a hold, needs the balance; a credit to an appending account does not,
  -- nor does a debit of one that may go negative.
  select coalesce(array_agg(number), '{}'), coalesce(array_agg(account_id), '{}'), coalesce(array_agg(amount), '{}'),
    coalesce(array_agg(account_id) filter (where amount < 0), '{}'), coalesce(sum(abs(amount)), 0)
  into v_leg_posting, v_leg_account, v_leg_amount, v_debited, v_total
  from (
    select p.number::integer, l.account_id, greatest(-max_total - 1, least(l.amount, max_total + 1))::bigint as amount
    from jsonb_array_elements(p_postings) with ordinality p(doc, number),
      rows from (jsonb_to_recordset(p.doc -> 'legs') as (account_id uuid, amount numeric)) with ordinality l
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

  select coalesce(array_agg(id), '{}'), array_agg(company_id), array_agg(type), array_agg(currency), array_agg(posted),
    array_agg(held), array_agg(is_frozen), array_agg(may_go_negative), array_agg(appends),
    coalesce(bool_or(v_total + abs(posted) + held > max_unlocked), false)
  into v_account, v_owner, v_type, v_account_currency, v_posted, v_held, v_frozen, v_may_go_negative, v_appends, v_near_limit
  from (
    select * from account acc
    where acc.id = any (v_leg_account || v_change_account) and (
      not acc.appends
      or (not acc.may_go_negative and acc.id = any (v_debited))
      or acc.id = any (v_change_account)
      or v_total > max_appended or acc.posted not between -max_unlocked and max_unlocked)
    order by acc.id
    for no key update
  ) locked;
  v_locked := cardinality(v_account);

  -- 3. What others appended to the locked accounts until now becomes part of their balance.
  if true = any (v_appends) then
    for v_folded in
      with gone as (delete from account_delta d where d.account_id = any (v_account) returning d.account_id, d.amount)
      select array_position(v_account, g.account_id) as at, sum(g.amount)::bigint as amount from gone g group by g.account_id
    loop
      v_posted[v_folded.at] := v_posted[v_folded.at] + v_folded.amount;
    end loop;
  end if;

  -- The accounts that are not locked follow in the arrays; their `posted` here only collects what this call appends.
  if exists (select from unnest(v_leg_account) l(id) where id <> all (v_account)) then
    select v_account || array_agg(id), v_owner || array_agg(company_id), v_type || array_agg(type),
      v_account_currency || array_agg(currency), v_posted || array_agg(posted), v_held || array_agg(held),
      v_frozen || array_agg(is_frozen), v_may_go_negative || array_agg(may_go_negative), v_appends || array_agg(appends)
    into v_account, v_owner, v_type, v_account_currency, v_posted, v_held, v_frozen, v_may_go_negative, v_appends
    from account where id = any (v_leg_account) and id <> all (v_account);
  end if;
  v_posted_before := v_posted;

  -- Where each leg's account stands, and what no balance can mend: an account that is not there (or not the company's: only
  -- the platform's fee account takes credits from others), of another currency, or a sum the ledger does not keep.
  select coalesce(array_agg(l.at), '{}'), coalesce(array_agg(case
      when l.at is null then 'unknown_account'
      when v_owner[l.at] <> v_company[l.posting] and (v_type[l.at] <> 'SYSTEM_FEE' or l.amount < 0) then 'unknown_account'
      when v_account_currency[l.at] <> v_currency[l.posting] then 'currency_mismatch'
      when l.amount not between -max_total and max_total then 'amount_too_large'
    end), '{}')
  into v_leg_at, v_leg_fault
  from (
    select l.*, acc.at::integer as at
    from unnest(v_leg_posting, v_leg_account, v_leg_amount) with ordinality l(posting, account_id, amount, number)
    left join unnest(v_account) with ordinality acc(id, at) on acc.id = l.account_id
    order by l.number
  ) l;

  -- The same for holds, and the holds as they are now: who holds the account's lock may change them.
  if v_has_changes then
    if exists (
      select from unnest(v_change_kind, v_change_amount) c(kind, amount)
      where c.kind is null or c.kind not in ('place', 'capture', 'void') or c.amount < 0
    ) then
      raise exception 'broken hold change' using errcode = 'check_violation';
    end if;

    select array_agg(named.id), array_agg(hold.account_id), array_agg(hold.amount), array_agg(coalesce(hold.remaining, 0)),
      array_agg(coalesce(hold.status = 'OPEN', false)), array_agg(case when hold.id is null then 0 end)
    into v_hold, v_hold_account, v_hold_amount, v_hold_remaining, v_hold_open, v_hold_placed_by
    from (select distinct id from unnest(v_change_hold) c(id)) named left join hold on hold.id = named.id;

    select array_agg(acc_at), array_agg(hold_at), array_agg(case
        when acc_at is null or v_owner[acc_at] <> v_company[posting] then 'unknown_account'
        when v_account_currency[acc_at] <> v_currency[posting] then 'currency_mismatch'
        when amount > max_total then 'amount_too_large'
      end)
    into v_change_at, v_change_hold_at, v_change_fault
    from (
      select c.posting, c.amount, array_position(v_account, c.account_id) as acc_at,
        array_position(v_hold, c.hold_id) as hold_at
      from unnest(v_change_posting, v_change_account, v_change_hold, v_change_amount)
        with ordinality c(posting, account_id, hold_id, amount, number)
      order by c.number
    ) q;
  end if;

  -- 4. Decide, in order. A posting that fails halfway is taken back leg by leg.
  v_leg_balance := v_leg_amount; -- the right length; every element that is used gets its balance below
  for i in 1 .. n loop
    leg_from := leg_to + 1;
    leg_to := leg_to + coalesce(v_legs[i], 0);
    change_from := change_to + 1;
    change_to := change_to + coalesce(v_changes[i], 0);

    if v_kind[i] is null and v_twin[i] is not null then
      h := v_twin[i];
      if v_kind[h] = 'refused' then
        v_late := v_late || i; -- nothing was posted under this key: it is this posting's now, if it passes
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
          elsif v_frozen[a] then
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
          v_change_amount[k] := v_hold_remaining[h]; -- what it unlocked, in case it is taken back
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

    -- With all of the posting applied: is anything taken from a frozen account beyond its holds, or more than there is?
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
    if v_claimed[i] then v_refused := v_refused || v_id[i]; end if;
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
  end loop;

  -- 5. Write what came of it.
  if cardinality(v_refused) > 0 then
    delete from ledger_transaction where id = any (v_refused);
  end if;
  foreach k in array v_late loop
    if v_kind[k] = 'posted' then
      insert into ledger_transaction
        (id, company_id, type, status, amount, currency, key, reference, escrow_id, metadata, content_hash)
      select id, company_id, type, status, amount, currency, key, reference, escrow_id, coalesce(metadata, '{}'), v_hash[k]
      from jsonb_to_record(p_postings -> (k - 1)) as (id uuid, company_id uuid, key text, type text, status text,
        amount bigint, currency text, reference text, escrow_id uuid, metadata jsonb)
      returning created_at into v_now;
      v_time[k] := v_now;
    end if;
  end loop;
  for i in 1 .. n loop -- duplicates of a posting of this batch whose time was not known yet
    if v_kind[i] = 'duplicate' and v_time[i] is null then v_time[i] := v_time[v_twin[i]]; end if;
  end loop;

  v_now := clock_timestamp(); -- after the locks: on a locked account, later entries never have earlier times
  update account acc set posted = b.posted, held = b.held, updated_at = v_now
  from unnest(v_account[1:v_locked], v_posted[1:v_locked], v_held[1:v_locked]) b(id, posted, held)
  where acc.id = b.id and (acc.posted <> b.posted or acc.held <> b.held);

  if v_locked < cardinality(v_account) then
    insert into account_delta (account_id, company_id, amount)
    select b.id, b.company_id, b.posted - b.posted_before
    from unnest(v_account, v_owner, v_posted, v_posted_before) with ordinality b(id, company_id, posted, posted_before, at)
    where b.at > v_locked and b.posted <> b.posted_before;
  end if;

  insert into entry (transaction_id, account_id, company_id, amount, currency, balance_after, created_at)
  select v_id[l.posting], l.account_id, v_owner[l.at], l.amount, v_currency[l.posting],
    case when not v_appends[l.at] then l.balance end, v_now
  from unnest(v_leg_posting, v_leg_account, v_leg_amount, v_leg_at, v_leg_balance)
    with ordinality l(posting, account_id, amount, at, balance, number)
  where v_kind[l.posting] = 'posted'
  order by l.number;

  if v_has_changes then
    insert into hold (id, company_id, account_id, transaction_id, amount, remaining, status)
    select h.id, v_company[h.placed_by], h.account_id, v_id[h.placed_by], h.amount, h.remaining,
      case when h.is_open then 'OPEN' else 'CLOSED' end
    from unnest(v_hold, v_hold_account, v_hold_amount, v_hold_remaining, v_hold_open, v_hold_placed_by)
      h(id, account_id, amount, remaining, is_open, placed_by)
    where h.placed_by > 0;

    update hold set remaining = h.remaining, status = case when h.is_open then 'OPEN' else 'CLOSED' end, updated_at = v_now
    from unnest(v_hold, v_hold_remaining, v_hold_open, v_hold_placed_by) h(id, remaining, is_open, placed_by)
    where hold.id = h.id and h.placed_by is null
      and (hold.remaining <> h.remaining or (hold.status = 'OPEN') <> h.is_open);
  end if;

  end if;

  return query select * from unnest(v_kind, v_id, v_time, v_code, v_culprit);
end $$;

-- Reading -----------------------------------------------------------------------------------------------------------------

-- The balance of an account right after an entry, for accounts whose entries do not carry it.
create function ledger_balance_at(p_account uuid, p_entry bigint) returns bigint language sql stable as $$
  select coalesce(c.balance, 0) + coalesce((
    select sum(e.amount) from entry e
    where e.account_id = p_account and e.id > coalesce(c.entry_id, 0) and e.id <= p_entry), 0)::bigint
  from (select) start left join lateral (
    select * from balance_checkpoint b where b.account_id = p_account and b.entry_id <= p_entry order by b.entry_id desc limit 1
  ) c on true
$$;

-- What transactions of a company moved, by account type: with the platform's fee, whose entries the company cannot see.
create function ledger_transaction_totals(p_company uuid, p_transactions uuid[])
returns table (transaction_id uuid, account_type text, amount bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, a.type, sum(e.amount)::bigint
  from ledger_transaction t join entry e on e.transaction_id = t.id join account a on a.id = e.account_id
  where t.id = any (p_transactions) and t.company_id = p_company
    and (session_user <> 'escrow_api' or t.company_id = current_company())
  group by t.id, a.type
$$;

-- Sealing -----------------------------------------------------------------------------------------------------------------

-- Hashes are over JSON, which has one spelling for each value; times are microseconds, whatever the session's time zone.

create function ledger_microseconds(p_time timestamptz) returns bigint language sql immutable as
$$ select (extract(epoch from p_time) * 1000000)::bigint $$;

-- Everything about a transaction that never changes: all but its status.
create function ledger_transaction_hash(t ledger_transaction) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(t.id, t.company_id, t.type, t.amount, t.currency, t.key, t.reference, t.escrow_id,
    t.metadata, encode(t.content_hash, 'hex'), ledger_microseconds(t.created_at), t.position)::text, 'UTF8'))
$$;

create function ledger_entry_hash(e entry) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(e.id, e.transaction_id, e.account_id, e.company_id, e.amount, e.currency,
    e.balance_after, ledger_microseconds(e.created_at))::text, 'UTF8'))
$$;

create function ledger_block_hash(b block) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(b.company_id, b.seq, encode(b.previous_hash, 'hex'), b.transaction_ids,
    b.transaction_hashes::text, b.entry_ids, b.entry_hashes::text, b.balances, ledger_microseconds(b.created_at))::text, 'UTF8'))
$$;

-- Seals what was posted since the last call, folds deltas, writes checkpoints. Answers how many transactions it sealed;
-- null when another session is at it. At most max_transactions at once, so call it again while it answers that many.
create function ledger_seal(max_transactions integer default 20000) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
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
  batch record;
  link block;
  locked uuid[];
begin
  -- Which numbers are final follows from the order of what comes next, so it must be seen as it happens.
  if current_setting('transaction_isolation') <> 'read committed' or pg_current_xact_id_if_assigned() is not null then
    raise exception 'ledger_seal needs a read committed transaction of its own' using errcode = 'invalid_transaction_state';
  end if;
  if not pg_try_advisory_xact_lock(hashtext('ledger_seal')) then return null; end if;

  -- Every transaction that drew one of these numbers already had its xid (see ledger_post), which is less than own_xid.
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

  -- One block for each company and each thousand transactions.
  for batch in
    select company_id, array_agg(id order by position) as ids, array_agg(hash order by position) as hashes
    from (
      select t.id, t.company_id, t.position, ledger_transaction_hash(t) as hash,
        (row_number() over (partition by t.company_id order by t.position) - 1) / block_size as number
      from ledger_transaction t where t.position > progress.final_position and new_positions @> t.position
    ) t
    group by company_id, number
    order by company_id, number
  loop
    link := null;
    link.company_id := batch.company_id;
    link.transaction_ids := batch.ids;
    link.transaction_hashes := batch.hashes;
    link.created_at := clock_timestamp();
    select b.seq + 1, b.hash into link.seq, link.previous_hash
    from block b where b.company_id = batch.company_id order by b.seq desc limit 1;
    link.seq := coalesce(link.seq, 1);
    link.previous_hash := coalesce(link.previous_hash, '\x');

    select coalesce(array_agg(e.id order by e.id), '{}'), coalesce(array_agg(ledger_entry_hash(e) order by e.id), '{}')
    into link.entry_ids, link.entry_hashes
    from entry e where e.transaction_id = any (batch.ids);

    with moved as (
      select e.account_id, sum(e.amount)::bigint as amount, count(*)::integer as entries
      from entry e where e.transaction_id = any (batch.ids) group by e.account_id
    ), balance as (
      insert into sealed_balance as s (account_id, company_id, balance, entries_since_checkpoint)
      select m.account_id, batch.company_id, m.amount, m.entries from moved m
      on conflict (account_id, company_id) do update set balance = s.balance + excluded.balance,
        entries_since_checkpoint = s.entries_since_checkpoint + excluded.entries_since_checkpoint
      returning s.account_id, s.balance
    )
    select coalesce(jsonb_object_agg(account_id, balance::text), '{}'), coalesce(array_agg(account_id), '{}')
    into link.balances, touched_now from balance;
    touched := touched || touched_now;

    link.hash := ledger_block_hash(link);
    insert into block select link.*;
  end loop;

  progress.sealed_beyond := progress.sealed_beyond + coalesce(new_positions, '{}');
  if progress.next_xid <= oldest_running
    and (new_count < max_transactions or upper(new_positions) > progress.next_position)
  then
    -- All that could have used those numbers has ended, and what it left was visible above and is sealed.
    progress.final_position := progress.next_position;
    progress.final_entry := progress.next_entry;
    progress.sealed_beyond := progress.sealed_beyond * int8multirange(int8range(progress.final_position, null, '()'));
    progress.next_position := drawn_position;
    progress.next_entry := drawn_entry;
    progress.next_xid := own_xid;
  elsif progress.next_xid > own_xid then
    progress.next_xid := own_xid; -- restored into another server, whose count of transactions is behind
  end if;
  update seal_progress set final_position = progress.final_position, final_entry = progress.final_entry,
    sealed_beyond = progress.sealed_beyond, next_position = progress.next_position, next_entry = progress.next_entry,
    next_xid = progress.next_xid;

  -- Busy accounts get a checkpoint at the last final entry, each time they gathered enough entries.
  with due as (
    select s.account_id from sealed_balance s where s.account_id = any (touched)
    group by s.account_id having sum(s.entries_since_checkpoint) >= checkpoint_every
  ), written as (
    insert into balance_checkpoint (account_id, company_id, entry_id, balance)
    select a.id, a.company_id, progress.final_entry, ledger_balance_at(a.id, progress.final_entry)
    from due join account a on a.id = due.account_id
    where a.appends and progress.final_entry > 0
    on conflict do nothing
  )
  update sealed_balance s set entries_since_checkpoint = 0 from due where s.account_id = due.account_id;

  -- Fold. Accounts that someone has locked are being folded by them. Last, so that the locks are short.
  select coalesce(array_agg(id), '{}') into locked from (
    select a.id from account a where a.id in (select d.account_id from account_delta d)
    order by a.id for no key update skip locked
  ) a;
  with gone as (
    delete from account_delta d where d.account_id = any (locked) returning d.account_id, d.amount
  ), total as (
    select g.account_id, sum(g.amount)::bigint as amount from gone g group by g.account_id
  )
  update account a set posted = a.posted + t.amount, updated_at = clock_timestamp() from total t where a.id = t.account_id;

  return new_count;
end $$;

-- Verifying ---------------------------------------------------------------------------------------------------------------

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

-- Who may call what. Hashes, checks and look-ups run as their caller, behind row-level security, and need no grant.
revoke execute on function ledger_post, ledger_transaction_totals, ledger_seal, ledger_verify from public;
grant execute on function ledger_post, ledger_transaction_totals, ledger_verify to escrow_api, escrow_worker;
grant execute on function ledger_seal to escrow_worker;
