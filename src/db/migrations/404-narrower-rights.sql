-- The rights of 395-table-rights.sql, where the code writes some columns only, or writes through functions.
revoke update on payment_attempt, command_text, dispute_assignment, company_logo from escrow_api;
revoke update on payment_attempt, event_feed from escrow_worker;
revoke insert, update, delete on idempotency from escrow_api;
grant update (command_id) on command_text to escrow_api;
grant update (administrator_id, assigned_at) on dispute_assignment to escrow_api;
grant update (digest, content) on company_logo to escrow_api;
grant update (sent_at, payment_id, refund_asked_at, asked_at, changes_asked_at) on payment_attempt to escrow_worker;
grant update (last_position) on event_feed to escrow_worker;

-- The API freezes and unfreezes an account together with a record of who did it. Otherwise its password would be enough for an
-- unfreezing that no audit names.
create function account_freeze_recorded() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.is_frozen is distinct from (
    select f.is_frozen from account_freeze f where f.company_id = new.company_id and f.account_id = new.id
    order by f.created_at desc limit 1
  ) then
    raise exception 'account % has no record of its % in account_freeze', new.id, case when new.is_frozen then 'freezing' else 'unfreezing' end
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger account_freeze_recorded after update of is_frozen on account for each row
  when (old.is_frozen <> new.is_frozen and session_user in ('escrow_api', 'escrow_worker')) execute function account_freeze_recorded();
