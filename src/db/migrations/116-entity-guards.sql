-- Rows of escrows, payment links and withdrawals hold the folded state of their events. Only the worker writes them, and only by
-- adding an event. No role can change columns that hold terms.

-- Rejects a change of the columns in the trigger's arguments.
create function columns_never_change() returns trigger language plpgsql as $$
declare
  col text;
begin
  foreach col in array tg_argv loop
    if to_jsonb(old) -> col is distinct from to_jsonb(new) -> col then
      raise exception '% of % % never changes', col, tg_table_name, old.id using errcode = 'restrict_violation';
    end if;
  end loop;
  return new;
end $$;

-- At the end of a transaction, every written state must have its event with the same number and status, under the same terms. The
-- owner of the schema may repair rows by hand; an audit names such rows.
create function state_has_event() returns trigger language plpgsql as $$
declare
  found boolean;
begin
  if session_user not in ('escrow_api', 'escrow_worker') then return null; end if;
  execute format('select exists (select from %I e where e.company_id = $1 and e.%I = $2 and e.seq = $3 and e.status = $4)',
      tg_argv[0], tg_argv[1])
    into found using new.company_id, new.id, new.seq, new.status;
  if not found or new.seq <> old.seq + 1 or new.state -> 'terms' is distinct from old.state -> 'terms' then
    raise exception 'state % of % % has no event', new.seq, tg_table_name, new.id using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- Adds these guards to an entity's table and grants the worker the columns that it writes: new rows and the folded state.
create procedure entity_table(name text, events text, reference text, variadic terms text[]) language plpgsql as $$
begin
  call tenant_table(name::regclass, 'select');
  execute format('grant insert, update (status, seq, state, updated_at) on %I to escrow_worker', name);
  execute format('create trigger %I before update on %I for each row execute function columns_never_change(%s)',
    name || '_terms', name, (select string_agg(quote_literal(c), ', ') from unnest(terms) c));
  execute format('create constraint trigger %I after update of status, seq, state on %I deferrable initially deferred
      for each row execute function state_has_event(%L, %L)', name || '_event_required', name, events, reference);
end $$;
