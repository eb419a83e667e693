-- Companies, and the administrators, sessions and API keys that act for them.

create table company (
  id uuid primary key,
  name text not null,
  -- What a reader takes the name for (domain/look-alike.ts).
  name_key text,
  slug text not null unique,
  is_platform boolean not null default false,
  system_fee_basis_points integer not null default 100 check (system_fee_basis_points between 0 and 5000),
  service_fee_basis_points integer not null default 0 check (service_fee_basis_points between 0 and 5000),
  auto_release_hours integer check (auto_release_hours > 0),
  default_seller_id uuid,
  -- The country whose format applies to phone numbers without a plus. Null: the platform's default.
  default_phone_region text check (default_phone_region ~ '^[A-Z]{2}$'),
  -- The hosts that payment links may lead buyers back to.
  checkout_hosts text[] not null default '{}',
  -- The colour of the checkout's buttons, for example #0d6a4e. Null: the checkout's own.
  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  -- The SHA-256 of the logo, in hex: its name on the checkout.
  logo_digest text check (logo_digest ~ '^[0-9a-f]{64}$'),
  support_email text,
  terms_url text,
  -- What PDF files say of the company, for bookkeepers.
  address text,
  tax_number text,
  registration_number text,
  -- An IANA name. The dates that people of the company read and type are in this zone.
  time_zone text not null default 'UTC',
  -- The texts by which the bank's statement names payments of the card gateway and of mobile money, and the part of a settlement that
  -- may be missing as their fee.
  settlement_card_reference text,
  settlement_mobile_reference text,
  settlement_fee_basis_points integer not null default 0 check (settlement_fee_basis_points between 0 and 5000),
  -- What the company has set of its order pages (domain/order-pages.ts).
  order_pages jsonb not null default '{}',
  -- Whether its administrators need a second factor.
  require_mfa boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index company_one_platform on company (is_platform) where is_platform;
create index company_name_key on company (name_key);
call tenant_table('company', '', 'id');
-- Each role may change only the columns that it writes. This holds for all tables below.
grant select on company to escrow_api, escrow_worker;
grant insert, update (name, name_key, system_fee_basis_points, service_fee_basis_points, auto_release_hours, default_seller_id,
    default_phone_region, checkout_hosts, brand_color, logo_digest, support_email, terms_url, address, tax_number, registration_number, time_zone, order_pages, settlement_card_reference,
    settlement_mobile_reference, settlement_fee_basis_points, require_mfa, updated_at)
  on company to escrow_api;

create table administrator (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  first_name text not null,
  last_name text not null,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('SUPER_ADMIN', 'OWNER', 'ADMIN', 'MANAGER')),
  must_change_password boolean not null default false,
  -- Part of every access token. Raising it invalidates all access tokens of the administrator.
  token_version integer not null default 1,
  -- The second factor. The secret of an authenticator app; it counts once it is confirmed.
  totp_secret encrypted_text,
  totp_enabled boolean not null default false check (not totp_enabled or totp_secret is not null),
  -- The SHA-256 of each recovery code that was not used yet, in hex.
  recovery_hashes text[] not null default '{}',
  -- Raised by every change of the factor, so that an earlier one, or none, does not come back.
  factor_version integer not null default 0,
  -- The time step (RFC 6238) of the last accepted code. A code of this step or an earlier one was used.
  totp_used_step integer not null default 0,
  -- The service's code over the columns above, save the two of the app (credential-proof.ts): whether there is a factor, too. The
  -- service accepts no row without a valid one.
  proof text not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (company_id, id)
);
create index administrator_former_email on administrator (lower(email)) where removed_at is not null;
call tenant_table('administrator', '');
call directory_table('administrator', 'administrator', 'id');
call directory_table('administrator', 'login', 'email', 'removed_at');
-- Only the owner can change an administrator's company and role. The worker reads roles and writes nothing.
grant select, insert,
    update (password_hash, must_change_password, token_version, totp_secret, totp_enabled, recovery_hashes, factor_version,
      totp_used_step, proof, removed_at)
  on administrator to escrow_api;
grant select (id, company_id, role, removed_at) on administrator to escrow_worker;

-- A column that names a row of one of several tables names one of its company. An administrator or an API key may also be the
-- platform's, whose staff act for any company. A foreign key cannot say "or". Such rows are never deleted.
create function check_named() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_id constant uuid := to_jsonb(new) ->> tg_argv[0];
  v_table text;
  v_is_named boolean;
begin
  if v_id is null then return null; end if;
  foreach v_table in array tg_argv[1]::text[] loop
    execute format('select exists (select from %I n where n.company_id in ($1, $2) and n.id = $3)', v_table) into v_is_named
      using new.company_id, case when v_table in ('administrator', 'api_key') then platform_company() end, v_id;
    if v_is_named then return null; end if;
  end loop;
  raise exception '% names no row of the company: %', tg_argv[0], v_id using errcode = 'foreign_key_violation';
end $$;
create procedure named_column(name text, named text, tables text[] default '{administrator}') language plpgsql as $$
begin
  execute format('create trigger %I after insert or update of %I, company_id on %I for each row execute function check_named(%L, %L)',
    concat_ws('_', name, named, 'named'), named, name, named, tables);
end $$;

-- A login, and everything that descends from it. Its id is in the access tokens.
create table session (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  administrator_id uuid not null,
  -- Exact to the minute.
  last_used_at timestamptz not null default now(),
  -- Of the login.
  ip text,
  user_agent text,
  -- When a code of the second factor was accepted last, and the service's code over it, the code and this session.
  factor_at timestamptz,
  factor_proof text,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, administrator_id) references administrator (company_id, id) on delete restrict
);
create index session_administrator on session (company_id, administrator_id);
create index session_last_used on session (last_used_at);
call tenant_table('session', '');
grant select, insert, update (last_used_at, factor_at, factor_proof, ended_at) on session to escrow_api;

create table refresh_token (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  administrator_id uuid not null,
  -- A token used twice ends its session.
  session_id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, administrator_id) references administrator (company_id, id) on delete restrict,
  foreign key (company_id, session_id) references session (company_id, id) on delete cascade
);
create index refresh_token_session on refresh_token (company_id, session_id);
create index refresh_token_expiry on refresh_token (expires_at);
call tenant_table('refresh_token', '');
call directory_table('refresh_token', 'refresh_token', 'token_hash');
grant select, insert, update (used_at) on refresh_token to escrow_api;

create table api_key (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  name text not null,
  key_hash bytea not null,
  key_prefix text not null,
  role text not null check (role in ('SUPER_ADMIN', 'OWNER', 'ADMIN', 'MANAGER')),
  -- The permissions of a restricted key (domain/roles.ts). Null: all that the role permits.
  permissions text[] check (cardinality(permissions) > 0),
  is_active boolean not null default true,
  -- Null: it does not expire.
  expires_at timestamptz,
  -- A note by the person who made the key.
  note text,
  -- Exact to the minute.
  last_used_at timestamptz,
  -- A rolled key may go on working for a grace period.
  active_until timestamptz,
  created_by uuid,
  -- The service's code over id, company, role, permissions, expiry and hash, as in `administrator`.
  proof text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (company_id, id)
);
create index api_key_company on api_key (company_id, created_at desc);
create index api_key_prefix on api_key (key_prefix);
create index api_key_creator on api_key (company_id, created_by);
call tenant_table('api_key', '');
call directory_table('api_key', 'api_key', 'key_hash');
call named_column('api_key', 'created_by');
grant select, insert, update (is_active, active_until, revoked_at) on api_key to escrow_api;

-- Ties SUPER_ADMIN to the platform's own company. The API's role cannot add a super administrator, and can add a key with that
-- role only for an existing super administrator. The trigger runs as its caller, so that row-level security and `current_user`
-- are the caller's. Its argument is the table, because the row may be in a partition with another name.
create function check_super_admin() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.role is distinct from 'SUPER_ADMIN' then return new; end if;
  if not exists (select from company where id = new.company_id and is_platform) then
    raise exception 'only the platform has super administrators' using errcode = 'insufficient_privilege';
  end if;
  if current_user <> 'escrow_api' or tg_op <> 'INSERT' then return new; end if;
  if tg_argv[0] = 'administrator' then
    raise exception 'super administrators are added by the owner of the database' using errcode = 'insufficient_privilege';
  elsif not exists (
    select from administrator a
    where a.id = new.created_by and a.company_id = new.company_id and a.role = 'SUPER_ADMIN' and a.removed_at is null
  ) then
    raise exception 'a super administrator''s key must name the super administrator who created it'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
-- Only the owner can register the platform's own company.
create function check_platform_company() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.is_platform and current_user = 'escrow_api' then
    raise exception 'the platform''s company is made by the owner of the database' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger company_is_platform before insert on company for each row execute function check_platform_company();

create trigger administrator_super_admin before insert or update on administrator
  for each row execute function check_super_admin('administrator');
create trigger api_key_super_admin before insert or update on api_key for each row execute function check_super_admin('api_key');

-- A credential that has ended cannot be restored: no role may return a credential to an earlier state. A changed password raises
-- the token version. The version is part of the proof, so an earlier password with its proof is not accepted again.
create function check_credential_ends() returns trigger language plpgsql as $$
declare
  v_is_earlier boolean;
begin
  if tg_argv[0] = 'administrator' then
    v_is_earlier := new.token_version < old.token_version
      or (new.token_version = old.token_version
        and (new.password_hash, new.must_change_password) is distinct from (old.password_hash, old.must_change_password))
      or (old.removed_at is not null and new.removed_at is distinct from old.removed_at)
      or new.factor_version < old.factor_version
      or (new.factor_version = old.factor_version
        and (new.totp_enabled is distinct from old.totp_enabled or new.totp_used_step < old.totp_used_step
          or not new.recovery_hashes <@ old.recovery_hashes
          -- The owner encrypts it again when keys are rotated.
          or (current_user = 'escrow_api' and new.totp_secret is distinct from old.totp_secret)));
  elsif tg_argv[0] = 'api_key' then
    v_is_earlier := (new.is_active and not old.is_active)
      or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
      or (old.active_until is not null and (new.active_until is null or new.active_until > old.active_until));
  elsif tg_argv[0] = 'session' then
    v_is_earlier := old.ended_at is not null and new.ended_at is distinct from old.ended_at;
  else
    v_is_earlier := old.used_at is not null and new.used_at is distinct from old.used_at;
  end if;
  if v_is_earlier then
    raise exception 'a row of % cannot return to an earlier state', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger administrator_ends before update on administrator for each row execute function check_credential_ends('administrator');
create trigger api_key_ends before update on api_key for each row execute function check_credential_ends('api_key');
create trigger session_ends before update on session for each row execute function check_credential_ends('session');
create trigger refresh_token_ends before update on refresh_token for each row execute function check_credential_ends('refresh_token');

-- Whether a role may act in the company: SUPER_ADMIN counts in the platform's own company only. The guard's look-ups use it.
create function role_fits(p_role text, p_company_id uuid) returns boolean
language sql stable as $$
  select p_role <> 'SUPER_ADMIN' or exists (select from company c where c.id = p_company_id and c.is_platform)
$$;

-- Look-ups that run before the tenant is known. Each returns at most one row, found by a secret or a unique name.
-- With a session, whether it has not ended and whether its use was noted in this minute; null: it is not the administrator's.
create function auth_administrator(p_id uuid, p_email text, p_session uuid)
returns table (
  id uuid, company_id uuid, role text, email text, password_hash text, must_change_password boolean, token_version integer,
  totp_enabled boolean, recovery_hashes text[], factor_version integer, proof text, is_factor_required boolean,
  is_session_open boolean, is_session_noted boolean
)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.company_id, a.role, a.email, a.password_hash, a.must_change_password, a.token_version, a.totp_enabled,
    a.recovery_hashes, a.factor_version, a.proof, c.require_mfa, s.ended_at is null, s.last_used_at > now() - interval '1 minute'
  from directory d
  join administrator a on a.company_id = d.company_id and a.id = d.id
  join company c on c.id = a.company_id
  left join session s on s.company_id = a.company_id and s.id = p_session and s.administrator_id = a.id
  where (p_session is null or s.id is not null) and d.kind = case when p_id is null then 'login' else 'administrator' end and d.key = coalesce(p_id::text, lower(p_email))
    and a.removed_at is null and role_fits(a.role, a.company_id)
$$;

-- The administrator with this id or e-mail address who was removed last, for the audit log of refused requests.
create function auth_former_administrator(p_id uuid, p_email text) returns table (id uuid, company_id uuid, role text)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.company_id, a.role from administrator a
  where a.removed_at is not null and case when p_id is null then lower(a.email) = lower(p_email)
    else (a.company_id, a.id) = (select d.company_id, d.id from directory d where d.kind = 'administrator' and d.key = p_id::text) end
  order by a.removed_at desc, a.id limit 1
$$;

create function auth_refresh_token(p_token_hash bytea)
returns table (id uuid, company_id uuid, administrator_id uuid, session_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.company_id, t.administrator_id, t.session_id
  from directory d join refresh_token t on t.company_id = d.company_id and t.id = d.id
  where d.kind = 'refresh_token' and d.key = '\x' || encode(p_token_hash, 'hex') and t.token_hash = p_token_hash
$$;

create function platform_company() returns uuid
language sql stable security definer set search_path = public, pg_temp as
$$ select id from company where is_platform $$;

-- Looks up the API keys of many requests in one call; `ordinal` is the request's place in the argument.
create function auth_api_keys(p_key_hashes text[])
returns table (
  ordinal bigint, id uuid, company_id uuid, role text, permissions text[], expires_at timestamptz, proof text, is_active boolean,
  active_until timestamptz, is_use_noted boolean
)
language sql stable security definer set search_path = public, pg_temp as $$
  select asked.ordinal, k.id, k.company_id, k.role, k.permissions, k.expires_at, k.proof, k.is_active, k.active_until,
    coalesce(k.last_used_at > now() - interval '1 minute', false)
  from unnest(p_key_hashes) with ordinality as asked (key_hash, ordinal)
  join directory d on d.kind = 'api_key' and d.key = '\x' || asked.key_hash
  join api_key k on k.company_id = d.company_id and k.id = d.id and k.key_hash = decode(asked.key_hash, 'hex')
  where role_fits(k.role, k.company_id)
$$;

-- Notes that keys were used, at most once a minute for each key.
create function auth_api_keys_used(p_company_ids uuid[], p_ids uuid[]) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update api_key set last_used_at = now()
  from (
    select k.company_id, k.id from unnest(p_company_ids, p_ids) as used (company_id, id)
    join api_key k on k.company_id = used.company_id and k.id = used.id
    where k.last_used_at is null or k.last_used_at <= now() - interval '1 minute'
    order by k.id for update of k skip locked) used
  where api_key.company_id = used.company_id and api_key.id = used.id
$$;

-- Notes that a session was used, at most once a minute.
create function auth_session_used(p_company_id uuid, p_id uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update session set last_used_at = now()
  where company_id = p_company_id and id = p_id and last_used_at <= now() - interval '1 minute'
$$;

-- The company whose key has this prefix, for the audit log of refused requests.
create function auth_api_key_by_prefix(p_key_prefix text) returns table (id uuid, company_id uuid, role text)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.id, k.company_id, k.role from api_key k where k.key_prefix = p_key_prefix order by k.created_at desc, k.id limit 1
$$;
