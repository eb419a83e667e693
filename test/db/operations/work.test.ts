import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

/** The most urgent work is found by an index in its order, however much there is. */

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await freshDatabase();
  owner = new pg.Client(database.ownerUrl);
  await owner.connect();
  // The tables are empty, so costs tell nothing: without these, a plan has them only if there is no index in this order.
  for (const way of ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin', 'material'])
    await owner.query(`set enable_${way} = off`);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const COMPANYS = `w.company_id = '01900000-0000-7000-8000-000000000001'`;

test.each([
  ['work_dispute', 'true'],
  ['work_dispute', COMPANYS],
  ['work_payout', 'true'],
  ['work_webhook', 'true'],
  ['work_suspense', 'true'],
  ['work_suspense', COMPANYS],
  ['work_late_money', 'true'],
  ['work_late_money', COMPANYS],
  ['work_identity', 'true'],
  ['work_chargeback', 'true'],
  ['work_chargeback', COMPANYS],
])('%s where %s', async (view, condition) => {
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
    `explain select * from ${view} w where ${condition} order by w.due_at nulls last, w.since, w.id limit 10`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']);
  expect(plan.filter((line) => /->\s+Sort|^Sort|Seq Scan/.test(line))).toEqual([]);
});
