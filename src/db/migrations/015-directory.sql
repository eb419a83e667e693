-- The directory: the company of what a caller names before the company is known. Its rows are copies: triggers of the tenants'
-- tables write them, and PostgreSQL refuses one that leads to another row than the one with this name. A name stands here once, so it
-- is unique across companies.

create table directory (
  -- administrator: the id in a token; webhook_endpoint: the id in its run; login: the e-mail address; api_key and refresh_token: the hash; payment_link: the hash in the buyer's link;
  -- order_page_buyer and order_page_seller: the hash of a page's token;
  -- checkout and payment: the gateway's id.
  kind text not null check (kind in ('administrator', 'login', 'api_key', 'refresh_token', 'payment_link', 'checkout', 'payment',
    'webhook_endpoint', 'order_page_buyer', 'order_page_seller')),
  key text not null,
  company_id uuid not null,
  id uuid not null,
  primary key (kind, key)
);
-- No role reads it: the functions that look up a name do.
call tenant_table('directory', '');

-- The name of a row; null: it has none. A removed administrator cannot log in, so the e-mail address is free again.
create function directory_name(p_kind text, p_column text, p_row jsonb) returns text language sql immutable as $$
  select case when p_kind <> 'login' then p_row ->> p_column when p_row ->> 'removed_at' is null then lower(p_row ->> p_column) end
$$;

-- Keeps the directory's copy of a row's name. The arguments are the kind and the column with the name.
create function directory_named() returns trigger language plpgsql security definer 
set search_path = public, pg_temp set bytea_output = 'hex' as $$
declare
  v_was constant text := case when tg_op <> 'INSERT' then directory_name(tg_argv[0], tg_argv[1], to_jsonb(old)) end;
  v_is constant text := case when tg_op <> 'DELETE' then directory_name(tg_argv[0], tg_argv[1], to_jsonb(new)) end;
begin
  if v_was is not distinct from v_is then return null; end if;
  if v_was is not null then
    delete from directory d where d.kind = tg_argv[0] and d.key = v_was and d.company_id = old.company_id and d.id = old.id;
  end if;
  if v_is is not null then
    insert into directory (kind, key, company_id, id) values (tg_argv[0], v_is, new.company_id, new.id) on conflict do nothing;
    -- A gateway that gives an id twice must not fail the payment: the first one keeps it.
    if not found and tg_argv[0] <> 'payment' then
      raise exception 'another % has this name', tg_argv[0]
        using errcode = 'unique_violation', constraint = 'directory_' || tg_argv[0], table = tg_table_name;
    end if;
  end if;
  return null;
end $$;

-- Refuses a copy whose row has another name, or is not there. The arguments are the table and the column with the name.
create function check_directory() returns trigger language plpgsql security definer
set search_path = public, pg_temp set bytea_output = 'hex' as $$
declare
  v_row jsonb;
begin
  execute format('select to_jsonb(t) from %I t where t.company_id = $1 and t.id = $2', tg_argv[0]) into v_row using new.company_id, new.id;
  if directory_name(new.kind, tg_argv[1], v_row) is distinct from new.key then
    raise exception 'the directory leads to a row that does not have this name' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

-- Enters a table in the directory. The first column has the name; the others decide whether the row has it.
create procedure directory_table(name text, kind text, variadic named text[]) language plpgsql as $$
begin
  execute format('create trigger %I after insert or delete or update of %s on %I'
    ' for each row execute function directory_named(%L, %L)', kind || '_directory',
    (select string_agg(quote_ident(c), ', ') from unnest(named) c), name, kind, named[1]);
  execute format('create trigger %I after insert or update on directory for each row when (new.kind = %L)'
    ' execute function check_directory(%L, %L)', kind || '_checked', kind, name, named[1]);
end $$;
