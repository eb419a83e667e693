import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, UserId } from '../../src/domain/ids.ts';
import { type Fixed, formatsOfLife } from './life.ts';

/**
 * Writes many escrows in a few statements. They leave the same rows as the API, the worker and `ledger_post` would, with times in
 * the past. The statements of a step share temporary tables:
 *
 *   seeded_company  one row for each company: its parties, and the formats of life.ts
 *   seeded          one row for each escrow: its company, its ids, its time, and `places`, the arguments of the formats
 *   seeded_posting  the postings in their order, as `ledger_post` takes them
 *   seeded_leg      their legs, with those between companies that the ledger adds
 */

const DAYS = 90;
/** Every tenth escrow pays one busy seller. */
const BUSY_EVERY = 10;

export type Party = { readonly user: UserId; readonly account: AccountId };
export type Parties = Fixed & { readonly buyers: readonly Party[]; readonly sellers: readonly Party[] };

/** Escrows numbered from `from` to before `to`, of `of` in total. The number determines parties and time. */
export type Range = { readonly from: number; readonly to: number; readonly of: number };

/** Writes the escrows of a range of each company, in the caller's transaction. */
export async function writeEscrows(em: EntityManager, companies: readonly Parties[], range: Range): Promise<void> {
  await chooseValues(em, companies, range);
  await writePostings(em);
  await writeEntries(em);
  await writeHolds(em);
  await writeDepositRequests(em);
  await writeInitiations(em);
  await writeReleases(em);
}

async function chooseValues(em: EntityManager, companies: readonly Parties[], { from, to, of }: Range): Promise<void> {
  const rows = companies.map((parties) => {
    const { postings, initiated, released, text } = formatsOfLife(parties);
    return {
      company_id: parties.companyId,
      administrator_id: parties.administratorId,
      buyers: parties.buyers.map(({ user }) => user),
      sellers: parties.sellers.map(({ user }) => user),
      buyer_accounts: parties.buyers.map(({ account }) => account),
      seller_accounts: parties.sellers.map(({ account }) => account),
      ...{ postings, text, initiated_event: initiated.event, initiated_state: initiated.state },
      ...{ released_event: released.event, released_state: released.state },
    };
  });
  await em.execute(
    `create temporary table seeded_company on commit drop as
     select * from jsonb_to_recordset(?::jsonb) as c (company_id uuid, administrator_id uuid, buyers text[], sellers text[],
       buyer_accounts text[], seller_accounts text[], postings text[], text text, initiated_event text, initiated_state text,
       released_event text, released_state text)`,
    [JSON.stringify(rows)],
  );
  await em.execute(
    `create temporary table seeded on commit drop as
     with numbered as (
       select c.*, number, number % cardinality(c.buyers) + 1 as buyer,
         case when number % ? = 0 then 1 else number % cardinality(c.sellers) + 1 end as seller,
         date_trunc('milliseconds', now() - interval '${DAYS} days' + number * (interval '${DAYS} days' / ?) - interval '1 hour') as at
       from generate_series(?::bigint, ?::bigint) number cross join seeded_company c
     ), named as materialized (
       select row_number() over (order by number, company_id) as i, company_id, number, at, uuidv7(at - now()) as deposit,
         uuidv7(at - now()) as escrow, uuidv7(at - now()) as release, uuidv7(at - now()) as item, buyers[buyer] as buyer,
         sellers[seller] as seller, buyer_accounts[buyer] as buyer_account, seller_accounts[seller] as seller_account
       from numbered
     )
     select i, company_id, number, at, deposit, escrow, release,
       array[number::text, deposit::text, escrow::text, release::text, item::text, buyer, seller, buyer_account, seller_account,
         ${instant("at + interval '1 ms'")}, ${instant("at + interval '2 ms'")}] as places
     from named`,
    [BUSY_EVERY, of, from, to - 1],
  );
}

/** The same rows as those of `ledger_post`: its phase `claim_keys` computes the hash in this way. */
async function writePostings(em: EntityManager): Promise<void> {
  await em.execute(
    `create temporary table seeded_posting on commit drop as
     select s.i, f.place, s.at + (f.place - 1) * interval '1 ms' as at, format(f.template, variadic s.places)::jsonb as doc
     from seeded s join seeded_company c using (company_id)
     cross join lateral unnest(c.postings) with ordinality f(template, place)`,
  );
  await em.execute(
    `insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, reference, escrow_id,
       metadata, content_hash, created_at)
     select d.id, d.company_id, d.type, d.status, d.status, d.amount, d.currency, d.key, d.reference, d.escrow_id, d.metadata,
       sha256(convert_to(jsonb_build_array(
         d.type, d.status, d.amount, d.currency, d.reference, d.escrow_id, d.legs, d.holds)::text, 'UTF8')), p.at
     from seeded_posting p cross join lateral jsonb_to_record(p.doc) as d (id uuid, company_id uuid, key text, type text,
       status text, amount numeric, currency text, reference text, escrow_id uuid, metadata jsonb, legs jsonb, holds jsonb)
     order by p.i, p.place`,
  );
}

/** Entries with their balances, and the balances of the accounts. A leg on another company's account gets its pair, as in `ledger_post`. */
async function writeEntries(em: EntityManager): Promise<void> {
  await em.execute(
    `create temporary table seeded_leg on commit drop as
     with leg as materialized (
       select p.i, p.place, l.number, p.at, (p.doc ->> 'id')::uuid as transaction_id, p.doc ->> 'currency' as currency,
         (p.doc ->> 'company_id')::uuid as poster, (l.leg ->> 'account_id')::uuid as account_id, (l.leg ->> 'amount')::bigint as amount
       from seeded_posting p cross join lateral jsonb_array_elements(p.doc -> 'legs') with ordinality l(leg, number)
     ), between_companies as (
       select leg.*, x.side, x.company_id, x.moved
       from leg join account a on a.id = leg.account_id and a.company_id <> leg.poster
       cross join lateral (values (1, leg.poster, leg.amount), (2, a.company_id, -leg.amount)) x(side, company_id, moved)
     )
     select i, place, number, at, transaction_id, currency, poster, account_id, amount from leg
     union all
     select b.i, b.place, 100 + b.side, b.at, b.transaction_id, b.currency, b.poster, a.id, b.moved
     from between_companies b
     join account a on a.company_id = b.company_id and a.type = 'INTERCOMPANY' and a.currency = b.currency`,
  );
  await em.execute(
    `insert into entry (transaction_id, account_id, company_id, origin_id, amount, currency, balance_after, created_at)
     select l.transaction_id, l.account_id, a.company_id, nullif(l.poster, a.company_id), l.amount, l.currency,
       case when not a.appends then a.posted + sum(l.amount) over (partition by l.account_id order by l.i, l.place, l.number) end, l.at
     from seeded_leg l join account a on a.id = l.account_id
     order by l.i, l.place, l.number`,
  );
  await em.execute(
    `update account a set posted = a.posted + moved.amount
     from (select account_id, sum(amount)::bigint as amount from seeded_leg group by 1) moved
     where a.id = moved.account_id`,
  );
}

/** A release captures everything that was held, so the void that closes the hold unlocks nothing. */
async function writeHolds(em: EntityManager): Promise<void> {
  const changes = `seeded_posting p
     cross join lateral rows from (jsonb_to_recordset(p.doc -> 'holds') as (kind text, hold_id uuid, account_id uuid, amount bigint))
       with ordinality h(kind, hold_id, account_id, amount, number)`;
  await em.execute(
    `insert into hold (id, company_id, account_id, transaction_id, amount, remaining, status, created_at, updated_at)
     select h.hold_id, (p.doc ->> 'company_id')::uuid, h.account_id, (p.doc ->> 'id')::uuid, h.amount, 0, 'CLOSED', p.at,
       p.at + interval '1 ms'
     from ${changes} where h.kind = 'place' order by p.i`,
  );
  await em.execute(
    `insert into hold_change (transaction_id, hold_id, account_id, company_id, kind, amount_cents, created_at)
     select (p.doc ->> 'id')::uuid, h.hold_id, h.account_id, (p.doc ->> 'company_id')::uuid, h.kind,
       case h.kind when 'place' then h.amount when 'capture' then -h.amount else 0 end, p.at
     from ${changes} order by p.i, p.place, h.number`,
  );
}

/** The audit log's lines of the deposits: they are the cause of a deposit over the API. */
async function writeDepositRequests(em: EntityManager): Promise<void> {
  await em.execute(
    `with line as (
       insert into audit_log (company_id, at, actor_kind, actor_id, actor_role, operation, resource, status, ip, request_id)
       select s.company_id, s.at, 'administrator', c.administrator_id, 'OWNER', 'POST /v1/payments/deposit', 'txn_' || s.deposit, 201,
         '192.0.2.1', s.deposit::text
       from seeded s join seeded_company c using (company_id) order by s.i
     )
     insert into event_fact (company_id, object_kind, object_id, change, at, snapshot, request_id)
     select company_id, 'deposit', deposit, 'RECEIVED', at, jsonb_build_object('status', 'COMPLETED'), deposit::text from seeded order by i`,
  );
}

const EVENT_COLUMNS = 'escrow_id, seq, company_id, command_id, type, actor, at, status, data';

async function writeInitiations(em: EntityManager): Promise<void> {
  await em.execute(
    `with text as (
       insert into command_text (command_id, company_id, content, created_at)
       select s.escrow, s.company_id, format(c.text, variadic s.places)::jsonb, s.at from seeded s join seeded_company c using (company_id)
     )
     insert into escrow (id, company_id, status, seq, buyer_id, seller_id, currency, total_cents, external_reference, state,
       created_at, updated_at)
     select s.escrow, (terms ->> 'companyId')::uuid, state ->> 'status', (state ->> 'seq')::integer, (terms ->> 'buyerId')::uuid,
       (terms ->> 'sellerId')::uuid, terms ->> 'currency', (terms ->> 'totalCents')::bigint, 'order ' || s.number, state,
       (state ->> 'createdAt')::timestamptz, (state ->> 'updatedAt')::timestamptz
     from seeded s join seeded_company c using (company_id)
     cross join lateral (select format(c.initiated_state, variadic s.places)::jsonb as state offset 0) d
     cross join lateral (select d.state -> 'terms' as terms) t
     order by s.i`,
  );
  await writeEvents(em, 'initiated_event');
}

async function writeReleases(em: EntityManager): Promise<void> {
  await em.execute(
    `update escrow e set status = d.state ->> 'status', seq = (d.state ->> 'seq')::integer, state = d.state,
       updated_at = (d.state ->> 'updatedAt')::timestamptz
     from seeded s join seeded_company c using (company_id)
     cross join lateral (select format(c.released_state, variadic s.places)::jsonb as state offset 0) d
     where e.company_id = s.company_id and e.id = s.escrow`,
  );
  await writeEvents(em, 'released_event');
}

/** Adds an event to every escrow of the step. The row has the state after it already. */
async function writeEvents(em: EntityManager, format: 'initiated_event' | 'released_event'): Promise<void> {
  await em.execute(
    `insert into escrow_event (${EVENT_COLUMNS})
     select e.id, e.seq, e.company_id, (d.event ->> 'commandId')::uuid, d.event ->> 'type', d.event ->> 'actor',
       (d.event ->> 'at')::timestamptz, e.status, d.event
     from seeded s join seeded_company c using (company_id) join escrow e on e.company_id = s.company_id and e.id = s.escrow
     cross join lateral (select format(c.${format}, variadic s.places)::jsonb as event offset 0) d
     order by s.i`,
  );
}

/** The time of an expression in the form of the domain. */
function instant(at: string): string {
  return `to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
