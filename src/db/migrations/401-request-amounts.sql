-- A request is about a part of what is held where it names a milestone, and about the seller's balance where it asks for a payout.
-- Otherwise the view is that of 370-work.sql.
create or replace view work_request as
  select r.id, r.company_id, 'escrow' as subject, e.id as subject_id, e.external_reference as reference, r.act as detail,
    coalesce((r.details ->> 'amountCents')::bigint, m.cents, e.held_cents) as amount_cents, e.currency, r.created_at as since,
    r.lapses_at as due_at
  from order_request r join escrow e on e.company_id = r.company_id and e.id = r.escrow_id
  cross join lateral (
    select sum(s.cents::bigint)::bigint as cents
    from jsonb_array_elements(e.state -> 'milestones') m cross join lateral jsonb_each_text(m -> 'shares') s (name, cents)
    where m ->> 'milestoneId' = r.details ->> 'milestoneId') m
  where r.status = 'PENDING';
