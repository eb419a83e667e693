-- Who did what, from where, to which resource. The log is append-only: nobody can change or delete a row. No foreign key: it
-- would lock the company's row once per request, and companies are never deleted.

create table audit_log (
  id bigint generated always as identity,
  company_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  -- The service acts by itself when it disables a webhook endpoint; actor_id is then the endpoint. The actor is unknown if no
  -- administrator has the e-mail address of a login. The line then belongs to the platform's company. `temporal`: a message that
  -- was sent past the API was carried out, or was not permitted. It has no credential, so it names nobody. `party`: a user on an
  -- order page.
  actor_kind text not null check (actor_kind in ('api_key', 'administrator', 'party', 'service', 'temporal', 'unknown')),
  actor_id uuid,
  actor_role text,
  -- Method and route pattern, as in the interface: POST /v1/escrow/{id}/release. Or the message of a run: signal:release. Or the act
  -- on an order page: page:dispute.
  operation text not null,
  -- The resource in the path, or the created resource. Of an unknown actor: the keyed hash of the e-mail address.
  resource text,
  status integer not null,
  ip text,
  request_id text,
  source text not null default act_source(),
  -- The fields that the request changed, where they decide over money or its destination: [{field, before, after}].
  changes jsonb,
  primary key (company_id, id),
  check ((actor_kind in ('temporal', 'unknown')) = (actor_id is null)),
  check ((actor_kind in ('party', 'service', 'temporal', 'unknown')) = (actor_role is null)),
  check (actor_kind in ('service', 'temporal') or request_id is not null)
);
create index audit_log_actor on audit_log (company_id, actor_id, id desc);
call tenant_table('audit_log', 'select, insert');
create trigger audit_log_is_append_only before delete or truncate on audit_log
  for each statement execute function refuse_change();
-- No role may change a line. The erasure of a person (358-erasure.sql) empties what it says about their bank details.
create trigger audit_log_stays before update on audit_log for each row
  when (new.changes is not null or to_jsonb(new) - 'changes' is distinct from to_jsonb(old) - 'changes')
  execute function refuse_change();

create function audit_writes(p_lines jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  insert into audit_log (company_id, actor_kind, actor_id, actor_role, operation, resource, status, ip, request_id, source, changes)
  select l.company_id, l.actor_kind, l.actor_id, l.actor_role, l.operation, l.resource, l.status, l.ip, l.request_id, l.source, l.changes
  from jsonb_to_recordset(p_lines)
    as l (company_id uuid, actor_kind text, actor_id uuid, actor_role text, operation text, resource text,
          status integer, ip text, request_id text, source text, changes jsonb);
end $$;

-- The lines of requests whose change a run writes. The API announces a line under the command's id; the transaction that writes the
-- command's event moves it into the log, so neither is there without the other. What is left of a command that never arrived is
-- swept.
create table announced_line (
  company_id uuid not null,
  command_id uuid not null,
  line jsonb not null,
  created_at timestamptz not null default now(),
  primary key (company_id, command_id)
);
create index announced_line_age on announced_line (created_at);
call tenant_table('announced_line', '');

create function audit_announces(p_announced jsonb) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into announced_line (company_id, command_id, line)
  select a.company_id, a.command_id, a.line
  from jsonb_to_recordset(p_announced) as a (company_id uuid, command_id uuid, line jsonb)
  order by a.company_id, a.command_id
  on conflict (company_id, command_id) do update set line = excluded.line, created_at = excluded.created_at
$$;

-- Moves announced lines into the log. Nothing happens for a command without one.
create function audit_announced(p_commands jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  lines jsonb;
begin
  with moved as (
    delete from announced_line a using jsonb_to_recordset(p_commands) as c (company_id uuid, command_id uuid)
    where a.company_id = c.company_id and a.command_id = c.command_id
    returning a.line || jsonb_build_object('company_id', a.company_id) as line
  )
  select jsonb_agg(line) into lines from moved;
  if lines is not null then perform audit_writes(lines); end if;
end $$;

-- Takes back the lines of commands that were refused.
create function audit_revokes(p_commands jsonb) returns void
language sql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $$
  delete from announced_line a using jsonb_to_recordset(p_commands) as c (company_id uuid, command_id uuid)
  where a.company_id = c.company_id and a.command_id = c.command_id
$$;

-- On tables of events: the line of the request that caused the event.
create function event_takes_line() returns trigger
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  moved jsonb;
begin
  delete from announced_line a where a.company_id = new.company_id and a.command_id = new.command_id
    returning a.line || jsonb_build_object('company_id', a.company_id) into moved;
  if found then perform audit_writes(jsonb_build_array(moved)); end if;
  return null;
end $$;

-- Writes a login with an unknown e-mail address to the platform company's log. Guesses cannot fill the table: it takes at most
-- p_network_limit lines from a network and p_limit lines in all within p_window. Returns whether the line was written.
create function audit_unknown_login(
  p_operation text, p_resource text, p_status integer, p_ip text, p_request_id text, p_source text,
  p_network_key bytea, p_network_limit integer, p_limit integer, p_window interval
) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if login_try_counted(p_network_key, p_network_limit, p_window) > 0
    or login_try_counted(sha256('unknown logins'), p_limit, p_window) > 0 then
    return false;
  end if;
  insert into audit_log (company_id, actor_kind, operation, resource, status, ip, request_id, source)
  values (platform_company(), 'unknown', p_operation, p_resource, p_status, p_ip, p_request_id, p_source);
  return true;
end $$;

-- Writes that a run carried out or refused a message that was sent past the API, in the transaction of the step or the refusal.
create function audit_message(p_company_id uuid, p_operation text, p_resource text, p_status integer) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into audit_log (company_id, actor_kind, operation, resource, status, source)
  values (p_company_id, 'temporal', p_operation, p_resource, p_status, 'TEMPORAL')
$$;

-- Writes a refusal of a caller who has shown no credential, at most p_limit times for each actor and status within p_window.
create function audit_guess(p_line jsonb, p_limit integer, p_window interval) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if login_try_counted(sha256(convert_to(format('guesses %s %s', p_line ->> 'actor_id', p_line ->> 'status'), 'UTF8')),
    p_limit, p_window) > 0 then
    return false;
  end if;
  perform audit_writes(jsonb_build_array(p_line));
  return true;
end $$;
