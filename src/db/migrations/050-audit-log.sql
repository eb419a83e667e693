-- Who did what, from where, to which resource. The log is append-only: nobody can change or delete a row. No foreign key: it would
-- lock the company's row once per request, and companies are never deleted.

create table audit_log (
  id bigint generated always as identity primary key,
  company_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  -- The service acts by itself when it disables a webhook endpoint; actor_id is then the endpoint.
  actor_kind text not null check (actor_kind in ('api_key', 'administrator', 'service')),
  actor_id uuid not null,
  actor_role text,
  -- Method and route pattern, as in the interface: POST /v1/escrow/{id}/release.
  operation text not null,
  -- The resource in the path, or the created resource.
  resource text,
  status integer not null,
  ip text,
  request_id text,
  check ((actor_kind = 'service') = (actor_role is null)),
  check (actor_kind = 'service' or request_id is not null)
);
create index audit_log_company on audit_log (company_id, id desc);
create index audit_log_actor on audit_log (company_id, actor_id, id desc);
call tenant_table('audit_log', 'select, insert');
create trigger audit_log_is_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

create function audit_writes(p_lines jsonb) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into audit_log (company_id, actor_kind, actor_id, actor_role, operation, resource, status, ip, request_id)
  select l.company_id, l.actor_kind, l.actor_id, l.actor_role, l.operation, l.resource, l.status, l.ip, l.request_id
  from jsonb_to_recordset(p_lines)
    as l (company_id uuid, actor_kind text, actor_id uuid, actor_role text, operation text, resource text,
          status integer, ip text, request_id text)
$$;
