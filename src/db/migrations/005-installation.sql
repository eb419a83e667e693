-- What the installation records about itself. No tenant owns these rows. Each migration adds its own row (index.ts), so this is the
-- first file.

create table installation (
  kind text not null check (kind in ('migration', 'field_key', 'task', 'grant')),
  name text not null,
  -- migration: the sha256 of its file, in hex. field_key: a text that only this key makes, in hex. task and grant: null.
  value text check ((value is null) = (kind in ('task', 'grant'))),
  -- task: when it last finished.
  at timestamptz not null default clock_timestamp(),
  primary key (kind, name)
);
grant select on installation to escrow_api, escrow_worker;

-- What the roles of the service may do, one statement each. Every migration stores them in `installation`, so that
-- changes by hand are found, and undone by migrate.ts. company_clock is left out: its grants depend on the environment.
create function service_grants() returns table (statement text)
language sql stable security definer set search_path = public, pg_temp as $$
  select format('%s on %s %I to %I', lower(a.privilege_type), case c.relkind when 'S' then 'sequence' else 'table' end,
    c.relname, r.rolname)
  from pg_class c cross join lateral aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
  where c.relnamespace = 'public'::regnamespace and c.relname <> 'company_clock' and r.rolname in ('escrow_api', 'escrow_worker')
  union all
  select format('%s (%I) on table %I to %I', lower(a.privilege_type), t.attname, c.relname, r.rolname)
  from pg_attribute t join pg_class c on c.oid = t.attrelid cross join lateral aclexplode(t.attacl) a
  join pg_roles r on r.oid = a.grantee
  where c.relnamespace = 'public'::regnamespace and c.relname <> 'company_clock' and r.rolname in ('escrow_api', 'escrow_worker')
  union all
  select format('execute on function %s to %I', p.oid::regprocedure, r.rolname)
  from pg_proc p cross join lateral aclexplode(p.proacl) a join pg_roles r on r.oid = a.grantee
  where p.pronamespace = 'public'::regnamespace and r.rolname in ('escrow_api', 'escrow_worker')
$$;
revoke execute on function service_grants from public;
