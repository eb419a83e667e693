-- An identity that waits without a document says so: there is nothing to compare yet. Otherwise the view is that of 370-work.sql.
create or replace view work_identity as
  select u.id, u.company_id, 'user' as subject, u.id as subject_id,
    coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.mobile_number) as reference,
    case when u.document_id is null then 'NO_DOCUMENT' when u.changed_since_approval <> '{}' then 'CHANGED' end as detail,
    null::bigint as amount_cents, null::text as currency,
    case when u.changed_since_approval = '{}' then u.created_at else u.updated_at end as since, null::timestamptz as due_at
  from app_user u
  where u.kyc_level < 2 and u.identity_status = 'CLEAR' and u.erased_at is null and (u.document_id is not null or not u.is_self_registered)
    and not exists (select from blacklist_mark m where m.kind = 'ID_NUMBER' and m.hash = u.known_id_hash)
    and not exists (select from blacklist_mark m where m.kind = 'PHONE' and m.hash = u.phone_hash);
