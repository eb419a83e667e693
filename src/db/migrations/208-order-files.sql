-- Files that buyers and sellers send with what they do on their order pages. They are documents of an escrow; the sender's command
-- names them in the timeline. Once the command is in the timeline, or waits as a request, they are frozen.
alter table document add column escrow_id uuid, add column command_id uuid,
  -- The sender.
  add column party text check (party in ('BUYER', 'SELLER')),
  add check ((escrow_id is null) = (command_id is null) and (escrow_id is null) = (party is null)),
  add foreign key (company_id, escrow_id) references escrow (company_id, id) on delete restrict;
create index document_escrow on document (company_id, escrow_id, created_at) where escrow_id is not null;

-- Whether a file stands in the timeline of its escrow, or in a request. An approved request is carried out by another command, whose
-- text names the request.
create function is_file_sent(p_file document) returns boolean language sql stable as $$
  select exists (select from escrow_event v where v.company_id = p_file.company_id and v.escrow_id = p_file.escrow_id
      and v.command_id = p_file.command_id)
    or exists (select from order_request r where r.company_id = p_file.company_id and r.id = p_file.command_id)
$$;

create function order_file_is_frozen() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_file_sent(old) then
    raise exception 'a file that was sent is never changed or deleted' using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
create trigger order_file_is_frozen before delete on document for each row
  when (old.escrow_id is not null) execute function order_file_is_frozen();
