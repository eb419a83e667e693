import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { connect } from '../../../src/db/core/orm.ts';
import { WORKER_TIME_LIMITS } from '../../../src/db/core/time-limits.ts';
import type { Depositor, DepositRequest } from '../../../src/db/payments/deposits.ts';
import type { OnceOutcome } from '../../../src/db/requests/request-store.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import { type CommandId, publicId, type UserId } from '../../../src/domain/ids.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import {
  addCompany,
  type Books,
  eventually,
  newId,
  openBooks,
  readBalances,
  type TestCompany,
  verifyBooks,
} from '../ledger/books.ts';
import { OPERATION, onceOf, openDepositor } from './depositing.ts';

/** Deposits of many companies in one call. */

const COMPANIES = 8;

let books: Books;
let deposit: Depositor;
let companies: (TestCompany & { readonly userId: UserId })[];
beforeAll(async () => {
  books = await openBooks(8);
});
afterAll(() => books.close());
beforeEach(async () => {
  deposit = openDepositor(books.api);
  companies = [];
  const em = books.owner.em.fork();
  while (companies.length < COMPANIES) {
    const company = await addCompany(em, { users: 1 });
    const [row] = await em.execute<{ user_id: UserId }[]>(
      'select user_id from ledger where company_id = ? and user_id is not null',
      [company.id],
    );
    companies.push({ ...company, userId: row?.user_id as UserId }); // added above
  }
});

type Company = (typeof companies)[number];

const requestOf = ({ id, userId }: Company, fields: Partial<DepositRequest> = {}): DepositRequest => ({
  ...{ companyId: id, userId, amountCents: 5n, currency: 'USD' },
  ...{ externalReference: null, userReference: null, isTransit: false },
  ...fields,
});
const send = (company: Company, fields: Partial<DepositRequest> = {}, key: string = randomUUID()) =>
  deposit(onceOf(company.id, newId<CommandId>(), key), requestOf(company, fields));
const statusOf = (outcome: OnceOutcome) =>
  outcome instanceof Refusal ? outcome.code : 'status' in outcome ? outcome.status : outcome.kind;
const at = (index: number) => companies[index] as Company; // there are COMPANIES

async function postedOf(...of: Company[]): Promise<(bigint | undefined)[]> {
  const accounts = of.map((company) => company.user(0));
  const balances = await readBalances(books.owner.em.fork(), accounts);
  return accounts.map((account) => balances.get(account)?.postedCents);
}

/** What a request has left: keys, lines in the audit log, transactions. */
async function tracesOf({ id }: Company): Promise<number[]> {
  const rows = await books.owner.em.fork().execute<{ count: number }[]>(
    `select count(*)::integer as count from idempotency where company_id = ?
     union all select count(*)::integer from audit_log where company_id = ?
     union all select count(*)::integer from ledger_transaction where company_id = ?`,
    [id, id, id],
  );
  return rows.map(({ count }) => count);
}

test('a deposit is one round trip', async () => {
  const orm = await connect({ databaseUrl: books.database.apiUrl, poolMax: 1, applicationName: 'counted' });
  try {
    await orm.em.fork().execute('select 1');
    const pool = await orm.em.getConnection().getNativeClient();
    const client = await pool.connect();
    client.release();
    const query = client.query;
    let sent = 0;
    Object.assign(client, {
      query: (...statement: unknown[]): unknown => {
        sent += 1;
        return Reflect.apply(query, client, statement);
      },
    });
    const company = at(0);
    const once = onceOf(company.id, newId());
    expect(statusOf(await openDepositor(orm)(once, requestOf(company, { externalReference: 'r' })))).toBe(201);
    expect(sent).toBe(1);
    expect(await tracesOf(company)).toEqual([1, 1, 1]);
  } finally {
    await orm.close();
  }
});

test('each item of a call has its own outcome, and leaves nothing in another company', async () => {
  const [a, b, c, d] = [at(0), at(1), at(2), at(3)];
  await send(a, { externalReference: 'taken' });
  const key = randomUUID();
  const outcomes = await Promise.all([
    send(a),
    send(a, { externalReference: 'taken', amountCents: 6n }),
    send(b, { userId: a.userId }),
    send(b, { externalReference: 'taken' }),
    send(c, {}, key),
    send(c, {}, key),
    send(c, { externalReference: 'twice', amountCents: 1n }),
    send(c, { externalReference: 'twice', amountCents: 2n }),
    send(d, { isTransit: true, userReference: 'memo' }),
    send(d, { amountCents: 10n ** 19n, externalReference: 'large' }),
  ]);
  expect(outcomes.map(statusOf)).toEqual([
    ...[201, 'duplicate_reference', 'unknown_user', 201],
    ...[201, 'in_progress', 201, 'duplicate_reference', 201, 'amount_too_large'],
  ]);
  expect(await postedOf(a, b, c, d)).toEqual([10n, 5n, 6n, 5n]);
  expect(await Promise.all([a, b, c, d].map(tracesOf))).toEqual([
    [2, 2, 2],
    [1, 1, 1],
    [2, 2, 2],
    [1, 1, 1],
  ]);
  expect(await send(c, {}, key)).toMatchObject({ kind: 'replay', body: (outcomes[4] as { body: unknown }).body });
  expect(await verifyBooks(books.worker.em.fork(), null)).toMatchObject({ ok: true });
});

test('the answer has the time and the account of the transaction', async () => {
  const [company, memo] = [at(0), 'a "quoted" memo'];
  expect(await send(company, { userReference: memo })).toMatchObject({
    body: { accountId: publicId('account', company.user(0)), metadata: { userReference: memo } },
  });
  const [row] = await books.owner.em.fork().execute<{ same: boolean }[]>(
    `select date_trunc('milliseconds', t.created_at) = (i.response_body::jsonb ->> 'createdAt')::timestamptz as same
       from ledger_transaction t join idempotency i using (company_id) where t.company_id = ?`,
    [company.id],
  );
  expect(row).toEqual({ same: true });
});

describe('a company that is not among those of the call', () => {
  test('is refused, and nothing is done for anybody', async () => {
    const [mine, other] = [at(0), at(1)];
    const foreign = deposit(onceOf(mine.id, newId()), requestOf(other));
    await expect(foreign).rejects.toThrow('deposit for another company');
    expect(await Promise.all([mine, other].map(tracesOf))).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  test('does not keep the others of the call from theirs', async () => {
    const [mine, other, free] = [at(0), at(1), at(2)];
    const foreign = expect(deposit(onceOf(mine.id, newId()), requestOf(other))).rejects.toThrow('another company');
    const outcomes = await Promise.all([send(mine), send(free), send(other)]);
    await foreign;
    expect(outcomes.map(statusOf)).toEqual([201, 201, 201]);
    expect(await postedOf(mine, other, free)).toEqual([5n, 5n, 5n]);
  });

  test('gets no posting, whatever the companies of the transaction', async () => {
    const { rejects } = expect(
      books.api.em
        .fork()
        .execute(`with set as (select set_config('app.company_ids', ?, true)) select ledger_post(?::jsonb) from set`, [
          `{${at(0).id}}`,
          JSON.stringify([
            {
              id: newId(),
              company_id: at(1).id,
              key: 'k',
              type: 'DEPOSIT',
              status: 'COMPLETED',
              amount: '1',
              currency: 'USD',
              legs: [],
              holds: [],
            },
          ]),
        ]),
    );
    await rejects.toThrow('posting for another company');
  });
});

const KEY = 'blocked-key';
const REFERENCE = 'blocked-reference';

describe.each([
  ['a locked account', 'select from account where id = $2 and company_id = $1 for update'],
  [
    'a key that another process claims',
    `insert into idempotency (company_id, operation, key, fingerprint, command_id, locked_until, expires_at)
     select $1, '${OPERATION}', '${KEY}', 'x', $2, now(), now() - interval '1 hour'`,
  ],
  [
    'a reference that another process uses',
    `insert into ledger_transaction (id, company_id, type, status, posted_status, amount, currency, key, content_hash)
     select $2, $1, 'DEPOSIT', 'COMPLETED', 'COMPLETED', 1, 'USD', 'deposit-reference/${REFERENCE}', 'x'`,
  ],
  [
    'a receipt that another process captures',
    `select pg_advisory_xact_lock(receipt_key($1, 'USD', 5, '${REFERENCE}')) where $2::uuid is not null`,
  ],
])('%s', (_what, statement) => {
  test('delays its own company only, which goes on when it is free', async () => {
    const blocked = [at(0), at(1), at(2)];
    const free = companies.slice(3);
    await withClient(books.database.superuserUrl, async (client) => {
      await client.query('begin');
      for (const company of blocked) await client.query(statement, [company.id, company.user(0)]);
      const waiting = blocked.map((company) => send(company, { externalReference: REFERENCE }, KEY));
      for (const _round of [1, 2, 3]) {
        const done = await Promise.all(free.map((company) => send(company)));
        expect(done.map(statusOf)).toEqual(free.map(() => 201));
      }
      await waitingFor(client, blocked.length);
      await client.query('rollback');
      expect((await Promise.all(waiting)).map(statusOf)).toEqual([201, 201, 201]);
    });
    expect(await postedOf(...blocked, at(3))).toEqual([5n, 5n, 5n, 15n]);
    expect(await tracesOf(at(0))).toEqual([1, 1, 1]);
  });
});

test('a deposit that waits for a lock, alone in its call, delays no other company', async () => {
  const free = companies.slice(1);
  await withClient(books.database.superuserUrl, async (client) => {
    await client.query('begin');
    await client.query('select from account where id = $1 for update', [at(0).user(0)]);
    const waiting = send(at(0));
    await waitingFor(client, 1);
    const done = await Promise.all(free.map((company) => send(company)));
    expect(done.map(statusOf)).toEqual(free.map(() => 201));
    await client.query('rollback');
    expect(statusOf(await waiting)).toBe(201);
  });
  expect(await postedOf(at(0), at(1))).toEqual([5n, 5n]);
  expect(await tracesOf(at(0))).toEqual([1, 1, 1]);
});

test('more blocked companies than there are connections leave some for the others', async () => {
  const [blocked, free] = [companies.slice(0, 5), companies.slice(5)];
  const api = await connect({
    databaseUrl: books.database.apiUrl,
    poolMax: 4,
    applicationName: 'test',
    timeLimits: WORKER_TIME_LIMITS,
  });
  deposit = openDepositor(api);
  await withClient(books.database.superuserUrl, async (client) => {
    await client.query('begin');
    for (const company of blocked)
      await client.query('select from account where id = $1 for update', [company.user(0)]);
    const waiting = blocked.map((company) => send(company));
    await waitingFor(client, 2);
    for (const _round of [1, 2, 3]) {
      const done = await Promise.all(free.map((company) => send(company)));
      expect(done.map(statusOf)).toEqual(free.map(() => 201));
    }
    expect(await postedOf(...blocked)).toEqual(blocked.map(() => 0n));
    await waitingFor(client, 2);
    await client.query('rollback');
    expect((await Promise.all(waiting)).map(statusOf)).toEqual(blocked.map(() => 201));
  });
  await api.close();
});

async function waitingFor(client: Client, count: number): Promise<void> {
  await eventually(async () => {
    await client.query('select pg_stat_clear_snapshot()'); // a transaction keeps what it has seen
    const { rows } = await client.query(
      `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).toEqual([{ count }]);
  });
}

test('a connection that is lost in the middle leaves nothing, and a retry is the first attempt', async () => {
  const [company, key] = [at(0), randomUUID()];
  await withClient(books.database.superuserUrl, async (client) => {
    await client.query('begin');
    await client.query('select from account where id = $1 for update', [company.user(0)]);
    const lost = expect(send(company, { externalReference: REFERENCE }, key)).rejects.toThrow();
    await waitingFor(client, 1);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    await lost;
    await client.query('rollback');
  });
  expect(await tracesOf(company)).toEqual([0, 0, 0]);
  expect(await send(company, { externalReference: REFERENCE }, key)).toMatchObject({ kind: 'answered' });
  expect(await send(company, { externalReference: REFERENCE }, key)).toMatchObject({ kind: 'replay' });
  expect(await postedOf(company)).toEqual([5n]);
  expect(await tracesOf(company)).toEqual([1, 1, 1]);
});

test('an item that makes its call fail fails alone', async () => {
  const broken = expect(send(at(0), { userReference: '\u0000' })).rejects.toThrow();
  const others = await Promise.all(companies.map((company) => send(company)));
  await broken;
  expect(others.map(statusOf)).toEqual(companies.map(() => 201));
  expect(await postedOf(at(0), at(1))).toEqual([5n, 5n]);
});

test('a key that an earlier attempt claimed keeps its command, and what that has posted', async () => {
  const [company, key, commandId] = [at(0), randomUUID(), newId<CommandId>()];
  const reference = { externalReference: REFERENCE };
  await books.owner.em.fork().execute(
    `insert into idempotency (company_id, operation, key, fingerprint, command_id, locked_until, expires_at)
     values (?, ?, ?, 'same', ?, now(), now() + interval '1 hour')`,
    [company.id, OPERATION, key, commandId],
  );
  const [first] = await Promise.all([send(company, reference, key), ...companies.map((one) => send(one))]);
  expect(first).toMatchObject({ kind: 'answered', body: { id: publicId('transaction', commandId as never) } });
  await books.owner.em
    .fork()
    .execute(
      'update idempotency set response_status = null, response_body = null, locked_until = now() where key = ?',
      [key],
    );
  expect(await send(company, reference, key)).toEqual(first);
  expect(await postedOf(company)).toEqual([10n]);
});
