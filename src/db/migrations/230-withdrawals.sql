-- Withdrawals, as escrows: the events are the truth, the row is what folding them gives.
create table withdrawal (
  -- Also the id of the command that made it, of the ledger transaction that clients follow, and of the hold.
  id uuid primary key,
  company_id uuid not null references company on delete restrict,
  account_id uuid not null references account on delete restrict,
  status text not null check (status in ('PROCESSING', 'COMPLETED', 'FAILED', 'REVERSED')),
  seq integer not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  tax_amount bigint not null check (tax_amount >= 0),
  external_reference text not null,
  -- The folded state. Ids, amounts and instants only.
  state jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (company_id, external_reference)
);
create index withdrawal_company on withdrawal (company_id, created_at desc, id desc);
create index withdrawal_company_changed on withdrawal (company_id, updated_at desc, id desc);
create index withdrawal_company_status on withdrawal (company_id, status, created_at desc, id desc);
-- What needs a workflow: what the bank has not decided, and for a long time after that what it may still change its word on.
create index withdrawal_open on withdrawal (id) where status = 'PROCESSING';
create index withdrawal_ended on withdrawal (updated_at) where status <> 'PROCESSING';
call entity_table('withdrawal', 'withdrawal_event', 'withdrawal_id',
  'id', 'company_id', 'account_id', 'currency', 'amount', 'tax_amount', 'external_reference');

call event_table('withdrawal_event', 'withdrawal', 'withdrawal_id');

-- Where the money is to go, and under which reference. Written before the command is sent, so that no workflow payload
-- carries it; taken back where the withdrawal is refused.
create table payout_destination (
  -- The withdrawal's.
  id uuid primary key,
  company_id uuid not null references company on delete restrict,
  external_reference text not null,
  bank_name text not null,
  branch_code text not null,
  account_number encrypted_text not null,
  account_name text not null,
  -- How many times the payment may have reached the bank. Counted before it is sent.
  attempts integer not null default 0 check (attempts >= 0),
  created_at timestamptz not null default now()
);
create index payout_destination_age on payout_destination (created_at);
call tenant_table('payout_destination', 'select, insert, delete');
-- account_number: when keys are rotated.
grant update (account_number, attempts) on payout_destination to escrow_worker;

-- Payments that a person has to look at: see PAYOUT_CONCERNS, and those that the bank made after they were given back.
create index withdrawal_event_odd on withdrawal_event (type) where type in ('REVIEW_NEEDED', 'SETTLED_LATE');
