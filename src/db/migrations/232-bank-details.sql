-- The default bank details of ledgers, with their history. A change is a row; only the time at which it takes effect may change:
-- earlier, when a second administrator approves it, and to null, when another change replaces it before.

create table bank_details (
  id uuid not null,
  company_id uuid not null,
  ledger_id uuid not null,
  bank_name text not null,
  branch_code text not null,
  account_number encrypted_text not null,
  -- All but the last four characters hidden.
  masked_number text not null,
  account_name text not null,
  actor_kind text not null check (actor_kind in ('administrator', 'api_key', 'user')),
  actor_id uuid not null,
  -- The administrator who made the change, or the API key with which it was made. Null if the key's maker is not known, or if the
  -- user of the ledger made it on an order page.
  person_id uuid,
  -- By the company's clock.
  changed_at timestamptz not null,
  -- Null: another change replaced it before it took effect.
  effective_at timestamptz,
  approved_by uuid,
  -- The number that the person had before the change, until the message about it is sent. Null: nobody is told, or was told.
  number_to_tell text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, ledger_id) references ledger (company_id, id) on delete restrict
);
create index bank_details_ledger on bank_details (company_id, ledger_id, created_at desc);
create index bank_details_to_tell on bank_details (company_id, created_at) where number_to_tell is not null;
call tenant_table('bank_details', 'select');
call named_column('bank_details', 'approved_by');
call named_column('bank_details', 'actor_id', '{administrator,api_key,app_user}');
call named_column('bank_details', 'person_id', '{administrator,api_key}');
grant insert, update (effective_at, approved_by) on bank_details to escrow_api;
grant update (number_to_tell) on bank_details to escrow_worker;
-- No role may delete them; the erasure of a person does (358-erasure.sql).
create trigger bank_details_are_kept before truncate on bank_details
  for each statement execute function refuse_change();
