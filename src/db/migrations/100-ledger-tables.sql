-- The ledger: double entry in integer cents.
--
-- Every amount, balance and sum in the ledger's tables and functions (files 100 to 160, 310, and the audits 330 and 335) is in
-- cents. In all other files the columns and parameters carry the unit in their names: amount_cents, total_cents, tax_cents.
--
-- Money moves only through ledger_post, which writes transactions and entries. These never change. Balances, deltas, checkpoints
-- and blocks are derived from them and can be recomputed. Holds can be recomputed from hold_change (115-ledger-journal.sql).
--
--   account            posted (folded) and held cents of one account
--   account_delta      credits to busy accounts that are not folded into `posted` yet; balance = posted + deltas
--   ledger_transaction one posting: the request and its key
--   entry              one leg of a transaction; never changed, never deleted
--   hold               money locked for a purpose: placed, captured in parts, voided
--   block              per company, a chain of hashes over sealed transactions and entries
--   sealed_balance     balances according to the blocks
--   balance_checkpoint balances of busy accounts at some entry, so a statement need not add up all entries
--
-- There are no foreign keys from entry, account_delta and ledger_transaction to account and company: each would lock the
-- referenced row once per posting, and these are the busiest rows. ledger_post reads every account it writes for; accounts and
-- companies are never deleted (triggers below, privileges); ledger_verify looks for orphans.

create table ledger (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  -- Null: the company's own ledger.
  user_id uuid,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique nulls not distinct (company_id, user_id),
  foreign key (company_id, user_id) references app_user (company_id, id) on delete restrict
);
call tenant_table('ledger', 'select, insert');
grant update (updated_at) on ledger to escrow_api; -- for locks

create table account (
  id uuid not null,
  company_id uuid not null,
  ledger_id uuid not null,
  type text not null
    check (type in ('USER', 'COMPANY', 'SERVICE_FEE', 'TAX', 'SUSPENSE', 'TRANSIT',
      'BANK', 'CLEARING_CARD', 'CLEARING_MOBILE', 'CLEARING_DECLARED', 'RECEIVABLE', 'INTERCOMPANY', 'SYSTEM_FEE')),
  currency text not null references currency,
  posted bigint not null default 0,
  held bigint not null default 0 check (held >= 0),
  may_go_negative boolean not null,
  -- Busy accounts are credited by a delta row, without locking this row. When this is switched off, the sealer folds the
  -- remaining deltas within a second. Only then do they count for debits.
  appends boolean not null,
  is_frozen boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, ledger_id, type, currency),
  foreign key (company_id, ledger_id) references ledger (company_id, id) on delete restrict,
  -- Unfolded deltas only increase the balance of an account that may not go negative, so the check holds for the balance too.
  constraint account_not_overdrawn check (may_go_negative or posted >= held),
  constraint account_contra_side check (may_go_negative = (type in
    ('TRANSIT', 'BANK', 'CLEARING_CARD', 'CLEARING_MOBILE', 'CLEARING_DECLARED', 'RECEIVABLE', 'INTERCOMPANY'))),
  -- A contra side holds nobody's money. If it were frozen, nothing could be deposited, or nothing charged back.
  constraint account_contra_side_not_frozen check (not (is_frozen and may_go_negative))
) with (fillfactor = 70); -- leaves room on the page: a balance changes in place, without an index update
create index account_company on account (company_id, type);
call tenant_table('account', 'select');
grant insert (id, company_id, ledger_id, type, currency, may_go_negative, appends) on account to escrow_api, escrow_worker;
grant update (is_frozen, updated_at) on account to escrow_api;
-- The worker locks accounts, and a lock needs the right to change a column.
grant update (updated_at) on account to escrow_worker;

create table account_delta (
  account_id uuid not null,
  company_id uuid not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index account_delta_account on account_delta (account_id);
call tenant_table('account_delta', 'select');

create table ledger_transaction (
  id uuid not null,
  company_id uuid not null,
  type text not null check (type in
    ('DEPOSIT', 'ESCROW_HOLD', 'PAYMENT', 'REFUND', 'WITHDRAWAL', 'REVERSAL', 'BANK_CAPTURE', 'ADJUSTMENT')),
  -- The one column that changes later; see ledger_transaction_guard and transaction_status_change.
  status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REVERSED', 'CANCELLED')),
  -- The status it was posted with.
  posted_status text not null,
  amount bigint not null check (amount between 0 and 9200000000000000000),
  -- The currency of its accounts, which ledger_post checks. A foreign key would lock the currency's row once per posting.
  currency text not null,
  key text not null,
  reference text,
  escrow_id uuid,
  metadata jsonb not null default '{}',
  -- The hash of everything that makes two postings equal. It excludes the id and the metadata.
  content_hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  -- The order in which postings were requested. The sealer follows it.
  position bigint generated always as identity,
  -- The database transaction that wrote this row: until it ends, the row may be deleted again.
  xid xid8 not null default pg_current_xact_id(),
  primary key (company_id, id),
  unique (company_id, key)
);
create index ledger_transaction_position on ledger_transaction (position);
create index ledger_transaction_reference on ledger_transaction (company_id, reference) where reference is not null;
create index ledger_transaction_escrow on ledger_transaction (escrow_id) where escrow_id is not null;
call tenant_table('ledger_transaction', 'select');
grant update (status) on ledger_transaction to escrow_api, escrow_worker;

create table entry (
  -- Drawn after the accounts are locked: on a locked account, the order of ids is the order of effects.
  id bigint generated always as identity,
  transaction_id uuid not null,
  account_id uuid not null,
  -- The account's company.
  company_id uuid not null,
  -- The transaction's company, if it is another one: the entry is the platform's half of a fee.
  origin_id uuid check (origin_id <> company_id),
  -- Signed: a credit is positive, a debit negative.
  amount bigint not null check (amount <> 0),
  currency text not null,
  -- Null on accounts that append; ledger_balance_at computes it.
  balance_after bigint,
  created_at timestamptz not null,
  -- Also the index of an account's entries. Ids come from one sequence, so an id alone names an entry too.
  primary key (company_id, account_id, id)
);
create index entry_transaction on entry (transaction_id);
call tenant_table('entry', 'select');

create table hold (
  id uuid not null,
  company_id uuid not null,
  account_id uuid not null,
  -- The transaction that placed it.
  transaction_id uuid not null,
  amount bigint not null check (amount > 0),
  remaining bigint not null check (remaining between 0 and amount),
  status text not null check (status in ('OPEN', 'CLOSED')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, account_id) references account (company_id, id) on delete restrict,
  foreign key (company_id, transaction_id) references ledger_transaction (company_id, id) on delete restrict,
  check (status = 'OPEN' or remaining = 0)
) with (fillfactor = 70);
create index hold_open on hold (account_id) where status = 'OPEN';
create index hold_transaction on hold (transaction_id);
call tenant_table('hold', 'select');

-- One link of a company's chain. It holds a hash of each sealed transaction and entry, so an audit can name a changed row.
create table block (
  company_id uuid not null references company on delete restrict,
  seq bigint not null,
  transaction_ids uuid[] not null,
  transaction_hashes bytea[] not null,
  entry_ids bigint[] not null,
  entry_hashes bytea[] not null,
  -- Records of the journal, see seal_queue.
  records text[] not null,
  record_hashes bytea[] not null,
  -- {account: balance}: the sum of all sealed transactions of the company, for each account in this block.
  balances jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (company_id, seq)
);
call tenant_table('block', 'select');

-- The latest of these balances for each account. On the platform's fee accounts every company has its own share.
create table sealed_balance (
  account_id uuid not null,
  -- The company of the transactions, as in block.
  company_id uuid not null,
  balance bigint not null,
  entries_since_checkpoint integer not null,
  primary key (company_id, account_id)
) with (fillfactor = 70);
create index sealed_balance_account on sealed_balance (account_id);
call tenant_table('sealed_balance', 'select');

-- The balance of an appending account after one of its entries. No later entry can get a position before this entry.
create table balance_checkpoint (
  account_id uuid not null,
  company_id uuid not null,
  entry_id bigint not null,
  balance bigint not null,
  primary key (company_id, account_id, entry_id)
);
call tenant_table('balance_checkpoint', 'select');

-- The progress of the sealer over all companies. No role has privileges on this table. Transactions draw positions in one order
-- and commit in another, so the sealer keeps two marks.
create table seal_progress (
  only_row boolean primary key default true check (only_row),
  -- Up to here every position is sealed or unused, and no new one can appear.
  final_position bigint not null default 0,
  -- The same for entry ids.
  final_entry bigint not null default 0,
  -- Sealed positions beyond final_position.
  sealed_beyond int8multirange not null default '{}',
  -- Numbers up to these were drawn before the database transaction next_xid began. They become final when all older transactions
  -- have ended.
  next_position bigint not null default 0,
  next_entry bigint not null default 0,
  next_xid xid8 not null default '0'
);
insert into seal_progress default values;

create index ledger_transaction_by_type on ledger_transaction (company_id, type, created_at desc, id desc);
create index ledger_transaction_unfinished on ledger_transaction (company_id, status, created_at desc, id desc)
  where status <> 'COMPLETED';
-- For a time range on one account. The index alone gives the sums for part of an hour.
create index entry_time on entry (account_id, created_at, id) include (amount, transaction_id);
