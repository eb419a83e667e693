-- Currencies. The table in src/domain/money.ts has the same rows; a test compares the two.

create table currency (
  code text primary key check (code ~ '^[A-Z]{3}$'),
  -- ISO 4217.
  iso_code text not null unique check (iso_code ~ '^[A-Z]{3}$'),
  decimals smallint not null check (decimals between 0 and 4)
);
grant select on currency to escrow_api, escrow_worker;
insert into currency (code, iso_code, decimals) values ('USD', 'USD', 2), ('ZIG', 'ZWG', 2);

-- Adds a currency to a database that is in use. Every ledger gets an account in this currency for each type of account that the
-- ledger has.
create function add_currency(p_code text, p_iso_code text, p_decimals integer) returns void
language plpgsql volatile set search_path = public, pg_temp as $$
begin
  insert into currency (code, iso_code, decimals) values (p_code, p_iso_code, p_decimals);
  insert into account (id, company_id, ledger_id, type, currency, may_go_negative, appends)
  select gen_random_uuid(), a.company_id, a.ledger_id, a.type, p_code, a.may_go_negative, bool_or(a.appends)
  from account a group by a.company_id, a.ledger_id, a.type, a.may_go_negative;
end $$;
