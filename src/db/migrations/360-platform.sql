-- What the platform reads about all companies, in a transaction of its own company. The API calls these functions for super
-- administrators alone. Each is bounded.

-- Newest first: ids are UUIDv7.
create function platform_companies(p_search text, p_after uuid, p_limit integer) returns setof company
language sql stable security definer set search_path = public, pg_temp as $$
  select require_company(null);
  select c.* from company c
  where not c.is_platform and (p_after is null or c.id < p_after)
    and (p_search is null or position(lower(p_search) in lower(c.name)) > 0 or position(lower(p_search) in c.slug) > 0)
  order by c.id desc limit p_limit
$$;

create function platform_payout_limits(p_companies uuid[]) returns table (company_id uuid, currency text, amount_cents bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select require_company(null);
  select l.company_id, l.currency, l.amount_cents from payout_limit l where l.company_id = any (p_companies)
$$;

create function platform_operations() returns table (metric text, label text, value double precision)
language sql stable security definer set search_path = public, pg_temp as $$
  select require_company(null);
  select metric, label, value from operations_snapshot() union all select metric, label, value from event_snapshot()
$$;

create function platform_audits(p_limit integer) returns table (seq bigint, at timestamptz, is_full boolean, root text)
language sql stable security definer set search_path = public, pg_temp as $$
  select require_company(null);
  select a.seq, a.at, a.is_full, encode(a.root, 'hex') from ledger_audit a order by a.seq desc limit p_limit
$$;

-- Companies, payments and payouts that a person has to look at, the latest of each kind.
create function platform_concerns(p_limit integer, p_matches integer)
returns table (kind text, company_id uuid, object text, object_id uuid, at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select require_company(null);
  (select e.type, l.company_id, 'paymentLink', l.id, e.at
    from payment_link_event e join payment_link l on l.company_id = e.company_id and l.id = e.link_id
    where e.type in ('LATE_MONEY', 'PAYMENT_MISMATCHED') order by e.at desc limit p_limit)
  union all
  -- Rows that match a blacklisted person, or only the bank account of one. A company that tries many people shows here.
  (select case u.kind when 'BANK_ACCOUNT' then 'BLACKLIST_MATCH' else 'BLACKLISTED_PERSON' end, u.company_id, 'user', u.id, max(u.updated_at)
    from (
      select m.kind, a.* from blacklist_mark m join app_user a on a.known_id_hash = m.hash where m.kind = 'ID_NUMBER'
      union all
      select m.kind, a.* from blacklist_mark m join app_user a on a.phone_hash = m.hash where m.kind = 'PHONE'
      union all
      select m.kind, a.* from blacklist_mark m join app_user a on a.bank_account_hash = m.hash where m.kind = 'BANK_ACCOUNT'
    ) u
    where u.identity_status = 'CLEAR' group by 1, 2, 4 order by 5 desc limit p_limit)
  union all
  -- A company whose name a reader takes for that of an older one. An unfamiliar name may be bait in messages.
  (select 'LOOK_ALIKE_NAME', c.id, 'company', c.id, c.updated_at
    from company c where exists (
      select from company o where o.name_key = c.name_key and o.id <> c.id and (o.created_at, o.id) < (c.created_at, c.id))
    order by c.updated_at desc limit p_limit)
  union all
  -- A company that reached the limit of blacklisted persons (db/identity/blacklist.ts): it may be trying people.
  (select 'MANY_BLACKLISTED', c.id, 'company', c.id, t.expires_at - interval '24 hours'
    from company c join login_try t on t.key = sha256(convert_to('blacklist matches ' || c.id, 'UTF8'))
    where t.tries >= p_matches and t.expires_at > now() order by t.expires_at desc limit p_limit)
  union all
  (select e.type, w.company_id, 'transaction', w.id, e.at
    from withdrawal_event e join withdrawal w on w.company_id = e.company_id and w.id = e.withdrawal_id
    where e.type in ('REVIEW_NEEDED', 'SETTLED_LATE') order by e.at desc limit p_limit)
  union all
  (select 'PAYOUT_' || w.status, w.company_id, 'transaction', w.id, w.updated_at
    from withdrawal w
    -- The first condition is that of the partial index withdrawal_ended.
    where w.status <> 'PROCESSING' and w.status in ('FAILED', 'REVERSED') and w.updated_at > now() - interval '30 days'
    order by w.updated_at desc limit p_limit)
$$;
