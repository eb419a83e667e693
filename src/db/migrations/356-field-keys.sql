-- The keys that encrypt fields and sign credentials. The database knows a key only by its id and a text that only this key makes, so
-- that a process with another key under the same id does not start.

-- Records a key that a process writes with. The value stays that of the first process; the caller compares it.
create function field_key_noted(p_id text, p_check text) returns text
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  insert into installation (kind, name, value) values ('field_key', p_id, p_check) on conflict (kind, name) do nothing;
  return (select value from installation where kind = 'field_key' and name = p_id);
end $$;

-- Whether a row still needs the key. Called only for a key that a process lacks.
create function field_key_is_needed(p_id text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from app_user where split_part(id_number, '.', 1) = p_id or split_part(bank_account, '.', 1) = p_id)
    or exists (select from person_key where split_part(secret, '.', 1) = p_id)
    or exists (select from checkout_registration where split_part(id_number, '.', 1) = p_id)
    or exists (select from bank_details where split_part(account_number, '.', 1) = p_id)
    or exists (select from order_request where split_part(secret, '.', 1) = p_id)
    or exists (select from payout_destination where split_part(account_number, '.', 1) = p_id)
    or exists (select from webhook_endpoint where split_part(secret, '.', 1) = p_id or split_part(previous_secret, '.', 1) = p_id)
    or exists (select from administrator where removed_at is null and split_part(proof, '.', 1) = p_id)
    or exists (select from api_key where is_active and split_part(proof, '.', 1) = p_id)
$$;
