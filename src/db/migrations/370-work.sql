-- What needs a person: one query for each kind of work over what stands, with no state of its own. Each has the columns
--   id, company_id; subject and subject_id, what a person looks at; reference, as people call it; detail, a word for the reason;
--   amount_cents, currency; since; due_at, when it is too late
-- and its rows are found through an index in the order of due_at and since, for one company and for all of them.

-- When the time of the other party to answer a dispute ends (DISPUTE_ANSWER_HOURS). From then on the decision is overdue.
create function dispute_answer_due(p_disputed_at timestamptz) returns timestamptz language sql immutable parallel safe
return p_disputed_at + interval '72 hours';
create index escrow_answer_due on escrow (dispute_answer_due(disputed_at), disputed_at, id) where status = 'DISPUTED';
create index escrow_company_answer_due on escrow (company_id, dispute_answer_due(disputed_at), disputed_at, id) where status = 'DISPUTED';
create view work_dispute as
  select e.id, e.company_id, 'escrow' as subject, e.id as subject_id, e.external_reference as reference,
    e.state -> 'dispute' ->> 'openedBy' as detail, e.held_cents as amount_cents, e.currency,
    e.disputed_at as since, dispute_answer_due(e.disputed_at) as due_at
  from escrow e where e.status = 'DISPUTED';

create index withdrawal_concern on withdrawal (updated_at, id) where status = 'PROCESSING' and state ->> 'concern' is not null;
create view work_payout as
  select w.id, w.company_id, 'withdrawal' as subject, w.id as subject_id, w.external_reference as reference,
    w.state ->> 'concern' as detail, w.amount_cents, w.currency, w.updated_at as since, null::timestamptz as due_at
  from withdrawal w where w.status = 'PROCESSING' and w.state ->> 'concern' is not null;

create index webhook_endpoint_failing on webhook_endpoint (coalesce(failing_since, updated_at), id)
  where disabled_reason in ('GONE', 'FAILING') or (status = 'ENABLED' and failing_since is not null);
create view work_webhook as
  select w.id, w.company_id, 'webhook_endpoint' as subject, w.id as subject_id, w.url as reference, w.disabled_reason as detail,
    null::bigint as amount_cents, null::text as currency, coalesce(w.failing_since, w.updated_at) as since, null::timestamptz as due_at
  from webhook_endpoint w
  where w.disabled_reason in ('GONE', 'FAILING') or (w.status = 'ENABLED' and w.failing_since is not null);

create index bank_capture_suspense_age on bank_capture (created_at, id) where matched_kind = 'SUSPENSE';
create view work_suspense as
  select c.id, c.company_id, 'capture' as subject, c.id as subject_id, c.reference,
    case when c.possible_duplicate_of is not null then 'POSSIBLE_DUPLICATE' end as detail, c.amount_cents, c.currency,
    c.created_at as since, null::timestamptz as due_at
  from bank_capture c join ledger_transaction t on t.company_id = c.company_id and t.id = c.id
  where c.matched_kind = 'SUSPENSE' and t.status = 'COMPLETED';

-- A payment that came after its link had ended, as long as it lies on the buyer's balance. One that is being refunded is not.
create index payment_link_event_late on payment_link_event (at, link_id) where type = 'LATE_MONEY';
create index payment_link_event_late_company on payment_link_event (company_id, at, link_id) where type = 'LATE_MONEY';
create view work_late_money as
  select t.id, l.company_id, 'payment_link' as subject, l.id as subject_id, l.external_reference as reference,
    a.refund as detail, t.amount as amount_cents, t.currency, e.at as since, null::timestamptz as due_at
  from payment_link_event e
  join payment_link l on l.company_id = e.company_id and l.id = e.link_id
  join ledger_transaction t on t.company_id = e.company_id and t.id = (e.data ->> 'transactionId')::uuid
  join account b on b.company_id = e.company_id and b.id = (l.state -> 'terms' ->> 'buyerAccountId')::uuid
  cross join lateral (
    select x ->> 'refund' as refund from jsonb_array_elements(l.state -> 'attempts') x
    where x ->> 'attemptId' = e.data ->> 'attemptId' limit 1) a
  where e.type = 'LATE_MONEY' and t.status = 'COMPLETED' and a.refund is distinct from 'due' and a.refund is distinct from 'done'
    and b.posted - b.held >= t.amount;

-- Identities that the platform has not approved. What people typed about themselves at a checkout waits for nobody until there is a
-- document.
create index app_user_identity on app_user ((case when changed_since_approval = '{}' then created_at else updated_at end), id)
  where kyc_level < 2 and identity_status = 'CLEAR' and erased_at is null and (document_id is not null or not is_self_registered);
create view work_identity as
  select u.id, u.company_id, 'user' as subject, u.id as subject_id,
    coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.mobile_number) as reference,
    case when u.changed_since_approval <> '{}' then 'CHANGED' end as detail, null::bigint as amount_cents, null::text as currency,
    case when u.changed_since_approval = '{}' then u.created_at else u.updated_at end as since, null::timestamptz as due_at
  from app_user u
  where u.kyc_level < 2 and u.identity_status = 'CLEAR' and u.erased_at is null and (u.document_id is not null or not u.is_self_registered)
    and not exists (select from blacklist_mark m where m.kind = 'ID_NUMBER' and m.hash = u.known_id_hash)
    and not exists (select from blacklist_mark m where m.kind = 'PHONE' and m.hash = u.phone_hash);

-- Users who have the bank account of a blacklisted person, and are not blacklisted.
create view work_blacklist_match as
  select u.id, u.company_id, 'user' as subject, u.id as subject_id,
    coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.mobile_number) as reference,
    'BLACKLIST_MATCH' as detail, null::bigint as amount_cents, null::text as currency, u.updated_at as since, null::timestamptz as due_at
  from app_user u
  where u.bank_account_hash in (select m.hash from blacklist_mark m where m.kind = 'BANK_ACCOUNT')
    and not is_blacklisted(u.identity_status, u.known_id_hash, u.phone_hash);

-- The end of an escrow's oldest open proposal.
create function open_proposal_lapses_at(p_state jsonb) returns timestamptz language sql immutable parallel safe
return instant(jsonb_path_query_first(p_state, '$.negotiations[*] ? (@.status == "PENDING").lapsesAt') #>> '{}');
create index escrow_proposal on escrow (open_proposal_lapses_at(state), id)
  where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED') and state @@ '$.negotiations[*].status == "PENDING"';
-- Proposals that lapse within a day. The first bound is the index's: no company's clock is ahead of it.
create view work_proposal as
  select (n ->> 'negotiationId')::uuid as id, e.company_id, 'escrow' as subject, e.id as subject_id, e.external_reference as reference,
    n ->> 'proposer' as detail, e.held_cents as amount_cents, e.currency, e.updated_at as since, instant(n ->> 'lapsesAt') as due_at
  from escrow e cross join lateral jsonb_array_elements(e.state -> 'negotiations') n
  where e.status not in ('COMPLETED', 'CANCELLED', 'RESOLVED') and e.state @@ '$.negotiations[*].status == "PENDING"'
    and open_proposal_lapses_at(e.state) <= (select now() + interval '1 day' + coalesce(max(c.ahead), interval '0') from company_clock c)
    and n ->> 'status' = 'PENDING' and instant(n ->> 'lapsesAt') > company_now(e.company_id)
    and instant(n ->> 'lapsesAt') <= company_now(e.company_id) + interval '1 day';

create index receivable_age on receivable (created_at, id);
create view work_chargeback as
  select r.id, r.company_id, 'receivable' as subject, r.id as subject_id, x.external_reference as reference, r.reason as detail,
    r.remaining_cents as amount_cents, r.currency, r.created_at as since, null::timestamptz as due_at
  from receivable_balance r left join escrow x on x.company_id = r.company_id and x.id = r.escrow_id
  where r.reason in ('CHARGEBACK', 'REFUND') and r.remaining_cents > 0;

-- New bank details, and payouts to a destination that is new, until their wait is over. Companies' clocks are never behind now().
create index bank_details_waiting on bank_details (effective_at, id) where approved_by is null;
create view work_bank_details as
  select b.id, b.company_id, 'bank_details' as subject, b.ledger_id as subject_id, b.account_name as reference,
    null::text as detail, null::bigint as amount_cents, null::text as currency, b.changed_at as since, b.effective_at as due_at
  from bank_details b
  where b.approved_by is null and b.effective_at > now() and b.effective_at > company_now(b.company_id);

create index payout_destination_waiting on payout_destination (not_before, id) where not_before is not null;
create view work_new_destination as
  select w.id, w.company_id, 'withdrawal' as subject, w.id as subject_id, w.external_reference as reference,
    'NEW_DESTINATION' as detail, w.amount_cents, w.currency, w.created_at as since, d.not_before as due_at
  from payout_destination d join withdrawal w on w.company_id = d.company_id and w.id = d.id
  where d.not_before > now() and d.not_before > company_now(d.company_id) and w.status = 'PROCESSING';

create index order_request_due on order_request (lapses_at, id) where status = 'PENDING';
create view work_request as
  select r.id, r.company_id, 'escrow' as subject, e.id as subject_id, e.external_reference as reference, r.act as detail,
    e.held_cents as amount_cents, e.currency, r.created_at as since, r.lapses_at as due_at
  from order_request r join escrow e on e.company_id = r.company_id and e.id = r.escrow_id
  where r.status = 'PENDING';

-- Kind → its query, and the clock of its times. What only the platform decides stands in the platform's list alone.
create function work_sources(p_kinds text[], p_is_platform boolean) returns table (kind text, source text, clock text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.kind, s.source, case when s.is_companys_clock then 'company_now(w.company_id)' else 'now()' end
  from (values
    ('DISPUTE', 'work_dispute', false, true), ('PAYOUT', 'work_payout', true, true), ('WEBHOOK', 'work_webhook', false, false),
    ('SUSPENSE', 'work_suspense', false, false), ('LATE_MONEY', 'work_late_money', false, true),
    ('IDENTITY', 'work_identity', true, false), ('IDENTITY', 'work_blacklist_match', true, false),
    ('PROPOSAL', 'work_proposal', false, true), ('CHARGEBACK', 'work_chargeback', false, false),
    ('BANK_DETAILS', 'work_bank_details', false, true), ('BANK_DETAILS', 'work_new_destination', false, true),
    ('REQUEST', 'work_request', false, true)
  ) s (kind, source, is_platforms, is_companys_clock)
  where s.kind = any (p_kinds) and (p_is_platform or not s.is_platforms)
$$;

-- The most urgent work of the transaction's company, at most p_limit rows of each query. `p_is_platform`: of all companies, if it
-- is the platform's.
create function work_items(p_kinds text[], p_is_platform boolean, p_limit integer)
returns table (kind text, id uuid, company_id uuid, company_name text, subject text, subject_id uuid, reference text, detail text,
  amount_cents bigint, currency text, since timestamptz, due_at timestamptz, age_seconds bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  is_all boolean := p_is_platform and current_company() = platform_company();
  one record;
begin
  for one in select s.kind, s.source, s.clock from work_sources(p_kinds, is_all) s loop
    return query execute format(
      'select $1, md5($1 || w.id)::uuid, w.company_id, c.name, w.subject, w.subject_id, w.reference, w.detail, w.amount_cents, w.currency,
         w.since, w.due_at, greatest(0, extract(epoch from %s - w.since))::bigint
       from (select * from %I w where %s order by w.due_at nulls last, w.since, w.id limit $2) w join company c on c.id = w.company_id',
      one.clock, one.source, case when is_all then 'true' else 'w.company_id = $3' end)
    using one.kind, p_limit, current_company();
  end loop;
end $$;

-- How much work there is of each kind, counted up to p_most in each query; null: all of it.
create function work_counts(p_kinds text[], p_is_platform boolean, p_most integer) returns table (kind text, items bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  is_all boolean := p_is_platform and current_company() = platform_company();
  one record;
begin
  for one in select s.kind, s.source from work_sources(p_kinds, is_all) s loop
    return query execute format('select $1, count(*) from (select from %I w where %s limit $2) counted',
      one.source, case when is_all then 'true' else 'w.company_id = $3' end)
    using one.kind, p_most, current_company();
  end loop;
end $$;
