-- The periodic tasks. Until a task has finished, its age counts from here.
insert into installation (kind, name) values ('task', 'audit'), ('task', 'audit-new'), ('task', 'sweep'), ('task', 'backup');

-- Records that a task has finished. The worker calls it after a sweep, and the backup's own job after a backup. Audits need no
-- call: ledger_audit has them.
create function task_finished(p_task text) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  update installation set at = clock_timestamp() where kind = 'task' and name = p_task;
  if not found then
    raise exception 'there is no task %', p_task using errcode = 'no_data_found';
  end if;
end $$;

-- The seconds since each task last finished, and the grants that are missing. An audit of everything is also one of what is new.
create function task_snapshot() returns table (metric text, label text, value double precision)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'last_finished_seconds', t.name, extract(epoch from clock_timestamp() - greatest(t.at, case t.name
    when 'audit' then (select a.at from ledger_audit a where a.is_full order by a.seq desc limit 1)
    when 'audit-new' then (select a.at from ledger_audit a order by a.seq desc limit 1)
  end))::float8
  from installation t where t.kind = 'task'
  union all
  select 'missing_grants', g.name, 1 from installation g
    where g.kind = 'grant' and g.name not in (select statement from service_grants())
$$;
