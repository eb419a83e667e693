-- Escrows. `escrow_event` is the truth; the row in `escrow` is what folding the events gives, kept for reading.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

-- What happened to the rows of a table, in order. Events are only ever added.
create procedure event_table(name text, entity regclass, reference text) language plpgsql as $$
begin
  execute format($table$
    create table %1$I (
      %3$I uuid not null references %2$s on delete restrict,
      seq integer not null,
      company_id uuid not null references company on delete restrict,
      command_id uuid not null,
      type text not null,
      actor text not null,
      at timestamptz not null,
      -- The status that the event led to.
      status text not null,
      data jsonb not null,
      primary key (%3$I, seq),
      unique (%3$I, command_id)
    )$table$, name, entity, reference);
  execute format('create trigger %I before update or delete or truncate on %I for each statement execute function refuse_change()',
    name || '_is_append_only', name);
end $$;

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
create index escrow_company_status on escrow (company_id, status, created_at desc, id desc);
create index escrow_buyer on escrow (buyer_id, created_at desc);
create index escrow_seller on escrow (seller_id, created_at desc);
-- What still needs a workflow.
create index escrow_open on escrow (id) where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED');
call tenant_table('escrow', 'select, insert, update');

call event_table('escrow_event', 'escrow', 'escrow_id');
call tenant_table('escrow_event', 'select, insert');

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
