import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireDatabaseRole } from '../../src/config/database-checks.ts';
import { connect } from '../../src/db/core/orm.ts';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

/** API and worker start only as roles that row-level security and grants apply to. */

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

async function check(databaseUrl: string, expected: 'escrow_api' | 'escrow_worker' = 'escrow_api'): Promise<void> {
  const orm = await connect({ databaseUrl, poolMax: 1, applicationName: 'test' });
  try {
    await requireDatabaseRole(orm, expected);
  } finally {
    await orm.close();
  }
}

test('the owner of the tables is refused, and the message names the role to use', async () => {
  await expect(check(database.ownerUrl)).rejects.toThrow(/escrow_owner.*Name escrow_api/);
});

test('accepts the roles that migrate makes', async () => {
  await check(database.apiUrl);
  await check(database.workerUrl, 'escrow_worker');
});

test("the API refuses the worker's role, which sees all companies", async () => {
  await expect(check(database.workerUrl, 'escrow_api')).rejects.toThrow(/role escrow_worker.*Name escrow_api/);
});

test("the worker refuses the API's role, which sees rows only after a company is set", async () => {
  await expect(check(database.apiUrl, 'escrow_worker')).rejects.toThrow(/role escrow_api.*Name escrow_worker/);
});

test('accepts an unreachable database', async () => {
  await check('postgres://escrow_api:none@127.0.0.1:1/escrow');
});

test('the check reads the table owner from the catalog', async () => {
  const owners = await withClient(database.ownerUrl, (client) =>
    client.query("select distinct tableowner from pg_tables where schemaname = 'public'"),
  );
  expect(owners.rows).toEqual([{ tableowner: 'escrow_owner' }]);
});
