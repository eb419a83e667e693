-- One receipt is credited once, whether a capture or a deposit reports it first.
--
-- A receipt is known by its company, currency, amount and a reference: a capture has one, a deposit up to two (externalReference,
-- and userReference, which may hold a customReference). Both paths lock these keys before they search for each other.

create index bank_capture_receipt on bank_capture (company_id, match_key(reference), currency, amount_cents);
create index bank_capture_matched on bank_capture (company_id, matched_id) where matched_kind = 'TRANSIT_DEPOSIT';
create index bank_capture_duplicate on bank_capture (company_id, possible_duplicate_of) where possible_duplicate_of is not null;
create index ledger_transaction_memo on ledger_transaction (company_id, match_key(metadata ->> 'userReference'))
  where type = 'DEPOSIT' and metadata ->> 'userReference' is not null;

create index ledger_transaction_match on ledger_transaction (company_id, match_key(reference)) where type = 'DEPOSIT';

-- The key of a receipt's lock.
create function receipt_key(p_company_id uuid, p_currency text, p_amount_cents bigint, p_reference text) returns bigint
language sql stable as $$
  select hashtextextended(concat_ws('|', p_company_id, p_currency, p_amount_cents, match_key(p_reference)), 0)
$$;

-- Locks keys until the end of the transaction. Sorted, so two calls cannot deadlock.
create function lock_receipts(p_keys bigint[]) returns void
language plpgsql volatile set search_path = public, pg_temp as $$
declare
  receipt bigint;
begin
  for receipt in select distinct k from unnest(p_keys) k order by k loop
    perform pg_advisory_xact_lock(receipt);
  end loop;
end $$;

-- The capture that is the counterpart of a deposit: the one that settled it, else the oldest that repeats it. Deposits and captures
-- pair one to one.
create function counterpart_of(p_company_id uuid, p_deposit_id uuid) returns uuid
language sql stable set search_path = public, pg_temp as $$
  select c.id from bank_capture c
  join ledger_transaction t on t.company_id = c.company_id and t.id = c.id and t.status = 'COMPLETED'
  where c.company_id = p_company_id
    and ((c.matched_kind = 'TRANSIT_DEPOSIT' and c.matched_id = p_deposit_id) or c.possible_duplicate_of = p_deposit_id)
  order by c.matched_kind = 'TRANSIT_DEPOSIT' desc, c.created_at, c.id limit 1
$$;

-- The oldest capture that has already reported the money of a deposit and has no counterpart.
create function captured_before(p_company_id uuid, p_currency text, p_amount_cents bigint, p_reference text, p_memo text) returns uuid
language sql stable set search_path = public, pg_temp as $$
  select c.id from bank_capture c join ledger_transaction t on t.company_id = p_company_id and t.id = c.id
  where c.company_id = p_company_id and c.currency = p_currency and c.amount_cents = p_amount_cents and t.status = 'COMPLETED'
    and match_key(c.reference) in (match_key(p_reference), match_key(p_memo))
    and not exists (
      select from ledger_transaction o
      where o.company_id = p_company_id and o.status in ('PROCESSING', 'COMPLETED')
        and o.id in (case c.matched_kind when 'TRANSIT_DEPOSIT' then c.matched_id end, c.possible_duplicate_of)
        and counterpart_of(p_company_id, o.id) = c.id)
  order by c.created_at, c.id limit 1
$$;

-- The deposit that a capture reports too: of those without a counterpart, the oldest in transit, which the capture settles, else
-- the oldest settled one, which it repeats. Else one that has its counterpart.
create function deposited_before(p_company_id uuid, p_reference text, p_currency text, p_amount_cents bigint)
returns table (deposit_id uuid, status text, has_counterpart boolean)
language plpgsql volatile set search_path = public, pg_temp as $$
begin
  perform lock_receipts(array[receipt_key(p_company_id, p_currency, p_amount_cents, p_reference)]);
  return query
    select t.id, t.status, p.has_counterpart from ledger_transaction t
    cross join lateral (select counterpart_of(p_company_id, t.id) is not null as has_counterpart) p
    where t.company_id = p_company_id and t.type = 'DEPOSIT' and t.status in ('PROCESSING', 'COMPLETED')
      and t.currency = p_currency and t.amount = p_amount_cents
      and (match_key(t.reference) = match_key(p_reference) or match_key(t.metadata ->> 'userReference') = match_key(p_reference))
    order by p.has_counterpart, t.status = 'PROCESSING' desc, t.position
    limit 1
    for update of t;
end $$;
