import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { connect, readTenant, readUntied } from '../../../src/db/core/orm.ts';
import { inPieces, TenantQuery } from '../../../src/db/core/tenant-read.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { addCompany } from '../ledger/books.ts';

/** Reads that carry their tenant, on one connection which all of them share. */

const COMPANIES = 20;

let database: TestDatabase;
let orm: MikroORM;
let companies: CompanyId[];
beforeAll(async () => {
  database = await freshDatabase();
  const owner = await connect({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'owner' });
  companies = [];
  for (let made = 0; made < COMPANIES; made += 1) companies.push((await addCompany(owner.em.fork())).id);
  await owner.close();
});
beforeEach(async () => {
  orm = await connect({ databaseUrl: database.apiUrl, poolMax: 1, applicationName: 'reads' });
});
afterEach(() => orm.close());
afterAll(() => database.drop());

const read = <Row>(companyId: CompanyId, statement: string, values: unknown[] = []) =>
  readTenant(orm, companyId, (em) => em.execute<Row[]>(statement, values));
const owners = 'select distinct company_id as id from account where type = ?';

test('concurrent reads of many companies see only rows of their own', async () => {
  const asked = Array.from({ length: 10 }, () => companies).flat();
  const found = await Promise.all(asked.map((id) => read(id, owners, ['BANK'])));
  expect(found).toEqual(asked.map((id) => [{ id }]));
});

test('a connection has no tenant after a read, after a failed one, and after one that was refused its table', async () => {
  const [company] = companies as [CompanyId]; // there are 20
  for (const statement of [
    owners,
    'select 1 / (select 0 where ? is not null)',
    'select * from mikro_orm_migrations where name = ?',
  ]) {
    await read(company, statement, ['BANK']).catch(() => undefined);
    const [state] = await orm.em
      .fork()
      .execute<{ tenant: string | null; seen: number }[]>(
        `select nullif(current_setting('app.company_id', true), '') as tenant, (select count(*)::integer from account) as seen`,
      );
    expect(state).toEqual({ tenant: null, seen: 0 });
  }
});

test('a read cannot leave its tenant for another, as a text with its own tenant would', async () => {
  const [company, other] = companies as [CompanyId, CompanyId]; // there are 20
  await read(company, `select set_config('app.company_id', ?, true)`, [other]);
  expect(await read(company, owners, ['BANK'])).toEqual([{ id: company }]);
});

test('a statement is prepared once for a connection, whatever its values and tenant', async () => {
  for (const company of companies) await read(company, owners, ['BANK']);
  const prepared = await orm.em
    .fork()
    .execute<{ calls: number }[]>(
      `select (generic_plans + custom_plans)::integer as calls from pg_prepared_statements where statement like '%from account where type%'`,
    );
  expect(prepared).toEqual([{ calls: COMPANIES }]);
});

test('values of each kind are bound, and quoted question marks are text', async () => {
  const [company] = companies as [CompanyId]; // there are 20
  const at = new Date('2026-01-31T09:00:00.123Z');
  const statement = `select '?' as text, ?::bigint as big, ?::timestamptz = ?::timestamptz as same, ?::text as nothing, ? = any(?::text[]) as listed`;
  expect(await read(company, statement, [2n ** 62n, at, at.toISOString(), null, 'a', ['a', 'b']])).toEqual([
    { text: '?', big: String(2n ** 62n), same: true, nothing: null, listed: true },
  ]);
});

describe('in pieces', () => {
  test('a read comes as it would at once, and others run after each hundred of its rows', async () => {
    const [company] = companies as [CompanyId]; // there are 20
    const rows = `select n, repeat('x', 100) as text from generate_series(1, ?::integer) n`;
    const once = await read(company, rows, [2_000]);
    const parsing = jest.spyOn(TenantQuery.prototype, 'handleDataRow');
    let isAnswered = false;
    const reading = inPieces(() => read(company, rows, [2_000])).finally(() => {
      isAnswered = true;
    });
    const parsed = [0];
    while (!isAnswered) {
      await nextTurn();
      parsed.push(parsing.mock.calls.length);
    }
    parsing.mockRestore();
    expect(await reading).toEqual(once);
    expect(Math.max(...parsed.map((count, turn) => count - (parsed[turn - 1] ?? 0)))).toBeLessThanOrEqual(101); // with the row of the tenant
  });

  test.each([
    ['before its first row', 'select 1 / (select 0 where ?::text is not null)', ['BANK']],
    ['after a piece', 'select 1 / (n - 1500) as one from generate_series(1, ?::integer) n', [2_000]],
  ])('a read that fails %s leaves no tenant, and the next one is answered', async (_when, statement, values) => {
    const [company] = companies as [CompanyId]; // there are 20
    await expect(inPieces(() => read(company, statement, values))).rejects.toThrow('division by zero');
    expect(await orm.em.fork().execute('select count(*)::integer as seen from account')).toEqual([{ seen: 0 }]);
    expect(await inPieces(() => read(company, owners, ['BANK']))).toEqual([{ id: company }]);
  });
});

describe('after a migration', () => {
  test('a statement whose columns changed is prepared again', async () => {
    const [company] = companies as [CompanyId]; // there are 20
    const all = 'select * from account where type = ?';
    const before = await read(company, all, ['BANK']);
    await withClient(database.ownerUrl, async (client) => {
      await client.query('alter table account add column added_by_test integer');
    });
    const after = await read<object>(company, all, ['BANK']);
    expect(after).toEqual(before.map((row) => ({ ...(row as object), added_by_test: null })));
  });

  test('so is one of no company, which has no tenant and whose values are bound', async () => {
    const currencies = () =>
      readUntied(orm, (em) => em.execute<object[]>('select * from currency where code = ?', ['USD']));
    await read(companies[0] as CompanyId, owners, ['BANK']); // there are 20
    const before = await currencies();
    await withClient(database.ownerUrl, async (client) => {
      await client.query('alter table currency add column added_by_test integer');
    });
    expect(await currencies()).toEqual(before.map((row) => ({ ...row, added_by_test: null })));
    const prepared = await orm.em
      .fork()
      .execute(`select name from pg_prepared_statements where statement like '%from currency%'`);
    expect([before.length, prepared.length]).toEqual([1, 1]);
    expect(await readUntied(orm, (em) => em.execute('select count(*)::integer as seen from account'))).toEqual([
      { seen: 0 },
    ]);
  });
});
