-- What is held about a person, and its erasure. The person is a user of one company; ids, amounts and times stay, and so do the
-- references in the sealed ledger.

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
  select array_agg(command_id) into v_commands from (
    select command_id from escrow_event where company_id = v_company and escrow_id = any (v_escrows)
    union select v.command_id from payment_link_event v join payment_link l on l.company_id = v.company_id and l.id = v.link_id
      where v.company_id = v_company and l.escrow_id = any (v_escrows)
    union select command_id from withdrawal_event where company_id = v_company and withdrawal_id = any (v_withdrawals)
    union select t.id from ledger l join account a on a.company_id = v_company and a.ledger_id = l.id
      join entry n on n.company_id = v_company and n.account_id = a.id
      join ledger_transaction t on t.company_id = v_company and t.id = n.transaction_id and t.type = 'REVERSAL'
      where l.company_id = v_company and l.user_id = p_user
    union select id from dispute_note where company_id = v_company and escrow_id = any (v_escrows)) c;

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

  -- What people wrote about their orders.
  update command_text set content = content - 'notes' - 'reason' - 'documentUrl' - 'carrier' - 'trackingNumber' - 'userReference'
    where company_id = v_company and command_id = any (v_commands) and content ?| '{notes,reason,documentUrl,carrier,trackingNumber,userReference}';
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

-- Everything that is held about a person besides the user's row, for the export: rows, each with the name of its list. Encrypted values
-- stay encrypted.
create function user_export(p_user uuid) returns table (list text, held jsonb)
language sql stable security definer set search_path = public, pg_temp as $$
  with own as (
    select a.* from account a join ledger l on l.company_id = a.company_id and l.id = a.ledger_id
    where l.company_id = current_company() and l.user_id = p_user
  ), theirs as (
    select e.* from escrow e where e.company_id = current_company() and (e.buyer_id = p_user or e.seller_id = p_user)
  ), lists (lists) as (select jsonb_build_object(
    'ledger', (select jsonb_agg(to_jsonb(l) - 'company_id') from ledger l where l.company_id = current_company() and l.user_id = p_user),
    'bankDetails', (select jsonb_agg(jsonb_build_object('id', d.id, 'bankName', d.bank_name, 'branchCode', d.branch_code,
        'accountNumber', d.account_number, 'accountName', d.account_name, 'changedAt', d.changed_at) order by d.created_at)
      from bank_details d join ledger l on l.company_id = d.company_id and l.id = d.ledger_id
      where l.company_id = current_company() and l.user_id = p_user),
    'transactions', (select jsonb_agg(jsonb_build_object('id', t.id, 'type', t.type, 'status', t.status, 'amount', n.amount::text,
        'direction', case when n.amount < 0 then 'DEBIT' else 'CREDIT' end, 'currency', t.currency, 'reference', t.reference,
        'metadata', shown_metadata(t), 'accountId', n.account_id, 'createdAt', t.created_at) order by t.created_at, t.id)
      from own join entry n on n.company_id = own.company_id and n.account_id = own.id
      join ledger_transaction t on t.company_id = n.company_id and t.id = n.transaction_id where n.company_id = current_company()),
    'escrows', (select jsonb_agg(jsonb_build_object('id', id, 'status', status, 'role', case when buyer_id = p_user then 'BUYER' else
        'SELLER' end, 'totalAmount', total_cents::text, 'currency', currency, 'externalReference', external_reference,
        'createdAt', created_at) order by created_at, id) from theirs),
    'texts', (select jsonb_agg(t.content || jsonb_build_object('escrowId', v.escrow_id, 'at', v.at) order by v.at)
      from theirs join escrow_event v on v.company_id = theirs.company_id and v.escrow_id = theirs.id
      join command_text t on t.company_id = v.company_id and t.command_id = v.command_id where v.company_id = current_company()),
    'requests', (select jsonb_agg(jsonb_build_object('id', r.id, 'escrowId', r.escrow_id, 'act', r.act, 'details', r.details,
        'status', r.status, 'reason', r.reason, 'createdAt', r.created_at) order by r.created_at, r.id)
      from theirs join order_request r on r.company_id = theirs.company_id and r.escrow_id = theirs.id
        and r.party = case when theirs.buyer_id = p_user then 'BUYER' else 'SELLER' end where r.company_id = current_company()),
    'files', (select jsonb_agg(jsonb_build_object('id', d.id, 'escrowId', d.escrow_id, 'mediaType', d.media_type, 'byteCount',
        d.byte_count, 'sha256', encode(d.sha256, 'hex'), 'createdAt', d.created_at) order by d.created_at, d.id)
      from document d join theirs_of(p_user) t on d.escrow_id = t.escrow_id and d.party = t.party
      where d.company_id = current_company()),
    'paymentLinks', (select jsonb_agg(jsonb_build_object('id', l.id, 'status', l.status, 'amount', l.amount_cents::text, 'currency',
        l.currency, 'externalReference', l.external_reference, 'userReference', l.user_reference, 'createdAt', l.created_at)
        order by l.created_at, l.id) from payment_link l where l.company_id = current_company() and l.buyer_id = p_user),
    'paymentPhones', (select jsonb_agg(distinct a.phone) from payment_attempt a join payment_link l
        on l.company_id = a.company_id and l.id = a.link_id
      where a.company_id = current_company() and l.buyer_id = p_user and a.phone is not null),
    'withdrawals', (select jsonb_agg(jsonb_build_object('id', w.id, 'status', w.status, 'amount', w.amount_cents::text, 'currency',
        w.currency, 'externalReference', w.external_reference, 'createdAt', w.created_at, 'bankName', d.bank_name, 'branchCode',
        d.branch_code, 'accountNumber', d.account_number, 'accountName', d.account_name) order by w.created_at, w.id)
      from own join withdrawal w on w.company_id = own.company_id and w.account_id = own.id
      join payout_destination d on d.company_id = w.company_id and d.id = w.id where w.company_id = current_company()),
    'registrations', (select jsonb_agg(jsonb_build_object('id', r.id, 'firstName', r.first_name, 'lastName', r.last_name, 'idNumber',
        r.id_number, 'createdAt', r.created_at)) from checkout_registration r join app_user u on u.mobile_number = r.mobile_number
      where u.company_id = current_company() and u.id = p_user and r.company_id = current_company()),
    'messages', (select jsonb_agg(jsonb_build_object('merchant', m.merchant, 'amount', m.amount, 'sentAt', m.sent_at))
      from sandbox_message m join app_user u on u.mobile_number = m.mobile_number
      where u.company_id = current_company() and u.id = p_user and m.company_id = current_company()),
    'events', (select jsonb_agg(jsonb_build_object('id', e.id, 'type', e.type, 'createdAt', e.created_at, 'data', e.data)
        order by e.position) from event e where e.company_id = current_company() and e.object_id = p_user)))
  select l.key, r.value from lists, jsonb_each(lists) l, jsonb_array_elements(coalesce(nullif(l.value, 'null'), '[]'))
    with ordinality r (value, place) order by l.key, r.place
$$;

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
