-- What buyers and sellers asked for on their order pages, where the company wants to be asked first. The company approves or
-- refuses, or the request lapses.
create table order_request (
  -- Also the id of the command that asked.
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  escrow_id uuid not null,
  act text not null,
  party text not null check (party in ('BUYER', 'SELLER')),
  -- What the party entered, account numbers masked.
  details jsonb not null,
  -- The bank details that the seller entered, as JSON.
  secret encrypted_text,
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REFUSED', 'LAPSED')),
  -- The decision that is being carried out: the other one is refused, and the request does not lapse.
  deciding text check (deciding in ('APPROVED', 'REFUSED')),
  -- The command that carries it out, once. Another one after a refusal, which is final for its command.
  command_id uuid not null,
  -- Why it was refused.
  reason text,
  created_at timestamptz not null,
  lapses_at timestamptz not null,
  updated_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, escrow_id) references escrow (company_id, id) on delete restrict
);
create unique index order_request_waiting on order_request (company_id, escrow_id, party, act) where status = 'PENDING';
create index order_request_escrow on order_request (company_id, escrow_id, created_at desc, id desc);
-- All that wait, of all companies, by age: what lapses, and what needs a person.
create index order_request_pending on order_request (company_id, created_at, id) where status = 'PENDING';
call tenant_table('order_request', 'select');
grant insert, update (status, deciding, command_id, reason, secret, updated_at) on order_request to escrow_api;

create function order_request_fact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
  values (new.company_id, 'order_request', new.id, case new.status when 'PENDING' then 'CREATED' else new.status end,
    clock_timestamp(), jsonb_build_object('escrowId', new.escrow_id, 'act', new.act, 'actor', new.party, 'status', new.status,
      'createdAt', new.created_at, 'lapsesAt', new.lapses_at));
  return null;
end $$;
create trigger zz_order_request_fact after insert on order_request for each row execute function order_request_fact();
create trigger zz_order_request_status_fact after update of status on order_request for each row
  when (old.status <> new.status) execute function order_request_fact();

-- Lets requests lapse whose time has passed, at most p_limit. A decision that was begun has another hour, and if it was carried out
-- before it was interrupted, it counts. Returns how many are closed.
create function order_requests_lapse(p_limit integer) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  lapsed integer;
begin
  perform set_config('app.source', 'TIMER', true);
  update order_request r set deciding = null, secret = null, updated_at = now(), status = case when exists (
      select from escrow_event v where v.company_id = r.company_id and v.escrow_id = r.escrow_id and v.command_id = r.command_id)
    then 'APPROVED' else 'LAPSED' end from (
    select p.company_id, p.id from order_request p where p.status = 'PENDING'
      and p.lapses_at + case when p.deciding is null then interval '0' else interval '1 hour' end <= company_now(p.company_id)
    order by p.company_id, p.created_at, p.id limit p_limit for update skip locked) due
  where r.company_id = due.company_id and r.id = due.id;
  get diagnostics lapsed = row_count;
  return lapsed;
end $$;
