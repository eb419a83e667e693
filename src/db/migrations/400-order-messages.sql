-- More causes than 209-order-messages.sql has: a cancellation, and a proposal that is accepted outside of a dispute.

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
    ('CANCELLATION', 'CANCELLED', null, 'OTHER')
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
create trigger escrow_cancelled_message after insert on escrow_event for each row
  when (new.type = 'CANCELLED') execute function order_message_of_event();
