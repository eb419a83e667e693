-- One-time passwords. Each pays one payment link: the one it was requested with, or the first of those that its message named
-- which is paid with the right code. No role reads this table: only the functions do.
-- Passwords expire by the time of the link's company; the limits of requests and tries keep real time.
create table one_time_password (
  id bigint generated always as identity primary key,
  -- Keyed hash of the request's target: a number and a link, or a number alone. The two are counted separately, so a caller who
  -- knows only the number cannot use up the requests of a caller who has the link.
  asked_hash bytea not null,
  -- Keyed hash of the number of a request with a link. Null: without one, which has a budget of its own.
  number_hash bytea,
  -- Keyed hash of the network of the request.
  network_hash bytea not null,
  -- The links that it can pay, one after its first right use. Empty: no buyer with this number can pay, so nothing was sent. The
  -- row still counts towards the limits.
  link_ids uuid[] not null,
  -- Keyed hash of number and code.
  code_hash bytea not null,
  wrong_tries integer not null default 0,
  created_at timestamptz not null default now(),
  -- For each of the links: their companies may have different times.
  expires_at timestamptz[] not null,
  consumed_at timestamptz,
  -- The command that pays with the password, if it pays from the balance: a repeated request repeats the command.
  consumed_by uuid
);
create index one_time_password_asked on one_time_password (asked_hash, created_at desc);
create index one_time_password_number on one_time_password (number_hash, created_at desc);
create index one_time_password_network on one_time_password (network_hash, created_at desc);
create index one_time_password_link on one_time_password using gin (link_ids);
create index one_time_password_age on one_time_password (created_at);

-- The newest links of any company that the owner of a number can pay now. Ids are made in the order of real time; created_at is in
-- the time of each company.
create function otp_newest_links(p_mobile_number text)
returns table (id uuid, company_id uuid, company_name text, currency text, amount_cents text)
language sql stable security definer set search_path = public, pg_temp as $$
  select l.id, l.company_id, c.name, l.currency, l.amount_cents::text
  from app_user u join payment_link l on l.company_id = u.company_id and l.buyer_id = u.id join company c on c.id = l.company_id
  where u.mobile_number = p_mobile_number and l.status = 'PENDING' and l.expires_at > company_now(l.company_id)
  order by l.id desc limit 3
$$;

-- Stores a new password and returns 0, or returns the seconds to wait if there were too many requests: for a number and a link, for
-- a number over all links and companies, for a number without a link, or from one network. DATABASE_LIMITS (api/limits.ts) has the
-- same limits. With a company, the password belongs to a party of one of its orders, and not to links. The lock serialises
-- replicas.
create function otp_begin(
  p_asked_hash bytea, p_number_hash bytea, p_network_hash bytea, p_link_ids uuid[], p_code_hash bytea, p_lifetime interval,
  p_most_of_network integer, p_company_id uuid
) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_wait integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(encode(coalesce(p_number_hash, p_asked_hash), 'hex'), 0));
  select ceil(extract(epoch from max(free_at) - now()))::integer into v_wait from (
    (select created_at + interval '1 minute' from one_time_password
      where asked_hash = p_asked_hash order by created_at desc limit 1)
    union all
    (select created_at + case when p_number_hash is null then interval '1 day' else interval '1 hour' end from one_time_password
      where asked_hash = p_asked_hash order by created_at desc offset 4 limit 1)
    union all
    (select created_at + interval '10 minutes' from one_time_password
      where number_hash = p_number_hash order by created_at desc offset 4 limit 1)
    union all
    (select created_at + interval '1 day' from one_time_password
      where number_hash = p_number_hash order by created_at desc offset 29 limit 1)
    union all
    (select created_at + interval '10 minutes' from one_time_password
      where network_hash = p_network_hash order by created_at desc offset p_most_of_network - 1 limit 1)
  ) as limits (free_at);
  if v_wait > 0 then return v_wait; end if;
  delete from one_time_password where asked_hash = p_asked_hash and created_at < now() - interval '1 day';
  insert into one_time_password (asked_hash, number_hash, network_hash, link_ids, code_hash, expires_at)
  values (p_asked_hash, p_number_hash, p_network_hash, p_link_ids, p_code_hash, case when p_company_id is null then array(
    select company_now(l.company_id) + p_lifetime
    from unnest(p_link_ids) with ordinality as named (id, place) join payment_link l on l.id = named.id order by place
  ) else array[company_now(p_company_id) + p_lifetime] end);
  return 0;
end $$;

-- When the password stops paying the link.
create function otp_expiry(p_password one_time_password, p_link_id uuid) returns timestamptz
language sql immutable set search_path = public, pg_temp as $$
  select p_password.expires_at[array_position(p_password.link_ids, p_link_id)]
$$;

-- Makes a consumed password usable again for the same link, because the payment was refused and no money moved.
create function otp_give_back(p_company_id uuid, p_link_id uuid, p_code_hash bytea, p_command_id uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update one_time_password o set consumed_at = null, consumed_by = null
  where o.link_ids @> array[p_link_id] and o.code_hash = p_code_hash and o.consumed_by = p_command_id
    and otp_expiry(o, p_link_id) > company_now(p_company_id)
$$;

-- Checks a code against the link's passwords: consumed, wrong, expired, or locked after too many wrong tries. For a code that was
-- consumed by another command, the command's id is returned too. A link has at most two valid passwords: the latest requested
-- with the link, and the latest requested by the number alone. A wrong try counts against both, and over all links of the second
-- together. Its first right use binds the second to the link. The locks serialise replicas.
create function otp_consume(
  p_company_id uuid, p_link_id uuid, p_code_hash bytea, p_command_id uuid, out outcome text, out command_id uuid
)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  max_tries constant integer := 5;
  v_latest bigint[];
  v_usable bigint[];
begin
  perform pg_advisory_xact_lock(hashtextextended(p_link_id::text, 0));
  select array_agg(id) into v_latest from (
    select distinct on (asked_hash) id from one_time_password
    where link_ids @> array[p_link_id] order by asked_hash, created_at desc, id desc
  ) latest;
  -- A password of several links may be used for another one at the same time, which binds it.
  perform from one_time_password where id = any (v_latest) order by id for update;
  select array_agg(o.id) into v_usable from one_time_password o
    where o.id = any (v_latest) and o.consumed_at is null and o.wrong_tries < max_tries
      and otp_expiry(o, p_link_id) > company_now(p_company_id);
  if exists (select from one_time_password where id = any (v_usable) and code_hash = p_code_hash) then
    update one_time_password o set
      consumed_at = now(), consumed_by = p_command_id,
      link_ids = array[p_link_id], expires_at = array[otp_expiry(o, p_link_id)]
    where o.id = any (v_usable) and (o.code_hash = p_code_hash or cardinality(o.link_ids) = 1);
    -- The other password goes on paying its other links.
    update one_time_password o set
      link_ids = array_remove(o.link_ids, p_link_id), expires_at = array(
        select at from unnest(o.link_ids, o.expires_at) with ordinality as each (id, at, place)
        where each.id <> p_link_id order by place
      )
    where o.id = any (v_usable) and o.consumed_at is null;
    outcome := 'consumed';
    command_id := p_command_id;
    return;
  end if;
  select o.consumed_by into command_id from one_time_password o
    where o.id = any (v_latest) and o.link_ids @> array[p_link_id] and o.code_hash = p_code_hash
      and o.consumed_by is not null and otp_expiry(o, p_link_id) > company_now(p_company_id);
  if command_id is not null then
    outcome := 'consumed';
    return;
  end if;
  if v_usable is not null then
    update one_time_password set wrong_tries = wrong_tries + 1 where id = any (v_usable);
    outcome := 'wrong';
    return;
  end if;
  outcome := coalesce((
    select case when bool_or(wrong_tries >= max_tries) then 'locked' when bool_or(consumed_at is null) then 'expired' end
    from one_time_password where id = any (v_latest) and link_ids @> array[p_link_id]
  ), 'wrong');
end $$;
