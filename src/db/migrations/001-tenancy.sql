-- Companies and the people and keys that act for them.
--
-- Two walls keep tenants apart. The first is the `where company_id = …` of every query; the second is row-level security:
-- the API's role sees only rows of the company named by `app.company_id`, which every transaction of the API sets first.
-- What happens before a tenant is known (key, login, refresh and link look-ups) goes through SECURITY DEFINER functions.
-- Roles escrow_api and escrow_worker exist before this runs (db/migrate.ts makes them).

create function current_company() returns uuid language sql stable as
$$ select nullif(current_setting('app.company_id', true), '')::uuid $$;

-- One place that says what a tenant's table looks like to each role. `privileges` is what the API's role may do.
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

-- A value that the service encrypted before it came here (db/field-cipher.ts): the key's id, and what only the key opens. The
-- check keeps a forgotten plain value out.
create domain encrypted_text as text check (value ~ '^[a-z0-9-]{1,32}\.[A-Za-z0-9_-]{39,}$');

create table company (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  is_platform boolean not null default false,
  system_fee_basis_points integer not null default 100 check (system_fee_basis_points between 0 and 5000),
  service_fee_basis_points integer not null default 0 check (service_fee_basis_points between 0 and 5000),
  auto_release_hours integer check (auto_release_hours > 0),
  default_seller_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index company_one_platform on company (is_platform) where is_platform;
call tenant_table('company', 'select, insert, update', 'id');

create table administrator (
  id uuid primary key,
  company_id uuid not null references company on delete restrict,
  first_name text not null,
  last_name text not null,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('SUPER_ADMIN', 'OWNER', 'ADMIN', 'MANAGER')),
  must_change_password boolean not null default false,
  -- Part of every access token: raising it ends all of them at once.
  token_version integer not null default 1,
  created_at timestamptz not null default now(),
  removed_at timestamptz
);
create unique index administrator_email on administrator (lower(email)) where removed_at is null;
create index administrator_company on administrator (company_id);
call tenant_table('administrator', 'select, insert, update');

create table refresh_token (
  id uuid primary key,
  company_id uuid not null references company on delete restrict,
  administrator_id uuid not null references administrator on delete restrict,
  -- All tokens that descend from one login. A token used twice ends its whole family.
  family_id uuid not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index refresh_token_family on refresh_token (family_id);
create index refresh_token_administrator on refresh_token (administrator_id);
create index refresh_token_expiry on refresh_token (expires_at);
call tenant_table('refresh_token', 'select, insert, update');

create table api_key (
  id uuid primary key,
  company_id uuid not null references company on delete restrict,
  name text not null,
  key_hash bytea not null unique,
  key_prefix text not null,
  role text not null check (role in ('SUPER_ADMIN', 'OWNER', 'ADMIN', 'MANAGER')),
  is_active boolean not null default true,
  -- A rolled key may go on working for a grace period.
  active_until timestamptz,
  created_by uuid references administrator on delete restrict,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index api_key_company on api_key (company_id, created_at desc);
call tenant_table('api_key', 'select, insert, update');

create table app_user (
  id uuid primary key,
  company_id uuid not null references company on delete restrict,
  mobile_number text not null,
  id_number encrypted_text not null,
  first_name text,
  last_name text,
  email text,
  kyc_level integer not null default 1,
  identity_status text not null default 'CLEAR' check (identity_status in ('CLEAR', 'BLACKLISTED')),
  metadata jsonb not null default '{}',
  custom_reference text,
  bank_account encrypted_text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (company_id, mobile_number),
  unique (company_id, custom_reference)
);
create index app_user_company on app_user (company_id, created_at desc, id desc);
call tenant_table('app_user', 'select, insert, update');
alter table company add foreign key (default_seller_id) references app_user on delete restrict;

-- One row per operation and key: what was asked, the command's id (whatever the command makes takes it), what was answered.
-- No foreign key: it would lock the company's row once per request, and companies are never deleted.
create table idempotency (
  company_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  command_id uuid not null,
  locked_until timestamptz not null,
  response_status integer,
  response_body jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (company_id, operation, key)
) with (fillfactor = 50); -- the answer comes later, and stays on the page
create index idempotency_expiry on idempotency (expires_at);
call tenant_table('idempotency', 'select, insert, update, delete');

-- Look-ups that come before a tenant is known. Each answers one row or none, found by a secret or a unique name.
create function auth_administrator(p_id uuid, p_email text)
returns table (id uuid, company_id uuid, role text, password_hash text, must_change_password boolean, token_version integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.company_id, a.role, a.password_hash, a.must_change_password, a.token_version
  from administrator a
  where a.removed_at is null and (a.id = p_id or (p_id is null and lower(a.email) = lower(p_email)))
$$;

create function auth_refresh_token(p_token_hash bytea)
returns table (id uuid, company_id uuid, administrator_id uuid, family_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.company_id, t.administrator_id, t.family_id from refresh_token t where t.token_hash = p_token_hash
$$;

create function platform_company() returns uuid
language sql stable security definer set search_path = public, pg_temp as
$$ select id from company where is_platform $$;

-- Idempotency in one round trip each. `claim` gives the caller the work (with the command's id, which survives crashes),
-- or the stored answer, or says why not.
create function idempotency_claim(
  p_company_id uuid, p_operation text, p_key text, p_fingerprint bytea, p_command_id uuid, p_lock interval, p_lifetime interval
) returns table (outcome text, command_id uuid, response_status integer, response_body jsonb)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_row idempotency;
begin
  insert into idempotency as i (company_id, operation, key, fingerprint, command_id, locked_until, expires_at)
  values (p_company_id, p_operation, p_key, p_fingerprint, p_command_id, now() + p_lock, now() + p_lifetime)
  on conflict (company_id, operation, key) do update
    set fingerprint = excluded.fingerprint, command_id = excluded.command_id, locked_until = excluded.locked_until,
        response_status = null, response_body = null, created_at = now(), expires_at = excluded.expires_at
    where i.expires_at <= now();
  if found then
    return query select 'claimed', p_command_id, null::integer, null::jsonb;
    return;
  end if;
  select i.* into found_row from idempotency i
    where i.company_id = p_company_id and i.operation = p_operation and i.key = p_key for update;
  if not found then
    -- Its owner gave it back this moment: the caller comes again.
    return query select 'in_progress', null::uuid, null::integer, null::jsonb;
  elsif found_row.fingerprint <> p_fingerprint then
    return query select 'reused', null::uuid, null::integer, null::jsonb;
  elsif found_row.response_status is not null then
    return query select 'replay', found_row.command_id, found_row.response_status, found_row.response_body;
  elsif found_row.locked_until > now() then
    return query select 'in_progress', null::uuid, null::integer, null::jsonb;
  else
    update idempotency i set locked_until = now() + p_lock
      where i.company_id = p_company_id and i.operation = p_operation and i.key = p_key;
    return query select 'claimed', found_row.command_id, null::integer, null::jsonb;
  end if;
end $$;
