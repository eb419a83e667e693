-- What names a person elsewhere than 358-erasure.sql looks, and what would write it again after the erasure.

-- The companies for which a registration without a company is over, because its person was erased there.
alter table checkout_registration add column erased_for uuid[] not null default '{}';

create or replace function registration_for_company(p_id uuid)
returns table (mobile_number text, id_number text, first_name text, last_name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.mobile_number, r.id_number, r.first_name, r.last_name from checkout_registration r
  where r.id = p_id and (r.company_id is null or r.company_id = current_company()) and current_company() <> all (r.erased_for)
$$;

create or replace function registered_user(p_id uuid) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id from checkout_registration r
  join app_user u on u.mobile_number = r.mobile_number and u.company_id = current_company()
  where r.id = p_id and (r.company_id is null or r.company_id = current_company()) and current_company() <> all (r.erased_for)
$$;

-- What was written when a debt began too: a chargeback of money that was spent has no entry on the person's account.
alter function commands_about rename to commands_about_entries;
create function commands_about(p_user uuid) returns table (command_id uuid, object_kind text, object_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select * from commands_about_entries(p_user)
  union
  select r.id, 'transaction', r.id from ledger l join account a on a.company_id = l.company_id and a.ledger_id = l.id
  join receivable r on r.company_id = a.company_id and r.account_id = a.id
  where l.company_id = current_company() and l.user_id = p_user
$$;

-- When a person was erased whom the event is about: what the receiver answered before may repeat it.
alter table webhook_delivery add column erased_at timestamptz;

-- As in 040-idempotency.sql, but the first answer stays: an erasure answers the requests that are not answered yet. One statement for each
-- answer, because PostgreSQL read all keys for a call that has many: few rows are without an answer.
create or replace function idempotency_finishes(p_answers jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  answer record;
begin
  for answer in
    select a.* from jsonb_to_recordset(p_answers)
      as a (company_id uuid, operation text, key text, command_id uuid, status integer, body text)
    order by a.company_id, a.operation, a.key
  loop
    update idempotency i set response_status = answer.status, response_body = answer.body
    where i.company_id = answer.company_id and i.operation = answer.operation and i.key = answer.key
      and i.command_id = answer.command_id and i.response_status is null;
  end loop;
end $$;

-- What the bank's files say about receipts and payouts (248-bank-statements.sql) leaves with the person. Both hashes of the entry stay in
-- the journal, before and after, so that an audit still knows the entry, and names every other change of it.
create table bank_entry_erasure (
  company_id uuid not null references company on delete restrict,
  entry_id uuid not null,
  sealed bytea not null,
  emptied bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, entry_id),
  foreign key (company_id, entry_id) references bank_entry (company_id, id) on delete restrict
);
call tenant_table('bank_entry_erasure', '');
create trigger bank_entry_erasure_is_append_only before update or delete or truncate on bank_entry_erasure
  for each statement execute function refuse_change();
call sealed_table('bank_entry_erasure', by_service(), 'entry_id');

drop trigger bank_entry_is_append_only on bank_entry;
create trigger bank_entry_is_append_only before delete or truncate on bank_entry for each statement execute function refuse_change();
create trigger bank_entry_stays before update on bank_entry for each row
  when (new.reference is not null or new.search <> '{}'
    or to_jsonb(new) - '{reference,search}'::text[] is distinct from to_jsonb(old) - '{reference,search}'::text[])
  execute function refuse_change();

-- Empties entries that are matched, so nothing looks for their texts any more.
create function bank_entries_forget(p_company uuid, p_entries uuid[]) returns void
language sql volatile security definer set search_path = public, pg_temp set timezone = 'UTC' set enable_seqscan = off as $$
  with filled as materialized (
    select e.id, record_hash(to_jsonb(e)) as sealed from bank_entry e
    where e.company_id = p_company and e.id = any (p_entries) and (e.reference is not null or e.search <> '{}')
  ), emptied as (
    update bank_entry e set reference = null, search = '{}' from filled f where e.company_id = p_company and e.id = f.id
    returning e.id, f.sealed, record_hash(to_jsonb(e)) as emptied
  )
  insert into bank_entry_erasure (company_id, entry_id, sealed, emptied) select p_company, m.id, m.sealed, m.emptied from emptied m
$$;

-- The entries of the bank that confirm a person's receipts and payouts. A receipt may have come to them from SUSPENSE.
create function bank_entries_about(p_user uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  with own as materialized (
    select a.id from ledger l join account a on a.company_id = l.company_id and a.ledger_id = l.id
    where l.company_id = current_company() and l.user_id = p_user
  ), moved as materialized (
    select e.transaction_id as id from own join entry e on e.company_id = current_company() and e.account_id = own.id
  )
  select m.entry_id from bank_match m where m.company_id = current_company() and m.transaction_id in (
    select id from moved
    union all
    select c.id from bank_capture c where c.company_id = current_company()
      and (c.account_id in (select id from own) or c.matched_id in (select id from moved))
    union all
    select (v.data ->> 'transactionId')::uuid from own
    join withdrawal w on w.company_id = current_company() and w.account_id = own.id
    join withdrawal_event v on v.company_id = w.company_id and v.withdrawal_id = w.id)
$$;

-- Whether a receipt or a payout is of a person who was erased. Each step is a look into an index.
create function is_of_erased(p_company uuid, p_transaction uuid) returns boolean
language plpgsql stable set enable_seqscan = off as $$
begin
  return exists (
    select from (
      select e.account_id from (
        select p_transaction as id
        union all
        select c.matched_id from bank_capture c where c.company_id = p_company and c.id = p_transaction
      ) t cross join lateral (select * from entry where transaction_id = t.id offset 0) e where e.company_id = p_company
      union all
      select c.account_id from bank_capture c where c.company_id = p_company and c.id = p_transaction
    ) t
    cross join lateral (select a.ledger_id from account a where a.company_id = p_company and a.id = t.account_id offset 0) a
    cross join lateral (select l.user_id from ledger l where l.company_id = p_company and l.id = a.ledger_id offset 0) l
    cross join lateral (
      select u.erased_at from app_user u where u.company_id = p_company and u.id = l.user_id offset 0) u
    where u.erased_at is not null);
end $$;

create function bank_match_forgets() returns trigger
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_company uuid;
  v_entries uuid[];
begin
  for v_company in select distinct a.company_id from added a where a.kind in ('CAPTURE', 'PAYOUT', 'REVERSAL') loop
    perform await_erasure(v_company);
    v_entries := array(
      select a.entry_id from added a
      where a.company_id = v_company and a.kind in ('CAPTURE', 'PAYOUT', 'REVERSAL') and is_of_erased(v_company, a.transaction_id));
    if v_entries <> '{}' then perform bank_entries_forget(v_company, v_entries); end if;
  end loop;
  return null;
end $$;
create trigger bank_match_forgets after insert on bank_match referencing new table as added
  for each statement execute function bank_match_forgets();

-- Otherwise the function of 160-ledger-verify.sql: an entry of the bank that was emptied has the hash that it had before.
create or replace function journal_rows(p_company uuid, p_companies uuid[], p_records text[]) returns table (company_id uuid, record text, hash bytea)
language plpgsql stable set timezone = 'UTC' as $$
declare
  source record;
begin
  for source in
    select t.tgrelid::regclass::text as name,
      array(select c from unnest(a.arguments) with ordinality x(c, at) where c not like '-%' order by at) as key_columns,
      array(select substr(c, 2) from unnest(a.arguments) c where c like '-%') as left_out
    from pg_trigger t
    cross join lateral (select string_to_array(regexp_replace(encode(t.tgargs, 'escape'), '\\000$', ''), '\000') as arguments) a
    where t.tgfoid = 'journal_added'::regproc
    order by 1
  loop
    return query execute format(
      case when p_records is null
        then 'select r.company_id, %1$L || %2$s, %4$s from %1$I r where $1 is null or r.company_id = $1'
        else 'select r.company_id, asked.record, %4$s
              from unnest($3, $2) asked(company_id, record) join %1$I r on r.company_id = asked.company_id and %3$s where split_part(asked.record, ''/'', 1) = %1$L'
      end,
      source.name,
      (select string_agg(format('''/'' || r.%I', c), ' || ') from unnest(source.key_columns) c),
      -- The case prevents casts of other tables' keys.
      (select string_agg(format('r.%1$I = case when split_part(asked.record, ''/'', 1) = %2$L'
            ' then split_part(asked.record, ''/'', %3$s)::%4$s end',
          k.name, source.name, k.at + 1, format_type(a.atttypid, null)), ' and ')
        from unnest(source.key_columns) with ordinality k(name, at)
        join pg_attribute a on a.attrelid = source.name::regclass and a.attname = k.name),
      format(case source.name when 'bank_entry' then 'coalesce(case when r.search = ''{}'' then (
            select x.sealed from bank_entry_erasure x
            where x.company_id = r.company_id and x.entry_id = r.id and x.emptied = record_hash(to_jsonb(r))) end, record_hash(to_jsonb(r)))'
        else 'record_hash(to_jsonb(r) - %L::text[])' end, source.left_out))
    using p_company, p_records, p_companies;
  end loop;
end $$;

-- Otherwise the function of 358-erasure.sql, with one more list.
alter function user_export rename to user_export_of_services;
create function user_export(p_user uuid, p_list text, p_after jsonb, p_limit integer) returns table (place jsonb, held jsonb)
language plpgsql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
begin
  if p_list <> 'bankLines' then return query select * from user_export_of_services(p_user, p_list, p_after, p_limit); return; end if;
  return query
    select jsonb_build_array(e.created_at, e.id), jsonb_build_object('id', e.id, 'date', e.date, 'direction', e.direction,
      'amount', e.amount_cents::text, 'currency', e.currency, 'bankReference', e.bank_reference, 'endToEndId', e.end_to_end_id,
      'reference', e.reference, 'texts', e.search, 'createdAt', e.created_at)
    from bank_entries_about(p_user) b(id) join bank_entry e on e.company_id = current_company() and e.id = b.id
    where p_after is null or jsonb_typeof(p_after) = 'null'
      or (e.created_at, e.id) > ((p_after ->> 0)::timestamptz, (p_after ->> 1)::uuid)
    order by e.created_at, e.id limit p_limit;
end $$;
revoke execute on function user_export_of_services from escrow_api;
grant execute on function user_export to escrow_api;

-- Erases a person: all that user_erase does, under its conditions, and the rest. `p_numbers`: their phone number in each form that is
-- stored.
create function erase_person(p_user uuid, p_reason text, p_numbers text[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_company constant uuid := current_company();
  v_ledger constant uuid := (select l.id from ledger l where l.company_id = v_company and l.user_id = p_user);
  v_accounts constant uuid[] := array(select a.id from account a where a.company_id = v_company and a.ledger_id = v_ledger);
  v_escrows constant uuid[] := array(select t.escrow_id from theirs_of(p_user) t);
  v_withdrawals constant uuid[] := array(select w.id from withdrawal w where w.company_id = v_company and w.account_id = any (v_accounts));
  v_registrations constant uuid[] := array(select r.id from checkout_registration r
    where r.mobile_number = any (p_numbers) and (r.company_id is null or r.company_id = v_company));
  v_objects constant uuid[] := v_accounts || v_escrows || v_withdrawals || v_ledger || p_user
    || array(select l.id from payment_link l where l.company_id = v_company and (l.buyer_id = p_user or l.escrow_id = any (v_escrows)))
    || array(select r.id from order_request r where r.company_id = v_company and r.escrow_id = any (v_escrows))
    || array(select m.id from order_message m where m.company_id = v_company and m.escrow_id = any (v_escrows))
    || array(select e.transaction_id from entry e where e.company_id = v_company and e.account_id = any (v_accounts));
  v_bank_entries constant uuid[] := array(select bank_entries_about(p_user));
begin
  perform user_erase(p_user, p_reason);
  perform set_config('app.erasure', 'on', true);

  -- A repetition of the request gets the ids; one whose answer was lost, or comes late, gets none.
  update idempotency i set response_body = coalesce((
      select jsonb_object_agg(f.key, f.value) from jsonb_each(i.response_body::jsonb) f
      where f.key in ('id', 'escrowId', 'ledgerId', 'status')
    ), '{}')::text
    where i.company_id = v_company and case when i.response_body like '{%' then
      i.response_body::jsonb ->> 'ledgerId' = 'ldg_' || v_ledger
      or i.response_body::jsonb ->> 'escrowId' in (select 'esc_' || t from unnest(v_escrows) t)
      or i.response_body::jsonb ->> 'id' in (select 'bke_' || b from unnest(v_bank_entries) b) end;
  update idempotency i set response_status = 200, response_body = '{}'
    where i.company_id = v_company and i.response_status is null
      and i.command_id in (select c.command_id from commands_about(p_user) c union all select unnest(v_withdrawals));

  perform bank_entries_forget(v_company, v_bank_entries);

  -- Deliveries that are being sent have no answer yet.
  update webhook_delivery d set erased_at = clock_timestamp()
    where d.company_id = v_company and d.status = 'PENDING' and d.object_id = any (v_objects);
  update webhook_attempt t set answer = null
    from webhook_delivery d
    where t.company_id = v_company and d.company_id = v_company and t.delivery_id = d.id and t.answer is not null
      and d.object_id = any (v_objects);
  update event_set_aside s set snapshot = s.snapshot
      || '{"before": null, "after": {"bankName": "", "branchCode": "", "maskedNumber": "", "accountName": ""}}'
    where s.company_id = v_company and s.object_id = v_ledger and s.object_kind = 'bank_details';

  -- Changes that were asked for under another form of an id.
  update audit_log a set changes = null
    where a.company_id = v_company and a.changes is not null
      and lower(a.resource) in (select unnest(array[p || i, i]) from (
        select 'ldg_', v_ledger::text union all select 'usr_', unnest(v_registrations || p_user)::text) f(p, i));

  -- Other buyers whom the person's phone paid for, and registrations for any company: these go with the number's last user.
  update payment_attempt a set phone = null from payment_link l
    where a.company_id = v_company and a.phone = any (p_numbers) and l.company_id = v_company and l.id = a.link_id
      and not l.status in ('PENDING', 'PROCESSING');
  update checkout_registration r set erased_for = r.erased_for || v_company where r.id = any (v_registrations);
  delete from checkout_registration r where r.id = any (v_registrations) and not exists (
    select from app_user u where u.mobile_number = r.mobile_number);
  perform set_config('app.erasure', 'off', true);
end $$;
grant execute on function erase_person to escrow_api;

-- Whose event carries the command out: an escrow, a link or a withdrawal. A text without that event is deleted after a week
-- (db/escrow/escrows.ts). Null: the text was written together with what it is about.
alter table command_text add column about uuid;
grant delete on command_text to escrow_worker;
