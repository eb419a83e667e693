-- One-time passwords belong to a number, whatever companies know it. No role reads this table: only the functions do.
create table one_time_password (
  id bigint generated always as identity primary key,
  -- Keyed hashes: neither numbers nor codes are here.
  number_hash bytea not null,
  -- Null: the number is nobody's who could pay, so nothing was sent. It counts towards the limits all the same.
  code_hash bytea,
  wrong_tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  consumed_at timestamptz
);
create index one_time_password_number on one_time_password (number_hash, created_at desc);

-- Makes room for a new password: false where the number had one within a minute, or five within an hour. The lock keeps
-- two replicas from both saying yes.
create function otp_begin(p_number_hash bytea, p_lifetime interval) returns bigint
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_id bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(encode(p_number_hash, 'hex'), 0));
  if exists (select 1 from one_time_password where number_hash = p_number_hash and created_at > now() - interval '1 minute')
    or (select count(*) from one_time_password where number_hash = p_number_hash and created_at > now() - interval '1 hour') >= 5
  then
    return null;
  end if;
  delete from one_time_password where number_hash = p_number_hash and created_at < now() - interval '1 day';
  insert into one_time_password (number_hash, expires_at) values (p_number_hash, now() + p_lifetime) returning id into v_id;
  return v_id;
end $$;

-- Whether somebody with this number could pay a live link right now.
create function otp_is_wanted(p_mobile_number text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select 1 from app_user u join payment_link l on l.buyer_id = u.id
    where u.mobile_number = p_mobile_number and l.status in ('PENDING', 'PROCESSING') and l.expires_at > now()
  )
$$;

create function otp_set(p_id bigint, p_code_hash bytea) returns void
language sql volatile security definer set search_path = public, pg_temp as
$$ update one_time_password set code_hash = p_code_hash where id = p_id $$;

-- Checks a code against the number's latest password: consumed, wrong, expired, or locked after five wrong tries. Each try
-- is one conditional update, so that replicas agree on the count.
create function otp_consume(p_number_hash bytea, p_code_hash bytea) returns text
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  latest one_time_password;
begin
  select * into latest from one_time_password
    where number_hash = p_number_hash order by created_at desc, id desc limit 1 for update;
  if not found then return 'wrong'; end if;
  if latest.wrong_tries >= 5 then return 'locked'; end if;
  if latest.consumed_at is not null then return 'wrong'; end if;
  if latest.expires_at <= now() then return 'expired'; end if;
  if latest.code_hash is not null and latest.code_hash = p_code_hash then
    update one_time_password set consumed_at = now() where id = latest.id;
    return 'consumed';
  end if;
  update one_time_password set wrong_tries = wrong_tries + 1 where id = latest.id;
  return 'wrong';
end $$;
