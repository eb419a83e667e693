-- The order pages of an escrow: one address for each party. A page is found by the hash of its token; no row holds the token.
create table order_page (
  -- The escrow.
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  -- Part of what the tokens are derived from. It only rises, so a revoked token never returns.
  version integer not null check (version > 0),
  -- SHA-256 of the tokens, in hex. Null: revoked, or the company itself sells.
  buyer_hash text check (buyer_hash ~ '^[0-9a-f]{64}$'),
  seller_hash text check (seller_hash ~ '^[0-9a-f]{64}$'),
  -- The languages in which the parties use their pages; null before the first act.
  buyer_locale text,
  seller_locale text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, id) references escrow (company_id, id) on delete restrict
);
call tenant_table('order_page', '');
grant select, insert, update (version, buyer_hash, seller_hash, buyer_locale, seller_locale, updated_at) on order_page to escrow_api;
call directory_table('order_page', 'order_page_buyer', 'buyer_hash');
call directory_table('order_page', 'order_page_seller', 'seller_hash');

-- The escrow whose page has this token, and the party that the page is for.
create function order_page_by_hash(p_hash text) returns table (id uuid, company_id uuid, party text, version integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.id, p.company_id, case d.kind when 'order_page_buyer' then 'BUYER' else 'SELLER' end, p.version
  from directory d join order_page p on p.company_id = d.company_id and p.id = d.id
  where d.kind in ('order_page_buyer', 'order_page_seller') and d.key = p_hash
$$;
