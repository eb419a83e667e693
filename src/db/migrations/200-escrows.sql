-- Escrows. `escrow_event` is the source of truth. The row in `escrow` is the folded state of the events, stored for reads.

-- An instant as the service writes it: with its zone, so that its meaning never depends on settings.
create function instant(text) returns timestamptz language sql immutable strict as $$ select $1::timestamptz $$;

create table escrow (
  -- Also the id of the command that created it, and of the hold on the buyer's account.
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  status text not null,
  -- The number of events folded into this row.
  seq integer not null,
  buyer_id uuid not null,
  seller_id uuid,
  currency text not null,
  total_cents bigint not null check (total_cents > 0),
  external_reference text,
  external_invoice_number text,
  -- The folded state: terms, shares, milestones, negotiations. Ids, amounts and instants only.
  state jsonb not null,
  held_cents bigint generated always as ((state ->> 'heldCents')::bigint) stored,
  -- Null: it was never disputed.
  disputed_at timestamptz generated always as (instant(state -> 'dispute' ->> 'openedAt')) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, buyer_id) references app_user (company_id, id) on delete restrict,
  foreign key (company_id, seller_id) references app_user (company_id, id) on delete restrict
);
create unique index escrow_reference on escrow (company_id, external_reference) where status <> 'CANCELLED';
create index escrow_company on escrow (company_id, created_at desc, id desc);
create index escrow_company_changed on escrow (company_id, updated_at desc, id desc);
create index escrow_company_reference on escrow (company_id, match_key(external_reference)) where external_reference is not null;
create index escrow_company_invoice on escrow (company_id, match_key(external_invoice_number)) where external_invoice_number is not null;
create index escrow_company_status on escrow (company_id, status, created_at desc, id desc);
create index escrow_buyer on escrow (company_id, buyer_id, created_at desc, id desc);
create index escrow_seller on escrow (company_id, seller_id, created_at desc, id desc);
-- The queue of disputes, by age and by amount.
create index escrow_company_disputed on escrow (company_id, disputed_at, id) where status = 'DISPUTED';
create index escrow_company_disputed_amount on escrow (company_id, held_cents, id) where status = 'DISPUTED';
-- Escrows that still need a workflow.
create index escrow_open on escrow (id) where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED');
call entity_table('escrow', 'escrow_event', 'escrow_id',
  'id', 'company_id', 'buyer_id', 'seller_id', 'currency', 'total_cents', 'external_reference');

call event_table('escrow_event', 'escrow', 'escrow_id');

-- Text that people wrote: item names, notes, reasons, references. It is written before the command is sent and found under the
-- command's id, so no workflow payload contains it. A row without an event belongs to a command that was refused or never
-- arrived.
create table command_text (
  command_id uuid not null,
  company_id uuid not null references company on delete restrict,
  content jsonb not null,
  created_at timestamptz not null default now(),
  primary key (company_id, command_id)
);
create index command_text_age on command_text (created_at);
call tenant_table('command_text', 'select, insert, update, delete');

-- The accounts that receive the fees of a new escrow of the transaction's company. The platform's account belongs to another tenant, so
-- this function returns its id.
create function fee_accounts(p_currency text)
returns table (service_fee_account_id uuid, system_fee_account_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select
    (select a.id from account a where a.company_id = current_company() and a.type = 'SERVICE_FEE' and a.currency = p_currency),
    (select a.id from account a where a.company_id = platform_company() and a.type = 'SYSTEM_FEE' and a.currency = p_currency)
$$;

-- The escrow data that commands need, for many commands in one call. Each escrow is looked up in the company that its caller is
-- authenticated for.
create function escrows_for_commands(p_company_ids uuid[], p_escrow_ids uuid[])
returns table (ordinal bigint, id uuid, status text, state jsonb)
language sql stable security definer set search_path = public, pg_temp as $$
  select asked.ordinal, e.id, e.status, e.state
  from unnest(p_company_ids, p_escrow_ids) with ordinality as asked (company_id, escrow_id, ordinal)
  join escrow e on e.id = asked.escrow_id and e.company_id = asked.company_id
$$;
