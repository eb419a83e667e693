-- Payment links. As with escrows, the events are the source of truth, and the row is their folded state. A link and its escrow
-- are written in the same transactions. Code that locks both locks the link first.

create table payment_link (
  -- Also the id of the command that created it, and of the escrow's funding.
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  escrow_id uuid not null,
  -- The hash in the buyer's link. It is a credential, so it is in no log, payload or workflow id.
  hash text not null,
  status text not null,
  seq integer not null,
  buyer_id uuid not null,
  currency text not null,
  amount_cents bigint not null check (amount_cents > 0),
  external_reference text,
  user_reference text,
  -- The checkout leads the buyer to success_url after the payment, and to cancel_url if the buyer does not pay.
  success_url text,
  cancel_url text,
  -- The language of the checkout. Null: the buyer's browser chooses.
  locale text check (locale in ('en', 'fr', 'pt')),
  expires_at timestamptz not null,
  state jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  unique (company_id, escrow_id),
  foreign key (company_id, escrow_id) references escrow (company_id, id) on delete restrict,
  foreign key (company_id, buyer_id) references app_user (company_id, id) on delete restrict
);
create index payment_link_company on payment_link (company_id, created_at desc, id desc);
create index payment_link_company_changed on payment_link (company_id, updated_at desc, id desc);
create index payment_link_company_reference on payment_link (company_id, external_reference) where external_reference is not null;
create index payment_link_company_status on payment_link (company_id, status, created_at desc, id desc);
create index payment_link_buyer on payment_link (company_id, buyer_id) where status in ('PENDING', 'PROCESSING');
-- Links that still need a workflow: after a link is final, its provider may still have to be asked about a payment or a refund.
create index payment_link_open on payment_link (id) where status in ('PENDING', 'PROCESSING')
  or state @@ '$.attempts[*].pollAt != null';
call entity_table('payment_link', 'payment_link_event', 'link_id',
  'id', 'company_id', 'escrow_id', 'hash', 'buyer_id', 'currency', 'amount_cents', 'external_reference', 'success_url',
  'cancel_url', 'locale');

call directory_table('payment_link', 'payment_link', 'hash');

call event_table('payment_link_event', 'payment_link', 'link_id');

-- The data of an attempt that a provider or a browser with an open form needs.
create table payment_attempt (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  link_id uuid not null,
  kind text not null check (kind in ('card', 'mobile_money')),
  -- The adapter that took the attempt, by its name in the table of gateways or operators. Questions about the attempt go to it.
  provider text not null,
  -- The gateway's id of a checkout.
  checkout_id text,
  script_url text,
  integrity text,
  -- The phone whose mobile money is charged.
  phone text,
  -- When the operator was first asked for the charge. Null: never.
  sent_at timestamptz,
  -- The gateway's id of the payment that was made in the checkout. A refund names it.
  payment_id text,
  -- When the provider was first asked for a refund that may have reached it.
  refund_asked_at timestamptz,
  -- The times of recent questions to the gateway, which takes two questions a minute.
  asked_at timestamptz[] not null default '{}',
  -- The times of recent questions about chargebacks and refunds of the payment. They have a limit of their own.
  changes_asked_at timestamptz[] not null default '{}',
  -- When a notification last arrived: an authentic one of a payment that succeeded, an authentic one of a payment in progress,
  -- and any other one, which anybody can have sent.
  success_reported_at timestamptz,
  pending_reported_at timestamptz,
  notified_at timestamptz,
  -- When the buyer last came back from the gateway and a question was planned for it.
  returned_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, link_id) references payment_link (company_id, id) on delete restrict
);
create index payment_attempt_link on payment_attempt (company_id, link_id, created_at desc);
create index payment_attempt_phone on payment_attempt (phone, created_at desc) where phone is not null;
call tenant_table('payment_attempt', 'select, insert, update, delete');
call directory_table('payment_attempt', 'checkout', 'checkout_id');
call directory_table('payment_attempt', 'payment', 'payment_id');

-- Public routes know a hash or a checkout and no company. These functions return the company.
create function payment_link_by_hash(p_hash text) returns table (id uuid, company_id uuid)
language sql stable security definer set search_path = public, pg_temp as
$$ select d.id, d.company_id from directory d where d.kind = 'payment_link' and d.key = p_hash $$;

create function payment_attempt_by_checkout(p_checkout_id text) returns table (id uuid, company_id uuid, link_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.company_id, a.link_id
  from directory d join payment_attempt a on a.company_id = d.company_id and a.id = d.id
  where d.kind = 'checkout' and d.key = p_checkout_id
$$;

-- The times of questions, notifications and returns are those of the company's clock.

-- How long a notification or a return covers later ones, if no question follows it.
create function payment_news_lifetime() returns interval language sql immutable as $$ select interval '30 seconds' $$;

-- The attempt of a notification, if the workflow must be woken for it. `p_report`: success, pending or other. Repeated
-- notifications count once. After one that counted, a status request is in progress or planned; until it is sent, it covers later
-- notifications of the same kind too.
create function payment_notified(p_checkout_id text, p_payment_id text, p_report text)
returns table (id uuid, company_id uuid, link_id uuid)
language sql volatile security definer set search_path = public, pg_temp as $$
  update payment_attempt a set
    success_reported_at = case p_report when 'success' then company_now(a.company_id) else a.success_reported_at end,
    pending_reported_at = case p_report when 'pending' then company_now(a.company_id) else a.pending_reported_at end,
    notified_at = case p_report when 'other' then company_now(a.company_id) else a.notified_at end
  from directory d
  where d.kind = case when p_checkout_id is null then 'payment' else 'checkout' end and d.key = coalesce(p_checkout_id, p_payment_id)
    and a.company_id = d.company_id and a.id = d.id and exists (
    select from (values (
      case p_report when 'success' then a.success_reported_at when 'pending' then a.pending_reported_at else a.notified_at end
    )) l(last_at)
    where l.last_at is null
      or l.last_at <= (select max(t) from unnest(a.asked_at || a.changes_asked_at) t)
      or l.last_at < company_now(a.company_id) - payment_news_lifetime())
  returning a.id, a.company_id, a.link_id
$$;

-- What the gateway has reported about a checkout since it was last asked: success, pending, or null for neither.
create function payment_attempt_report(p_company_id uuid, p_id uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select case when a.success_reported_at > l.asked_at then 'success' when a.pending_reported_at > l.asked_at then 'pending' end
  from payment_attempt a, lateral (select coalesce(max(t), '-infinity') as asked_at from unnest(a.asked_at) t) l
  where a.company_id = p_company_id and a.id = p_id
$$;

-- Whether the gateway may be asked about a checkout now because its buyer came back. The gateway allows two questions a minute,
-- and one of them is reserved for its reports of success.
create function payment_attempt_is_askable(p_company_id uuid, p_id uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) < 1 from payment_attempt a, unnest(a.asked_at) t
  where a.company_id = p_company_id and a.id = p_id and t > company_now(p_company_id) - interval '1 minute'
$$;

-- Records that a buyer came back. True if the workflow must be woken for it; a reload while a question is planned changes
-- nothing.
create function payment_returned(p_company_id uuid, p_id uuid) returns boolean
language sql volatile security definer set search_path = public, pg_temp as $$
  update payment_attempt a set returned_at = company_now(a.company_id)
  where a.company_id = p_company_id and a.id = p_id and (a.returned_at is null or a.returned_at <= (select max(t) from unnest(a.asked_at) t)
    or a.returned_at < company_now(a.company_id) - payment_news_lifetime())
  returning true
$$;

-- The number of prompts of the last hour that the owner of a phone has not approved, over all links and companies. Approved
-- prompts do not count, because the owner wanted them. The lock is held until the caller has committed the prompt that it counted
-- for.
create function payment_unapproved_prompts(p_phone text) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('prompt ' || p_phone, 0));
  return (
    select count(*) from payment_attempt a
    where a.phone = p_phone and a.created_at > now() - interval '1 hour' and not exists (
      select from payment_link l, jsonb_array_elements(l.state -> 'attempts') t
      where l.company_id = a.company_id and l.id = a.link_id and t ->> 'attemptId' = a.id::text and t ->> 'status' = 'succeeded'
    )
  );
end $$;
