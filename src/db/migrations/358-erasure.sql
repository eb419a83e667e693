-- What is held about a person, and its erasure. The person is a user of one company; ids, amounts and times stay, and so do the
-- references in the sealed ledger.

-- Taken before a person is given money or an order: it waits for an erasure in the company, which waits for its holders. What is read
-- afterwards shows who was erased. With p_is_patient false it returns false instead of waiting.
create function await_erasure(p_company uuid, p_is_patient boolean default true) returns boolean language plpgsql volatile as $$
declare
  v_lock constant bigint := hashtextextended('erasure ' || p_company, 0);
begin
  if not p_is_patient then return pg_try_advisory_xact_lock_shared(v_lock); end if;
  perform pg_advisory_xact_lock_shared(v_lock);
  return true;
end $$;

create function begin_erasure() returns void language sql volatile as $$
  select pg_advisory_xact_lock(hashtextextended('erasure ' || current_company(), 0))
$$;

-- Why the person cannot be erased now; null: they can. `p_retention`: the time that the law asks for after the last business.
create function user_erasure_obstacle(p_user uuid, p_retention interval) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  with own as (
    select a.company_id, a.id, a.posted, a.held from account a join ledger l on l.company_id = a.company_id and l.id = a.ledger_id
    where l.company_id = current_company() and l.user_id = p_user
  ), theirs as (
    select e.id, e.status, e.updated_at from escrow e
    where e.company_id = current_company() and (e.buyer_id = p_user or e.seller_id = p_user)
  ), payouts as (
    select w.status, w.updated_at from withdrawal w join own on own.company_id = w.company_id and own.id = w.account_id
    where w.company_id = current_company()
  )
  select case
    when exists (select from own where posted <> 0 or held <> 0)
      or exists (select from own join account_delta d on d.account_id = own.id and d.company_id = own.company_id) then 'money'
    when exists (select from theirs where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED')) then 'an escrow'
    when exists (select from payment_link l where l.company_id = current_company() and l.buyer_id = p_user
      and l.status in ('PENDING', 'PROCESSING')) then 'a payment link'
    when exists (select from payouts where status = 'PROCESSING') then 'a payout'
    when exists (select from receivable_balance r join own on own.company_id = r.company_id and own.id = r.account_id
      where r.remaining_cents > 0) then 'a debt'
    when greatest((select max(updated_at) from theirs), (select max(updated_at) from payouts),
      (select max(t.created_at) from own join entry n on n.company_id = own.company_id and n.account_id = own.id
        join ledger_transaction t on t.company_id = n.company_id and t.id = n.transaction_id
        where n.company_id = current_company()))
      > company_now(current_company()) - p_retention then 'business within the retention period'
  end
$$;

-- The escrows of a person, each with the side that they are on.
create function theirs_of(p_user uuid) returns table (escrow_id uuid, party text)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, case when e.buyer_id = p_user then 'BUYER' else 'SELLER' end from escrow e
  where e.company_id = current_company() and (e.buyer_id = p_user or e.seller_id = p_user)
$$;

-- The files that a person sent on order pages.
create function user_files(p_user uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select d.id from document d join theirs_of(p_user) t on d.escrow_id = t.escrow_id and d.party = t.party
  where d.company_id = current_company()
$$;

-- The commands with which people wrote something about a person's orders, payouts and transactions (command_text). A transaction has
-- the id of its command.
create function commands_about(p_user uuid) returns table (command_id uuid, object_kind text, object_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  with own as (
    select a.company_id, a.id from account a join ledger l on l.company_id = a.company_id and l.id = a.ledger_id
    where l.company_id = current_company() and l.user_id = p_user
  )
  select v.command_id, 'escrow', v.escrow_id from theirs_of(p_user) t join escrow_event v on v.escrow_id = t.escrow_id
  where v.company_id = current_company()
  union
  select v.command_id, 'payment_link', l.id from payment_link l
  join payment_link_event v on v.company_id = l.company_id and v.link_id = l.id
  where l.company_id = current_company() and (l.buyer_id = p_user or l.escrow_id in (select t.escrow_id from theirs_of(p_user) t))
  union
  select v.command_id, 'withdrawal', w.id from own join withdrawal w on w.company_id = own.company_id and w.account_id = own.id
  join withdrawal_event v on v.company_id = w.company_id and v.withdrawal_id = w.id
  where w.company_id = current_company()
  union
  select t.id, 'transaction', t.id from own join entry n on n.company_id = own.company_id and n.account_id = own.id
  join ledger_transaction t on t.company_id = n.company_id and t.id = n.transaction_id
  where n.company_id = current_company() and t.type = 'REVERSAL'
  union
  select s.transaction_id, 'transaction', s.transaction_id from own
  join receivable r on r.company_id = own.company_id and r.account_id = own.id
  join receivable_settlement s on s.company_id = r.company_id and s.receivable_id = r.id
  where r.company_id = current_company()
$$;

-- The list with these fields in each of its objects.
create function with_each(p_list jsonb, p_fields jsonb) returns jsonb
language sql immutable set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(e.one || p_fields order by e.place), '[]') from jsonb_array_elements(p_list) with ordinality e(one, place)
$$;

-- Erases a person everywhere but in the ledger. The caller holds the lock on the user's row, and has asked for obstacles. Returns
-- the phone number that they had.
create function user_erase(p_user uuid, p_reason text) returns text
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_company constant uuid := current_company();
  v_number constant text := (select mobile_number from app_user where company_id = v_company and id = p_user);
  v_public constant text := 'usr_' || p_user;
  v_escrows uuid[];
  v_withdrawals uuid[];
  v_commands uuid[];
  v_words constant text[] := '{items,milestones,notes,reason,documentUrl,carrier,trackingNumber,userReference}';
begin
  -- Facts that have no position yet are read by one sealer at a time. It has finished, or reads what is left here.
  perform from event_feed for update;
  perform set_config('app.erasure', 'on', true); -- the rows get new keys (362-commitments.sql)
  select coalesce(array_agg(id), '{}') into v_escrows
    from escrow where company_id = v_company and (buyer_id = p_user or seller_id = p_user);
  select coalesce(array_agg(w.id), '{}') into v_withdrawals
    from withdrawal w join account a on a.company_id = w.company_id and a.id = w.account_id
    join ledger l on l.company_id = a.company_id and l.id = a.ledger_id
    where w.company_id = v_company and l.user_id = p_user;
  select array_agg(command_id) || array(select id from dispute_note where company_id = v_company and escrow_id = any (v_escrows))
    into v_commands from commands_about(p_user);

  update app_user set mobile_number = null, id_number = null, first_name = null, last_name = null, email = null, metadata = '{}',
    custom_reference = null, bank_account = null, document_id = null, id_number_hash = null, phone_hash = null,
    bank_account_hash = null, identity_status_reason = null, changed_since_approval = '{}',
    kyc_level = 1, erased_at = coalesce(erased_at, clock_timestamp()), erasure_reason = coalesce(erasure_reason, p_reason),
    updated_at = clock_timestamp()
    where company_id = v_company and id = p_user;
  update ledger set name = 'User' where company_id = v_company and user_id = p_user;
  delete from bank_details d using ledger l
    where d.company_id = v_company and l.company_id = v_company and l.id = d.ledger_id and l.user_id = p_user;
  update audit_log a set changes = null from ledger l
    where a.company_id = v_company and l.company_id = v_company and l.user_id = p_user and a.changes is not null
      and a.resource in (l.id::text, 'ldg_' || l.id, v_public, p_user::text);
  update event e set data = data || '{"before": null, "after": {"bank_name": "", "branch_code": "", "account_number": "", "account_name": ""}}'
    from ledger l where e.company_id = v_company and l.company_id = v_company and l.user_id = p_user and e.object_id = l.id
      and e.object_kind = 'bank_details';
  update event_fact f set snapshot = snapshot || '{"before": null, "after": {"bankName": "", "branchCode": "", "maskedNumber": "", "accountName": ""}}'
    from ledger l where f.company_id = v_company and l.company_id = v_company and l.user_id = p_user and f.object_id = l.id
      and f.object_kind = 'bank_details';
  update payout_destination set bank_name = '', branch_code = '', account_number = null, account_name = ''
    where company_id = v_company and id = any (v_withdrawals);
  update payment_attempt a set phone = null from payment_link l
    where a.company_id = v_company and l.company_id = v_company and l.id = a.link_id and l.buyer_id = p_user and a.phone is not null;
  update payment_link set user_reference = null where company_id = v_company and buyer_id = p_user and user_reference is not null;
  update company set default_seller_id = null where id = v_company and default_seller_id = p_user;
  delete from checkout_registration where company_id = v_company and mobile_number = v_number;
  delete from sandbox_message where company_id = v_company and mobile_number = v_number;

  -- What people wrote about their orders, the names of what was ordered too. References and addresses of pages stay.
  update command_text set content = content - v_words
    where company_id = v_company and command_id = any (v_commands) and content ?| v_words;
  update account_freeze f set reason = '' from account a join ledger l on l.company_id = a.company_id and l.id = a.ledger_id
    where f.company_id = v_company and a.company_id = v_company and f.account_id = a.id and l.user_id = p_user;
  -- What they sent: the API then deletes the bytes, and the rows.
  update document set escrow_id = null, command_id = null, party = null from theirs_of(p_user) t
    where document.company_id = v_company and document.escrow_id = t.escrow_id and document.party = t.party;
  update order_request set details = '{}', secret = null, reason = null
    where company_id = v_company and escrow_id = any (v_escrows);
  update dispute_note set text = '' where company_id = v_company and escrow_id = any (v_escrows);

  -- Events, those without a position, and what receivers of webhooks answered to them.
  update webhook_attempt t set answer = null
    from webhook_delivery d join event e on e.company_id = d.company_id and e.id = d.event_id
    where t.company_id = v_company and d.company_id = v_company and t.delivery_id = d.id and t.answer is not null
      and e.object_id = any (v_escrows || v_withdrawals || p_user);
  update event set data = data || '{"firstName": null, "lastName": null, "customReference": null}'
    where company_id = v_company and object_id = p_user and object_kind = 'user';
  update event set data = jsonb_set(data, array[p.party, 'name'], 'null')
    from (values ('buyer'), ('seller')) p(party)
    where company_id = v_company and object_id = any (v_escrows) and object_kind = 'escrow' and data -> p.party ->> 'id' = v_public;
  update event set data = data || jsonb_build_object(
      'items', with_each(data -> 'items', '{"name": null, "description": null}'),
      'milestones', with_each(data -> 'milestones', '{"title": null, "description": null}'))
    where company_id = v_company and object_id = any (v_escrows) and object_kind = 'escrow';
  update event set data = data || '{"bank_name": "", "branch_code": "", "account_name": ""}'
    where company_id = v_company and object_id = any (v_withdrawals) and object_kind = 'withdrawal';
  update event_fact set snapshot = snapshot || '{"firstName": null, "lastName": null, "customReference": null}'
    where company_id = v_company and object_id = p_user and object_kind = 'user';
  update event_set_aside set snapshot = snapshot || '{"firstName": null, "lastName": null, "customReference": null}'
    where company_id = v_company and object_id = p_user and object_kind = 'user';

  -- Stored answers of the last day that name the person, or are about their orders and payouts. A repetition gets the id.
  update idempotency set response_body = coalesce((
      select jsonb_object_agg(f.key, f.value) from jsonb_each(response_body::jsonb) f where f.key in ('id', 'userId', 'status')
    ), '{}')::text
    where company_id = v_company and response_body like '{%'
      and (position(v_public in response_body) > 0 or command_id = any (v_commands || v_withdrawals));
  perform set_config('app.erasure', 'off', true);
  return v_number;
end $$;

-- Some rows of a list in the export of a person: at most p_limit after `p_after`, the place of the row before. Encrypted values stay
-- encrypted. Every list may be long, so none is read as a whole.
create function user_export(p_user uuid, p_list text, p_after jsonb, p_limit integer) returns table (place jsonb, held jsonb)
language plpgsql stable security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  v_company constant uuid := current_company();
  v_ledger constant uuid := (select l.id from ledger l where l.company_id = v_company and l.user_id = p_user);
  v_number constant text := (select u.mobile_number from app_user u where u.company_id = v_company and u.id = p_user);
  -- The places of most rows are their time and id, of others a number or a text.
  v_at constant timestamptz := case jsonb_typeof(p_after) when 'array' then (p_after ->> 0)::timestamptz else '-infinity' end;
  v_id constant uuid := case jsonb_typeof(p_after) when 'array' then p_after ->> 1 else '00000000-0000-0000-0000-000000000000' end;
  v_number_after constant bigint := case jsonb_typeof(p_after) when 'number' then p_after::bigint else 0 end;
  v_text_after constant text := case jsonb_typeof(p_after) when 'string' then p_after #>> '{}' else '' end;
begin
  case p_list
  when 'bankDetails' then return query
    select jsonb_build_array(d.created_at, d.id), jsonb_build_object('id', d.id, 'bankName', d.bank_name, 'branchCode', d.branch_code,
      'accountNumber', d.account_number, 'accountName', d.account_name, 'changedAt', d.changed_at)
    from bank_details d where d.company_id = v_company and d.ledger_id = v_ledger and (d.created_at, d.id) > (v_at, v_id)
    order by d.created_at, d.id limit p_limit;
  when 'freezes' then return query
    select jsonb_build_array(f.created_at, f.id), jsonb_build_object('accountId', f.account_id, 'isFrozen', f.is_frozen,
      'reason', f.reason, 'createdAt', f.created_at)
    from account a join account_freeze f on f.company_id = a.company_id and f.account_id = a.id
    where a.company_id = v_company and a.ledger_id = v_ledger and (f.created_at, f.id) > (v_at, v_id)
    order by f.created_at, f.id limit p_limit;
  when 'transactions' then return query
    select to_jsonb(n.id), jsonb_build_object('id', t.id, 'type', t.type, 'status', t.status, 'amount', n.amount::text,
      'direction', case when n.amount < 0 then 'DEBIT' else 'CREDIT' end, 'currency', t.currency, 'reference', t.reference,
      'metadata', shown_metadata(t), 'accountId', n.account_id, 'createdAt', t.created_at)
    from (
      select e.* from account a cross join lateral (
        select e.* from entry e where e.company_id = v_company and e.account_id = a.id and e.id > v_number_after
        order by e.id limit p_limit) e
      where a.company_id = v_company and a.ledger_id = v_ledger order by e.id limit p_limit) n
    join ledger_transaction t on t.company_id = n.company_id and t.id = n.transaction_id order by n.id;
  when 'escrows' then return query
    select jsonb_build_array(e.created_at, e.id), jsonb_build_object('id', e.id, 'status', e.status,
      'role', case when e.buyer_id = p_user then 'BUYER' else 'SELLER' end, 'totalAmount', e.total_cents::text, 'currency', e.currency,
      'externalReference', e.external_reference, 'externalInvoiceNumber', e.external_invoice_number, 'createdAt', e.created_at)
    from escrow e where e.company_id = v_company and (e.buyer_id = p_user or e.seller_id = p_user)
      and (e.created_at, e.id) > (v_at, v_id) order by e.created_at, e.id limit p_limit;
  when 'texts' then return query
    select jsonb_build_array(c.created_at, c.command_id),
      c.content || jsonb_build_object('about', b.object_kind, 'id', b.object_id, 'at', c.created_at)
    from (select b.command_id, min(b.object_kind) as object_kind, (array_agg(b.object_id))[1] as object_id
      from commands_about(p_user) b group by 1) b
    join command_text c on c.company_id = v_company and c.command_id = b.command_id
    where (c.created_at, c.command_id) > (v_at, v_id) order by c.created_at, c.command_id limit p_limit;
  when 'disputeNotes' then return query
    select jsonb_build_array(d.created_at, d.id), jsonb_build_object('escrowId', d.escrow_id, 'text', d.text, 'createdAt', d.created_at)
    from theirs_of(p_user) t join dispute_note d on d.escrow_id = t.escrow_id
    where d.company_id = v_company and (d.created_at, d.id) > (v_at, v_id) order by d.created_at, d.id limit p_limit;
  when 'requests' then return query
    select jsonb_build_array(r.created_at, r.id), jsonb_build_object('id', r.id, 'escrowId', r.escrow_id, 'act', r.act,
      'details', r.details, 'status', r.status, 'reason', r.reason, 'createdAt', r.created_at)
    from theirs_of(p_user) t join order_request r on r.escrow_id = t.escrow_id and r.party = t.party
    where r.company_id = v_company and (r.created_at, r.id) > (v_at, v_id) order by r.created_at, r.id limit p_limit;
  when 'files' then return query
    select jsonb_build_array(d.created_at, d.id), jsonb_build_object('id', d.id, 'escrowId', d.escrow_id, 'mediaType', d.media_type,
      'byteCount', d.byte_count, 'sha256', encode(d.sha256, 'hex'), 'createdAt', d.created_at)
    from theirs_of(p_user) t join document d on d.escrow_id = t.escrow_id and d.party = t.party
    where d.company_id = v_company and (d.created_at, d.id) > (v_at, v_id) order by d.created_at, d.id limit p_limit;
  when 'paymentLinks' then return query
    select jsonb_build_array(l.created_at, l.id), jsonb_build_object('id', l.id, 'status', l.status, 'amount', l.amount_cents::text,
      'currency', l.currency, 'externalReference', l.external_reference, 'userReference', l.user_reference, 'createdAt', l.created_at)
    from payment_link l where l.company_id = v_company and l.buyer_id = p_user and (l.created_at, l.id) > (v_at, v_id)
    order by l.created_at, l.id limit p_limit;
  when 'paymentPhones' then return query
    select to_jsonb(p.phone), to_jsonb(p.phone) from (
      select distinct a.phone from payment_attempt a join payment_link l on l.company_id = a.company_id and l.id = a.link_id
      where a.company_id = v_company and l.buyer_id = p_user and a.phone > v_text_after order by 1 limit p_limit) p;
  when 'withdrawals' then return query
    select jsonb_build_array(w.created_at, w.id), jsonb_build_object('id', w.id, 'status', w.status, 'amount', w.amount_cents::text,
      'currency', w.currency, 'externalReference', w.external_reference, 'createdAt', w.created_at, 'bankName', d.bank_name,
      'branchCode', d.branch_code, 'accountNumber', d.account_number, 'accountName', d.account_name)
    from account a join withdrawal w on w.company_id = a.company_id and w.account_id = a.id
    join payout_destination d on d.company_id = w.company_id and d.id = w.id
    where a.company_id = v_company and a.ledger_id = v_ledger and w.company_id = v_company and (w.created_at, w.id) > (v_at, v_id)
    order by w.created_at, w.id limit p_limit;
  when 'registrations' then return query
    select jsonb_build_array(r.created_at, r.id), jsonb_build_object('id', r.id, 'firstName', r.first_name, 'lastName', r.last_name,
      'idNumber', r.id_number, 'createdAt', r.created_at)
    from checkout_registration r where r.company_id = v_company and r.mobile_number = v_number
      and (r.created_at, r.id) > (v_at, v_id) order by r.created_at, r.id limit p_limit;
  when 'messages' then return query
    select to_jsonb(m.id), jsonb_build_object('merchant', m.merchant, 'amount', m.amount, 'sentAt', m.sent_at)
    from sandbox_message m where m.company_id = v_company and m.mobile_number = v_number and m.id > v_number_after
    order by m.id limit p_limit;
  when 'events' then return query
    select to_jsonb(e.position), jsonb_build_object('id', e.id, 'type', e.type, 'createdAt', e.created_at, 'data', e.data)
    from event e where e.company_id = v_company and e.object_id = p_user and e.position > v_number_after
    order by e.position limit p_limit;
  end case;
end $$;

-- Documents that may be deleted, of all companies, after a place in the order of their keys: those that nobody refers to, an hour after
-- their upload, because no upload takes as long, and with a retention those that are older. No user: nobody refers to it.
create function documents_to_delete(p_retention interval, p_after_company uuid, p_after uuid, p_limit integer)
returns table (company_id uuid, document_id uuid, user_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.company_id, d.id, u.id from document d
  left join app_user u on u.company_id = d.company_id and u.document_id = d.id
  where (d.company_id, d.id) > (p_after_company, p_after) and case
    when d.escrow_id is not null then d.created_at < now() - interval '1 hour' and not is_file_sent(d) -- others stay with the escrow
    when u.id is null then d.created_at < now() - interval '1 hour'
    else d.created_at < company_now(d.company_id) - p_retention end
  order by d.company_id, d.id limit p_limit
$$;
