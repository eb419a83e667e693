-- The users whose last identity document was deleted, because they had nothing open for long (api/bodies/document-retention.ts) or were
-- erased. A later document leaves the row, and counts instead of it.
create table deleted_document (
  company_id uuid not null,
  user_id uuid not null,
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references app_user (company_id, id) on delete restrict
);
call tenant_table('deleted_document', '');
grant select on deleted_document to escrow_api;

create function keep_deleted_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into deleted_document (company_id, user_id) values (new.company_id, new.id) on conflict do nothing;
  return null;
end $$;
create trigger app_user_document_is_deleted after update of document_id on app_user for each row
  when (old.document_id is not null and new.document_id is null) execute function keep_deleted_document();

-- Documents that were deleted before this migration, as far as there are events of them.
insert into deleted_document (company_id, user_id)
  select u.company_id, u.id from app_user u
  where u.document_id is null and exists (select from event e
    where e.company_id = u.company_id and e.object_id = u.id and e.type = 'user.document_changed');

-- An identity that waits without a document says so: there is nothing to compare yet. One whose document was deleted waits for nobody.
-- Otherwise the view is that of 370-work.sql.
create or replace view work_identity as
  select u.id, u.company_id, 'user' as subject, u.id as subject_id,
    coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.mobile_number) as reference,
    case when u.document_id is null then 'NO_DOCUMENT' when u.changed_since_approval <> '{}' then 'CHANGED' end as detail,
    null::bigint as amount_cents, null::text as currency,
    case when u.changed_since_approval = '{}' then u.created_at else u.updated_at end as since, null::timestamptz as due_at
  from app_user u
  where u.kyc_level < 2 and u.identity_status = 'CLEAR' and u.erased_at is null and (u.document_id is not null or not u.is_self_registered)
    and not exists (select from blacklist_mark m where m.kind = 'ID_NUMBER' and m.hash = u.known_id_hash)
    and not exists (select from blacklist_mark m where m.kind = 'PHONE' and m.hash = u.phone_hash)
    and not exists (select from deleted_document d where d.company_id = u.company_id and d.user_id = u.id and u.document_id is null);

-- As in 358-erasure.sql, but ages are counted by the clock of the company, which is the clock of the upload.
create or replace function documents_to_delete(p_retention interval, p_after_company uuid, p_after uuid, p_limit integer)
returns table (company_id uuid, document_id uuid, user_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.company_id, d.id, u.id from document d
  left join app_user u on u.company_id = d.company_id and u.document_id = d.id
  where (d.company_id, d.id) > (p_after_company, p_after)
    and (d.escrow_id is null or not is_file_sent(d)) -- others stay with the escrow
    and d.created_at < company_now(d.company_id)
      - case when d.escrow_id is null and u.id is not null then p_retention else interval '1 hour' end
  order by d.company_id, d.id limit p_limit
$$;
