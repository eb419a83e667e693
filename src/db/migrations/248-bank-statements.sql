-- The bank's own statements, and what each of their entries confirms. An entry books no receipt: it confirms a movement that the
-- books have on BANK, one to one, or settles a clearing account. All three tables are append-only parts of the journal.

create table bank_statement (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  account text not null,
  currency text not null references currency,
  -- The bank's id of the statement.
  number text not null,
  from_date date not null,
  to_date date not null,
  opening_cents bigint not null,
  closing_cents bigint not null,
  -- Booked entries of the file, and those of them that another file had brought before.
  entries integer not null,
  duplicates integer not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id)
);
create index bank_statement_company on bank_statement (company_id, created_at desc, id desc);
create index bank_statement_account on bank_statement (company_id, account, currency, to_date desc, created_at desc);
call tenant_table('bank_statement', 'select');
grant insert on bank_statement to escrow_api;
call journal_table('bank_statement', 'id');

-- The parts of entries: one for each payment of a batch, otherwise one.
create table bank_entry (
  id uuid not null,
  company_id uuid not null references company on delete restrict,
  -- The statement that brought it first.
  statement_id uuid not null,
  account text not null,
  currency text not null,
  -- The entry, the same in whatever file it comes (camt053.ts), and the part's place in it.
  entry_key text not null,
  part integer not null check (part > 0),
  direction text not null check (direction in ('CREDIT', 'DEBIT')),
  amount_cents bigint not null check (amount_cents > 0),
  date date not null,
  value_date date,
  bank_reference text,
  end_to_end_id text,
  reference text,
  is_reversal boolean not null,
  -- All texts by which it may be matched, in lower case.
  search text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, id),
  unique (company_id, account, entry_key, part),
  foreign key (company_id, statement_id) references bank_statement (company_id, id) on delete restrict
);
create index bank_entry_statement on bank_entry (company_id, statement_id, date, id);
create index bank_entry_date on bank_entry (company_id, date, id);
create index bank_entry_search on bank_entry using gin (search);
call tenant_table('bank_entry', 'select');
grant insert on bank_entry to escrow_api;
call journal_table('bank_entry', 'id');

create table bank_match (
  entry_id uuid not null,
  company_id uuid not null references company on delete restrict,
  kind text not null check (kind in
    ('CAPTURE', 'PAYOUT', 'REVERSAL', 'INTERCOMPANY', 'CARD_SETTLEMENT', 'MOBILE_SETTLEMENT', 'FEE')),
  -- The transaction that moved the money on BANK. The entry of a settlement or a fee is its cause.
  transaction_id uuid not null,
  -- Of a settlement: the last entry of the clearing account that it pays.
  settled_up_to bigint,
  created_at timestamptz not null default clock_timestamp(),
  primary key (company_id, entry_id),
  unique (company_id, transaction_id),
  foreign key (company_id, entry_id) references bank_entry (company_id, id) on delete restrict,
  foreign key (company_id, transaction_id) references ledger_transaction (company_id, id) on delete restrict
);
create index bank_match_settlement on bank_match (company_id, kind, settled_up_to desc) where settled_up_to is not null;
call tenant_table('bank_match', 'select');
grant insert on bank_match to escrow_api;
call journal_table('bank_match', 'entry_id');

-- Captures are found by their reference without case.
create index bank_capture_comparable on bank_capture (company_id, lower(btrim(reference)));

-- Matches entries that are still open, oldest first, one to one: each with the oldest transaction that moved its money on BANK and
-- that no entry confirms yet. Captures are found by reference, payouts and their returns by EndToEndId (payout.ts), what was taken
-- back of a receipt, and settlements between companies. Each step is one look into an index for each text or candidate, whatever
-- statistics the planner has, because a file has many entries.
create function bank_match_entries(p_entries bank_entry[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
  v_entry bank_entry;
begin
  foreach v_entry in array p_entries loop
    insert into bank_match (entry_id, company_id, kind, transaction_id)
      with word as materialized (
        select w.word from unnest(v_entry.search) w(word)
      ), capture as materialized (
        select c.id from word cross join lateral (
          select c.id from bank_capture c where c.company_id = v_entry.company_id and lower(btrim(c.reference)) = word.word offset 0) c
      ), candidate as materialized (
        select 'CAPTURE' as kind, c.id from capture c where v_entry.direction = 'CREDIT'
        union all
        select 'REVERSAL', r.id from capture c cross join lateral (
          select r.id from ledger_transaction r where r.company_id = v_entry.company_id and r.key = 'reversal/' || c.id offset 0) r
        where v_entry.direction = 'DEBIT'
        union all
        select 'PAYOUT', e.id from word cross join lateral (
          select (e.data ->> 'transactionId')::uuid as id from withdrawal_event e
          where e.company_id = v_entry.company_id and e.withdrawal_id = substr(word.word, 3)::uuid offset 0) e
        where word.word ~ '^wd[0-9a-f]{32}$'
        union all
        select 'INTERCOMPANY', i.id from word join intercompany_settlement i
          on i.company_id = v_entry.company_id and i.amount_cents = v_entry.amount_cents and lower(btrim(i.reference)) = word.word
        union all
        select 'INTERCOMPANY', i.receipt_id from word join intercompany_settlement i
          on i.amount_cents = v_entry.amount_cents and lower(btrim(i.reference)) = word.word
        where v_entry.company_id = (select platform_company())
      )
      select v_entry.id, v_entry.company_id, f.kind, f.id from candidate f cross join lateral (
        select t.position from ledger_transaction t
        where t.company_id = v_entry.company_id and t.id = f.id and t.currency = v_entry.currency
          and not exists (select from bank_match m where m.company_id = t.company_id and m.transaction_id = t.id)
          and exists (
            select from entry l join account a on a.company_id = l.company_id and a.id = l.account_id and a.type = 'BANK'
            where l.company_id = t.company_id and l.transaction_id = t.id and l.origin_id is null
              and l.amount = case v_entry.direction when 'CREDIT' then -v_entry.amount_cents else v_entry.amount_cents end)
        offset 0) t
      order by t.position limit 1
    on conflict do nothing;
  end loop;
end $$;
-- The next `p_limit` of the transaction's company that are open, in the order of dates, and where they end. All in turn: also those
-- whose capture or payout was committed at the same time as their statement, so that neither saw the other.
create function bank_match_open(p_date date, p_id uuid, p_limit integer) returns table (date date, id uuid)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_company constant uuid := current_company();
  v_entries bank_entry[];
begin
  select array_agg(e order by e.date, e.id) into v_entries
  from (
    select o.id from bank_entry o
    where o.company_id = v_company and (o.date, o.id) > (p_date, p_id)
      and not exists (select from bank_match m where m.company_id = o.company_id and m.entry_id = o.id)
    order by o.date, o.id limit p_limit
  ) next join bank_entry e on e.company_id = v_company and e.id = next.id;
  if v_entries is null then return; end if;
  perform bank_match_entries(v_entries);
  return query select (v_entries[cardinality(v_entries)]).date, (v_entries[cardinality(v_entries)]).id;
end $$;
-- Those that have this text: what is captured or paid later closes its open entry.
create function bank_match_named(p_company uuid, p_text text) returns void language sql volatile as $$
  select bank_match_entries(coalesce(array_agg(e order by e.date, e.id), '{}')) from bank_entry e
  where e.company_id = p_company and e.search @> array[lower(btrim(p_text))]
    and not exists (select from bank_match m where m.company_id = e.company_id and m.entry_id = e.id)
$$;

create function bank_match_text(p_text text) returns void
language sql volatile security definer set search_path = public, pg_temp as $$ select bank_match_named(current_company(), p_text) $$;

-- At the end of the transaction, when everything is posted.
create function bank_reference_used() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bank_match_named(new.company_id, new.reference);
  if tg_table_name = 'intercompany_settlement' then
    perform bank_match_named(platform_company(), new.reference);
  end if;
  return null;
end $$;
create constraint trigger bank_capture_confirmed after insert on bank_capture deferrable initially deferred
  for each row execute function bank_reference_used();
create constraint trigger intercompany_settlement_confirmed after insert on intercompany_settlement deferrable initially deferred
  for each row execute function bank_reference_used();
create function bank_payout_decided() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bank_match_named(new.company_id, 'WD' || replace(new.id::text, '-', ''));
  return null;
end $$;
create constraint trigger withdrawal_confirmed after update on withdrawal deferrable initially deferred
  for each row when (old.status <> new.status) execute function bank_payout_decided();
