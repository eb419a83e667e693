-- Changes that the ledger refuses for every role.

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger entry_immutable before update or delete or truncate on entry
  for each statement execute function ledger_refuse_change();
create trigger block_immutable before update or delete or truncate on block
  for each statement execute function ledger_refuse_change();
create trigger account_kept before delete or truncate on account
  for each statement execute function ledger_refuse_change();
create trigger hold_kept before delete or truncate on hold
  for each statement execute function ledger_refuse_change();
create trigger ledger_transaction_kept before truncate on ledger_transaction
  for each statement execute function ledger_refuse_change();

-- Only the status of a transaction can change, and only forward. The status of a withdrawal follows the bank, which may pay after
-- it refused or returned the payment. A deposit that was charged back is COMPLETED again when the chargeback is reversed. The database transaction that wrote a row may delete it before others can see it, so a
-- refused posting leaves no trace.
create function ledger_transaction_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.xid = pg_current_xact_id() then return old; end if;
    raise exception 'transaction % is never deleted', old.id using errcode = 'restrict_violation';
  end if;
  if to_jsonb(old) - 'status' <> to_jsonb(new) - 'status' then
    raise exception 'only the status of transaction % may change', old.id using errcode = 'restrict_violation';
  end if;
  if old.status <> new.status and not (
    (old.status = 'PENDING' and new.status in ('PROCESSING', 'COMPLETED', 'FAILED'))
    or (old.status = 'PROCESSING' and new.status in ('COMPLETED', 'FAILED'))
    or (old.status = 'COMPLETED' and new.status = 'REVERSED')
    or (old.type = 'DEPOSIT' and old.status = 'REVERSED' and new.status = 'COMPLETED')
    or (old.type = 'WITHDRAWAL' and old.status = 'PROCESSING' and new.status = 'CANCELLED')
    or (old.type = 'WITHDRAWAL' and old.status in ('FAILED', 'REVERSED', 'CANCELLED') and new.status = 'COMPLETED')
  ) then
    raise exception 'transaction % cannot go from % to %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_transaction_guard before update or delete on ledger_transaction
  for each row execute function ledger_transaction_guard();

-- Each statement must add entries that balance per company, so the books of each company balance by themselves. The check runs
-- once per statement over the new rows. This is stricter than a check at commit and much cheaper than a check per row.
create function entry_balanced() returns trigger language plpgsql as $$
declare
  broken uuid;
begin
  select transaction_id into broken from added group by transaction_id, company_id, currency having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'transaction % is not balanced', broken using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger entry_balanced after insert on entry
  referencing new table as added for each statement execute function entry_balanced();
