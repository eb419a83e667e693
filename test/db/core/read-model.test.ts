import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { columnOf, columnsOf, group, orNull, readModel, time, value } from '../../../src/db/core/read-model.ts';
import { entities } from '../../../src/db/entities/index.ts';
import { PaymentLinkRow } from '../../../src/db/entities/payment-link.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

/** Columns that no record has: only SQL writes and reads them. */
const OF_SQL_ALONE: ReadonlySet<string> = new Set([
  ...['asked_at', 'changes_asked_at', 'success_reported_at', 'pending_reported_at', 'notified_at', 'returned_at'].map(
    (name) => `payment_attempt.${name}`,
  ),
  'app_user.erasure_reason',
  'payout_destination.person_id',
]);

test('an entity declares each column of its table', async () => {
  const undeclared: string[] = [];
  await withClient(database.ownerUrl, async (client) => {
    for (const { meta } of entities) {
      const { rows } = await client.query<{ name: string }>(
        `select column_name::text as name from information_schema.columns
         where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
        [meta.tableName],
      );
      const declared = new Set(Object.keys(meta.properties).map((name) => columnOf(name)));
      undeclared.push(...rows.filter(({ name }) => !declared.has(name)).map(({ name }) => `${meta.tableName}.${name}`));
    }
  });
  expect(undeclared.filter((name) => !OF_SQL_ALONE.has(name))).toEqual([]);
});

test('a read model selects and reads each of its fields, and null for what a join did not find', async () => {
  const model = readModel({
    buyer: group({ id: value<string>('v.id'), since: time('v.at') }),
    seller: orNull(group({ id: value<string>('w.id'), since: time('w.at') })),
  });
  const sql = `select ${model.columns} from (values ('b', timestamptz '2026-01-02Z')) v(id, at) left join (values ('s', now())) w(id, at) on false`;
  const row = await withClient(database.ownerUrl, async (client) => (await client.query(sql)).rows[0]);
  expect(model.toRecord(row)).toEqual({ buyer: { id: 'b', since: new Date('2026-01-02') }, seller: null });
});

test('the columns of an entity are read as its types', () => {
  const model = readModel(columnsOf(PaymentLinkRow, 'l', ['state']));
  const { amountCents, expiresAt, locale, ...rest } = model.toRecord({
    ...{ amountCents: '9007199254740993', expiresAt: '2026-01-02T00:00:00Z', locale: null },
  });
  expect({ amountCents, expiresAt, locale }).toEqual({
    amountCents: 9007199254740993n,
    expiresAt: new Date('2026-01-02'),
    locale: null,
  });
  expect(Object.keys(rest)).not.toContain('state');
});
