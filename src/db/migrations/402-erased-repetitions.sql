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

-- As in 040-idempotency.sql, but the first answer stays: an erasure answers the requests that are not answered yet.
create or replace function idempotency_finishes(p_answers jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update idempotency i set response_status = answer.status, response_body = answer.body
  from (
    select a.* from jsonb_to_recordset(p_answers)
      as a (company_id uuid, operation text, key text, command_id uuid, status integer, body text)
    order by a.company_id, a.operation, a.key
  ) answer
  where i.company_id = answer.company_id and i.operation = answer.operation and i.key = answer.key
    and i.command_id = answer.command_id and i.response_status is null;
end $$;

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
      or i.response_body::jsonb ->> 'escrowId' in (select 'esc_' || t from unnest(v_escrows) t) end;
  update idempotency i set response_status = 200, response_body = '{}'
    where i.company_id = v_company and i.response_status is null
      and i.command_id in (select c.command_id from commands_about(p_user) c union all select unnest(v_withdrawals));

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
