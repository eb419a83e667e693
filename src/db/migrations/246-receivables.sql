-- What others owe the company. Each receivable is a debit of the RECEIVABLE account: the part of a chargeback that the payer's
-- account did not cover, a payout that the bank made after all, or tax that the TAX account could not return. Settlements credit
-- the account. Both tables are append-only parts of the journal, so the open amount is always the sum of what was written.

create table receivable (
  -- The transaction that booked it.
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  reason text not null check (reason in ('CHARGEBACK', 'REFUND', 'PAYOUT', 'TAX', 'FEE')),
  -- The account that owes the money.
  account_id uuid not null,
  currency text not null references currency,
  amount_cents bigint not null check (amount_cents > 0),
  -- The deposit that was taken back, and the escrow that the deposit funded.
  deposit_id uuid,
  escrow_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, id) references ledger_transaction (company_id, id) on delete restrict,
  foreign key (company_id, account_id) references account (company_id, id) on delete restrict,
  foreign key (company_id, deposit_id) references ledger_transaction (company_id, id) on delete restrict,
  foreign key (company_id, escrow_id) references escrow (company_id, id) on delete restrict
);
create index receivable_company on receivable (company_id, created_at desc, id desc);
create index receivable_account on receivable (company_id, account_id);
create index receivable_escrow on receivable (company_id, escrow_id) where escrow_id is not null;
create index receivable_deposit on receivable (company_id, deposit_id) where deposit_id is not null;
call tenant_table('receivable', 'select, insert');
call journal_table('receivable', 'id');

create table receivable_settlement (
  id uuid not null,
  receivable_id uuid not null,
  -- The transaction that credited the RECEIVABLE account. One transaction may settle several receivables.
  transaction_id uuid not null,
  company_id uuid not null references company on delete restrict,
  -- COLLECTED: from the account that owes it. WRITTEN_OFF: the company bears it. REVERSED: the debt itself was taken back. These
  -- two give an earlier settlement back and leave the receivable settled. REPAID: to the account. RECOVERED: to the company.
  kind text not null check (kind in ('COLLECTED', 'WRITTEN_OFF', 'REVERSED', 'REPAID', 'RECOVERED')),
  amount_cents bigint not null check (amount_cents > 0),
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, receivable_id) references receivable (company_id, id) on delete restrict,
  foreign key (company_id, transaction_id) references ledger_transaction (company_id, id) on delete restrict
);
create index receivable_settlement_receivable on receivable_settlement (company_id, receivable_id);
create index receivable_settlement_transaction on receivable_settlement (company_id, transaction_id);
call tenant_table('receivable_settlement', 'select, insert');
call journal_table('receivable_settlement', 'id');

create function report_instant() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('app.report_at', true), ''), 'infinity')::timestamptz
$$;

-- Every receivable with its settled parts. `remaining_cents` is what is still owed; `collected_cents` and `written_off_cents` are
-- what the account and the company have paid of it. As they were before the instant in `app.report_at`, if a transaction sets it.
create view receivable_balance with (security_invoker = true) as
  select r.*, r.amount_cents - s.settled_cents as remaining_cents, s.collected_cents, s.written_off_cents
  from receivable r
  cross join lateral (
    select coalesce(sum(x.amount_cents) filter (where x.kind in ('COLLECTED', 'WRITTEN_OFF', 'REVERSED')), 0)::bigint
        as settled_cents,
      coalesce(sum(case x.kind when 'COLLECTED' then x.amount_cents when 'REPAID' then -x.amount_cents end), 0)::bigint
        as collected_cents,
      coalesce(sum(case x.kind when 'WRITTEN_OFF' then x.amount_cents when 'RECOVERED' then -x.amount_cents end), 0)::bigint
        as written_off_cents
    from receivable_settlement x where x.company_id = r.company_id and x.receivable_id = r.id and x.created_at < report_instant()
  ) s where r.created_at < report_instant();
grant select on receivable_balance to escrow_api, escrow_worker;
