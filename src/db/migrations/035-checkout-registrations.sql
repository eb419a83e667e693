-- People who registered at a checkout. The checkout receives the id of the registration. The id refers to a user: the user with
-- this id, or the company's user with the same number. The answer therefore does not reveal whether the number was known. Only
-- the functions read this table.
create table checkout_registration (
  id uuid primary key,
  -- The company of the payment link. Null: registered without a link, so any company that gets the id may use it.
  company_id uuid references company on delete restrict,
  mobile_number text not null,
  -- Null when no company can need it any more.
  id_number encrypted_text,
  first_name text,
  last_name text,
  created_at timestamptz not null default now()
);
call tenant_table('checkout_registration', '');

create function registration_add(
  p_id uuid, p_company_id uuid, p_mobile_number text, p_id_number text, p_first_name text, p_last_name text
) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into checkout_registration (id, company_id, mobile_number, id_number, first_name, last_name)
  values (p_id, p_company_id, p_mobile_number, p_id_number, p_first_name, p_last_name)
$$;

-- The part of a registration that a company may see. No row if the registration was made for another company.
create function registration_for_company(p_id uuid)
returns table (mobile_number text, id_number text, first_name text, last_name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.mobile_number, r.id_number, r.first_name, r.last_name from checkout_registration r
  where r.id = p_id and (r.company_id is null or r.company_id = current_company())
$$;

-- The user that a registration refers to in the company, if there is one.
create function registered_user(p_id uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id from checkout_registration r
  join app_user u on u.mobile_number = r.mobile_number and u.company_id = current_company()
  where r.id = p_id and (r.company_id is null or r.company_id = current_company())
$$;

-- Deletes the personal data of a registration for the company, because the company now has its user.
create function registration_forget(p_id uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update checkout_registration set id_number = null, first_name = null, last_name = null
  where id = p_id and company_id = current_company()
$$;
