-- Otherwise the function of 249-deposits.sql. Without statistics the index of a company's accounts by type seemed as good as that of a
-- ledger's, and each deposit read the accounts of all users. The type is therefore compared outside of the look.
create or replace function deposit_accounts(p_deposits jsonb)
returns table (ordinal bigint, account_id uuid, contra_id uuid, ledger_key text, is_unique boolean)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  select d.ordinal,
    case when d.user_id is not null then
      (select a.id from ledger l
         cross join lateral (
           select a.id, a.type from account a
           where a.company_id = d.company_id and a.ledger_id = l.id and a.currency = d.currency offset 0) a
       where l.company_id = d.company_id and l.user_id = d.user_id and a.type = 'USER' and not exists (
         select from app_user u where u.company_id = d.company_id and u.id = d.user_id and u.erased_at is not null))
    else coalesce(
      (select a.id from app_user u
         cross join lateral (
           select l.id from ledger l where l.company_id = d.company_id and l.user_id = u.id offset 0) l
         cross join lateral (
           select a.id, a.type from account a
           where a.company_id = d.company_id and a.ledger_id = l.id and a.currency = d.currency offset 0) a
       where u.company_id = d.company_id and a.type = 'USER' and match_key(u.custom_reference) in (match_key(d.memo), match_key(d.reference))
       order by (match_key(u.custom_reference) = match_key(d.memo)) desc nulls last limit 1),
      (select a.id from (
         select a.id, a.type from account a
         where a.company_id = d.company_id and a.ledger_id = own.id and a.currency = d.currency offset 0) a
       where a.type = 'COMPANY'))
    end,
    (select a.id from (
       select a.id, a.type from account a
       where a.company_id = d.company_id and a.ledger_id = own.id and a.currency = d.currency offset 0) a
     where a.type = case when d.is_transit then 'TRANSIT' else 'CLEARING_DECLARED' end),
    case when is_users.are then d.repeated_key else d.posting ->> 'key' end,
    d.reference is not null and not is_users.are
  from (
    select q.*, q.posting ->> 'currency' as currency, q.posting ->> 'reference' as reference
    from rows from (jsonb_to_recordset(p_deposits)
      as (company_id uuid, user_id uuid, memo text, is_transit boolean, repeated_key text, posting jsonb)) with ordinality
      as q (company_id, user_id, memo, is_transit, repeated_key, posting, ordinal)
  ) d
  left join lateral (select l.id from ledger l where l.company_id = d.company_id and l.user_id is null offset 0) own on true
  cross join lateral (
    select exists (
      select from app_user u where u.company_id = d.company_id and match_key(u.custom_reference) = match_key(d.reference)
    ) as are offset 0) is_users;
end $$;
