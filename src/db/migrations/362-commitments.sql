-- Commitments: the history of what decides where money goes and who may act, in the rows that no event explains. A statement of
-- the service that writes a committed column adds a record with a hash of the value before and after it. The records are part of the
-- journal, so the chain seals them, and an audit compares the last hash of every column with the row. Statements of the database's owner
-- leave no record, so an audit names what they change.
--
-- A hash says nothing about its value without the row's key. The erasure of a person replaces the keys of the rows that it empties:
-- value and key are gone, and the chain stays true.

create table commitment (
  id bigint generated always as identity,
  company_id uuid not null,
  -- Table and key of the row: 'payout_limit/<company>/USD'.
  record text not null,
  -- The columns that changed: {column: [hash before, hash after]}. The hash of null is null.
  changes jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id)
);
call tenant_table('commitment', '');
create trigger commitment_is_append_only before update or delete or truncate on commitment
  for each statement execute function refuse_change();
call sealed_table('commitment', by_service(), 'id');
-- Lines of the audit log, without the changes, which the erasure of a person empties: they are committed below.
call sealed_table('audit_log', by_service(), 'id', '-changes');

-- The keys of rows with personal data.
create table commitment_key (
  company_id uuid not null,
  record text not null,
  key bytea not null check (length(key) = 32),
  primary key (company_id, record)
);
call tenant_table('commitment_key', '');

create function commitment_hash(p_key bytea, p_record text, p_column text, p_value jsonb) returns text language sql immutable as $$
  select case when p_value <> 'null' then
    encode(sha256(p_key || sha256(p_key || convert_to(jsonb_build_array(p_record, p_column, p_value)::text, 'UTF8'))), 'hex') end
$$;

-- Records the committed columns of a row. The arguments: the column with the company, the columns of the key, whether the row has
-- personal data, the committed columns, and the table, because the row may be in a partition with another name.
create function row_committed() returns trigger language plpgsql security definer
set search_path = public, pg_temp set timezone = 'UTC' set bytea_output = 'hex' as $$
declare
  v_old constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  v_new constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  v_row constant jsonb := coalesce(v_new, v_old);
  v_company constant uuid := v_row ->> tg_argv[0];
  v_record constant text := tg_argv[4]
    || (select string_agg('/' || (v_row ->> k.name), '' order by k.at) from unnest(tg_argv[1]::text[]) with ordinality k(name, at));
  v_key bytea := '\x';
  v_key_after bytea := '\x';
  v_changes jsonb;
begin
  if tg_argv[2]::boolean then
    select k.key into v_key from commitment_key k where k.company_id = v_company and k.record = v_record;
    if v_new is null then
      delete from commitment_key k where k.company_id = v_company and k.record = v_record;
    elsif v_key is null or current_setting('app.erasure', true) = 'on' then
      v_key_after := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
      insert into commitment_key as k (company_id, record, key) values (v_company, v_record, v_key_after)
      on conflict (company_id, record) do update set key = excluded.key;
    else
      v_key_after := v_key;
    end if;
    v_key := coalesce(v_key, '\x');
  end if;
  select jsonb_object_agg(h.name, jsonb_build_array(h.before, h.after)) into v_changes
  from (
    select c.name, commitment_hash(v_key, v_record, c.name, v_old -> c.name) as before,
      commitment_hash(v_key_after, v_record, c.name, v_new -> c.name) as after
    from unnest(tg_argv[3]::text[]) c(name)) h
  where h.before is distinct from h.after;
  if v_changes is not null then
    insert into commitment (company_id, record, changes) values (v_company, v_record, v_changes);
  end if;
  return null;
end $$;

-- Commits columns of a table. Each trigger is skipped for the owner of the database, except in programs of the service that act as the
-- owner (connect in db/core/orm.ts).
create procedure committed_table(
  name text, columns text[], key text[] default '{id}', is_personal boolean default false, company text default 'company_id'
) language plpgsql as $$
declare
  v_act constant text := format('execute function row_committed(%L, %L, %L, %L, %L)', company, key, is_personal, columns, name);
  v_by_service constant text := by_service();
  v_new constant text := (select string_agg(format('new.%I', c), ', ') from unnest(columns) c);
begin
  execute format('create trigger %I after insert on %I for each row when (%s and num_nonnulls(%s) > 0) %s',
    name || '_committed', name, v_by_service, v_new, v_act);
  execute format('create trigger %I after update of %s on %I for each row when (%s and (%s) is distinct from (%s)) %s',
    name || '_recommitted', (select string_agg(quote_ident(c), ', ') from unnest(columns) c), name, v_by_service,
    'row(' || v_new || ')', 'row(' || replace(v_new, 'new.', 'old.') || ')', v_act);
  execute format('create trigger %I after delete on %I for each row when (%s) %s',
    name || '_uncommitted', name, v_by_service, v_act);
end $$;

-- Where money goes.
call committed_table('account', '{ledger_id,type,currency,may_go_negative,is_frozen}');
call committed_table('account_freeze', '{account_id,is_frozen,reason,actor_kind,actor_id,actor_role,created_at}', is_personal => true);
call committed_table('ledger', '{user_id,name}', is_personal => true);
call committed_table('bank_details',
  '{ledger_id,bank_name,branch_code,account_number,masked_number,account_name,actor_kind,actor_id,person_id,changed_at,effective_at,approved_by}',
  is_personal => true);
call committed_table('payout_destination',
  '{external_reference,bank_name,branch_code,account_number,account_name,attempts,not_before,person_id}', is_personal => true);
call committed_table('withdrawal', '{external_reference}');
call committed_table('payout_limit', '{amount_cents}', '{company_id,currency}');
call committed_table('fee_config', '{basis_points,effective_from}', '{company_id,kind,currency,effective_from}');
call committed_table('bank_capture', '{reference,currency,amount_cents,matched_kind,matched_id,account_id,possible_duplicate_of}');
call committed_table('escrow', '{external_reference,external_invoice_number}');
call committed_table('payment_link', '{hash,external_reference,success_url,cancel_url,expires_at}');
call committed_table('payment_attempt', '{link_id,kind,provider,checkout_id,payment_id,refund_asked_at}');

-- Who may act.
call committed_table('company',
  '{name,slug,is_platform,system_fee_basis_points,service_fee_basis_points,auto_release_hours,default_seller_id,default_phone_region,checkout_hosts,support_email,terms_url,address,tax_number,registration_number,time_zone,settlement_card_reference,settlement_mobile_reference,settlement_fee_basis_points,order_pages,require_mfa}',
  company => 'id');
call committed_table('administrator',
  '{email,password_hash,role,must_change_password,token_version,totp_secret,totp_enabled,recovery_hashes,factor_version,removed_at}');
call committed_table('api_key', '{key_hash,role,permissions,is_active,expires_at,active_until,created_by,revoked_at}');
call committed_table('app_user',
  '{mobile_number,id_number,first_name,last_name,kyc_level,identity_status,changed_since_approval,custom_reference,bank_account,id_number_hash,phone_hash,bank_account_hash,is_self_registered,document_id,erased_at}',
  is_personal => true);
call committed_table('blacklist_mark', '{kind,hash}', '{kind,hash,by_user}', company => 'by_company');
call committed_table('document', '{media_type,sha256}');
call committed_table('order_page', '{version,buyer_hash,seller_hash}');
call committed_table('order_request', '{escrow_id,act,party,details,secret,status,deciding,command_id,lapses_at}', is_personal => true);
call committed_table('webhook_endpoint', '{url,secret,previous_secret,previous_secret_until}');
-- The journal has the rest of a line, which nothing changes.
call committed_table('audit_log', '{changes}', is_personal => true);

-- The committed columns of all rows as they are now.
create function committed_rows(p_company uuid) returns table (company_id uuid, record text, name text, hash text)
language plpgsql stable set timezone = 'UTC' set bytea_output = 'hex' as $$
declare
  source record;
begin
  for source in
    select t.tgrelid::regclass::text as name, a.args[1] as company, a.args[2]::text[] as key_columns, a.args[4]::text[] as columns
    from pg_trigger t
    cross join lateral (select string_to_array(regexp_replace(encode(t.tgargs, 'escape'), '\\000$', ''), '\000') as args) a
    where t.tgfoid = 'row_committed'::regproc and t.tgtype & 4 <> 0 and t.tgparentid = 0 -- for inserts: one for each table
  loop
    return query execute format(
      'select x.company_id, x.record, c.key, commitment_hash(coalesce(k.key, ''\x''), x.record, c.key, c.value)
       from (select r.%I as company_id, %L || %s as record, jsonb_build_object(%s) as content from %I r where $1 is null or r.%I = $1) x
       left join commitment_key k on k.company_id = x.company_id and k.record = x.record
       cross join lateral jsonb_each(x.content) c',
      source.company, source.name, (select string_agg(format('''/'' || (to_jsonb(r.%I) #>> ''{}'')', c), ' || ') from unnest(source.key_columns) c),
      (select string_agg(format('%L, r.%I', c, c), ', ') from unnest(source.columns) c), source.name, source.company)
    using p_company;
  end loop;
end $$;

-- The rows that differ from their last commitments, or that were changed between two of them.
create function commitment_mismatches(p_company uuid, p_limit integer)
returns table (kind text, company_id uuid, record text, expected text, actual text)
language plpgsql volatile security definer set search_path = public, pg_temp set jit = off as $$
#variable_conflict use_column
begin
  perform require_company(p_company);
  perform set_config('enable_nestloop', 'off', true); -- everything is read, so use hash joins
  return query
  with step as materialized (
    select c.company_id, c.record, f.key as name, f.value ->> 0 as before, f.value ->> 1 as after,
      lag(f.value ->> 1) over link as last, lead(c.id) over link is null as is_last
    from commitment c cross join lateral jsonb_each(c.changes) f
    where p_company is null or c.company_id = p_company
    window link as (partition by c.company_id, c.record, f.key order by c.id)
  ), stored as materialized (
    select r.* from committed_rows(p_company) r
  ), known as materialized (
    select distinct s.company_id, s.record from step s
  ), present as materialized (
    select distinct s.company_id, s.record from stored s
  ), differing as (
    select coalesce(s.company_id, r.company_id) as company_id, coalesce(s.record, r.record) as record, coalesce(s.name, r.name) as name,
      s.after as expected, r.hash as actual
    from (select * from step where is_last) s
    full join stored r on r.company_id = s.company_id and r.record = s.record and r.name = s.name
    where s.after is distinct from r.hash
    union all
    select s.company_id, s.record, s.name, s.last, s.before from step s where s.before is distinct from s.last
  )
  select distinct
    case when k.record is null then 'row_inserted' when p.record is null then 'row_deleted' else 'row_changed' end, d.company_id,
    case when k.record is null or p.record is null then d.record else d.record || '/' || d.name end,
    case when k.record is not null and p.record is not null then d.expected end,
    case when k.record is not null and p.record is not null then d.actual end
  from differing d
  left join known k on k.company_id = d.company_id and k.record = d.record
  left join present p on p.company_id = d.company_id and p.record = d.record
  limit p_limit;
  perform set_config('enable_nestloop', 'on', true);
end $$;
