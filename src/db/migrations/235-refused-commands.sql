-- Commands that were refused. A refusal is final, like an executed command. When Temporal replays or re-applies the message, the
-- same refusal is returned, and the command can no longer lead to an event.

create table refused_command (
  -- The id of the escrow, payment link or withdrawal.
  entity_id uuid not null,
  command_id uuid not null,
  code text not null,
  detail text not null,
  -- The amounts of a refusal about money.
  details jsonb,
  at timestamptz not null default now(),
  -- Until then the message can come again and be decided: db/operations/refused-commands.ts.
  expires_at timestamptz not null,
  primary key (entity_id, command_id)
);
create index refused_command_expiry on refused_command (expires_at);
grant select, insert on refused_command to escrow_worker;
create trigger refused_command_is_append_only before update or truncate on refused_command
for each statement execute function refuse_change();
-- sweep_expired removes expired rows.
create trigger refused_command_is_kept before delete on refused_command
for each row when (old.expires_at > now()) execute function refuse_change();

-- Rejects an event of a command that was refused. SQLSTATE ES001; activities/records.ts turns it into the refusal.
create procedure reject_refused_commands(events regclass, reference text) language plpgsql as $$
begin
  execute format($f$
    create function %1$I() returns trigger language plpgsql security definer set search_path = public, pg_temp as $body$
    begin
      if exists (select from refused_command r where r.entity_id = new.%2$I and r.command_id = new.command_id) then
        raise exception 'the command was refused before' using errcode = 'ES001';
      end if;
      return new;
    end $body$
  $f$, events || '_rejects_refused', reference);
  execute format('create trigger %1$I before insert on %2$s for each row execute function %1$I()',
    events || '_rejects_refused', events);
end $$;

call reject_refused_commands('escrow_event', 'escrow_id');
call reject_refused_commands('payment_link_event', 'link_id');
call reject_refused_commands('withdrawal_event', 'withdrawal_id');

-- The decision on each command as it is stored: its event, with the status that it led to, or its refusal. No row: the command was
-- not decided. Each entity is looked up in the company that its caller is authenticated for. plpgsql keeps the plans.
create function command_decisions(p_kinds text[], p_company_ids uuid[], p_entity_ids uuid[], p_command_ids uuid[])
returns table (ordinal bigint, data jsonb, status text, code text, detail text, details jsonb)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    with asked as (
      select * from unnest(p_kinds, p_company_ids, p_entity_ids, p_command_ids) with ordinality
        as a (kind, company_id, entity_id, command_id, ordinal)
    )
    select a.ordinal, e.data, e.status, null, null, null::jsonb from asked a
    join escrow_event e on e.company_id = a.company_id and e.escrow_id = a.entity_id and e.command_id = a.command_id
    where a.kind = 'escrow'
    union all
    select a.ordinal, e.data, e.status, null, null, null from asked a
    join payment_link_event e on e.company_id = a.company_id and e.link_id = a.entity_id and e.command_id = a.command_id
    where a.kind = 'payment-link'
    union all
    select a.ordinal, e.data, e.status, null, null, null from asked a
    join withdrawal_event e on e.company_id = a.company_id and e.withdrawal_id = a.entity_id and e.command_id = a.command_id
    where a.kind = 'withdrawal'
    union all
    select a.ordinal, null, null, r.code, r.detail, r.details from asked a
    join refused_command r on r.entity_id = a.entity_id and r.command_id = a.command_id;
end $$;
