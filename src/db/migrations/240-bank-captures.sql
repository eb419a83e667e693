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
call named_column('bank_capture', 'matched_id', '{ledger_transaction,app_user,account}');
grant update (matched_kind, matched_id, account_id, updated_at) on bank_capture to escrow_api;
grant update (updated_at) on bank_capture to escrow_worker; -- for locks
