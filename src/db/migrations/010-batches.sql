-- What every request asks of the database, for many requests in one call. Answers come in the order of the questions.

create function auth_api_keys(p_key_hashes text[])
returns table (ordinal bigint, id uuid, company_id uuid, role text, is_active boolean, active_until timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select asked.ordinal, k.id, k.company_id, k.role, k.is_active, k.active_until
  from unnest(p_key_hashes) with ordinality as asked (key_hash, ordinal)
  join api_key k on k.key_hash = decode(asked.key_hash, 'hex')
$$;

-- What a command has to know of its escrow. Each is looked for in the company that its caller was let in for.
create function escrows_for_commands(p_company_ids uuid[], p_escrow_ids uuid[])
returns table (ordinal bigint, id uuid, status text, state jsonb)
language sql stable security definer set search_path = public, pg_temp as $$
  select asked.ordinal, e.id, e.status, e.state
  from unnest(p_company_ids, p_escrow_ids) with ordinality as asked (company_id, escrow_id, ordinal)
  join escrow e on e.id = asked.escrow_id and e.company_id = asked.company_id
$$;

-- Keys are taken in their order, here and below, so that two calls that share some cannot wait for each other in a circle. Most are
-- new and are taken all at once; the others one by one.
create function idempotency_claims(p_claims jsonb, p_lock interval, p_lifetime interval)
returns table (ordinal bigint, outcome text, command_id uuid, response_status integer, response_body jsonb)
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
#variable_conflict use_column
declare
  fresh uuid[];
  asked record;
begin
  with claimed as (
    insert into idempotency (company_id, operation, key, fingerprint, command_id, locked_until, expires_at)
    select c.company_id, c.operation, c.key, decode(c.fingerprint, 'hex'), c.command_id, now() + p_lock, now() + p_lifetime
    from jsonb_to_recordset(p_claims) as c (company_id uuid, operation text, key text, fingerprint text, command_id uuid)
    order by c.company_id, c.operation, c.key
    on conflict (company_id, operation, key) do nothing
    returning command_id
  ) select array_agg(c.command_id) into fresh from claimed c;

  for asked in
    select c.* from rows from (jsonb_to_recordset(p_claims)
      as (company_id uuid, operation text, key text, fingerprint text, command_id uuid)) with ordinality
      as c (company_id, operation, key, fingerprint, command_id, ordinal)
    order by c.company_id, c.operation, c.key, c.ordinal
  loop
    if asked.command_id = any (fresh) then
      return query select asked.ordinal, 'claimed', asked.command_id, null::integer, null::jsonb;
    else
      return query
        select asked.ordinal, x.outcome, x.command_id, x.response_status, x.response_body
        from idempotency_claim(asked.company_id, asked.operation, asked.key, decode(asked.fingerprint, 'hex'),
          asked.command_id, p_lock, p_lifetime) x;
    end if;
  end loop;
end $$;

create function idempotency_finishes(p_answers jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  answer record;
begin
  -- Row by row: a join with a table that grows while its statistics stand still is planned for the table it was.
  for answer in
    select a.* from jsonb_to_recordset(p_answers)
      as a (company_id uuid, operation text, key text, command_id uuid, status integer, body jsonb)
    order by a.company_id, a.operation, a.key
  loop
    update idempotency i set response_status = answer.status, response_body = answer.body
    where i.company_id = answer.company_id and i.operation = answer.operation and i.key = answer.key
      and i.command_id = answer.command_id;
  end loop;
end $$;

-- Gives keys back, as if they had never been claimed.
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
end $$;

-- Gives a key back whose command may have had an effect: the row stays, so that a retry takes up the same command.
create function idempotency_unlock(p_company_id uuid, p_operation text, p_key text, p_command_id uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update idempotency set locked_until = now()
  where company_id = p_company_id and operation = p_operation and key = p_key and command_id = p_command_id
$$;

create function audit_writes(p_lines jsonb) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into audit_log (company_id, actor_kind, actor_id, actor_role, operation, resource, status, ip, request_id)
  select l.company_id, l.actor_kind, l.actor_id, l.actor_role, l.operation, l.resource, l.status, l.ip, l.request_id
  from jsonb_to_recordset(p_lines)
    as l (company_id uuid, actor_kind text, actor_id uuid, actor_role text, operation text, resource text,
          status integer, ip text, request_id text)
$$;

-- Where deposits go: the user named, else the one whose custom reference one of the references is, else the company.
create function deposit_accounts(p_company_id uuid, p_deposits jsonb)
returns table (ordinal bigint, target uuid, fallback uuid, contra uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.ordinal,
    (select a.id from app_user u
       join ledger l on l.user_id = u.id and l.company_id = u.company_id
       join account a on a.ledger_id = l.id and a.currency = d.currency and a.type = 'USER'
     where u.company_id = p_company_id and d.user_id is not null and u.id = d.user_id
     union all
     (select a.id from app_user u
       join ledger l on l.user_id = u.id and l.company_id = u.company_id
       join account a on a.ledger_id = l.id and a.currency = d.currency and a.type = 'USER'
     where u.company_id = p_company_id and d.user_id is null and u.custom_reference in (d.memo, d.reference)
     order by (u.custom_reference = d.memo) desc nulls last)
     limit 1),
    (select a.id from account a where a.company_id = p_company_id and a.type = 'COMPANY' and a.currency = d.currency),
    (select a.id from account a
     where a.company_id = p_company_id and a.type = case when d.is_transit then 'TRANSIT' else 'BANK' end
       and a.currency = d.currency)
  from jsonb_array_elements(p_deposits) with ordinality as e (deposit, ordinal)
  cross join lateral jsonb_to_record(e.deposit)
    as d (user_id uuid, memo text, reference text, currency text, is_transit boolean)
$$;
