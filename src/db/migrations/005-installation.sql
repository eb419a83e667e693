-- What the installation records about itself. No tenant owns these rows. Each migration adds its own row (index.ts), so this is the
-- first file.

create table installation (
  kind text not null check (kind in ('migration', 'field_key', 'task')),
  name text not null,
  -- migration: the sha256 of its file, in hex. field_key: a text that only this key makes, in hex. task: null.
  value text check ((value is null) = (kind = 'task')),
  -- task: when it last finished.
  at timestamptz not null default clock_timestamp(),
  primary key (kind, name)
);
grant select on installation to escrow_api, escrow_worker;
