-- Otherwise the function of 115-ledger-journal.sql, in two thirds of the time: `offset 0` keeps PostgreSQL from making the JSON of a row again for each
-- column of its key, and the hash is that of record_hash, written out, because PostgreSQL calls it for each row. A key has at most three columns.
create or replace function journal_added() returns trigger language plpgsql security definer
set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  argument text;
  key_columns text[] := '{}';
  left_out text[] := '{}';
begin
  foreach argument in array tg_argv loop
    if left(argument, 1) = '-' then left_out := left_out || substr(argument, 2); else key_columns := key_columns || argument; end if;
  end loop;
  if cardinality(key_columns) > 3 then
    raise exception 'the key of % has more than three columns', tg_table_name using errcode = 'program_limit_exceeded';
  end if;
  insert into seal_queue (company_id, record, hash)
  select (a.row ->> 'company_id')::uuid,
    concat(tg_table_name, '/' || (a.row ->> key_columns[1]), '/' || (a.row ->> key_columns[2]), '/' || (a.row ->> key_columns[3])),
    sha256(convert_to((a.row - left_out)::text, 'UTF8'))
  from (select to_jsonb(added) from added offset 0) a(row);
  return null;
end $$;
