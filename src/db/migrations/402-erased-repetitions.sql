-- What repeats the words of an erased person elsewhere than 358-erasure.sql looks: stored answers about their orders and their ledger, and
-- what receivers of webhooks answered to the events of their ledger, accounts and links.

create function user_erase_repetitions(p_user uuid) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_company constant uuid := current_company();
  v_ledger constant uuid := (select l.id from ledger l where l.company_id = v_company and l.user_id = p_user);
  v_objects constant uuid[] := array(select a.id from account a where a.company_id = v_company and a.ledger_id = v_ledger)
    || array(select l.id from payment_link l where l.company_id = v_company and l.buyer_id = p_user) || v_ledger;
begin
  -- A repetition of the request gets the ids.
  update idempotency i set response_body = coalesce((
      select jsonb_object_agg(f.key, f.value) from jsonb_each(i.response_body::jsonb) f
      where f.key in ('id', 'escrowId', 'ledgerId', 'status')
    ), '{}')::text
    where i.company_id = v_company and case when i.response_body like '{%' then
      i.response_body::jsonb ->> 'ledgerId' = 'ldg_' || v_ledger
      or i.response_body::jsonb ->> 'escrowId' in (select 'esc_' || t.escrow_id from theirs_of(p_user) t) end;
  update webhook_attempt t set answer = null
    from webhook_delivery d join event e on e.company_id = d.company_id and e.id = d.event_id
    where t.company_id = v_company and d.company_id = v_company and t.delivery_id = d.id and t.answer is not null
      and e.object_id = any (v_objects);
end $$;
grant execute on function user_erase_repetitions to escrow_api;
