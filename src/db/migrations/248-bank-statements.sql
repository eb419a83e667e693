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

-- The oldest transaction that moved an entry's money on BANK and that no entry confirms yet: captures by reference, payouts and
-- their returns by EndToEndId (payout.ts), what was taken back of a receipt, and settlements between companies.
create function bank_counterpart(p_entry bank_entry) returns table (kind text, transaction_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select f.kind, t.id
  from (
    select 'CAPTURE' as kind, c.id from bank_capture c
    where p_entry.direction = 'CREDIT' and c.company_id = p_entry.company_id and lower(btrim(c.reference)) = any (p_entry.search)
    union all
    select 'REVERSAL', r.id from bank_capture c
      join ledger_transaction r on r.company_id = c.company_id and r.key = 'reversal/' || c.id
    where p_entry.direction = 'DEBIT' and c.company_id = p_entry.company_id and lower(btrim(c.reference)) = any (p_entry.search)
    union all
    select 'PAYOUT', (e.data ->> 'transactionId')::uuid
    from unnest(p_entry.search) s(word)
    join withdrawal_event e on e.company_id = p_entry.company_id
      and e.withdrawal_id = case when s.word ~ '^wd[0-9a-f]{32}$' then substr(s.word, 3)::uuid end
    union all
    select 'INTERCOMPANY', i.id from intercompany_settlement i
    where i.company_id = p_entry.company_id and i.amount_cents = p_entry.amount_cents and lower(btrim(i.reference)) = any (p_entry.search)
    union all
    select 'INTERCOMPANY', i.receipt_id from intercompany_settlement i
    where p_entry.company_id = (select platform_company()) and i.amount_cents = p_entry.amount_cents
      and lower(btrim(i.reference)) = any (p_entry.search)
  ) f
  join ledger_transaction t on t.company_id = p_entry.company_id and t.id = f.id and t.currency = p_entry.currency
  join entry l on l.company_id = t.company_id and l.transaction_id = t.id and l.origin_id is null
    and l.amount = case p_entry.direction when 'CREDIT' then -p_entry.amount_cents else p_entry.amount_cents end
  join account a on a.company_id = l.company_id and a.id = l.account_id and a.type = 'BANK'
  where not exists (select from bank_match m where m.company_id = t.company_id and m.transaction_id = t.id)
  order by t.position limit 1
$$;

-- Matches entries that are still open, oldest first, one to one.
create function bank_match_entries(p_entries bank_entry[]) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  v_entry bank_entry;
begin
  foreach v_entry in array p_entries loop
    insert into bank_match (entry_id, company_id, kind, transaction_id)
    select v_entry.id, v_entry.company_id, f.kind, f.transaction_id from bank_counterpart(v_entry) f
    on conflict do nothing;
  end loop;
end $$;
-- All that are open: also those whose capture or payout was committed at the same time as their statement, so that neither saw the
-- other.
create function bank_match_open(p_company uuid) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  select bank_match_entries(coalesce(array_agg(e order by e.date, e.id), '{}')) from bank_entry e
  where e.company_id = p_company
    and not exists (select from bank_match m where m.company_id = e.company_id and m.entry_id = e.id)
$$;
-- Those that have this text: what is captured or paid later closes its open entry.
create function bank_match_text(p_company uuid, p_text text) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  select bank_match_entries(coalesce(array_agg(e order by e.date, e.id), '{}')) from bank_entry e
  where e.company_id = p_company and e.search @> array[lower(btrim(p_text))]
    and not exists (select from bank_match m where m.company_id = e.company_id and m.entry_id = e.id)
$$;

-- At the end of the transaction, when everything is posted.
create function bank_reference_used() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bank_match_text(new.company_id, new.reference);
  if tg_table_name = 'intercompany_settlement' then
    perform bank_match_text(platform_company(), new.reference);
  end if;
  return null;
end $$;
create constraint trigger bank_capture_confirmed after insert on bank_capture deferrable initially deferred
  for each row execute function bank_reference_used();
create constraint trigger intercompany_settlement_confirmed after insert on intercompany_settlement deferrable initially deferred
  for each row execute function bank_reference_used();
create function bank_payout_decided() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform bank_match_text(new.company_id, 'WD' || replace(new.id::text, '-', ''));
  return null;
end $$;
create constraint trigger withdrawal_confirmed after update on withdrawal deferrable initially deferred
  for each row when (old.status <> new.status) execute function bank_payout_decided();
