-- Row-level security, and the procedure that makes tenants' tables.
--
-- Two checks keep tenants apart. The first is the `where company_id = …` of every query. The second is row-level security: the
-- role escrow_api sees only rows of the company in `app.company_id`, which every transaction of the API sets first.
-- Look-ups that run before the tenant is known (key, login, refresh token, link) are SECURITY DEFINER functions.
-- migrate.ts creates the roles escrow_api and escrow_worker before this file runs.

-- PostgreSQL lets everybody execute a new function. Here a role executes only what 390-function-grants.sql grants to it.
alter default privileges revoke execute on functions from public;

-- The tenant of this transaction. Null if none is set; the API's role then sees no row.
create function current_company() returns uuid language sql stable as
$$ select nullif(current_setting('app.company_id', true), '')::uuid $$;

-- The companies of this transaction: those of the requests that share it (249-deposits.sql), else the one. Row-level security shows the
-- rows of one only.
create function current_companies() returns uuid[] language sql stable as
$$ select coalesce(nullif(current_setting('app.company_ids', true), '')::uuid[], array[current_company()]) $$;

-- Where the act of this transaction came from (domain/source.ts). The service itself, unless the transaction says so.
create function act_source() returns text language sql stable as
$$ select coalesce(nullif(current_setting('app.source', true), ''), 'SYSTEM') $$;

-- Puts a table behind row-level security and grants `privileges` on it to both roles, so no tenant table can lack a policy.
create procedure tenant_table(name regclass, privileges text, company_column text default 'company_id') language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy tenant on %s to escrow_api using (%I = current_company()) with check (%I = current_company())',
    name, company_column, company_column);
  execute format('create policy worker on %s to escrow_worker using (true) with check (true)', name);
  execute format('create policy owner on %s to current_user using (true) with check (true)', name);
  if privileges <> '' then
    execute format('grant %s on %s to escrow_api, escrow_worker', privileges, name);
  end if;
end $$;

-- A value that the service encrypted (core/field-cipher.ts): the key's id and the ciphertext. The check rejects plain text that
-- was stored by mistake.
create domain encrypted_text as text check (value ~ '^[a-z0-9-]{1,32}\.[A-Za-z0-9_-]{39,}$');

-- For triggers of append-only tables.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
