-- Escrows. `escrow_event` is the truth; the row in `escrow` is what folding the events gives, kept for reading.

create table escrow (
  -- Also the id of the command that made it, and of the hold on the buyer's account.
  id uuid primary key,
  company_id uuid not null references company on delete restrict,
  status text not null,
  -- How many events made this row.
  seq integer not null,
  buyer_id uuid not null references app_user on delete restrict,
  seller_id uuid references app_user on delete restrict,
  currency text not null,
  total_amount bigint not null check (total_amount > 0),
  external_reference text,
  external_invoice_number text,
  -- The folded state: terms, shares, milestones, negotiations. Ids, amounts and instants only.
  state jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index escrow_reference on escrow (company_id, external_reference) where status <> 'CANCELLED';
create index escrow_company on escrow (company_id, created_at desc, id desc);
create index escrow_company_changed on escrow (company_id, updated_at desc, id desc);
create index escrow_company_reference on escrow (company_id, external_reference) where external_reference is not null;
create index escrow_company_status on escrow (company_id, status, created_at desc, id desc);
create index escrow_buyer on escrow (buyer_id, created_at desc);
create index escrow_seller on escrow (seller_id, created_at desc);
-- What still needs a workflow.
create index escrow_open on escrow (id) where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED');
call entity_table('escrow', 'escrow_event', 'escrow_id',
  'id', 'company_id', 'buyer_id', 'seller_id', 'currency', 'total_amount', 'external_reference');

call event_table('escrow_event', 'escrow', 'escrow_id');

-- What people wrote: item names, notes, reasons, references. Written before the command is sent, found under its id, so
-- that no workflow payload carries it. A row without an event belongs to a command that was refused or never arrived.
create table command_text (
  command_id uuid primary key,
  company_id uuid not null references company on delete restrict,
  content jsonb not null,
  created_at timestamptz not null default now()
);
create index command_text_age on command_text (created_at);
call tenant_table('command_text', 'select, insert, update, delete');

-- The accounts that a new escrow's fees go to. The platform's account is another tenant's, so its id comes from here.
create function fee_accounts(p_company_id uuid, p_currency text)
returns table (service_fee_account_id uuid, system_fee_account_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select
    (select a.id from account a where a.company_id = p_company_id and a.type = 'SERVICE_FEE' and a.currency = p_currency),
    (select a.id from account a where a.company_id = platform_company() and a.type = 'SYSTEM_FEE' and a.currency = p_currency)
$$;

-- What commands need to know of their escrows, of many commands in one call. Each escrow is looked for in the company that its
-- caller was let in for.
create function escrows_for_commands(p_company_ids uuid[], p_escrow_ids uuid[])
returns table (ordinal bigint, id uuid, status text, state jsonb)
language sql stable security definer set search_path = public, pg_temp as $$
  select asked.ordinal, e.id, e.status, e.state
  from unnest(p_company_ids, p_escrow_ids) with ordinality as asked (company_id, escrow_id, ordinal)
  join escrow e on e.id = asked.escrow_id and e.company_id = asked.company_id
$$;
