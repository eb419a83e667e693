-- Fee rates.

-- Rates with the instant from which they apply. The latest one whose instant has come is in force. A new rate is a new row.
create table fee_config (
  company_id uuid not null references company on delete restrict,
  kind text not null check (kind in ('TRANSFER_TAX', 'SYSTEM_FEE', 'SERVICE_FEE')),
  currency text not null references currency,
  basis_points integer not null check (basis_points between 0 and 10000),
  effective_from timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (company_id, kind, currency, effective_from)
);
call tenant_table('fee_config', 'select, insert');
