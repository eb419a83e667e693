-- What companies owe the platform: the platform's fees of their escrows, on their INTERCOMPANY accounts. A settlement moves cash
-- from the company's BANK account to the platform's, with a transaction in the books of each.

create table intercompany_settlement (
  -- The company's transaction.
  id uuid not null,
  -- The platform's transaction. It is posted after this row is written, in the same database transaction.
  receipt_id uuid not null,
  company_id uuid not null references company on delete restrict,
  currency text not null references currency,
  amount_cents bigint not null check (amount_cents > 0),
  reference text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  unique (company_id, receipt_id),
  unique (company_id, currency, reference),
  foreign key (company_id, id) references ledger_transaction (company_id, id) on delete restrict
);
-- For the audit of the platform's transactions.
create index intercompany_settlement_id on intercompany_settlement (id);
call tenant_table('intercompany_settlement', 'select, insert');
call journal_table('intercompany_settlement', 'id');

create function settlement_has_receipt() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from ledger_transaction t where t.company_id = platform_company() and t.id = new.receipt_id) then
    raise exception 'the platform has no transaction %', new.receipt_id using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create constraint trigger intercompany_settlement_received after insert or update on intercompany_settlement
  deferrable initially deferred for each row execute function settlement_has_receipt();

-- The companies with a debt to the platform, by name. `payable_cents`: how much the company may pay out after its debts are paid.
-- The API's role reads it for the platform, or a company for itself.
create function intercompany_debts(p_company uuid)
returns table (company_id uuid, name text, currency text, owed_cents numeric, payable_cents numeric)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.id, c.name, a.currency, d.owed, company_payable_cash(c.id, a.currency)
  from company c
  join account a on a.company_id = c.id and a.type = 'INTERCOMPANY'
  cross join lateral (select company_debt(c.id, a.currency) as owed) d
  where d.owed > 0 and (p_company is null or c.id = p_company)
    and (session_user <> 'escrow_api' or current_company() in (c.id, platform_company()))
  order by c.name, c.id, a.currency
$$;
