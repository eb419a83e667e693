-- The logos of companies, which the checkout shows. The service encodes each upload again (src/api/bodies/logos.ts).

create table company_logo (
  company_id uuid primary key references company on delete restrict,
  -- The SHA-256 of the content, in hex. `company.logo_digest` names the logo in use.
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  -- A PNG image.
  content bytea not null check (length(content) <= 1048576)
);
create index company_logo_digest on company_logo (digest);
call tenant_table('company_logo', '');
grant select, insert, update, delete on company_logo to escrow_api;

-- A page of the checkout shows the logo by its digest, and no company is known then. A logo is public.
create function company_logo_by_digest(p_digest text) returns bytea
language sql stable security definer set search_path = public, pg_temp as
$$ select content from company_logo where digest = p_digest limit 1 $$;
