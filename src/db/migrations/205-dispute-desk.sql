-- The assignment of disputes, and the staff's notes. Neither is part of the escrow: buyers and sellers never see them. An escrow
-- is disputed at most once, so its id is the dispute's key.

create table dispute_assignment (
  escrow_id uuid primary key references escrow on delete restrict,
  company_id uuid not null references company on delete restrict,
  administrator_id uuid not null references administrator on delete restrict,
  assigned_at timestamptz not null default clock_timestamp()
);
call tenant_table('dispute_assignment', 'select, insert, update, delete');

-- Append-only, so that the notes at the time of a decision stay unchanged.
create table dispute_note (
  -- The id of the command that wrote it.
  id uuid primary key,
  escrow_id uuid not null references escrow on delete restrict,
  company_id uuid not null references company on delete restrict,
  -- The author; null if an API key wrote it.
  administrator_id uuid references administrator on delete restrict,
  text text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index dispute_note_escrow on dispute_note (escrow_id, created_at);
call tenant_table('dispute_note', 'select, insert');
create trigger dispute_note_is_kept before update or delete on dispute_note for each row execute function refuse_change();
