import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refusePrivilegedRole } from '../../src/config/database-role.ts';
import { connect } from '../../src/db/core/orm.ts';
import { withClient } from '../../src/sandbox/stack/postgres.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

/** API and worker start only as roles that row-level security and grants apply to. */

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

async function check(databaseUrl: string): Promise<void> {
  const orm = await connect({ databaseUrl, poolMax: 1, applicationName: 'test' });
  try {
    await refusePrivilegedRole(orm, 'escrow_api');
  } finally {
    await orm.close();
  }
}

test('the owner of the tables is refused, and the message names the role to use', async () => {
  await expect(check(database.ownerUrl)).rejects.toThrow(/escrow_owner.*Name escrow_api/);
});

test('accepts the roles that migrate makes', async () => {
  await check(database.apiUrl);
  await check(database.workerUrl);
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
