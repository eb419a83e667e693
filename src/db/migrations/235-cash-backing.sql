-- Payouts are paid from one bank account, so a company may take out only money that came in for it.

-- The limits up to which the platform lets a company pay out more than its cash.
create table payout_limit (
  company_id uuid not null references company on delete restrict,
  currency text not null references currency,
  amount_cents bigint not null check (amount_cents >= 0),
  updated_at timestamptz not null default now(),
  primary key (company_id, currency)
);
call tenant_table('payout_limit', 'select, insert');
grant update (amount_cents, updated_at) on payout_limit to escrow_api;

-- What a company owes the platform, in cents: the balance of its INTERCOMPANY account. The platform itself owes nothing.
create function company_debt(p_company uuid, p_currency text) returns numeric
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(sum(greatest(
    a.posted + coalesce((select sum(d.amount) from account_delta d where d.company_id = p_company and d.account_id = a.id), 0),
    0)), 0)
  from account a where a.company_id = p_company and a.type = 'INTERCOMPANY' and a.currency = p_currency
$$;

-- The amount that a company may still pay out, in cents. It is negative if the company has taken too much. It is the sum of
--   the cash: what captures, payouts and returns leave on BANK, and what the gateway and mobile money report on their clearing
--   accounts. Their settlement moves cash between these accounts. CLEARING_DECLARED does not count: its deposits were only declared
--   less what it owes the platform
--   less payouts that the bank has not decided
--   plus the limit that the platform granted.
create function company_payable_cash(p_company uuid, p_currency text) returns numeric
language sql stable security definer set search_path = public, pg_temp as $$
  with cash as (
    select -sum(a.posted + coalesce(
      (select sum(d.amount) from account_delta d where d.company_id = p_company and d.account_id = a.id), 0)) as cents
    from account a
    where a.company_id = p_company and a.type in ('BANK', 'CLEARING_CARD', 'CLEARING_MOBILE') and a.currency = p_currency
  )
  select cash.cents
    - company_debt(p_company, p_currency)
    - coalesce((
        select sum(w.amount_cents) from withdrawal w
        where w.company_id = p_company and w.currency = p_currency and w.status = 'PROCESSING'), 0)
    + coalesce((select l.amount_cents from payout_limit l where l.company_id = p_company and l.currency = p_currency), 0)
  from cash
  where session_user <> 'escrow_api' or current_company() in (p_company, platform_company())
$$;
