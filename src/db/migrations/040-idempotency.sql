-- Idempotency keys. Requests claim and finish theirs in batches: one call for many requests.

-- One row per operation and key: the request's fingerprint, the command's id (which the created resource takes), the answer.
-- There is no foreign key to company: it would lock the company's row for each request, and companies are never deleted.
create table idempotency (
  company_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  command_id uuid not null,
  locked_until timestamptz not null,
  response_status integer,
  -- The bytes of the answer: jsonb would reorder its fields.
  response_body text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (company_id, operation, key)
) with (fillfactor = 50); -- leaves room on the page for the answer, which is written later
create index idempotency_expiry on idempotency (expires_at);
call tenant_table('idempotency', 'select, insert, update, delete');

-- Each idempotency step takes one round trip. `claim` returns the command's id if the caller may do the work (a retry after a
-- crash gets the same id), or the stored answer, or the reason for a refusal.
create function idempotency_claim(
  p_company_id uuid, p_operation text, p_key text, p_fingerprint bytea, p_command_id uuid, p_lock interval, p_lifetime interval
) returns table (outcome text, command_id uuid, response_status integer, response_body text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_row idempotency;
begin
  insert into idempotency as i (company_id, operation, key, fingerprint, command_id, locked_until, expires_at)
  values (p_company_id, p_operation, p_key, p_fingerprint, p_command_id, now() + p_lock, now() + p_lifetime)
  on conflict (company_id, operation, key) do update
    set fingerprint = excluded.fingerprint, command_id = excluded.command_id, locked_until = excluded.locked_until,
        response_status = null, response_body = null, created_at = now(), expires_at = excluded.expires_at
    where i.expires_at <= now();
  if found then
    return query select 'claimed', p_command_id, null::integer, null::text;
    return;
  end if;
  select i.* into found_row from idempotency i
    where i.company_id = p_company_id and i.operation = p_operation and i.key = p_key for update;
  if not found then
    -- Its owner has just released the key, so the caller retries.
    return query select 'in_progress', null::uuid, null::integer, null::text;
  elsif found_row.fingerprint <> p_fingerprint then
    return query select 'reused', null::uuid, null::integer, null::text;
  elsif found_row.response_status is not null then
    return query select 'replay', found_row.command_id, found_row.response_status, found_row.response_body;
  elsif found_row.locked_until > now() then
    return query select 'in_progress', null::uuid, null::integer, null::text;
  else
    update idempotency i set locked_until = now() + p_lock
      where i.company_id = p_company_id and i.operation = p_operation and i.key = p_key;
    return query select 'claimed', found_row.command_id, null::integer, null::text;
  end if;
end $$;

-- Keys are claimed in key order, here and below, so two calls with common keys cannot deadlock. Most keys are new and are claimed
-- in one statement. The others are claimed one by one. `line`: of the audit log, announced for a key that was claimed.
create function idempotency_claims(p_claims jsonb, p_lock interval, p_lifetime interval)
returns table (ordinal bigint, outcome text, command_id uuid, response_status integer, response_body text)
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  asked record;
begin
  for asked in
    with asked as materialized (
      select c.*
      from rows from (jsonb_to_recordset(p_claims)
        as (company_id uuid, operation text, key text, fingerprint text, command_id uuid, line jsonb)) with ordinality
        as c (company_id, operation, key, fingerprint, command_id, line, ordinal)
    ), fresh as (
      insert into idempotency as i (company_id, operation, key, fingerprint, command_id, locked_until, expires_at)
      select c.company_id, c.operation, c.key, decode(c.fingerprint, 'hex'), c.command_id, now() + p_lock, now() + p_lifetime
      from asked c
      order by c.company_id, c.operation, c.key, c.ordinal
      on conflict do nothing
      returning i.command_id
    )
    select c.*, f.command_id is not null as is_fresh
    from asked c left join fresh f on f.command_id = c.command_id
    order by c.company_id, c.operation, c.key, c.ordinal
  loop
    if asked.is_fresh then
      ordinal := asked.ordinal;
      outcome := 'claimed';
      command_id := asked.command_id;
      response_status := null;
      response_body := null;
      return next;
    else
      select asked.ordinal, x.outcome, x.command_id, x.response_status, x.response_body
        into ordinal, outcome, command_id, response_status, response_body
        from idempotency_claim(asked.company_id, asked.operation, asked.key, decode(asked.fingerprint, 'hex'),
          asked.command_id, p_lock, p_lifetime) x;
      return next;
    end if;
    if outcome = 'claimed' and asked.line is not null then
      perform audit_announces(jsonb_build_array(jsonb_build_object(
        'company_id', asked.company_id, 'command_id', command_id, 'line', asked.line)));
    end if;
  end loop;
end $$;

-- In plpgsql, here and in audit_writes, because a session then plans the statement once.
create function idempotency_finishes(p_answers jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp
-- The planner would plan a join for the old size of a table that grows while its statistics do not change. Each answer has one
-- row, which is found by its key.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update idempotency i set response_status = answer.status, response_body = answer.body
  from (
    select a.* from jsonb_to_recordset(p_answers)
      as a (company_id uuid, operation text, key text, command_id uuid, status integer, body text)
    order by a.company_id, a.operation, a.key
  ) answer
  where i.company_id = answer.company_id and i.operation = answer.operation and i.key = answer.key
    and i.command_id = answer.command_id;
end $$;

-- Releases keys as if they had never been claimed.
create function idempotency_forget(p_claims jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  claim record;
begin
  for claim in
    select c.* from jsonb_to_recordset(p_claims) as c (company_id uuid, operation text, key text, command_id uuid)
    order by c.company_id, c.operation, c.key
  loop
    delete from idempotency i
    where i.company_id = claim.company_id and i.operation = claim.operation and i.key = claim.key
      and i.command_id = claim.command_id and i.response_status is null;
  end loop;
  perform audit_revokes(p_claims);
end $$;

-- Releases a key whose command may have had an effect. The row stays, so a retry resumes the same command.
create function idempotency_unlock(p_company_id uuid, p_operation text, p_key text, p_command_id uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update idempotency set locked_until = now()
  where company_id = p_company_id and operation = p_operation and key = p_key and command_id = p_command_id
$$;
