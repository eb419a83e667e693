-- Withdrawals. As with escrows, the events are the source of truth, and the row is their folded state.
create table withdrawal (
  -- Also the id of the command that created it, of the ledger transaction that clients follow, and of the hold.
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  account_id uuid not null,
  status text not null check (status in ('PROCESSING', 'COMPLETED', 'FAILED', 'REVERSED', 'CANCELLED')),
  seq integer not null,
  currency text not null,
  amount_cents bigint not null check (amount_cents > 0),
  tax_cents bigint not null check (tax_cents >= 0),
  external_reference text not null,
  -- The folded state. Ids, amounts and instants only.
  state jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, external_reference),
  foreign key (company_id, account_id) references account (company_id, id) on delete restrict
);
create index withdrawal_company_reference on withdrawal (company_id, match_key(external_reference));
create index withdrawal_company on withdrawal (company_id, created_at desc, id desc);
create index withdrawal_company_changed on withdrawal (company_id, updated_at desc, id desc);
create index withdrawal_account on withdrawal (company_id, account_id, created_at desc);
create index withdrawal_company_status on withdrawal (company_id, status, created_at desc, id desc);
-- Withdrawals that need a workflow: those that the bank has not decided, and those whose decision the bank may still change.
create index withdrawal_open on withdrawal (id) where status = 'PROCESSING';
create index withdrawal_ended on withdrawal (updated_at) where status <> 'PROCESSING';
call entity_table('withdrawal', 'withdrawal_event', 'withdrawal_id',
  'id', 'company_id', 'account_id', 'currency', 'amount_cents', 'tax_cents', 'external_reference');

call event_table('withdrawal_event', 'withdrawal', 'withdrawal_id');

-- The payee's bank account and the reference. Written before the command is sent, so no workflow payload contains it. Deleted if
-- the withdrawal is refused.
create table payout_destination (
  -- The id of the withdrawal.
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  external_reference text not null,
  bank_name text not null,
  branch_code text not null,
  -- Null: the payee was erased.
  account_number encrypted_text,
  account_name text not null,
  -- The number of times that the payment may have reached the bank. Counted before it is sent.
  attempts integer not null default 0 check (attempts >= 0),
  -- The bank gets the payment no earlier, by the company's clock: the destination is new. Null: at once.
  not_before timestamptz,
  -- The administrator who requested it, or who made the API key that did. Another one may end the wait.
  person_id uuid,
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index payout_destination_age on payout_destination (created_at);
call tenant_table('payout_destination', 'select, insert, delete');
call named_column('payout_destination', 'person_id', '{administrator,api_key}');
grant update (attempts) on payout_destination to escrow_worker;
grant update (not_before) on payout_destination to escrow_api;

-- Payments that a person must review (see PAYOUT_CONCERNS), and payments that the bank made after their money was given back.
create index withdrawal_event_odd on withdrawal_event (type) where type in ('REVIEW_NEEDED', 'SETTLED_LATE');
