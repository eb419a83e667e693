-- A reference that a user gave up is nobody else's for 90 days (030-users.sql). Its hash has no key, so who has a copy of the database can
-- try references. It is removed after its time, with what else has expired.
create index given_up_reference_age on given_up_reference (given_up_at);
do $$
begin
  execute replace(replace(pg_get_functiondef('sweep_expired(integer, interval)'::regprocedure),
    E'  lines integer;\n', E'  lines integer;\n  references_given_up integer;\n'),
    'return greatest(', $body$delete from given_up_reference g using (
    select g.company_id, g.reference_hash from given_up_reference g where g.given_up_at < now() - interval '90 days'
    order by g.given_up_at limit p_limit for update skip locked) old
  where g.company_id = old.company_id and g.reference_hash = old.reference_hash;
  get diagnostics references_given_up = row_count;
  return greatest(references_given_up, $body$);
end $$;
