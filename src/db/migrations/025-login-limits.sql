-- Failed logins, counted per e-mail and address so that replicas agree and nobody can lock another one out from elsewhere.
-- Keys are hashes. Unlogged: after a crash the count begins anew, and no password is safer or weaker for it.
create unlogged table login_failure (
  key bytea primary key,
  failures integer not null,
  expires_at timestamptz not null
);

-- Seconds until the next try is allowed; 0 while there are tries left.
create function login_wait(p_key bytea, p_limit integer) returns integer
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((
    select ceil(extract(epoch from expires_at - now()))::integer from login_failure
    where key = p_key and failures >= p_limit and expires_at > now()
  ), 0)
$$;

create function login_failed(p_key bytea, p_window interval) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into login_failure as f (key, failures, expires_at) values (p_key, 1, now() + p_window)
  on conflict (key) do update set
    failures = case when f.expires_at > now() then f.failures + 1 else 1 end,
    expires_at = case when f.expires_at > now() then f.expires_at else excluded.expires_at end
$$;

create function login_succeeded(p_key bytea) returns void
language sql volatile security definer set search_path = public, pg_temp as
$$ delete from login_failure where key = p_key or expires_at < now() - interval '1 day' $$;
