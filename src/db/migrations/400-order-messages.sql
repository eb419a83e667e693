-- More causes than 209-order-messages.sql has: a cancellation, a proposal that is accepted outside of a dispute or rejected, and a payment
-- that is taken back. A request that the company does not approve is a cause without an event: the message has the id of the request.

create or replace function order_message_causes() returns table (kind text, event text, hours_before integer, receiver text)
language sql immutable as $$
  values ('DELIVERY', 'DELIVERY_NOTED', null::integer, 'BUYER'),
    ('RELEASE_IN_48_HOURS', null, 48, 'BUYER'),
    ('RELEASE_IN_6_HOURS', null, 6, 'BUYER'),
    ('PROPOSAL', 'NEGOTIATION_PROPOSED', null, 'OTHER'),
    ('DISPUTE', 'DISPUTED', null, 'OTHER'),
    ('DECISION', 'RESOLVED', null, 'BOTH'),
    ('SETTLEMENT', 'NEGOTIATION_ACCEPTED', null, 'OTHER'),
    ('PAYOUT', 'FUNDS_RELEASED', null, 'SELLER'),
    ('PAYOUT', 'AUTO_RELEASED', null, 'SELLER'),
    ('PAYOUT', 'MILESTONE_RELEASED', null, 'SELLER'),
    ('CANCELLATION', 'CANCELLED', null, 'OTHER'),
    ('REJECTION', 'NEGOTIATION_REJECTED', null, 'OTHER'),
    ('CHARGEBACK', 'CHARGED_BACK', null, 'SELLER'),
    ('REFUSAL', null, null, 'ASKER')
$$;

create or replace function order_message_of_event() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_message (company_id, escrow_id, party, kind, cause, due_at)
  select new.company_id, new.escrow_id, p.party, k.kind, new.seq, new.at
  from order_message_causes() k join order_page_parties(new.company_id, new.escrow_id) p
    on k.receiver in ('BOTH', p.party) or (k.receiver = 'OTHER' and p.party <> new.actor)
  where k.event = new.type
  on conflict do nothing;
  return null;
end $$;
create trigger escrow_outcome_message after insert on escrow_event for each row
  when (new.type in ('CANCELLED', 'NEGOTIATION_REJECTED', 'CHARGED_BACK')) execute function order_message_of_event();

create function order_message_of_request() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into order_message (company_id, escrow_id, party, kind, cause, due_at)
  select new.company_id, new.escrow_id, p.party, 'REFUSAL', new.id, company_now(new.company_id)
  from order_page_parties(new.company_id, new.escrow_id) p where p.party = new.party
  on conflict do nothing;
  return null;
end $$;
create trigger order_request_message after update of status on order_request for each row
  when (new.status in ('REFUSED', 'LAPSED') and old.status <> new.status) execute function order_message_of_request();
