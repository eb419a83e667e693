import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../../src/db/core/orm.ts';
import { listLedgerTransactions } from '../../../src/db/ledger/transactions.ts';
import { listCaptures } from '../../../src/db/payments/captures.ts';
import { listBankEntries } from '../../../src/db/treasury/bank-statements.ts';
import type { LedgerId } from '../../../src/domain/ids.ts';
import { addEntries } from '../../support/entries.ts';
import { addCompany, type Books, openBooks, type TestCompany } from './books.ts';

/** Reads of a company with whatever statistics PostgreSQL has. No read may look at all of its rows for each row of the answer. */

const ROWS = 20_000;
const MATCHES = 5_000;
const UNSEALED = 3_000;
const USERS = 5_000;
const PAGE = 1_000;
const CALLS = 200;
const SMALL_COMPANIES = 60_000;
const LIMIT_MS = 1_000;

let books: Books;

beforeAll(async () => {
  books = await openBooks();
  await books.owner.em.fork().execute('analyze');
});
afterAll(() => books.close());

/** In this order: the company of the first is known to the statistics of the second, and the only one that those of the third know. */
describe.each([
  { when: 'before any company had rows', isKnown: false },
  { when: 'of its rows', isKnown: true },
  { when: 'of the rows of other companies', isKnown: false },
])('with statistics collected $when', ({ isKnown }) => {
  let company: TestCompany;
  let unsealed: TestCompany;
  let ledgerId: LedgerId;

  beforeAll(async () => {
    const em = books.owner.em.fork();
    company = await addCompany(em, { users: 1 });
    unsealed = await addCompany(em);
    const [ledger] = await em.execute<{ id: LedgerId }[]>(
      'select ledger_id as id from account where company_id = ? and id = ?',
      [company.id, company.user(0)],
    );
    if (ledger === undefined) throw new Error('the user has no ledger');
    ledgerId = ledger.id;
    await addPayouts(em, company, ledgerId);
    await addDeposits(em, company);
    await addCaptures(em, company); // before the bank's entries, which each of them would look through
    await addBankEntries(em, company);
    await addHolds(em, company);
    await addUsers(em, unsealed);
    await em.execute('update seal_progress set final_position = (select max(position) from ledger_transaction)');
    const [account, contra] = [unsealed.account('COMPANY'), unsealed.account('BANK')];
    await addEntries(em, { companyId: unsealed.id, account, contra, count: UNSEALED, from: new Date('2026-01-01') });
    if (isKnown) await em.execute('analyze');
  });
  afterAll(async () => {
    await books.owner.em.fork().execute('analyze');
  });

  async function soon<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await read();
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
    return answer;
  }

  test('a page of payouts looks up their settlements', async () => {
    const { records } = await soon(() =>
      inTenant(books.api, company.id, (em) =>
        listLedgerTransactions(em, company.id, ledgerId, {}, { limit: 100, offset: 0 }),
      ),
    );
    expect(records).toHaveLength(100);
  });

  test('the lines of a statement look up the other side of their transactions', async () => {
    const account = company.user(0);
    const lines = await soon(() =>
      inTenant(books.api, company.id, (em) =>
        em.execute(
          `select l.counterparty_kind from statement_lines(?, ?, array(select id from entry where account_id = ? order by id limit 1000)) l`,
          [company.id, account, account],
        ),
      ),
    );
    expect(lines).toHaveLength(1_000);
  });

  test('a page of bank entries looks up their matches', async () => {
    const { records } = await soon(() =>
      inTenant(books.api, company.id, (em) => listBankEntries(em, company.id, {}, { limit: 1_000, offset: 0 })),
    );
    expect(records.filter(({ match }) => match === 'CAPTURE')).toHaveLength(1_000);
  });

  test('a page of receipts looks up their transactions', async () => {
    const { records } = await soon(() =>
      inTenant(books.api, company.id, (em) => listCaptures(em, company.id, {}, { limit: 1_000, offset: 0 })),
    );
    expect(records).toHaveLength(1_000);
  });

  test('what is held on many accounts is added up', async () => {
    const held = await soon(() =>
      books.owner.em.fork().execute(
        `select sum(h.held)::integer as cents
         from ledger_held_before(?, array(select distinct account_id from hold_change where company_id = ?), clock_timestamp()) h`,
        [company.id, company.id],
      ),
    );
    expect(held).toEqual([{ cents: ROWS }]);
  });

  test('a report looks up the owners of accounts', async () => {
    const owed = await soon(() =>
      inTenant(books.api, unsealed.id, (em) =>
        em.execute('select count(*)::integer as users from report_liabilities(?, now())', [unsealed.id]),
      ),
    );
    expect(owed).toEqual([{ users: USERS }]);
  });

  test('a balance looks up the entries of transactions that are not sealed', async () => {
    const balance = await soon(() =>
      inTenant(books.api, unsealed.id, (em) =>
        em.execute('select balance from ledger_balance_before(?, array[?]::uuid[], ?)', [
          ...[unsealed.id, unsealed.account('COMPANY'), new Date('2026-01-01')],
        ]),
      ),
    );
    expect(balance).toEqual([{ balance: '0' }]);
  });

  test('deposits look up the accounts of their users', async () => {
    const em = books.owner.em.fork();
    const deposits = await em.execute(
      `select company_id, user_id, jsonb_build_object('currency', 'USD') as posting
       from ledger where company_id = ? and user_id is not null limit ?`,
      [unsealed.id, PAGE],
    );
    const found = await soon(() =>
      em.execute('select count(account_id)::integer as accounts from deposit_accounts(?::jsonb)', [
        JSON.stringify(deposits),
      ]),
    );
    expect(found).toEqual([{ accounts: PAGE }]);
  });

  test('a page of transactions that are not sealed looks up their entries', async () => {
    const [of] = await books.owner.em
      .fork()
      .execute<{ id: LedgerId }[]>('select ledger_id as id from account where company_id = ? and id = ?', [
        ...[unsealed.id, unsealed.account('COMPANY')],
      ]);
    const { records } = await soon(() =>
      inTenant(books.api, unsealed.id, (em) =>
        listLedgerTransactions(em, unsealed.id, of?.id as LedgerId, {}, { limit: 1_000, offset: 0 }),
      ),
    );
    expect(records).toHaveLength(1_000);
  });
});

async function addPayouts(em: EntityManager, { id }: TestCompany, ledgerId: LedgerId): Promise<void> {
  await em.execute(
    `insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash)
     select uuidv7(), ?, case when n > 100 then 'DEPOSIT' else 'WITHDRAWAL' end, 'COMPLETED', 'COMPLETED', 1, 'USD', 'test/' || n, '\\x'
     from generate_series(1, ?) n`,
    [id, ROWS],
  );
  await em.execute(
    `insert into ledger_activity (ledger_id, company_id, type, created_at, transaction_id)
     select ?, company_id, type, created_at, id from ledger_transaction where company_id = ? and type = 'WITHDRAWAL'`,
    [ledgerId, id],
  );
}

async function addDeposits(em: EntityManager, company: TestCompany): Promise<void> {
  await em.execute(
    `insert into entry (transaction_id, account_id, company_id, amount, currency, balance_after, created_at)
     select t.id, leg.account, t.company_id, leg.amount, t.currency, 0, t.created_at
     from ledger_transaction t cross join (values (?::uuid, -1), (?::uuid, 1)) leg(account, amount)
     where t.company_id = ? and t.type = 'DEPOSIT'`,
    [company.account('BANK'), company.user(0), company.id],
  );
}

async function addBankEntries(em: EntityManager, { id }: TestCompany): Promise<void> {
  await em.execute(
    `with statement as (
       insert into bank_statement (id, company_id, account, currency, number, from_date, to_date, opening_cents, closing_cents, entries, duplicates)
       values (uuidv7(), ?, 'A', 'USD', '1', '2026-01-01', '2026-01-01', 0, 0, 1, 0) returning id
     )
     insert into bank_entry (id, company_id, statement_id, account, currency, entry_key, part, direction, amount_cents, date, is_reversal, search)
     select uuidv7(), ?, id, 'A', 'USD', n::text, 1, 'CREDIT', 1, '2026-01-01', false, '{}' from statement, generate_series(1, ?) n`,
    [id, id, MATCHES],
  );
  await em.execute(
    `insert into bank_match (entry_id, company_id, kind, transaction_id)
     select m.entry_id, ?, 'CAPTURE', m.transaction_id
     from unnest(array(select id from bank_entry where company_id = ?), array(select id from ledger_transaction where company_id = ? limit ?))
       m(entry_id, transaction_id)`,
    [id, id, id, MATCHES],
  );
}

/** With a cent on hold. */
async function addUsers(em: EntityManager, { id }: TestCompany): Promise<void> {
  await em.execute(
    `with person as (
       insert into app_user (id, company_id, mobile_number, id_number)
       select gen_random_uuid(), ?, '+9' || n, 'test.' || repeat('0', 40) from generate_series(1, ?) n returning id
     ), opened as (
       insert into ledger (id, company_id, user_id, name) select gen_random_uuid(), ?, id, 'User' from person returning id
     ), account as (
       insert into account (id, company_id, ledger_id, type, currency, may_go_negative, appends)
       select gen_random_uuid(), ?, id, 'USER', 'USD', false, false from opened returning id
     )
     insert into hold_change (transaction_id, hold_id, account_id, company_id, kind, amount_cents)
     select gen_random_uuid(), gen_random_uuid(), id, ?, 'place', 1 from account`,
    [id, USERS, id, id, id],
  );
}

async function addCaptures(em: EntityManager, company: TestCompany): Promise<void> {
  await em.execute(
    `insert into bank_capture (id, company_id, reference, currency, amount_cents, matched_kind, matched_id, account_id)
     select id, company_id, key, currency, amount, 'USER', ?, ? from ledger_transaction where company_id = ? limit ?`,
    [company.user(0), company.user(0), company.id, PAGE],
  );
}

async function addHolds(em: EntityManager, { id }: TestCompany): Promise<void> {
  await em.execute(
    `insert into hold_change (transaction_id, hold_id, account_id, company_id, kind, amount_cents)
     select gen_random_uuid(), gen_random_uuid(), md5(? || n / 2)::uuid, ?, 'place', 1 from generate_series(1, ?) n`,
    [id, id, ROWS],
  );
}

test('the lines of a statement do not read all transactions of a company beside many that have one', async () => {
  const many = await openBooks();
  try {
    const em = many.owner.em.fork();
    await em.execute(
      `insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash)
       select uuidv7(), gen_random_uuid(), 'DEPOSIT', 'COMPLETED', 'COMPLETED', 1, 'USD', 'test', '\\x' from generate_series(1, ?)`,
      [SMALL_COMPANIES],
    );
    await em.execute('analyze');
    const company = await addCompany(em, { users: 1 });
    const [account, contra] = [company.user(0), company.account('BANK')];
    await addEntries(em, { companyId: company.id, account, contra, count: ROWS, from: new Date('2026-01-01') });
    const startedAt = performance.now();
    const [lines] = await em.execute(
      `select count(l.counterparty_kind)::integer as found
       from statement_lines(?, ?, array(select id from entry where account_id = ? order by id limit ?)) l`,
      [company.id, account, account, PAGE],
    );
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
    expect(lines).toEqual({ found: PAGE });
  } finally {
    await many.close();
  }
});

test('requests that end together find their keys among those of a busy hour', async () => {
  const em = books.owner.em.fork();
  const company = await addCompany(em);
  const claim = (count: number, isAnswered: boolean) =>
    em.execute(
      `insert into idempotency (company_id, operation, key, fingerprint, command_id, locked_until, expires_at, response_status)
       select ?, 'test', gen_random_uuid(), '', gen_random_uuid(), now(), now() + interval '1 day', ${isAnswered ? 200 : null}
       from generate_series(1, ?) returning company_id, operation, key, command_id, 201 as status, '{}' as body`,
      [company.id, count],
    );
  await em.begin();
  try {
    // The session plans the statement while there are few keys.
    await claim(300, true);
    for (let call = 0; call < 10; call += 1)
      await em.execute('select idempotency_finishes(?::jsonb)', [JSON.stringify(await claim(1, false))]);
    await claim(ROWS, true);
    const asked = await claim(CALLS, false);
    const startedAt = performance.now();
    for (const one of asked) await em.execute('select idempotency_finishes(?::jsonb)', [JSON.stringify([one])]);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
    const [left] = await em.execute('select count(*)::integer as keys from idempotency where response_status is null');
    expect(left).toEqual({ keys: 0 });
  } finally {
    await em.rollback();
  }
});
