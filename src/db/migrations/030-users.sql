-- Users, their identity documents, and the financial institutions that can receive payouts.

-- How references are compared where money is matched: banks change case, and add spaces.
create function match_key(p_reference text) returns text language sql immutable parallel safe return lower(btrim(p_reference));

create table app_user (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  -- Null: the person was erased (358-erasure.sql).
  mobile_number text,
  id_number encrypted_text,
  first_name text,
  last_name text,
  email text,
  kyc_level integer not null default 1,
  identity_status text not null default 'CLEAR' check (identity_status in ('CLEAR', 'BLACKLISTED')),
  -- Why the platform set the status. For staff: users never see it.
  identity_status_reason text,
  -- The fields that changed since the approval. A person must review them again.
  changed_since_approval text[] not null default '{}' check (changed_since_approval <@ '{ID_NUMBER,DOCUMENT}'),
  metadata jsonb not null default '{}',
  custom_reference text,
  bank_account encrypted_text,
  -- Keyed hashes of what people are told apart by (db/identity/person-hashes.ts); null if unknown.
  id_number_hash text,
  phone_hash text,
  bank_account_hash text,
  -- Whether people typed the id number themselves, at a checkout. It then proves nothing about them or others.
  is_self_registered boolean not null default false,
  known_id_hash text generated always as (case when not is_self_registered then id_number_hash end) stored,
  erased_at timestamptz,
  erasure_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nulls(mobile_number, id_number) = case when erased_at is null then 0 else 2 end),
  check ((erased_at is null) = (erasure_reason is null)),
  primary key (company_id, id),
  unique (company_id, mobile_number)
);
create unique index app_user_custom_reference on app_user (company_id, match_key(custom_reference));
-- For look-ups by number across all companies.
create index app_user_mobile_number on app_user (mobile_number);
create index app_user_company on app_user (company_id, created_at desc, id desc);
-- For look-ups of persons across all companies.
create index app_user_id_number_hash on app_user (id_number_hash) where id_number_hash is not null;
create index app_user_known_id_hash on app_user (known_id_hash) where known_id_hash is not null;
create index app_user_phone_hash on app_user (phone_hash) where phone_hash is not null;
create index app_user_bank_account_hash on app_user (bank_account_hash) where bank_account_hash is not null;
create index app_user_company_changed on app_user (company_id, updated_at desc, id desc);
call tenant_table('app_user', '');
-- A user's company and number never change. The worker writes no users.
grant select, insert,
  update (id_number, first_name, last_name, email, kyc_level, identity_status, identity_status_reason, changed_since_approval,
    metadata, custom_reference, bank_account, id_number_hash, bank_account_hash, is_self_registered, updated_at)
  on app_user to escrow_api;
grant select on app_user to escrow_worker;
alter table company add foreign key (id, default_seller_id) references app_user (company_id, id) on delete restrict;

-- The person behind each row that the status operation blacklisted, as the row was then: what its company writes into the row later
-- marks nobody. Rows that only match are not here, so they mark nobody either. The hashes survive the erasure of the row's data.
create table blacklist_mark (
  kind text not null check (kind in ('ID_NUMBER', 'PHONE', 'BANK_ACCOUNT')),
  hash text not null,
  by_company uuid not null,
  by_user uuid not null,
  primary key (kind, hash, by_company, by_user),
  foreign key (by_company, by_user) references app_user (company_id, id) on delete restrict
);
create index blacklist_mark_row on blacklist_mark (by_company, by_user);
-- Every company's users are compared with it. Whose row it comes from stays hidden.
grant select (kind, hash) on blacklist_mark to escrow_api, escrow_worker;

create function user_marks() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from blacklist_mark where by_company = new.company_id and by_user = new.id;
  if new.identity_status = 'BLACKLISTED' then
    insert into blacklist_mark (kind, hash, by_company, by_user)
    select m.kind, m.hash, new.company_id, new.id from (values ('ID_NUMBER', new.known_id_hash), ('PHONE', new.phone_hash),
      ('BANK_ACCOUNT', new.bank_account_hash)) m (kind, hash)
    where m.hash is not null;
  end if;
  return null;
end $$;
create trigger user_marks after update of identity_status on app_user for each row
  when (old.identity_status <> new.identity_status) execute function user_marks();

-- Whether the person of a row is blacklisted: by the row itself, or by another row with the same id number or phone.
create function is_blacklisted(p_status text, p_known_id_hash text, p_phone_hash text) returns boolean language sql stable as $$
  select p_status = 'BLACKLISTED' or exists (select from blacklist_mark m
    where (m.kind = 'ID_NUMBER' and m.hash = p_known_id_hash) or (m.kind = 'PHONE' and m.hash = p_phone_hash))
$$;

-- The key of the hashes, encrypted under FIELD_ENCRYPTION_KEYS. Rotating those keys leaves it and the hashes as they are.
create table person_key (
  id uuid primary key check (id = '00000000-0000-4000-8000-000000000001'),
  secret encrypted_text not null
);
grant select, insert on person_key to escrow_api;

-- A reference that a user gave up stays theirs for a while, because payers keep using it. Its hash is enough to refuse it to others,
-- and outlives the erasure of the user.
create table given_up_reference (
  company_id uuid not null,
  reference_hash bytea not null,
  user_id uuid not null,
  given_up_at timestamptz not null default now(),
  primary key (company_id, reference_hash),
  foreign key (company_id, user_id) references app_user (company_id, id) on delete restrict
);
call tenant_table('given_up_reference', '');

create function reference_hash(p_company_id uuid, p_reference text) returns bytea
language sql immutable parallel safe set search_path = public, pg_temp as $$
  select sha256(convert_to(p_company_id::text || match_key(p_reference), 'UTF8'))
$$;

create function keep_given_up_reference() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and old.custom_reference is not null
    and match_key(old.custom_reference) is distinct from match_key(new.custom_reference) then
    insert into given_up_reference (company_id, reference_hash, user_id)
    values (old.company_id, reference_hash(old.company_id, old.custom_reference), old.id)
    on conflict (company_id, reference_hash) do update set user_id = excluded.user_id, given_up_at = now();
  end if;
  if exists (select from given_up_reference g where g.company_id = new.company_id
    and g.reference_hash = reference_hash(new.company_id, new.custom_reference) and g.user_id <> new.id and g.given_up_at > now() - interval '90 days') then
    raise exception 'another user gave up this reference less than 90 days ago'
      using errcode = 'unique_violation', constraint = 'given_up_custom_reference';
  end if;
  return null;
end $$;
create trigger app_user_reference_is_free after insert on app_user for each row
  when (new.custom_reference is not null) execute function keep_given_up_reference();
create trigger app_user_reference_is_kept after update of custom_reference on app_user for each row
  when (old.custom_reference is distinct from new.custom_reference) execute function keep_given_up_reference();

-- Shared by all tenants, so not a tenant table.
create table financial_institution (
  id uuid primary key,
  name text not null,
  -- The BIC.
  code text not null unique,
  branch_codes text[] not null default '{}',
  created_at timestamptz not null default now()
);
grant select, insert on financial_institution to escrow_api, escrow_worker;

-- Metadata of a document. The row is written before the bytes are stored and deleted after the bytes are deleted, so stored bytes
-- always have a row. Rows that nobody refers to are deleted by `documents_to_delete`.
create table document (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  -- Detected from the content.
  media_type text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/tiff',
    'image/bmp', 'image/heic', 'image/heif', 'image/avif', 'application/pdf')),
  byte_count integer not null check (byte_count > 0),
  -- Distinguishes a repeated document from a different one.
  sha256 bytea not null check (length(sha256) = 32),
  created_at timestamptz not null default now(),
  primary key (company_id, id)
);
create index document_company on document (company_id, created_at);
call tenant_table('document', 'select, insert, delete');

alter table app_user add document_id uuid, add unique (company_id, document_id),
  add foreign key (company_id, document_id) references document (company_id, id) on delete restrict;
grant update (document_id) on app_user to escrow_api;

-- The default document storage. Documents are in chunks, so neither side holds a whole document in memory.
create table document_chunk (
  document_id uuid not null,
  seq integer not null,
  company_id uuid not null references company on delete restrict,
  content bytea not null,
  primary key (company_id, document_id, seq)
);
alter table document_chunk alter content set storage external; -- already compressed
call tenant_table('document_chunk', 'select, insert, delete');
