import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { describeFact } from '../src/api/schemas/events.ts';
import { FieldCipher, parseFieldKey } from '../src/db/core/field-cipher.ts';
import { connect, inTenant } from '../src/db/core/orm.ts';
import { sealEvents } from '../src/db/events/event-sealer.ts';
import { registerCompany } from '../src/db/identity/companies.ts';
import { CredentialProof } from '../src/db/identity/credential-proof.ts';
import { createUser } from '../src/db/identity/users.ts';
import { countAccounts, findAccounts } from '../src/db/ledger/accounts.ts';
import { sealLedger } from '../src/db/ledger/sealer.ts';
import { verifyLedger } from '../src/db/ledger/verify.ts';
import { seedPlatform } from '../src/db/operations/seed.ts';
import type { AccountId, CompanyId, UserId } from '../src/domain/ids.ts';
import type { AccountType } from '../src/domain/ledger/accounts.ts';
import { openBenchDatabase } from './database.ts';

/**
 * `npm run bench:seed -- 1000000 [--verify]`: creates a company with 90 days of escrows, enough for that many entries.
 *
 * Each escrow is a deposit, a hold and a release: three transactions, eight entries, one closed hold. SQL writes them in large
 * steps instead of ledger_post, with the same balances that single postings would have left. Then the real sealer seals them,
 * so the audit of the books finds no mismatch (`--verify` runs it), and the deposits get their events in the feed. An interrupted
 * run continues when it is started again with the same number. Three things differ from production: escrows have no events and an
 * empty state (reads of the ledger use neither), transactions have no cause, so a full audit names them, and all escrows have
 * the same amount.
 */

const DAYS = 90;
const USERS = 400;
const ENTRIES_PER_ESCROW = 8;
const ESCROWS_PER_STEP = 20_000;
/** Every tenth escrow pays one busy seller. */
const BUSY_EVERY = 10;
const AMOUNT = { total: 10_000, payout: 9_650, service: 250, system: 100 } as const;

type Parties = {
  readonly companyId: CompanyId;
  readonly buyers: readonly { user: UserId; account: AccountId }[];
  readonly sellers: readonly { user: UserId; account: AccountId }[];
  readonly bank: AccountId;
  readonly serviceFee: AccountId;
  readonly systemFee: AccountId;
  /** The company's debt to the platform, and the platform's claim. */
  readonly owes: AccountId;
  readonly isOwed: AccountId;
};

const entries = Number(process.argv[2]?.replaceAll('_', ''));
if (!Number.isInteger(entries) || entries < ENTRIES_PER_ESCROW) {
  console.error('Say how many entries, as in: npm run bench:seed -- 1000000');
  process.exit(1);
}
const database = await openBenchDatabase();
const orm = await connect({ databaseUrl: database.ownerUrl, poolMax: 2, applicationName: 'bench-seed' });
try {
  await seed(orm, Math.round(entries / ENTRIES_PER_ESCROW));
} finally {
  await orm.close();
  await database.stop();
}

async function seed(orm: MikroORM, escrows: number): Promise<void> {
  const em = orm.em.fork();
  const parties = await openParties(orm, escrows);
  // Steps run in order and each is one statement, so the existing rows show which steps are complete.
  const [written] = await em.execute<{ escrows: number }[]>(
    'select count(*)::integer as escrows from escrow where company_id = ?',
    [parties.companyId],
  );
  const done = written?.escrows ?? 0;
  if (done > 0) console.log(`${done * ENTRIES_PER_ESCROW} entries are there already`);
  await timed(`${escrows * ENTRIES_PER_ESCROW} entries written`, async () => {
    for (let from = done; from < escrows; from += ESCROWS_PER_STEP)
      await writeEscrows(em, parties, { from, to: Math.min(from + ESCROWS_PER_STEP, escrows), of: escrows });
    await em.execute(
      `update account a set posted = moved.amount from (select account_id, sum(amount)::bigint as amount from entry group by 1) moved
       where a.id = moved.account_id`,
    );
  });
  await timed('sealed', async () => {
    while ((await sealLedger(em)) !== 0);
  });
  // Each deposit has an event in the feed.
  await timed('published', async () => {
    while ((await sealEvents(orm, describeFact, refuseToSkip)) !== null);
  });
  // Autovacuum does this by itself when rows arrive one by one.
  await timed('vacuumed', () => em.execute('vacuum (analyze)'));
  if (process.argv.includes('--verify'))
    await timed('audited', async () => {
      const { ok, checkedTransactions, mismatches } = await verifyLedger(orm.em.fork(), null, { booksOnly: true });
      console.log(`  ok: ${ok}, transactions: ${checkedTransactions}, mismatches: ${mismatches.length}`);
    });
}

function refuseToSkip(factId: string, error: unknown): never {
  throw new Error(`fact ${factId} cannot be described`, { cause: error });
}

/** Creates the accounts and users, or finds those of an interrupted run. */
async function openParties(orm: MikroORM, escrows: number): Promise<Parties> {
  const key = parseFieldKey(database.secrets.fieldEncryptionKey);
  if (key === undefined) throw new Error('no field key');
  const cipher = new FieldCipher([key]);
  const credentials = new CredentialProof([key]);
  const platformId = await seedPlatform(orm, credentials, { email: 'platform@bench.example', passwordHash: 'none' });
  const companyId = await openCompany(orm, credentials, `Bench of ${escrows} escrows`);
  const filter = { type: 'USER', currency: 'USD' } as const;
  const users = await inTenant(orm, companyId, async (em) => {
    const missing = USERS - (await countAccounts(em, companyId, filter));
    for (let number = USERS - missing; number < USERS; number += 1)
      await createUser(em, cipher, companyId, uuidv7() as UserId, {
        mobileNumber: `+2637${String(number).padStart(8, '0')}`,
        idNumber: String(number),
        firstName: `User ${number}`,
        lastName: null,
        email: null,
        metadata: {},
        customReference: null,
        bankAccount: null,
      });
    const all = await findAccounts(em, companyId, filter, { limit: USERS, offset: 0 });
    return all.map(({ id, userId }) => ({ user: userId as UserId, account: id })); // users' accounts have users
  });
  const em = orm.em.fork();
  const own = async (companyId: CompanyId, type: AccountType) => {
    const [account] = await findAccounts(em, companyId, { type, currency: 'USD' });
    if (account === undefined) throw new Error(`no ${type} account`);
    return account.id;
  };
  const intercompany = async (id: CompanyId) => {
    const [row] = await em.execute<{ id: AccountId }[]>(`select intercompany_account(?, 'USD') as id`, [id]);
    if (row === undefined) throw new Error('no INTERCOMPANY account');
    return row.id;
  };
  return {
    companyId,
    buyers: users.slice(0, USERS / 2),
    sellers: users.slice(USERS / 2),
    bank: await own(companyId, 'BANK'),
    serviceFee: await own(companyId, 'SERVICE_FEE'),
    systemFee: await own(platformId, 'SYSTEM_FEE'),
    owes: await intercompany(companyId),
    isOwed: await intercompany(platformId),
  };
}

/** The name contains the target number of escrows, because their times and balances depend on it. */
async function openCompany(orm: MikroORM, credentials: CredentialProof, name: string): Promise<CompanyId> {
  const [known] = await orm.em
    .fork()
    .execute<{ id: CompanyId; name: string }[]>(`select id, name from company where slug = 'bench'`);
  if (known !== undefined) {
    if (known.name === name) return known.id;
    throw new Error(`There are entries already: ${known.name}. Remove the directory (BENCH_DIR) to begin afresh.`);
  }
  const { company } = await registerCompany(orm, credentials, {
    name,
    slug: 'bench',
    isPlatform: false,
    administrator: {
      firstName: 'Bench',
      lastName: 'Owner',
      email: 'owner@bench.example',
      passwordHash: 'none',
      role: 'OWNER',
      mustChangePassword: false,
    },
  });
  return company.id;
}

/** Creates the escrows numbered from `from` to before `to`, of `of` in total. The number determines parties, time and balance. */
async function writeEscrows(
  em: EntityManager,
  parties: Parties,
  { from, to, of }: { readonly from: number; readonly to: number; readonly of: number },
): Promise<void> {
  const pick = (side: readonly { user: UserId; account: AccountId }[], field: 'user' | 'account') =>
    `{${side.map((party) => party[field]).join(',')}}`;
  await em.execute(
    `with asked as (
       select ?::uuid as company_id, ?::uuid[] as buyers, ?::uuid[] as sellers, ?::uuid[] as buyer_accounts,
         ?::uuid[] as seller_accounts, ?::uuid as bank, ?::uuid as service_fee, ?::uuid as system_fee,
         ?::uuid as owes, ?::uuid as is_owed
     ), numbered as (
       select i, i % ? + 1 as buyer, case when i % ? = 0 then 1 else i % ? + 1 end as seller,
         case when i % ? = 0 then i / ? + 1 else i / ? + 1 end as nth_of_seller,
         now() - interval '${DAYS} days' + i * (interval '${DAYS} days' / ?) - interval '1 hour' as at
       from generate_series(?::bigint, ?::bigint) i
     ), cycle as materialized (
       select n.*, a.*, uuidv7(at - now()) as deposit, uuidv7(at - now()) as escrow, uuidv7(at - now()) as payment
       from numbered n, asked a
     ), transactions as (
       insert into ledger_transaction
         (id, company_id, type, status, posted_status, amount, currency, key, reference, escrow_id, content_hash, created_at)
       select t.id, company_id, t.type, 'COMPLETED', 'COMPLETED', ?, 'USD', 'bench/' || t.id, t.reference, t.escrow_id,
         sha256(convert_to(t.id::text, 'UTF8')), at + t.after
       from cycle cross join lateral (values
         (deposit, 'DEPOSIT', 'receipt ' || i, null::uuid, interval '0'),
         (escrow, 'ESCROW_HOLD', null, escrow, interval '1 millisecond'),
         (payment, 'PAYMENT', null, escrow, interval '2 milliseconds')) t(id, type, reference, escrow_id, after)
       order by i, t.after
     ), escrows as (
       insert into escrow (id, company_id, status, seq, buyer_id, seller_id, currency, total_cents, external_reference, state,
         created_at, updated_at)
       select escrow, company_id, 'COMPLETED', 1, buyers[buyer], sellers[seller], 'USD', ?, 'order ' || i, '{}', at, at from cycle
     ), holds as (
       insert into hold (id, company_id, account_id, transaction_id, amount, remaining, status, created_at, updated_at)
       select escrow, company_id, buyer_accounts[buyer], escrow, ?, 0, 'CLOSED', at, at from cycle
     ), facts as (
       insert into event_fact (company_id, object_kind, object_id, change, at, snapshot)
       select company_id, 'deposit', deposit, 'RECEIVED', at, jsonb_build_object('status', 'COMPLETED') from cycle order by i
     ), hold_changes as (
       insert into hold_change (transaction_id, hold_id, account_id, company_id, kind, amount_cents)
       select case c.kind when 'place' then escrow else payment end, escrow, buyer_accounts[buyer], company_id, c.kind, c.amount_cents
       from cycle cross join lateral (values ('place', ?::bigint), ('capture', -?::bigint), ('void', 0)) c(kind, amount_cents)
     )
     insert into entry (transaction_id, account_id, company_id, amount, currency, balance_after, created_at)
     select e.transaction_id, e.account_id, a.company_id, e.amount, 'USD', e.balance_after, at + e.after
     from cycle cross join lateral (values
       (1, deposit, bank, -?::bigint, null::bigint, interval '0'),
       (2, deposit, buyer_accounts[buyer], ?, ?, interval '0'),
       (3, payment, buyer_accounts[buyer], -?::bigint, 0, interval '2 milliseconds'),
       (4, payment, seller_accounts[seller], ?, nth_of_seller * ?::bigint, interval '2 milliseconds'),
       (5, payment, service_fee, ?, null, interval '2 milliseconds'),
       (6, payment, system_fee, ?, null, interval '2 milliseconds'),
       (7, payment, owes, ?::bigint, null, interval '2 milliseconds'),
       (8, payment, is_owed, -?::bigint, null, interval '2 milliseconds')
     ) e(leg, transaction_id, account_id, amount, balance_after, after)
     join account a on a.id = e.account_id
     order by i, e.leg`,
    [
      ...[parties.companyId, pick(parties.buyers, 'user'), pick(parties.sellers, 'user')],
      ...[pick(parties.buyers, 'account'), pick(parties.sellers, 'account')],
      ...[parties.bank, parties.serviceFee, parties.systemFee, parties.owes, parties.isOwed],
      ...[parties.buyers.length, BUSY_EVERY, parties.sellers.length, BUSY_EVERY, BUSY_EVERY, parties.sellers.length],
      ...[of, from, to - 1],
      ...[AMOUNT.total, AMOUNT.total, AMOUNT.total],
      ...[AMOUNT.total, AMOUNT.total],
      ...[AMOUNT.total, AMOUNT.total, AMOUNT.total, AMOUNT.total],
      ...[AMOUNT.payout, AMOUNT.payout, AMOUNT.service, AMOUNT.system, AMOUNT.system, AMOUNT.system],
    ],
  );
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`${what} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}
