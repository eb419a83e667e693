-- Receipts that the bank reported, and the account that each was matched to.
create table bank_capture (
  -- The id of its ledger transaction.
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  reference text not null,
  currency text not null,
  amount_cents bigint not null check (amount_cents > 0),
  matched_kind text not null check (matched_kind in ('TRANSIT_DEPOSIT', 'USER', 'SUSPENSE')),
  -- The matched deposit, user, or suspense account.
  matched_id uuid not null,
  -- The account that has the money now. A reversal debits it.
  account_id uuid not null,
  -- A deposit that was already credited and has the same reference, currency and amount as this receipt.
  possible_duplicate_of uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, id) references ledger_transaction (company_id, id) on delete restrict,
  foreign key (company_id, account_id) references account (company_id, id) on delete restrict,
  foreign key (company_id, possible_duplicate_of) references ledger_transaction (company_id, id) on delete restrict
);
create index bank_capture_company on bank_capture (company_id, created_at desc, id desc);
create index bank_capture_company_changed on bank_capture (company_id, updated_at desc, id desc);
create index bank_capture_suspense on bank_capture (company_id, created_at desc) where matched_kind = 'SUSPENSE';
call tenant_table('bank_capture', 'select, insert');
grant update (matched_kind, matched_id, account_id, updated_at) on bank_capture to escrow_api;
grant update (updated_at) on bank_capture to escrow_worker; -- for locks

-- The owner of a deposit: the named user, else the user whose custom reference equals one of the references, else the company.
-- The company's own accounts are read once for all deposits. A session plans this once, perhaps while tables are still empty, so
-- the plan is fixed: no sequential scan, and `offset 0` makes the planner look each account up by its ledger. Without it the
-- planner reads the accounts of all users for each deposit.
create function deposit_accounts(p_company_id uuid, p_deposits jsonb)
returns table (ordinal bigint, target uuid, fallback uuid, contra uuid, is_users boolean)
language sql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
  with own as materialized (
    select a.id, a.type, a.currency from account a
    where a.company_id = p_company_id and a.type in ('COMPANY', 'TRANSIT', 'CLEARING_DECLARED')
  )
  select d.ordinal,
    case when d.user_id is not null then
      (select a.id from ledger l
         cross join lateral (
           select a.id from account a
           where a.company_id = p_company_id and a.ledger_id = l.id and a.type = 'USER' and a.currency = d.currency offset 0) a
       where l.company_id = p_company_id and l.user_id = d.user_id and not exists (
         select from app_user u where u.company_id = p_company_id and u.id = d.user_id and u.erased_at is not null))
    else
      (select a.id from app_user u
         cross join lateral (
           select l.id from ledger l where l.company_id = p_company_id and l.user_id = u.id offset 0) l
         cross join lateral (
           select a.id from account a
           where a.company_id = p_company_id and a.ledger_id = l.id and a.type = 'USER' and a.currency = d.currency offset 0) a
       where u.company_id = p_company_id and match_key(u.custom_reference) in (match_key(d.memo), match_key(d.reference))
       order by (match_key(u.custom_reference) = match_key(d.memo)) desc nulls last limit 1)
    end,
    (select own.id from own where own.type = 'COMPANY' and own.currency = d.currency),
    (select own.id from own where own.type = case when d.is_transit then 'TRANSIT' else 'CLEARING_DECLARED' end and own.currency = d.currency),
    -- The reference is a user's, so it repeats.
    exists (select from app_user u where u.company_id = p_company_id and match_key(u.custom_reference) = match_key(d.reference))
  from rows from (jsonb_to_recordset(p_deposits)
    as (user_id uuid, memo text, reference text, currency text, is_transit boolean)) with ordinality
    as d (user_id, memo, reference, currency, is_transit, ordinal)
$$;
