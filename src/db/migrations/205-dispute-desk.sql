-- The assignment of disputes, and the staff's notes. Neither is part of the escrow: buyers and sellers never see them. An escrow
-- is disputed at most once, so its id is the dispute's key.

create table dispute_assignment (
  escrow_id uuid not null,
  company_id uuid not null references company on delete restrict,
  administrator_id uuid not null,
  assigned_at timestamptz not null default clock_timestamp(),
  primary key (company_id, escrow_id),
  foreign key (company_id, escrow_id) references escrow (company_id, id) on delete restrict
);
call tenant_table('dispute_assignment', 'select, insert, update, delete');
call named_column('dispute_assignment', 'administrator_id');

-- Append-only, so that the notes at the time of a decision stay unchanged.
create table dispute_note (
  -- The id of the command that wrote it.
  id uuid not null,
  escrow_id uuid not null,
  company_id uuid not null references company on delete restrict,
  -- The author; null if an API key wrote it.
  administrator_id uuid,
  text text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  foreign key (company_id, escrow_id) references escrow (company_id, id) on delete restrict
);
create index dispute_note_escrow on dispute_note (company_id, escrow_id, created_at);
call tenant_table('dispute_note', 'select, insert');
call named_column('dispute_note', 'administrator_id');
create trigger dispute_note_is_kept before delete on dispute_note for each row execute function refuse_change();
-- Only the erasure of a party (358-erasure.sql) empties it.
create trigger dispute_note_stays before update on dispute_note for each row
  when (new.text <> '' or (new.id, new.escrow_id, new.company_id, new.administrator_id, new.created_at)
    is distinct from (old.id, old.escrow_id, old.company_id, old.administrator_id, old.created_at))
  execute function refuse_change();
