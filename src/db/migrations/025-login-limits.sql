-- Password tries, counted before the password is verified, so parallel guesses count like sequential ones. A key is the hash of
-- an administrator, or of an administrator and a network. Unlogged: after a crash the counts start at zero.
create unlogged table login_try (
  key bytea primary key,
  tries integer not null,
  expires_at timestamptz not null
);

-- Counts one try. Returns 0, or the seconds to wait if the window already had p_limit tries.
create function login_try_counted(p_key bytea, p_limit integer, p_window interval) returns integer
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into login_try as t (key, tries, expires_at) values (p_key, 1, now() + p_window)
  on conflict (key) do update set
    tries = case when t.expires_at > now() then least(t.tries, p_limit) + 1 else 1 end,
    expires_at = case when t.expires_at > now() then t.expires_at else excluded.expires_at end
  returning case when tries > p_limit then greatest(1, ceil(extract(epoch from expires_at - now()))::integer) else 0 end
$$;

-- Removes the tries of the network that logged in, and one try of the administrator.
create function login_succeeded(p_network_key bytea, p_administrator_key bytea) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  delete from login_try where key = p_network_key or expires_at < now() - interval '1 day';
  update login_try set tries = greatest(tries - 1, 0) where key = p_administrator_key
$$;

-- The tries in the current window, without counting one.
create function login_tries(p_key bytea) returns integer
language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((select t.tries from login_try t where t.key = p_key and t.expires_at > now()), 0)
$$;
