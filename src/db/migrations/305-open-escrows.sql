-- How many escrows of each company are open, and the money that they hold, by status and by the hour since which they are open (a
-- disputed one: since its dispute). Kept like company_count: changes are appended by the transaction that makes them, so that
-- transactions of a company do not wait for each other, and are added up later. A company has few rows, however many escrows.

create table open_escrow_tally (
  company_id uuid not null,
  currency text not null,
  status text not null,
  -- The start of the hour, in UTC. -infinity: more than 31 days ago.
  since timestamptz not null,
  escrows bigint not null,
  held_cents bigint not null,
  primary key (company_id, currency, status, since)
) with (fillfactor = 70);
create index open_escrow_tally_done on open_escrow_tally (company_id) where escrows = 0;
call tenant_table('open_escrow_tally', 'select');

-- Changes that are not added up yet.
create table open_escrow_change (
  company_id uuid not null,
  currency text not null,
  status text not null,
  since timestamptz not null,
  escrows bigint not null,
  held_cents bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index open_escrow_change_company on open_escrow_change (company_id);
call tenant_table('open_escrow_change', 'select');

create function open_escrow_changed() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into open_escrow_change (company_id, currency, status, since, escrows, held_cents)
  select c.company_id, c.currency, c.status, date_trunc('hour', coalesce(c.disputed_at, c.created_at), 'UTC'), c.sign,
    c.sign * coalesce(c.held_cents, 0)
  from (
    select old.company_id, old.currency, old.status, old.disputed_at, old.created_at, old.held_cents, -1 where tg_op = 'UPDATE'
    union all
    select new.company_id, new.currency, new.status, new.disputed_at, new.created_at, new.held_cents, 1
  ) c(company_id, currency, status, disputed_at, created_at, held_cents, sign)
  where c.status not in ('COMPLETED', 'CANCELLED', 'RESOLVED');
  return null;
end $$;
create trigger escrow_opened after insert on escrow for each row execute function open_escrow_changed();
create trigger escrow_changed after update of status, state on escrow for each row
  when ((old.status, old.held_cents, old.disputed_at) is distinct from (new.status, new.held_cents, new.disputed_at))
  execute function open_escrow_changed();

-- Adds up the changes. Returns at once if another call is doing it.
create function open_escrow_fold() returns void language plpgsql volatile security definer
set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('open_escrow_tally')) then return; end if;
  with gone as (
    delete from open_escrow_change returning company_id, currency, status, since, escrows, held_cents
  ), aged as (
    -- Hours that have become old are added to the old ones.
    delete from open_escrow_tally where since > '-infinity' and since < now() - interval '31 days'
    returning company_id, currency, status, since, escrows, held_cents
  )
  insert into open_escrow_tally as known (company_id, currency, status, since, escrows, held_cents)
  select g.company_id, g.currency, g.status,
    case when g.since < now() - interval '31 days' then '-infinity' else g.since end, sum(g.escrows), sum(g.held_cents)
  from (select * from gone union all select * from aged) g group by 1, 2, 3, 4
  on conflict (company_id, currency, status, since) do update
    set escrows = known.escrows + excluded.escrows, held_cents = known.held_cents + excluded.held_cents;
  delete from open_escrow_tally where escrows = 0;
end $$;
