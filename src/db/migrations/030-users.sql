-- Users, their identity documents, and the financial institutions that can receive payouts.

create table app_user (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  mobile_number text not null,
  id_number encrypted_text not null,
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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, mobile_number),
  unique (company_id, custom_reference)
);
-- For look-ups by number across all companies.
create index app_user_mobile_number on app_user (mobile_number);
create index app_user_company on app_user (company_id, created_at desc, id desc);
create index app_user_company_changed on app_user (company_id, updated_at desc, id desc);
call tenant_table('app_user', '');
-- A user's company and number never change. The worker writes no users.
grant select, insert,
  update (id_number, first_name, last_name, email, kyc_level, identity_status, identity_status_reason, changed_since_approval,
    metadata, custom_reference, bank_account, updated_at)
  on app_user to escrow_api;
grant select on app_user to escrow_worker;
alter table company add foreign key (id, default_seller_id) references app_user (company_id, id) on delete restrict;

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
-- always have a row. Later uploads remove rows that no user refers to.
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
