-- Who froze or unfroze an account, when and why.

create table account_freeze (
  id uuid not null,
  company_id uuid not null,
  account_id uuid not null,
  is_frozen boolean not null,
  reason text not null,
  -- The administrator or API key that asked for it.
  actor_kind text not null check (actor_kind in ('administrator', 'api_key')),
  actor_id uuid not null,
  -- The role in which it asked. Only the platform lifts what the platform froze.
  actor_role text not null check (actor_role in ('SUPER_ADMIN', 'OWNER', 'ADMIN')),
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, account_id) references account (company_id, id) on delete restrict
);
create index account_freeze_account on account_freeze (company_id, account_id, created_at desc);
call tenant_table('account_freeze', 'select, insert');
call named_column('account_freeze', 'actor_id', '{administrator,api_key}');
create trigger account_freeze_is_append_only before delete or truncate on account_freeze
  for each statement execute function refuse_change();
-- Only the erasure of the account's owner (358-erasure.sql) empties the reason.
create trigger account_freeze_stays before update on account_freeze for each row
  when (new.reason <> '' or (new.id, new.company_id, new.account_id, new.is_frozen, new.actor_kind, new.actor_id, new.actor_role,
      new.created_at)
    is distinct from (old.id, old.company_id, old.account_id, old.is_frozen, old.actor_kind, old.actor_id, old.actor_role, old.created_at))
  execute function refuse_change();
